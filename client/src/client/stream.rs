//! Reading an attachment, redacting on the server, and lists that go over their pages.

use std::io::{Read, Write};

use dossier_bundle::Digest;
use dossier_proto::v1::{self, read_attachment_response, redact_request, redact_response};
use tokio_stream::Stream;
use tonic::Request;

use super::upload::pump;
use super::{Client, retry};
use crate::error::Error;

/// No stored attachment is larger.
const MAX_ATTACHMENT: i64 = 64 * 1024 * 1024;

/// An entry of a list of bundles.
#[derive(Clone)]
pub enum Listed {
    /// A bundle, without its spec.
    Bundle(Box<v1::Bundle>),
    /// The name of a bundle whose record is changed or cannot be read. Getting it tells why.
    Unreadable(String),
}

impl Client {
    /// Reads an attachment or a page of it; a `limit` of 0 reads to the end. A whole attachment is checked against its digest.
    ///
    /// # Errors
    /// As `AttachmentService.ReadAttachment`; [`Error::Corrupt`] where the bytes are not what the attribution says.
    pub async fn read_attachment(
        &self,
        name: &str,
        offset: i64,
        limit: i64,
    ) -> Result<(v1::AttachmentHeader, Vec<u8>), Error> {
        let request = v1::ReadAttachmentRequest { name: name.to_owned(), offset, limit };
        let client = self.attachments();
        retry::run(&self.address, self.stream_timeout, true, |left| {
            let mut client = client.clone();
            let mut request = Request::new(request.clone());
            request.set_timeout(left);
            async move { received(client.read_attachment(request).await?.into_inner()).await }
        })
        .await
    }

    /// Redacts what `reader` gives on the server, in its context, and writes the result to `out` as it comes.
    ///
    /// # Errors
    /// As `RedactionService.Redact`; [`Error::Io`] where reading or writing fails.
    pub async fn redact(
        &self,
        header: v1::RedactHeader,
        reader: Box<dyn Read + Send>,
        out: &mut (dyn Write + Send),
    ) -> Result<v1::RedactionSummary, Error> {
        let first = v1::RedactRequest { payload: Some(redact_request::Payload::Header(header)) };
        let next = |data: Vec<u8>| v1::RedactRequest { payload: Some(redact_request::Payload::Data(data)) };
        let (stream, mut failed) = pump(first, next, reader, None);
        let mut request = Request::new(stream);
        request.set_timeout(self.stream_timeout);
        let mut answers = self.redaction().redact(request).await?.into_inner();
        let mut reading = true;
        loop {
            let message = tokio::select! {
                biased;
                failed = &mut failed, if reading => {
                    reading = false;
                    match failed {
                        Ok(source) => return Err(Error::Io { path: "-".into(), source }),
                        Err(_) => continue,
                    }
                }
                message = answers.message() => message?,
            };
            match message.and_then(|message| message.payload) {
                Some(redact_response::Payload::Data(data)) => out.write_all(&data).map_err(Error::io("-"))?,
                Some(redact_response::Payload::Summary(summary)) => return Ok(summary),
                None => return Err(Error::Protocol("a redacted stream must end with its summary")),
            }
        }
    }

    /// All bundles of a parent, newest first, page by page as they are taken. `digest` may be empty. Those that cannot be read
    /// come after the others of their page.
    pub fn list(&self, parent: &str, digest: &str) -> impl Stream<Item = Result<Listed, Error>> + Send + use<> {
        let request = v1::ListBundlesRequest {
            parent: parent.to_owned(),
            digest: digest.to_owned(),
            ..v1::ListBundlesRequest::default()
        };
        let client = self.clone();
        pages(request, move |request| {
            let client = client.clone();
            async move {
                let page = client.list_page(request.clone()).await?;
                let next = v1::ListBundlesRequest { page_token: page.next_page_token, ..request };
                let mut listed: Vec<Listed> =
                    page.bundles.into_iter().map(|one| Listed::Bundle(Box::new(one))).collect();
                listed.extend(page.unreadable.into_iter().map(Listed::Unreadable));
                Ok((listed, (!next.page_token.is_empty()).then_some(next)))
            }
        })
    }

    /// All attachments of a bundle, in its order.
    ///
    /// # Errors
    /// As [`Client::list_attachments`].
    pub async fn all_attachments(&self, parent: &str) -> Result<Vec<v1::Attachment>, Error> {
        let mut request =
            v1::ListAttachmentsRequest { parent: parent.to_owned(), ..v1::ListAttachmentsRequest::default() };
        let mut all = Vec::new();
        loop {
            let page = self.list_attachments(request.clone()).await?;
            all.extend(page.attachments);
            if page.next_page_token.is_empty() {
                return Ok(all);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// All tokens, without their secrets.
    ///
    /// # Errors
    /// As [`Client::list_tokens`].
    pub async fn all_tokens(&self) -> Result<Vec<v1::Token>, Error> {
        let mut request = v1::ListTokensRequest::default();
        let mut all = Vec::new();
        loop {
            let page = self.list_tokens(request.clone()).await?;
            all.extend(page.tokens);
            if page.next_page_token.is_empty() {
                return Ok(all);
            }
            request.page_token = page.next_page_token;
        }
    }
}

/// Items of pages, of which the next is asked for when the one before is used up.
fn pages<R, T, F, Fut>(first: R, page: F) -> impl Stream<Item = Result<T, Error>> + Send
where
    R: Send,
    T: Send,
    F: Fn(R) -> Fut + Send + Sync,
    Fut: Future<Output = Result<(Vec<T>, Option<R>), Error>> + Send,
{
    futures::stream::unfold((Some(first), Vec::new().into_iter(), page), |(mut next, mut items, page)| async move {
        loop {
            if let Some(item) = items.next() {
                return Some((Ok(item), (next, items, page)));
            }
            match page(next.take()?).await {
                Ok((more, following)) => (items, next) = (more.into_iter(), following),
                Err(error) => return Some((Err(error), (None, Vec::new().into_iter(), page))),
            }
        }
    })
}

async fn received(
    mut stream: tonic::Streaming<v1::ReadAttachmentResponse>,
) -> Result<(v1::AttachmentHeader, Vec<u8>), Error> {
    let header = match stream.message().await?.and_then(|message| message.payload) {
        Some(read_attachment_response::Payload::Header(header)) => header,
        _ => return Err(Error::Protocol("an attachment must begin with its attribution")),
    };
    let attachment = header.attachment.as_ref().ok_or(Error::Protocol("an attribution must name the attachment"))?;
    let digest: Digest = attachment.digest.parse().map_err(|_| Error::Protocol("a digest is malformed"))?;
    let corrupt = |detail| Error::Corrupt { digest, detail };
    if !(0..=MAX_ATTACHMENT).contains(&header.length) {
        return Err(corrupt("its size is out of bounds"));
    }
    let length = header.length.unsigned_abs();
    let mut bytes = Vec::new();
    while let Some(message) = stream.message().await? {
        let Some(read_attachment_response::Payload::Chunk(chunk)) = message.payload else {
            return Err(Error::Protocol("an attachment sends chunks after its attribution"));
        };
        if chunk.offset != header.offset.saturating_add_unsigned(bytes.len() as u64) {
            return Err(corrupt("a chunk is out of order"));
        }
        if bytes.len() as u64 + chunk.data.len() as u64 > length {
            return Err(corrupt("more bytes came than its size says"));
        }
        bytes.extend_from_slice(&chunk.data);
    }
    if bytes.len() as u64 != length {
        return Err(corrupt("the stream ended before all of its bytes came"));
    }
    if header.offset == 0 && header.next_offset == 0 && Digest::of(&bytes) != digest {
        return Err(corrupt("the bytes have another digest"));
    }
    Ok((header, bytes))
}
