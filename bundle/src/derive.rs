//! Derives a manifest from a bounded draft. A pure function: the same draft and renderer give the same bytes.

use std::collections::BTreeMap;

use crate::builtin;
use crate::canonical::{self, CanonicalError};
use crate::check;
use crate::digest::Digest;
use crate::draft::{self, Draft, Text};
use crate::layer::Layer;
use crate::manifest::{self, Manifest, Spec};
use crate::redactions::Redactions;
use crate::render::{self, Fragment, Mode, Part, RenderedMessage};

/// A manifest with the bytes it stands for.
pub struct Derived {
    /// The manifest.
    pub manifest: Manifest,
    /// Its canonical bytes.
    pub bytes: Vec<u8>,
    /// The three messages, in the order of [`crate::layer::Message::ALL`].
    pub messages: [RenderedMessage; 3],
    /// The draft's canonical bytes.
    pub draft: Vec<u8>,
}

/// Renders `draft` and lists its parts.
///
/// # Errors
/// [`CanonicalError`] where a number has no exact canonical form; none in a draft has.
pub fn derive<T: Text + serde::Serialize>(draft: &Draft<T>) -> Result<Derived, CanonicalError> {
    let messages = render::render(draft, Mode::Sent);
    derive_from(draft, messages, canonical::to_vec(draft)?, &Known::default())
}

/// As [`derive()`], of a draft that was rendered and written already; digests of bytes that are known are not computed again.
pub(crate) fn derive_from<T: Text>(
    draft: &Draft<T>,
    messages: [RenderedMessage; 3],
    draft_bytes: Vec<u8>,
    known: &Known<'_>,
) -> Result<Derived, CanonicalError> {
    let manifest = Manifest {
        api_version: manifest::API_VERSION.to_owned(),
        kind: manifest::KIND.to_owned(),
        spec: spec(draft, &messages, known.digest(&draft_bytes), known),
    };
    let bytes = canonical::to_vec(&manifest)?;
    Ok(Derived { manifest, bytes, messages, draft: draft_bytes })
}

/// Bytes whose digests were computed before. Equal bytes have equal digests, and comparing is cheaper than hashing.
#[derive(Default)]
pub(crate) struct Known<'k>(BTreeMap<usize, Vec<(&'k [u8], Digest)>>);

impl<'k> Known<'k> {
    /// Takes note of bytes and the digest that was computed of them.
    pub(crate) fn note(&mut self, bytes: &'k [u8], digest: Digest) {
        self.0.entry(bytes.len()).or_default().push((bytes, digest));
    }

    fn digest(&self, bytes: &[u8]) -> Digest {
        let mut same = self.0.get(&bytes.len()).into_iter().flatten().filter(|(one, _)| *one == bytes);
        same.next().map_or_else(|| Digest::of(bytes), |(_, digest)| *digest)
    }
}

/// The least version whose rules the draft needs.
fn renderer_version<T>(draft: &Draft<T>) -> &'static str {
    let sources = draft.sources.iter().map(|source| source.first_error);
    let mut errors = sources.chain(draft.attachments.iter().map(|item| item.first_error));
    if errors.any(|error| error.is_some()) { builtin::RENDERER_VERSION } else { builtin::FIRST_RENDERER_VERSION }
}

fn spec<T: Text>(draft: &Draft<T>, messages: &[RenderedMessage; 3], draft_digest: Digest, known: &Known<'_>) -> Spec {
    let mut total = Redactions::default();
    draft.redactions().for_each(|redactions| total.merge(redactions));
    let omissions = draft.omissions();
    let [system, developer, task] = messages;
    Spec {
        dispatch_run: draft.dispatch_run.to_string(),
        project: draft.project.to_string(),
        route: draft.route.clone(),
        renderer_version: renderer_version(draft).to_owned(),
        launch: draft.launch.as_ref().map(launch),
        source_refs: draft.source_refs.as_ref().map(source_refs),
        prompt: manifest::Prompt {
            user: draft.user.as_ref().map(|user| Digest::of(user.text.as_str().as_bytes())),
            rendered_system_digest: known.digest(system.text.as_bytes()),
            rendered_developer_digest: known.digest(developer.text.as_bytes()),
            rendered_task_digest: known.digest(task.text.as_bytes()),
        },
        layers: Layer::ALL.iter().map(|which| layer(draft, messages, *which, known)).collect(),
        context_labels: Vec::new(),
        skills: draft.skills.iter().map(skill).collect(),
        tools: draft.tools.iter().map(|tool| manifest::Tool { name: owned(&tool.name), digest: tool.digest }).collect(),
        sources: draft.sources.iter().map(|one| source(one, known)).collect(),
        attachments: draft.attachments.iter().map(attachment).collect(),
        redactions: total.rows(),
        redaction_policy_digest: draft.redaction_policy_digest,
        limits: manifest::AppliedLimits { limits: draft.limits.clone(), truncated: !omissions.is_empty(), omissions },
        permission_review: draft
            .permission_review
            .as_ref()
            .map(|review| manifest::PermissionReview { digest: review.digest, summary: owned(&review.summary) }),
        memory: None,
        findings: check::check(draft).iter().filter(|finding| finding.code.is_pinned()).map(finding).collect(),
        draft_digest,
    }
}

fn owned<T: Text>(text: &T) -> String {
    text.as_str().to_owned()
}

fn maybe<T: Text>(text: &Option<T>) -> Option<String> {
    text.as_ref().map(owned)
}

fn launch<T: Text>(launch: &draft::Launch<T>) -> manifest::Launch {
    manifest::Launch {
        stack: launch.stack.as_ref().map(|stack| manifest::Stack {
            name: owned(&stack.name),
            generation: stack.generation,
            digest: stack.digest,
        }),
        model: maybe(&launch.model),
        runner_pool: maybe(&launch.runner_pool),
        service_account: maybe(&launch.service_account),
        approval_mode: maybe(&launch.approval_mode),
    }
}

fn source_refs<T: Text>(refs: &draft::SourceRefs<T>) -> manifest::SourceRefs {
    manifest::SourceRefs {
        repository: maybe(&refs.repository),
        pull_request: maybe(&refs.pull_request),
        pipeline: maybe(&refs.pipeline),
        job: maybe(&refs.job),
        issue: maybe(&refs.issue),
        path: maybe(&refs.path),
        head_sha: refs.head_sha.as_ref().map(ToString::to_string),
    }
}

fn skill<T: Text>(skill: &draft::Skill<T>) -> manifest::Skill {
    manifest::Skill {
        name: owned(&skill.name),
        version: maybe(&skill.version),
        digest: Digest::of(skill.text.as_str().as_bytes()),
    }
}

fn source<T: Text>(source: &draft::Source<T>, known: &Known<'_>) -> manifest::Source {
    manifest::Source {
        kind: source.kind.clone(),
        name: owned(&source.name),
        uri: maybe(&source.uri),
        reference: maybe(&source.reference),
        commit: source.commit.as_ref().map(ToString::to_string),
        path: maybe(&source.path),
        retrieved_at: source.retrieved_at,
        head_sha: source.head_sha.as_ref().map(ToString::to_string),
        digest: known.digest(source.text.as_str().as_bytes()),
        caller_digest: source.caller_digest,
        redaction_status: source.redaction_status(),
        truncated: source.truncated(),
        first_error: source.first_error.map(Into::into),
    }
}

fn attachment<T: Text>(item: &draft::Attachment<T>) -> manifest::Attachment {
    manifest::Attachment {
        id: item.id.to_string(),
        kind: item.kind.clone(),
        title: owned(&item.title),
        media_type: item.media_type.clone(),
        artifact_ref: format!("blobs/sha256/{}", item.digest.hex()),
        digest: item.digest,
        bytes: item.bytes,
        source_url: maybe(&item.source_url),
        retrieved_at: item.retrieved_at,
        base_sha: item.base_sha.as_ref().map(ToString::to_string),
        head_sha: item.head_sha.as_ref().map(ToString::to_string),
        redaction_status: item.redaction_status,
        truncated: item.truncated,
        first_error: item.first_error.map(Into::into),
    }
}

fn finding(finding: &crate::finding::Finding) -> manifest::Finding {
    manifest::Finding {
        code: finding.code.name().to_owned(),
        severity: "warning".to_owned(),
        subject: finding.subject.clone(),
        detail: finding.detail.clone(),
    }
}

fn layer<T: Text>(
    draft: &Draft<T>,
    messages: &[RenderedMessage; 3],
    which: Layer,
    known: &Known<'_>,
) -> manifest::Layer {
    let message = &messages[which.message() as usize];
    let range = message.layer(which);
    let of = message.fragments.iter().filter(|fragment| fragment.layer == which);
    manifest::Layer {
        name: which.name().to_owned(),
        message: which.message().name().to_owned(),
        offset: number(range.start),
        bytes: number(range.len()),
        digest: known.digest(&message.text.as_bytes()[range]),
        fragments: of.map(|fragment| one_fragment(draft, message, fragment, known)).collect(),
    }
}

fn one_fragment<T: Text>(
    draft: &Draft<T>,
    message: &RenderedMessage,
    fragment: &Fragment,
    known: &Known<'_>,
) -> manifest::Fragment {
    let (provenance, redactions) = background(draft, fragment.part);
    manifest::Fragment {
        name: fragment.name.clone(),
        kind: fragment.part.kind().to_owned(),
        offset: number(fragment.range.start),
        bytes: number(fragment.range.len()),
        digest: known.digest(&message.text.as_bytes()[fragment.range.clone()]),
        provenance,
        redactions: redactions.map(Redactions::rows).unwrap_or_default(),
    }
}

/// Where a part came from, and what was redacted in it.
fn background<T: Text>(draft: &Draft<T>, part: Part) -> (Option<manifest::Provenance>, Option<&Redactions>) {
    let builtin = || Some(manifest::Provenance { origin: Some(builtin::ORIGIN.to_owned()), ..Default::default() });
    let prompt = |prompt: &'_ Option<draft::Prompt<T>>| prompt.as_ref().and_then(|p| p.provenance.as_ref().map(given));
    match part {
        Part::Builtin | Part::Evidence | Part::Omissions => (builtin(), None),
        Part::System => (prompt(&draft.system), draft.system.as_ref().map(|p| &p.redactions)),
        Part::Developer => (prompt(&draft.developer), draft.developer.as_ref().map(|p| &p.redactions)),
        Part::Trigger => (prompt(&draft.trigger), draft.trigger.as_ref().map(|p| &p.redactions)),
        Part::User => (prompt(&draft.user), draft.user.as_ref().map(|p| &p.redactions)),
        Part::Skill(index) => draft
            .skills
            .get(index)
            .map_or((None, None), |skill| (skill.provenance.as_ref().map(given), Some(&skill.redactions))),
        Part::Source(index) => draft.sources.get(index).map_or((None, None), |source| {
            let provenance = manifest::Provenance {
                origin: None,
                uri: maybe(&source.uri),
                reference: maybe(&source.reference),
                commit: source.commit.as_ref().map(ToString::to_string),
                path: maybe(&source.path),
            };
            let known = provenance != manifest::Provenance::default();
            (known.then_some(provenance), Some(&source.redactions))
        }),
    }
}

fn given<T: Text>(provenance: &draft::Provenance<T>) -> manifest::Provenance {
    manifest::Provenance {
        origin: maybe(&provenance.origin),
        uri: maybe(&provenance.uri),
        reference: maybe(&provenance.reference),
        commit: maybe(&provenance.commit),
        path: maybe(&provenance.path),
    }
}

/// Messages are bounded to megabytes by the server's limits, far below `u32::MAX`.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
