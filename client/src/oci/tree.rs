//! What lies in a layout's directory. No link is followed, and nothing is opened that is no regular file.

use std::collections::BTreeMap;
use std::fs::{self, File, FileType};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::{FOLDERS, MAX_BLOB};
use crate::error::Error;

/// What a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a socket, a device.
    Other,
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Self {
        match kind {
            kind if kind.is_symlink() => Self::Link,
            kind if kind.is_dir() => Self::Folder,
            kind if kind.is_file() => Self::File,
            _ => Self::Other,
        }
    }
}

/// The paths in a directory, relative to it. Of a folder that no layout has, only the folder itself is named.
pub(super) struct Tree {
    dir: PathBuf,
    pub paths: BTreeMap<PathBuf, Kind>,
}

impl Tree {
    pub(super) fn of(dir: &Path) -> Result<Self, Error> {
        let mut tree = Self { dir: dir.to_owned(), paths: BTreeMap::new() };
        tree.walk(Path::new(""))?;
        Ok(tree)
    }

    fn walk(&mut self, folder: &Path) -> Result<(), Error> {
        let at = self.dir.join(folder);
        for entry in fs::read_dir(&at).map_err(Error::io(&at))? {
            let entry = entry.map_err(Error::io(&at))?;
            let path = folder.join(entry.file_name());
            let kind = Kind::from(entry.file_type().map_err(Error::io(&path))?);
            if kind == Kind::Folder && FOLDERS.iter().any(|known| path == Path::new(known)) {
                self.walk(&path)?;
            }
            self.paths.insert(path, kind);
        }
        Ok(())
    }

    /// A regular file's bytes; `None` where there is none, or it is over the largest size.
    pub(super) fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        if self.paths.get(path) != Some(&Kind::File) {
            return Ok(None);
        }
        let at = self.dir.join(path);
        bounded(&at).map_err(Error::io(&at))
    }
}

fn bounded(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    // Looked at again: it may have changed since the walk.
    let file = match fs::symlink_metadata(path) {
        Ok(seen) if seen.is_file() && seen.len() <= MAX_BLOB => File::open(path)?,
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => return Ok(None),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BLOB + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MAX_BLOB).then_some(bytes))
}
