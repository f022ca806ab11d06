//! Reading a layout again. Nothing in it is trusted: what can be read out of it is compared with what follows from the bundle.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use dossier_bundle::Digest;
use dossier_bundle::manifest::Manifest;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::tree::{Kind, Tree};
use super::{ARTIFACT_TYPE, Descriptor, Image, Index, LAYOUT, LAYOUT_VERSION, Parts, build};
use crate::error::Error;

const MARK: &str = "oci-layout";
const INDEX: &str = "index.json";

/// A layout on disk.
pub struct Layout {
    tree: Tree,
    /// Where the OCI manifest lies.
    image: PathBuf,
    /// What was found on the way to the bundle's manifest.
    found: Vec<Flaw>,
    /// The bundle's digest, as the OCI manifest names it.
    pub digest: Digest,
    /// The bundle manifest's bytes, as they lie there: not checked yet.
    pub manifest: Vec<u8>,
}

/// A path of a layout that is not as it follows from the bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The path, relative to the layout.
    pub path: PathBuf,
    /// What is wrong with it.
    pub detail: &'static str,
}

/// Opens a layout and walks from its index to the bundle's manifest.
///
/// # Errors
/// [`Error::Damaged`] where a file on this way is missing or malformed; [`Error::Unsupported`] where the layout is of another
/// version; [`Error::Io`], also where there is no directory.
pub fn read(dir: &Path) -> Result<Layout, Error> {
    let tree = Tree::of(dir)?;
    let mark: Value = parse(&tree, Path::new(MARK))?;
    match mark.get("imageLayoutVersion").and_then(Value::as_str) {
        Some(LAYOUT_VERSION) => {}
        Some(_) => return Err(Error::Unsupported { path: MARK.into(), detail: "its layout version is another" }),
        None => return Err(Error::Damaged { path: MARK.into(), detail: "it is malformed" }),
    }
    let index: Index = parse(&tree, Path::new(INDEX))?;
    let mut bundles = index.manifests.iter().filter(|entry| entry.artifact_type.as_deref() == Some(ARTIFACT_TYPE));
    let (Some(entry), None) = (bundles.next(), bundles.next()) else {
        return Err(Error::Damaged { path: INDEX.into(), detail: "it must name exactly one bundle" });
    };
    let mut found = Vec::new();
    let (digest, bytes) = described(&tree, Path::new(INDEX), entry, &mut found)?;
    let path = blob_path(&digest);
    if Digest::of(&bytes) != digest {
        return Err(Error::Damaged { path, detail: "its bytes have another digest" });
    }
    let image: Image = parse(&tree, &path)?;
    let (digest, manifest) = described(&tree, &path, &image.config, &mut found)?;
    Ok(Layout { tree, image: path, found, digest, manifest })
}

impl Layout {
    /// A blob's bytes as they lie there, not checked; `None` where there is none, or none that is small enough.
    #[must_use]
    pub fn blob(&self, digest: &Digest) -> Option<Vec<u8>> {
        self.tree.read(&blob_path(digest)).ok().flatten()
    }

    /// Every path that is not what the manifest and the blobs make of it: changed, missing, added, or no regular file. Where
    /// this version does not know the manifest, it cannot tell them all.
    #[must_use]
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = self.found.clone();
        for (path, kind) in &self.tree.paths {
            let detail = match kind {
                Kind::Link => "it is a symbolic link",
                Kind::Other => "it is no regular file",
                Kind::File | Kind::Folder => continue,
            };
            flaws.push(Flaw { path: path.clone(), detail });
        }
        let known = serde_json::from_slice::<Value>(&self.manifest);
        if known.is_ok_and(|value| Manifest::check_known(&value).is_ok()) {
            match Parts::of(&self.manifest) {
                Ok(parts) => self.compare(&parts, &mut flaws),
                Err(_) => {
                    let detail = "the manifest is malformed, so that no plain copy can be told";
                    flaws.push(Flaw { path: blob_path(&self.digest), detail });
                }
            }
        }
        flaws
    }

    /// What follows from the bundle, against what is there.
    fn compare(&self, parts: &Parts, flaws: &mut Vec<Flaw>) {
        let blobs: HashMap<Digest, Option<Vec<u8>>> =
            parts.blobs.iter().map(|(digest, _)| (*digest, self.blob(digest))).collect();
        let held = |digest: &Digest| blobs.get(digest).and_then(Option::as_deref);

        // `None` is what has been compared already, or is by the verification.
        let mut wanted: BTreeMap<PathBuf, Option<Vec<u8>>> = BTreeMap::new();
        wanted.insert(MARK.into(), Some(LAYOUT.into()));
        wanted.insert(INDEX.into(), None);
        wanted.insert(self.image.clone(), None);
        wanted.insert(blob_path(&self.digest), None);
        wanted.extend(blobs.keys().map(|digest| (blob_path(digest), None)));
        let manifest = (Digest::of(&self.manifest), self.manifest.len() as u64);
        // Without a blob, nothing is known of its size.
        if let Ok(image) = build::image(manifest, parts, |digest| held(digest).map(|bytes| bytes.len() as u64)) {
            wanted.insert(INDEX.into(), Some(build::index(&image)));
            wanted.insert(self.image.clone(), Some(image));
        }
        // That a blob is missing, or shorter than a range in it, is said by the verification.
        for copy in &parts.copies {
            let bytes = held(&copy.digest).and_then(|blob| copy.of(blob));
            wanted.insert(copy.path.clone(), bytes.map(<[u8]>::to_vec));
        }

        for (path, bytes) in &wanted {
            let detail = match (self.tree.paths.get(path), bytes) {
                (Some(Kind::Link | Kind::Other), _) => continue,
                (Some(Kind::Folder), _) => "it is a directory",
                (None, _) if path.starts_with("blobs") => continue,
                (None, _) => "it is missing",
                (Some(Kind::File), None) => continue,
                (Some(Kind::File), Some(bytes)) => match self.tree.read(path) {
                    Ok(Some(held)) if held == *bytes => continue,
                    _ => "it is not what follows from the bundle",
                },
            };
            flaws.push(Flaw { path: path.clone(), detail });
        }
        for (path, kind) in &self.tree.paths {
            let follows = match kind {
                Kind::File => wanted.contains_key(path),
                Kind::Folder => wanted.keys().any(|one| one.starts_with(path)),
                // Said above.
                Kind::Link | Kind::Other => true,
            };
            if !follows {
                flaws.push(Flaw { path: path.clone(), detail: "it was added" });
            }
        }
    }
}

fn blob_path(digest: &Digest) -> PathBuf {
    Path::new("blobs").join("sha256").join(digest.hex())
}

/// What a descriptor names. That it says another size is found here, and kept.
fn described(
    tree: &Tree,
    by: &Path,
    descriptor: &Descriptor,
    found: &mut Vec<Flaw>,
) -> Result<(Digest, Vec<u8>), Error> {
    let malformed = |_| Error::Damaged { path: by.to_owned(), detail: "a digest in it is malformed" };
    let digest: Digest = descriptor.digest.parse().map_err(malformed)?;
    let path = blob_path(&digest);
    let bytes = present(tree, &path)?;
    if bytes.len() as u64 != descriptor.size {
        found.push(Flaw { path: by.to_owned(), detail: "it gives another size than the file has that it names" });
    }
    Ok((digest, bytes))
}

fn present(tree: &Tree, path: &Path) -> Result<Vec<u8>, Error> {
    let detail = match tree.paths.get(path) {
        None => "it is missing",
        Some(Kind::File) => "it is too large",
        Some(_) => "it is no regular file",
    };
    tree.read(path)?.ok_or_else(|| Error::Damaged { path: path.to_owned(), detail })
}

fn parse<T: DeserializeOwned>(tree: &Tree, path: &Path) -> Result<T, Error> {
    let malformed = |_| Error::Damaged { path: path.to_owned(), detail: "it is malformed" };
    serde_json::from_slice(&present(tree, path)?).map_err(malformed)
}
