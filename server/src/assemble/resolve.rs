//! Resolves what a draft names: uploads, attachments, the trigger's template; and pins what is in force.

use bytes::Bytes;
use dossier_bundle::draft::{Draft, Omission, Prompt, RedactionStatus};
use dossier_bundle::excerpt::FirstError;
use dossier_bundle::kinds::{self, LimitClass};
use dossier_bundle::names::OrgName;
use dossier_bundle::redactions::Redactions;
use dossier_bundle::template::{self, TemplateError};
use dossier_bundle::{Blob, Code, Digest, Finding};
use dossier_redact::{Clean, Kind, Redactor};
use dossier_store::{Creation, Error as StoreError, Store, keys};
use futures::StreamExt as _;

use super::decode::{Sent, Template};
use super::pins::Pins;
use super::upload::{self, LeftOut};
use crate::app::App;
use crate::config::Config;
use crate::status::ApiError;

/// How many blobs are read at the same time.
const READERS: usize = 8;

/// Where blobs come from: a create renews their age, a preview only reads.
pub(crate) enum Shelf<'s> {
    /// Reads.
    Preview(&'s Store, &'s OrgName),
    /// Reads and renews.
    Create(&'s Creation, &'s Store, &'s OrgName),
}

impl Shelf<'_> {
    fn org(&self) -> &OrgName {
        match self {
            Self::Preview(_, org) | Self::Create(_, _, org) => org,
        }
    }

    fn store(&self) -> &Store {
        match self {
            Self::Preview(store, _) | Self::Create(_, store, _) => store,
        }
    }

    async fn blob(&self, digest: &Digest) -> Result<Bytes, StoreError> {
        match self {
            Self::Preview(store, org) => store.get_blob(org.as_str(), digest).await,
            Self::Create(creation, _, _) => creation.renew_blob(digest).await,
        }
    }
}

/// A resolved draft.
pub(super) struct Resolved {
    pub(super) draft: Draft<Clean>,
    pub(super) findings: Vec<Finding>,
    pub(super) blobs: Vec<Blob>,
    pub(super) pins: Pins,
}

/// Resolves a draft.
///
/// # Errors
/// [`ApiError::Unimplemented`], [`ApiError::Aborted`], those of the store.
pub(super) async fn resolve(
    app: &App,
    shelf: &Shelf<'_>,
    sent: Sent,
    redactor: &Redactor,
) -> Result<Resolved, ApiError> {
    if let Some(subject) = sent.unimplemented {
        let detail = "this version takes text and upload".to_owned();
        return Err(ApiError::Unimplemented { reason: "UNSUPPORTED", subject, detail });
    }
    let Sent { mut draft, template, uploads, blobs, pins, mut findings, .. } = sent;
    let now = Pins::now(&draft.limits);
    pins.honour(&now)?;
    if let Some(template) = template {
        draft.trigger = trigger(template, redactor, &mut findings);
    }

    let mut wanted: Vec<Digest> = uploads.iter().map(|(_, digest)| *digest).collect();
    wanted.extend(draft.attachments.iter().map(|item| item.digest));
    wanted.sort();
    wanted.dedup();
    let fetched = futures::stream::iter(wanted.into_iter().map(|digest| fetch(shelf, digest)));
    let fetched: Vec<(Digest, Result<Fetched, Code>)> =
        fetched.buffered(READERS).collect::<Vec<_>>().await.into_iter().collect::<Result<_, ApiError>>()?;
    let found = |digest: &Digest| fetched.iter().find(|(one, _)| one == digest).map(|(_, bytes)| bytes);

    let mut refused = Vec::new();
    for (index, digest) in uploads {
        let subject = format!("draft.sources[{index}]");
        let Some(fetched) = usable(found(&digest), &subject, &mut findings) else { continue };
        match tokio::task::block_in_place(|| redactor.redact_bytes(&fetched.bytes)) {
            Ok(redacted) if redacted.counts.total() == 0 => {
                if let Some(source) = draft.sources.get_mut(index) {
                    source.omissions = fetched.omissions(&format!("sources/{}", source.name));
                    source.first_error = fetched.first_error.filter(|_| is_log(&source.kind));
                    source.redactions.merge(&Redactions::of_markers(redacted.text.as_str()));
                    source.text = redacted.text;
                }
            }
            Ok(redacted) => {
                let marks = redacted.counts.iter().any(|(kind, _, _)| is_everyones(kind));
                refuse(digest, subject, marks, &mut refused, &mut findings);
            }
            Err(_) => findings.push(Finding::new(Code::UnredactableBinary, subject, "a source is text")),
        }
    }
    for (index, item) in draft.attachments.iter_mut().enumerate() {
        let subject = format!("draft.attachments[{index}]");
        let Some(fetched) = usable(found(&item.digest), &subject, &mut findings) else { continue };
        let bytes = &fetched.bytes;
        item.bytes = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        item.omissions = fetched.omissions(&format!("attachments/{}", item.id));
        item.first_error = fetched.first_error.filter(|_| item.kind == "log-excerpt");
        item.truncated |= !item.omissions.is_empty();
        match inspect(bytes, &item.media_type, redactor, &app.config) {
            Some(Inspected::Hit(marks)) => refuse(item.digest, subject, marks, &mut refused, &mut findings),
            Some(Inspected::Status(status)) => item.redaction_status = status,
            None => {
                let detail = "the bytes are no text, and their media type is not allowed";
                findings.push(Finding::new(Code::UnredactableBinary, subject, detail));
            }
        }
    }
    for digest in refused {
        upload::refuse(shelf.store(), shelf.org(), &digest).await?;
    }
    Ok(Resolved { draft, findings, blobs, pins: now })
}

/// An upload, with what was left out of it.
struct Fetched {
    bytes: Bytes,
    left_out: Option<LeftOut>,
    first_error: Option<FirstError>,
}

fn is_log(kind: &str) -> bool {
    kinds::source_kind(kind).is_some_and(|kind| kind.limit == LimitClass::Log)
}

impl Fetched {
    fn omissions(&self, part: &str) -> Vec<Omission> {
        let omission = |left: &LeftOut| Omission {
            part: part.to_owned(),
            what: left.what.clone(),
            reason: left.reason.clone(),
            bytes: left.bytes,
            items: left.items,
        };
        self.left_out.iter().map(omission).collect()
    }
}

/// Reads an upload. What a user can mend is a code; what the store has lost of it too, for an upload is the user's to renew.
async fn fetch(shelf: &Shelf<'_>, digest: Digest) -> Result<(Digest, Result<Fetched, Code>), ApiError> {
    let key = keys::upload(shelf.org().as_str(), &digest).map_err(|_| ApiError::internal("an upload has no key"))?;
    let (mark, bytes) = futures::join!(shelf.store().read_record(&key), shelf.blob(&digest));
    let mark = mark?;
    if mark.as_ref().is_some_and(upload::is_refused) {
        return Ok((digest, Err(Code::RedactionFailed)));
    }
    let left_out = mark.as_ref().and_then(upload::left_out);
    match bytes {
        Ok(bytes) => {
            let first_error = mark.as_ref().and_then(upload::first_error);
            Ok((digest, Ok(Fetched { bytes, left_out, first_error })))
        }
        Err(StoreError::BlobMissing { .. }) => Ok((digest, Err(Code::SourceUnavailable))),
        Err(error) => Err(error.into()),
    }
}

fn usable<'b>(
    found: Option<&'b Result<Fetched, Code>>,
    subject: &str,
    findings: &mut Vec<Finding>,
) -> Option<&'b Fetched> {
    match found {
        Some(Ok(fetched)) => Some(fetched),
        Some(Err(Code::RedactionFailed)) => {
            findings.push(Finding::new(Code::RedactionFailed, subject, "a secret was found in this upload before"));
            None
        }
        _ => {
            findings.push(Finding::new(Code::SourceUnavailable, subject, "there is no such upload"));
            None
        }
    }
}

fn refuse(digest: Digest, subject: String, marks: bool, refused: &mut Vec<Digest>, findings: &mut Vec<Finding>) {
    let detail = "a secret was found in the upload; upload it again with this redaction context";
    findings.push(Finding::new(Code::RedactionFailed, subject, detail));
    if marks {
        refused.push(digest);
    }
}

/// Whether a hit of this kind is a secret to everybody. What a policy or a user wants hidden is theirs: it denies their draft,
/// and says nothing about another's.
fn is_everyones(kind: Kind) -> bool {
    !matches!(kind, Kind::PolicyPattern | Kind::UserPattern)
}

enum Inspected {
    /// A secret was found; whether the upload is to be marked.
    Hit(bool),
    Status(RedactionStatus),
}

/// Looks through an attachment again. `None`: it is binary and not allowed.
fn inspect(bytes: &[u8], media_type: &str, redactor: &Redactor, config: &Config) -> Option<Inspected> {
    tokio::task::block_in_place(|| {
        if upload::is_allowed_binary(config, media_type) {
            let hits = redactor.search_bytes(bytes);
            return Some(match hits.is_empty() {
                true => Inspected::Status(RedactionStatus::SearchedOnly),
                false => Inspected::Hit(hits.iter().any(|hit| is_everyones(hit.kind))),
            });
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let redacted = redactor.redact(text).ok()?;
        if redacted.counts.total() > 0 {
            return Some(Inspected::Hit(redacted.counts.iter().any(|(kind, _, _)| is_everyones(kind))));
        }
        let marked = redacted.counts.preexisting > 0;
        Some(Inspected::Status(if marked { RedactionStatus::Redacted } else { RedactionStatus::Clean }))
    })
}

fn trigger(template: Template, redactor: &Redactor, findings: &mut Vec<Finding>) -> Option<Prompt<Clean>> {
    let Template { text, fields, provenance, mut redactions } = template;
    let rendered = match tokio::task::block_in_place(|| template::render(&text, &fields)) {
        Ok(rendered) => rendered,
        Err(error) => {
            let code = match error {
                TemplateError::Missing { .. } => Code::TemplateFieldMissing,
                _ => Code::TemplateInvalid,
            };
            findings.push(Finding::new(code, "draft.trigger", error.to_string()));
            return None;
        }
    };
    match tokio::task::block_in_place(|| redactor.redact(&rendered)) {
        Ok(redacted) => {
            redactions.merge(&Redactions::from(&redacted.counts));
            let text = redacted.text;
            (!text.is_empty()).then_some(Prompt { text, provenance, redactions })
        }
        Err(error) => {
            findings.push(Finding::new(Code::RedactionFailed, "draft.trigger", error.to_string()));
            None
        }
    }
}
