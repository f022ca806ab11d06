//! Fetches that are whole, and all the ways in which they are not.

use dossier_bundle::Digest;
use dossier_client::{Error, FetchedBlob, Listed, Options};
use dossier_proto::v1::{self, fetch_bundle_response::Payload};
use tokio_stream::StreamExt;

use crate::Fake;

const MANIFEST: &[u8] = b"the manifest";
const BLOB: &[u8] = b"a blob in two chunks";

fn header(sizes: [i64; 2]) -> Payload {
    let digest = Digest::of(MANIFEST).to_string();
    let blob = |bytes: &[u8], size| v1::BlobDescriptor {
        media_type: "text/plain".to_owned(),
        digest: Digest::of(bytes).to_string(),
        bytes: size,
    };
    Payload::Header(v1::FetchHeader {
        bundle: Some(v1::Bundle { digest, ..v1::Bundle::default() }),
        blobs: vec![blob(MANIFEST, sizes[0]), blob(BLOB, sizes[1])],
    })
}

fn right() -> Payload {
    header([MANIFEST.len(), BLOB.len()].map(|size| i64::try_from(size).unwrap()))
}

fn chunk(of: &[u8], offset: i64, data: &[u8]) -> Payload {
    Payload::Chunk(v1::BlobChunk { digest: Digest::of(of).to_string(), offset, data: data.to_vec().into() })
}

async fn fetched(payloads: Vec<Payload>) -> Result<Vec<FetchedBlob>, Error> {
    let fetch = payloads.into_iter().map(|payload| v1::FetchBundleResponse { payload: Some(payload) }).collect();
    let client = Fake { fetch, ..Fake::default() }.start().await;
    let mut fetch = client.fetch("orgs/o/runs/r/bundles/b", &[]).await?;
    let mut blobs = Vec::new();
    while let Some(blob) = fetch.next_blob().await? {
        blobs.push(blob);
    }
    Ok(blobs)
}

#[tokio::test]
async fn what_is_whole_arrives() {
    let blobs =
        fetched(vec![right(), chunk(MANIFEST, 0, MANIFEST), chunk(BLOB, 0, &BLOB[..6]), chunk(BLOB, 6, &BLOB[6..])]);
    let blobs = blobs.await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(blobs.iter().map(|blob| blob.bytes.as_slice()).collect::<Vec<_>>(), [MANIFEST, BLOB]);
}

#[tokio::test]
async fn what_is_not_is_refused() {
    let manifest = || chunk(MANIFEST, 0, MANIFEST);
    let cases = [
        ("changed", vec![right(), manifest(), chunk(BLOB, 0, b"a blob in two CHUNKS")], true),
        ("longer", vec![right(), manifest(), chunk(BLOB, 0, b"a blob in two chunks, and more")], true),
        ("cut", vec![right(), manifest(), chunk(BLOB, 0, &BLOB[..6])], true),
        ("missing", vec![right(), manifest()], true),
        ("out of order", vec![right(), manifest(), chunk(BLOB, 6, &BLOB[6..]), chunk(BLOB, 0, &BLOB[..6])], true),
        ("another blob", vec![right(), manifest(), chunk(MANIFEST, 0, BLOB)], true),
        ("empty for ever", vec![right(), manifest(), chunk(BLOB, 0, b"")], true),
        ("giant", vec![header([12, i64::MAX]), manifest()], true),
        ("negative", vec![header([12, -1]), manifest()], true),
        ("shorter than it says", vec![header([12, 21]), manifest(), chunk(BLOB, 0, BLOB)], true),
        ("more than the header says", vec![right(), manifest(), chunk(BLOB, 0, BLOB), manifest()], false),
        ("no header", vec![manifest()], false),
        ("nothing", vec![], false),
    ];
    for (name, payloads, corrupt) in cases {
        match fetched(payloads).await {
            Err(Error::Corrupt { .. }) if corrupt => {}
            Err(Error::Protocol(_)) if !corrupt => {}
            Err(error) => panic!("{name}: {error}"),
            Ok(_) => panic!("{name}: was taken"),
        }
    }
}

#[tokio::test]
async fn calls_carry_credential_and_deadline_and_are_tried_again() {
    let fake = Fake::default();
    let client = fake.start().await;
    fake.busy.store(2, std::sync::atomic::Ordering::SeqCst);
    client.get("orgs/o/runs/r/bundles/b").await.unwrap_or_else(|error| panic!("{error}"));

    let request = v1::CreateBundleRequest { parent: "orgs/o/runs/r".to_owned(), ..v1::CreateBundleRequest::default() };
    fake.busy.store(1, std::sync::atomic::Ordering::SeqCst);
    let unnamed = client.create(request.clone()).await;
    assert!(matches!(unnamed, Err(Error::Rpc(rpc)) if rpc.is_transient()), "without an id it would be another bundle");
    fake.busy.store(1, std::sync::atomic::Ordering::SeqCst);
    let named = client.create(v1::CreateBundleRequest { request_id: "r-1".to_owned(), ..request }).await;
    assert!(named.is_ok());
}

#[tokio::test]
async fn calls_are_compressed_where_that_is_asked() {
    let fake = Fake::default();
    for gzip in [true, false] {
        let client = fake.start_with(&Options { gzip, ..Options::default() }).await;
        client.get("orgs/o/runs/r/bundles/b").await.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(fake.compressed.load(std::sync::atomic::Ordering::SeqCst), gzip);
    }
}

#[tokio::test]
async fn lists_go_over_their_pages() {
    let client = Fake::default().start().await;
    let names: Vec<String> = client
        .list("orgs/o", "")
        .map(|listed| match listed {
            Ok(Listed::Bundle(bundle)) => bundle.name,
            Ok(Listed::Unreadable(name)) => format!("unreadable {name}"),
            Err(error) => panic!("{error}"),
        })
        .collect()
        .await;
    assert_eq!(names, ["b0", "b1", "b2", "b3", "unreadable b9", "b4", "b5"]);
}
