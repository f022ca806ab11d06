//! The test vectors of `docs/spec.md`: made anew here, compared byte for byte with `docs/vectors/`, and verified.
//!
//! Nothing in them depends on the rules of redaction: their texts are literals and their counts are given. To write the files
//! after a change that is meant: `BLESS=1 cargo test -p dossier-bundle --test vectors`. The vectors of a renderer version that
//! was released never change.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

#[path = "vectors/broken.rs"]
mod broken;
#[path = "vectors/lists.rs"]
mod lists;
#[path = "vectors/valid.rs"]
mod valid;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dossier_bundle::Digest;
use dossier_bundle::verify::{self, Outcome};
use serde::Serialize;

/// A bundle, whole or broken, with what its verification is to find.
#[derive(Clone)]
struct Vector {
    path: String,
    manifest: Vec<u8>,
    blobs: BTreeMap<Digest, Vec<u8>>,
    expected: Expected,
}

/// The content of `vector.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Expected {
    why: String,
    digest: Digest,
    /// The folder of the blobs, relative to that of the vectors: its own, or that of the valid vector that it was made of
    /// where the blobs are the same.
    blobs: String,
    verified: bool,
    unsupported: bool,
    failed_steps: Vec<u8>,
}

impl Vector {
    fn verify(&self) -> Expected {
        let expected = &self.expected;
        let report = verify::verify(&self.manifest, Some(&expected.digest), &mut |digest| self.blobs.get(digest));
        let failed = report.steps.iter().filter(|step| matches!(step.outcome, Outcome::Failed(_)));
        let mut failed_steps: Vec<u8> = failed.map(|step| step.number).collect();
        failed_steps.sort_unstable();
        failed_steps.dedup();
        Expected { verified: report.verified(), unsupported: report.unsupported(), failed_steps, ..expected.clone() }
    }

    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let root = Path::new(&self.path);
        let mut files = BTreeMap::from([
            (root.join("manifest.json"), self.manifest.clone()),
            (root.join("vector.json"), pretty(&self.expected)),
        ]);
        if self.expected.blobs != format!("{}/blobs", self.path) {
            return files;
        }
        files.extend(self.blobs.iter().map(|(digest, bytes)| (root.join("blobs").join(digest.hex()), bytes.clone())));
        files
    }
}

fn pretty<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap();
    bytes.push(b'\n');
    bytes
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/vectors")
}

fn all() -> Vec<Vector> {
    let mut all = valid::vectors();
    all.extend(broken::vectors());
    all
}

#[test]
fn each_vector_verifies_as_it_says() {
    for vector in all() {
        assert_eq!(vector.verify(), vector.expected, "{}", vector.path);
    }
}

#[test]
fn the_files_are_what_is_made_here() {
    let mut wanted = lists::files();
    for vector in all() {
        for (path, bytes) in vector.files() {
            assert!(wanted.insert(path.clone(), bytes).is_none(), "{} is made twice", path.display());
        }
    }
    let total: usize = wanted.values().map(Vec::len).sum();
    assert!(total < 500_000, "the vectors take {total} bytes");
    if std::env::var_os("BLESS").is_some() {
        if folder().exists() {
            fs::remove_dir_all(folder()).unwrap();
        }
        for (path, bytes) in &wanted {
            let path = folder().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
    for (path, bytes) in &wanted {
        let held = fs::read(folder().join(path)).unwrap_or_default();
        assert!(held == *bytes, "docs/vectors/{} differs; BLESS=1 writes it if that is meant", path.display());
    }
    let mut held = Vec::new();
    list(&folder(), &mut held);
    let stray: Vec<&PathBuf> =
        held.iter().filter(|path| !wanted.contains_key(path.strip_prefix(folder()).unwrap())).collect();
    assert!(stray.is_empty(), "not made here: {stray:?}");
}

fn list(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { list(&path, into) } else { into.push(path) }
    }
}
