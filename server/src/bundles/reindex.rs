//! Makes the indexes anew from the records.

use dossier_bundle::names::BundlePath;
use dossier_store::{Key, Store};
use futures::{StreamExt as _, TryStreamExt as _};

use super::index;
use crate::status::ApiError;

/// What reindexing came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reindexed {
    /// Bundles whose entries were written.
    pub bundles: u64,
    /// Entries without a record, deleted.
    pub stale: u64,
}

/// Writes the entries of all bundles, and deletes entries that no record stands behind. Entries of creates that are under way
/// are left: only what is older than an hour by the store's clock is stale.
///
/// # Errors
/// Those of the store.
pub async fn reindex(store: &Store) -> Result<Reindexed, ApiError> {
    let mut done = Reindexed::default();
    let mut stale = Vec::new();
    let now = store.engine().now().await?;
    let mut all = std::pin::pin!(store.list_all("orgs/"));
    while let Some(entry) = all.try_next().await? {
        if let Some(name) = bundle_of(&entry.key) {
            if let Some(record) = super::find(store, &name).await? {
                index::write(store, &name, &record).await?;
                done.bundles += 1;
            }
        } else if is_entry(&entry.key) {
            let age = now.duration_since(entry.modified).unwrap_or_default();
            if age.as_secs() > 3_600 {
                stale.push(entry.key);
            }
        }
    }
    // Entries were listed before all records may have been: each is looked at once more.
    let mut old = futures::stream::iter(stale);
    while let Some(key) = old.next().await {
        if !is_backed(store, &key).await? {
            store.engine().delete(&key).await?;
            done.stale += 1;
        }
    }
    Ok(done)
}

/// The bundle that a key is the record of.
fn bundle_of(key: &Key) -> Option<BundlePath> {
    let text = key.as_str().strip_suffix(".json")?;
    text.parse().ok()
}

fn is_entry(key: &Key) -> bool {
    let segments: Vec<&str> = key.segments().collect();
    matches!(segments[..], ["orgs", _, "index", "bundles" | "runs" | "digests", ..])
}

/// Whether an entry is one of those that its bundle's record gives.
async fn is_backed(store: &Store, key: &Key) -> Result<bool, ApiError> {
    let segments: Vec<&str> = key.segments().collect();
    let Some(file) = segments.last().and_then(|file| file.strip_suffix(".json")) else { return Ok(false) };
    let parts: Vec<&str> = file.split('.').collect();
    let (run, bundle) = match (&segments[..], &parts[..]) {
        ([_, _, _, "runs", run, _], [_, bundle]) => (*run, *bundle),
        (_, [_, run, bundle]) => (*run, *bundle),
        _ => return Ok(false),
    };
    let Ok(name) = format!("orgs/{}/runs/{run}/bundles/{bundle}", segments.get(1).copied().unwrap_or_default()).parse()
    else {
        return Ok(false);
    };
    match super::find(store, &name).await? {
        Some(record) => Ok(index::entries(&name, &record)?.contains(key)),
        None => Ok(false),
    }
}
