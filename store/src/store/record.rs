//! Records: created once, or compared and swapped.

use std::time::Duration;

use futures::stream::{self, Stream, StreamExt as _, TryStreamExt as _};

use super::Store;
use super::envelope::{Draft, Record, Stored, decode};
use crate::engine::{Create, Entry, PageToken, Replace, Version};
use crate::error::{Error, Result};
use crate::key::Key;

/// How often a compare-and-swap is tried against other processes' writers.
const TRIES: u32 = 24;
/// How often a write whose reply was lost is sent again.
const RESENDS: u32 = 3;
/// How many records a page reads at the same time.
const READERS: usize = 16;

/// How [`Store::create_record`] went.
#[derive(Debug, Clone, PartialEq)]
pub enum Created {
    /// The record is this call's.
    Created(Stored),
    /// Another record stands there.
    Exists(Stored),
}

/// How [`Store::update_record`] went.
#[derive(Debug, Clone, PartialEq)]
pub enum Updated {
    /// The record is this call's.
    Written(Stored),
    /// The caller wanted no change; what stands there, if anything.
    Unchanged(Option<Stored>),
}

/// A part of a listing of records.
#[derive(Debug, Clone)]
pub struct RecordPage {
    /// Keys and what they hold; one that has gone since it was listed is left out.
    pub records: Vec<(Key, Stored)>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<PageToken>,
}

/// How one conditional write went, after lost replies have been settled.
enum Outcome {
    Won(Version),
    /// Somebody else wrote; what stands there now, if anything.
    Lost(Option<Stored>),
}

impl Store {
    /// Writes a record if there is none. A blob that it names must have come through a settled
    /// [`Creation`](crate::Creation).
    ///
    /// A refusal that this call's own earlier attempt caused is told by the nonce and counts as created.
    ///
    /// # Errors
    /// Those of the engine, and [`Error::Corrupt`] where what stands there cannot be read.
    pub async fn create_record(&self, key: &Key, record: Record) -> Result<Created> {
        let _turn = self.queue(key).await;
        let draft = Draft::new(record, None, self.shared.nonces.nonce())?;
        for round in 0..TRIES {
            match self.write(key, &draft, None).await? {
                Outcome::Won(version) => return Ok(Created::Created(draft.stored(version))),
                Outcome::Lost(Some(stored)) => return Ok(Created::Exists(stored)),
                // It was there and is gone again: the name is free.
                Outcome::Lost(None) => tokio::time::sleep(backoff(round, &draft.nonce)).await,
            }
        }
        Err(Error::Contended { key: key.clone() })
    }

    /// Reads a record and checks it; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Corrupt`] and [`Error::Unsupported`] by what stands there; those of the engine.
    pub async fn read_record(&self, key: &Key) -> Result<Option<Stored>> {
        match self.shared.engine.get(key).await? {
            Some(object) => decode(key, &object.bytes, object.version, object.modified).map(Some),
            None => Ok(None),
        }
    }

    /// Compares and swaps: calls `change` with what stands there, and writes what it returns if nobody else has written
    /// meanwhile, else calls it again. `change` returning `None` writes nothing. A record that is not there is created.
    ///
    /// Each call that returns [`Updated::Written`] has changed the record exactly once, lost replies or not.
    ///
    /// # Errors
    /// What `change` returns; [`Error::Contended`] where others won every time; [`Error::Unsettled`] where a reply was
    /// lost and more than 16 others have written since; those of the engine.
    pub async fn update_record<E, F>(&self, key: &Key, change: F) -> std::result::Result<Updated, E>
    where
        E: From<Error>,
        F: Fn(Option<&Stored>) -> std::result::Result<Option<Record>, E>,
    {
        let _turn = self.queue(key).await;
        let mut current = self.read_record(key).await?;
        for round in 0..TRIES {
            let Some(record) = change(current.as_ref())? else { return Ok(Updated::Unchanged(current)) };
            let draft = Draft::new(record, current.as_ref(), self.shared.nonces.nonce())?;
            let base = current.as_ref().map(|stored| &stored.version);
            match self.write(key, &draft, base).await? {
                Outcome::Won(version) => return Ok(Updated::Written(draft.stored(version))),
                Outcome::Lost(stored) => current = stored,
            }
            tokio::time::sleep(backoff(round, &draft.nonce)).await;
        }
        Err(Error::Contended { key: key.clone() }.into())
    }

    /// Removes a record; one that is not there is no error. For retention: what was acknowledged is not removed else.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn delete_record(&self, key: &Key) -> Result<()> {
        let _turn = self.queue(key).await;
        self.shared.engine.delete(key).await
    }

    /// A page of records below a prefix, in the engine's order (see [`Engine::list`](crate::Engine::list)).
    ///
    /// # Errors
    /// [`Error::Corrupt`] where one of them is; [`Error::InvalidPageToken`]; those of the engine.
    pub async fn list_records(&self, prefix: &str, token: Option<&PageToken>, limit: usize) -> Result<RecordPage> {
        let page = self.shared.engine.list(prefix, token, limit).await?;
        let read = |entry: Entry| async move {
            let stored = self.read_record(&entry.key).await?;
            Ok::<_, Error>(stored.map(|stored| (entry.key, stored)))
        };
        let records: Vec<Option<(Key, Stored)>> =
            stream::iter(page.entries).map(read).buffered(READERS).try_collect().await?;
        Ok(RecordPage { records: records.into_iter().flatten().collect(), next: page.next })
    }

    /// Everything below a prefix, page by page.
    pub fn list_all<'a>(&'a self, prefix: &'a str) -> impl Stream<Item = Result<Entry>> + Send + 'a {
        let pages = stream::try_unfold(Some(None), move |token: Option<Option<PageToken>>| async move {
            let Some(token) = token else { return Ok(None) };
            let page = self.shared.engine.list(prefix, token.as_ref(), 1000).await?;
            let entries = stream::iter(page.entries.into_iter().map(Ok));
            Ok::<_, Error>(Some((entries, page.next.map(Some))))
        });
        pages.try_flatten()
    }

    /// One conditional write: of a new record, or over `base`.
    async fn write(&self, key: &Key, draft: &Draft, base: Option<&Version>) -> Result<Outcome> {
        let engine = &self.shared.engine;
        let (mut resends, mut lost_any) = (0, false);
        loop {
            let sent = match base {
                None => engine.create(key, draft.bytes.clone()).await.map(|created| match created {
                    Create::Created(version) => Some(version),
                    Create::Exists => None,
                }),
                Some(base) => engine.replace(key, draft.bytes.clone(), base).await.map(|replaced| match replaced {
                    Replace::Replaced(version) => Some(version),
                    Replace::Changed => None,
                }),
            };
            let lost_reply = match sent {
                Ok(Some(version)) => return Ok(Outcome::Won(version)),
                Ok(None) => None,
                Err(error @ Error::Unavailable { .. }) => Some(error),
                Err(error) => return Err(error),
            };
            lost_any |= lost_reply.is_some();
            // Refused or without a reply: what stands there tells whether the write went through.
            let current = match (self.read_record(key).await, &lost_reply) {
                (Ok(current), _) => current,
                (Err(Error::Unavailable { .. }), Some(error)) => return Err(error.clone()),
                (Err(error), _) => return Err(error),
            };
            match &current {
                Some(stored) if stored.nonce == draft.nonce => return Ok(Outcome::Won(stored.version.clone())),
                Some(stored) => match stored.includes(&draft.nonce, draft.generation) {
                    // Written, and others have gone on from it: for the caller it is as if they had come a moment later.
                    Some(true) => return Ok(Outcome::Won(stored.version.clone())),
                    Some(false) => {}
                    None if lost_any => return Err(Error::Unsettled { key: key.clone() }),
                    None => {}
                },
                None => {}
            }
            // The base still stands: the write did not go through, or has not yet. Sent again it is the same write.
            let untouched = current.as_ref().map(|stored| &stored.version) == base;
            match lost_reply {
                Some(error) if untouched && resends == RESENDS => return Err(error),
                Some(_) if untouched => {
                    tokio::time::sleep(backoff(resends, &draft.nonce)).await;
                    resends += 1;
                }
                _ => return Ok(Outcome::Lost(current)),
            }
        }
    }
}

/// 10 ms doubling up to about a second, spread by the writer's nonce so that two writers part.
fn backoff(round: u32, nonce: &str) -> Duration {
    let spread =
        nonce.bytes().fold(u64::from(round), |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % 1000;
    let most = 10_000u64 << round.min(7);
    Duration::from_micros(most / 2 + most * spread / 2000)
}
