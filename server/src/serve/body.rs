//! What stands after every RPC: its reply is cut at the deadline, a panic in it becomes a status, and the log gets its line
//! when the reply has ended or its reader is gone.
//!
//! A reply whose reader has stopped reading is not polled any more, so its own timer cannot end it: a [`Reaper`] does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep, sleep_until};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Response};
use tonic::{Code, Status};

use super::context::{self, Entered, Request as Served};
use super::foreign;
use super::guard::{only, panicked};
use super::reaper::{Reaper, Ticket};
use crate::identity::{Access, Principal, Rpc};
use crate::status::ApiError;

/// An RPC for the log. Its line is written when this is dropped: without a code the caller went away.
pub(super) struct Call {
    row: Option<&'static Rpc>,
    served: Arc<Served>,
    /// Who calls, once that is known.
    pub(super) principal: Option<Principal>,
    begun: Instant,
    code: Option<Code>,
    _entered: Entered,
}

impl Call {
    pub(super) fn new(row: Option<&'static Rpc>, served: Arc<Served>, entered: Entered) -> Self {
        Self { row, served, principal: None, begun: Instant::now(), code: None, _entered: entered }
    }

    /// Ends it with an error.
    pub(super) fn refuse(mut self, error: ApiError) -> Response<Body> {
        self.code = Some(error.code());
        only(error.into())
    }

    /// Notes the code, if these headers or trailers carry one.
    pub(super) fn note(&mut self, headers: &HeaderMap) {
        if let Some(code) = headers.get("grpc-status") {
            self.code = Some(Code::from_bytes(code.as_bytes()));
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let method = self.row.map_or("unknown", |row| row.path.trim_start_matches('/'));
        let principal = self.principal.as_ref().map_or("", |principal| principal.name.as_str());
        let role = self.principal.as_ref().map_or("", |principal| principal.role.name());
        let org = self.served.org().map_or("", |org| org.as_str());
        let code = self.code.unwrap_or(Code::Cancelled);
        let ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let request = self.served.id.as_str();
        if self.row.is_some_and(|row| row.access == Access::Open) {
            // Probes come every few seconds.
            tracing::debug!(request, method, ?code, ms, "rpc");
        } else {
            tracing::info!(request, method, principal, role, org, ?code, ms, "rpc");
        }
    }
}

/// What a reply holds: its work, its room, its line of the log. It goes when the reply has ended, however that comes.
pub(super) struct Reply {
    /// `None` once it has ended.
    inner: Option<Body>,
    call: Option<Call>,
    room: Option<OwnedSemaphorePermit>,
    /// Whether the reaper has ended it, and nobody has told the caller yet.
    reaped: bool,
}

impl Reply {
    /// Ends it: its work is dropped, and its status is the last frame.
    fn end(&mut self, error: ApiError) -> Frame<Bytes> {
        let mut trailers = HeaderMap::new();
        // A status of ours always has a header's form.
        let _ = Status::from(error).add_header(&mut trailers);
        self.finish(&trailers);
        Frame::trailers(trailers)
    }

    /// Notes the code, writes the line of the log, and lets everything go.
    fn finish(&mut self, trailers: &HeaderMap) {
        self.inner = None;
        if let Some(mut call) = self.call.take() {
            call.note(trailers);
        }
        self.room = None;
    }

    /// Ends it although nobody reads it; whoever still comes to read is told then.
    pub(super) fn reap(&mut self) {
        if self.inner.is_some() {
            self.end(ApiError::DeadlineExceeded);
            self.reaped = true;
        }
    }

    fn checked(&mut self, frame: Frame<Bytes>, open: bool) -> Frame<Bytes> {
        let Some(trailers) = frame.trailers_ref() else { return frame };
        match foreign::replaced(trailers).filter(|_| !open) {
            Some(error) => self.end(error),
            None => {
                self.finish(&trailers.clone());
                frame
            }
        }
    }
}

/// The body of a reply.
pub(super) struct GuardedBody {
    reply: Arc<Mutex<Reply>>,
    served: Arc<Served>,
    deadline: Option<Pin<Box<Sleep>>>,
    /// For what lasts as long as its caller likes: it ends when the server drains.
    until: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    _ticket: Option<Ticket>,
}

impl GuardedBody {
    pub(super) fn new(
        inner: Body,
        call: Call,
        room: Option<OwnedSemaphorePermit>,
        deadline: Option<(Instant, &Reaper)>,
        until: Option<CancellationToken>,
    ) -> Self {
        let served = Arc::clone(&call.served);
        let reply = Arc::new(Mutex::new(Reply { inner: Some(inner), call: Some(call), room, reaped: false }));
        Self {
            _ticket: deadline.map(|(deadline, reaper)| reaper.watch(deadline, &reply)),
            reply,
            served,
            deadline: deadline.map(|(deadline, _)| Box::pin(sleep_until(deadline))),
            until: until.map(|until| Box::pin(until.cancelled_owned())),
        }
    }

    fn next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let mut reply = lock(&self.reply);
        if std::mem::take(&mut reply.reaped) {
            return Poll::Ready(Some(Ok(reply.end(ApiError::DeadlineExceeded))));
        }
        let Some(inner) = &mut reply.inner else { return Poll::Ready(None) };
        let polled = catch_unwind(AssertUnwindSafe(|| Pin::new(inner).poll_frame(cx)));
        match polled {
            Err(_) => Poll::Ready(Some(Ok(reply.end(panicked())))),
            Ok(Poll::Ready(Some(Ok(frame)))) => Poll::Ready(Some(Ok(reply.checked(frame, self.until.is_some())))),
            Ok(Poll::Ready(None)) => {
                reply.finish(&HeaderMap::new());
                Poll::Ready(None)
            }
            Ok(Poll::Ready(Some(Err(status)))) => Poll::Ready(Some(Err(status))),
            Ok(Poll::Pending) => {
                if let Some(deadline) = &mut self.deadline
                    && deadline.as_mut().poll(cx).is_ready()
                {
                    return Poll::Ready(Some(Ok(reply.end(ApiError::DeadlineExceeded))));
                }
                let Some(until) = &mut self.until else { return Poll::Pending };
                ready!(until.as_mut().poll(cx));
                Poll::Ready(Some(Ok(reply.end(ApiError::Unavailable {
                    reason: "DRAINING",
                    detail: "the server is stopping; another may serve",
                    retry_after: std::time::Duration::from_secs(1),
                }))))
            }
        }
    }
}

impl HttpBody for GuardedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let served = Arc::clone(&self.served);
        context::sync_scope(served, || self.next(cx))
    }

    fn is_end_stream(&self) -> bool {
        let reply = lock(&self.reply);
        !reply.reaped && reply.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        lock(&self.reply).inner.as_ref().map_or_else(SizeHint::default, HttpBody::size_hint)
    }
}

fn lock(reply: &Mutex<Reply>) -> std::sync::MutexGuard<'_, Reply> {
    reply.lock().unwrap_or_else(PoisonError::into_inner)
}
