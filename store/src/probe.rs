//! The check at start that an engine's conditions hold.

use bytes::Bytes;

use crate::engine::{Create, Engine, Replace, Version};
use crate::error::{Error, Result};
use crate::key::Key;
use crate::nonce::Nonces;

/// Writes, reads and removes one object `probe/{nonce}.json`, and finds out whether *create if absent* and *replace if
/// unchanged* really hold. Some engines accept both conditions and overwrite all the same; on such a one two replicas
/// would lose each other's records, so a server must not start on it.
///
/// # Errors
/// [`Error::Conditions`] where a condition does not hold; whatever the engine answers where it cannot be reached.
pub async fn probe(engine: &dyn Engine, nonces: &dyn Nonces) -> Result<()> {
    let nonce = nonces.nonce();
    let key = Key::of(&["probe", &format!("{nonce}.json")])?;
    let verdict = check(engine, &key, &nonce).await;
    let cleaned = engine.delete(&key).await;
    verdict.and(cleaned)
}

async fn check(engine: &dyn Engine, key: &Key, nonce: &str) -> Result<()> {
    let value = |step: u8| Bytes::from(format!("{{\"probe\":\"{nonce}\",\"step\":{step}}}"));
    let holds = |good: bool, what: &'static str| if good { Ok(()) } else { Err(Error::Conditions { what }) };

    let absent = Version::new("\"d41d8cd98f00b204e9800998ecf8427e\"");
    let ghost = engine.replace(key, value(0), &absent).await?;
    holds(ghost == Replace::Changed, "a missing object was replaced")?;

    // A retried create may meet itself: what counts is what is there.
    engine.create(key, value(1)).await?;
    let first = read(engine, key).await?;
    holds(first.0 == value(1), "a create on a free key did not write")?;
    holds(engine.create(key, value(2)).await? == Create::Exists, "a second create did not fail")?;
    holds(read(engine, key).await?.0 == value(1), "a second create overwrote the first")?;

    engine.replace(key, value(3), &first.1).await?;
    let third = read(engine, key).await?;
    holds(third.0 == value(3), "a replace of the current version did not write")?;
    holds(third.1 != first.1, "other content has the same version")?;
    let stale = engine.replace(key, value(4), &first.1).await?;
    holds(stale == Replace::Changed, "a replace of a stale version did not fail")?;
    holds(read(engine, key).await?.0 == value(3), "a replace of a stale version overwrote")?;

    engine.delete(key).await?;
    holds(engine.get(key).await?.is_none(), "a removed object is still there")
}

async fn read(engine: &dyn Engine, key: &Key) -> Result<(Bytes, Version)> {
    match engine.get(key).await? {
        Some(object) => Ok((object.bytes, object.version)),
        None => Err(Error::Conditions { what: "what was written is not there" }),
    }
}
