//! `dossierd`: serving.

use std::sync::Arc;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::app::{App, open_store, probe_store};
use crate::clock::{SystemClock, SystemIds};
use crate::config::{Config, Dirs, Location};
use crate::identity::{admin_token, default_token_file};
use crate::serve::{check_tls, run};

/// Serves until SIGTERM or SIGINT. Prints its line when the certificate is read, the store is probed, the admin token is there,
/// and the listener is bound.
///
/// # Errors
/// Whatever keeps it from serving.
pub async fn serve(config: Config, dirs: &Dirs) -> anyhow::Result<()> {
    check_tls(&config.server)?;
    let location = Location::of(&config, dirs)?;
    let store = open_store(&config, &location).await.with_context(|| format!("opening the {location}"))?;
    probe_store(&store).await.with_context(|| format!("probing the {location}"))?;
    let app = App::new(store, Arc::new(SystemClock), Arc::new(SystemIds), config);
    // Before the token: a server that cannot listen leaves nothing behind that looks like its credential.
    let asked = app.config.server.listen;
    let listener = TcpListener::bind(asked).await.with_context(|| format!("listening on {asked}"))?;
    let token_file = match app.config.identity.admin_token {
        true => {
            let file = default_token_file(&app.config, &location, dirs)?;
            let file = std::path::absolute(file)?;
            admin_token(&app.tokens, &file).await?;
            Some(file)
        }
        false => None,
    };
    let listening = listener.local_addr()?;
    // Before the line: whoever reads it may stop the server at once.
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let shutdown = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    tracing::info!(%listening, store = %location, tls = app.config.server.tls_cert.is_some(), "ready");
    let line = serde_json::json!({ "listening": listening.to_string(), "token_file": token_file });
    super::print(&format!("{line}\n"))?;
    Ok(run(listener, app, shutdown).await?)
}
