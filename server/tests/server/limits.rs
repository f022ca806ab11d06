use std::time::Duration;

use bytes::Bytes;
use dossier_proto::v1::attachment_service_client::AttachmentServiceClient;
use dossier_proto::v1::redaction_service_client::RedactionServiceClient;
use dossier_proto::v1::{
    Attachment, CreateTokenRequest, CreateTokenResponse, ListTokensRequest, RedactHeader, RedactRequest, Role,
    UploadAttachmentHeader, UploadAttachmentRequest,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};
use tonic_types::StatusExt as _;

use crate::harness::{Bearer, Server, token};

/// A unary RPC whose one message never comes.
async fn stuck(
    channel: Channel,
    secret: &str,
    timeout: Option<Duration>,
) -> Result<Response<CreateTokenResponse>, Status> {
    let mut request = Request::new(tokio_stream::pending::<CreateTokenRequest>());
    request.metadata_mut().insert("authorization", format!("Bearer {secret}").parse().unwrap());
    if let Some(timeout) = timeout {
        request.set_timeout(timeout);
    }
    let mut grpc = Grpc::new(channel);
    grpc.ready().await.map_err(|_| Status::unknown("not ready"))?;
    let path = PathAndQuery::from_static("/dossier.v1.TokenService/CreateToken");
    grpc.client_streaming(request, path, tonic_prost::ProstCodec::default()).await
}

fn list() -> ListTokensRequest {
    ListTokensRequest { page_size: 0, page_token: String::new() }
}

#[tokio::test]
async fn the_servers_deadline_ends_a_request() {
    let server = Server::start(&[("DOSSIER_REQUEST_TIMEOUT_SECONDS", "1")]);
    let begun = std::time::Instant::now();
    let status = stuck(server.channel().await, &server.secret(), None).await.err().unwrap();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(status.get_details_error_info().unwrap().metadata["action"], "retry");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn the_callers_deadline_ends_a_request_and_its_work() {
    let server = Server::start(&[("DOSSIER_MAX_CONCURRENT_REQUESTS", "1")]);
    let (channel, secret) = (server.channel().await, server.secret());
    let status = stuck(channel, &secret, Some(Duration::from_millis(500))).await.err().unwrap();
    assert!(matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled), "{status:?}");
    // Its room is free again.
    server.tokens(&secret).await.list_tokens(list()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(server.log().contains("CreateToken"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_stands_still_is_ended_and_a_slow_one_is_not() {
    use dossier_proto::v1::redact_request::Payload as Redact;
    use dossier_proto::v1::upload_attachment_request::Payload as Upload;
    let server = Server::start(&[("DOSSIER_STREAM_IDLE_SECONDS", "2")]);
    let (channel, bearer) = (server.channel().await, Bearer::new(&server.secret()));
    let mut attachments = AttachmentServiceClient::with_interceptor(channel.clone(), bearer.clone());
    let mut redaction = RedactionServiceClient::with_interceptor(channel, bearer);
    let attachment = Attachment { id: "a".into(), kind: "note".into(), title: "t".into(), ..Attachment::default() };
    let upload = UploadAttachmentHeader {
        parent: "orgs/acme".into(),
        attachment: Some(attachment),
        ..UploadAttachmentHeader::default()
    };
    let redact = RedactHeader { parent: "orgs/acme".into(), ..RedactHeader::default() };
    let upload = move || UploadAttachmentRequest { payload: Some(Upload::Header(upload.clone())) };
    let redact = move || RedactRequest { payload: Some(Redact::Header(redact.clone())) };

    // One that never brings a first message, one that stops after its first, and one of the other service.
    let nothing = attachments.clone().upload_attachment(tokio_stream::pending()).await;
    assert_eq!(nothing.err().unwrap().code(), Code::DeadlineExceeded);
    let first = attachments.upload_attachment(tokio_stream::iter([upload()]).chain(tokio_stream::pending())).await;
    assert_eq!(first.err().unwrap().code(), Code::DeadlineExceeded);
    let answers = redaction.redact(tokio_stream::iter([redact()]).chain(tokio_stream::pending())).await.unwrap();
    assert_eq!(answers.into_inner().message().await.err().unwrap().code(), Code::DeadlineExceeded);

    // All together it takes longer than a stream may stand still.
    let (send, receive) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        send.send(upload()).await.unwrap();
        for _ in 0..4 {
            tokio::time::sleep(Duration::from_millis(600)).await;
            send.send(UploadAttachmentRequest { payload: Some(Upload::Data(b"slow\n".to_vec())) }).await.unwrap();
        }
    });
    let answer = attachments.upload_attachment(ReceiverStream::new(receive)).await.unwrap().into_inner();
    assert_eq!(answer.attachment.unwrap().bytes, 20);
}

#[tokio::test]
async fn only_so_many_requests_are_served_at_once() {
    let server = Server::start(&[("DOSSIER_MAX_CONCURRENT_REQUESTS", "1")]);
    let (channel, secret) = (server.channel().await, server.secret());
    let holder = tokio::spawn({
        let (channel, secret) = (channel.clone(), secret.clone());
        async move { stuck(channel, &secret, None).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut tokens = server.tokens(&secret).await;
    let mut waiting = Request::new(list());
    waiting.set_timeout(Duration::from_millis(300));
    let status = tokens.list_tokens(waiting).await.err().unwrap();
    assert!(matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled), "{status:?}");
    // Health takes no room.
    let mut health = tonic_health::pb::health_client::HealthClient::new(channel);
    health.check(tonic_health::pb::HealthCheckRequest { service: String::new() }).await.unwrap();
    // The work of a caller that goes away ends, and its room is free.
    holder.abort();
    let mut next = Request::new(list());
    next.set_timeout(Duration::from_secs(5));
    tokens.list_tokens(next).await.unwrap();
}

#[tokio::test]
async fn only_so_many_connections_are_served_at_once() {
    let server = Server::start(&[("DOSSIER_MAX_CONNECTIONS", "1")]);
    let first = server.channel().await;
    let mut health = tonic_health::pb::health_client::HealthClient::new(first);
    health.check(tonic_health::pb::HealthCheckRequest { service: String::new() }).await.unwrap();
    let mut second = TcpStream::connect(&server.address).await.unwrap();
    second.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    let mut byte = [0];
    let answer = tokio::time::timeout(Duration::from_millis(500), second.read(&mut byte)).await;
    assert!(answer.is_err(), "the second connection waits");
    drop(health);
    let answer = tokio::time::timeout(Duration::from_secs(5), second.read(&mut byte)).await;
    assert_eq!(answer.unwrap().unwrap(), 1, "it is served once the first has gone");
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused() {
    let server = Server::start(&[]);
    let mut tokens = server.tokens(&server.secret()).await;
    let large = token(&"x".repeat(5 << 20), Role::Admin, &[], "");
    let status = tokens.create_token(large).await.err().unwrap();
    assert_eq!(status.code(), Code::ResourceExhausted);
    assert_eq!(status.get_details_error_info().unwrap().reason, "MESSAGE_TOO_LARGE");
}

#[tokio::test]
async fn what_is_no_message_is_the_callers_fault() {
    let server = Server::start(&[]);
    let mut request = Request::new(tokio_stream::iter([Garbage]));
    request.metadata_mut().insert("authorization", format!("Bearer {}", server.secret()).parse().unwrap());
    let mut grpc = Grpc::new(server.channel().await);
    grpc.ready().await.unwrap();
    let path = PathAndQuery::from_static("/dossier.v1.TokenService/CreateToken");
    let status = grpc.client_streaming(request, path, Raw).await.err().unwrap();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(!format!("{status:?}").contains("planted"));
}

#[tokio::test]
async fn draining_waits_for_what_is_open_and_then_cuts_it() {
    let mut server = Server::start(&[("DOSSIER_DRAIN_SECONDS", "1")]);
    let (channel, secret) = (server.channel().await, server.secret());
    let open = tokio::spawn(async move { stuck(channel, &secret, None).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.terminate();
    let (status, took) = server.wait(Duration::from_secs(10)).await;
    assert!(status.success());
    assert!(took > Duration::from_millis(800) && took < Duration::from_secs(5), "{took:?}");
    assert!(open.await.unwrap().is_err());
    assert!(server.log().contains("CreateToken"), "the work was dropped\n{}", server.log());
}

#[tokio::test]
async fn a_reply_is_compressed_where_its_request_was() {
    use tonic::codec::CompressionEncoding::Gzip;
    let server = Server::start(&[]);
    let secret = server.secret();
    let plain = server.tokens(&secret).await.accept_compressed(Gzip);
    for (mut tokens, expected) in [(plain.clone(), None), (plain.send_compressed(Gzip), Some("gzip"))] {
        let answer = tokens.list_tokens(list()).await.unwrap();
        let encoding = answer.metadata().get("grpc-encoding").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(encoding.as_deref(), expected);
        assert_eq!(answer.into_inner().tokens.len(), 1);
    }
}

/// Bytes that are no message.
struct Garbage;

/// Sends bytes as they are.
struct Raw;

impl tonic::codec::Codec for Raw {
    type Encode = Garbage;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl tonic::codec::Encoder for Raw {
    type Item = Garbage;
    type Error = Status;

    fn encode(&mut self, _: Garbage, buffer: &mut tonic::codec::EncodeBuf<'_>) -> Result<(), Status> {
        bytes::BufMut::put_slice(buffer, b"\xff\xff planted");
        Ok(())
    }
}

impl tonic::codec::Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut tonic::codec::DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        let left = bytes::Buf::remaining(buffer);
        Ok(Some(bytes::Buf::copy_to_bytes(buffer, left)))
    }
}
