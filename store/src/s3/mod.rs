//! A bucket as an engine: AWS S3, SeaweedFS, Ceph, MinIO.
//!
//! Every write is one PUT with its SHA-256, since conditional *multipart* completion is not atomic everywhere.

mod clock;
mod config;
mod fault;

use std::fmt;
use std::ops::Range;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::Builder;
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::get_object::GetObjectOutput;
use aws_sdk_s3::operation::put_object::builders::PutObjectFluentBuilder;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::ServerSideEncryption;
use aws_smithy_runtime_api::http::Response;
use aws_smithy_types::DateTime;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::{Bytes, BytesMut};
use dossier_bundle::Digest;

use crate::engine::{Create, Engine, Entry, MAX_VALUE, Meta, Object, Page, PageToken, Replace, Version, check_size};
use crate::error::{Error, Result};
use crate::key::{InvalidKey, Key, is_prefix};
use clock::DateReader;
use fault::Fault;

pub use config::{S3Config, Sse};

/// How often the SDK tries what may be repeated.
const ATTEMPTS: u32 = 4;
/// How often a write is sent again after a 409, the answer to a conditional write that meets another one under way.
const CONFLICTS: u32 = 8;

/// An [`Engine`] that keeps values as objects of one bucket, below one prefix.
#[derive(Clone)]
pub struct S3Engine {
    client: Client,
    bucket: String,
    prefix: String,
    endpoint: String,
    sse: Sse,
}

impl S3Engine {
    /// Makes a client by the usual credential chain. Connects lazily; [`probe`](crate::probe()) is what tries it.
    ///
    /// # Errors
    /// [`Error::Config`] where the settings cannot be right.
    pub async fn connect(config: S3Config) -> Result<Self> {
        config.full_prefix()?;
        let client = config.client().await;
        Self::with_client(client, config)
    }

    /// Uses a client that is configured already: credentials of another kind, other time limits. Of `config` only
    /// bucket, prefix and encryption count then.
    ///
    /// # Errors
    /// [`Error::Config`] where the settings cannot be right.
    pub fn with_client(client: Client, config: S3Config) -> Result<Self> {
        let prefix = config.full_prefix()?;
        let endpoint = config.endpoint.unwrap_or_else(|| "AWS".to_owned());
        Ok(Self { client, bucket: config.bucket, prefix, endpoint, sse: config.sse })
    }

    fn object(&self, key: &Key) -> String {
        format!("{}{key}", self.prefix)
    }

    fn put_request(&self, key: &Key, bytes: &Bytes) -> PutObjectFluentBuilder {
        let request = self
            .client
            .put_object()
            .bucket(&self.bucket)
            .key(self.object(key))
            .content_length(i64::try_from(bytes.len()).unwrap_or(i64::MAX))
            .checksum_sha256(STANDARD.encode(Digest::of(bytes).as_bytes()))
            .body(ByteStream::from(bytes.clone()));
        match &self.sse {
            Sse::Bucket => request,
            Sse::Aes256 => request.server_side_encryption(ServerSideEncryption::Aes256),
            Sse::Kms { key_id } => {
                request.server_side_encryption(ServerSideEncryption::AwsKms).set_ssekms_key_id(key_id.clone())
            }
        }
    }

    /// Sends one PUT, again after each 409. `Ok(None)`: its condition did not hold.
    async fn send(
        &self,
        operation: &'static str,
        request: impl Fn() -> PutObjectFluentBuilder,
    ) -> Result<Option<Version>> {
        let mut conflicts = 0;
        loop {
            // A retry of the SDK's own would hide a lost reply behind a refusal by the first attempt: a conditional write
            // is sent once, and whoever asked for it reads back and sends again.
            let attempts = if operation == "put" { ATTEMPTS } else { 1 };
            let retry = RetryConfig::standard().with_max_attempts(attempts);
            let sent = request().customize().config_override(Builder::new().retry_config(retry)).send().await;
            let fault = match sent {
                Ok(output) => {
                    let missing = || Error::Unavailable { operation, reason: "no ETag in the answer".to_owned() };
                    return output.e_tag().map(Version::new).map(Some).ok_or_else(missing);
                }
                Err(error) => Fault::of(&error),
            };
            // AWS answers 404 where there is nothing to replace, others 412.
            if fault.is_condition() || (operation == "replace" && fault.is_missing()) {
                return Ok(None);
            }
            if !fault.is_conflict() || conflicts == CONFLICTS {
                return Err(fault.into_error(operation));
            }
            tokio::time::sleep(Duration::from_millis(20 << conflicts)).await;
            conflicts += 1;
        }
    }
}

#[async_trait]
impl Engine for S3Engine {
    async fn get(&self, key: &Key) -> Result<Option<Object>> {
        let sent = self.client.get_object().bucket(&self.bucket).key(self.object(key)).send().await;
        let Some(output) = found("get", sent)? else { return Ok(None) };
        let malformed = |reason: &str| Error::Unavailable { operation: "get", reason: reason.to_owned() };
        let version = Version::new(output.e_tag().ok_or_else(|| malformed("no ETag in the answer"))?);
        let modified = time("get", output.last_modified())?;
        let bytes = collect("get", output).await?;
        Ok(Some(Object { bytes, version, modified }))
    }

    async fn get_range(&self, key: &Key, range: Range<u64>) -> Result<Option<Bytes>> {
        // No value is longer, and an engine may fail to read a larger number.
        let end = range.end.min(MAX_VALUE);
        if range.start >= end {
            return Ok(self.head(key).await?.map(|_| Bytes::new()));
        }
        let header = format!("bytes={}-{}", range.start, end - 1);
        let request = self.client.get_object().bucket(&self.bucket).key(self.object(key)).range(header);
        let output = match request.send().await {
            Err(error) if Fault::of(&error).is_past_end() => return Ok(Some(Bytes::new())),
            sent => match found("get_range", sent)? {
                Some(output) => output,
                None => return Ok(None),
            },
        };
        // An engine may ignore the range, or answer an empty object with all of it.
        let partial = output.content_range().is_some();
        let bytes = collect("get_range", output).await?;
        if partial {
            return Ok(Some(bytes));
        }
        let clip = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        Ok(Some(bytes.slice(clip(range.start)..clip(range.end))))
    }

    async fn head(&self, key: &Key) -> Result<Option<Meta>> {
        let sent = self.client.head_object().bucket(&self.bucket).key(self.object(key)).send().await;
        let Some(output) = found("head", sent)? else { return Ok(None) };
        Ok(Some(Meta { size: size(output.content_length()), modified: time("head", output.last_modified())? }))
    }

    async fn put(&self, key: &Key, bytes: Bytes) -> Result<()> {
        check_size(bytes.len() as u64)?;
        self.send("put", || self.put_request(key, &bytes)).await.map(drop)
    }

    async fn create(&self, key: &Key, bytes: Bytes) -> Result<Create> {
        check_size(bytes.len() as u64)?;
        let sent = self.send("create", || self.put_request(key, &bytes).if_none_match("*")).await?;
        Ok(sent.map_or(Create::Exists, Create::Created))
    }

    async fn replace(&self, key: &Key, bytes: Bytes, version: &Version) -> Result<Replace> {
        check_size(bytes.len() as u64)?;
        let request = || self.put_request(key, &bytes).if_match(version.as_str());
        let sent = self.send("replace", request).await?;
        Ok(sent.map_or(Replace::Changed, Replace::Replaced))
    }

    async fn list(&self, prefix: &str, token: Option<&PageToken>, limit: usize) -> Result<Page> {
        if !is_prefix(prefix) {
            return Err(Error::InvalidKey(InvalidKey));
        }
        let limit = i32::try_from(limit.clamp(1, 1000)).unwrap_or(1000);
        let request = self
            .client
            .list_objects_v2()
            .bucket(&self.bucket)
            .prefix(format!("{}{prefix}", self.prefix))
            .max_keys(limit)
            .set_continuation_token(token.map(|token| token.as_str().to_owned()));
        let output = request.send().await.map_err(|error| match Fault::of(&error) {
            fault if token.is_some() && fault.is_malformed() => Error::InvalidPageToken,
            fault => fault.into_error("list"),
        })?;
        let mut page = Page::default();
        for object in output.contents() {
            // Objects that are not ours (another prefix, a name that no key can have) are passed over.
            let key = object.key().and_then(|name| name.strip_prefix(&self.prefix)).map(Key::parse);
            let Some(Ok(key)) = key else { continue };
            if key.as_str().starts_with(prefix) {
                let modified = time("list", object.last_modified())?;
                page.entries.push(Entry { key, size: size(object.size()), modified });
            }
        }
        if output.is_truncated() == Some(true) {
            page.next = output.next_continuation_token().map(PageToken::parse).transpose()?;
        }
        Ok(page)
    }

    async fn delete(&self, key: &Key) -> Result<()> {
        let sent = self.client.delete_object().bucket(&self.bucket).key(self.object(key)).send().await;
        found("delete", sent).map(drop)
    }

    async fn now(&self) -> Result<SystemTime> {
        let reader = DateReader::default();
        let request = self.client.list_objects_v2().bucket(&self.bucket).prefix(&self.prefix).max_keys(1);
        let sent = request.customize().interceptor(reader.clone()).send().await;
        sent.map_err(|error| Fault::of(&error).into_error("now"))?;
        let missing = || Error::Unavailable { operation: "now", reason: "no date in the answer".to_owned() };
        reader.seen().ok_or_else(missing)
    }

    fn describe(&self) -> String {
        format!("bucket {} below {:?} at {}", self.bucket, self.prefix, self.endpoint)
    }
}

impl fmt::Debug for S3Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

/// The answer; `None` where there is no such object.
fn found<T, E: ProvideErrorMetadata + std::error::Error + 'static>(
    operation: &'static str,
    sent: std::result::Result<T, SdkError<E, Response>>,
) -> Result<Option<T>> {
    match sent {
        Ok(output) => Ok(Some(output)),
        Err(error) => match Fault::of(&error) {
            fault if fault.is_missing() => Ok(None),
            fault => Err(fault.into_error(operation)),
        },
    }
}

/// Reads a body, and no further than a value may be long.
async fn collect(operation: &'static str, output: GetObjectOutput) -> Result<Bytes> {
    let expected = size(output.content_length());
    check_size(expected)?;
    let broken = || Error::Unavailable { operation, reason: "the answer broke off".to_owned() };
    let mut body = output.body;
    let mut bytes = BytesMut::with_capacity(usize::try_from(expected).unwrap_or(0));
    while let Some(chunk) = body.try_next().await.map_err(|_| broken())? {
        check_size(bytes.len() as u64 + chunk.len() as u64)?;
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

fn size(length: Option<i64>) -> u64 {
    length.and_then(|length| u64::try_from(length).ok()).unwrap_or(0)
}

fn time(operation: &'static str, modified: Option<&DateTime>) -> Result<SystemTime> {
    modified
        .and_then(|time| SystemTime::try_from(*time).ok())
        .ok_or_else(|| Error::Unavailable { operation, reason: "no time in the answer".to_owned() })
}
