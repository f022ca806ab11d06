//! Walks a value beside the description of the message it is to become, and names by path what does not fit.

use std::fmt;
use std::sync::LazyLock;

use prost::Name;
use prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value};

/// How many problems are named before the walk gives up.
const MAX_PROBLEMS: usize = 50;
/// How many expected names an unknown field's message lists.
const MAX_NAMES: usize = 24;

static POOL: LazyLock<Option<DescriptorPool>> =
    LazyLock::new(|| DescriptorPool::decode(dossier_proto::FILE_DESCRIPTOR_SET).ok());

/// A place in a draft, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path, such as `draft.sources[2].path`.
    pub path: String,
    /// What is wrong. Never what stands there.
    pub message: String,
}

impl Problem {
    /// A problem at a path.
    pub fn new(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// All that keeps `value` from being an `M`.
pub(crate) fn check<M: Name>(root: &str, value: &Value) -> Vec<Problem> {
    let mut walk = Walk { problems: Vec::new() };
    match POOL.as_ref().and_then(|pool| pool.get_message_by_name(&M::full_name())) {
        Some(message) => walk.message(root, value, &message),
        None => walk.add(root, "this program was built without the description of drafts"),
    }
    walk.problems
}

struct Walk {
    problems: Vec<Problem>,
}

impl Walk {
    fn add(&mut self, path: &str, message: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::new(path, message));
        }
    }

    fn message(&mut self, path: &str, value: &Value, message: &MessageDescriptor) {
        match message.full_name() {
            "google.protobuf.Timestamp" => return self.parsed::<prost_types::Timestamp>(path, value, TIMESTAMP),
            "google.protobuf.Duration" => return self.parsed::<prost_types::Duration>(path, value, DURATION),
            "google.protobuf.Struct" => {
                if !value.is_object() {
                    self.add(path, "must be a mapping");
                }
                return;
            }
            "google.protobuf.Value" | "google.protobuf.ListValue" => return,
            _ => {}
        }
        let Value::Object(members) = value else {
            return self.add(path, format!("must be a mapping, and is {}", form(value)));
        };
        for (index, (key, member)) in members.iter().enumerate() {
            let field = message.get_field_by_json_name(key).or_else(|| message.get_field_by_name(key));
            let Some(field) = field else {
                let names: Vec<_> = message.fields().map(|field| field.json_name().to_owned()).collect();
                let shown = names.iter().take(MAX_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = if names.len() > MAX_NAMES { ", …" } else { "" };
                let near = nearest(key, &names).map(|name| format!("; did you mean {name}?")).unwrap_or_default();
                self.add(&join(path, key, index), format!("unknown field; expected one of {shown}{more}{near}"));
                continue;
            };
            self.field(&format!("{path}.{}", field.json_name()), member, &field);
        }
        self.once(path, members, message);
    }

    /// A field is given once, and of the alternatives of a choice one.
    fn once(&mut self, path: &str, members: &Map<String, Value>, message: &MessageDescriptor) {
        let given = |field: &FieldDescriptor| {
            let named = |name: &str| members.get(name).is_some_and(|value| !value.is_null());
            (named(field.json_name()), field.json_name() != field.name() && named(field.name()))
        };
        for field in message.fields() {
            if given(&field) == (true, true) {
                self.add(&format!("{path}.{}", field.json_name()), "is given twice");
            }
        }
        for choice in message.oneofs().filter(|choice| !choice.is_synthetic()) {
            let set: Vec<_> = choice.fields().filter(|field| given(field) != (false, false)).collect();
            if set.len() > 1 {
                let names: Vec<_> = set.iter().map(|field| field.json_name().to_owned()).collect();
                self.add(path, format!("only one of {} may be given", names.join(", ")));
            }
        }
    }

    fn field(&mut self, path: &str, value: &Value, field: &FieldDescriptor) {
        if value.is_null() {
            return;
        }
        if field.is_map() {
            let Value::Object(entries) = value else {
                return self.add(path, format!("must be a mapping, and is {}", form(value)));
            };
            if let Kind::Message(entry) = field.kind() {
                for (index, (key, value)) in entries.iter().enumerate() {
                    self.one(&join(path, key, index), value, &entry.map_entry_value_field().kind());
                }
            }
        } else if field.is_list() {
            let Value::Array(items) = value else {
                return self.add(path, format!("must be a list, and is {}", form(value)));
            };
            for (index, item) in items.iter().enumerate() {
                self.one(&format!("{path}[{index}]"), item, &field.kind());
            }
        } else {
            self.one(path, value, &field.kind());
        }
    }

    fn one(&mut self, path: &str, value: &Value, kind: &Kind) {
        match kind {
            Kind::Message(message) => self.message(path, value, message),
            Kind::Enum(choice) => {
                let known = match value {
                    Value::String(name) => choice.get_value_by_name(name).is_some(),
                    Value::Number(number) => number.as_i64().is_some_and(|number| i32::try_from(number).is_ok()),
                    _ => false,
                };
                if !known {
                    let names: Vec<_> = choice.values().map(|value| value.name().to_owned()).collect();
                    self.add(path, format!("must be one of {}", names.join(", ")));
                }
            }
            Kind::String => match value {
                Value::String(_) => {}
                Value::Number(_) | Value::Bool(_) => {
                    self.add(path, format!("must be text, and is {}: put it in quotes", form(value)));
                }
                _ => self.add(path, format!("must be text, and is {}", form(value))),
            },
            Kind::Bytes => {
                if !value.as_str().is_some_and(is_base64) {
                    self.add(path, "must be base64 text");
                }
            }
            Kind::Bool => {
                if !value.is_boolean() {
                    self.add(path, format!("must be true or false, and is {}", form(value)));
                }
            }
            Kind::Double | Kind::Float => {
                if !value.is_number() {
                    self.add(path, format!("must be a number, and is {}", form(value)));
                }
            }
            _ => self.integer(path, value, matches!(kind, Kind::Int32 | Kind::Sint32 | Kind::Sfixed32)),
        }
    }

    fn integer(&mut self, path: &str, value: &Value, short: bool) {
        let number = match value {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        };
        match number {
            None => self.add(path, format!("must be a whole number, and is {}", form(value))),
            Some(number) if short && i32::try_from(number).is_err() => {
                self.add(path, "is out of range: at most 2147483647");
            }
            Some(_) => {}
        }
    }

    fn parsed<T: std::str::FromStr>(&mut self, path: &str, value: &Value, what: &str) {
        if value.as_str().and_then(|text| text.parse::<T>().ok()).is_none() {
            self.add(path, what);
        }
    }
}

const TIMESTAMP: &str = "must be a time such as \"2026-01-31T12:00:00Z\"";
const DURATION: &str = "must be a duration such as \"3600s\"";

/// The known name that differs least from a key, where that is by two letters at most and by less than half of it.
fn nearest<'n>(key: &str, names: &'n [String]) -> Option<&'n str> {
    if key.len() > 64 {
        return None;
    }
    let key = key.to_ascii_lowercase();
    let distances = names.iter().map(|name| (distance(&key, &name.to_ascii_lowercase()), name.as_str()));
    distances.min().filter(|(far, name)| *far <= 2 && far * 2 < name.len()).map(|(_, name)| name)
}

/// How many letters must be added, taken away or changed.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.chars()) {
            let changed = before + usize::from(x != y);
            before = *cell;
            left = changed.min(left + 1).min(before + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// What a value is, without saying what stands in it.
fn form(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// A path's next step. A key is somebody's text: only what looks like a field's name, and not like a token, is shown.
fn join(path: &str, key: &str, index: usize) -> String {
    let plain = (1..=32).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if plain { format!("{path}.{key}") } else { format!("{path}.(member {})", index + 1) }
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let alphabet = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    text.len() - body.len() <= 2 && body.len() % 4 != 1 && body.bytes().all(alphabet)
}
