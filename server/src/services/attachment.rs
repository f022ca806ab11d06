//! `AttachmentService`.

use std::pin::Pin;

use dossier_bundle::draft::RedactionStatus;
use dossier_bundle::manifest;
use dossier_bundle::names::{AttachmentPath, OrgParent, RunPath};
use dossier_proto::v1;
use dossier_proto::v1::attachment_service_server::AttachmentService;
use dossier_proto::v1::read_attachment_response::Payload as ReadPayload;
use dossier_proto::v1::upload_attachment_request::Payload as UploadPayload;
use futures::{Stream, StreamExt as _};
use tonic::{Request, Response, Status, Streaming};

use super::bundle::{chunks, enter, parse};
use super::patience::next;
use crate::app::App;
use crate::assemble::upload::Upload;
use crate::assemble::wire;
use crate::bundles;
use crate::identity::Principal;
use crate::status::ApiError;

/// The largest piece that a stream may send.
const CHUNK: usize = 1 << 20;

/// The service.
pub(super) struct Service {
    app: App,
}

impl Service {
    pub(super) fn new(app: App) -> Self {
        Self { app }
    }
}

#[tonic::async_trait]
impl AttachmentService for Service {
    async fn upload_attachment(
        &self,
        request: Request<Streaming<v1::UploadAttachmentRequest>>,
    ) -> Result<Response<v1::UploadAttachmentResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let mut stream = request.into_inner();
        let Some(UploadPayload::Header(header)) = next(&self.app, &mut stream).await?.and_then(|first| first.payload)
        else {
            return Err(ApiError::invalid("header", "must come in the first message").into());
        };
        let parent: OrgParent = parse("header.parent", &header.parent)?;
        caller.enter_org(&parent.org)?;
        let mut upload = Upload::begin(&self.app, header).await?;
        while let Some(message) = next(&self.app, &mut stream).await? {
            match message.payload {
                Some(UploadPayload::Data(bytes)) if bytes.len() <= CHUNK => upload.push(&bytes)?,
                Some(UploadPayload::Data(_)) => {
                    return Err(ApiError::invalid("data", format!("must be at most {CHUNK} bytes a message")).into());
                }
                Some(UploadPayload::Header(_)) => {
                    return Err(ApiError::invalid("header", "must come in the first message only").into());
                }
                None => return Err(ApiError::invalid("data", "is required in every message but the first").into()),
            }
        }
        let uploaded = upload.finish()?;
        let size = uploaded.bytes.len();
        let digest = uploaded.store(&self.app.store, &parent.org).await?;
        tracing::info!(action = "upload", org = %parent.org, %digest, bytes = size, principal = caller.name, "took an upload");
        Ok(Response::new(v1::UploadAttachmentResponse {
            omissions: uploaded.omissions(),
            attachment: Some(uploaded.attachment),
            redaction: Some(uploaded.summary),
        }))
    }

    async fn list_attachments(
        &self,
        request: Request<v1::ListAttachmentsRequest>,
    ) -> Result<Response<v1::ListAttachmentsResponse>, Status> {
        let caller = Principal::of(&request)?.clone();
        let asked = request.into_inner();
        let name = enter(&caller, "parent", &asked.parent)?;
        let start = match asked.page_token.as_str() {
            "" => 0,
            token => token
                .parse::<usize>()
                .map_err(|_| ApiError::invalid("page_token", "must be one that this listing has given"))?,
        };
        let size = match asked.page_size {
            0 => 100,
            size @ 1..=1_000 => usize::try_from(size).unwrap_or(100),
            _ => return Err(ApiError::invalid("page_size", "must be 0 to 1000").into()),
        };
        let record = bundles::record(&self.app.store, &name).await?;
        let bytes = self.app.store.get_blob(name.org.as_str(), &record.digest).await.map_err(ApiError::from)?;
        let items = wire::manifest(&bytes)?.spec.attachments;
        let end = start.saturating_add(size).min(items.len());
        Ok(Response::new(v1::ListAttachmentsResponse {
            attachments: items.get(start..end).unwrap_or_default().iter().map(to_wire).collect(),
            next_page_token: if end < items.len() { end.to_string() } else { String::new() },
        }))
    }

    type ReadAttachmentStream = Pin<Box<dyn Stream<Item = Result<v1::ReadAttachmentResponse, Status>> + Send>>;

    async fn read_attachment(
        &self,
        request: Request<v1::ReadAttachmentRequest>,
    ) -> Result<Response<Self::ReadAttachmentStream>, Status> {
        let caller = Principal::of(&request)?.clone();
        let asked = request.into_inner();
        let name: AttachmentPath = parse("name", &asked.name)?;
        caller.enter_run(&RunPath { org: name.bundle.org.clone(), run: name.bundle.run.clone() })?;
        let (Ok(offset), Ok(limit)) = (usize::try_from(asked.offset), usize::try_from(asked.limit)) else {
            let field = if asked.offset < 0 { "offset" } else { "limit" };
            return Err(ApiError::invalid(field, "must not be negative").into());
        };
        let org = name.bundle.org.as_str();
        let record = bundles::record(&self.app.store, &name.bundle).await?;
        let bytes = self.app.store.get_blob(org, &record.digest).await.map_err(ApiError::from)?;
        let items = wire::manifest(&bytes)?.spec.attachments;
        let Some(item) = items.iter().find(|item| item.id == name.id.as_str()) else {
            let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
            let detail = match ids.is_empty() {
                true => "this bundle has none; report it as missing evidence".to_owned(),
                false => format!("this bundle has {}; report any other as missing evidence", ids.join(", ")),
            };
            return Err(ApiError::NotFound { kind: "attachment", name: name.to_string(), detail }.into());
        };
        let body = self.app.store.get_blob(org, &item.digest).await.map_err(ApiError::from)?;
        if offset > body.len() {
            let detail = format!("the attachment has {} bytes", body.len());
            return Err(ApiError::OutOfRange { field: "offset", detail }.into());
        }
        let text =
            (item.redaction_status != RedactionStatus::SearchedOnly).then(|| std::str::from_utf8(&body).ok()).flatten();
        let (start, end) = range(text, body.len(), offset, limit);
        let whole = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let header = v1::AttachmentHeader {
            attachment: Some(to_wire(item)),
            offset: whole(start),
            length: whole(end - start),
            next_offset: if end < body.len() { whole(end) } else { 0 },
            bundle_create_time: record.summary().create_time,
        };
        let header = v1::ReadAttachmentResponse { payload: Some(ReadPayload::Header(header)) };
        let from = whole(start);
        let chunks = chunks(body.slice(start..end)).map(move |(offset, data)| {
            let chunk = v1::AttachmentChunk { offset: from + offset, data };
            Ok(v1::ReadAttachmentResponse { payload: Some(ReadPayload::Chunk(chunk)) })
        });
        let answer = futures::stream::once(async move { Ok(header) }).chain(futures::stream::iter(chunks));
        Ok(Response::new(Box::pin(answer)))
    }
}

/// The page that begins at `offset`: both ends on character boundaries where it is text, and never empty before the end.
fn range(text: Option<&str>, size: usize, offset: usize, limit: usize) -> (usize, usize) {
    let asked = if limit == 0 { size } else { offset.saturating_add(limit).min(size) };
    match text {
        None => (offset, asked),
        Some(text) => {
            let start = text.floor_char_boundary(offset);
            let end = text.floor_char_boundary(asked);
            (start, if end <= start && start < size { text.ceil_char_boundary(start + 1) } else { end })
        }
    }
}

fn to_wire(item: &manifest::Attachment) -> v1::Attachment {
    let status = serde_json::to_value(item.redaction_status).ok();
    v1::Attachment {
        id: item.id.clone(),
        kind: item.kind.clone(),
        title: item.title.clone(),
        media_type: item.media_type.clone(),
        digest: item.digest.to_string(),
        source_url: item.source_url.clone().unwrap_or_default(),
        retrieved_at: item.retrieved_at.map(|time| wire::seconds(time.seconds())),
        base_sha: item.base_sha.clone().unwrap_or_default(),
        head_sha: item.head_sha.clone().unwrap_or_default(),
        bytes: i64::from(item.bytes),
        redaction_status: status.and_then(|status| status.as_str().map(str::to_owned)).unwrap_or_default(),
        truncated: item.truncated,
        first_error: item.first_error.clone().map(wire::first_error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_join_to_the_exact_body() {
        let body = "aé€😀z".repeat(50);
        for limit in 1..12 {
            let (mut at, mut joined) = (0, String::new());
            while at < body.len() {
                let (start, end) = range(Some(&body), body.len(), at, limit);
                assert!(start == at && end > start && (end - start <= limit || end - start <= 4));
                joined.push_str(&body[start..end]);
                at = end;
            }
            assert_eq!(joined, body);
        }
        assert_eq!(range(Some("é"), 2, 1, 0), (0, 2));
        assert_eq!(range(None, 10, 3, 4), (3, 7));
        assert_eq!(range(Some(""), 0, 0, 5), (0, 0));
    }
}
