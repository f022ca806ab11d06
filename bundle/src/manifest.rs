//! The manifest: canonical JSON that lists all parts of a bundle by digest. Its bytes' digest is the bundle's.
//!
//! The types here tolerate unknown members, as a reader must; what they write is exactly what `docs/spec.md` lists.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::draft::{CallerDigest, Omission, RedactionStatus};
use crate::layer;
use crate::limits::Limits;
use crate::redactions::RedactionCount;
use crate::time::Moment;

/// The `apiVersion` of every manifest of this version.
pub const API_VERSION: &str = "dossier.dev/v1";
/// The `kind` of every manifest.
pub const KIND: &str = "AgentContextBundle";

/// Media types of what a bundle is made of.
pub mod media {
    /// A manifest.
    pub const MANIFEST: &str = "application/vnd.dossier.bundle.manifest.v1+json";
    /// A rendered message.
    pub const MESSAGE: &str = "application/vnd.dossier.message.v1+markdown";
    /// A redacted draft.
    pub const DRAFT: &str = "application/vnd.dossier.draft.v1+json";
    /// A tool.
    pub const TOOL: &str = "application/vnd.dossier.tool.v1+json";
    /// A permission review.
    pub const PERMISSION_REVIEW: &str = "application/vnd.dossier.permission-review.v1+json";
}

/// A manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// [`API_VERSION`].
    pub api_version: String,
    /// [`KIND`].
    pub kind: String,
    /// The rest.
    pub spec: Spec,
}

/// What a manifest says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Spec {
    pub dispatch_run: String,
    pub project: String,
    pub route: String,
    pub renderer_version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<Launch>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_refs: Option<SourceRefs>,
    pub prompt: Prompt,
    pub layers: Vec<Layer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context_labels: Vec<ContextLabel>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<Skill>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<RedactionCount>,
    pub redaction_policy_digest: Digest,
    pub limits: AppliedLimits,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_review: Option<PermissionReview>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    pub draft_digest: Digest,
}

/// The memory that was selected. No bundle of this renderer has any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Memory {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ref_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_manifest_digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ontology_digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index_digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_records_digest: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_excerpts_digest: Option<Digest>,
}

/// How the agent is launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Launch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<Stack>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_pool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<String>,
}

/// A stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Stack {
    pub name: String,
    pub generation: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// What the dispatch is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct SourceRefs {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<String>,
}

/// The digests of the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Prompt {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Digest>,
    pub rendered_system_digest: Digest,
    pub rendered_developer_digest: Digest,
    pub rendered_task_digest: Digest,
}

/// A layer: bytes of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Layer {
    pub name: String,
    pub message: String,
    pub offset: u32,
    pub bytes: u32,
    pub digest: Digest,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fragments: Vec<Fragment>,
}

/// A fragment: bytes of a layer, counted from the beginning of the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Fragment {
    pub name: String,
    pub kind: String,
    pub offset: u32,
    pub bytes: u32,
    pub digest: Digest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<RedactionCount>,
}

/// Where text came from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Provenance {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// A label in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct ContextLabel {
    pub name: String,
    pub generation: u32,
    pub digest: Digest,
}

/// A skill in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Skill {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub digest: Digest,
}

/// A tool on offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Tool {
    pub name: String,
    pub digest: Digest,
}

/// A source in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Source {
    pub kind: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_at: Option<Moment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<String>,
    pub digest: Digest,
    pub caller_digest: CallerDigest,
    pub redaction_status: RedactionStatus,
    pub truncated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<FirstError>,
}

/// An attachment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Attachment {
    pub id: String,
    pub kind: String,
    pub title: String,
    pub media_type: String,
    pub artifact_ref: String,
    pub digest: Digest,
    pub bytes: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_at: Option<Moment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_sha: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<String>,
    pub redaction_status: RedactionStatus,
    pub truncated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<FirstError>,
}

/// The first actionable error of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and attachment.proto describe each member")]
pub struct FirstError {
    pub line: u32,
    pub class: String,
}

impl From<crate::excerpt::FirstError> for FirstError {
    fn from(error: crate::excerpt::FirstError) -> Self {
        Self { line: error.line, class: error.class.name().to_owned() }
    }
}

/// The limits in force, and what they left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct AppliedLimits {
    #[serde(flatten)]
    pub limits: Limits,
    pub truncated: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<Omission>,
}

/// A permission review in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct PermissionReview {
    pub digest: Digest,
    pub summary: String,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/spec.md and bundle.proto describe each member")]
pub struct Finding {
    pub code: String,
    pub severity: String,
    pub subject: String,
    pub detail: String,
}

/// Names bytes: what they are, their digest, and their number where the manifest says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor {
    /// What the bytes are.
    pub media_type: String,
    /// Their digest.
    pub digest: Digest,
    /// Their number, where the manifest says it.
    pub bytes: Option<u64>,
}

impl Manifest {
    /// Whether this version may read a manifest of this JSON: its version and kind, and the names of layers and messages.
    /// What it does not know it must not serve.
    ///
    /// # Errors
    /// What is not known, in fixed words.
    pub fn check_known(value: &serde_json::Value) -> Result<(), &'static str> {
        let text = |at: &serde_json::Value, name: &str| at.get(name).and_then(|text| text.as_str().map(str::to_owned));
        if text(value, "apiVersion").as_deref() != Some(API_VERSION) || text(value, "kind").as_deref() != Some(KIND) {
            return Err("this version reads dossier.dev/v1 AgentContextBundle alone");
        }
        let layers = value.pointer("/spec/layers").and_then(serde_json::Value::as_array);
        let known = |layer: &serde_json::Value| {
            let is = |name: &str, known: &str| text(layer, name).as_deref() == Some(known);
            layer::Layer::ALL.iter().any(|one| is("name", one.name()))
                && layer::Message::ALL.iter().any(|one| is("message", one.name()))
        };
        if layers.is_some_and(|layers| !layers.iter().all(known)) {
            return Err("it has a layer or message that this version does not know");
        }
        Ok(())
    }

    /// All blobs that the manifest names, each once, in the order of a fetch: messages, draft, tools, review, attachments.
    #[must_use]
    pub fn descriptors(&self) -> Vec<Descriptor> {
        let mut unique: Vec<Descriptor> = Vec::new();
        for one in self.named() {
            if !unique.iter().any(|other| other.digest == one.digest) {
                unique.push(one);
            }
        }
        unique
    }

    /// The same, but a digest that is named with several sizes stands with each of them.
    pub(crate) fn named(&self) -> Vec<Descriptor> {
        let spec = &self.spec;
        let message = |digest: &Digest, name: &str| {
            let bytes = spec.layers.iter().filter(|layer| layer.message == name).map(|layer| u64::from(layer.bytes));
            descriptor(media::MESSAGE, digest, Some(bytes.sum()))
        };
        let mut all = vec![
            message(&spec.prompt.rendered_system_digest, "system"),
            message(&spec.prompt.rendered_developer_digest, "developer"),
            message(&spec.prompt.rendered_task_digest, "task"),
            descriptor(media::DRAFT, &spec.draft_digest, None),
        ];
        all.extend(spec.tools.iter().map(|tool| descriptor(media::TOOL, &tool.digest, None)));
        let review = spec.permission_review.iter();
        all.extend(review.map(|review| descriptor(media::PERMISSION_REVIEW, &review.digest, None)));
        let items = spec.attachments.iter();
        all.extend(items.map(|item| descriptor(&item.media_type, &item.digest, Some(u64::from(item.bytes)))));
        let mut unique: Vec<Descriptor> = Vec::with_capacity(all.len());
        for one in all {
            if !unique.iter().any(|other| (other.digest, other.bytes) == (one.digest, one.bytes)) {
                unique.push(one);
            }
        }
        unique
    }
}

fn descriptor(media_type: &str, digest: &Digest, bytes: Option<u64>) -> Descriptor {
    Descriptor { media_type: media_type.to_owned(), digest: *digest, bytes }
}
