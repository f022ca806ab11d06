//! The connection to a server, and the calls that are one message each way.

mod channel;
mod fetch;
mod retry;
mod stream;
mod upload;

use std::time::Duration;

use dossier_bundle::Digest;
use dossier_proto::v1;
use tonic::Request;
use tonic::codec::CompressionEncoding;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;

pub use channel::{Options, Token};
pub use fetch::{Fetch, FetchedBlob};
pub use stream::Listed;
pub use upload::{Progress, Upload, UploadSource};

use crate::error::Error;
use channel::Auth;

type Service = InterceptedService<Channel, Auth>;

/// The largest answer that is taken. A preview shows up to 16 KiB of each of its fragments.
const MAX_ANSWER: usize = 16 * 1024 * 1024;

/// A connection to a server with a credential. Cloning is cheap and shares the connection.
#[derive(Clone)]
pub struct Client {
    service: Service,
    /// The address as it is shown.
    address: String,
    timeout: Duration,
    stream_timeout: Duration,
    gzip: bool,
}

macro_rules! unary {
    ($self:ident, $service:ident, $method:ident, $idempotent:expr, $request:expr) => {{
        let request = $request;
        let client = $self.$service();
        // A draft is large: it stands on the heap, not in the caller's future.
        Box::pin(retry::run(&$self.address, $self.timeout, $idempotent, |left| {
            let mut client = client.clone();
            let mut request = Request::new(request.clone());
            request.set_timeout(left);
            async move { Ok(client.$method(request).await?.into_inner()) }
        }))
        .await
    }};
}

impl Client {
    /// Prepares a connection. It is made with the first call, and again when it was lost.
    ///
    /// # Errors
    /// [`Error::Config`] where the address, the token or the certificate cannot be used.
    pub fn connect(endpoint: &str, token: &Token, options: &Options) -> Result<Self, Error> {
        let (channel, address) = channel::open(endpoint, options)?;
        let service = InterceptedService::new(channel, Auth::new(token)?);
        let Options { timeout, stream_timeout, gzip, .. } = *options;
        Ok(Self { service, address, timeout, stream_timeout, gzip })
    }

    /// What a bundle would be. Retried where the server says that it may be.
    ///
    /// # Errors
    /// As `BundleService.PreviewBundle`; denied findings are no error.
    pub async fn preview(&self, parent: &str, draft: v1::BundleDraft) -> Result<v1::PreviewBundleResponse, Error> {
        let request = v1::PreviewBundleRequest { parent: parent.to_owned(), draft: Some(draft) };
        unary!(self, bundles, preview_bundle, true, request)
    }

    /// Freezes a bundle. It is retried only where a request id or bundle id makes the retry the same request.
    ///
    /// # Errors
    /// As `BundleService.CreateBundle`.
    pub async fn create(&self, request: v1::CreateBundleRequest) -> Result<v1::CreateBundleResponse, Error> {
        let named = !request.request_id.is_empty() || !request.bundle_id.is_empty();
        unary!(self, bundles, create_bundle, named, request)
    }

    /// Gets a bundle.
    ///
    /// # Errors
    /// As `BundleService.GetBundle`.
    pub async fn get(&self, name: &str) -> Result<v1::Bundle, Error> {
        let request = v1::GetBundleRequest { name: name.to_owned() };
        let answer = unary!(self, bundles, get_bundle, true, request)?;
        answer.bundle.ok_or(Error::Protocol("GetBundle answered without a bundle"))
    }

    /// One page of bundles, newest first, and the token of the next page (empty at the end).
    ///
    /// # Errors
    /// As `BundleService.ListBundles`.
    pub async fn list_page(&self, request: v1::ListBundlesRequest) -> Result<v1::ListBundlesResponse, Error> {
        unary!(self, bundles, list_bundles, true, request)
    }

    /// Lets the server check a stored bundle. What does not hold stands in the answer and is no error.
    ///
    /// # Errors
    /// As `BundleService.VerifyBundle`.
    pub async fn verify(&self, name: &str) -> Result<v1::VerifyBundleResponse, Error> {
        let request = v1::VerifyBundleRequest { name: name.to_owned() };
        unary!(self, bundles, verify_bundle, true, request)
    }

    /// One page of a bundle's attachments.
    ///
    /// # Errors
    /// As `AttachmentService.ListAttachments`.
    pub async fn list_attachments(
        &self,
        request: v1::ListAttachmentsRequest,
    ) -> Result<v1::ListAttachmentsResponse, Error> {
        unary!(self, attachments, list_attachments, true, request)
    }

    /// Makes a token. Its secret is in the answer and nowhere else; so it is not retried.
    ///
    /// # Errors
    /// As `TokenService.CreateToken`.
    pub async fn create_token(&self, request: v1::CreateTokenRequest) -> Result<v1::CreateTokenResponse, Error> {
        unary!(self, tokens, create_token, false, request)
    }

    /// One page of tokens, without their secrets.
    ///
    /// # Errors
    /// As `TokenService.ListTokens`.
    pub async fn list_tokens(&self, request: v1::ListTokensRequest) -> Result<v1::ListTokensResponse, Error> {
        unary!(self, tokens, list_tokens, true, request)
    }

    /// Revokes a token, by its name `tokens/{id}`.
    ///
    /// # Errors
    /// As `TokenService.RevokeToken`.
    pub async fn revoke_token(&self, name: &str) -> Result<v1::RevokeTokenResponse, Error> {
        let request = v1::RevokeTokenRequest { name: name.to_owned() };
        unary!(self, tokens, revoke_token, true, request)
    }

    /// Starts to fetch a bundle's bytes; blobs in `have` are left out. Each blob is checked while it arrives.
    ///
    /// # Errors
    /// As `BundleService.FetchBundle`.
    pub async fn fetch(&self, name: &str, have: &[Digest]) -> Result<Fetch, Error> {
        let have_digests: Vec<String> = have.iter().map(ToString::to_string).collect();
        let request = v1::FetchBundleRequest { name: name.to_owned(), have_digests };
        let client = self.bundles();
        let stream = retry::run(&self.address, self.stream_timeout, true, |left| {
            let mut client = client.clone();
            let mut request = Request::new(request.clone());
            request.set_timeout(left);
            async move { Ok(client.fetch_bundle(request).await?.into_inner()) }
        })
        .await?;
        Fetch::begin(stream, have).await
    }

    fn bundles(&self) -> v1::bundle_service_client::BundleServiceClient<Service> {
        let client = v1::bundle_service_client::BundleServiceClient::new(self.service.clone())
            .accept_compressed(CompressionEncoding::Gzip)
            .max_decoding_message_size(MAX_ANSWER);
        // The server compresses where its caller does.
        if self.gzip { client.send_compressed(CompressionEncoding::Gzip) } else { client }
    }

    /// Uploads go uncompressed: for the usual log, compressing costs more time than it saves.
    fn attachments(&self) -> v1::attachment_service_client::AttachmentServiceClient<Service> {
        v1::attachment_service_client::AttachmentServiceClient::new(self.service.clone())
            .accept_compressed(CompressionEncoding::Gzip)
            .max_decoding_message_size(MAX_ANSWER)
            .max_encoding_message_size(upload::MAX_MESSAGE)
    }

    fn redaction(&self) -> v1::redaction_service_client::RedactionServiceClient<Service> {
        v1::redaction_service_client::RedactionServiceClient::new(self.service.clone())
            .max_decoding_message_size(MAX_ANSWER)
            .max_encoding_message_size(upload::MAX_MESSAGE)
    }

    fn tokens(&self) -> v1::token_service_client::TokenServiceClient<Service> {
        v1::token_service_client::TokenServiceClient::new(self.service.clone())
    }
}
