//! Checks what a layer holds, by the table of keys, and what the whole means.

use std::net::SocketAddr;

use serde::Deserialize as _;
use toml::{Table, Value};

use super::settings::{Kind, LIMITS, SECTIONS, SETTINGS};
use super::{Config, ConfigError, S3Section, SseKind};

/// The value that a variable or a flag gives.
pub(super) fn from_text(kind: Kind, text: &str) -> Result<Value, String> {
    let value = match kind {
        Kind::Text | Kind::Choice(_) | Kind::Path => Value::String(text.to_owned()),
        Kind::Integer(..) => Value::Integer(text.parse().map_err(|_| expected(kind))?),
        Kind::Flag => Value::Boolean(match text {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => return Err(expected(kind)),
        }),
        Kind::List => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Value::Array(items.map(|item| Value::String(item.to_owned())).collect())
        }
    };
    if fits(kind, &value) { Ok(value) } else { Err(expected(kind)) }
}

fn fits(kind: Kind, value: &Value) -> bool {
    match (kind, value) {
        (Kind::Text, Value::String(_)) | (Kind::Flag, Value::Boolean(_)) => true,
        (Kind::Path, Value::String(text)) => !text.is_empty() && !text.contains('\0'),
        (Kind::Choice(words), Value::String(text)) => words.contains(&text.as_str()),
        (Kind::Integer(from, to), Value::Integer(number)) => {
            u64::try_from(*number).is_ok_and(|number| (from..=to).contains(&number))
        }
        (Kind::List, Value::Array(items)) => items.iter().all(Value::is_str),
        _ => false,
    }
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Text => "must be text".to_owned(),
        Kind::Path => "must be a path".to_owned(),
        Kind::Choice(words) => format!("must be one of {}", words.join(", ")),
        Kind::Integer(from, to) => format!("must be an integer from {from} to {to}"),
        Kind::Flag => "must be true or false".to_owned(),
        Kind::List => "must be a list of texts".to_owned(),
    }
}

/// What is wrong with the keys of a layer and their types: all of it.
pub(super) fn check_table(table: &Table) -> Vec<String> {
    let mut problems = Vec::new();
    walk(table, "", &mut problems);
    problems
}

fn walk(table: &Table, section: &str, problems: &mut Vec<String>) {
    for (name, value) in table {
        let key = if section.is_empty() { name.clone() } else { format!("{section}.{name}") };
        match (kind_of(&key), value) {
            (Some(kind), value) if fits(kind, value) => {}
            (Some(kind), _) => problems.push(format!("{} {}", shown(&key), expected(kind))),
            (None, Value::Table(below)) if is_section(&key) => walk(below, &key, problems),
            (None, _) if is_section(&key) => problems.push(format!("{} must be a table", shown(&key))),
            (None, _) => problems.push(format!("{} is not a key", shown(&key))),
        }
    }
}

/// A key as it may be shown: what is no bare key could be anything.
fn shown(key: &str) -> String {
    let bare = key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    if bare && key.len() <= 128 { key.to_owned() } else { "a quoted key".to_owned() }
}

fn kind_of(key: &str) -> Option<Kind> {
    if let Some(rest) = key.strip_prefix("limits.") {
        let (class, name) = rest.split_once('.')?;
        let limit = LIMITS.iter().find(|limit| limit.name == name)?;
        return is_class(class).then_some(Kind::Integer(1, limit.most.into()));
    }
    SETTINGS.iter().find(|setting| setting.key == key).map(|setting| setting.kind)
}

fn is_section(key: &str) -> bool {
    key == "limits"
        || SECTIONS.iter().any(|(name, _)| *name == key)
        || key.strip_prefix("limits.").is_some_and(is_class)
}

/// A class is named as everything else.
fn is_class(name: &str) -> bool {
    name.parse::<dossier_bundle::names::LabelName>().is_ok()
}

impl Config {
    /// The configuration that checked layers give.
    pub(super) fn deserialize_checked(table: Table) -> Result<Self, ConfigError> {
        if let Some(Value::String(listen)) = table.get("server").and_then(|server| server.get("listen"))
            && listen.parse::<SocketAddr>().is_err()
        {
            return Err(ConfigError::new(
                "server.listen must be an IP address and a port, such as 127.0.0.1:7400; names of hosts are not looked up",
            ));
        }
        Self::deserialize(table).map_err(|_| ConfigError::new("a key has a value that it cannot have"))
    }

    /// What is wrong with the whole: all of it.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let mut problems = Vec::new();
        let mut must = |holds: bool, what: &str| {
            if !holds {
                problems.push(what.to_owned());
            }
        };
        let server = &self.server;
        must(
            server.tls_cert.is_some() == server.tls_key.is_some(),
            "server.tls_cert and server.tls_key need each other",
        );
        must(
            server.tls_cert.is_some() || server.listen.ip().is_loopback(),
            "server.listen must be a loopback address: without server.tls_cert and server.tls_key nothing else is served",
        );
        must(
            server.request_timeout_seconds <= server.max_request_timeout_seconds,
            "server.request_timeout_seconds must not be over server.max_request_timeout_seconds",
        );
        if let Some(s3) = &self.store.s3 {
            must(!s3.bucket.is_empty(), "store.s3.bucket must be set where store.s3 is");
            must(endpoint_is_plain(s3), "store.s3.endpoint must be http://… or https://…, without credentials");
            must(
                s3.kms_key_id.is_none() || s3.sse == SseKind::Kms,
                "store.s3.kms_key_id needs store.s3.sse = \"aws:kms\"",
            );
        }
        let media = &self.redaction.allowed_media_types;
        must(
            media.iter().all(|media| is_media_type(media)),
            "redaction.allowed_media_types must be types such as image/png",
        );
        must(
            u64::from(self.redaction.max_stored_upload_bytes) <= self.redaction.max_upload_bytes,
            "redaction.max_stored_upload_bytes must not be over redaction.max_upload_bytes",
        );
        let limits = self.limits.values();
        must(
            limits.clone().all(|class| class.max_attachment_bytes <= self.redaction.max_stored_upload_bytes),
            "a limit class's max_attachment_bytes must not be over redaction.max_stored_upload_bytes",
        );
        must(
            limits.clone().all(|class| class.max_prompt_bytes <= class.max_bytes),
            "a limit class's max_prompt_bytes must not be over its max_bytes",
        );
        must(
            crate::logging::is_filter(&self.log.filter),
            "log.filter must be a level (off, error, warn, info, debug, trace) or directives such as info,dossier_server=debug",
        );
        ConfigError::all(problems)
    }
}

fn endpoint_is_plain(s3: &S3Section) -> bool {
    let Some(endpoint) = &s3.endpoint else { return true };
    let rest = endpoint.strip_prefix("http://").or_else(|| endpoint.strip_prefix("https://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['@', '?', '#', ' ']))
}

fn is_media_type(text: &str) -> bool {
    let word = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"!#$&-^_.+".contains(&b))
    };
    text.split_once('/').is_some_and(|(kind, sub)| word(kind) && word(sub))
}
