//! The client against a server that misbehaves as it is told to: what arrives is checked, and what fails is not half done.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod fetch;
mod upload;

use dossier_client::{Client, Options, Token};
use dossier_proto::v1;
use tokio::net::TcpListener;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tonic::transport::Server;
use tonic::{Request, Response, Status, Streaming};
use v1::attachment_service_server::{AttachmentService, AttachmentServiceServer};
use v1::bundle_service_server::{BundleService, BundleServiceServer};

type Answer<T> = Result<Response<T>, Status>;
type Messages<T> = ReceiverStream<Result<T, Status>>;

/// A server that fetches what it is given, and counts whole uploads.
#[derive(Clone, Default)]
struct Fake {
    fetch: Vec<v1::FetchBundleResponse>,
    uploads: std::sync::Arc<std::sync::Mutex<Vec<usize>>>,
    /// How many calls are answered UNAVAILABLE first.
    busy: std::sync::Arc<std::sync::atomic::AtomicUsize>,
    /// Whether the last `GetBundle` came compressed.
    compressed: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl Fake {
    /// Serves on a free port, and connects to it.
    async fn start(&self) -> Client {
        self.start_with(&Options::default()).await
    }

    async fn start_with(&self, options: &Options) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = Server::builder()
            .add_service(
                BundleServiceServer::new(self.clone())
                    .accept_compressed(tonic::codec::CompressionEncoding::Gzip)
                    .send_compressed(tonic::codec::CompressionEncoding::Gzip),
            )
            .add_service(AttachmentServiceServer::new(self.clone()));
        tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
        Client::connect(&address, &Token::new("dsr_test\n"), options).unwrap()
    }

    fn is_busy(&self) -> Result<(), Status> {
        use std::sync::atomic::Ordering::SeqCst;
        match self.busy.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)) {
            Ok(_) => Err(Status::unavailable("busy")),
            Err(_) => Ok(()),
        }
    }
}

fn messages<T: Send + 'static>(all: Vec<T>) -> Messages<T> {
    let (send, receive) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        for message in all {
            if send.send(Ok(message)).await.is_err() {
                return;
            }
        }
    });
    ReceiverStream::new(receive)
}

#[tonic::async_trait]
impl BundleService for Fake {
    type FetchBundleStream = Messages<v1::FetchBundleResponse>;

    async fn preview_bundle(&self, _: Request<v1::PreviewBundleRequest>) -> Answer<v1::PreviewBundleResponse> {
        Err(Status::unimplemented(""))
    }

    async fn create_bundle(&self, request: Request<v1::CreateBundleRequest>) -> Answer<v1::CreateBundleResponse> {
        self.is_busy()?;
        let name = format!("{}/bundles/b", request.into_inner().parent);
        let bundle = v1::Bundle { name, ..v1::Bundle::default() };
        Ok(Response::new(v1::CreateBundleResponse { bundle: Some(bundle), ..v1::CreateBundleResponse::default() }))
    }

    async fn get_bundle(&self, request: Request<v1::GetBundleRequest>) -> Answer<v1::GetBundleResponse> {
        self.is_busy()?;
        let token = request.metadata().get("authorization").cloned();
        assert_eq!(token.unwrap(), "Bearer dsr_test");
        assert!(request.metadata().contains_key("grpc-timeout"));
        let compressed = request.metadata().get("grpc-encoding").is_some_and(|encoding| encoding == "gzip");
        self.compressed.store(compressed, std::sync::atomic::Ordering::SeqCst);
        Ok(Response::new(v1::GetBundleResponse { bundle: Some(v1::Bundle::default()) }))
    }

    async fn list_bundles(&self, request: Request<v1::ListBundlesRequest>) -> Answer<v1::ListBundlesResponse> {
        let page: usize = request.into_inner().page_token.parse().unwrap_or(0);
        let bundle = |number: usize| v1::Bundle { name: format!("b{number}"), ..v1::Bundle::default() };
        let bundles = vec![bundle(2 * page), bundle(2 * page + 1)];
        let next_page_token = if page < 2 { (page + 1).to_string() } else { String::new() };
        let unreadable = if page == 1 { vec!["b9".to_owned()] } else { Vec::new() };
        Ok(Response::new(v1::ListBundlesResponse { bundles, next_page_token, unreadable }))
    }

    async fn fetch_bundle(&self, _: Request<v1::FetchBundleRequest>) -> Answer<Self::FetchBundleStream> {
        Ok(Response::new(messages(self.fetch.clone())))
    }

    async fn verify_bundle(&self, _: Request<v1::VerifyBundleRequest>) -> Answer<v1::VerifyBundleResponse> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl AttachmentService for Fake {
    type ReadAttachmentStream = Messages<v1::ReadAttachmentResponse>;

    async fn upload_attachment(
        &self,
        request: Request<Streaming<v1::UploadAttachmentRequest>>,
    ) -> Answer<v1::UploadAttachmentResponse> {
        let mut stream = request.into_inner();
        let mut bytes = 0;
        while let Some(message) = stream.message().await? {
            match message.payload {
                Some(v1::upload_attachment_request::Payload::Header(_)) => self.is_busy()?,
                Some(v1::upload_attachment_request::Payload::Data(data)) => bytes += data.len(),
                None => return Err(Status::invalid_argument("empty")),
            }
        }
        self.uploads.lock().unwrap().push(bytes);
        Ok(Response::new(v1::UploadAttachmentResponse::default()))
    }

    async fn list_attachments(&self, _: Request<v1::ListAttachmentsRequest>) -> Answer<v1::ListAttachmentsResponse> {
        Err(Status::unimplemented(""))
    }

    async fn read_attachment(&self, _: Request<v1::ReadAttachmentRequest>) -> Answer<Self::ReadAttachmentStream> {
        Err(Status::unimplemented(""))
    }
}
