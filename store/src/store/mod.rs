//! Blobs, records and their collection, on any engine.

mod blob;
mod creation;
mod envelope;
mod gc;
mod recent;
mod record;
mod sweep;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::engine::Engine;
use crate::key::Key;
use crate::nonce::Nonces;
use recent::Org;

pub use creation::Creation;
pub use envelope::{Record, Stored, decode as decode_record, encode as encode_record};
pub use gc::GcReport;
pub use record::{Created, RecordPage, Updated};

/// How many queues writers of this process stand in, by key.
const QUEUES: usize = 1024;

/// What a [`Store`] may be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreOptions {
    /// How old a blob that no record names must be before it is collected. The first writer of an org writes it into the
    /// bucket, and the bucket's value is what counts from then on. Default: 24 hours.
    pub gc_grace: Duration,
    /// How many blobs one round of a collection takes; `gc.json` lists that many digests. Default: 500.
    pub gc_batch: usize,
    /// How long one round of a collection may last. One that has lasted three times as long was killed, and whoever
    /// meets its list clears it. Default: 5 minutes.
    pub gc_round: Duration,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { gc_grace: Duration::from_secs(24 * 3600), gc_batch: 500, gc_round: Duration::from_secs(300) }
    }
}

/// Blobs, records and their collection. Cheap to clone; all clones share one engine.
///
/// Any number of processes may use one bucket or directory. Inside a process, writers of one key queue up.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    engine: Arc<dyn Engine>,
    options: StoreOptions,
    nonces: Arc<dyn Nonces>,
    queues: Vec<tokio::sync::Mutex<()>>,
    orgs: Mutex<HashMap<String, Arc<Org>>>,
}

impl Store {
    /// A store on `engine`, with nonces from `nonces`.
    #[must_use]
    pub fn new(engine: Arc<dyn Engine>, options: StoreOptions, nonces: Arc<dyn Nonces>) -> Self {
        let queues = (0..QUEUES).map(|_| tokio::sync::Mutex::new(())).collect();
        Self { shared: Arc::new(Shared { engine, options, nonces, queues, orgs: Mutex::default() }) }
    }

    /// The engine below, for what is neither a blob nor a record.
    #[must_use]
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.shared.engine
    }

    fn options(&self) -> &StoreOptions {
        &self.shared.options
    }

    /// What this process remembers of an org.
    fn org(&self, org: &str) -> Arc<Org> {
        let mut orgs = self.shared.orgs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = orgs.get(org) {
            return Arc::clone(known);
        }
        Arc::clone(orgs.entry(org.to_owned()).or_default())
    }

    /// Waits for the other writers of this key in this process.
    async fn queue(&self, key: &Key) -> tokio::sync::MutexGuard<'_, ()> {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let at = usize::try_from(hasher.finish() % QUEUES as u64).unwrap_or(0);
        self.shared.queues[at].lock().await
    }
}
