//! What only a directory has.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use dossier_store::{Create, Engine as _, Error, LocalEngine, PageToken};

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

/// Ends with what `call` gives, and not with the waiting that opening a FIFO can be.
async fn soon<T>(call: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), call).await.expect("an answer")
}

#[tokio::test]
async fn what_is_no_file_is_named_and_nobody_waits_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let engine = LocalEngine::open(dir.path()).unwrap();
    engine.put(&key("a/good"), "1".into()).await.unwrap();
    let version = engine.get(&key("a/good")).await.unwrap().unwrap().version;
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("a/socket")).unwrap();
    let fifo = |name: &str| {
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, dir.path().join(name), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    };
    fifo("a/fifo");
    for name in ["a/fifo", "a/socket"] {
        let key = key(name);
        let expected = Error::Unreadable { key: key.clone(), what: "it is no regular file" };
        assert_eq!(soon(engine.get(&key)).await.unwrap_err(), expected);
        assert_eq!(soon(engine.get_range(&key, 0..1)).await.unwrap_err(), expected);
        assert_eq!(soon(engine.head(&key)).await.unwrap_err(), expected);
        assert_eq!(soon(engine.replace(&key, "2".into(), &version)).await.unwrap_err(), expected);
        assert_eq!(soon(engine.create(&key, "2".into())).await.unwrap(), Create::Exists);
        assert!(expected.to_string().contains(name));
    }
    let page = soon(engine.list("a/", None, 10)).await.unwrap();
    assert_eq!(page.entries.len(), 1, "{page:?}");
    // A blob is put over it, and the value is there again.
    soon(engine.put(&key("a/fifo"), "3".into())).await.unwrap();
    assert_eq!(soon(engine.get(&key("a/fifo"))).await.unwrap().unwrap().bytes, "3");
    soon(engine.delete(&key("a/socket"))).await.unwrap();
    assert_eq!(soon(engine.get(&key("a/socket"))).await.unwrap(), None);
    // Locks are files of ours that anybody may have replaced as well.
    for lock in 0..256 {
        let name = format!(".dossier/locks/{lock:02x}");
        let _ = fs::remove_file(dir.path().join(&name));
        fifo(&name);
    }
    assert!(matches!(soon(engine.put(&key("a/good"), "2".into())).await, Err(Error::Unavailable { .. })));
}

#[tokio::test]
async fn what_may_not_be_read_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let engine = LocalEngine::open(dir.path()).unwrap();
    engine.put(&key("a/closed"), "1".into()).await.unwrap();
    let path = dir.path().join("a/closed");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if File::open(&path).is_ok() {
        // Root may read everything.
        return;
    }
    let expected = Error::Unreadable { key: key("a/closed"), what: "its mode forbids it" };
    assert_eq!(engine.get(&key("a/closed")).await.unwrap_err(), expected);
    fs::set_permissions(dir.path().join("a"), fs::Permissions::from_mode(0o000)).unwrap();
    let refused = engine.get(&key("a/closed")).await.unwrap_err();
    fs::set_permissions(dir.path().join("a"), fs::Permissions::from_mode(0o700)).unwrap();
    assert!(matches!(&refused, Error::Denied { reason, .. } if reason.contains("a/closed")), "{refused:?}");
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
