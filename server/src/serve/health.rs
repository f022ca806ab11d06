//! Health that is true to the store's state.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use dossier_store::{Key, Store};
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::{Health as HealthRpc, HealthServer};
use tonic_health::server::{HealthReporter, HealthService};

use crate::identity::services;

/// How often the store is asked.
const EVERY: Duration = Duration::from_secs(5);
/// How long its answer may take.
const WITHIN: Duration = Duration::from_secs(5);

/// What is told of the server's state.
pub(super) struct Health {
    store: Store,
    reporter: HealthReporter,
    key: Key,
    serving: AtomicBool,
}

impl Health {
    /// Writes the object that later checks read: only an object that must be there tells a store from an empty place.
    pub(super) async fn new(store: Store) -> dossier_store::Result<Self> {
        let key = Key::of(&["probe", "health.json"])?;
        store.engine().create(&key, Bytes::from_static(b"{}")).await?;
        let health = Self { store, reporter: HealthReporter::new(), key, serving: AtomicBool::new(true) };
        health.report(true).await;
        Ok(health)
    }

    pub(super) fn service(&self) -> HealthServer<impl HealthRpc> {
        HealthServer::new(HealthService::from_health_reporter(self.reporter.clone()))
    }

    /// Asks the store now and again, and tells what it found. Ends only by being dropped.
    pub(super) async fn watch(&self) {
        loop {
            tokio::time::sleep(EVERY).await;
            let there = match tokio::time::timeout(WITHIN, self.store.engine().get(&self.key)).await {
                Ok(Ok(found)) => found.is_some(),
                Ok(Err(_)) | Err(_) => false,
            };
            if self.serving.swap(there, Ordering::Relaxed) != there {
                match there {
                    true => tracing::info!("the store answers again"),
                    false => tracing::error!("the store does not answer"),
                }
                self.report(there).await;
            }
        }
    }

    /// Tells that the server stops.
    pub(super) async fn stop(&self) {
        self.report(false).await;
    }

    async fn report(&self, serving: bool) {
        let status = if serving { ServingStatus::Serving } else { ServingStatus::NotServing };
        for name in services() {
            self.reporter.set_service_status(name, status).await;
        }
    }
}
