//! Blobs: immutable bytes named by their SHA-256 within one org.

use std::ops::Range;

use bytes::Bytes;
use dossier_bundle::Digest;

use super::Store;
use crate::error::{Error, Result};
use crate::keys;

/// From this size on hashing would hold up other work, and runs on a thread where it may.
const LARGE: usize = 256 << 10;

impl Store {
    /// Puts one blob that no record will name at once: an upload. It lives for the grace time, or as long as a record
    /// names it. The blobs of a record go through [`begin_create`](Self::begin_create) instead.
    ///
    /// # Errors
    /// [`Error::TooLarge`] over 64 MiB; those of the engine.
    pub async fn put_blob(&self, org: &str, bytes: Bytes) -> Result<Digest> {
        let creation = self.begin_create(org).await?;
        let digest = creation.put_blob(bytes).await?;
        creation.settle().await?;
        Ok(digest)
    }

    /// Reads a whole blob and checks it against its digest.
    ///
    /// # Errors
    /// [`Error::BlobMissing`], [`Error::BlobCorrupt`], those of the engine.
    pub async fn get_blob(&self, org: &str, digest: &Digest) -> Result<Bytes> {
        let object = match self.shared.engine.get(&keys::blob(org, digest)?).await {
            Ok(Some(object)) => object,
            Ok(None) => return Err(Error::BlobMissing { digest: *digest }),
            // None was ever put that large.
            Err(Error::TooLarge { .. }) => return Err(Error::BlobCorrupt { digest: *digest }),
            Err(error) => return Err(error),
        };
        if digest_of(&object.bytes).await? == *digest {
            Ok(object.bytes)
        } else {
            Err(Error::BlobCorrupt { digest: *digest })
        }
    }

    /// A blob's size in bytes, as the engine has it. Not checked.
    ///
    /// # Errors
    /// [`Error::BlobMissing`], those of the engine.
    pub async fn blob_size(&self, org: &str, digest: &Digest) -> Result<u64> {
        let meta = self.shared.engine.head(&keys::blob(org, digest)?).await?;
        meta.map(|meta| meta.size).ok_or(Error::BlobMissing { digest: *digest })
    }

    /// A part of a blob, shorter or empty where the range reaches past the end. **Not verified**: a part cannot be checked
    /// against the digest of the whole, so only who checks the whole afterwards may use it.
    ///
    /// # Errors
    /// [`Error::BlobMissing`], those of the engine.
    pub async fn get_blob_range(&self, org: &str, digest: &Digest, range: Range<u64>) -> Result<Bytes> {
        let bytes = self.shared.engine.get_range(&keys::blob(org, digest)?, range).await?;
        bytes.ok_or(Error::BlobMissing { digest: *digest })
    }
}

pub(super) async fn digest_of(bytes: &Bytes) -> Result<Digest> {
    if bytes.len() < LARGE {
        return Ok(Digest::of(bytes));
    }
    let bytes = bytes.clone();
    let hashed = tokio::task::spawn_blocking(move || Digest::of(&bytes)).await;
    hashed.map_err(|_| Error::Unavailable { operation: "hash", reason: "the task was cut off".to_owned() })
}
