//! Writing a layout: into a directory beside the wanted one, which it replaces when it is whole.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use dossier_bundle::Digest;
use serde::Serialize;

use super::{
    ARTIFACT_TYPE, Descriptor, Image, Index, LAYOUT, MANIFEST_TYPE, OCI_INDEX, OCI_MANIFEST, Parts, REF_NAME, TITLE,
};
use crate::client::FetchedBlob;
use crate::error::Error;

/// Writes a layout blob by blob. What is not finished is removed.
pub struct Writer {
    out: PathBuf,
    work: PathBuf,
    manifest: Option<(Digest, u64, Parts)>,
    layers: Vec<Descriptor>,
    seen: HashSet<Digest>,
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
        Ok(Self { out: out.to_owned(), work, manifest: None, layers: Vec::new(), seen: HashSet::new(), done: false })
    }

    /// Adds a blob whose digest was checked; the first one is the bundle's manifest.
    ///
    /// # Errors
    /// [`Error::Layout`] where the manifest is none that this version reads; [`Error::Io`].
    pub fn put(&mut self, blob: &FetchedBlob) -> Result<(), Error> {
        if !self.seen.insert(blob.digest) {
            return Ok(());
        }
        if self.manifest.is_none() {
            self.manifest = Some((blob.digest, blob.size, Parts::of(&blob.bytes)?));
        } else {
            self.layers.push(Descriptor {
                media_type: blob.media_type.clone(),
                digest: blob.digest.to_string(),
                size: blob.size,
                artifact_type: None,
                annotations: None,
            });
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
        let titles: BTreeMap<String, String> = parts
            .copies
            .iter()
            .filter(|copy| copy.range.is_none())
            .map(|copy| (copy.digest.to_string(), copy.path.to_string_lossy().into_owned()))
            .collect();
        for layer in &mut self.layers {
            layer.annotations = titles.get(&layer.digest).map(|title| BTreeMap::from([(TITLE.into(), title.clone())]));
        }
        let image = Image {
            schema_version: 2,
            media_type: OCI_MANIFEST.into(),
            artifact_type: ARTIFACT_TYPE.into(),
            config: Descriptor {
                media_type: MANIFEST_TYPE.into(),
                digest: digest.to_string(),
                size,
                artifact_type: None,
                annotations: None,
            },
            layers: std::mem::take(&mut self.layers),
        };
        let image = json(&image)?;
        self.blob(&Digest::of(&image), &image)?;
        let index = Index {
            schema_version: 2,
            media_type: OCI_INDEX.into(),
            manifests: vec![Descriptor {
                media_type: OCI_MANIFEST.into(),
                digest: Digest::of(&image).to_string(),
                size: image.len() as u64,
                artifact_type: Some(ARTIFACT_TYPE.into()),
                annotations: Some(BTreeMap::from([(REF_NAME.into(), "bundle".into())])),
            }],
        };
        self.file(Path::new("index.json"), &json(&index)?)?;
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

fn json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|_| Error::Layout("the layout cannot be written as JSON".into()))
}
