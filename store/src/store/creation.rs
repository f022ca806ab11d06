//! Putting the blobs of a record so that no collection takes them.
//!
//! A collection takes what is old and named by no record. A create puts its blobs first, which makes them young, and
//! writes its record last. What is left is the moment between a collection's last look at an age and its delete: a put
//! that falls in there is lost. So a collection announces what it is about to delete in `gc.json`, and a create compares
//! the `gc.json` it knew before its first put with the one after its last. If it is the same and names none of its
//! blobs, no delete can have come between; if not, it waits for the announced deletes to end, puts all of its blobs
//! again, and looks again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use dossier_bundle::Digest;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};

use super::Store;
use super::recent::{Epoch, Org};
use crate::engine::check_size;
use crate::error::{Error, Result};
use crate::keys;

/// How many blobs are put at the same time.
const WRITERS: usize = 8;

/// The blobs of a create that is under way: put them, [`settle`](Self::settle), then write the record that names them.
///
/// It keeps the bytes (shared, not copied) until it is dropped, to put them again if need be.
pub struct Creation {
    store: Store,
    org: String,
    known: Arc<Org>,
    started: Instant,
    inner: Mutex<Inner>,
}

struct Inner {
    epoch: Epoch,
    blobs: BTreeMap<Digest, Bytes>,
}

impl Store {
    /// Begins a create in this org. Begin before the first put.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn begin_create(&self, org: &str) -> Result<Creation> {
        let known = self.org(org);
        let epoch = match known.epoch() {
            Some(epoch) => epoch,
            None => {
                let epoch = self.sweep(org).await?.epoch;
                known.observe(&epoch);
                epoch
            }
        };
        let inner = Mutex::new(Inner { epoch, blobs: BTreeMap::new() });
        Ok(Creation { store: self.clone(), org: org.to_owned(), known, started: Instant::now(), inner })
    }
}

impl Creation {
    /// Puts a blob, unless this process has put it less than a quarter of the grace time ago. May run concurrently.
    ///
    /// # Errors
    /// [`Error::TooLarge`] over 64 MiB; those of the engine.
    pub async fn put_blob(&self, bytes: Bytes) -> Result<Digest> {
        check_size(bytes.len() as u64)?;
        let digest = super::blob::digest_of(&bytes).await?;
        self.put(digest, bytes.clone(), false).await?;
        self.inner().blobs.insert(digest, bytes);
        Ok(digest)
    }

    /// Reads a blob that was uploaded before, checks it, and renews its age by putting it again, so that the record may
    /// name it.
    ///
    /// # Errors
    /// [`Error::BlobMissing`], [`Error::BlobCorrupt`], those of the engine.
    pub async fn renew_blob(&self, digest: &Digest) -> Result<Bytes> {
        let bytes = self.store.get_blob(&self.org, digest).await?;
        self.put(*digest, bytes.clone(), false).await?;
        self.inner().blobs.insert(*digest, bytes.clone());
        Ok(bytes)
    }

    /// Makes sure that no collection has taken, or is taking, any blob of this create. After this the record is written
    /// without delay.
    ///
    /// Waits while a collection announces one of the blobs; the caller's deadline is what bounds that.
    ///
    /// # Errors
    /// [`Error::TooSlow`] where the create has lasted longer than half the grace time; those of the engine.
    pub async fn settle(&self) -> Result<()> {
        let mut pause = Duration::from_millis(50);
        loop {
            let sweep = self.store.sweep(&self.org).await?;
            self.check_pace(&sweep.epoch)?;
            let (epoch, blobs) = {
                let inner = self.inner();
                (inner.epoch.clone(), inner.blobs.clone())
            };
            if blobs.keys().any(|digest| sweep.deleting.contains(digest)) {
                if self.store.clear_abandoned(&self.org, &sweep).await?.is_none() {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(2));
                }
                continue;
            }
            if sweep.epoch == epoch {
                return Ok(());
            }
            tracing::debug!(org = self.org, blobs = blobs.len(), "a collection was at work: blobs are put again");
            self.known.observe(&sweep.epoch);
            self.inner().epoch = sweep.epoch;
            let again = blobs.into_iter().map(|(digest, bytes)| self.put(digest, bytes, true));
            stream::iter(again).buffer_unordered(WRITERS).try_collect::<Vec<()>>().await?;
        }
    }

    async fn put(&self, digest: Digest, bytes: Bytes, again: bool) -> Result<()> {
        let (epoch, at) = (self.inner().epoch.clone(), Instant::now());
        if !again && self.known.has_put(&epoch, &digest, at) {
            return Ok(());
        }
        self.store.shared.engine.put(&keys::blob(&self.org, &digest)?, bytes).await?;
        self.known.note_put(&epoch, digest, at);
        Ok(())
    }

    fn check_pace(&self, epoch: &Epoch) -> Result<()> {
        let grace = epoch.grace;
        if self.started.elapsed() > grace / 2 { Err(Error::TooSlow { grace }) } else { Ok(()) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
