//! Uploads: redacted and bounded as they arrive; only clean bytes are stored.

use bytes::Bytes;
use dossier_bundle::cut::{self, Measure, Missing, Shape};
use dossier_bundle::draft::{Attachment, RedactionStatus};
use dossier_bundle::ends::Ends;
use dossier_bundle::excerpt::{Excerpt, FirstError};
use dossier_bundle::kinds::{self, LimitClass};
use dossier_bundle::names::OrgName;
use dossier_bundle::{Code, Digest, Finding, diff};
use dossier_proto::v1;
use dossier_redact::{Clean, CleanBuilder, Counts, Error, Redactor, Stream};
use dossier_store::{Key, Record, Store, Stored, Updated, keys};
use serde::{Deserialize, Serialize};

use super::{class_limits, context, parts, reader::Reader};
use crate::app::App;
use crate::config::Config;
use crate::status::ApiError;

/// The least room of an upload: what is left of it must hold the notice of the cut, by which two cuts differ.
const LEAST_ROOM: u32 = 512;
/// Room for the tags of a source.
const TAG_BYTES: usize = 1_024;
/// The kind of an upload's record.
const KIND: &str = "UploadRecord";

/// Whether the media type is one of the binaries that the configuration allows.
pub(crate) fn is_allowed_binary(config: &Config, media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    config.redaction.allowed_media_types.iter().any(|allowed| allowed.eq_ignore_ascii_case(essence))
}

/// What an upload's record says of a cut: the bytes are the same only where the cut was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftOut {
    /// `lines` or `hunks`.
    pub(crate) what: String,
    /// The name of the limit.
    pub(crate) reason: String,
    /// How many bytes, after redaction.
    pub(crate) bytes: u32,
    /// How many lines or hunks.
    pub(crate) items: u32,
}

/// What a cut left out of an upload, if it was cut.
pub(crate) fn left_out(stored: &Stored) -> Option<LeftOut> {
    serde_json::from_value(stored.record.body.get("leftOut")?.clone()).ok()
}

/// The first error of an upload that is a log.
pub(crate) fn first_error(stored: &Stored) -> Option<FirstError> {
    serde_json::from_value(stored.record.body.get("firstError")?.clone()).ok()
}

/// Whether an upload's record says that a secret was found in it.
pub(crate) fn is_refused(stored: &Stored) -> bool {
    stored.record.body.get("refused").and_then(serde_json::Value::as_bool) == Some(true)
}

/// Marks an upload, so that no draft may use it and collection takes its bytes.
///
/// # Errors
/// Those of the store.
pub(crate) async fn refuse(store: &Store, org: &OrgName, digest: &Digest) -> Result<(), ApiError> {
    let key = keys::upload(org.as_str(), digest).map_err(|_| ApiError::internal("an upload has no key"))?;
    if note(store, &key, "refused", serde_json::Value::Bool(true)).await? {
        tracing::warn!(%org, %digest, "a secret was found in an upload; it is refused from now on");
    }
    Ok(())
}

/// Adds a member to an upload's record, unless it is there. Whether it was added.
async fn note(store: &Store, key: &Key, member: &str, value: serde_json::Value) -> Result<bool, ApiError> {
    let add = |current: Option<&Stored>| -> Result<Option<Record>, ApiError> {
        let mut body = current.map_or_else(|| serde_json::json!({}), |stored| stored.record.body.clone());
        if body.get(member).is_some() {
            return Ok(None);
        }
        body[member] = value.clone();
        Ok(Some(Record { kind: KIND.to_owned(), blobs: Vec::new(), body }))
    };
    Ok(matches!(store.update_record(key, add).await?, Updated::Written(_)))
}

/// An upload under way.
pub(crate) struct Upload {
    redactor: Redactor,
    item: Attachment<Clean>,
    room: usize,
    raw: u64,
    raw_cap: u64,
    /// The name of the limit that the room is of.
    limit: &'static str,
    body: Body,
}

/// What is kept of an upload while it arrives.
enum Body {
    /// An excerpt.
    Log(Box<Stream>, Box<Excerpt>),
    /// Head and end.
    Prose(Box<Stream>, Ends),
    /// All, up to a cap; cut by hunks at the end.
    Diff(Box<Stream>, CleanBuilder, usize),
    /// All, up to its limit.
    Text(Box<Stream>, CleanBuilder),
    /// Raw bytes of an allowed binary, up to its limit. Searched at the end.
    Binary(Vec<u8>),
}

/// A finished upload, as it is to be stored.
pub(crate) struct Uploaded {
    pub(crate) bytes: Bytes,
    pub(crate) attachment: v1::Attachment,
    pub(crate) summary: v1::RedactionSummary,
    pub(crate) left_out: Option<LeftOut>,
    first_error: Option<FirstError>,
}

impl Uploaded {
    /// Stores the bytes, and first what was left out of them.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn store(&self, store: &Store, org: &OrgName) -> Result<Digest, ApiError> {
        let json = |value: Result<serde_json::Value, _>| {
            value.map_err(|_: serde_json::Error| ApiError::internal("an upload's record has no JSON form"))
        };
        let left_out = self.left_out.as_ref().map(|left_out| json(serde_json::to_value(left_out))).transpose()?;
        let first_error = self.first_error.map(|error| json(serde_json::to_value(error))).transpose()?;
        let members = [("leftOut", left_out), ("firstError", first_error)];
        for (member, value) in members.into_iter().filter_map(|(member, value)| Some((member, value?))) {
            let digest = Digest::of(&self.bytes);
            let key = keys::upload(org.as_str(), &digest).map_err(|_| ApiError::internal("an upload has no key"))?;
            note(store, &key, member, value).await?;
        }
        Ok(store.put_blob(org.as_str(), self.bytes.clone()).await?)
    }

    /// What was left out, for a person.
    pub(crate) fn omissions(&self) -> Vec<String> {
        let words = |left: &LeftOut| {
            format!("{} bytes in {} {} left out by {}", left.bytes, left.items, left.what, left.reason)
        };
        self.left_out.iter().map(words).collect()
    }
}

impl Upload {
    /// Begins an upload.
    ///
    /// # Errors
    /// [`ApiError::InvalidArgument`] with all violations; [`ApiError::Denied`] for a weak value.
    pub(crate) async fn begin(app: &App, header: v1::UploadAttachmentHeader) -> Result<Self, ApiError> {
        let context =
            context::build(app, "header.redaction", header.redaction.unwrap_or_default(), &[]).await?.admitted()?;
        let redactor = context.redactor;
        let mut reader = Reader::new(&redactor);
        let r = &mut reader;
        if !header.project.is_empty() {
            let _: Option<dossier_bundle::names::ProjectName> = r.name("header.project", &header.project);
        }
        let mut wire = header.attachment.unwrap_or_default();
        wire.truncated = false;
        let item = parts::attachment(r, "header.attachment", &mut wire, None);
        let limits = class_limits(&app.config, "").unwrap_or_else(dossier_bundle::limits::Limits::standard);
        let source = kinds::source_kind(&header.source_kind);
        if !header.source_kind.is_empty() && source.is_none() {
            r.violation("header.source_kind", "must be a kind of the table of source kinds (docs/spec.md)");
        }
        let class = match (source, wire.kind.as_str()) {
            (Some(source), _) => source.limit,
            (None, "log-excerpt") => LimitClass::Log,
            (None, "diff") => LimitClass::Diff,
            (None, _) => LimitClass::Other,
        };
        let (most, limit) = match (source.is_some(), class) {
            (false, _) => (limits.max_attachment_bytes, "maxAttachmentBytes"),
            (true, LimitClass::Log) => (limits.max_log_bytes, "maxLogBytes"),
            (true, LimitClass::Diff) => (limits.max_diff_bytes, "maxDiffBytes"),
            (true, LimitClass::Task) => (limits.max_task_bytes, "maxTaskBytes"),
            (true, LimitClass::Memory) => (limits.max_memory_bytes, "maxMemoryBytes"),
            (true, LimitClass::Other) => (limits.max_source_bytes, "maxSourceBytes"),
        };
        // What is not cut may be as small as it likes.
        let is_cut = source.is_some() || class != LimitClass::Other;
        let least = if is_cut { LEAST_ROOM } else { 1 };
        match u32::try_from(header.max_bytes) {
            Ok(asked) if asked == 0 || (least..=most).contains(&asked) => {}
            _ => r.violation("header.max_bytes", format!("must be 0, or {least} to {most}")),
        }
        let asked = u32::try_from(header.max_bytes).ok().filter(|asked| *asked > 0);
        let room = asked.unwrap_or(most).min(most) as usize;
        let violations = std::mem::take(&mut reader.violations);
        if !violations.is_empty() {
            return Err(ApiError::InvalidArgument(violations));
        }
        if !reader.findings.is_empty() {
            return Err(ApiError::Denied(reader.findings));
        }
        let Some(item) = item else { return Err(ApiError::internal("an attachment without violations is missing")) };
        let stream = Box::new(redactor.stream());
        // Any other text of a source is cut like a log, but for its shape; it too may be larger than what is kept.
        let body = match class {
            _ if is_allowed_binary(&app.config, &item.media_type) => Body::Binary(Vec::new()),
            LimitClass::Diff => {
                let cap = usize::try_from(app.config.redaction.max_stored_upload_bytes).unwrap_or(usize::MAX);
                Body::Diff(stream, CleanBuilder::new(), cap)
            }
            // What is rendered takes more, and stands between tags: so it need not be cut again.
            LimitClass::Log if source.is_some() => {
                Body::Log(stream, Box::new(Excerpt::new(room.saturating_sub(TAG_BYTES), Measure::Rendered)))
            }
            LimitClass::Log => Body::Log(stream, Box::new(Excerpt::new(room, Measure::Raw))),
            _ if source.is_some() => Body::Prose(stream, Ends::new(room.saturating_sub(TAG_BYTES), Measure::Rendered)),
            _ => Body::Text(stream, CleanBuilder::new()),
        };
        let raw_cap = app.config.redaction.max_upload_bytes;
        Ok(Self { redactor, item, room, raw: 0, raw_cap, limit, body })
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// [`ApiError::ResourceExhausted`] over the raw cap; [`ApiError::Denied`] over the limit, or for binary bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        self.raw += bytes.len() as u64;
        if self.raw > self.raw_cap {
            return Err(ApiError::ResourceExhausted {
                reason: "UPLOAD_TOO_LARGE",
                subject: "upload".to_owned(),
                detail: format!("at most {} bytes may arrive", self.raw_cap),
                retry_after: None,
            });
        }
        let room = self.room;
        tokio::task::block_in_place(|| match &mut self.body {
            Body::Log(stream, excerpt) => {
                let chunk = stream.push(bytes).map_err(|error| unredactable(&error))?;
                excerpt.push(&chunk.text, &chunk.swallowed);
                Ok(())
            }
            Body::Prose(stream, ends) => {
                ends.push(stream.push(bytes).map_err(|error| unredactable(&error))?.text);
                Ok(())
            }
            Body::Diff(stream, all, cap) => {
                all.push(&stream.push(bytes).map_err(|error| unredactable(&error))?.text);
                if all.len() > *cap { Err(too_large(*cap)) } else { Ok(()) }
            }
            Body::Text(stream, all) => {
                all.push(&stream.push(bytes).map_err(|error| unredactable(&error))?.text);
                if all.len() > room { Err(too_large(room)) } else { Ok(()) }
            }
            Body::Binary(all) => {
                if all.len() + bytes.len() > room {
                    return Err(too_large(room));
                }
                all.extend_from_slice(bytes);
                Ok(())
            }
        })
    }

    /// Ends the upload.
    ///
    /// # Errors
    /// As [`Upload::push`].
    pub(crate) fn finish(self) -> Result<Uploaded, ApiError> {
        let Self { redactor, mut item, room, limit, body, .. } = self;
        tokio::task::block_in_place(|| {
            let mut first_error = None;
            let (bytes, counts, missing) = match body {
                Body::Log(stream, mut excerpt) => {
                    let (last, counts) = stream.finish().map_err(|error| unredactable(&error))?;
                    excerpt.push(&last.text, &last.swallowed);
                    let excerpt = excerpt.finish();
                    first_error = excerpt.first_error;
                    let lines = excerpt.missing.map(|missing| (missing, "lines"));
                    (Bytes::from(excerpt.text.into_string()), counts, lines)
                }
                Body::Prose(stream, mut ends) => {
                    let (last, counts) = stream.finish().map_err(|error| unredactable(&error))?;
                    ends.push(last.text);
                    let (text, missing) = ends.finish();
                    (Bytes::from(text.into_string()), counts, missing.map(|missing| (missing, "lines")))
                }
                Body::Diff(stream, mut all, cap) => {
                    let (last, counts) = stream.finish().map_err(|error| unredactable(&error))?;
                    all.push(&last.text);
                    if all.len() > cap {
                        return Err(too_large(cap));
                    }
                    let (text, missing) = bounded_diff(all.finish(), room);
                    (Bytes::from(text.into_string()), counts, missing)
                }
                Body::Text(stream, mut all) => {
                    let (last, counts) = stream.finish().map_err(|error| unredactable(&error))?;
                    all.push(&last.text);
                    if all.len() > room {
                        return Err(too_large(room));
                    }
                    (Bytes::from(all.finish().into_string()), counts, None)
                }
                Body::Binary(all) => {
                    if let Some(hit) = redactor.search_bytes(&all).first() {
                        let detail = format!("a secret stands in the bytes: {}", hit.rule);
                        let finding = Finding::new(Code::RedactionFailed, "header.attachment", detail);
                        return Err(ApiError::Denied(vec![finding]));
                    }
                    item.redaction_status = RedactionStatus::SearchedOnly;
                    (Bytes::from(all), Counts::default(), None)
                }
            };
            if item.redaction_status == RedactionStatus::Clean && counts.total() + counts.preexisting > 0 {
                item.redaction_status = RedactionStatus::Redacted;
            }
            item.digest = Digest::of(&bytes);
            item.truncated = missing.is_some();
            item.first_error = first_error;
            let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            let left_out = missing.map(|(missing, what)| LeftOut {
                what: what.to_owned(),
                reason: limit.to_owned(),
                bytes: clamp(missing.bytes),
                items: clamp(missing.items),
            });
            let summary = summary(&counts, item.digest, bytes.len() as u64, &redactor);
            Ok(Uploaded { attachment: to_wire(&item, bytes.len()), bytes, summary, left_out, first_error })
        })
    }
}

fn bounded_diff(text: Clean, room: usize) -> (Clean, Option<(Missing, &'static str)>) {
    if text.len() <= room {
        return (text, None);
    }
    // Cut by rendered size, which is never less than the size as it is.
    match diff::cut(&text, room, Measure::Rendered) {
        Some(cut) => (cut.text, Some((cut.missing, "hunks"))),
        None => match cut::cut(&text, room, Shape::Head, Measure::Raw) {
            Some((cut, missing)) => (cut, Some((missing, "lines"))),
            None => (text, None),
        },
    }
}

/// What a redacted text came to.
pub(crate) fn summary(counts: &Counts, digest: Digest, bytes: u64, redactor: &Redactor) -> v1::RedactionSummary {
    let whole = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let row = |(kind, rule, count): (dossier_redact::Kind, &str, u64)| v1::RuleCount {
        kind: kind.name().to_owned(),
        rule: rule.to_owned(),
        count: whole(count),
    };
    v1::RedactionSummary {
        rules: counts.iter().map(row).collect(),
        preexisting: whole(counts.preexisting),
        invalid_utf8: whole(counts.replaced_bytes),
        digest: digest.to_string(),
        bytes: whole(bytes),
        policy_digest: Digest::from_bytes(redactor.policy_digest()).to_string(),
    }
}

/// What a redactor's refusal of a text is to a caller.
pub(crate) fn unredactable(error: &Error) -> ApiError {
    let code = match error {
        Error::Binary => Code::UnredactableBinary,
        _ => Code::RedactionFailed,
    };
    ApiError::Denied(vec![Finding::new(code, "upload", error.to_string())])
}

fn too_large(limit: usize) -> ApiError {
    let detail = format!("more than {limit} bytes after redaction");
    ApiError::Denied(vec![Finding::new(Code::AttachmentTooLarge, "header.attachment", detail)])
}

fn to_wire(item: &Attachment<Clean>, bytes: usize) -> v1::Attachment {
    let status = match item.redaction_status {
        RedactionStatus::Clean => "clean",
        RedactionStatus::Redacted => "redacted",
        RedactionStatus::SearchedOnly => "searched-only",
    };
    v1::Attachment {
        id: item.id.to_string(),
        kind: item.kind.clone(),
        title: item.title.to_string(),
        media_type: item.media_type.clone(),
        digest: item.digest.to_string(),
        source_url: item.source_url.as_ref().map(ToString::to_string).unwrap_or_default(),
        retrieved_at: item.retrieved_at.map(|time| super::wire::seconds(time.seconds())),
        base_sha: item.base_sha.as_ref().map(ToString::to_string).unwrap_or_default(),
        head_sha: item.head_sha.as_ref().map(ToString::to_string).unwrap_or_default(),
        bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
        redaction_status: status.to_owned(),
        truncated: item.truncated,
        first_error: item.first_error.map(|error| super::wire::first_error(error.into())),
    }
}
