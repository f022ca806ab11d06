//! Values of denied Secrets and ConfigMaps, as Kubernetes mounts them:
//! `{secrets|configmaps}/{namespace}/{name}/{key}` below one directory.
//!
//! A mount is made of links (`key` → `..data/key`, `..data` → a dated directory) that are followed as long as they stay
//! below the directory. What is read is read at every use, so that a rotation counts at once, and zeroized afterwards.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dossier_redact::{DeniedValue, ObjectKind, ObjectRef};
use zeroize::Zeroizing;

use crate::status::ApiError;

/// The largest value, in bytes.
const MAX_VALUE: u64 = 64 << 10;
/// The most that all values of one request take, in bytes.
const MAX_TOTAL: usize = 1 << 20;
/// The most values of one request.
const MAX_VALUES: usize = 1024;
/// The longest part of a path, as Kubernetes has it.
const MAX_NAME: usize = 253;

/// The mounted directory, if there is one. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct MountedSecrets {
    root: Option<Arc<Path>>,
}

/// What was found.
#[derive(Default)]
pub struct Found {
    /// The values, named `{namespace}/{name}/{key}`, without one final newline: a tool may have put one there, and a text
    /// that has the value and a newline has the value.
    pub values: Vec<DeniedValue>,
    /// The references without any value.
    pub missing: Vec<ObjectRef>,
}

/// Why values cannot be read. All of them refuse the request: what is not read cannot be denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    TooLarge,
    TooMany,
    Unreadable(io::ErrorKind),
}

impl MountedSecrets {
    /// The values below `root`.
    #[must_use]
    pub fn new(root: Option<PathBuf>) -> Self {
        Self { root: root.map(Into::into) }
    }

    /// The values that `references` name. A namespace that is empty is any; a key that is not given is all keys.
    ///
    /// # Errors
    /// [`ApiError::FailedPrecondition`] where a value is there but cannot be denied: it is over 64 KiB, there are over
    /// 1,024 or 1 MiB of them, or it cannot be read.
    pub async fn values(&self, references: Vec<ObjectRef>) -> Result<Found, ApiError> {
        let Some(root) = self.root.clone() else {
            return Ok(Found { values: Vec::new(), missing: references });
        };
        let read = tokio::task::spawn_blocking(move || read_all(&root, references)).await;
        read.map_err(|_| ApiError::internal("reading mounted values panicked"))?.map_err(|(reference, refusal)| {
            let subject = format!("{} {}/{}", reference.kind.name(), reference.namespace, reference.name);
            let detail = match refusal {
                Refusal::TooLarge => "a mounted value is over 64 KiB".to_owned(),
                Refusal::TooMany => "the mounted values are over 1,024 or over 1 MiB in all".to_owned(),
                Refusal::Unreadable(kind) => format!("a mounted value cannot be read: {kind}"),
            };
            ApiError::FailedPrecondition { reason: "DENY_VALUE_UNREADABLE", subject, detail }
        })
    }
}

fn read_all(root: &Path, references: Vec<ObjectRef>) -> Result<Found, (ObjectRef, Refusal)> {
    let mut found = Found::default();
    let mut total = 0;
    for reference in references {
        let before = found.values.len();
        if let Err(refusal) = read_one(root, &reference, &mut found.values, &mut total) {
            return Err((reference, refusal));
        }
        if found.values.len() == before {
            found.missing.push(reference);
        }
    }
    Ok(found)
}

fn read_one(
    root: &Path,
    reference: &ObjectRef,
    values: &mut Vec<DeniedValue>,
    total: &mut usize,
) -> Result<(), Refusal> {
    let Some(root) = there(root.canonicalize())? else { return Ok(()) };
    let kind = root.join(match reference.kind {
        ObjectKind::Secret => "secrets",
        ObjectKind::ConfigMap => "configmaps",
    });
    let named = |name: &str| if is_part(name) { vec![name.to_owned()] } else { Vec::new() };
    let namespaces = if reference.namespace.is_empty() { list(&root, &kind)? } else { named(&reference.namespace) };
    for namespace in namespaces {
        for name in named(&reference.name) {
            let object = kind.join(&namespace).join(&name);
            let keys = match &reference.key {
                Some(key) => named(key),
                None => list(&root, &object)?,
            };
            for key in keys {
                let Some(value) = read_value(&root, &object.join(&key))? else { continue };
                *total += value.len();
                if values.len() == MAX_VALUES || *total > MAX_TOTAL {
                    return Err(Refusal::TooMany);
                }
                values.push(DeniedValue::new(format!("{namespace}/{name}/{key}"), reference.kind, value));
            }
        }
    }
    Ok(())
}

/// A part of a path that can only be a name: no separator, and nothing that begins as the links of a mount do.
fn is_part(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_NAME
        && name != "."
        && !name.starts_with("..")
        && !name.contains(['/', '\\', '\0'])
}

/// The names in a directory, sorted; none where it is not there.
fn list(root: &Path, dir: &Path) -> Result<Vec<String>, Refusal> {
    let Some(real) = below(root, dir)? else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for entry in there(fs::read_dir(real))?.into_iter().flatten() {
        let name = entry.map_err(|error| Refusal::Unreadable(error.kind()))?.file_name();
        match name.to_str() {
            Some(name) if is_part(name) => names.push(name.to_owned()),
            Some(_) => {}
            None => return Err(Refusal::Unreadable(io::ErrorKind::InvalidFilename)),
        }
        if names.len() > MAX_VALUES {
            return Err(Refusal::TooMany);
        }
    }
    names.sort();
    Ok(names)
}

/// The file's bytes without one final newline; `None` where it is not there, is no file, or is empty.
fn read_value(root: &Path, path: &Path) -> Result<Option<Vec<u8>>, Refusal> {
    let Some(real) = below(root, path)? else { return Ok(None) };
    // To open a FIFO waits for its writer.
    if !there(fs::metadata(&real))?.is_some_and(|meta| meta.is_file()) {
        return Ok(None);
    }
    let Some(file) = there(File::open(real))? else { return Ok(None) };
    let unreadable = |error: io::Error| Refusal::Unreadable(error.kind());
    let meta = file.metadata().map_err(unreadable)?;
    if !meta.is_file() {
        return Ok(None);
    }
    if meta.len() > MAX_VALUE {
        return Err(Refusal::TooLarge);
    }
    // Room for all at once, so that no copy stays behind where a buffer grew.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_VALUE as usize + 1));
    file.take(MAX_VALUE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_VALUE {
        return Err(Refusal::TooLarge);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    Ok(if bytes.is_empty() { None } else { Some(std::mem::take(&mut *bytes)) })
}

/// The path without links, if it is there. One that leads out of `root` counts as unreadable.
fn below(root: &Path, path: &Path) -> Result<Option<PathBuf>, Refusal> {
    match there(path.canonicalize())? {
        Some(real) if real.starts_with(root) => Ok(Some(real)),
        Some(_) => Err(Refusal::Unreadable(io::ErrorKind::PermissionDenied)),
        None => Ok(None),
    }
}

fn there<T>(result: io::Result<T>) -> Result<Option<T>, Refusal> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(Refusal::Unreadable(error.kind())),
    }
}

#[cfg(test)]
mod tests;
