//! `RedactionService`.

use std::pin::Pin;

use bytes::Bytes;
use dossier_bundle::Hasher;
use dossier_bundle::names::{OrgParent, ProjectName};
use dossier_proto::v1;
use dossier_proto::v1::redact_request::Payload as Asked;
use dossier_proto::v1::redact_response::Payload as Answer;
use dossier_proto::v1::redaction_service_server::RedactionService;
use futures::Stream;
use tonic::{Request, Response, Status, Streaming};

use super::bundle::{chunks, parse};
use super::patience::next;
use crate::app::App;
use crate::assemble::context;
use crate::assemble::upload::{summary, unredactable};
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
impl RedactionService for Service {
    type RedactStream = Pin<Box<dyn Stream<Item = Result<v1::RedactResponse, Status>> + Send>>;

    async fn redact(
        &self,
        request: Request<Streaming<v1::RedactRequest>>,
    ) -> Result<Response<Self::RedactStream>, Status> {
        let caller = Principal::of(&request)?.clone();
        let mut incoming = request.into_inner();
        let Some(Asked::Header(header)) = next(&self.app, &mut incoming).await?.and_then(|first| first.payload) else {
            return Err(ApiError::invalid("header", "must come in the first message").into());
        };
        let parent: OrgParent = parse("header.parent", &header.parent)?;
        caller.enter_org(&parent.org)?;
        if !header.project.is_empty() {
            parse::<ProjectName>("header.project", &header.project)?;
        }
        let wanted = header.redaction.unwrap_or_default();
        let redactor = context::build(&self.app, "header.redaction", wanted, &[]).await?.admitted()?.redactor;
        let app = self.app.clone();
        let cap = app.config.redaction.max_upload_bytes;
        let answer = async_stream::try_stream! {
            let mut stream = redactor.stream();
            let (mut hasher, mut raw, mut sent) = (Hasher::new(), 0_u64, 0_u64);
            while let Some(message) = next(&app, &mut incoming).await? {
                let data = match message.payload {
                    Some(Asked::Data(data)) if data.len() <= CHUNK => data,
                    Some(Asked::Data(_)) => {
                        Err(ApiError::invalid("data", format!("must be at most {CHUNK} bytes a message")))?
                    }
                    Some(Asked::Header(_)) => Err(ApiError::invalid("header", "must come in the first message only"))?,
                    None => Err(ApiError::invalid("data", "is required in every message but the first"))?,
                };
                raw += data.len() as u64;
                if raw > cap {
                    Err(ApiError::ResourceExhausted {
                        reason: "STREAM_TOO_LARGE",
                        subject: "stream".to_owned(),
                        detail: format!("at most {cap} bytes may arrive"),
                        retry_after: None,
                    })?;
                }
                let pushed = tokio::task::block_in_place(|| stream.push(&data));
                let text = pushed.map_err(|error| unredactable(&error))?.text.into_string();
                if !text.is_empty() {
                    hasher.update(text.as_bytes());
                    sent += text.len() as u64;
                    for (_, data) in chunks(Bytes::from(text)) {
                        yield v1::RedactResponse { payload: Some(Answer::Data(data)) };
                    }
                }
            }
            let finished = tokio::task::block_in_place(|| stream.finish());
            let (last, counts) = finished.map_err(|error| unredactable(&error))?;
            let text = last.text.into_string();
            hasher.update(text.as_bytes());
            sent += text.len() as u64;
            if !text.is_empty() {
                for (_, data) in chunks(Bytes::from(text)) {
                    yield v1::RedactResponse { payload: Some(Answer::Data(data)) };
                }
            }
            let summary = summary(&counts, hasher.finish(), sent, &redactor);
            yield v1::RedactResponse { payload: Some(Answer::Summary(summary)) };
        };
        Ok(Response::new(Box::pin(answer)))
    }
}
