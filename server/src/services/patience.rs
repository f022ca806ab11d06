//! How long a caller's stream may stand still.

use std::time::Duration;

use tonic::{Status, Streaming};

use crate::status::ApiError;

/// A stream that brings nothing for so long is ended: an open call holds one of a bounded number of places.
const IDLE: Duration = Duration::from_secs(60);

/// The next message of a caller's stream; `None` at its end.
///
/// # Errors
/// The stream's own; [`ApiError::DeadlineExceeded`] where nothing came for a minute.
pub(super) async fn next<M>(stream: &mut Streaming<M>) -> Result<Option<M>, Status> {
    match tokio::time::timeout(IDLE, stream.message()).await {
        Ok(message) => message,
        Err(_) => Err(ApiError::DeadlineExceeded.into()),
    }
}
