//! Blobs, their grace time, and collections that race creates.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use dossier_bundle::Digest;
use dossier_store::{Engine, Error, GcReport, RandomNonces, Record, Store, StoreOptions, keys};
use serde_json::json;

use crate::support::engines::{Hooked, When};

on_both_engines![
    a_blob_is_checked_on_each_read,
    only_what_is_old_and_unnamed_goes,
    less_grace_than_the_buckets_is_refused,
    a_blob_put_again_before_the_last_look_stays,
    a_blob_put_again_behind_the_last_look_is_put_once_more,
    a_create_waits_for_the_announced_deletes,
    a_dead_collections_list_is_cleared,
    an_unreadable_record_stops_a_collection,
    a_slow_create_fails,
    collections_and_creates_at_once,
];

/// Short, and yet long against the coarse second of an S3 clock.
const GRACE: Duration = Duration::from_secs(3);

fn impatient(engine: Arc<dyn Engine>) -> Store {
    let options = StoreOptions { gc_grace: GRACE, gc_batch: 2, gc_round: Duration::from_secs(60) };
    Store::new(engine, options, Arc::new(RandomNonces))
}

async fn grow_old() {
    tokio::time::sleep(GRACE + Duration::from_millis(1500)).await;
}

fn naming(blobs: &[Digest]) -> Record {
    Record { kind: "Example".to_owned(), blobs: blobs.to_vec(), body: json!({}) }
}

async fn is_there(store: &Store, digest: &Digest) -> bool {
    match store.get_blob("a", digest).await {
        Ok(_) => true,
        Err(Error::BlobMissing { .. }) => false,
        Err(error) => panic!("{error}"),
    }
}

async fn a_blob_is_checked_on_each_read(engine: Arc<dyn Engine>) {
    let store = impatient(Arc::clone(&engine));
    let digest = store.put_blob("a", "what was said".into()).await.unwrap();
    assert_eq!(digest, Digest::of(b"what was said"));
    assert_eq!(store.get_blob("a", &digest).await.unwrap(), "what was said");
    assert_eq!(store.blob_size("a", &digest).await.unwrap(), 13);
    assert_eq!(store.get_blob_range("a", &digest, 5..8).await.unwrap(), "was");
    let missing = Error::BlobMissing { digest };
    assert_eq!(store.get_blob("b", &digest).await.unwrap_err(), missing, "another org's blob is not there");
    assert_eq!(store.blob_size("b", &digest).await.unwrap_err(), missing);
    let at = keys::blob("a", &digest).unwrap();
    for wrong in ["what was SAID", "what was said!", ""] {
        engine.put(&at, Bytes::from_static(wrong.as_bytes())).await.unwrap();
        assert_eq!(store.get_blob("a", &digest).await.unwrap_err(), Error::BlobCorrupt { digest });
    }
    assert!(matches!(store.put_blob("../a", Bytes::new()).await, Err(Error::InvalidKey(_))));
}

async fn only_what_is_old_and_unnamed_goes(engine: Arc<dyn Engine>) {
    let store = impatient(Arc::clone(&engine));
    let put = |text: &'static str| store.put_blob("a", text.into());
    let (named, nested) = (put("named").await.unwrap(), put("nested").await.unwrap());
    let lost = [put("lost 1").await.unwrap(), put("lost 2").await.unwrap(), put("lost 3").await.unwrap()];
    let (renewed, only_uploaded) = (put("renewed").await.unwrap(), put("uploaded").await.unwrap());
    let elsewhere = store.put_blob("b", "lost 1".into()).await.unwrap();
    store.create_record(&keys::bundle("a", "r", "b").unwrap(), naming(&[named])).await.unwrap();
    let deep = dossier_store::Key::parse("orgs/a/anything/at/all/x.json").unwrap();
    store.create_record(&deep, naming(&[nested])).await.unwrap();
    store.create_record(&keys::upload("a", &only_uploaded).unwrap(), naming(&[only_uploaded])).await.unwrap();
    grow_old().await;

    // Renewed by a create of another process, without a record so far.
    let other = impatient(Arc::clone(&engine));
    let creation = other.begin_create("a").await.unwrap();
    assert_eq!(creation.renew_blob(&renewed).await.unwrap(), "renewed");
    creation.settle().await.unwrap();
    let young = put("young").await.unwrap();
    // Refused ones go at any age, unless a record names them.
    let refused = [put("refused").await.unwrap(), put("refused, named").await.unwrap()];
    for digest in refused {
        let mark = Record { body: json!({"refused": true}), ..naming(&[]) };
        store.create_record(&keys::upload("a", &digest).unwrap(), mark).await.unwrap();
    }
    store.create_record(&keys::bundle("a", "r", "c").unwrap(), naming(&[refused[1]])).await.unwrap();

    let report = store.gc("a", GRACE).await.unwrap();
    // Three lost, one uploaded, one refused.
    assert_eq!(report, GcReport { scanned: 10, records: 4, collected: 5, bytes: 3 * 6 + 8 + 7 });
    for digest in [named, nested, renewed, young, refused[1]] {
        assert!(is_there(&store, &digest).await, "{digest}");
    }
    for digest in lost.iter().chain([&only_uploaded, &refused[0]]) {
        assert!(!is_there(&store, digest).await, "{digest}");
    }
    assert!(store.get_blob("b", &elsewhere).await.is_ok(), "another org's blobs are not touched");
    assert_eq!(store.gc("a", GRACE).await.unwrap().collected, 0);
    // What this process remembers of its puts does not survive a collection.
    assert_eq!(put("lost 1").await.unwrap(), lost[0]);
    assert!(is_there(&store, &lost[0]).await);
}

async fn less_grace_than_the_buckets_is_refused(engine: Arc<dyn Engine>) {
    impatient(Arc::clone(&engine)).put_blob("a", "x".into()).await.unwrap();
    let hasty = StoreOptions { gc_grace: Duration::ZERO, ..StoreOptions::default() };
    let hasty = Store::new(engine, hasty, Arc::new(RandomNonces));
    let asked = GRACE - Duration::from_millis(1);
    assert_eq!(hasty.gc("a", asked).await.unwrap_err(), Error::GraceTooShort { asked, bucket: GRACE });
    assert_eq!(hasty.gc("a", GRACE * 2).await.unwrap().collected, 0);
}

/// A store whose collection stops before `call` on a blob, the first time, until the hook's work is done.
fn stopping<F, W>(engine: &Arc<dyn Engine>, call: &'static str, work: F) -> Store
where
    F: Fn() -> W + Send + Sync + 'static,
    W: Future<Output = ()> + Send + 'static,
{
    let first = AtomicBool::new(true);
    impatient(Hooked::wrap(Arc::clone(engine), move |when, made, at| {
        let hit = when == When::Before && made == call && keys::blob_digest(&at).is_some();
        let work = (hit && first.swap(false, Ordering::SeqCst)).then(&work);
        async move {
            if let Some(work) = work {
                work.await;
            }
            true
        }
    }))
}

async fn a_blob_put_again_before_the_last_look_stays(engine: Arc<dyn Engine>) {
    let creator = impatient(Arc::clone(&engine));
    let digest = impatient(Arc::clone(&engine)).put_blob("a", "x".into()).await.unwrap();
    grow_old().await;
    let creation = Arc::new(creator.begin_create("a").await.unwrap());
    let again = Arc::clone(&creation);
    let collector = stopping(&engine, "head", move || {
        let creation = Arc::clone(&again);
        async move {
            creation.put_blob("x".into()).await.unwrap();
        }
    });
    assert_eq!(collector.gc("a", GRACE).await.unwrap().collected, 0);
    creation.settle().await.unwrap();
    assert!(is_there(&creator, &digest).await);
}

async fn a_blob_put_again_behind_the_last_look_is_put_once_more(engine: Arc<dyn Engine>) {
    let creator = impatient(Arc::clone(&engine));
    let digest = impatient(Arc::clone(&engine)).put_blob("a", "x".into()).await.unwrap();
    grow_old().await;
    let creation = Arc::new(creator.begin_create("a").await.unwrap());
    let again = Arc::clone(&creation);
    let collector = stopping(&engine, "delete", move || {
        let creation = Arc::clone(&again);
        async move {
            creation.put_blob("x".into()).await.unwrap();
        }
    });
    assert_eq!(collector.gc("a", GRACE).await.unwrap().collected, 1);
    assert!(!is_there(&creator, &digest).await, "the put fell between look and delete");
    // By now `gc.json` names nothing any more; that it is another one than before tells the create.
    creation.settle().await.unwrap();
    assert!(is_there(&creator, &digest).await);
}

async fn a_create_waits_for_the_announced_deletes(engine: Arc<dyn Engine>) {
    let digest = impatient(Arc::clone(&engine)).put_blob("a", "x".into()).await.unwrap();
    grow_old().await;
    let (creator, settled) = (impatient(Arc::clone(&engine)), Arc::new(Mutex::new(None)));
    let (task, slot) = (creator.clone(), Arc::clone(&settled));
    let collector = stopping(&engine, "delete", move || {
        let (creator, slot) = (task.clone(), Arc::clone(&slot));
        async move {
            // This create begins in the middle of the round, and cannot settle before its end.
            let creation = creator.begin_create("a").await.unwrap();
            creation.put_blob("x".into()).await.unwrap();
            let settling = tokio::spawn(async move { creation.settle().await });
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert!(!settling.is_finished());
            *slot.lock().unwrap() = Some(settling);
        }
    });
    assert_eq!(collector.gc("a", GRACE).await.unwrap().collected, 1);
    let settling = settled.lock().unwrap().take().unwrap();
    settling.await.unwrap().unwrap();
    assert!(is_there(&creator, &digest).await);
}

async fn a_dead_collections_list_is_cleared(engine: Arc<dyn Engine>) {
    let options = StoreOptions { gc_grace: Duration::from_secs(20), gc_round: Duration::from_millis(500), gc_batch: 2 };
    let open = |engine: &Arc<dyn Engine>| Store::new(Arc::clone(engine), options.clone(), Arc::new(RandomNonces));
    let digest = open(&engine).put_blob("a", "x".into()).await.unwrap();
    let mark = Record { body: json!({"refused": true}), ..naming(&[]) };
    open(&engine).create_record(&keys::upload("a", &digest).unwrap(), mark).await.unwrap();
    let stuck = Hooked::wrap(Arc::clone(&engine), |when, call, _| async move {
        if (when, call) == (When::Before, "delete") {
            std::future::pending::<()>().await;
        }
        true
    });
    let dead = tokio::time::timeout(Duration::from_millis(1500), open(&stuck).gc("a", options.gc_grace)).await;
    assert!(dead.is_err(), "the collection was cut off in its round");
    let store = open(&engine);
    let creation = store.begin_create("a").await.unwrap();
    creation.put_blob("x".into()).await.unwrap();
    tokio::time::timeout(Duration::from_secs(10), creation.settle()).await.expect("the list is cleared").unwrap();
    assert_eq!(store.gc("a", options.gc_grace).await.unwrap().collected, 1);
}

async fn an_unreadable_record_stops_a_collection(engine: Arc<dyn Engine>) {
    let store = impatient(Arc::clone(&engine));
    let digest = store.put_blob("a", "x".into()).await.unwrap();
    let at = keys::bundle("a", "r", "b").unwrap();
    engine.put(&at, "{\"apiVersion\":\"dossier.dev/v1\"}".into()).await.unwrap();
    grow_old().await;
    assert!(matches!(store.gc("a", GRACE).await, Err(Error::Corrupt { key, .. }) if key == at));
    assert!(is_there(&store, &digest).await);
}

async fn a_slow_create_fails(engine: Arc<dyn Engine>) {
    let store = impatient(engine);
    let creation = store.begin_create("a").await.unwrap();
    creation.put_blob("x".into()).await.unwrap();
    tokio::time::sleep(GRACE / 2 + Duration::from_millis(100)).await;
    assert_eq!(creation.settle().await.unwrap_err(), Error::TooSlow { grace: GRACE });
}

/// Creates whose contents fall out of use and come back about when their grace ends, and collections without end, slow
/// between the last look at a blob and its delete: whatever a record names is there.
async fn collections_and_creates_at_once(engine: Arc<dyn Engine>) {
    const RUN: Duration = Duration::from_secs(20);
    let (start, made) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let creators = (0..3u64).map(|creator| {
        let (store, made) = (impatient(Arc::clone(&engine)), Arc::clone(&made));
        tokio::spawn(async move {
            for n in 0u64.. {
                if start.elapsed() > RUN {
                    return;
                }
                // Each phase lasts half a second, and comes back after 3.5, 4 or 4.5 seconds.
                let phase = (start.elapsed().as_millis() / 500) as u64 % (7 + creator);
                let kept = n % 40 == 0;
                let creation = store.begin_create("a").await.unwrap();
                let mut blobs = Vec::new();
                for part in 0..3 {
                    let text = if kept { format!("{creator} keeps {n} {part}") } else { format!("{phase} {part}") };
                    blobs.push(creation.put_blob(text.into()).await.unwrap());
                }
                match creation.settle().await {
                    Ok(()) => {}
                    Err(Error::TooSlow { .. }) => continue,
                    Err(error) => panic!("{error}"),
                }
                let at = keys::bundle("a", &format!("r{creator}"), &format!("b{n}")).unwrap();
                store.create_record(&at, naming(&blobs)).await.unwrap();
                for digest in &blobs {
                    assert!(is_there(&store, digest).await, "{at} names {digest}");
                }
                made.fetch_add(1, Ordering::SeqCst);
                if !kept {
                    store.delete_record(&at).await.unwrap();
                }
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        })
    });
    let creators: Vec<_> = creators.collect();
    let slow = Hooked::wrap(Arc::clone(&engine), |when, call, _| async move {
        if (when, call) == (When::Before, "delete") {
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        true
    });
    let (collector, mut collected) = (impatient(slow), 0);
    while start.elapsed() < RUN {
        collected += collector.gc("a", GRACE).await.unwrap().collected;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for creator in creators {
        creator.await.unwrap();
    }
    let mut token = None;
    loop {
        let page = collector.list_records("orgs/a/runs/", token.as_ref(), 100).await.unwrap();
        for (at, stored) in &page.records {
            for digest in &stored.record.blobs {
                assert!(is_there(&collector, digest).await, "{at} names {digest}");
            }
        }
        let Some(next) = page.next else { break };
        token = Some(next);
    }
    let made = made.load(Ordering::SeqCst);
    println!("{made} creates, {collected} blobs collected");
    assert!(made > 20 && collected > 5, "both had something to do: {made} creates, {collected} blobs collected");
}
