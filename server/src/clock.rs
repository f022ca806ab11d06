//! Time and ids, as the server is given them. Nothing else in this crate reads a clock or draws a random number.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, SubsecRound, Utc};

/// Tells the time. Injected, so that a test can set it.
pub trait Clock: Send + Sync + 'static {
    /// The time now. Only for what is shown or compared with stored times; waits and deadlines use the runtime's timer.
    fn now(&self) -> DateTime<Utc>;

    /// The time now in whole seconds, as records and manifests write it.
    fn now_seconds(&self) -> DateTime<Utc> {
        self.now().trunc_subsecs(0)
    }
}

/// Gives random bytes and ids made of them. Injected, so that a test can know them.
pub trait Ids: Send + Sync + 'static {
    /// Fills `bytes` with unpredictable bytes.
    ///
    /// # Errors
    /// [`NoEntropy`] where the source gives none; nothing may be made with what is in `bytes` then.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy>;

    /// `2 * bytes` hexadecimal digits, at most 64.
    ///
    /// # Errors
    /// [`NoEntropy`], as for [`Ids::fill`].
    fn hex(&self, bytes: usize) -> Result<String, NoEntropy> {
        let mut buffer = [0; 32];
        let used = buffer.get_mut(..bytes.min(32)).unwrap_or_default();
        self.fill(used)?;
        Ok(hex::encode(used))
    }
}

/// The source of randomness gives none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no randomness")]
pub struct NoEntropy;

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where the time comes from")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// The system's source of randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        getrandom::fill(bytes).map_err(|_| NoEntropy)
    }
}

/// Names requests, so that the lines of one request in the log can be told from another's: a random prefix and a number.
#[derive(Debug, Clone)]
pub(crate) struct RequestIds {
    prefix: Arc<str>,
    next: Arc<AtomicU64>,
}

impl RequestIds {
    /// Ids with a prefix of their own.
    pub(crate) fn new(ids: &dyn Ids) -> Result<Self, NoEntropy> {
        Ok(Self { prefix: ids.hex(4)?.into(), next: Arc::new(AtomicU64::new(1)) })
    }

    /// The next id, such as `5f0c9a1e-17`.
    pub(crate) fn next(&self) -> String {
        let mut id = self.prefix.to_string();
        // Writing to a string cannot fail.
        let _ = write!(id, "-{}", self.next.fetch_add(1, Ordering::Relaxed));
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_have_the_asked_length() {
        assert_eq!(SystemIds.hex(16).unwrap().len(), 32);
        assert_ne!(SystemIds.hex(16).unwrap(), SystemIds.hex(16).unwrap());
        let ids = RequestIds::new(&SystemIds).unwrap();
        assert_ne!(ids.next(), ids.next());
    }

    #[test]
    fn whole_seconds() {
        assert_eq!(SystemClock.now_seconds().timestamp_subsec_nanos(), 0);
    }
}
