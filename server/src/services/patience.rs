//! How long a caller's stream may stand still.

use std::time::Duration;

use tonic::{Status, Streaming};

use crate::app::App;
use crate::status::ApiError;

/// The next message of a caller's stream; `None` at its end. A stream that brings nothing for the configured time is ended: an
/// open call holds one of a bounded number of places.
///
/// # Errors
/// The stream's own; [`ApiError::DeadlineExceeded`] where nothing came for so long.
pub(super) async fn next<M>(app: &App, stream: &mut Streaming<M>) -> Result<Option<M>, Status> {
    let idle = Duration::from_secs(app.config.server.stream_idle_seconds.into());
    match tokio::time::timeout(idle, stream.message()).await {
        Ok(message) => message,
        Err(_) => Err(ApiError::DeadlineExceeded.into()),
    }
}
