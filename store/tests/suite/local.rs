//! What only a directory has.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use dossier_store::{Engine as _, Error, LocalEngine, PageToken};

use crate::support::key;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn only_the_owner_may_look() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("made");
    let engine = LocalEngine::open(&root).unwrap();
    engine.put(&key("orgs/a/x.json"), "{}".into()).await.unwrap();
    for (path, expected) in
        [("", 0o700), ("orgs", 0o700), ("orgs/a", 0o700), ("orgs/a/x.json", 0o600), (".dossier/tmp", 0o700)]
    {
        assert_eq!(mode(&root.join(path)), expected, "{path}");
    }
}

#[tokio::test]
async fn what_dead_writers_left_is_swept_when_it_is_old() {
    let dir = tempfile::tempdir().unwrap();
    let engine = LocalEngine::open(dir.path()).unwrap();
    let tmp = dir.path().join(".dossier/tmp");
    let (old, young) = (tmp.join("1-1"), tmp.join("1-2"));
    File::create(&old).unwrap().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000)).unwrap();
    File::create(&young).unwrap();
    // A number that a dead process has used is no obstacle.
    for count in 0..50 {
        File::create(tmp.join(format!("{}-{count}", std::process::id()))).unwrap();
    }
    engine.put(&key("x"), "x".into()).await.unwrap();
    let engine = LocalEngine::open(dir.path()).unwrap();
    assert!(!old.exists() && young.exists());
    let page = engine.list("", None, 10).await.unwrap();
    assert_eq!(page.entries.len(), 1, "the engine's own files are not listed: {page:?}");
}

#[tokio::test]
async fn a_lock_of_a_dead_process_holds_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let engine = LocalEngine::open(dir.path()).unwrap();
    for lock in 0..256 {
        // What a process leaves that died with it in hand: the file, without the system's lock.
        File::create(dir.path().join(format!(".dossier/locks/{lock:02x}"))).unwrap();
    }
    engine.create(&key("x"), "1".into()).await.unwrap();
    let version = engine.get(&key("x")).await.unwrap().unwrap().version;
    engine.replace(&key("x"), "2".into(), &version).await.unwrap();
    assert_eq!(engine.get(&key("x")).await.unwrap().unwrap().bytes, "2");
}

#[tokio::test]
async fn a_folder_that_was_taken_away_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let engine = LocalEngine::open(dir.path()).unwrap();
    engine.put(&key("a/b/x"), "1".into()).await.unwrap();
    fs::remove_dir_all(dir.path().join("a")).unwrap();
    engine.put(&key("a/b/x"), "2".into()).await.unwrap();
    assert_eq!(engine.get(&key("a/b/x")).await.unwrap().unwrap().bytes, "2");
}

#[tokio::test]
async fn misuse_says_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let engine = LocalEngine::open(dir.path()).unwrap();
    engine.put(&key("a"), "1".into()).await.unwrap();
    assert!(matches!(engine.put(&key("a/b"), "2".into()).await, Err(Error::InvalidKey(_) | Error::Unavailable { .. })));
    for token in ["../x", "other/key", "no key at all"] {
        let token = PageToken::parse(&token.replace(' ', "%")).unwrap();
        assert_eq!(engine.list("orgs/", Some(&token), 1).await.unwrap_err(), Error::InvalidPageToken);
    }
    let file = dir.path().join("a");
    assert!(matches!(LocalEngine::open(&file), Err(Error::Config { .. })));
}
