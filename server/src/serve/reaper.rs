//! Ends replies whose readers have stopped reading: the transport does not poll such a reply, so its own timer is of no use,
//! and its work and its room would be held for as long as the connection stands.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::time::Instant;

use super::body::Reply;

/// How often it looks.
const EVERY: Duration = Duration::from_secs(1);

/// A deadline, and a number that tells two of one moment apart.
type Key = (Instant, u64);

/// The replies that are being sent, by their deadlines.
#[derive(Clone, Default)]
pub(super) struct Reaper {
    watched: Arc<Mutex<Watched>>,
}

#[derive(Default)]
struct Watched {
    replies: BTreeMap<Key, Weak<Mutex<Reply>>>,
    next: u64,
}

/// A reply that is watched until this is dropped.
pub(super) struct Ticket {
    reaper: Reaper,
    key: Key,
}

impl Reaper {
    /// Watches a reply.
    pub(super) fn watch(&self, deadline: Instant, reply: &Arc<Mutex<Reply>>) -> Ticket {
        let mut watched = self.lock();
        let key = (deadline, watched.next);
        watched.next += 1;
        watched.replies.insert(key, Arc::downgrade(reply));
        Ticket { reaper: self.clone(), key }
    }

    /// Ends what is past its deadline, now and again. Ends itself only by being dropped.
    pub(super) async fn run(&self) {
        loop {
            tokio::time::sleep(EVERY).await;
            self.reap(Instant::now());
        }
    }

    /// Ends what was past its deadline at `now`.
    fn reap(&self, now: Instant) {
        let due: Vec<Weak<Mutex<Reply>>> = {
            let mut watched = self.lock();
            let later = watched.replies.split_off(&(now, 0));
            std::mem::replace(&mut watched.replies, later).into_values().collect()
        };
        for reply in due.iter().filter_map(Weak::upgrade) {
            reply.lock().unwrap_or_else(PoisonError::into_inner).reap();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.reaper.lock().replies.remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Semaphore;
    use tonic::body::Body;

    use super::super::body::{Call, GuardedBody};
    use super::super::context::{Open, Request};
    use super::*;

    #[tokio::test]
    async fn what_nobody_reads_is_ended_and_its_room_is_free() {
        let (reaper, open, room) = (Reaper::default(), Open::new(), Arc::new(Semaphore::new(1)));
        let call = || Call::new(None, Request::new("r".to_owned()), open.enter());
        let now = Instant::now();
        let permit = Arc::clone(&room).try_acquire_owned().unwrap();
        let stuck = GuardedBody::new(Body::empty(), call(), Some(permit), Some((now, &reaper)), None);
        let later = Some((now + Duration::from_secs(9), &reaper));
        let other = GuardedBody::new(Body::empty(), call(), None, later, None);
        assert_eq!((reaper.lock().replies.len(), room.available_permits()), (2, 0));
        reaper.reap(now + Duration::from_secs(1));
        assert_eq!((reaper.lock().replies.len(), room.available_permits()), (1, 1));
        // Whoever comes to read after all is told.
        let mut stuck = Box::pin(stuck);
        let frame = std::future::poll_fn(|cx| http_body::Body::poll_frame(stuck.as_mut(), cx)).await.unwrap().unwrap();
        assert_eq!(frame.trailers_ref().unwrap()["grpc-status"], "4");
        drop((other, stuck));
        assert_eq!(reaper.lock().replies.len(), 0);
        open.none().await;
    }
}
