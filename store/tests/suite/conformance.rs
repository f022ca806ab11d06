//! What every engine must do.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use dossier_store::{Create, Engine, Error, MAX_VALUE, PageToken, Replace, Version};
use futures::future::join_all;

use crate::support::key;

on_both_engines![
    a_value_is_read_as_written,
    fifty_creates_have_one_winner,
    fifty_replaces_of_one_version_have_one_winner,
    a_replace_needs_the_version_that_is_there,
    ranges_end_where_the_value_ends,
    empty_and_largest_values,
    a_listing_resumes_under_writes,
    a_prefix_may_end_within_a_name,
    a_put_renews_the_time,
];

async fn version(engine: &dyn Engine, at: &str) -> Version {
    engine.get(&key(at)).await.unwrap().unwrap().version
}

async fn a_value_is_read_as_written(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/x.json");
    assert!(engine.get(&at).await.unwrap().is_none());
    assert!(engine.head(&at).await.unwrap().is_none());
    assert!(engine.get(&key("orgs/a/x.json/below")).await.unwrap().is_none());
    engine.delete(&at).await.unwrap();

    engine.put(&at, Bytes::from_static(b"one")).await.unwrap();
    engine.put(&at, Bytes::from_static(b"two")).await.unwrap();
    let object = engine.get(&at).await.unwrap().unwrap();
    assert_eq!(object.bytes, "two");
    let meta = engine.head(&at).await.unwrap().unwrap();
    assert_eq!((meta.size, meta.modified), (3, object.modified));

    engine.delete(&at).await.unwrap();
    assert!(engine.get(&at).await.unwrap().is_none());
    assert!(matches!(engine.create(&at, Bytes::from_static(b"three")).await.unwrap(), Create::Created(_)));
}

async fn fifty_creates_have_one_winner(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/race.json");
    let creates = (0..50).map(|n| {
        let (engine, at) = (Arc::clone(&engine), at.clone());
        tokio::spawn(async move { (n, engine.create(&at, Bytes::from(format!("writer {n}"))).await.unwrap()) })
    });
    let done: Vec<_> = join_all(creates).await.into_iter().map(Result::unwrap).collect();
    let winners: Vec<_> = done.iter().filter(|(_, created)| *created != Create::Exists).collect();
    assert_eq!(winners.len(), 1);
    let object = engine.get(&at).await.unwrap().unwrap();
    assert_eq!(object.bytes, format!("writer {}", winners[0].0));
    assert_eq!(winners[0].1, Create::Created(object.version));
}

async fn fifty_replaces_of_one_version_have_one_winner(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/race.json");
    engine.create(&at, Bytes::from_static(b"base")).await.unwrap();
    let base = version(&*engine, at.as_str()).await;
    let replaces = (0..50).map(|n| {
        let (engine, at, base) = (Arc::clone(&engine), at.clone(), base.clone());
        tokio::spawn(async move { (n, engine.replace(&at, Bytes::from(format!("writer {n}")), &base).await.unwrap()) })
    });
    let done: Vec<_> = join_all(replaces).await.into_iter().map(Result::unwrap).collect();
    let winners: Vec<_> = done.iter().filter(|(_, replaced)| *replaced != Replace::Changed).collect();
    assert_eq!(winners.len(), 1);
    let object = engine.get(&at).await.unwrap().unwrap();
    assert_eq!(object.bytes, format!("writer {}", winners[0].0));
    assert_eq!(winners[0].1, Replace::Replaced(object.version));
}

async fn a_replace_needs_the_version_that_is_there(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/x.json");
    engine.create(&at, Bytes::from_static(b"one")).await.unwrap();
    let first = version(&*engine, at.as_str()).await;
    assert!(matches!(engine.replace(&at, "two".into(), &first).await.unwrap(), Replace::Replaced(_)));
    assert_eq!(engine.replace(&at, "three".into(), &first).await.unwrap(), Replace::Changed);
    assert_eq!(engine.get(&at).await.unwrap().unwrap().bytes, "two");
    engine.delete(&at).await.unwrap();
    assert_eq!(engine.replace(&at, "four".into(), &first).await.unwrap(), Replace::Changed);
    assert_eq!(engine.replace(&key("orgs/b/never.json"), "five".into(), &first).await.unwrap(), Replace::Changed);
    assert!(engine.get(&at).await.unwrap().is_none());
}

async fn ranges_end_where_the_value_ends(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/ten");
    engine.put(&at, Bytes::from_static(b"0123456789")).await.unwrap();
    for (range, expected) in [
        (0..3, "012"),
        (3..7, "3456"),
        (9..10, "9"),
        (0..10, "0123456789"),
        (7..1000, "789"),
        (9..u64::MAX, "9"),
        (10..20, ""),
        (500..501, ""),
        (u64::MAX - 1..u64::MAX, ""),
        (4..4, ""),
    ] {
        let part = engine.get_range(&at, range.clone()).await.unwrap().unwrap();
        assert_eq!(part, expected, "{range:?}");
    }
    assert!(engine.get_range(&key("orgs/a/none"), 0..3).await.unwrap().is_none());
    assert!(engine.get_range(&key("orgs/a/none"), 3..3).await.unwrap().is_none());
    engine.put(&at, Bytes::new()).await.unwrap();
    for range in [0..0, 0..1, 5..9] {
        assert_eq!(engine.get_range(&at, range).await.unwrap().unwrap(), "");
    }
}

async fn empty_and_largest_values(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/empty");
    assert!(matches!(engine.create(&at, Bytes::new()).await.unwrap(), Create::Created(_)));
    assert_eq!(engine.create(&at, Bytes::new()).await.unwrap(), Create::Exists);
    assert_eq!(engine.get(&at).await.unwrap().unwrap().bytes, "");
    assert_eq!(engine.head(&at).await.unwrap().unwrap().size, 0);

    let size = usize::try_from(MAX_VALUE).unwrap();
    let large: Bytes = (0..size).map(|n| (n % 251) as u8).collect::<Vec<u8>>().into();
    let at = key("orgs/a/large");
    engine.put(&at, large.clone()).await.unwrap();
    assert_eq!(engine.head(&at).await.unwrap().unwrap().size, MAX_VALUE);
    assert!(engine.get(&at).await.unwrap().unwrap().bytes == large);
    let end = engine.get_range(&at, MAX_VALUE - 5..MAX_VALUE + 5).await.unwrap().unwrap();
    assert_eq!(end, large[size - 5..]);

    let over: Bytes = vec![0; size + 1].into();
    let refused = Error::TooLarge { size: MAX_VALUE + 1, limit: MAX_VALUE };
    let at = key("orgs/a/over");
    assert_eq!(engine.put(&at, over.clone()).await.unwrap_err(), refused);
    assert_eq!(engine.create(&at, over).await.unwrap_err(), refused);
    assert!(engine.head(&at).await.unwrap().is_none());
}

async fn a_listing_resumes_under_writes(engine: Arc<dyn Engine>) {
    let old: Vec<String> = (0..40).map(|n| format!("orgs/a/runs/r{}/bundles/{n:04}.json", n % 7)).collect();
    for at in &old {
        engine.put(&key(at), Bytes::from_static(b"{}")).await.unwrap();
    }
    engine.put(&key("orgs/ab/x.json"), Bytes::new()).await.unwrap();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let (mut token, mut pages): (Option<PageToken>, _) = (None, 0);
    loop {
        let page = engine.list("orgs/a/", token.as_ref(), 7).await.unwrap();
        assert!(page.entries.len() <= 7);
        for entry in page.entries {
            *seen.entry(entry.key.as_str().to_owned()).or_default() += 1;
        }
        // A neighbour in every folder, between pages, before and behind where the listing stands.
        for run in 0..7 {
            for name in ["0000a", "9"] {
                let at = format!("orgs/a/runs/r{run}/bundles/{name}-{pages}.json");
                engine.put(&key(&at), Bytes::from_static(b"{}")).await.unwrap();
            }
        }
        let Some(next) = page.next else { break };
        token = Some(PageToken::parse(next.as_str()).unwrap());
        pages += 1;
        assert!(pages < 100, "the listing does not end");
    }
    assert!(pages >= 5);
    for at in &old {
        assert_eq!(seen.get(at), Some(&1), "{at}");
    }
    assert!(seen.keys().all(|at| at.starts_with("orgs/a/")));
    assert!(seen.values().all(|times| *times == 1));
    assert!(matches!(engine.list("../", None, 7).await, Err(Error::InvalidKey(_))));
    assert!(engine.list("orgs/none/", None, 7).await.unwrap().entries.is_empty());
}

async fn a_prefix_may_end_within_a_name(engine: Arc<dyn Engine>) {
    for at in ["t/ab/1", "t/abc/2", "t/abd", "t/b/ab", "u"] {
        engine.put(&key(at), Bytes::from_static(b"x")).await.unwrap();
    }
    for (prefix, expected) in [
        ("t/ab", vec!["t/ab/1", "t/abc/2", "t/abd"]),
        ("t/ab/", vec!["t/ab/1"]),
        ("t/abd", vec!["t/abd"]),
        ("t/", vec!["t/ab/1", "t/abc/2", "t/abd", "t/b/ab"]),
        ("", vec!["t/ab/1", "t/abc/2", "t/abd", "t/b/ab", "u"]),
        ("t/x", vec![]),
    ] {
        let page = engine.list(prefix, None, 100).await.unwrap();
        let mut keys: Vec<String> = page.entries.iter().map(|entry| entry.key.to_string()).collect();
        keys.sort();
        assert_eq!(keys, expected, "{prefix:?}");
        assert!(page.entries.iter().all(|entry| entry.size == 1));
    }
}

async fn a_put_renews_the_time(engine: Arc<dyn Engine>) {
    let at = key("orgs/a/blob");
    let before = engine.now().await.unwrap();
    engine.put(&at, Bytes::from_static(b"same")).await.unwrap();
    let first = engine.head(&at).await.unwrap().unwrap().modified;
    tokio::time::sleep(Duration::from_millis(2100)).await;
    engine.put(&at, Bytes::from_static(b"same")).await.unwrap();
    let second = engine.head(&at).await.unwrap().unwrap().modified;
    let after = engine.now().await.unwrap();
    assert!(second.duration_since(first).unwrap() >= Duration::from_secs(1));
    // One clock, coarse by a second at worst.
    let second_coarse = Duration::from_millis(1001);
    assert!(first + second_coarse >= before && after + second_coarse >= second);
    assert!(after.duration_since(first).unwrap() < Duration::from_secs(60));
}
