//! The indexes over bundles, derived from their records: by org and by run, newest first, and by digest.
//!
//! An entry is a key without content. It is written before its record and counts only where the record stands and was made at
//! the entry's time: what a create that never ended has left behind is passed over.

use bytes::Bytes;
use dossier_bundle::Digest;
use dossier_bundle::names::{BundleId, BundlePath, OrgName, RunName};
use dossier_store::{Engine, Key, PageToken, Store, keys};
use futures::StreamExt as _;

use super::record::BundleRecord;
use crate::status::ApiError;

/// How many records are read at the same time.
const PARALLEL: usize = 8;
/// The last millisecond that an inverted time can tell: in the year 2286.
const LAST: i64 = 9_999_999_999_999;

/// What to list.
pub(crate) struct Listing {
    /// The org.
    pub(crate) org: OrgName,
    /// One run of it.
    pub(crate) run: Option<RunName>,
    /// One digest.
    pub(crate) digest: Option<Digest>,
}

/// A page of bundles.
pub(crate) struct Listed {
    /// Newest first.
    pub(crate) records: Vec<BundleRecord>,
    /// Bundles whose record cannot be read.
    pub(crate) unreadable: Vec<BundlePath>,
    /// Where the next page begins.
    pub(crate) next: Option<PageToken>,
}

/// Writes the entries of a bundle that is about to be recorded.
///
/// # Errors
/// Those of the store.
pub(crate) async fn write(store: &Store, name: &BundlePath, record: &BundleRecord) -> Result<(), ApiError> {
    let keys = entries(name, record)?;
    let [by_org, by_run, by_digest] = &keys;
    let put = |key| store.engine().put(key, Bytes::from_static(b"{}\n"));
    futures::try_join!(put(by_org), put(by_run), put(by_digest))?;
    Ok(())
}

/// The keys of a bundle's entries.
///
/// # Errors
/// None for parsed names.
pub(super) fn entries(name: &BundlePath, record: &BundleRecord) -> Result<[Key; 3], ApiError> {
    let time = inverted(record);
    let whole = format!("{time}.{}.{}.json", name.run, name.bundle);
    let in_run = format!("{time}.{}.json", name.bundle);
    let org = name.org.as_str();
    let key = |parts: &[&str]| keys::index(org, parts).map_err(|_| ApiError::internal("an index entry has no key"));
    Ok([
        key(&["bundles", &whole])?,
        key(&["runs", name.run.as_str(), &in_run])?,
        key(&["digests", &record.digest.hex(), &whole])?,
    ])
}

/// Thirteen digits that fall as time rises.
fn inverted(record: &BundleRecord) -> String {
    format!("{:013}", LAST - record.create_time.timestamp_millis().clamp(0, LAST))
}

impl Listing {
    /// A page of at most `limit` bundles; fewer where entries are passed over.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn page(
        &self,
        store: &Store,
        token: Option<&PageToken>,
        limit: usize,
    ) -> Result<Listed, ApiError> {
        let hex = self.digest.map(|digest| digest.hex());
        let parts: Vec<&str> = match (&hex, &self.run) {
            (Some(hex), _) => vec!["digests", hex],
            (None, Some(run)) => vec!["runs", run.as_str()],
            (None, None) => vec!["bundles"],
        };
        let prefix = keys::index_prefix(self.org.as_str(), &parts);
        let prefix = prefix.map_err(|_| ApiError::internal("an index has no prefix"))?;
        let engine: &dyn Engine = store.engine().as_ref();
        let page = engine.list(&prefix, token, limit).await?;
        let named: Vec<(String, BundlePath)> =
            page.entries.iter().filter_map(|entry| self.name_of(&entry.key)).collect();
        let reads = named.into_iter().map(|(time, name)| async move {
            match super::find(store, &name).await {
                Ok(record) => Ok(record.filter(|record| inverted(record) == time).map(Ok)),
                // One damaged record must not hide all others.
                Err(ApiError::DataLoss { .. } | ApiError::Unimplemented { .. }) => Ok(Some(Err(name))),
                Err(error) => Err(error),
            }
        });
        let found: Vec<Result<Option<Result<BundleRecord, BundlePath>>, ApiError>> =
            futures::stream::iter(reads).buffered(PARALLEL).collect().await;
        let mut listed = Listed { records: Vec::new(), unreadable: Vec::new(), next: page.next };
        for one in found {
            match one? {
                Some(Ok(record)) => listed.records.push(record),
                Some(Err(name)) => listed.unreadable.push(name),
                None => {}
            }
        }
        Ok(listed)
    }

    /// The time and the bundle of an entry, where it belongs to this listing.
    fn name_of(&self, key: &Key) -> Option<(String, BundlePath)> {
        let file = key.segments().last()?.strip_suffix(".json")?;
        let mut parts = file.split('.');
        let time = parts.next()?.to_owned();
        let (run, bundle) = match (&self.digest, &self.run) {
            (None, Some(run)) => (run.clone(), parts.next()?),
            _ => (parts.next()?.parse::<RunName>().ok()?, parts.next()?),
        };
        let bundle: BundleId = bundle.parse().ok()?;
        let wanted = self.run.as_ref().is_none_or(|wanted| *wanted == run);
        (wanted && parts.next().is_none()).then(|| (time, BundlePath { org: self.org.clone(), run, bundle }))
    }
}
