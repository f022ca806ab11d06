//! Writing files so that they are whole and durable, or not there.
//!
//! A value is written to a temporary file and synced before it gets its name: by link(2), which fails where the name is
//! taken, or by rename(2), which replaces. Then the folder is synced, and the first time this process uses a folder all
//! folders above it too, since another process may have made them a moment ago and not synced them yet.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use dossier_bundle::Digest;
use rustix::fs::{FlockOperation, OFlags, flock};

use crate::key::Key;

/// How many folders are remembered as durable before all are forgotten again.
const REMEMBERED: usize = 16_384;

/// One open directory.
#[derive(Debug)]
pub(super) struct Disk {
    root: PathBuf,
    tmp: PathBuf,
    locks: PathBuf,
    counter: AtomicU64,
    durable: Mutex<HashSet<PathBuf>>,
}

/// A synced file without a name of its own; removed when dropped.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove; what stays otherwise is swept when it is old.
        let _ = fs::remove_file(&self.0);
    }
}

impl Disk {
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
        make_dirs(dir)?;
        let root = dir.canonicalize()?;
        let own = root.join(".dossier");
        let disk = Self {
            tmp: own.join("tmp"),
            locks: own.join("locks"),
            root,
            counter: AtomicU64::new(0),
            durable: Mutex::default(),
        };
        make_dirs(&disk.tmp)?;
        make_dirs(&disk.locks)?;
        disk.draft(b"")?;
        Ok(disk)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn path(&self, key: &Key) -> PathBuf {
        self.root.join(key.as_str())
    }

    /// Writes the value if its name is free, and says whether it was.
    pub(super) fn create(&self, key: &Key, bytes: &[u8]) -> io::Result<bool> {
        let (path, folder) = self.place(key)?;
        let draft = self.draft(bytes)?;
        let linked = self.in_folder(&folder, || fs::hard_link(&draft.0, &path));
        match linked {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // The winner may not have synced yet, and the caller will speak of the value as durable.
                sync_dir(&folder)?;
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
        sync_dir(&folder)?;
        Ok(true)
    }

    /// Writes the value over whatever is there.
    pub(super) fn put(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        let (path, folder) = self.place(key)?;
        let draft = self.draft(bytes)?;
        {
            let _lock = self.lock(key)?;
            self.in_folder(&folder, || fs::rename(&draft.0, &path))?;
        }
        sync_dir(&folder)
    }

    /// Writes the value over the one there if `same` says that it is still the expected one.
    pub(super) fn replace(&self, key: &Key, bytes: &[u8], same: impl Fn() -> io::Result<bool>) -> io::Result<bool> {
        if !same()? {
            return Ok(false);
        }
        let (path, folder) = self.place(key)?;
        let draft = self.draft(bytes)?;
        let _lock = self.lock(key)?;
        if !same()? {
            return Ok(false);
        }
        fs::rename(&draft.0, &path)?;
        sync_dir(&folder)?;
        Ok(true)
    }

    /// Removes the value, if there is one. Folders stay.
    pub(super) fn delete(&self, key: &Key) -> io::Result<()> {
        let path = self.path(key);
        let _lock = self.lock(key)?;
        match fs::remove_file(&path) {
            Ok(()) => path.parent().map_or(Ok(()), sync_dir),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The file system's time: that of a file written just now.
    pub(super) fn now(&self) -> io::Result<SystemTime> {
        let (path, file) = self.temporary()?;
        let _draft = Draft(path);
        (&file).write_all(b"now")?;
        file.metadata()?.modified()
    }

    /// Removes temporary files that are older than `age`, and says how many.
    pub(super) fn sweep(&self, age: Duration) -> io::Result<usize> {
        let now = self.now()?;
        let mut swept = 0;
        for entry in fs::read_dir(&self.tmp)? {
            let entry = entry?;
            // Another process may be sweeping, or finishing, at the same time.
            let Ok(meta) = entry.metadata() else { continue };
            let old = now.duration_since(meta.modified()?).is_ok_and(|since| since > age);
            if meta.is_file() && old && fs::remove_file(entry.path()).is_ok() {
                swept += 1;
            }
        }
        Ok(swept)
    }

    /// A temporary file that holds `bytes`, synced.
    fn draft(&self, bytes: &[u8]) -> io::Result<Draft> {
        let (path, mut file) = self.temporary()?;
        let draft = Draft(path);
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(draft)
    }

    fn temporary(&self) -> io::Result<(PathBuf, File)> {
        loop {
            // Processes of different containers may share a number: the next one is tried then.
            let count = self.counter.fetch_add(1, Ordering::Relaxed);
            let path = self.tmp.join(format!("{}-{count}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Ok(file) => return Ok((path, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// One of 256 lock files, by the key's hash. The system frees it when the holder closes it or dies.
    fn lock(&self, key: &Key) -> io::Result<File> {
        let fan = Digest::of(key.as_str().as_bytes()).as_bytes()[0];
        let path = self.locks.join(format!("{fan:02x}"));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        // To open a FIFO would wait for its reader.
        let file = options.custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)?;
        loop {
            match flock(&file, FlockOperation::LockExclusive) {
                Ok(()) => return Ok(file),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The file and folder of a key, the folder being there for good.
    fn place(&self, key: &Key) -> io::Result<(PathBuf, PathBuf)> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(&self.root).to_path_buf();
        self.ensure(&folder)?;
        Ok((path, folder))
    }

    /// Gives a file its name, once more if its folder was taken away behind our back.
    fn in_folder(&self, folder: &Path, name: impl Fn() -> io::Result<()>) -> io::Result<()> {
        match name() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.known().clear();
                self.ensure(folder)?;
                name()
            }
            done => done,
        }
    }

    /// Makes the folder if need be, and makes sure once that it and all above it will be there after a power cut.
    fn ensure(&self, folder: &Path) -> io::Result<()> {
        if self.known().contains(folder) {
            return Ok(());
        }
        make_dirs(folder)?;
        let mut at = folder;
        while at != self.root {
            let Some(parent) = at.parent() else { break };
            sync_dir(parent)?;
            at = parent;
        }
        let mut known = self.known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(folder.to_path_buf());
        Ok(())
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<PathBuf>> {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_dirs(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn sync_dir(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
