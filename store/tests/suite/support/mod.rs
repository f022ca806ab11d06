//! Places to store in, and what stands between a store and its engine.

pub(crate) mod engines;
pub(crate) mod proxy;
pub(crate) mod seaweed;
pub(crate) mod stub;

use std::sync::Arc;

use dossier_store::{Engine, Key, LocalEngine, Nonces as _, RandomNonces, S3Config, S3Engine, Store, StoreOptions};

/// A directory that goes away with the test.
pub(crate) struct Directory(pub(crate) tempfile::TempDir);

impl Directory {
    pub(crate) fn engine(&self) -> Arc<dyn Engine> {
        Arc::new(LocalEngine::open(self.0.path()).unwrap())
    }
}

pub(crate) fn directory() -> Directory {
    Directory(tempfile::tempdir().unwrap())
}

/// A place of its own in the bucket of this run's S3 server.
pub(crate) fn s3_config() -> S3Config {
    let server = seaweed::server();
    S3Config {
        bucket: server.bucket.clone(),
        prefix: format!("place-{}", RandomNonces.nonce()),
        endpoint: Some(server.endpoint.clone()),
        region: Some("us-east-1".to_owned()),
        path_style: true,
        ..S3Config::default()
    }
}

pub(crate) fn s3() -> Arc<dyn Engine> {
    let config = s3_config();
    Arc::new(S3Engine::with_client(client(config.endpoint.as_deref().unwrap()), config).unwrap())
}

/// A client with the test server's keys, for an endpoint that is it or leads to it.
pub(crate) fn client(endpoint: &str) -> aws_sdk_s3::Client {
    use aws_sdk_s3::config::{BehaviorVersion, Credentials, Region, RequestChecksumCalculation};
    let server = seaweed::server();
    let config = aws_sdk_s3::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(Credentials::new(&server.key, &server.secret, None, None, "test"))
        .region(Region::new("us-east-1"))
        .force_path_style(true)
        .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
        .endpoint_url(endpoint);
    aws_sdk_s3::Client::from_conf(config.build())
}

pub(crate) fn store(engine: Arc<dyn Engine>) -> Store {
    Store::new(engine, StoreOptions::default(), Arc::new(RandomNonces))
}

pub(crate) fn key(text: &str) -> Key {
    Key::parse(text).unwrap()
}
