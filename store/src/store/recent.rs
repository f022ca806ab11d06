//! What a process remembers of an org, so that it need not put the same blob twice.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dossier_bundle::Digest;

/// How many puts are remembered before all are forgotten.
const REMEMBERED: usize = 65_536;

/// One state of an org's `gc.json`. While it stands, no collection begins or ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Epoch {
    /// The nonce of the record.
    pub(super) nonce: String,
    /// The org's grace time.
    pub(super) grace: Duration,
}

/// What this process knows of one org.
#[derive(Debug, Default)]
pub(super) struct Org(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    epoch: Option<Epoch>,
    /// Blobs put by this process within `epoch`, with when.
    put: HashMap<Digest, Instant>,
}

impl Org {
    /// The state of `gc.json` as this process last saw it.
    pub(super) fn epoch(&self) -> Option<Epoch> {
        self.known().epoch.clone()
    }

    /// Takes note of a state of `gc.json`. If it is another than before, a collection has been at work, and no earlier
    /// put counts any more.
    pub(super) fn observe(&self, epoch: &Epoch) {
        let mut known = self.known();
        if known.epoch.as_ref() != Some(epoch) {
            known.put.clear();
            known.epoch = Some(epoch.clone());
        }
    }

    /// Whether this process put the blob within this epoch and less than a quarter of the grace time ago.
    pub(super) fn has_put(&self, epoch: &Epoch, digest: &Digest, now: Instant) -> bool {
        let known = self.known();
        known.epoch.as_ref() == Some(epoch)
            && known.put.get(digest).is_some_and(|at| now.saturating_duration_since(*at) < epoch.grace / 4)
    }

    /// Takes note of a put that began at `at`, within `epoch`.
    pub(super) fn note_put(&self, epoch: &Epoch, digest: Digest, at: Instant) {
        let mut known = self.known();
        if known.epoch.as_ref() == Some(epoch) {
            if known.put.len() >= REMEMBERED {
                known.put.clear();
            }
            known.put.insert(digest, at);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_put_counts_for_a_quarter_of_the_grace_and_within_its_epoch() {
        let (org, digest, start) = (Org::default(), Digest::of(b"a"), Instant::now());
        let epoch = |nonce: &str| Epoch { nonce: nonce.to_owned(), grace: Duration::from_secs(40) };
        org.note_put(&epoch("1"), digest, start);
        assert!(!org.has_put(&epoch("1"), &digest, start), "an epoch that nobody has seen");
        org.observe(&epoch("1"));
        org.note_put(&epoch("1"), digest, start);
        assert!(org.has_put(&epoch("1"), &digest, start + Duration::from_secs(9)));
        assert!(!org.has_put(&epoch("1"), &digest, start + Duration::from_secs(10)));
        org.observe(&epoch("2"));
        assert!(!org.has_put(&epoch("1"), &digest, start));
        assert!(!org.has_put(&epoch("2"), &digest, start));
        org.note_put(&epoch("1"), digest, start);
        assert!(!org.has_put(&epoch("2"), &digest, start), "a put of an earlier epoch that ended late");
    }
}
