//! From the wire's draft to clean text: one conversion that collects every violation.

use std::collections::{BTreeMap, BTreeSet};

use dossier_bundle::draft::{
    CallerDigest, Draft, Launch, PermissionReview, Prompt, Provenance, Skill, Source, SourceRefs, Stack,
};
use dossier_bundle::kinds::LimitClass;
use dossier_bundle::limits::Limits;
use dossier_bundle::names::{LabelName, ProjectName, RunName, RunPath};
use dossier_bundle::redactions::Redactions;
use dossier_bundle::{Blob, Code, Digest, Finding, kinds, template};
use dossier_proto::v1;
use dossier_redact::{Clean, Redactor};
use prost::Message as _;

use super::parts;
use super::pins::WantedPins;
use super::reader::{MAX_LINE, MAX_LINK, Reader, is_relative};
use crate::config::Config;
use crate::status::ApiError;

/// More entries of a list than this are not looked at one by one.
const FAR_TOO_MANY: usize = 1_024;

/// A draft as it was sent, clean. What it names is not resolved.
pub(crate) struct Sent {
    /// The draft; its trigger and its uploads are not filled in yet.
    pub(super) draft: Draft<Clean>,
    /// The trigger's template.
    pub(super) template: Option<Template>,
    /// Sources whose text is an upload: their index, the upload.
    pub(super) uploads: Vec<(usize, Digest)>,
    /// Tools and the permission review.
    pub(super) blobs: Vec<Blob>,
    /// The pins to be honoured.
    pub(super) pins: WantedPins,
    /// The digest to be met.
    pub(crate) expected: Option<Digest>,
    /// What reading it found.
    pub(super) findings: Vec<Finding>,
    /// The digest of the redacted draft as sent, without what must not count.
    pub(crate) fingerprint: Digest,
    /// A content of a later version, by its field.
    pub(super) unimplemented: Option<String>,
}

/// A trigger's template and fields.
pub(super) struct Template {
    pub(super) text: Clean,
    pub(super) fields: BTreeMap<String, Clean>,
    pub(super) provenance: Option<Provenance<Clean>>,
    pub(super) redactions: Redactions,
}

/// Reads a draft. `context` is what of its redaction context tells it apart from another.
///
/// # Errors
/// [`ApiError::InvalidArgument`] with all violations.
pub(super) fn decode(
    mut wire: v1::BundleDraft,
    run: &RunPath,
    config: &Config,
    redactor: &Redactor,
    context: &[u8],
) -> Result<Sent, ApiError> {
    let mut reader = Reader::new(redactor);
    let r = &mut reader;
    if !wire.run.is_empty() && wire.run != run.run.as_str() {
        r.violation("draft.run", "must be the run of the parent");
    }
    let own_run: Option<RunName> = r.name("parent", run.run.as_str());
    let project: Option<ProjectName> = r.name("draft.project", &wire.project);
    let route = kinds::route(&wire.route);
    if route.is_none() {
        let names: Vec<&str> = kinds::ROUTES.iter().map(|route| route.name).collect();
        r.violation("draft.route", format!("must be one of {}", names.join(", ")));
    }
    if counts(r, &wire) > FAR_TOO_MANY {
        // What is far over its bound is not looked at, however little each of it is.
        return Err(ApiError::InvalidArgument(reader.violations));
    }
    let limits = limits(r, config, wire.limits.as_ref());
    let launch = launch(r, wire.launch.as_mut());
    let source_refs = source_refs(r, wire.source_refs.as_mut());
    let system = prompt(r, "draft.system", wire.system.as_mut());
    let developer = prompt(r, "draft.developer", wire.developer.as_mut());
    let user = prompt(r, "draft.user", wire.user.as_mut());
    let skills = skills(r, &mut wire.skills);
    labels(r, &wire.labels);
    let template = trigger(r, wire.trigger.as_mut());
    let mut uploads = Vec::new();
    let mut unimplemented = None;
    let sources = sources(r, &mut wire.sources, &mut uploads, &mut unimplemented);
    let mut blobs = Vec::new();
    let tools = parts::tools(r, &mut wire.tools, &mut blobs);
    let attachments = parts::attachments(r, &mut wire.attachments);
    let permission_review: Option<PermissionReview<Clean>> =
        wire.permission_review.as_mut().map(|review| parts::review(r, review, &mut blobs));
    let pins = WantedPins::read(r, wire.pins.as_ref());
    let expected = r.digest("draft.expected_digest".to_owned(), &wire.expected_digest);
    wire.expected_digest.clear();

    if !reader.violations.is_empty() {
        return Err(ApiError::InvalidArgument(reader.violations));
    }
    let (Some(own_run), Some(project), Some(route)) = (own_run, project, route) else {
        return Err(ApiError::internal("a draft without violations lacks a name"));
    };
    let mut bytes = wire.encode_to_vec();
    bytes.extend_from_slice(context);
    let draft = Draft {
        dispatch_run: own_run,
        project,
        route: route.name.to_owned(),
        launch,
        source_refs,
        system,
        developer,
        skills,
        trigger: None,
        user,
        sources,
        tools,
        attachments,
        permission_review,
        limits,
        redaction_policy_digest: Digest::from_bytes(redactor.policy_digest()),
    };
    let findings = reader.findings;
    Ok(Sent {
        draft,
        template,
        uploads,
        blobs,
        pins,
        expected,
        findings,
        fingerprint: Digest::of(&bytes),
        unimplemented,
    })
}

/// Refuses lists that are too long. The length of the longest.
fn counts(r: &mut Reader<'_>, wire: &v1::BundleDraft) -> usize {
    let (trigger, review, pins) = (wire.trigger.as_ref(), wire.permission_review.as_ref(), wire.pins.as_ref());
    let lists = [
        ("draft.skills", wire.skills.len(), 64),
        ("draft.labels", wire.labels.len(), 64),
        ("draft.sources", wire.sources.len(), 256),
        ("draft.tools", wire.tools.len(), 256),
        // Over the class's limit is a finding; this only bounds the work.
        ("draft.attachments", wire.attachments.len(), FAR_TOO_MANY),
        ("draft.trigger.fields", trigger.map_or(0, |trigger| trigger.fields.len()), 256),
        ("draft.permission_review.granted_tools", review.map_or(0, |review| review.granted_tools.len()), 256),
        ("draft.permission_review.granted_permissions", review.map_or(0, |r| r.granted_permissions.len()), 256),
        ("draft.pins.labels", pins.map_or(0, |pins| pins.labels.len()), 64),
        ("draft.pins.commits", pins.map_or(0, |pins| pins.commits.len()), 256),
    ];
    for (at, count, most) in lists {
        r.at_most(at, count, most);
    }
    // The context refuses too many of these itself.
    let denied = review.map_or(0, |review| review.denied.len());
    lists.into_iter().map(|(_, count, _)| count).fold(denied, usize::max)
}

/// The limits of a class; empty names the standard one.
pub(crate) fn class_limits(config: &Config, name: &str) -> Option<Limits> {
    let class = config.limit_class(name)?;
    Some(Limits {
        class: if name.is_empty() { Limits::standard().class } else { name.to_owned() },
        max_prompt_bytes: class.max_prompt_bytes,
        max_log_bytes: class.max_log_bytes,
        max_diff_bytes: class.max_diff_bytes,
        max_task_bytes: class.max_task_bytes,
        max_memory_bytes: class.max_memory_bytes,
        max_source_bytes: class.max_source_bytes,
        max_attachment_bytes: class.max_attachment_bytes,
        max_attachments: class.max_attachments,
        max_bytes: class.max_bytes,
    })
}

fn limits(r: &mut Reader<'_>, config: &Config, wire: Option<&v1::Limits>) -> Limits {
    let class = wire.map(|limits| limits.class.as_str()).unwrap_or_default();
    let Some(base) = class_limits(config, class) else {
        let names: Vec<&str> = config.limits.keys().map(String::as_str).collect();
        r.violation("draft.limits.class", format!("must be one of {}", names.join(", ")));
        return Limits::standard();
    };
    let Some(wire) = wire else { return base };
    let mut number = |name: &str, value: i32| {
        u32::try_from(value).unwrap_or_else(|_| {
            r.violation(format!("draft.limits.{name}"), "must not be negative");
            0
        })
    };
    let wanted = Limits {
        class: base.class.clone(),
        max_prompt_bytes: number("max_prompt_bytes", wire.max_prompt_bytes),
        max_log_bytes: number("max_log_bytes", wire.max_log_bytes),
        max_diff_bytes: number("max_diff_bytes", wire.max_diff_bytes),
        max_task_bytes: number("max_task_bytes", wire.max_task_bytes),
        max_memory_bytes: number("max_memory_bytes", wire.max_memory_bytes),
        max_source_bytes: number("max_source_bytes", wire.max_source_bytes),
        max_attachment_bytes: number("max_attachment_bytes", wire.max_attachment_bytes),
        max_attachments: number("max_attachments", wire.max_attachments),
        max_bytes: number("max_bytes", wire.max_bytes),
    };
    base.lowered(&wanted).unwrap_or_else(|raised| {
        let names = raised.join(", ");
        r.violation("draft.limits", format!("must only lower the class's limits; these are higher: {names}"));
        base.clone()
    })
}

fn launch(r: &mut Reader<'_>, wire: Option<&mut v1::LaunchOptions>) -> Option<Launch<Clean>> {
    let wire = wire?;
    let mut redactions = Redactions::default();
    let counts = &mut redactions;
    let stack = wire.stack.as_mut().map(|stack| Stack {
        name: r.required_line("draft.launch.stack.name".to_owned(), "stack", &mut stack.name, counts),
        generation: u32::try_from(stack.generation).unwrap_or_else(|_| {
            r.violation("draft.launch.stack.generation", "must not be negative");
            0
        }),
        digest: r.digest("draft.launch.stack.digest".to_owned(), &stack.digest),
    });
    let mut line = |name: &str, text: &mut String| r.line(format!("draft.launch.{name}"), name, text, MAX_LINE, counts);
    let model = line("model", &mut wire.model);
    let runner_pool = line("runner_pool", &mut wire.runner_pool);
    let service_account = line("service_account", &mut wire.service_account);
    let approval_mode = line("approval_mode", &mut wire.approval_mode);
    let any =
        stack.is_some() || [&model, &runner_pool, &service_account, &approval_mode].iter().any(|field| field.is_some());
    any.then_some(Launch { stack, model, runner_pool, service_account, approval_mode, redactions })
}

fn source_refs(r: &mut Reader<'_>, wire: Option<&mut v1::SourceRefs>) -> Option<SourceRefs<Clean>> {
    let wire = wire?;
    let mut redactions = Redactions::default();
    let head_sha = r.commit("draft.source_refs.head_sha".to_owned(), &wire.head_sha);
    let mut line = |name: &str, text: &mut String| {
        r.line(format!("draft.source_refs.{name}"), name, text, MAX_LINK, &mut redactions)
    };
    let repository = line("repository", &mut wire.repository);
    let pull_request = line("pull_request", &mut wire.pull_request);
    let pipeline = line("pipeline", &mut wire.pipeline);
    let job = line("job", &mut wire.job);
    let issue = line("issue", &mut wire.issue);
    let path = line("path", &mut wire.path);
    let fields = [&repository, &pull_request, &pipeline, &job, &issue, &path];
    let any = head_sha.is_some() || fields.iter().any(|field| field.is_some());
    any.then_some(SourceRefs { repository, pull_request, pipeline, job, issue, path, head_sha, redactions })
}

fn prompt(r: &mut Reader<'_>, at: &str, wire: Option<&mut v1::PromptText>) -> Option<Prompt<Clean>> {
    let wire = wire?;
    let mut redactions = Redactions::default();
    r.check_digest(at, &mut wire.digest, wire.text.as_bytes());
    let text = r.text(&format!("{at}.text"), "", &mut wire.text, &mut redactions);
    let provenance = r.provenance(&format!("{at}.provenance"), &mut wire.provenance, &mut redactions);
    (!text.is_empty()).then_some(Prompt { text, provenance, redactions })
}

fn skills(r: &mut Reader<'_>, wire: &mut [v1::Skill]) -> Vec<Skill<Clean>> {
    let mut names = BTreeSet::new();
    let mut skills = Vec::with_capacity(wire.len());
    for (index, skill) in wire.iter_mut().enumerate() {
        let at = format!("draft.skills[{index}]");
        let mut redactions = Redactions::default();
        let name = r.required_line(format!("{at}.name"), "name", &mut skill.name, &mut redactions);
        unique(r, &at, &mut names, &name);
        let version = r.line(format!("{at}.version"), "version", &mut skill.version, MAX_LINE, &mut redactions);
        r.check_digest(&at, &mut skill.digest, skill.text.as_bytes());
        let text = r.text(&format!("{at}.text"), "", &mut skill.text, &mut redactions);
        let provenance = r.provenance(&format!("{at}.provenance"), &mut skill.provenance, &mut redactions);
        skills.push(Skill { name, version, text, provenance, redactions });
    }
    skills
}

/// Labels have no service yet: each that is named is missing.
fn labels(r: &mut Reader<'_>, wire: &[v1::LabelReference]) {
    for (index, label) in wire.iter().enumerate() {
        let at = format!("draft.labels[{index}]");
        let name: Option<LabelName> = r.name(&format!("{at}.name"), &label.name);
        r.digest(format!("{at}.digest"), &label.digest);
        if label.generation < 0 {
            r.violation(format!("{at}.generation"), "must not be negative");
        }
        if let Some(name) = name {
            r.findings.push(Finding::new(Code::LabelMissing, at, format!("there is no label {name}")));
        }
    }
}

fn trigger(r: &mut Reader<'_>, wire: Option<&mut v1::TriggerTemplate>) -> Option<Template> {
    let wire = wire?;
    let at = "draft.trigger";
    let mut redactions = Redactions::default();
    r.check_digest(at, &mut wire.digest, wire.template.as_bytes());
    let text = r.text("draft.trigger.template", "", &mut wire.template, &mut redactions);
    let mut fields = BTreeMap::new();
    for (name, field) in &mut wire.fields {
        if !template::is_field_name(name) || !r.redactor.search(name).is_empty() {
            r.violation("draft.trigger.fields", "each name must match [A-Za-z_][A-Za-z0-9_]{0,63} and hold no secret");
            continue;
        }
        let trusted = field.trust == v1::template_field::Trust::Trusted as i32;
        if !trusted && !template::is_harmless(&field.value) {
            r.violation(
                format!("draft.trigger.fields[{name}].value"),
                "must match [A-Za-z0-9._/#:@-]{1,200}: words of a source do not stand in the assignment",
            );
            continue;
        }
        let value = r.text(&format!("draft.trigger.fields[{name}].value"), name, &mut field.value, &mut redactions);
        fields.insert(name.clone(), value);
    }
    let provenance = r.provenance("draft.trigger.provenance", &mut wire.provenance, &mut redactions);
    Some(Template { text, fields, provenance, redactions })
}

fn sources(
    r: &mut Reader<'_>,
    wire: &mut [v1::Source],
    uploads: &mut Vec<(usize, Digest)>,
    unimplemented: &mut Option<String>,
) -> Vec<Source<Clean>> {
    let mut names = BTreeSet::new();
    let mut sources = Vec::with_capacity(wire.len());
    for (index, source) in wire.iter_mut().enumerate() {
        let at = format!("draft.sources[{index}]");
        let mut redactions = Redactions::default();
        let counts = &mut redactions;
        if kinds::source_kind(&source.kind).is_none() {
            r.violation(format!("{at}.kind"), format!("must be one of {}", parts::source_kinds()));
        }
        let name = r.required_line(format!("{at}.name"), "name", &mut source.name, counts);
        unique(r, &at, &mut names, &name);
        if !source.path.is_empty() && !is_relative(&source.path) {
            r.violation(format!("{at}.path"), "must be relative, without empty parts, \".\" and \"..\"");
        }
        let uri = r.line(format!("{at}.uri"), "uri", &mut source.uri, MAX_LINK, counts);
        let reference = r.line(format!("{at}.ref"), "ref", &mut source.r#ref, MAX_LINE, counts);
        let place = source.path.clone();
        let path = r.line(format!("{at}.path"), "path", &mut source.path, MAX_LINE, counts);
        let commit = r.commit(format!("{at}.commit"), &source.commit);
        let head_sha = r.commit(format!("{at}.head_sha"), &source.head_sha);
        let retrieved_at = r.moment(format!("{at}.retrieved_at"), source.retrieved_at.as_ref());
        let mut caller_digest = CallerDigest::Absent;
        let mut text = Clean::default();
        let mut first_error = None;
        match source.content.as_mut() {
            Some(v1::source::Content::Text(body)) => {
                if r.check_digest(&at, &mut source.digest, body.as_bytes()) {
                    caller_digest = CallerDigest::Matched;
                }
                let is_log = kinds::source_kind(&source.kind).is_some_and(|kind| kind.limit == LimitClass::Log);
                let received = is_log.then(|| body.clone());
                text = r.text_at(&place, &format!("{at}.text"), body, counts);
                first_error = received.and_then(|received| r.first_error(&place, &received, &text));
            }
            Some(v1::source::Content::Upload(digest)) => {
                if let Some(upload) = r.digest(format!("{at}.upload"), digest) {
                    uploads.push((index, upload));
                    if r.digest(format!("{at}.digest"), &source.digest).is_some_and(|wanted| {
                        caller_digest = CallerDigest::Matched;
                        wanted != upload
                    }) {
                        let detail = "the upload has another digest";
                        r.findings.push(Finding::new(Code::SourceDigestMismatch, at.clone(), detail));
                    }
                } else if digest.is_empty() {
                    r.violation(format!("{at}.upload"), "must be the digest of an upload");
                }
            }
            Some(content) => {
                let name = match content {
                    v1::source::Content::Git(_) => "git",
                    v1::source::Content::Task(_) => "task",
                    _ => "memory",
                };
                unimplemented.get_or_insert(format!("{at}.{name}"));
            }
            None => r.violation(at.clone(), "must have one content: text, upload, git, task or memory"),
        }
        sources.push(Source {
            kind: source.kind.clone(),
            name,
            uri,
            reference,
            commit,
            path,
            retrieved_at,
            head_sha,
            text,
            caller_digest,
            first_error,
            omissions: Vec::new(),
            redactions,
        });
    }
    sources
}

/// Refuses a name that stands before. Two names that redaction makes equal are one name.
pub(super) fn unique(r: &mut Reader<'_>, at: &str, names: &mut BTreeSet<String>, name: &Clean) {
    if !name.is_empty() && !names.insert(name.as_str().to_owned()) {
        r.violation(format!("{at}.name"), "must be unique in its list");
    }
}

#[cfg(test)]
mod tests;
