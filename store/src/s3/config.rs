//! How to reach a bucket.

use std::time::Duration;

use aws_config::BehaviorVersion;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::{Region, RequestChecksumCalculation, ResponseChecksumValidation};

use crate::error::{Error, Result};
use crate::key::Key;

/// Which bucket, and how to reach it. Credentials come from the usual chain: environment, shared files, web identity,
/// container, instance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct S3Config {
    /// The bucket's name. It must exist.
    pub bucket: String,
    /// What stands before every key in the bucket: empty, or a [`Key`] of at most 100 bytes with or without a final `/`.
    pub prefix: String,
    /// `http://…` or `https://…` of an engine that is not AWS, without credentials; `None`: AWS itself.
    pub endpoint: Option<String>,
    /// The region; `None`: from the environment or the profile, else `us-east-1`.
    pub region: Option<String>,
    /// Whether the bucket stands in the path of a URL and not in its host name. Most engines beside AWS want this.
    pub path_style: bool,
    /// Encryption at rest that each PUT asks for.
    pub sse: Sse,
}

/// Encryption at rest by the engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Sse {
    /// Whatever the bucket does by itself.
    #[default]
    Bucket,
    /// `AES256`: keys of the engine.
    Aes256,
    /// `aws:kms`, with a key's id or ARN, or the bucket's default key.
    Kms {
        /// The key's id or ARN.
        key_id: Option<String>,
    },
}

impl S3Config {
    /// The prefix as it stands before a key: empty, or ending in `/`.
    pub(super) fn full_prefix(&self) -> Result<String> {
        let bad = |what: &str| Error::Config { what: what.to_owned() };
        if self.bucket.is_empty() || self.bucket.len() > 255 || self.bucket.contains(['/', '?', '#', ' ']) {
            return Err(bad("the bucket's name is not one"));
        }
        if let Some(endpoint) = &self.endpoint {
            let rest = endpoint.strip_prefix("http://").or_else(|| endpoint.strip_prefix("https://"));
            if rest.is_none_or(|rest| rest.is_empty() || rest.contains('@')) {
                return Err(bad("the endpoint must be http://… or https://…, without credentials"));
            }
        }
        let prefix = self.prefix.strip_suffix('/').unwrap_or(&self.prefix);
        if prefix.is_empty() {
            return Ok(String::new());
        }
        match Key::parse(prefix) {
            Ok(key) if prefix.len() <= 100 => Ok(format!("{key}/")),
            _ => Err(bad("the bucket's prefix must be a storage key of at most 100 bytes")),
        }
    }

    /// A client after this configuration, with our time limits.
    pub(super) async fn client(&self) -> Client {
        let mut loader = aws_config::defaults(BehaviorVersion::latest());
        if let Some(region) = &self.region {
            loader = loader.region(Region::new(region.clone()));
        }
        let shared = loader.load().await;
        let mut builder = aws_sdk_s3::config::Builder::from(&shared)
            .force_path_style(self.path_style)
            // Not every engine knows AWS's newer checksums; each PUT brings its SHA-256 all the same.
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
            .retry_config(RetryConfig::standard().with_max_attempts(super::ATTEMPTS))
            .timeout_config(
                TimeoutConfig::builder()
                    .connect_timeout(Duration::from_secs(5))
                    .operation_attempt_timeout(Duration::from_secs(30))
                    .build(),
            );
        if shared.region().is_none() {
            builder = builder.region(Region::new("us-east-1"));
        }
        if let Some(endpoint) = &self.endpoint {
            builder = builder.endpoint_url(endpoint);
        }
        Client::from_conf(builder.build())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_cannot_be_right_are_refused() {
        let good = S3Config { bucket: "b".to_owned(), ..S3Config::default() };
        assert_eq!(good.full_prefix(), Ok(String::new()));
        assert_eq!(S3Config { prefix: "a/b/".to_owned(), ..good.clone() }.full_prefix(), Ok("a/b/".to_owned()));
        for bad in [
            S3Config { bucket: String::new(), ..good.clone() },
            S3Config { prefix: "/a".to_owned(), ..good.clone() },
            S3Config { prefix: "x".repeat(101), ..good.clone() },
            S3Config { endpoint: Some("ftp://host".to_owned()), ..good.clone() },
            S3Config { endpoint: Some("http://key:secret@host".to_owned()), ..good },
        ] {
            assert!(matches!(bad.full_prefix(), Err(Error::Config { .. })), "{bad:?}");
        }
    }
}
