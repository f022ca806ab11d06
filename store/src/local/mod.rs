//! A directory as an engine: the embedded default.
//!
//! Each key is a file, so that `aws s3 sync DIR s3://BUCKET` moves house; `.dossier/` beside them holds locks and
//! half-written files and stays behind. Any number of processes of one machine may open the directory. Network file
//! systems are not supported: links, locks and renames must be those of a local one.

mod durable;
mod listing;
mod regular;

use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use bytes::Bytes;
use dossier_bundle::Digest;

use crate::engine::{Create, Engine, MAX_VALUE, Meta, Object, Page, PageToken, Replace, Version, check_size};
use crate::error::{Error, Result};
use crate::key::Key;
use durable::Disk;
use regular::Unreadable;

/// How old a temporary file is when it can only be a dead writer's.
const STALE: Duration = Duration::from_secs(3600);

/// An [`Engine`] that keeps values as files of one directory.
#[derive(Debug, Clone)]
pub struct LocalEngine {
    disk: Arc<Disk>,
}

impl LocalEngine {
    /// Opens a directory, making it (mode 0700) if it is not there, and removes what writers that died more than an hour
    /// ago have left in `.dossier/tmp`. Blocks; call it before serving.
    ///
    /// # Errors
    /// [`Error::Config`] where the directory cannot be made or written.
    pub fn open(dir: &Path) -> Result<Self> {
        let opened = || -> io::Result<Disk> {
            let disk = Disk::open(dir)?;
            let swept = disk.sweep(STALE)?;
            if swept > 0 {
                tracing::info!(files = swept, "removed what dead writers left behind");
            }
            Ok(disk)
        };
        match opened() {
            Ok(disk) => Ok(Self { disk: Arc::new(disk) }),
            Err(error) => Err(Error::Config { what: format!("{}: {}", dir.display(), reason(&error)) }),
        }
    }

    /// Runs file work on a key, or on a prefix of keys, where it may block. It is done to the end even if the caller goes away.
    async fn run<T, F>(&self, operation: &'static str, at: &str, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Disk) -> io::Result<T> + Send + 'static,
    {
        let disk = Arc::clone(&self.disk);
        match tokio::task::spawn_blocking(move || work(&disk)).await {
            Ok(done) => done.map_err(|error| failure(operation, at, &error)),
            Err(_) => Err(Error::Unavailable { operation, reason: "the task was cut off".to_owned() }),
        }
    }
}

#[async_trait]
impl Engine for LocalEngine {
    async fn get(&self, key: &Key) -> Result<Option<Object>> {
        let (at, key) = (key.as_str(), key.clone());
        let read = self.run("get", at, move |disk| {
            let Some((bytes, modified)) = read_whole(&disk.path(&key))? else { return Ok(None) };
            let version = version_of(&bytes);
            Ok(Some(Object { bytes: bytes.into(), version, modified }))
        });
        let object = read.await?;
        check_size(object.as_ref().map_or(0, |object| object.bytes.len() as u64))?;
        Ok(object)
    }

    async fn get_range(&self, key: &Key, range: Range<u64>) -> Result<Option<Bytes>> {
        let (at, key) = (key.as_str(), key.clone());
        self.run("get_range", at, move |disk| {
            let Some(mut file) = regular::open(&disk.path(&key))? else { return Ok(None) };
            let end = range.end.min(file.metadata()?.len()).min(range.start.saturating_add(MAX_VALUE));
            let mut bytes = Vec::new();
            if range.start < end {
                file.seek(SeekFrom::Start(range.start))?;
                file.take(end - range.start).read_to_end(&mut bytes)?;
            }
            Ok(Some(bytes.into()))
        })
        .await
    }

    async fn head(&self, key: &Key) -> Result<Option<Meta>> {
        let (at, key) = (key.as_str(), key.clone());
        self.run("head", at, move |disk| {
            let Some(meta) = present(fs::metadata(disk.path(&key)))? else { return Ok(None) };
            let there = regular::check(&meta)?;
            Ok(if there { Some(Meta { size: meta.len(), modified: meta.modified()? }) } else { None })
        })
        .await
    }

    async fn put(&self, key: &Key, bytes: Bytes) -> Result<()> {
        check_size(bytes.len() as u64)?;
        let (at, key) = (key.as_str(), key.clone());
        self.run("put", at, move |disk| disk.put(&key, &bytes)).await
    }

    async fn create(&self, key: &Key, bytes: Bytes) -> Result<Create> {
        check_size(bytes.len() as u64)?;
        let (at, key) = (key.as_str(), key.clone());
        self.run("create", at, move |disk| {
            let created = disk.create(&key, &bytes)?;
            Ok(if created { Create::Created(version_of(&bytes)) } else { Create::Exists })
        })
        .await
    }

    async fn replace(&self, key: &Key, bytes: Bytes, version: &Version) -> Result<Replace> {
        check_size(bytes.len() as u64)?;
        let (at, key, expected) = (key.as_str(), key.clone(), version.clone());
        self.run("replace", at, move |disk| {
            let path = disk.path(&key);
            let same = || Ok(read_whole(&path)?.is_some_and(|(current, _)| version_of(&current) == expected));
            let replaced = disk.replace(&key, &bytes, same)?;
            Ok(if replaced { Replace::Replaced(version_of(&bytes)) } else { Replace::Changed })
        })
        .await
    }

    async fn list(&self, prefix: &str, token: Option<&PageToken>, limit: usize) -> Result<Page> {
        let query = listing::Query::new(prefix, token, limit)?;
        let keys = self.run("list", prefix, move |disk| query.run(disk.root())).await?;
        listing::page(keys)
    }

    async fn delete(&self, key: &Key) -> Result<()> {
        let (at, key) = (key.as_str(), key.clone());
        self.run("delete", at, move |disk| disk.delete(&key)).await
    }

    async fn now(&self) -> Result<SystemTime> {
        self.run("now", ".dossier", Disk::now).await
    }

    fn describe(&self) -> String {
        format!("directory {}", self.disk.root().display())
    }
}

fn version_of(bytes: &[u8]) -> Version {
    Version::new(Digest::of(bytes).hex())
}

/// A whole file with its time; both of one file, even while another is renamed over it. Stops beyond the size limit.
fn read_whole(path: &Path) -> io::Result<Option<(Vec<u8>, SystemTime)>> {
    let Some(file) = regular::open(path)? else { return Ok(None) };
    let meta = file.metadata()?;
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len().min(MAX_VALUE)).unwrap_or(0));
    file.take(MAX_VALUE + 1).read_to_end(&mut bytes)?;
    Ok(Some((bytes, meta.modified()?)))
}

/// `None` where there is no such file, or where one of its parents is a file.
fn present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

fn failure(operation: &'static str, at: &str, error: &io::Error) -> Error {
    if let (Some(what), Ok(key)) = (Unreadable::of(error), Key::parse(at)) {
        return Error::Unreadable { key, what };
    }
    let reason = |error: &io::Error| format!("{} at {at}", reason(error));
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Error::Full,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Error::Denied { operation, reason: reason(error) }
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory | io::ErrorKind::InvalidFilename => {
            Error::InvalidKey(crate::key::InvalidKey)
        }
        _ => Error::Unavailable { operation, reason: reason(error) },
    }
}

/// The kind of an error in words; the error's own text may quote a path.
fn reason(error: &io::Error) -> String {
    error.kind().to_string()
}
