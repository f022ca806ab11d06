//! What is known of the request that is being served, wherever its work is polled.

use std::sync::{Arc, OnceLock};

use dossier_bundle::names::OrgName;
use tokio::sync::watch;

tokio::task_local! {
    static REQUEST: Arc<Request>;
}

/// How many RPCs are open. The server ends when none is, so that none's work outlives it.
#[derive(Clone)]
pub(super) struct Open(watch::Sender<usize>);

impl Open {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(0))
    }

    /// Counts one RPC until what is returned is dropped.
    pub(super) fn enter(&self) -> Entered {
        self.0.send_modify(|open| *open += 1);
        Entered(self.0.clone())
    }

    /// Waits until none is open.
    pub(super) async fn none(&self) {
        // This value keeps the channel open.
        let _ = self.0.subscribe().wait_for(|open| *open == 0).await;
    }
}

/// An RPC that counts.
pub(super) struct Entered(watch::Sender<usize>);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.send_modify(|open| *open -= 1);
    }
}

/// A request, as the log names it.
pub(super) struct Request {
    /// Its id.
    pub(super) id: String,
    org: OnceLock<OrgName>,
}

impl Request {
    pub(super) fn new(id: String) -> Arc<Self> {
        Arc::new(Self { id, org: OnceLock::new() })
    }

    /// The first org that the request entered, or wanted to.
    pub(super) fn org(&self) -> Option<&OrgName> {
        self.org.get()
    }

    pub(super) fn note_org(&self, org: &OrgName) {
        // What is there already stays.
        let _ = self.org.set(org.clone());
    }
}

/// Does `work` with the current request, if there is one.
pub(super) fn current<T>(work: impl FnOnce(&Request) -> T) -> Option<T> {
    REQUEST.try_with(|request| work(request)).ok()
}

/// Makes `request` the current one while `work` is polled.
pub(super) async fn scope<F: Future>(request: Arc<Request>, work: F) -> F::Output {
    REQUEST.scope(request, work).await
}

/// Makes `request` the current one during `work`.
pub(super) fn sync_scope<T>(request: Arc<Request>, work: impl FnOnce() -> T) -> T {
    REQUEST.sync_scope(request, work)
}
