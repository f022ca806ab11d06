//! Tools, attachments and the permission review of a draft.

use std::collections::BTreeSet;

use dossier_bundle::draft::{Attachment, PermissionReview, RedactionStatus, Tool};
use dossier_bundle::manifest::media;
use dossier_bundle::names::EvidenceId;
use dossier_bundle::redactions::Redactions;
use dossier_bundle::{Blob, Code, Digest, Finding, canonical, kinds};
use dossier_proto::v1;
use dossier_redact::{Clean, CleanBuilder};
use prost_types::value::Kind;
use serde_json::{Map, Value, json};

use super::decode::unique;
use super::reader::{MAX_LINE, MAX_LINK, Reader, is_web_link};

/// The media type where none is given.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
/// How deep a schema may be nested.
const MAX_DEPTH: usize = 64;
/// Words of JSON Schema under which stand values of the property that the schema is of, or schemas that hold such values.
const SCHEMA_WORDS: [&str; 15] = [
    "default",
    "const",
    "enum",
    "example",
    "examples",
    "properties",
    "items",
    "prefixItems",
    "additionalProperties",
    "anyOf",
    "oneOf",
    "allOf",
    "if",
    "then",
    "else",
];

pub(super) fn tools(r: &mut Reader<'_>, wire: &mut [v1::Tool], blobs: &mut Vec<Blob>) -> Vec<Tool<Clean>> {
    let mut names = BTreeSet::new();
    let mut tools = Vec::with_capacity(wire.len());
    for (index, tool) in wire.iter_mut().enumerate() {
        let at = format!("draft.tools[{index}]");
        let mut redactions = Redactions::default();
        let name = r.required_line(format!("{at}.name"), "name", &mut tool.name, &mut redactions);
        unique(r, &at, &mut names, &name);
        let description = r.text(&format!("{at}.description"), "", &mut tool.description, &mut redactions);
        let mut members = Map::new();
        members.insert("name".to_owned(), name.as_str().into());
        if !description.is_empty() {
            members.insert("description".to_owned(), description.as_str().into());
        }
        if let Some(schema) = tool.schema.take() {
            let (clean, value) = object(r, &format!("{at}.schema"), "", schema, &mut redactions, 0);
            tool.schema = Some(clean);
            members.insert("schema".to_owned(), value);
        }
        let Some(blob) = seal(r, &at, media::TOOL, &Value::Object(members)) else { continue };
        tools.push(Tool { name, digest: blob.digest, redactions });
        blobs.push(blob);
    }
    tools
}

/// Redacts each text of a JSON object under the name it stands under, and each name. `owner` is the name that the object itself
/// stands under, or empty.
fn object(
    r: &mut Reader<'_>,
    at: &str,
    owner: &str,
    wire: prost_types::Struct,
    redactions: &mut Redactions,
    depth: usize,
) -> (prost_types::Struct, Value) {
    let mut clean = prost_types::Struct::default();
    let mut members = Map::new();
    for (mut name, value) in wire.fields {
        let key = r.text(at, "", &mut name, redactions);
        // What a property may be is as secret as the property.
        let under = if SCHEMA_WORDS.contains(&key.as_str()) && !owner.is_empty() { owner } else { key.as_str() };
        let (value, json) = value_of(r, at, under, value, redactions, depth + 1);
        clean.fields.insert(key.as_str().to_owned(), value);
        members.insert(key.into_string(), json);
    }
    (clean, Value::Object(members))
}

fn value_of(
    r: &mut Reader<'_>,
    at: &str,
    key: &str,
    wire: prost_types::Value,
    redactions: &mut Redactions,
    depth: usize,
) -> (prost_types::Value, Value) {
    if depth > MAX_DEPTH {
        r.violation(at, format!("must not be nested deeper than {MAX_DEPTH}"));
        return (prost_types::Value::default(), Value::Null);
    }
    let (kind, json) = match wire.kind {
        Some(Kind::StringValue(mut text)) => {
            let clean = r.text(at, key, &mut text, redactions);
            (Kind::StringValue(text), Value::from(clean.into_string()))
        }
        Some(Kind::NumberValue(number)) => (Kind::NumberValue(number), as_number(r, at, number)),
        Some(Kind::BoolValue(flag)) => (Kind::BoolValue(flag), Value::Bool(flag)),
        Some(Kind::StructValue(inner)) => {
            let (clean, json) = object(r, at, key, inner, redactions, depth);
            (Kind::StructValue(clean), json)
        }
        Some(Kind::ListValue(list)) => {
            let items = list.values.into_iter().map(|item| value_of(r, at, key, item, redactions, depth + 1));
            let (clean, json): (Vec<_>, Vec<_>) = items.unzip();
            (Kind::ListValue(prost_types::ListValue { values: clean }), Value::Array(json))
        }
        Some(Kind::NullValue(_)) | None => (Kind::NullValue(0), Value::Null),
    };
    (prost_types::Value { kind: Some(kind) }, json)
}

fn as_number(r: &mut Reader<'_>, at: &str, number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number within 2^53")]
        return Value::from(number as i64);
    }
    json_number(number).unwrap_or_else(|| {
        r.violation(at, "must hold finite numbers within 2^53");
        Value::Null
    })
}

fn json_number(number: f64) -> Option<Value> {
    (number.abs() <= 9_007_199_254_740_992.0).then(|| serde_json::Number::from_f64(number).map(Value::Number)).flatten()
}

/// The canonical JSON of `value` as a blob. A secret that only the whole shows cannot be masked without breaking it.
fn seal(r: &mut Reader<'_>, at: &str, media_type: &'static str, value: &Value) -> Option<Blob> {
    let bytes = canonical::to_vec(value).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    if let Some(hit) = r.redactor.search(&text).first() {
        let detail = format!("a secret is left in its JSON: {}", hit.rule);
        r.findings.push(Finding::new(Code::RedactionFailed, at, detail));
    }
    Some(Blob::new(media_type, bytes))
}

/// Reads attachments. What their bytes tell (size, status) is filled in when they are resolved.
pub(super) fn attachments(r: &mut Reader<'_>, wire: &mut [v1::Attachment]) -> Vec<Attachment<Clean>> {
    let mut ids = BTreeSet::new();
    let mut items = Vec::with_capacity(wire.len());
    for (index, item) in wire.iter_mut().enumerate() {
        let at = format!("draft.attachments[{index}]");
        let digest = r.digest(format!("{at}.digest"), &item.digest);
        if item.digest.is_empty() {
            r.violation(format!("{at}.digest"), "is required: the digest that the upload gave");
        }
        let Some(read) = attachment(r, &at, item, digest) else { continue };
        if !ids.insert(read.id.to_string()) {
            r.violation(format!("{at}.id"), "must be unique in its list");
        }
        items.push(read);
    }
    items
}

/// Reads one attachment's metadata.
pub(super) fn attachment(
    r: &mut Reader<'_>,
    at: &str,
    wire: &mut v1::Attachment,
    digest: Option<Digest>,
) -> Option<Attachment<Clean>> {
    let mut redactions = Redactions::default();
    let id: Option<EvidenceId> = r.name(&format!("{at}.id"), &wire.id);
    if !kinds::EVIDENCE_KINDS.contains(&wire.kind.as_str()) {
        r.violation(format!("{at}.kind"), format!("must be one of {}", kinds::EVIDENCE_KINDS.join(", ")));
    }
    let characters = wire.title.chars().count();
    if !(1..=200).contains(&characters) || wire.title.chars().any(|c| c.is_control()) {
        r.violation(format!("{at}.title"), "must be 1 to 200 characters on one line");
    }
    let title = r.text(&format!("{at}.title"), "title", &mut wire.title, &mut redactions);
    if !wire.source_url.is_empty() && !is_web_link(&wire.source_url) {
        r.violation(
            format!("{at}.source_url"),
            format!("must be an http or https URL of at most {MAX_LINK} characters"),
        );
    }
    let source_url = (!wire.source_url.is_empty())
        .then(|| r.text(&format!("{at}.source_url"), "url", &mut wire.source_url, &mut redactions));
    let media_type = if wire.media_type.is_empty() { TEXT.to_owned() } else { wire.media_type.clone() };
    if !is_media_type(&media_type) || !r.redactor.search(&media_type).is_empty() {
        r.violation(format!("{at}.media_type"), "must be a media type (RFC 6838) of at most 255 bytes");
    }
    Some(Attachment {
        id: id?,
        kind: wire.kind.clone(),
        title,
        media_type,
        digest: digest.unwrap_or_else(|| Digest::of(b"")),
        bytes: 0,
        source_url,
        retrieved_at: r.moment(format!("{at}.retrieved_at"), wire.retrieved_at.as_ref()),
        base_sha: r.commit(format!("{at}.base_sha"), &wire.base_sha),
        head_sha: r.commit(format!("{at}.head_sha"), &wire.head_sha),
        redaction_status: RedactionStatus::Clean,
        truncated: wire.truncated,
        first_error: None,
        omissions: Vec::new(),
        redactions,
    })
}

/// Whether a text is `type/subtype`, with parameters of plain words.
fn is_media_type(text: &str) -> bool {
    let word =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b));
    let mut parts = text.split(';');
    let essence = parts.next().and_then(|essence| essence.trim_end().split_once('/'));
    text.len() <= MAX_LINE
        && essence.is_some_and(|(kind, subtype)| word(kind) && word(subtype))
        && parts
            .all(|p| p.trim().split_once('=').is_some_and(|(name, value)| word(name) && word(value.trim_matches('"'))))
}

/// Reads the permission review and seals its canonical JSON.
pub(super) fn review(
    r: &mut Reader<'_>,
    wire: &mut v1::PermissionReview,
    blobs: &mut Vec<Blob>,
) -> PermissionReview<Clean> {
    let at = "draft.permission_review";
    let mut redactions = Redactions::default();
    let mut list = |r: &mut Reader<'_>, name: &str, items: &mut Vec<String>| -> Vec<Value> {
        let lines = items.iter_mut().enumerate();
        lines
            .map(|(index, item)| {
                let at = format!("{at}.{name}[{index}]");
                Value::from(r.required_line(at, "name", item, &mut redactions).into_string())
            })
            .collect()
    };
    let tools = list(r, "granted_tools", &mut wire.granted_tools);
    let permissions = list(r, "granted_permissions", &mut wire.granted_permissions);
    if wire.notes.len() > 4_096 {
        r.violation(format!("{at}.notes"), "must be at most 4096 bytes");
    }
    let reviewer = r.line(format!("{at}.reviewer"), "reviewer", &mut wire.reviewer, MAX_LINE, &mut redactions);
    let policy = r.line(format!("{at}.policy"), "policy", &mut wire.policy, MAX_LINE, &mut redactions);
    let notes = r.text(&format!("{at}.notes"), "", &mut wire.notes, &mut redactions);
    let mut denied: Vec<Value> = Vec::with_capacity(wire.denied.len());
    for object in &wire.denied {
        let kind = match v1::object_reference::Kind::try_from(object.kind) {
            Ok(v1::object_reference::Kind::ConfigMap) => "ConfigMap",
            _ => "Secret",
        };
        let mut members = Map::new();
        members.insert("kind".to_owned(), kind.into());
        for (name, text) in [("namespace", &object.namespace), ("name", &object.name), ("key", &object.key)] {
            if !text.is_empty() {
                let clean = r.text(at, "", &mut text.clone(), &mut redactions);
                members.insert(name.to_owned(), clean.into_string().into());
            }
        }
        denied.push(Value::Object(members));
    }
    let summary = summary(tools.len(), permissions.len(), denied.len(), reviewer.as_ref());
    let mut members = Map::new();
    for (name, items) in [("grantedTools", tools), ("grantedPermissions", permissions), ("denied", denied)] {
        if !items.is_empty() {
            members.insert(name.to_owned(), Value::Array(items));
        }
    }
    for (name, text) in [("reviewer", reviewer), ("policy", policy), ("notes", Some(notes))] {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            members.insert(name.to_owned(), text.into_string().into());
        }
    }
    let blob = seal(r, at, media::PERMISSION_REVIEW, &Value::Object(members));
    let blob = blob.unwrap_or_else(|| Blob::new(media::PERMISSION_REVIEW, json!({}).to_string().into_bytes()));
    let review = PermissionReview { digest: blob.digest, summary, redactions };
    blobs.push(blob);
    review
}

fn summary(tools: usize, permissions: usize, denied: usize, reviewer: Option<&Clean>) -> Clean {
    let mut out = CleanBuilder::new();
    for (count, what) in [(tools, " tools and "), (permissions, " permissions granted, "), (denied, " objects denied")]
    {
        out.push_number(count as u64);
        out.push_literal(what);
    }
    if let Some(reviewer) = reviewer {
        out.push_literal(", reviewed by ");
        out.push(reviewer);
    }
    out.finish()
}

/// The kinds of sources, for whoever names none of them.
pub(super) fn source_kinds() -> String {
    kinds::SOURCE_KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
