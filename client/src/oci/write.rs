//! Writing a layout: into a directory beside the wanted one, which it replaces when it is whole.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use dossier_bundle::Digest;

use super::{LAYOUT, Parts, build};
use crate::client::FetchedBlob;
use crate::error::Error;

/// Writes a layout blob by blob. What is not finished is removed.
pub struct Writer {
    out: PathBuf,
    work: PathBuf,
    manifest: Option<(Digest, u64, Parts)>,
    sizes: HashMap<Digest, u64>,
    done: bool,
}

impl Writer {
    /// Begins a layout that is to become `out`: a directory that does not exist yet, or is empty.
    ///
    /// # Errors
    /// [`Error::Layout`] where `out` holds something; [`Error::Io`].
    pub fn begin(out: &Path) -> Result<Self, Error> {
        match fs::read_dir(out) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Err(Error::Layout(format!("{} is not empty: name another directory", out.display())));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io(out)(error)),
        }
        let name = out.file_name().ok_or_else(|| Error::Layout("the directory to write needs a name".into()))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.partial", std::process::id()));
        let work = out.with_file_name(hidden);
        if work.exists() {
            fs::remove_dir_all(&work).map_err(Error::io(&work))?;
        }
        let blobs = work.join("blobs").join("sha256");
        fs::create_dir_all(&blobs).map_err(Error::io(&blobs))?;
        Ok(Self { out: out.to_owned(), work, manifest: None, sizes: HashMap::new(), done: false })
    }

    /// Adds a blob whose digest was checked; the first one is the bundle's manifest.
    ///
    /// # Errors
    /// [`Error::Layout`] where the manifest is none that this version reads; [`Error::Protocol`] where it does not name the
    /// blob; [`Error::Io`].
    pub fn put(&mut self, blob: &FetchedBlob) -> Result<(), Error> {
        match &self.manifest {
            None => self.manifest = Some((blob.digest, blob.size, Parts::of(&blob.bytes)?)),
            Some((_, _, parts)) if parts.blobs.iter().any(|(digest, _)| *digest == blob.digest) => {
                self.sizes.insert(blob.digest, blob.size);
            }
            Some(_) => return Err(Error::Protocol("a fetch sends a blob that the manifest does not name")),
        }
        self.blob(&blob.digest, &blob.bytes)
    }

    /// Writes what names the blobs and the plain copies, and moves the layout into place.
    ///
    /// # Errors
    /// [`Error::Layout`] where a blob that the manifest names is not there; [`Error::Io`].
    pub fn finish(mut self) -> Result<(), Error> {
        let Some((digest, size, parts)) = self.manifest.take() else {
            return Err(Error::Layout("there is no manifest to write".into()));
        };
        let image = build::image((digest, size), &parts, |digest| self.sizes.get(digest).copied())
            .map_err(|missing| Error::Layout(format!("{missing} was not fetched")))?;
        self.blob(&Digest::of(&image), &image)?;
        self.file(Path::new("index.json"), &build::index(&image))?;
        self.file(Path::new("oci-layout"), LAYOUT.as_bytes())?;
        self.copies(&parts)?;
        if self.out.exists() {
            fs::remove_dir(&self.out).map_err(Error::io(&self.out))?;
        }
        fs::rename(&self.work, &self.out).map_err(Error::io(&self.out))?;
        self.done = true;
        Ok(())
    }

    fn copies(&self, parts: &Parts) -> Result<(), Error> {
        for copy in &parts.copies {
            let path = self.blob_path(&copy.digest);
            let missing = || Error::Layout(format!("{} was not fetched", copy.digest));
            let blob = match fs::read(&path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(missing()),
                read => read.map_err(Error::io(&path))?,
            };
            let bytes = copy
                .of(&blob)
                .ok_or(Error::Corrupt { digest: copy.digest, detail: "a layer's range lies outside of its message" })?;
            self.file(&copy.path, bytes)?;
        }
        Ok(())
    }

    fn blob_path(&self, digest: &Digest) -> PathBuf {
        self.work.join("blobs").join("sha256").join(digest.hex())
    }

    fn blob(&self, digest: &Digest, bytes: &[u8]) -> Result<(), Error> {
        let path = self.blob_path(digest);
        fs::write(&path, bytes).map_err(Error::io(&path))
    }

    fn file(&self, relative: &Path, bytes: &[u8]) -> Result<(), Error> {
        let path = self.work.join(relative);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        fs::write(&path, bytes).map_err(Error::io(&path))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.done {
            // What cannot be removed now is removed by the next fetch of this process id.
            let _ = fs::remove_dir_all(&self.work);
        }
    }
}
