//! What only a bucket has.

use std::sync::Arc;

use bytes::Bytes;
use dossier_store::{Create, Engine, Error, PageToken, S3Config, S3Engine, Sse, probe};

use crate::support::{client, key, s3_config, stub};

#[tokio::test]
async fn a_wrong_checksum_is_refused() {
    let config = s3_config();
    let client = client(config.endpoint.as_deref().unwrap());
    let put = client
        .put_object()
        .bucket(&config.bucket)
        .key(format!("{}/x", config.prefix))
        // That of other bytes.
        .checksum_sha256("ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
        .body(Bytes::from_static(b"damaged on the way").into());
    let error = put.send().await.unwrap_err();
    assert_eq!(error.raw_response().unwrap().status().as_u16(), 400);
    let engine = S3Engine::with_client(client, config).unwrap();
    assert!(engine.get(&key("x")).await.unwrap().is_none());
}

fn stub_engine(stub: &stub::Stub, sse: Sse) -> S3Engine {
    let config = S3Config { bucket: "bucket".to_owned(), prefix: "p".to_owned(), sse, ..S3Config::default() };
    S3Engine::with_client(client(&stub.endpoint), config).unwrap()
}

#[tokio::test]
async fn a_conflict_is_tried_again() {
    let stub = stub::start(2).await;
    let engine = stub_engine(&stub, Sse::Aes256);
    assert!(matches!(engine.create(&key("a/b"), "x".into()).await.unwrap(), Create::Created(_)));
    let heads = stub.heads.lock().unwrap().clone();
    assert_eq!(heads.len(), 3);
    for head in heads {
        assert!(head.starts_with("put /bucket/p/a/b"), "{head}");
        for header in ["if-none-match: *", "x-amz-checksum-sha256: ", "x-amz-server-side-encryption: aes256"] {
            assert!(head.contains(header), "{header} in {head}");
        }
        assert!(!head.contains("crc"), "{head}");
    }
}

#[tokio::test]
async fn an_endless_conflict_is_an_error_without_content() {
    let stub = stub::start(usize::MAX).await;
    let error = stub_engine(&stub, Sse::Bucket).create(&key("a/b"), "x".into()).await.unwrap_err();
    assert!(error.is_retryable());
    assert_eq!(error.to_string(), "the store is unavailable (create: 409 ConditionalRequestConflict)");
}

#[tokio::test]
async fn prefixes_part_one_bucket() {
    let config = s3_config();
    let open = |prefix: String| {
        let client = client(config.endpoint.as_deref().unwrap());
        S3Engine::with_client(client, S3Config { prefix, ..config.clone() }).unwrap()
    };
    let (a, b) = (open(format!("{}/a", config.prefix)), open(format!("{}/ab", config.prefix)));
    a.put(&key("x"), "of a".into()).await.unwrap();
    b.put(&key("y"), "of b".into()).await.unwrap();
    assert!(b.get(&key("x")).await.unwrap().is_none());
    let keys =
        |page: dossier_store::Page| page.entries.into_iter().map(|entry| entry.key.to_string()).collect::<Vec<_>>();
    assert_eq!(keys(a.list("", None, 10).await.unwrap()), ["x"]);
    assert_eq!(keys(b.list("", None, 10).await.unwrap()), ["y"]);
}

#[tokio::test]
async fn a_foreign_page_token_is_no_way_out() {
    let config = s3_config();
    let engine = S3Engine::with_client(client(config.endpoint.as_deref().unwrap()), config).unwrap();
    engine.put(&key("a/1"), Bytes::new()).await.unwrap();
    engine.put(&key("b/1"), Bytes::new()).await.unwrap();
    for token in ["nonsense", "Li4vLi4v", "b/1"] {
        match engine.list("a/", Some(&PageToken::parse(token).unwrap()), 10).await {
            Ok(page) => assert!(page.entries.iter().all(|entry| entry.key.as_str().starts_with("a/"))),
            Err(error) => assert_eq!(error, Error::InvalidPageToken),
        }
    }
}

#[tokio::test]
async fn a_bucket_or_key_that_is_wrong_says_so() {
    let config = s3_config();
    let client = client(config.endpoint.as_deref().unwrap());
    let no_bucket = S3Config { bucket: "no-such-bucket".to_owned(), ..config };
    let engine: Arc<dyn Engine> = Arc::new(S3Engine::with_client(client, no_bucket).unwrap());
    let error = probe(&*engine, &dossier_store::RandomNonces).await.unwrap_err();
    assert!(matches!(error, Error::Denied { .. }), "{error}");
    assert!(matches!(engine.get(&key("a")).await, Err(Error::Denied { .. })));
}

#[tokio::test]
async fn nobody_listening_is_unavailable() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let config = S3Config { bucket: "b".to_owned(), ..S3Config::default() };
    let engine = S3Engine::with_client(client(&endpoint), config).unwrap();
    for error in [
        engine.get(&key("a")).await.unwrap_err(),
        engine.create(&key("a"), "x".into()).await.unwrap_err(),
        engine.list("", None, 1).await.unwrap_err(),
        engine.now().await.unwrap_err(),
    ] {
        assert!(error.is_retryable(), "{error}");
    }
}
