//! Reading a layout again. Nothing in it is trusted: sizes are bounded, and each file is checked by whoever uses it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use dossier_bundle::Digest;
use serde::de::DeserializeOwned;

use super::{ARTIFACT_TYPE, Descriptor, Image, Index, LAYOUT, MAX_BLOB, Parts};
use crate::error::Error;

/// A layout on disk.
pub struct Layout {
    dir: PathBuf,
    /// The bundle's digest, as the OCI manifest names it.
    pub digest: Digest,
    /// The bundle manifest's bytes, as they lie there: not checked yet.
    pub manifest: Vec<u8>,
}

/// Opens a layout and walks from its index to the bundle's manifest.
///
/// # Errors
/// [`Error::Layout`] where `dir` is no layout of a bundle; [`Error::Corrupt`] where index, OCI manifest and files do not agree.
pub fn read(dir: &Path) -> Result<Layout, Error> {
    let no = |what: &str| Error::Layout(format!("{} is not a fetched bundle: {what}", dir.display()));
    let Some(mark) = small(&dir.join("oci-layout"))? else {
        return Err(no("it has no oci-layout file"));
    };
    if serde_json::from_slice::<serde_json::Value>(&mark).ok() != serde_json::from_str(LAYOUT).ok() {
        return Err(no("its layout version is another"));
    }
    let index: Index = parse(&small(&dir.join("index.json"))?.ok_or_else(|| no("it has no index.json"))?)
        .ok_or_else(|| no("its index.json is malformed"))?;
    let mut bundles = index.manifests.iter().filter(|entry| entry.artifact_type.as_deref() == Some(ARTIFACT_TYPE));
    let (Some(entry), None) = (bundles.next(), bundles.next()) else {
        return Err(no("its index.json must name exactly one bundle"));
    };
    let (digest, bytes) = described(dir, entry)?;
    if Digest::of(&bytes) != digest {
        return Err(Error::Corrupt { digest, detail: "the OCI manifest has another digest" });
    }
    let image: Image = parse(&bytes).ok_or_else(|| no("its OCI manifest is malformed"))?;
    let (digest, manifest) = described(dir, &image.config)?;
    Ok(Layout { dir: dir.to_owned(), digest, manifest })
}

impl Layout {
    /// A blob's bytes as they lie there, not checked; `None` where there is none, or none that is small enough.
    #[must_use]
    pub fn blob(&self, digest: &Digest) -> Option<Vec<u8>> {
        bounded(&blob_path(&self.dir, digest)).ok().flatten()
    }

    /// The plain copies that are not the bytes that the manifest names, or are missing; and what was added beside them.
    #[must_use]
    pub fn copies(&self) -> Vec<PathBuf> {
        let Ok(parts) = Parts::of(&self.manifest) else {
            return Vec::new();
        };
        let mut wrong = Vec::new();
        for copy in &parts.copies {
            let blob = self.blob(&copy.digest).unwrap_or_default();
            let held = bounded(&self.dir.join(&copy.path)).ok().flatten();
            if held.as_deref() != copy.of(&blob) {
                wrong.push(copy.path.clone());
            }
        }
        for folder in ["messages", "layers", "attachments"] {
            let entries = fs::read_dir(self.dir.join(folder)).into_iter().flatten().flatten();
            let mut extra: Vec<_> = entries.map(|entry| Path::new(folder).join(entry.file_name())).collect();
            extra.retain(|path| parts.copies.iter().all(|copy| copy.path != *path));
            extra.sort();
            wrong.append(&mut extra);
        }
        wrong
    }
}

fn blob_path(dir: &Path, digest: &Digest) -> PathBuf {
    dir.join("blobs").join("sha256").join(digest.hex())
}

/// What a descriptor names: its size is checked here, before any hashing.
fn described(dir: &Path, descriptor: &Descriptor) -> Result<(Digest, Vec<u8>), Error> {
    let digest: Digest = descriptor.digest.parse().map_err(|_| {
        Error::Layout(format!("{} is not a fetched bundle: a digest in it is malformed", dir.display()))
    })?;
    let path = blob_path(dir, &digest);
    let bytes = bounded(&path).map_err(Error::io(&path))?;
    let bytes = bytes.ok_or(Error::Corrupt { digest, detail: "the file is missing, or too large" })?;
    if bytes.len() as u64 != descriptor.size {
        return Err(Error::Corrupt { digest, detail: "the file has another size than its descriptor says" });
    }
    Ok((digest, bytes))
}

fn small(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    bounded(path).map_err(Error::io(path))
}

/// A file's bytes; `None` where there is none, or it is over the largest size.
fn bounded(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BLOB + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MAX_BLOB).then_some(bytes))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}
