//! What an engine must do.

use std::fmt;
use std::ops::Range;
use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;

use crate::error::{Error, Result};
use crate::key::Key;

/// The largest value an engine keeps, in bytes: 64 MiB.
pub const MAX_VALUE: u64 = 64 << 20;

/// What a value was when it was read: a hash of its content, opaque to all but its engine.
///
/// The same content has the same version, so what is compared-and-swapped must never return to an earlier content;
/// a record's generation sees to that.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Version(String);

impl Version {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The version as the engine writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A value as it was read.
#[derive(Clone, PartialEq, Eq)]
pub struct Object {
    /// The whole value.
    pub bytes: Bytes,
    /// For a later [`Engine::replace`].
    pub version: Version,
    /// When it was last written, by the store's clock.
    pub modified: SystemTime,
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object")
            .field("size", &self.bytes.len())
            .field("version", &self.version)
            .field("modified", &self.modified)
            .finish_non_exhaustive()
    }
}

/// What is known of a value without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    /// The value's size, in bytes.
    pub size: u64,
    /// When it was last written, by the store's clock.
    pub modified: SystemTime,
}

/// One line of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The value's key.
    pub key: Key,
    /// The value's size, in bytes.
    pub size: u64,
    /// When it was last written, by the store's clock.
    pub modified: SystemTime,
}

/// A part of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// May be empty although there is more.
    pub entries: Vec<Entry>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<PageToken>,
}

/// Where a listing goes on: the engine's own text, 1 to 4,096 printable ASCII bytes.
///
/// ```
/// use dossier_store::PageToken;
///
/// assert!(PageToken::parse("b3Jncy9hY21l").is_ok());
/// assert!(PageToken::parse("").is_err());
/// assert!(PageToken::parse("a\nb").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageToken(String);

impl PageToken {
    /// Reads a token that a caller has sent back.
    ///
    /// # Errors
    /// [`Error::InvalidPageToken`] where it cannot be one; whether it belongs to the listing is the engine's to say.
    pub fn parse(text: &str) -> Result<Self> {
        if (1..=4096).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::InvalidPageToken)
        }
    }

    /// The token as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How [`Engine::create`] went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Create {
    /// The value was not there and is now.
    Created(Version),
    /// A value is there already: somebody else's, or this very one from an attempt whose reply was lost.
    Exists,
}

/// How [`Engine::replace`] went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replace {
    /// The value was as expected and is replaced.
    Replaced(Version),
    /// The value is another, or gone: somebody else wrote, or this very call in an attempt whose reply was lost.
    Changed,
}

/// A place that keeps whole values under keys.
///
/// # Atomicity
///
/// - A value is seen whole or not at all. A writer that dies leaves the old value, or none.
/// - What a write has acknowledged is durable, and every later read and listing, from any process, shows it.
/// - Of concurrent `create`s of one key exactly one is told [`Create::Created`].
/// - Of concurrent `replace`s of one version exactly one is told [`Replace::Replaced`]; none overwrites another.
/// - A write that fails with [`Error::Unavailable`] may have happened, or may happen a moment later. Sent again it may be
///   refused by itself, so `Exists` and `Changed` are then settled by reading back (see [`Store`](crate::Store)).
/// - `create` and `replace` are sent once; the other methods may be repeated by the engine.
///
/// A key must not be another key's folder: `a` and `a/b` exclude each other. Dropping a future leaves the operation done
/// or not done, never half done.
#[async_trait]
pub trait Engine: Send + Sync + 'static {
    /// The whole value; `None` where there is none. One over [`MAX_VALUE`] is [`Error::TooLarge`].
    async fn get(&self, key: &Key) -> Result<Option<Object>>;

    /// The value's bytes from `range.start` up to `range.end`, or to its end if that comes first: fewer than asked for,
    /// or none at all, where the range reaches past the end. `None` where there is no value.
    async fn get_range(&self, key: &Key, range: Range<u64>) -> Result<Option<Bytes>>;

    /// The value's size and time; `None` where there is none.
    async fn head(&self, key: &Key) -> Result<Option<Meta>>;

    /// Writes a value whether or not one is there, and renews its time. For content that is the same whoever writes it.
    async fn put(&self, key: &Key, bytes: Bytes) -> Result<()>;

    /// Writes a value if none is there.
    async fn create(&self, key: &Key, bytes: Bytes) -> Result<Create>;

    /// Writes a value if the one there is still `version`.
    async fn replace(&self, key: &Key, bytes: Bytes, version: &Version) -> Result<Replace>;

    /// The next entries whose keys start with `prefix`, at most `limit` (1 to 1,000, else the nearer of these).
    ///
    /// The order is the engine's own. Keys that were there before the first page and still are after the last one are
    /// listed exactly once, whatever is written meanwhile; others may or may not be.
    async fn list(&self, prefix: &str, token: Option<&PageToken>, limit: usize) -> Result<Page>;

    /// Removes a value; one that is not there is no error.
    async fn delete(&self, key: &Key) -> Result<()>;

    /// The time by the clock that stamps `modified`: S3's, or the file system's. At worst a second coarse.
    async fn now(&self) -> Result<SystemTime>;

    /// What and where the engine is, for logs and people. No credentials.
    fn describe(&self) -> String;
}

/// Refuses a value that is over the limit before anything is sent.
pub(crate) fn check_size(size: u64) -> Result<()> {
    if size > MAX_VALUE { Err(Error::TooLarge { size, limit: MAX_VALUE }) } else { Ok(()) }
}
