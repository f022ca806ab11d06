//! Writes that went through and whose answer did not come back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dossier_store::{Created, Engine, Error, Record, S3Engine, Updated};
use serde_json::json;

use crate::records::{count, one_more, record};
use crate::support::engines::{Hooked, When};
use crate::support::{client, key, proxy, s3_config, store};

on_both_engines![
    a_create_finds_itself,
    an_update_finds_itself_below_other_writes,
    a_write_that_never_arrived_is_sent_again,
    too_many_later_writes_cannot_be_told,
    an_engine_that_is_gone_is_an_error,
];

/// The real engine behind a real cut: the proxy lets the PUT through and closes the connection instead of the answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_cut_on_the_wire() {
    let config = s3_config();
    let proxy = proxy::start(config.endpoint.as_deref().unwrap()).await;
    let direct =
        store(Arc::new(S3Engine::with_client(client(config.endpoint.as_deref().unwrap()), config.clone()).unwrap()));
    let store = store(Arc::new(S3Engine::with_client(client(&proxy.endpoint), config).unwrap()));

    let at = key("orgs/a/x.json");
    proxy.cuts.store(1, Ordering::SeqCst);
    assert!(matches!(store.create_record(&at, record(0)).await.unwrap(), Created::Created(_)));
    assert_eq!(proxy.cuts.load(Ordering::SeqCst), 0, "the answer was cut");
    let twin = record(0);
    assert!(matches!(store.create_record(&at, twin).await.unwrap(), Created::Exists(_)));

    for n in 1..=20 {
        // Every other answer is cut, now and then those of the retries too.
        proxy.cuts.store(if n % 2 == 0 { n % 6 } else { 0 }, Ordering::SeqCst);
        let Updated::Written(stored) = store.update_record(&at, one_more).await.unwrap() else { panic!() };
        proxy.cuts.store(0, Ordering::SeqCst);
        assert_eq!(count(Some(&stored)), n as u64);
    }
    let last = direct.read_record(&at).await.unwrap().unwrap();
    assert_eq!((last.generation, count(Some(&last))), (21, 20));

    // Blobs are the same whoever writes them: the engine itself tries again.
    proxy.cuts.store(2, Ordering::SeqCst);
    let digest = store.put_blob("a", "blob".into()).await.unwrap();
    assert_eq!(direct.get_blob("a", &digest).await.unwrap(), "blob");
}

/// Loses the answer to the first `times` writes, after they were made.
fn lossy(engine: Arc<dyn Engine>, times: usize) -> Arc<dyn Engine> {
    let left = Arc::new(AtomicUsize::new(times));
    Hooked::wrap(engine, move |when, call, _| {
        let lose = when == When::After
            && matches!(call, "create" | "replace")
            && left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        async move { !lose }
    })
}

async fn a_create_finds_itself(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/x.json");
    let created = store(lossy(Arc::clone(&engine), 1)).create_record(&at, record(1)).await.unwrap();
    assert!(matches!(created, Created::Created(_)));
    // The same content by somebody else is not one's own write.
    let created = store(lossy(Arc::clone(&engine), 1)).create_record(&at, record(1)).await.unwrap();
    assert!(matches!(created, Created::Exists(_)));
    let store = store(lossy(engine, 1));
    let Updated::Written(stored) = store.update_record(&at, one_more).await.unwrap() else { panic!() };
    assert_eq!((stored.generation, count(Some(&stored))), (2, 2));
}

/// After A's write, and before A learns of it, others write on top of it.
fn overtaken(engine: &Arc<dyn Engine>, others: usize) -> Arc<dyn Engine> {
    let (other, first) = (store(Arc::clone(engine)), AtomicUsize::new(1));
    Hooked::wrap(Arc::clone(engine), move |when, call, at| {
        let hit = when == When::After && call == "replace" && first.swap(0, Ordering::SeqCst) == 1;
        let other = other.clone();
        async move {
            for _ in 0..if hit { others } else { 0 } {
                other.update_record(&at, one_more).await.unwrap();
            }
            !hit
        }
    })
}

async fn an_update_finds_itself_below_other_writes(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/x.json");
    let direct = store(Arc::clone(&engine));
    direct.create_record(&at, record(0)).await.unwrap();
    let store = store(overtaken(&engine, 3));
    let Updated::Written(stored) = store.update_record(&at, one_more).await.unwrap() else { panic!() };
    assert_eq!((stored.generation, count(Some(&stored))), (2, 1));
    // One of A's and three of the others', none twice.
    assert_eq!(count(direct.read_record(&at).await.unwrap().as_ref()), 4);
}

async fn too_many_later_writes_cannot_be_told(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/x.json");
    store(Arc::clone(&engine)).create_record(&at, record(0)).await.unwrap();
    let error = store(overtaken(&engine, 17)).update_record(&at, one_more).await.unwrap_err();
    assert_eq!(error, Error::Unsettled { key: at });
}

async fn a_write_that_never_arrived_is_sent_again(engine: Arc<dyn Engine>) {
    let left = AtomicUsize::new(2);
    let flaky = Hooked::wrap(engine, move |when, call, _| {
        let lose = when == When::Before
            && matches!(call, "create" | "replace")
            && left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        async move { !lose }
    });
    let (store, at) = (store(flaky), key("orgs/a/x.json"));
    let body = Record { kind: "X".to_owned(), blobs: Vec::new(), body: json!({}) };
    assert!(matches!(store.create_record(&at, body).await.unwrap(), Created::Created(_)));
    assert_eq!(store.read_record(&at).await.unwrap().unwrap().generation, 1);
}

async fn an_engine_that_is_gone_is_an_error(engine: Arc<dyn Engine>) {
    let gone = Hooked::wrap(Arc::clone(&engine), |_, _, _| async { false });
    let (at, gone) = (key("orgs/a/x.json"), store(gone));
    assert!(gone.create_record(&at, record(1)).await.unwrap_err().is_retryable());
    assert!(gone.update_record(&at, one_more).await.unwrap_err().is_retryable());
    assert!(store(engine).read_record(&at).await.unwrap().is_none());
}
