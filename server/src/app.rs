//! What handlers work with.

use std::sync::Arc;
use std::time::Duration;

use dossier_store::{Engine, LocalEngine, RandomNonces, S3Engine, Store, StoreOptions, probe};

use crate::clock::{Clock, Ids};
use crate::config::{Config, Location};
use crate::identity::Tokens;
use crate::secrets::MountedSecrets;

/// Settings and components, as they were injected. Cheap to clone.
#[derive(Clone)]
pub struct App {
    /// Blobs and records.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Ids and other random bytes.
    pub ids: Arc<dyn Ids>,
    /// The settings.
    pub config: Arc<Config>,
    /// The credentials.
    pub tokens: Arc<Tokens>,
    /// The values of denied Secrets and ConfigMaps that are mounted.
    pub secrets: MountedSecrets,
}

impl App {
    /// An app on `store`.
    #[must_use]
    pub fn new(store: Store, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>, config: Config) -> Self {
        let fresh = Duration::from_secs(config.identity.cache_seconds.into());
        let tokens = Tokens::new(store.clone(), Arc::clone(&clock), Arc::clone(&ids), fresh);
        let secrets = MountedSecrets::new(config.redaction.secrets_dir.clone());
        Self { store, clock, ids, config: Arc::new(config), tokens: Arc::new(tokens), secrets }
    }
}

/// Opens the store of a place, without finding out whether its conditions hold.
///
/// # Errors
/// The engine's, where it cannot be opened.
pub async fn open_store(config: &Config, location: &Location) -> dossier_store::Result<Store> {
    let engine: Arc<dyn Engine> = match location {
        Location::Directory(dir) => Arc::new(LocalEngine::open(dir)?),
        Location::Bucket(s3) => Arc::new(S3Engine::connect(s3.clone()).await?),
    };
    let gc_grace = Duration::from_secs(config.store.gc_grace_seconds.into());
    let options = StoreOptions { gc_grace, ..StoreOptions::default() };
    Ok(Store::new(engine, options, Arc::new(RandomNonces)))
}

/// Finds out whether the store's conditions hold; nothing may be served where they do not.
///
/// # Errors
/// The engine's, or that they do not hold.
pub async fn probe_store(store: &Store) -> dossier_store::Result<()> {
    probe(store.engine().as_ref(), &RandomNonces).await
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::clock::{SystemClock, SystemIds};

    /// An app on a directory that goes with the first value.
    pub(crate) fn app(config: Config) -> (tempfile::TempDir, App) {
        let dir = tempfile::tempdir().unwrap();
        let engine = Arc::new(LocalEngine::open(&dir.path().join("data")).unwrap());
        let store = Store::new(engine, StoreOptions::default(), Arc::new(RandomNonces));
        (dir, App::new(store, Arc::new(SystemClock), Arc::new(SystemIds), config))
    }
}
