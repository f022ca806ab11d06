//! What the store's errors are to a caller.

use std::time::Duration;

use dossier_store::Error;

use super::{Action, ApiError};

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match &error {
            Error::Unavailable { operation, reason } => {
                tracing::warn!(operation, reason, "the store is unavailable");
                Self::Unavailable {
                    reason: "STORE_UNAVAILABLE",
                    detail: "the store is unavailable",
                    retry_after: Duration::from_secs(1),
                }
            }
            Error::Denied { operation, reason } => {
                tracing::error!(operation, reason, "the store denies access");
                Self::Unavailable {
                    reason: "STORE_DENIES_ACCESS",
                    detail: "the store denies the server access",
                    retry_after: Duration::from_secs(30),
                }
            }
            Error::Full => {
                tracing::error!("the store is full");
                Self::ResourceExhausted {
                    reason: "STORE_FULL",
                    subject: "store".to_owned(),
                    detail: "no room is left".to_owned(),
                    retry_after: Some(Duration::from_secs(60)),
                }
            }
            Error::TooLarge { size, limit } => Self::ResourceExhausted {
                reason: "VALUE_TOO_LARGE",
                subject: "store".to_owned(),
                detail: format!("{size} bytes are over the limit of {limit}"),
                retry_after: None,
            },
            Error::InvalidPageToken => Self::invalid("page_token", "must be one that this listing has given"),
            Error::Corrupt { key, what } => {
                tracing::error!(%key, what, "a record is corrupt");
                Self::DataLoss { subject: key.to_string(), detail: (*what).to_owned() }
            }
            Error::Unreadable { key, what } => {
                tracing::error!(%key, what, "what stands in the store cannot be read");
                Self::DataLoss { subject: key.to_string(), detail: format!("it cannot be read: {what}") }
            }
            Error::BlobMissing { digest } => {
                tracing::error!(%digest, "a blob is missing");
                Self::DataLoss { subject: digest.to_string(), detail: "the bytes are gone".to_owned() }
            }
            Error::BlobCorrupt { digest } => {
                tracing::error!(%digest, "a blob is corrupt");
                Self::DataLoss { subject: digest.to_string(), detail: "the bytes do not match the digest".to_owned() }
            }
            Error::Unsupported { key } => Self::Unimplemented {
                reason: "UNSUPPORTED",
                subject: key.to_string(),
                detail: "it was written by a later version".to_owned(),
            },
            Error::Contended { key } => lost("CONTENDED", key.to_string(), "other writers won every time"),
            Error::Unsettled { key } => {
                lost("UNSETTLED", key.to_string(), "whether it was written cannot be told; the same request settles it")
            }
            Error::TooSlow { .. } => {
                lost("TOO_SLOW", "store".to_owned(), "it took longer than half the grace time; start again")
            }
            Error::GcRunning => lost("GC_RUNNING", "store".to_owned(), "another collection is at work"),
            Error::GraceTooShort { asked, bucket } => Self::FailedPrecondition {
                reason: "GRACE_TOO_SHORT",
                subject: "grace".to_owned(),
                detail: format!("{} s are less than the bucket's {} s", asked.as_secs(), bucket.as_secs()),
            },
            // Keys are built from parsed names, and records by this crate: all that is left is a bug.
            _ => Self::internal(error.to_string()),
        }
    }
}

fn lost(reason: &'static str, subject: String, detail: &str) -> ApiError {
    ApiError::Aborted { reason, subject, detail: detail.to_owned(), action: Action::Retry }
}
