//! Collecting blobs that no record names. [`creation`](super::creation) tells what keeps it from taking too much.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant, SystemTime};

use dossier_bundle::Digest;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use serde_json::Value;

use super::Store;
use super::sweep::Sweep;
use crate::engine::Entry;
use crate::error::{Error, Result};
use crate::key::Key;
use crate::keys;

/// How many objects are read or deleted at the same time.
const WORKERS: usize = 16;

/// What a collection did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GcReport {
    /// Blobs looked at.
    pub scanned: u64,
    /// Records read.
    pub records: u64,
    /// Blobs deleted.
    pub collected: u64,
    /// Their size, in bytes.
    pub bytes: u64,
}

/// What may go, while the records are being read.
#[derive(Default)]
struct Candidates {
    /// Old blobs, and refused ones of any age, with their size.
    blobs: BTreeMap<Digest, u64>,
    refused: BTreeSet<Digest>,
}

impl Store {
    /// Deletes the blobs of an org that no record names and that are older than `grace`, and those marked refused at any
    /// age. Every record below `orgs/{org}/` protects the blobs that it lists, but for those below `uploads/` and
    /// `index/`. Memory grows with the number of old blobs, some 100 bytes each.
    ///
    /// May run while creates do, in this or any other process; killed, it leaves nothing that must be repaired by hand.
    ///
    /// # Errors
    /// [`Error::GraceTooShort`] where `grace` is less than the bucket's; [`Error::GcRunning`]; [`Error::Corrupt`] where a
    /// record cannot be read, since it might name any blob (nothing is deleted then); those of the engine.
    #[tracing::instrument(skip(self, grace), fields(grace_seconds = grace.as_secs()))]
    pub async fn gc(&self, org: &str, grace: Duration) -> Result<GcReport> {
        let mut sweep = self.sweep(org).await?;
        if grace < sweep.epoch.grace {
            return Err(Error::GraceTooShort { asked: grace, bucket: sweep.epoch.grace });
        }
        if !sweep.deleting.is_empty() {
            sweep = self.clear_abandoned(org, &sweep).await?.ok_or(Error::GcRunning)?;
        }
        // Blobs before records: what a create has put before this moment is young, or its record is already there.
        let mut report = GcReport::default();
        let mut candidates = self.candidates(org, grace, &mut report).await?;
        self.strike_named(org, &mut candidates, &mut report).await?;

        let all: Vec<(Digest, u64)> = candidates.blobs.iter().map(|(digest, size)| (*digest, *size)).collect();
        for batch in all.chunks(self.options().gc_batch.max(1)) {
            sweep = self.delete_batch(org, grace, &sweep, batch, &candidates.refused, &mut report).await?;
        }
        tracing::info!(org, ?report, "collected");
        Ok(report)
    }

    async fn candidates(&self, org: &str, grace: Duration, report: &mut GcReport) -> Result<Candidates> {
        let mut found = Candidates { refused: self.refused(org).await?, ..Candidates::default() };
        let now = self.shared.engine.now().await?;
        let prefix = keys::blob_prefix(org)?;
        let mut entries = std::pin::pin!(self.list_all(&prefix));
        while let Some(entry) = entries.try_next().await? {
            let Some(digest) = keys::blob_digest(&entry.key) else { continue };
            report.scanned += 1;
            if found.refused.contains(&digest) || is_old(entry.modified, now, grace) {
                found.blobs.insert(digest, entry.size);
            }
        }
        Ok(found)
    }

    /// The blobs that uploads have marked refused.
    async fn refused(&self, org: &str) -> Result<BTreeSet<Digest>> {
        let prefix = keys::uploads_prefix(org)?;
        let read = |entry: Entry| async move {
            let name = entry.key.segments().last().and_then(|name| name.strip_suffix(".json"));
            let digest = name.and_then(|hex| Digest::from_hex(hex).ok());
            let stored = self.read_record(&entry.key).await?;
            let refused = stored.is_some_and(|stored| stored.record.body.get("refused") == Some(&Value::Bool(true)));
            Ok::<_, Error>(digest.filter(|_| refused))
        };
        let found = self.list_all(&prefix).map_ok(read).try_buffer_unordered(WORKERS);
        found.try_filter_map(|digest| async move { Ok(digest) }).try_collect().await
    }

    /// Takes away what some record names.
    async fn strike_named(&self, org: &str, candidates: &mut Candidates, report: &mut GcReport) -> Result<()> {
        let prefix = keys::org_prefix(org)?;
        let apart = ["blobs/", "uploads/", "index/"].map(|folder| format!("{prefix}{folder}"));
        let is_record =
            |key: &Key| key.as_str().ends_with(".json") && !apart.iter().any(|folder| key.as_str().starts_with(folder));
        let read = |entry: Entry| async move {
            let stored = self.read_record(&entry.key).await?;
            Ok::<_, Error>((entry.key, stored.map(|stored| stored.record.blobs).unwrap_or_default()))
        };
        let records = self.list_all(&prefix).try_filter(|entry| std::future::ready(is_record(&entry.key)));
        let mut records = std::pin::pin!(records.map_ok(read).try_buffer_unordered(WORKERS));
        while let Some((key, blobs)) = records.try_next().await? {
            report.records += 1;
            for digest in blobs {
                if candidates.refused.contains(&digest) {
                    tracing::error!(record = %key, blob = %digest, "a record names a refused upload, which stays");
                }
                candidates.blobs.remove(&digest);
            }
        }
        Ok(())
    }

    /// One round: announces, looks at each age once more, deletes, and takes the announcement back.
    async fn delete_batch(
        &self,
        org: &str,
        grace: Duration,
        sweep: &Sweep,
        batch: &[(Digest, u64)],
        refused: &BTreeSet<Digest>,
        report: &mut GcReport,
    ) -> Result<Sweep> {
        let started = Instant::now();
        let deleting: BTreeSet<Digest> = batch.iter().map(|(digest, _)| *digest).collect();
        let announced = self.set_deleting(org, sweep, &deleting).await?.ok_or(Error::GcRunning)?;
        // Read after the announcement and before any age: a later put can only look younger.
        let now = self.shared.engine.now().await?;
        let delete = |(digest, size): (Digest, u64)| async move {
            // Past its time the round may be taken for dead, and its list emptied by a create.
            if started.elapsed() > self.options().gc_round {
                return Ok(None);
            }
            let key = keys::blob(org, &digest)?;
            let Some(meta) = self.shared.engine.head(&key).await? else { return Ok(None) };
            if !refused.contains(&digest) && !is_old(meta.modified, now, grace) {
                return Ok(None);
            }
            self.shared.engine.delete(&key).await?;
            Ok::<_, Error>(Some(size))
        };
        let mut deletes = stream::iter(batch.iter().copied()).map(delete).buffer_unordered(WORKERS);
        let mut failed = None;
        while let Some(done) = deletes.next().await {
            match done {
                Ok(Some(size)) => {
                    report.collected += 1;
                    report.bytes += size;
                }
                Ok(None) => {}
                Err(error) => failed = Some(error),
            }
        }
        if let Some(error) = failed {
            // A delete without a reply may still happen, so the announcement stays until it counts as abandoned.
            return Err(error);
        }
        self.set_deleting(org, &announced, &BTreeSet::new()).await?.ok_or(Error::GcRunning)
    }
}

fn is_old(modified: SystemTime, now: SystemTime, grace: Duration) -> bool {
    now.duration_since(modified).is_ok_and(|age| age > grace)
}
