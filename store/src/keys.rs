//! The layout: which key holds what. Every function refuses names that could not be one segment of a key.
//!
//! ```text
//! orgs/{org}/blobs/sha256/{2 hex}/{hex}               blobs; written again is the same
//! orgs/{org}/projects/{project}.json                  compare-and-swap
//! orgs/{org}/runs/{run}/run.json                      compare-and-swap
//! orgs/{org}/runs/{run}/bundles/{bundle}.json         create-once
//! orgs/{org}/{runs|tasks}/{name}/claims/{id}.json     create-once: which request made what
//! orgs/{org}/uploads/{hex}.json                       what is known of an uploaded blob
//! orgs/{org}/index/…                                  derived, rebuilt at will
//! orgs/{org}/gc.json                                  compare-and-swap
//! tokens/{id}.json                                    hashes of credentials
//! ```

use dossier_bundle::Digest;

use crate::key::{InvalidKey, Key};

type Result<T> = std::result::Result<T, InvalidKey>;

/// Everything of one org, as a prefix to list: `orgs/{org}/`.
///
/// # Errors
/// [`InvalidKey`] where the name cannot be a segment; so for all functions here.
pub fn org_prefix(org: &str) -> Result<String> {
    prefix(&["orgs", org])
}

/// A blob: `orgs/{org}/blobs/sha256/{2 hex}/{hex}`.
pub fn blob(org: &str, digest: &Digest) -> Result<Key> {
    let hex = digest.hex();
    Key::of(&["orgs", org, "blobs", "sha256", hex.get(..2).unwrap_or_default(), &hex])
}

/// All blobs of one org, as a prefix to list.
pub fn blob_prefix(org: &str) -> Result<String> {
    prefix(&["orgs", org, "blobs", "sha256"])
}

/// The digest that a blob's key names; `None` where the key is not a blob's.
#[must_use]
pub fn blob_digest(key: &Key) -> Option<Digest> {
    let segments: Vec<&str> = key.segments().collect();
    match segments[..] {
        ["orgs", _, "blobs", "sha256", fan, hex] if hex.starts_with(fan) => Digest::from_hex(hex).ok(),
        _ => None,
    }
}

/// A project's settings: `orgs/{org}/projects/{project}.json`.
pub fn project(org: &str, project: &str) -> Result<Key> {
    Key::of(&["orgs", org, "projects", &json(project)])
}

/// All projects of one org, as a prefix to list.
pub fn project_prefix(org: &str) -> Result<String> {
    prefix(&["orgs", org, "projects"])
}

/// A run: `orgs/{org}/runs/{run}/run.json`.
pub fn run(org: &str, run: &str) -> Result<Key> {
    Key::of(&["orgs", org, "runs", run, "run.json"])
}

/// All runs of one org, as a prefix to list.
pub fn runs_prefix(org: &str) -> Result<String> {
    prefix(&["orgs", org, "runs"])
}

/// A bundle's record: `orgs/{org}/runs/{run}/bundles/{bundle}.json`.
pub fn bundle(org: &str, run: &str, bundle: &str) -> Result<Key> {
    Key::of(&["orgs", org, "runs", run, "bundles", &json(bundle)])
}

/// All bundles of one run, as a prefix to list.
pub fn bundles_prefix(org: &str, run: &str) -> Result<String> {
    prefix(&["orgs", org, "runs", run, "bundles"])
}

/// What a request to a run made: `orgs/{org}/runs/{run}/claims/{request}.json`.
pub fn run_claim(org: &str, run: &str, request: &str) -> Result<Key> {
    Key::of(&["orgs", org, "runs", run, "claims", &json(request)])
}

/// What a request to a task made: `orgs/{org}/tasks/{task}/claims/{request}.json`.
pub fn task_claim(org: &str, task: &str, request: &str) -> Result<Key> {
    Key::of(&["orgs", org, "tasks", task, "claims", &json(request)])
}

/// What is known of an uploaded blob: `orgs/{org}/uploads/{hex}.json`.
pub fn upload(org: &str, digest: &Digest) -> Result<Key> {
    Key::of(&["orgs", org, "uploads", &json(&digest.hex())])
}

/// All uploads of one org, as a prefix to list.
pub fn uploads_prefix(org: &str) -> Result<String> {
    prefix(&["orgs", org, "uploads"])
}

/// An entry of a derived index: `orgs/{org}/index/{…}`.
pub fn index(org: &str, rest: &[&str]) -> Result<Key> {
    Key::of(&[&["orgs", org, "index"], rest].concat())
}

/// A part of a derived index, as a prefix to list: `orgs/{org}/index/{…}/`.
pub fn index_prefix(org: &str, rest: &[&str]) -> Result<String> {
    prefix(&[&["orgs", org, "index"], rest].concat())
}

/// The state of collection: `orgs/{org}/gc.json`.
pub fn gc(org: &str) -> Result<Key> {
    Key::of(&["orgs", org, "gc.json"])
}

/// A credential's hash: `tokens/{id}.json`.
pub fn token(id: &str) -> Result<Key> {
    Key::of(&["tokens", &json(id)])
}

/// All credentials, as a prefix to list.
#[must_use]
pub fn token_prefix() -> &'static str {
    "tokens/"
}

/// A file name; an empty name gives an empty segment, which no key may have.
fn json(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{name}.json") }
}

fn prefix(segments: &[&str]) -> Result<String> {
    Ok(format!("{}/", Key::of(segments)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout() {
        let digest = Digest::of(b"abc");
        let hex = digest.hex();
        assert_eq!(blob("acme", &digest).unwrap().as_str(), format!("orgs/acme/blobs/sha256/ba/{hex}"));
        assert_eq!(blob_digest(&blob("acme", &digest).unwrap()), Some(digest));
        assert_eq!(blob_digest(&gc("acme").unwrap()), None);
        assert_eq!(bundle("acme", "r1", "b1").unwrap().as_str(), "orgs/acme/runs/r1/bundles/b1.json");
        assert_eq!(index("acme", &["runs", "r1", "x"]).unwrap().as_str(), "orgs/acme/index/runs/r1/x");
        assert_eq!(uploads_prefix("acme").unwrap(), "orgs/acme/uploads/");
    }

    #[test]
    fn a_name_cannot_leave_its_place() {
        assert!(run("acme/runs", "r1").is_err());
        assert!(run("..", "r1").is_err());
        assert!(bundle("acme", "r1", "../run").is_err());
        assert!(token("").is_err());
    }
}
