//! An example on disk; `demo.rs` says what its files are.

use std::fs;
use std::path::{Path, PathBuf};

use dossier_client::{Error, Upload, UploadSource, draft};
use dossier_proto::json::{self, Unknown};
use dossier_proto::v1;
use serde::Deserialize;
use serde_json::Value;

use crate::cli::failure::Failure;

/// One example.
pub(super) struct Example {
    pub(super) name: String,
    pub(super) dir: PathBuf,
}

/// One entry of `uploads.yaml`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) file: String,
    pub(super) id: String,
    kind: String,
    title: String,
    #[serde(default)]
    source_url: String,
    #[serde(default)]
    head_sha: String,
    #[serde(default)]
    base_sha: String,
    #[serde(default)]
    retrieved_at: Option<String>,
    #[serde(default)]
    media_type: String,
    #[serde(default)]
    source_kind: String,
    #[serde(default)]
    max_bytes: i32,
}

impl Example {
    /// The examples below `dir`, sorted by name.
    pub(super) fn all(dir: &Path) -> Result<Vec<Self>, Failure> {
        let io = |source| Failure::Client(Error::Io { path: dir.to_owned(), source });
        let mut all = Vec::new();
        for entry in fs::read_dir(dir).map_err(io)? {
            let dir = entry.map_err(io)?.path();
            if dir.join("draft.yaml").is_file() {
                let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                all.push(Self { name, dir });
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        if all.is_empty() {
            return Err(Failure::usage(format!("{}: no directory in it has a draft.yaml", dir.display())));
        }
        Ok(all)
    }

    /// The draft as a value, in which uploads still stand by their ids.
    pub(super) fn draft(&self) -> Result<Value, Failure> {
        Ok(draft::value(&text(&self.dir.join("draft.yaml"))?)?)
    }

    /// What is uploaded first.
    pub(super) fn uploads(&self) -> Result<Vec<Entry>, Failure> {
        let path = self.dir.join("uploads.yaml");
        if !path.exists() {
            return Ok(Vec::new());
        }
        serde_saphyr::from_str(&text(&path)?).map_err(|error| {
            let line = error.location().map_or(1, |place| place.line());
            Failure::usage(format!("{}: not a list of uploads at line {line}", path.display()))
        })
    }
}

impl Entry {
    /// The upload, in the project and redaction context of the draft that it is for.
    pub(super) fn request(&self, parent: &str, dir: &Path, draft: &Value) -> Result<Upload, Failure> {
        let malformed = |what: &str| Failure::usage(format!("uploads.yaml: {}: {what}", self.id));
        let retrieved_at = self.retrieved_at.as_deref().map(str::parse).transpose();
        let redaction: Option<v1::RedactionContext> = match draft.get("redaction") {
            Some(context) => {
                let context = json::from_value(context.clone(), Unknown::Refuse);
                Some(context.map_err(|_| Failure::usage("draft.redaction: does not fit the form of one"))?)
            }
            None => None,
        };
        let attachment = v1::Attachment {
            id: self.id.clone(),
            kind: self.kind.clone(),
            title: self.title.clone(),
            media_type: self.media_type.clone(),
            source_url: self.source_url.clone(),
            retrieved_at: retrieved_at.map_err(|_| malformed("retrievedAt is not a time"))?,
            base_sha: self.base_sha.clone(),
            head_sha: self.head_sha.clone(),
            ..v1::Attachment::default()
        };
        let header = v1::UploadAttachmentHeader {
            parent: parent.to_owned(),
            project: draft.get("project").and_then(Value::as_str).unwrap_or_default().to_owned(),
            attachment: Some(attachment),
            redaction,
            max_bytes: self.max_bytes,
            source_kind: self.source_kind.clone(),
        };
        Ok(Upload { header, source: UploadSource::File(dir.join(&self.file)), progress: None })
    }
}

/// Puts what an upload gave where the draft names its id.
pub(super) fn substitute(draft: &mut Value, id: &str, attachment: &Value) {
    let items = |draft: &mut Value, name: &str| draft.get_mut(name).and_then(Value::as_array_mut).map(std::mem::take);
    if let Some(mut entries) = items(draft, "attachments") {
        for entry in &mut entries {
            if entry.get("id").and_then(Value::as_str) == Some(id)
                && let (Value::Object(entry), Value::Object(given)) = (entry, attachment)
            {
                for (name, value) in given {
                    entry.insert(name.clone(), value.clone());
                }
            }
        }
        draft["attachments"] = Value::Array(entries);
    }
    if let Some(mut sources) = items(draft, "sources") {
        for source in &mut sources {
            if source.get("upload").and_then(Value::as_str) == Some(id) {
                source["upload"] = attachment.get("digest").cloned().unwrap_or_default();
            }
        }
        draft["sources"] = Value::Array(sources);
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|source| Failure::Client(Error::Io { path: path.to_owned(), source }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn uploads_take_their_place() {
        let mut draft = json!({
            "attachments": [{"id": "log"}, {"id": "other"}],
            "sources": [{"kind": "logs", "upload": "log"}, {"kind": "issue", "text": "log"}],
        });
        substitute(&mut draft, "log", &json!({"id": "log", "kind": "log-excerpt", "digest": "sha256:x"}));
        assert_eq!(draft["attachments"][0]["digest"], "sha256:x");
        assert_eq!(draft["attachments"][1], json!({"id": "other"}));
        assert_eq!(draft["sources"][0]["upload"], "sha256:x");
        assert_eq!(draft["sources"][1]["text"], "log");
    }
}
