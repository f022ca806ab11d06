//! Bundles as they are kept: records, the indexes derived from them, and their bytes.

mod index;
mod record;
mod reindex;

use bytes::Bytes;
use dossier_bundle::Digest;
use dossier_bundle::names::BundlePath;
use dossier_store::{Store, keys};

use crate::status::ApiError;

pub(crate) use index::{Listing, write as write_index};
pub(crate) use record::{BundleRecord, FoundThen};
pub use reindex::{Reindexed, reindex};

/// Reads a bundle's record.
///
/// # Errors
/// [`ApiError::NotFound`] where there is none; those of the store.
pub(crate) async fn record(store: &Store, name: &BundlePath) -> Result<BundleRecord, ApiError> {
    find(store, name).await?.ok_or_else(|| ApiError::not_found("bundle", name.to_string()))
}

/// Reads a bundle's record, if there is one.
///
/// # Errors
/// Those of the store.
pub(crate) async fn find(store: &Store, name: &BundlePath) -> Result<Option<BundleRecord>, ApiError> {
    match store.read_record(&key(name)?).await? {
        Some(stored) => BundleRecord::read(name, &stored).map(Some),
        None => Ok(None),
    }
}

/// The key of a bundle's record.
///
/// # Errors
/// None for parsed names.
pub(crate) fn key(name: &BundlePath) -> Result<dossier_store::Key, ApiError> {
    keys::bundle(name.org.as_str(), name.run.as_str(), name.bundle.as_str())
        .map_err(|_| ApiError::internal("a bundle has no key"))
}

/// The bytes of a blob as they are, unchecked: for a verifier, which checks them itself. `None` where they are gone.
///
/// # Errors
/// Those of the store.
pub(crate) async fn raw_blob(store: &Store, name: &BundlePath, digest: &Digest) -> Result<Option<Bytes>, ApiError> {
    let key = keys::blob(name.org.as_str(), digest).map_err(|_| ApiError::internal("a blob has no key"))?;
    match store.engine().get(&key).await {
        Ok(object) => Ok(object.map(|object| object.bytes)),
        // No blob was ever put that large, or as something else than a file: it is not what was put.
        Err(dossier_store::Error::TooLarge { .. } | dossier_store::Error::Unreadable { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
