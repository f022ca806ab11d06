//! What can go wrong, by what the caller should do about it.

use std::time::Duration;

use dossier_bundle::Digest;

use crate::key::{InvalidKey, Key};

/// A result of the store.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the store could not do it. No message holds content: keys, digests, sizes and engines' codes only.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine does not answer, or not well. *Retry*, with backoff; the write may or may not have happened.
    #[error("the store is unavailable ({operation}: {reason})")]
    Unavailable {
        /// What was asked of the engine.
        operation: &'static str,
        /// The engine's code or the system's kind of error.
        reason: String,
    },
    /// The engine refuses the credentials or the permission. *Fix* the configuration.
    #[error("the store denies access ({operation}: {reason})")]
    Denied {
        /// What was asked of the engine.
        operation: &'static str,
        /// The engine's code or the system's kind of error.
        reason: String,
    },
    /// No room is left. Nothing was written; *fix* the store, then retry.
    #[error("the store is full")]
    Full,
    /// A value is over what the store keeps. *Fix* the request.
    #[error("a value of {size} bytes is over the limit of {limit}")]
    TooLarge {
        /// The value's size, in bytes.
        size: u64,
        /// The most that is kept, in bytes.
        limit: u64,
    },
    /// A key or prefix breaks the rules of [`Key`]. *Fix* the request.
    #[error(transparent)]
    InvalidKey(#[from] InvalidKey),
    /// A page token is not one of this engine, or of this listing. *Fix* the request: list from the start.
    #[error("the page token is not valid here")]
    InvalidPageToken,
    /// A record cannot be stored as canonical JSON. *Fatal*: a bug of the caller.
    #[error("not a record: {what}")]
    InvalidRecord {
        /// The rule that is broken.
        what: &'static str,
    },
    /// A stored record does not match its own digest or is no record. *Fatal*: data loss.
    #[error("the record {key} is corrupt: {what}")]
    Corrupt {
        /// Where it stands.
        key: Key,
        /// Which check failed.
        what: &'static str,
    },
    /// What stands under a key cannot be read, though the rest can: it is no file, or its mode forbids it. *Fatal*: data loss
    /// for the caller; whoever keeps the store must look.
    #[error("{key} cannot be read: {what}")]
    Unreadable {
        /// Where it stands.
        key: Key,
        /// Why.
        what: &'static str,
    },
    /// A stored record was written by a later version, by its `apiVersion`. *Fix*: run that version.
    #[error("the record {key} has an unknown apiVersion")]
    Unsupported {
        /// Where it stands.
        key: Key,
    },
    /// A blob is not there. *Fatal* where a record names it: data loss. Else the caller never put it.
    #[error("the blob {digest} is missing")]
    BlobMissing {
        /// Which blob.
        digest: Digest,
    },
    /// A blob's bytes do not match its digest. *Fatal*: data loss.
    #[error("the blob {digest} is corrupt")]
    BlobCorrupt {
        /// Which blob.
        digest: Digest,
    },
    /// The engine does not keep its conditions, so nothing may run on it. *Fatal*: choose another engine.
    #[error("the store does not keep its conditions: {what}")]
    Conditions {
        /// The condition that did not hold.
        what: &'static str,
    },
    /// Other writers won every time. *Retry*: nothing was written.
    #[error("too many writers of {key}")]
    Contended {
        /// The hot key.
        key: Key,
    },
    /// A write's outcome cannot be told any more: its reply was lost, and others have written since. *Read*, then decide.
    #[error("whether {key} was written cannot be told")]
    Unsettled {
        /// The record in question.
        key: Key,
    },
    /// A create took more than half the grace time, so its blobs may be about to go. *Retry* from the start.
    #[error("the create took longer than half the grace time of {grace:?}")]
    TooSlow {
        /// The org's grace time.
        grace: Duration,
    },
    /// A collection was asked for with less grace than the bucket's creates rely on. *Fix* the request.
    #[error("a grace of {asked:?} is shorter than the bucket's {bucket:?}")]
    GraceTooShort {
        /// What was asked for.
        asked: Duration,
        /// What the bucket keeps.
        bucket: Duration,
    },
    /// Another collection of this org is at work. *Retry* later.
    #[error("another collection is at work")]
    GcRunning,
    /// The engine cannot be opened with these settings. *Fix* the configuration.
    #[error("the store cannot be opened: {what}")]
    Config {
        /// What is wrong.
        what: String,
    },
}

impl Error {
    /// Whether the same call may succeed when it is made again after a while.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Contended { .. } | Self::TooSlow { .. } | Self::GcRunning)
    }
}
