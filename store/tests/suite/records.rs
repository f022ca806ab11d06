//! Records: created once, or compared and swapped.

use std::sync::Arc;

use bytes::Bytes;
use dossier_bundle::Digest;
use dossier_store::{Created, Engine, Error, Record, Store, Stored, Updated};
use futures::future::join_all;
use serde_json::json;

use crate::support::{key, store};

on_both_engines![
    a_record_is_read_as_written,
    two_processes_of_fifty_writers_lose_nothing,
    a_version_never_comes_back,
    a_changed_byte_is_corruption,
    pages_of_records,
];

pub(crate) fn record(n: u64) -> Record {
    Record { kind: "Counter".to_owned(), blobs: Vec::new(), body: json!({ "n": n }) }
}

pub(crate) fn count(stored: Option<&Stored>) -> u64 {
    stored.map_or(0, |stored| stored.record.body["n"].as_u64().unwrap())
}

#[expect(clippy::unnecessary_wraps, reason = "what update_record takes")]
pub(crate) fn one_more(stored: Option<&Stored>) -> Result<Option<Record>, Error> {
    Ok(Some(record(count(stored) + 1)))
}

async fn a_record_is_read_as_written(engine: Arc<dyn Engine>) {
    let (store, at) = (store(engine), key("orgs/a/runs/r/bundles/b.json"));
    assert!(store.read_record(&at).await.unwrap().is_none());
    let blobs = vec![Digest::of(b"2"), Digest::of(b"1")];
    let first = Record { kind: "BundleRecord".to_owned(), blobs, body: json!({"b": 1, "a": "ä"}) };
    let Created::Created(created) = store.create_record(&at, first.clone()).await.unwrap() else { panic!() };
    let Created::Exists(stands) = store.create_record(&at, record(7)).await.unwrap() else { panic!() };
    let read = store.read_record(&at).await.unwrap().unwrap();
    for stored in [&created, &stands, &read] {
        assert_eq!(stored.generation, 1);
        assert_eq!(stored.version, read.version);
        assert_eq!(stored.record.kind, "BundleRecord");
        assert_eq!(stored.record.body, first.body);
        assert_eq!(stored.record.blobs.len(), 2);
    }
    assert!(read.modified.is_some());
    let no_change = |_: Option<&Stored>| Ok::<_, Error>(None);
    assert_eq!(store.update_record(&at, no_change).await.unwrap(), Updated::Unchanged(Some(read)));
    store.delete_record(&at).await.unwrap();
    assert_eq!(store.update_record(&at, no_change).await.unwrap(), Updated::Unchanged(None));
}

async fn two_processes_of_fifty_writers_lose_nothing(engine: Arc<dyn Engine>) {
    // Two stores share no queue, as two processes do not.
    let (stores, at) = ([store(Arc::clone(&engine)), store(engine)], key("orgs/a/counter.json"));
    let writers = (0..50).map(|n| {
        let (store, at): (Store, _) = (stores[n % 2].clone(), at.clone());
        tokio::spawn(async move {
            let Updated::Written(stored) = store.update_record(&at, one_more).await.unwrap() else { panic!() };
            (stored.generation, count(Some(&stored)))
        })
    });
    let mut written: Vec<_> = join_all(writers).await.into_iter().map(Result::unwrap).collect();
    written.sort_unstable();
    assert_eq!(written, (1..=50).map(|n| (n, n)).collect::<Vec<_>>());
    let last = stores[0].read_record(&at).await.unwrap().unwrap();
    assert_eq!((last.generation, count(Some(&last))), (50, 50));
}

async fn a_version_never_comes_back(engine: Arc<dyn Engine>) {
    let (store, at) = (store(Arc::clone(&engine)), key("orgs/a/aba.json"));
    let mut versions = Vec::new();
    let mut bytes = Vec::new();
    for n in [1, 2, 1] {
        store.update_record::<Error, _>(&at, |_| Ok(Some(record(n)))).await.unwrap();
        let object = engine.get(&at).await.unwrap().unwrap();
        versions.push(object.version);
        bytes.push(object.bytes);
    }
    assert_ne!(versions[0], versions[2]);
    // Who read the first A must not overwrite the second.
    let replaced = engine.replace(&at, bytes[1].clone(), &versions[0]).await.unwrap();
    assert_eq!(replaced, dossier_store::Replace::Changed);
}

async fn a_changed_byte_is_corruption(engine: Arc<dyn Engine>) {
    let (store, at) = (store(Arc::clone(&engine)), key("orgs/a/x.json"));
    store.create_record(&at, record(12345)).await.unwrap();
    let bytes = engine.get(&at).await.unwrap().unwrap().bytes;
    let changed = String::from_utf8(bytes.to_vec()).unwrap().replace("12345", "12346");
    engine.put(&at, Bytes::from(changed)).await.unwrap();
    for error in [
        store.read_record(&at).await.unwrap_err(),
        store.create_record(&at, record(1)).await.unwrap_err(),
        store.update_record(&at, one_more).await.unwrap_err(),
        store.list_records("orgs/a/", None, 10).await.unwrap_err(),
    ] {
        assert!(matches!(&error, Error::Corrupt { key, .. } if *key == at), "{error}");
        assert!(!error.to_string().contains("1234"), "{error}");
    }
}

async fn pages_of_records(engine: Arc<dyn Engine>) {
    let store = store(engine);
    for n in 0..25 {
        store.create_record(&key(&format!("orgs/a/list/{n:04}.json")), record(n)).await.unwrap();
    }
    let (mut token, mut seen) = (None, Vec::new());
    loop {
        let page = store.list_records("orgs/a/list/", token.as_ref(), 10).await.unwrap();
        seen.extend(page.records.iter().map(|(_, stored)| count(Some(stored))));
        let Some(next) = page.next else { break };
        token = Some(next);
    }
    // Fixed-width names of one folder come in order on every engine.
    assert_eq!(seen, (0..25).collect::<Vec<_>>());
}
