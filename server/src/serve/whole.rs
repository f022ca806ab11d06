//! Tells a request that has ended from one that was broken off.
//!
//! Of a stream that its caller reset (RFC 9113, section 6.4), hyper ends the body as if it had been sent whole where the code
//! is `NO_ERROR`, and fails it otherwise; but tonic takes the failure of code `CANCEL` for the request's end too. Half an
//! upload must not look like the whole.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tonic::body::Body;
use tonic::{Code, Status};

use crate::status::{Action, ApiError};

/// The body of a request. It fails where its caller broke it off, instead of ending.
pub(super) struct WholeBody(Body);

impl WholeBody {
    /// Guards a body as the transport gives it.
    pub(super) fn guard(inner: Body) -> Body {
        Body::new(Self(inner))
    }
}

impl HttpBody for WholeBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.0).poll_frame(cx));
        let broken = match &frame {
            // Only the peer's own END_STREAM makes this true.
            None => !self.0.is_end_stream(),
            Some(Err(status)) => status.code() == Code::Cancelled,
            Some(Ok(_)) => false,
        };
        Poll::Ready(if broken { Some(Err(broken_off())) } else { frame })
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

/// Not `CANCELLED`, which tonic takes for the end.
fn broken_off() -> Status {
    ApiError::Aborted {
        reason: "BROKEN_OFF",
        subject: "the request".to_owned(),
        detail: "its caller broke it off before it had ended".to_owned(),
        action: Action::Retry,
    }
    .into()
}

#[cfg(test)]
mod tests {
    use dossier_proto::v1;
    use prost::Message as _;
    use tonic::Streaming;
    use tonic::codec::Codec as _;
    use tonic_prost::ProstCodec;

    use super::*;

    /// How a body goes on after its one message.
    #[derive(Clone)]
    enum End {
        Whole,
        /// As hyper's after a reset with `NO_ERROR`.
        JustEnds,
        Fails(Code),
    }

    struct Sent {
        message: Option<Bytes>,
        end: End,
    }

    impl HttpBody for Sent {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            if let Some(message) = self.message.take() {
                return Poll::Ready(Some(Ok(Frame::data(message))));
            }
            match self.end {
                End::Whole | End::JustEnds => Poll::Ready(None),
                End::Fails(code) => Poll::Ready(Some(Err(Status::new(code, "")))),
            }
        }

        fn is_end_stream(&self) -> bool {
            self.message.is_none() && matches!(self.end, End::Whole)
        }
    }

    /// Whether a handler is told, after the one message, that the request has ended.
    async fn ended(end: End) -> Result<bool, Code> {
        let message = v1::GetBundleRequest { name: "x".to_owned() };
        let bytes = message.encode_to_vec();
        let mut frame = vec![0, 0, 0, 0, u8::try_from(bytes.len()).unwrap()];
        frame.extend_from_slice(&bytes);
        let body = WholeBody::guard(Body::new(Sent { message: Some(frame.into()), end }));
        let decoder = ProstCodec::<v1::GetBundleRequest, v1::GetBundleRequest>::default().decoder();
        let mut stream = Streaming::new_request(decoder, body, None, None);
        assert!(stream.message().await.unwrap().is_some_and(|read| read == message));
        stream.message().await.map(|next| next.is_none()).map_err(|status| status.code())
    }

    #[tokio::test]
    async fn only_what_was_sent_whole_ends() {
        assert_eq!(ended(End::Whole).await, Ok(true));
        assert_eq!(ended(End::JustEnds).await, Err(Code::Aborted));
        assert_eq!(ended(End::Fails(Code::Cancelled)).await, Err(Code::Aborted));
        assert_eq!(ended(End::Fails(Code::Unknown)).await, Err(Code::Unknown));
    }
}
