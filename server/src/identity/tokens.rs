//! Makes, checks, lists and revokes tokens.
//!
//! A check is one read, since a token's id comes from its secret. What was found holds for at most
//! [`IdentityConfig::cache_seconds`](crate::config::IdentityConfig), so that a revocation holds everywhere soon after it;
//! what is not of a token's form never reaches the store, and only so many unknown tokens are looked up at a time, so
//! that a flood of guesses cannot keep known callers waiting.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use dossier_store::{Created, PageToken, Store, Updated, keys};
use subtle::ConstantTimeEq as _;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::principal::Principal;
use super::record::{NewToken, TokenRecord};
use super::secret::{TokenId, TokenSecret};
use crate::clock::{Clock, Ids};
use crate::status::ApiError;

/// How many tokens are remembered.
const REMEMBERED: usize = 10_000;
/// How many tokens that are not known to be good are looked up at once.
const UNKNOWN_LOOKUPS: usize = 16;
/// How long a token that is not known to be good waits for its look-up.
const UNKNOWN_WAIT: Duration = Duration::from_secs(2);

/// What a look-up found, and when.
#[derive(Default)]
struct Slot {
    found: Option<(Instant, Option<Arc<TokenRecord>>)>,
}

type Slots = HashMap<TokenId, (bool, Arc<tokio::sync::Mutex<Slot>>)>;

/// The tokens of a store.
pub struct Tokens {
    store: Store,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    fresh: Duration,
    /// By id: whether it was once good, and what was found last.
    slots: Mutex<Slots>,
    unknown: Semaphore,
}

/// A part of a listing.
pub struct TokenPage {
    /// In the order of their ids.
    pub tokens: Vec<TokenRecord>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<PageToken>,
}

impl Tokens {
    /// The tokens of `store`. What was found holds for `fresh`.
    #[must_use]
    pub fn new(store: Store, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>, fresh: Duration) -> Self {
        Self { store, clock, ids, fresh, slots: Mutex::default(), unknown: Semaphore::new(UNKNOWN_LOOKUPS) }
    }

    /// Whom a bearer secret stands for.
    ///
    /// # Errors
    /// [`ApiError::Unauthenticated`] where it is no live token; [`ApiError::Unavailable`] where that cannot be told.
    pub async fn verify(&self, bearer: &str) -> Result<Principal, ApiError> {
        let secret: TokenSecret = bearer.parse().map_err(|_| ApiError::Unauthenticated)?;
        let hash = secret.digest();
        let record = self.look_up(&TokenId::of(&hash)).await?.ok_or(ApiError::Unauthenticated)?;
        let same: bool = record.hash.as_bytes().ct_eq(hash.as_bytes()).into();
        if !same || !record.is_live(self.clock.now()) {
            return Err(ApiError::Unauthenticated);
        }
        record.principal().ok_or_else(|| ApiError::internal("a token's record names what is no name"))
    }

    /// Makes a token. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn create(&self, token: NewToken, creator: &str) -> Result<(TokenRecord, TokenSecret), ApiError> {
        let secret = TokenSecret::generate(self.ids.as_ref())?;
        let now = self.clock.now_seconds();
        let seconds = |ttl: u64| i64::try_from(ttl).ok().and_then(TimeDelta::try_seconds);
        let record = TokenRecord {
            hash: secret.digest(),
            principal: token.principal,
            role: token.role,
            orgs: token.orgs.iter().map(ToString::to_string).collect(),
            run: token.run.map(|run| run.to_string()),
            task: token.task.map(|task| task.to_string()),
            create_time: now,
            expire_time: token.ttl.and_then(seconds).and_then(|ttl| now.checked_add_signed(ttl)),
            creator: creator.to_owned(),
            revoke_time: None,
        };
        match self.store.create_record(&key(&record.id())?, record.to_record()?).await? {
            Created::Created(_) => Ok((record, secret)),
            Created::Exists(_) => Err(ApiError::internal("a new token's id is taken")),
        }
    }

    /// A page of all tokens.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self, after: Option<&PageToken>, limit: usize) -> Result<TokenPage, ApiError> {
        let page = self.store.list_records(keys::token_prefix(), after, limit).await?;
        let tokens = page.records.iter().filter_map(|(_, stored)| TokenRecord::read(stored)).collect();
        Ok(TokenPage { tokens, next: page.next })
    }

    /// One token, as it stands in the store; `None` where there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn get(&self, id: &TokenId) -> Result<Option<TokenRecord>, ApiError> {
        Ok(self.store.read_record(&key(id)?).await?.as_ref().and_then(TokenRecord::read))
    }

    /// Revokes a token that `may` lets be revoked. Revoking twice keeps the first time.
    ///
    /// # Errors
    /// [`ApiError::NotFound`] where there is no such token, or `may` says no; those of the store.
    pub async fn revoke(&self, id: &TokenId, may: impl Fn(&TokenRecord) -> bool) -> Result<TokenRecord, ApiError> {
        let now = self.clock.now_seconds();
        let missing = || ApiError::not_found("token", id.resource());
        let change = |stored: Option<&dossier_store::Stored>| {
            let mut record = stored.and_then(TokenRecord::read).filter(|record| may(record)).ok_or_else(missing)?;
            if record.revoke_time.is_some() {
                return Ok(None);
            }
            record.revoke_time = Some(now);
            record.to_record().map(Some)
        };
        let updated = self.store.update_record(&key(id)?, change).await;
        self.lock().remove(id);
        let stored = match updated? {
            Updated::Written(stored) => Some(stored),
            Updated::Unchanged(stored) => stored,
        };
        stored.as_ref().and_then(TokenRecord::read).ok_or_else(missing)
    }

    /// What is kept of a token: remembered, or read. Callers of one token wait for one read.
    async fn look_up(&self, id: &TokenId) -> Result<Option<Arc<TokenRecord>>, ApiError> {
        let (was_good, slot) = self.slot(id);
        let _turn = if was_good { None } else { Some(self.turn().await?) };
        let mut slot = slot.lock().await;
        if let Some((at, found)) = &slot.found
            && at.elapsed() < self.fresh
        {
            return Ok(found.clone());
        }
        // From before the read: a revocation that the read just missed is found in time.
        let at = Instant::now();
        let found = self.get(id).await?.map(Arc::new);
        slot.found = Some((at, found.clone()));
        let good = found.as_ref().is_some_and(|record| record.is_live(self.clock.now()));
        if let Some(entry) = self.lock().get_mut(id) {
            entry.0 = good;
        }
        Ok(found)
    }

    async fn turn(&self) -> Result<tokio::sync::SemaphorePermit<'_>, ApiError> {
        match tokio::time::timeout(UNKNOWN_WAIT, self.unknown.acquire()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(ApiError::Unavailable {
                reason: "TOO_MANY_CREDENTIALS",
                detail: "too many unknown credentials are being checked",
                retry_after: UNKNOWN_WAIT,
            }),
        }
    }

    fn slot(&self, id: &TokenId) -> (bool, Arc<tokio::sync::Mutex<Slot>>) {
        let mut slots = self.lock();
        if let Some((good, slot)) = slots.get(id) {
            return (*good, Arc::clone(slot));
        }
        if slots.len() >= REMEMBERED {
            slots.retain(|_, (good, _)| *good);
        }
        if slots.len() >= REMEMBERED {
            slots.clear();
        }
        let slot = Arc::default();
        slots.insert(id.clone(), (false, Arc::clone(&slot)));
        (false, slot)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(id: &TokenId) -> Result<dossier_store::Key, ApiError> {
    keys::token(id.as_str()).map_err(|_| ApiError::internal("a token's id is no key"))
}

#[cfg(test)]
mod tests;
