//! Trying again: what may be, when the server says, and never past the deadline.

use std::collections::hash_map::RandomState;
use std::future::Future;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::error::Error;

/// How often a call is made in all.
const ATTEMPTS: u32 = 5;
/// The first pause, where the server names none; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest pause that is kept, whatever the server names.
const LONGEST: Duration = Duration::from_secs(30);

/// Makes a call, again while it is idempotent, its failure transient and time left. `address` is for its error; `call` gets the time that is left.
pub(super) async fn run<T, F, Fut>(address: &str, timeout: Duration, idempotent: bool, mut call: F) -> Result<T, Error>
where
    F: FnMut(Duration) -> Fut,
    Fut: Future<Output = Result<T, Error>>,
{
    let deadline = Instant::now() + timeout;
    let mut attempt = 0;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let error = match call(left).await {
            Ok(answer) => return Ok(answer),
            Err(error) => error.at(address, timeout),
        };
        attempt += 1;
        let pause = match error.rpc() {
            Some(rpc) if idempotent && rpc.is_transient() => pause(attempt, rpc.retry_after),
            _ => return Err(error),
        };
        if attempt >= ATTEMPTS || Instant::now() + pause >= deadline {
            return Err(error);
        }
        sleep(pause).await;
    }
}

/// What the server asks for, else doubling with jitter, so that many clients do not come back at once.
fn pause(attempt: u32, asked: Option<Duration>) -> Duration {
    let base = asked.unwrap_or_else(|| PAUSE * 2_u32.saturating_pow(attempt - 1)).min(LONGEST);
    // A fresh hasher is keyed at random: enough to spread clients out.
    let spread = RandomState::new().build_hasher().finish() % 256;
    base + base.mul_f64(f64::from(u8::try_from(spread).unwrap_or(0)) / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::{Code, Status};
    use tonic_types::{ErrorDetails, StatusExt};

    fn unavailable(after: Option<Duration>) -> Error {
        let mut details = ErrorDetails::new();
        details.set_error_info("STORE_UNAVAILABLE", "dossier.dev", std::collections::HashMap::new());
        if after.is_some() {
            details.set_retry_info(after);
        }
        Status::with_error_details(Code::Unavailable, "later", details).into()
    }

    async fn calls(idempotent: bool, failures: u32, make: impl Fn() -> Error) -> (u32, bool) {
        let mut made = 0;
        let answer = run("http://here", Duration::from_secs(20), idempotent, |_| {
            made += 1;
            let failed = made <= failures;
            let error = failed.then(&make);
            async move { error.map_or(Ok(()), Err) }
        })
        .await;
        (made, answer.is_ok())
    }

    #[tokio::test]
    async fn only_what_may_be_is_tried_again() {
        let soon = Some(Duration::from_millis(1));
        assert_eq!(calls(true, 2, || unavailable(soon)).await, (3, true));
        assert_eq!(calls(true, 9, || unavailable(soon)).await, (ATTEMPTS, false));
        assert_eq!(calls(false, 1, || unavailable(soon)).await, (1, false));
        assert_eq!(calls(true, 1, || Status::aborted("changed").into()).await, (1, false));
        assert_eq!(calls(true, 1, || unavailable(Some(Duration::from_secs(25)))).await, (1, false));
    }
}
