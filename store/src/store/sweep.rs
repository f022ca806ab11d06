//! `gc.json`: the grace time of an org, and the blobs that a collection is about to delete.

use std::collections::BTreeSet;
use std::time::Duration;

use dossier_bundle::Digest;
use serde_json::{Value, json};

use super::envelope::{Record, Stored};
use super::recent::Epoch;
use super::{Created, Store, Updated};
use crate::error::{Error, Result};
use crate::keys;

const KIND: &str = "GarbageCollection";

/// What `gc.json` says.
#[derive(Debug, Clone)]
pub(super) struct Sweep {
    pub(super) epoch: Epoch,
    /// The blobs of the round under way; empty between rounds.
    pub(super) deleting: BTreeSet<Digest>,
    stored: Stored,
}

impl Sweep {
    fn of(org: &str, stored: Stored) -> Result<Self> {
        let body = &stored.record.body;
        let grace = body.get("graceMilliseconds").and_then(Value::as_u64).map(Duration::from_millis);
        let deleting = body.get("deleting").and_then(Value::as_array);
        let deleting: Option<BTreeSet<Digest>> =
            deleting.and_then(|list| list.iter().map(|digest| digest.as_str()?.parse().ok()).collect());
        match (grace, deleting) {
            (Some(grace), Some(deleting)) if stored.record.kind == KIND => {
                let epoch = Epoch { nonce: stored.nonce.clone(), grace };
                Ok(Self { epoch, deleting, stored })
            }
            _ => Err(Error::Corrupt { key: keys::gc(org)?, what: "it does not describe a collection" }),
        }
    }
}

fn record(grace: Duration, deleting: &BTreeSet<Digest>) -> Record {
    let grace = u64::try_from(grace.as_millis()).unwrap_or(u64::MAX);
    let deleting: Vec<String> = deleting.iter().map(Digest::to_string).collect();
    // The digests stand in the body and not in `blobs`: they are to go, not to stay.
    Record { kind: KIND.to_owned(), blobs: Vec::new(), body: json!({"graceMilliseconds": grace, "deleting": deleting}) }
}

impl Store {
    /// Reads `gc.json`. Where there is none yet, writes it with the configured grace time, so that no collection can be
    /// less patient than the creates that have begun.
    pub(super) async fn sweep(&self, org: &str) -> Result<Sweep> {
        let key = keys::gc(org)?;
        let stored = match self.read_record(&key).await? {
            Some(stored) => stored,
            None => match self.create_record(&key, record(self.options().gc_grace, &BTreeSet::new())).await? {
                Created::Created(stored) | Created::Exists(stored) => stored,
            },
        };
        Sweep::of(org, stored)
    }

    /// Writes the list of `gc.json` if it is still as in `from`; `None` where another has written it since.
    pub(super) async fn set_deleting(
        &self,
        org: &str,
        from: &Sweep,
        deleting: &BTreeSet<Digest>,
    ) -> Result<Option<Sweep>> {
        let change = |stored: Option<&Stored>| {
            let same = stored.is_some_and(|stored| stored.nonce == from.epoch.nonce);
            Ok::<_, Error>(same.then(|| record(from.epoch.grace, deleting)))
        };
        match self.update_record(&keys::gc(org)?, change).await? {
            Updated::Written(stored) => Sweep::of(org, stored).map(Some),
            Updated::Unchanged(_) => Ok(None),
        }
    }

    /// Empties a list whose collection has died. `None` where it is alive, or somebody else was faster.
    pub(super) async fn clear_abandoned(&self, org: &str, sweep: &Sweep) -> Result<Option<Sweep>> {
        let Some(modified) = sweep.stored.modified else { return Ok(None) };
        let age = self.shared.engine.now().await?.duration_since(modified).unwrap_or_default();
        if age <= self.options().gc_round * 3 {
            return Ok(None);
        }
        tracing::warn!(org, blobs = sweep.deleting.len(), "a collection died; its list is emptied");
        self.set_deleting(org, sweep, &BTreeSet::new()).await
    }
}
