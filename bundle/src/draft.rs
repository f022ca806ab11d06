//! The redacted, resolved draft: all that a bundle is made of.
//!
//! A draft is generic over its text. [`crate::freeze()`] takes a draft of [`Clean`] text alone, which only the redaction crate
//! makes; a draft of `String` is what is read back from storage to derive a manifest again, and can be rendered but not
//! frozen.

use dossier_redact::Clean;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::excerpt::FirstError;
use crate::limits::Limits;
use crate::names::{CommitId, EvidenceId, ProjectName, RunName};
use crate::redactions::Redactions;
use crate::time::Moment;

/// Text that can stand in a draft.
pub trait Text {
    /// The text.
    fn as_str(&self) -> &str;
}

impl Text for Clean {
    fn as_str(&self) -> &str {
        Self::as_str(self)
    }
}

impl Text for String {
    fn as_str(&self) -> &str {
        self
    }
}

/// The draft. Its canonical JSON is the blob that `draftDigest` names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft<T> {
    /// The run.
    pub dispatch_run: RunName,
    /// The project.
    pub project: ProjectName,
    /// The route's name.
    pub route: String,
    /// How the agent is launched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<Launch<T>>,
    /// What the dispatch is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_refs: Option<SourceRefs<T>>,
    /// Layer 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<Prompt<T>>,
    /// Layer 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub developer: Option<Prompt<T>>,
    /// Layer 3.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<Skill<T>>,
    /// Layer 5, as rendered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<Prompt<T>>,
    /// Layer 6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Prompt<T>>,
    /// Layer 7.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source<T>>,
    /// The tools, by the digest of their canonical JSON.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool<T>>,
    /// The evidence.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment<T>>,
    /// The permission review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_review: Option<PermissionReview<T>>,
    /// The limits in force.
    pub limits: Limits,
    /// The digest of rule set, policy and user regular expressions.
    pub redaction_policy_digest: Digest,
}

/// Where text came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Provenance<T> {
    /// Who or what put it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<T>,
    /// A link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<T>,
    /// The branch or tag.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<T>,
    /// The commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<T>,
    /// The path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<T>,
}

/// How the agent is launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch<T> {
    /// The stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<Stack<T>>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<T>,
    /// The pool of runners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_pool: Option<T>,
    /// The ServiceAccount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account: Option<T>,
    /// How the agent's acts are approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<T>,
    /// What was redacted in it.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redactions: Redactions,
}

/// A stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stack<T> {
    /// The name.
    pub name: T,
    /// The generation.
    pub generation: u32,
    /// The digest of the stack's content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// What the dispatch is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceRefs<T> {
    /// The repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<T>,
    /// The pull or merge request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<T>,
    /// The pipeline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<T>,
    /// The job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<T>,
    /// The issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<T>,
    /// The path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<T>,
    /// The commit that the dispatch is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<CommitId>,
    /// What was redacted in it.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redactions: Redactions,
}

/// Prompt text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt<T> {
    /// The text.
    pub text: T,
    /// Where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance<T>>,
    /// What was redacted in it.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redactions: Redactions,
}

/// A skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skill<T> {
    /// The name.
    pub name: T,
    /// The version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<T>,
    /// The text.
    pub text: T,
    /// Where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance<T>>,
    /// What was redacted in it.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redactions: Redactions,
}

/// A source. `text` is what stands in the prompt, unescaped and, once frozen, bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Source<T> {
    /// The kind's name.
    pub kind: String,
    /// The name.
    pub name: T,
    /// A link to the original.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<T>,
    /// The branch or tag.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<T>,
    /// The commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
    /// The path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<T>,
    /// When it was retrieved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_at: Option<Moment>,
    /// The head commit that it is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<CommitId>,
    /// The text.
    pub text: T,
    /// Whether the caller gave a digest of the text as received.
    pub caller_digest: CallerDigest,
    /// The first actionable error of a log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<FirstError>,
    /// What was left out of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<Omission>,
    /// What was redacted in it, before bounding.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redactions: Redactions,
}

/// Whether the caller gave a digest. One that differs denies the bundle, so it is never seen here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallerDigest {
    /// It did, and the text as received has it.
    Matched,
    /// It did not.
    Absent,
}

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Omission {
    /// The part, such as `sources/ci log` or `attachments/checks`.
    pub part: String,
    /// What of it: `lines` or `hunks`.
    pub what: String,
    /// The name of the limit that took it.
    pub reason: String,
    /// How many bytes of redacted, unescaped text.
    pub bytes: u32,
    /// How many lines or hunks.
    pub items: u32,
}

/// A tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool<T> {
    /// The name.
    pub name: T,
    /// The digest of its redacted, canonical JSON.
    pub digest: Digest,
    /// What was redacted in it.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redactions: Redactions,
}

/// An attachment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment<T> {
    /// The id.
    pub id: EvidenceId,
    /// The kind's name.
    pub kind: String,
    /// The title.
    pub title: T,
    /// The media type.
    pub media_type: String,
    /// The digest of the bytes.
    pub digest: Digest,
    /// The number of bytes.
    pub bytes: u32,
    /// Where it can be read in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_url: Option<T>,
    /// When it was retrieved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retrieved_at: Option<Moment>,
    /// The base commit that it is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_sha: Option<CommitId>,
    /// The head commit that it is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<CommitId>,
    /// What redaction did to the bytes.
    pub redaction_status: RedactionStatus,
    /// Whether the bytes are an excerpt.
    pub truncated: bool,
    /// The first actionable error of a log, as it was uploaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<FirstError>,
    /// What was left out of it when it was uploaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omissions: Vec<Omission>,
    /// What was redacted in the metadata.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redactions: Redactions,
}

/// What redaction did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RedactionStatus {
    /// No marker stands in it.
    Clean,
    /// Markers stand in it.
    Redacted,
    /// It is binary: searched, and nothing found.
    SearchedOnly,
}

/// A permission review, by the digest of its canonical JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionReview<T> {
    /// The digest.
    pub digest: Digest,
    /// One line.
    pub summary: T,
    /// What was redacted in it.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redactions: Redactions,
}

impl<T> Draft<T> {
    /// All counts of the draft, in one order. Their sum is the manifest's.
    pub fn redactions(&self) -> impl Iterator<Item = &Redactions> {
        let prompts = [&self.system, &self.developer, &self.trigger, &self.user].into_iter().flatten();
        (self.launch.iter().map(|part| &part.redactions))
            .chain(self.source_refs.iter().map(|part| &part.redactions))
            .chain(prompts.map(|part| &part.redactions))
            .chain(self.skills.iter().map(|part| &part.redactions))
            .chain(self.sources.iter().map(|part| &part.redactions))
            .chain(self.tools.iter().map(|part| &part.redactions))
            .chain(self.attachments.iter().map(|part| &part.redactions))
            .chain(self.permission_review.iter().map(|part| &part.redactions))
    }

    /// All omissions, sorted by part and what.
    #[must_use]
    pub fn omissions(&self) -> Vec<Omission> {
        let sources = self.sources.iter().flat_map(|source| &source.omissions);
        let attachments = self.attachments.iter().flat_map(|item| &item.omissions);
        let mut omissions: Vec<Omission> = sources.chain(attachments).cloned().collect();
        omissions.sort();
        omissions
    }
}

impl<T> Source<T> {
    /// Whether something was left out.
    #[must_use]
    pub fn truncated(&self) -> bool {
        !self.omissions.is_empty()
    }

    /// What redaction did.
    #[must_use]
    pub fn redaction_status(&self) -> RedactionStatus {
        if self.redactions.is_empty() { RedactionStatus::Clean } else { RedactionStatus::Redacted }
    }
}
