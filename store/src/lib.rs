//! Where Dossier keeps what it froze: one bucket, or one directory, is all the state.
//!
//! Two layers. An [`Engine`] moves whole values under [`Key`]s and knows two conditions, *create if absent* and *replace
//! if unchanged*; [`LocalEngine`] is a directory and [`S3Engine`] a bucket, and [`probe()`] refuses an engine whose
//! conditions do not hold. A [`Store`] stands on any engine and knows blobs (immutable bytes named by their SHA-256),
//! records (small JSON objects that carry their own digest, a generation and their writer's nonce) and the collection of
//! blobs that no record names.
//!
//! Three facts about real engines shape all of it. A retry after a lost reply meets its *own* write and is told that
//! somebody was there first, so a record carries a nonce and such a refusal is settled by reading back. A version is a
//! hash of content, so a record carries a generation, or A → B → A would look unchanged. And the loser of a race may
//! wait for seconds, so writers of one key queue up inside a process.
//!
//! The crate knows nothing of bundles, runs or tasks beyond the layout of their keys in [`keys`].

mod engine;
mod error;
mod key;
pub mod keys;
mod local;
mod nonce;
mod probe;
mod s3;
mod store;

pub use engine::{Create, Engine, Entry, MAX_VALUE, Meta, Object, Page, PageToken, Replace, Version};
pub use error::{Error, Result};
pub use key::{InvalidKey, Key};
pub use local::LocalEngine;
pub use nonce::{Nonces, RandomNonces};
pub use probe::probe;
pub use s3::{S3Config, S3Engine, Sse};
pub use store::{
    Created, Creation, GcReport, Record, RecordPage, Store, StoreOptions, Stored, Updated, decode_record, encode_record,
};
