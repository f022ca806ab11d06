use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http_body::{Body as HttpBody, Frame};
use tonic::Code;
use tonic_types::StatusExt as _;

use super::*;
use crate::app::testing;
use crate::identity::{NewToken, Principal, Role};

const GET: &str = "/dossier.v1.BundleService/GetBundle";

/// What the handler does.
#[derive(Clone, Copy, PartialEq)]
enum Act {
    Answer,
    Panic,
    PanicInBody,
    Hang,
    HangInBody,
}

/// A handler.
#[derive(Clone)]
struct Handler {
    act: Act,
    dropped: Arc<AtomicBool>,
}

/// Tells that it was dropped.
struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A body that sends one frame, and then panics, hangs or ends.
struct Reply {
    act: Act,
    sent: bool,
    _dropped: Dropped,
}

impl HttpBody for Reply {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if !std::mem::replace(&mut self.sent, true) {
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"x")))));
        }
        match self.act {
            Act::PanicInBody => panic!("planted content"),
            Act::HangInBody => Poll::Pending,
            _ => Poll::Ready(None),
        }
    }
}

impl Service<Request<Body>> for Handler {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let Self { act, dropped } = self.clone();
        Box::pin(async move {
            let dropped = Dropped(dropped);
            assert!(request.extensions().get::<Principal>().is_some(), "the caller is known");
            assert!(!request.headers().contains_key("authorization"), "the credential is gone");
            match act {
                Act::Panic => panic!("planted content"),
                Act::Hang => futures::future::pending().await,
                _ => Ok(Response::new(Body::new(Reply { act, sent: false, _dropped: dropped }))),
            }
        })
    }
}

/// Calls `path` as `role`, reads the reply to its end, and says whether all of the work was dropped.
async fn call(act: Act, path: &str, role: Option<Role>, timeout: &str) -> (Status, bool) {
    call_with(Config::default(), act, path, role, timeout).await
}

async fn call_with(config: Config, act: Act, path: &str, role: Option<Role>, timeout: &str) -> (Status, bool) {
    let (_dir, app) = testing::app(config);
    let dropped = Arc::new(AtomicBool::new(false));
    let layer = GuardLayer::new(&app, CancellationToken::new(), Open::new(), Reaper::default()).unwrap();
    let mut guard = layer.layer(Handler { act, dropped: Arc::clone(&dropped) });
    let mut request = Request::builder().uri(path).header("grpc-timeout", timeout);
    if let Some(role) = role {
        let orgs = if role == Role::Admin { vec![] } else { vec!["a".to_owned()] };
        let token = NewToken::parse("x", Some(role), &orgs, "", "", None).unwrap();
        let (_, secret) = app.tokens.create(token, "x").await.unwrap();
        request = request.header("authorization", format!("Bearer {}", secret.expose()));
    }
    let response = guard.call(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, mut body) = response.into_parts();
    let mut status = Status::from_header_map(&parts.headers);
    while let Some(frame) = std::future::poll_fn(|cx| std::pin::Pin::new(&mut body).poll_frame(cx)).await {
        if let Some(trailers) = frame.unwrap().trailers_ref() {
            status = Status::from_header_map(trailers);
        }
    }
    (status.unwrap_or_else(|| Status::ok("")), dropped.load(Ordering::Relaxed))
}

#[tokio::test]
async fn who_is_let_in() {
    assert_eq!(call(Act::Answer, GET, Some(Role::Auditor), "9S").await.0.code(), Code::Ok);
    assert_eq!(call(Act::Answer, GET, Some(Role::Admin), "9S").await.0.code(), Code::Ok);
    assert_eq!(call(Act::Answer, GET, Some(Role::Reviewer), "9S").await.0.code(), Code::PermissionDenied);
    assert_eq!(call(Act::Answer, GET, None, "9S").await.0.code(), Code::Unauthenticated);
    for unknown in ["/dossier.v1.BundleService/Nothing", "/planted", "/dossier.v1.BundleService/GetBundle/"] {
        let (status, _) = call(Act::Answer, unknown, Some(Role::Admin), "9S").await;
        assert_eq!(status.code(), Code::Unimplemented);
        assert!(!format!("{status:?}").contains("planted"));
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_error_with_an_id_and_nothing_else() {
    for act in [Act::Panic, Act::PanicInBody] {
        let (status, dropped) = call(act, GET, Some(Role::Admin), "9S").await;
        assert_eq!(status.code(), Code::Internal);
        assert!(!status.get_details_error_info().unwrap().metadata["request"].is_empty());
        assert!(!format!("{status:?}").contains("planted"));
        assert!(dropped);
    }
}

#[tokio::test]
async fn a_deadline_ends_the_work_in_the_handler_and_in_the_body() {
    for act in [Act::Hang, Act::HangInBody] {
        let (status, dropped) = call(act, GET, Some(Role::Admin), "100m").await;
        assert_eq!(status.code(), Code::DeadlineExceeded);
        assert!(dropped);
    }
}

#[tokio::test]
async fn the_servers_own_deadline_holds_where_the_caller_has_none_that_counts() {
    let mut config = Config::default();
    (config.server.request_timeout_seconds, config.server.max_request_timeout_seconds) = (1, 2);
    for (timeout, seconds) in [("nonsense", 1), ("9999H", 2)] {
        let begun = Instant::now();
        let (status, dropped) = call_with(config.clone(), Act::Hang, GET, Some(Role::Admin), timeout).await;
        assert_eq!((status.code(), dropped), (Code::DeadlineExceeded, true));
        assert_eq!(begun.elapsed().as_secs(), seconds);
    }
}

#[test]
fn a_reply_is_compressed_where_the_request_is() {
    let headers = |encoding: Option<&'static str>| {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-accept-encoding", "identity,deflate,gzip".parse().unwrap());
        if let Some(encoding) = encoding {
            headers.insert("grpc-encoding", encoding.parse().unwrap());
        }
        compress_as_asked(&mut headers);
        headers.contains_key("grpc-accept-encoding")
    };
    assert!(headers(Some("gzip")));
    assert!(!headers(Some("identity")));
    assert!(!headers(None));
}
