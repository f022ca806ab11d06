//! Serves an [`App`] on a listener until it is told to stop.
//!
//! [`run`] owns everything that lasts: connections ([`connection`]), the state of health ([`health`]) and the order of
//! stopping. [`guard`] stands before every RPC and [`body`] after it, [`whole`] tells a request's
//! end from its breaking off; nothing here spawns a task for one, so that an RPC's
//! work ends when its caller is gone, its deadline has passed, or its connection is cut.

mod body;
mod connection;
mod context;
mod deadline;
mod foreign;
mod guard;
mod health;
mod reaper;
mod tls;
mod whole;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use dossier_bundle::names::OrgName;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::clock::NoEntropy;
use crate::config::ServerConfig;
use crate::services;
use context::Open;
use guard::GuardLayer;
use reaper::Reaper;

pub use tls::TlsError;

/// How long connections that were cut may take to end.
const CUT: Duration = Duration::from_secs(2);

/// Why the server cannot serve, or stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The certificate or the key cannot be used. *Fix* the configuration.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The transport failed.
    #[error("the transport failed: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// The descriptors of the API cannot be served. *Fatal*: a bug.
    #[error("reflection cannot be served")]
    Reflection,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] dossier_store::Error),
    /// There is no randomness.
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
}

/// Whether what the configuration names for TLS can be used, for whoever says that the server is ready before it [`run`]s.
///
/// # Errors
/// [`ServeError::Tls`].
pub fn check_tls(server: &ServerConfig) -> Result<(), ServeError> {
    tls::builder(server)?;
    Ok(())
}

/// Serves until `shutdown` completes; then refuses new RPCs, lets open ones go on for the drain time, and cuts the rest.
///
/// # Errors
/// [`ServeError`] where it cannot start, or the transport fails.
pub async fn run(listener: TcpListener, app: App, shutdown: impl Future<Output = ()>) -> Result<(), ServeError> {
    let draining = CancellationToken::new();
    let cut = CancellationToken::new();
    // Whoever drops this future cuts its connections too.
    let _cut_on_drop = cut.clone().drop_guard();
    let settings = Arc::clone(&app.config);
    let server = &settings.server;

    let health = health::Health::new(app.store.clone()).await?;
    let routes = services::routes(&app, health.service()).map_err(|_| ServeError::Reflection)?;
    let (open, reaper) = (Open::new(), Reaper::default());
    let guard = GuardLayer::new(&app, draining.clone(), open.clone(), reaper.clone())?;
    let serving = tls::builder(server)?
        .layer(guard)
        .max_concurrent_streams(server.max_streams_per_connection)
        .http2_keepalive_interval(Some(Duration::from_secs(server.keepalive_seconds.into())))
        .http2_keepalive_timeout(Some(Duration::from_secs(server.keepalive_timeout_seconds.into())))
        .add_routes(routes)
        .serve_with_incoming_shutdown(
            connection::accept(listener, server.max_connections, cut.clone()),
            draining.clone().cancelled_owned(),
        );
    tokio::pin!(serving);

    tokio::select! {
        stopped = &mut serving => return Ok(stopped?),
        () = health.watch() => {}
        () = reaper.run() => {}
        () = shutdown => {}
    }
    tracing::info!(grace_seconds = server.drain_seconds, "draining");
    health.stop().await;
    draining.cancel();
    let grace = Duration::from_secs(server.drain_seconds.into());
    if let Ok(stopped) = tokio::time::timeout(grace, &mut serving).await {
        tracing::info!("drained");
        return Ok(stopped?);
    }
    tracing::warn!("the drain time is over; cutting what is open");
    cut.cancel();
    // The connections end, and with them the work of what was open.
    match tokio::time::timeout(CUT, async { tokio::join!(&mut serving, open.none()) }).await {
        Ok((stopped, ())) => Ok(stopped?),
        Err(_) => Ok(()),
    }
}

/// The id of the request that is being served, as the log has it.
pub(crate) fn request_id() -> Option<String> {
    context::current(|request| request.id.clone())
}

/// Notes for the log in which org the request that is being served acts.
pub(crate) fn note_org(org: &OrgName) {
    context::current(|request| request.note_org(org));
}
