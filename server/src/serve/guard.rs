//! What stands before every RPC: the table of access, the credential, the deadline, the limit on concurrency, the log.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tower::{Layer, Service};

use super::body::{Call, GuardedBody};
use super::context::{self, Open, Request as Served};
use super::reaper::Reaper;
use super::whole::WholeBody;
use super::{deadline, foreign};
use crate::app::App;
use crate::clock::{NoEntropy, RequestIds};
use crate::config::Config;
use crate::identity::{Access, Authenticator, Rpc, rpc};
use crate::logging;
use crate::status::ApiError;

/// Puts the guard before the routes.
#[derive(Clone)]
pub(super) struct GuardLayer {
    shared: Arc<Shared>,
}

struct Shared {
    authenticator: Authenticator,
    config: Arc<Config>,
    ids: RequestIds,
    room: Arc<Semaphore>,
    draining: CancellationToken,
    open: Open,
    reaper: Reaper,
}

/// The guard before `inner`.
#[derive(Clone)]
pub(super) struct Guard<S> {
    inner: S,
    shared: Arc<Shared>,
}

impl GuardLayer {
    pub(super) fn new(app: &App, draining: CancellationToken, open: Open, reaper: Reaper) -> Result<Self, NoEntropy> {
        let most = usize::try_from(app.config.server.max_concurrent_requests).unwrap_or(usize::MAX);
        Ok(Self {
            shared: Arc::new(Shared {
                authenticator: Authenticator::new(Arc::clone(&app.tokens)),
                config: Arc::clone(&app.config),
                ids: RequestIds::new(app.ids.as_ref())?,
                room: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))),
                draining,
                open,
                reaper,
            }),
        })
    }
}

impl<S> Layer<S> for GuardLayer {
    type Service = Guard<S>;

    fn layer(&self, inner: S) -> Guard<S> {
        Guard { inner, shared: Arc::clone(&self.shared) }
    }
}

impl<S> Service<Request<Body>> for Guard<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // The clone is ready only as far as the original was polled: that one is used, the clone stays.
        let clone = self.inner.clone();
        let inner = std::mem::replace(&mut self.inner, clone);
        let shared = Arc::clone(&self.shared);
        let served = Served::new(shared.ids.next());
        Box::pin(context::scope(Arc::clone(&served), async move { Ok(shared.serve(inner, request, served).await) }))
    }
}

impl Shared {
    async fn serve<S>(&self, inner: S, mut request: Request<Body>, served: Arc<Served>) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let row = rpc(request.uri().path());
        let mut call = Call::new(row, served, self.open.enter());
        let Some(row) = row else {
            // The path may hold anything: it is not repeated.
            return call.refuse(ApiError::Unimplemented {
                reason: "UNSUPPORTED",
                subject: "method".to_owned(),
                detail: "the server knows no such method".to_owned(),
            });
        };
        // Health goes on telling that the server drains.
        if self.draining.is_cancelled() && row.access != Access::Open {
            return call.refuse(ApiError::Unavailable {
                reason: "DRAINING",
                detail: "the server is stopping; another may serve",
                retry_after: std::time::Duration::from_secs(1),
            });
        }
        compress_as_asked(request.headers_mut());
        let deadline = self.deadline(row, &request);
        let admitted = self.pass(inner, request, row, &mut call);
        let answered = match deadline {
            Some(deadline) => timeout_at(deadline, admitted).await.unwrap_or(Err(ApiError::DeadlineExceeded)),
            None => admitted.await,
        };
        match answered {
            Ok((response, permit)) => {
                match foreign::replaced(response.headers()).filter(|_| row.access != Access::Open) {
                    Some(error) => call.refuse(error),
                    None => {
                        call.note(response.headers());
                        let until = (row.access == Access::Open).then(|| self.draining.clone());
                        response.map(|body| {
                            Body::new(GuardedBody::new(
                                body,
                                call,
                                permit,
                                deadline.map(|at| (at, &self.reaper)),
                                until,
                            ))
                        })
                    }
                }
            }
            Err(error) => call.refuse(error),
        }
    }

    /// Lets a request pass to its handler, once its caller is known and there is room.
    async fn pass<S>(
        &self,
        mut inner: S,
        mut request: Request<Body>,
        row: &'static Rpc,
        call: &mut Call,
    ) -> Result<(Response<Body>, Option<OwnedSemaphorePermit>), ApiError>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let admitted = self.authenticator.admit(row, request.headers_mut()).await;
        let principal = admitted.map_err(|(principal, error)| {
            call.principal = principal;
            error
        })?;
        let permit = match principal {
            Some(principal) => {
                call.principal = Some(principal.clone());
                request.extensions_mut().insert(principal);
                let room = Arc::clone(&self.room).acquire_owned().await;
                Some(room.map_err(|_| ApiError::internal("the limit on concurrency is gone"))?)
            }
            // What is open to all takes no room: health must answer when all room is taken.
            None => None,
        };
        match AssertUnwindSafe(async { inner.call(request.map(WholeBody::guard)).await }).catch_unwind().await {
            Ok(Ok(response)) => Ok((response, permit)),
            Ok(Err(never)) => match never {},
            Err(_) => Err(panicked()),
        }
    }

    fn deadline(&self, row: &Rpc, request: &Request<Body>) -> Option<Instant> {
        let asked = deadline::asked(request.headers());
        // Whoever watches health does so for as long as they like.
        let unbounded = row.access == Access::Open && row.streams && asked.is_none();
        if unbounded { None } else { Instant::now().checked_add(self.config.server.deadline(asked, row.streams)) }
    }
}

/// Lets a reply be compressed only where the request was, as grpc-go does: the libraries of other languages say of themselves
/// that they accept gzip, and compressing takes longer than all else that a fetch does.
fn compress_as_asked(headers: &mut HeaderMap) {
    if headers.get("grpc-encoding").is_none_or(|encoding| encoding != "gzip") {
        headers.remove("grpc-accept-encoding");
    }
}

/// The error of work that panicked. Its own words may quote what it was working on; its place is logged instead.
pub(super) fn panicked() -> ApiError {
    ApiError::internal(format!("panicked at {}", logging::last_panic()))
}

/// The response that is only a status.
pub(super) fn only(status: Status) -> Response<Body> {
    status.into_http()
}

#[cfg(test)]
mod tests;
