//! Verifies a bundle: every digest, range and count, by the numbered steps of `docs/spec.md`.
//!
//! The verifier trusts nothing but the digest it is asked to check. It needs the manifest's bytes and the blobs that the
//! manifest names, and no server, key or clock.

mod form;

use std::collections::BTreeMap;

use serde::Deserialize as _;
use serde_json::Value;

use crate::builtin;
use crate::canonical;
use crate::derive::{Known, derive_from};
use crate::digest::Digest;
use crate::draft::Draft;
use crate::hashing::{self, Hashed};
use crate::layer::{Layer, Message};
use crate::manifest::{self, Manifest};
use crate::redactions::{RedactionCount, Redactions};
use crate::render::{self, Mode, RenderedMessage};

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Holds,
    /// It does not: bytes are missing or changed. Why, without content.
    Failed(String),
    /// This version cannot tell. Why.
    Unsupported(String),
}

/// One step of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The number in `docs/spec.md`.
    pub number: u8,
    /// What it is about.
    pub subject: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The digest of the manifest's bytes as they are.
    pub digest: Digest,
    /// The steps that were done, in order.
    pub steps: Vec<Step>,
}

impl Report {
    /// Whether every step holds.
    #[must_use]
    pub fn verified(&self) -> bool {
        self.steps.iter().all(|step| step.outcome == Outcome::Holds)
    }

    /// Whether nothing failed, but a step could not be done by this version.
    #[must_use]
    pub fn unsupported(&self) -> bool {
        !self.verified() && !self.steps.iter().any(|step| matches!(step.outcome, Outcome::Failed(_)))
    }

    fn step(&mut self, number: u8, subject: impl Into<String>, problem: Option<String>) {
        let outcome = problem.map_or(Outcome::Holds, Outcome::Failed);
        self.steps.push(Step { number, subject: subject.into(), outcome });
    }

    fn unsupported_step(&mut self, number: u8, subject: impl Into<String>, why: impl Into<String>) {
        let outcome = Outcome::Unsupported(why.into());
        self.steps.push(Step { number, subject: subject.into(), outcome });
    }
}

/// Verifies the bundle whose manifest has these bytes. `expected` is the digest that the auditor was given; `blob` finds the
/// bytes of a digest, and answers `None` where there are none.
pub fn verify<B: AsRef<[u8]> + Sync>(
    manifest: &[u8],
    expected: Option<&Digest>,
    blob: &mut dyn FnMut(&Digest) -> Option<B>,
) -> Report {
    let mut report = Report { digest: Digest::of(manifest), steps: Vec::new() };
    if let Some(expected) = expected {
        let problem = (report.digest != *expected).then(|| format!("the bytes have {}", report.digest));
        report.step(1, "manifest digest", problem);
    }
    let Some((manifest, blank)) = read_manifest(manifest, &mut report) else { return report };
    let spec = &manifest.spec;

    let named = manifest.named();
    // What has another size than it should is not hashed.
    let found: Vec<Option<Result<Hashed<B>, usize>>> = named
        .iter()
        .map(|descriptor| {
            let bytes = blob(&descriptor.digest)?;
            let size = bytes.as_ref().len();
            let fits = descriptor.bytes.is_none_or(|wanted| wanted == size as u64);
            Some(if fits { Ok(Hashed::new(bytes, tiles(spec, &descriptor.digest))) } else { Err(size) })
        })
        .collect();
    let whole: Vec<&Hashed<B>> = found.iter().flatten().flatten().collect();
    let draft = named.iter().zip(&found).find(|(descriptor, _)| descriptor.digest == spec.draft_digest);
    let draft = draft.and_then(|(_, found)| found.as_ref()?.as_ref().ok());
    // The draft is read while its bytes are hashed; what was read counts only where they have their digest.
    let prepared = hashing::hash(&whole, || draft.map(|draft| Prepared::read(draft.bytes())));
    let mut blobs: BTreeMap<Digest, &Hashed<B>> = BTreeMap::new();
    for (descriptor, found) in named.iter().zip(&found) {
        let problem = match (found, descriptor.bytes) {
            (None, _) => Some("it is missing".to_owned()),
            (Some(Err(size)), wanted) => Some(format!("{size} bytes of {}", wanted.unwrap_or_default())),
            (Some(Ok(bytes)), _) if bytes.digest() != descriptor.digest => {
                Some("its bytes have another digest".to_owned())
            }
            (Some(Ok(bytes)), _) => {
                blobs.insert(descriptor.digest, bytes);
                None
            }
        };
        report.step(4, format!("blob {}", descriptor.digest), problem);
    }
    check_layers(spec, &blobs, &mut report);
    check_bounds(spec, &mut report);
    let draft = blobs.get(&spec.draft_digest);
    match (prepared, draft) {
        (Some(Prepared(Some(read))), Some(_)) => {
            let read = Read { blank: read.blank || blank, ..read };
            check_draft(&manifest, read, &blobs, &mut report);
        }
        // What a later renderer's draft looks like is not known here.
        (_, Some(draft)) if !is_of_this_renderer(spec) && canonical::is_canonical(draft.bytes()) => {
            report.unsupported_step(8, "draft", other_renderer(spec));
        }
        (_, Some(_)) => report.step(8, "draft", Some("it is not a draft in canonical JSON".to_owned())),
        (_, None) => report.step(8, "draft", Some("it cannot be read".to_owned())),
    }
    report
}

/// Steps 2 and 3: the manifest is canonical JSON of a version, with layers and messages, that is known here. With it comes whether
/// it holds something empty, which no draft gives.
fn read_manifest(bytes: &[u8], report: &mut Report) -> Option<(Manifest, bool)> {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(_) => {
            report.step(2, "manifest form", Some("it is not JSON".to_owned()));
            return None;
        }
    };
    let canonical = canonical::to_vec(&value).is_ok_and(|canonical| canonical == bytes);
    report.step(2, "manifest form", (!canonical).then(|| "it is not canonical JSON (RFC 8785)".to_owned()));

    if let Err(why) = Manifest::check_known(&value) {
        report.unsupported_step(3, "manifest version", why);
        return None;
    }
    let manifest = Manifest::deserialize(&value).ok();
    match manifest.and_then(|manifest| Some((serde_json::to_value(&manifest).ok()?, manifest))) {
        Some((read, manifest)) if form::is_well_formed(&read) && !form::lost(&value, &read, &Value::is_null) => {
            report.step(3, "manifest version", None);
            let blank = form::has_empty(&read) || form::lost(&value, &read, &form::has_empty);
            Some((manifest, blank))
        }
        _ => {
            report.step(3, "manifest version", Some("a required member is missing or of another type".to_owned()));
            None
        }
    }
}

/// Whether no two of them are equal.
fn are_unique<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    names.into_iter().all(|name| seen.insert(name))
}

/// Steps 5 and 6: layers tile their messages, fragments tile their layers, and each has its digest.
fn check_layers<B: AsRef<[u8]>>(spec: &manifest::Spec, blobs: &BTreeMap<Digest, &Hashed<B>>, report: &mut Report) {
    let order: Vec<&str> = spec.layers.iter().map(|layer| layer.name.as_str()).collect();
    let wanted: Vec<&str> = Layer::ALL.iter().map(|layer| layer.name()).collect();
    report.step(5, "layers", (order != wanted).then(|| "they are not the seven in their order".to_owned()));
    for message in Message::ALL {
        let digest = digest_of(spec, message);
        let Some(bytes) = blobs.get(digest) else { continue };
        let mut at = 0;
        for which in message.layers() {
            let Some(layer) = spec.layers.iter().find(|layer| layer.name == which.name()) else { continue };
            let range = Range { offset: layer.offset, bytes: layer.bytes, digest: &layer.digest };
            let problem = if layer.message == message.name() {
                range.check(bytes, &mut at)
            } else {
                Some(format!("it stands in message {}", layer.message))
            };
            report.step(5, format!("layer {}", layer.name), problem);
            let mut inner = layer.offset as usize;
            for fragment in &layer.fragments {
                let range = Range { offset: fragment.offset, bytes: fragment.bytes, digest: &fragment.digest };
                let subject = format!("fragment {}/{}", layer.name, fragment.name);
                report.step(6, subject, range.check(bytes, &mut inner));
            }
            let end = layer.offset as usize + layer.bytes as usize;
            let problem = (inner != end).then(|| "they do not tile the layer".to_owned());
            report.step(6, format!("fragments of {}", layer.name), problem);
        }
        let problem = (at != bytes.bytes().len()).then(|| "its layers do not tile it".to_owned());
        report.step(5, format!("message {}", message.name()), problem);
    }
}

/// The digest that the manifest gives a message.
fn digest_of(spec: &manifest::Spec, message: Message) -> &Digest {
    match message {
        Message::System => &spec.prompt.rendered_system_digest,
        Message::Developer => &spec.prompt.rendered_developer_digest,
        Message::Task => &spec.prompt.rendered_task_digest,
    }
}

/// The ranges of layers and fragments in the message of this digest, as far as they follow on one another: those that
/// [`check_layers`] will ask for.
fn tiles(spec: &manifest::Spec, digest: &Digest) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut tiles = Vec::new();
    let mut tile = |offset: u32, bytes: u32, at: &mut usize| {
        let (start, end) = (offset as usize, offset as usize + bytes as usize);
        if std::mem::replace(at, end) == start {
            tiles.push(start..end);
        }
    };
    for message in Message::ALL.into_iter().filter(|message| digest_of(spec, *message) == digest) {
        let mut at = 0;
        for which in message.layers() {
            let Some(layer) = spec.layers.iter().find(|layer| layer.name == which.name()) else { continue };
            tile(layer.offset, layer.bytes, &mut at);
            let mut inner = layer.offset as usize;
            layer.fragments.iter().for_each(|fragment| tile(fragment.offset, fragment.bytes, &mut inner));
        }
    }
    tiles.into_iter()
}

struct Range<'m> {
    offset: u32,
    bytes: u32,
    digest: &'m Digest,
}

impl Range<'_> {
    fn check(&self, message: &Hashed<impl AsRef<[u8]>>, at: &mut usize) -> Option<String> {
        let (start, end) = (self.offset as usize, self.offset as usize + self.bytes as usize);
        let expected = std::mem::replace(at, end);
        if start != expected {
            return Some(format!("it begins at {start} instead of {expected}"));
        }
        match message.of(start..end) {
            None => Some(format!("it ends at {end}, behind the message's end")),
            Some(digest) if digest != *self.digest => Some("its bytes have another digest".to_owned()),
            Some(_) => None,
        }
    }
}

/// Step 7: nothing is larger than the limits in force, and what was left out is said.
fn check_bounds(spec: &manifest::Spec, report: &mut Report) {
    let limits = &spec.limits.limits;
    let sum = |wanted: &dyn Fn(&str) -> bool| -> u64 {
        spec.layers.iter().filter(|layer| wanted(&layer.name)).map(|layer| u64::from(layer.bytes)).sum()
    };
    let prompt = sum(&|name| name != Layer::Sources.name());
    let attachments: u64 = spec.attachments.iter().map(|item| u64::from(item.bytes)).sum();
    let all = sum(&|_| true) + attachments;
    let over = |size: u64, limit: u32| (size > u64::from(limit)).then(|| format!("{size} bytes of {limit}"));
    report.step(7, "maxPromptBytes", over(prompt, limits.max_prompt_bytes));
    report.step(7, "maxBytes", over(all, limits.max_bytes));
    let largest = spec.attachments.iter().map(|item| u64::from(item.bytes)).max().unwrap_or_default();
    report.step(7, "maxAttachmentBytes", over(largest, limits.max_attachment_bytes));
    report.step(7, "maxAttachments", over(spec.attachments.len() as u64, limits.max_attachments));
    let said = spec.limits.truncated != spec.limits.omissions.is_empty()
        && spec.sources.iter().all(|source| {
            let part = format!("sources/{}", source.name);
            source.truncated == spec.limits.omissions.iter().any(|omission| omission.part == part)
        });
    report.step(7, "omissions", (!said).then(|| "what is truncated and what is listed differ".to_owned()));
}

/// What a draft's bytes give, before it is known whether they are the right ones. `None` in it: they are no draft.
struct Prepared(Option<Read>);

struct Read {
    draft: Draft<String>,
    canonical: Vec<u8>,
    sources: Vec<Digest>,
    messages: [RenderedMessage; 3],
    /// Whether it holds something empty, which no writer writes.
    blank: bool,
}

impl Prepared {
    fn read(bytes: &[u8]) -> Self {
        let Ok(draft) = serde_json::from_slice::<Draft<String>>(bytes) else { return Self(None) };
        let Ok(value) = serde_json::to_value(&draft) else { return Self(None) };
        let Ok(canonical) = canonical::of_value(&value) else { return Self(None) };
        // What the draft gives is canonical; where it is the same, so are the bytes. Unknown members make them differ.
        if (canonical != bytes && !canonical::is_canonical(bytes)) || !form::is_well_formed(&value) {
            return Self(None);
        }
        let sources = draft.sources.iter().map(|source| Digest::of(source.text.as_bytes())).collect();
        let messages = render::render(&draft, Mode::Sent);
        Self(Some(Read { draft, canonical, sources, messages, blank: form::has_empty(&value) }))
    }
}

/// Steps 8 to 10: the draft gives the same parts, counts and manifest.
fn check_draft<B: AsRef<[u8]>>(
    manifest: &Manifest,
    read: Read,
    blobs: &BTreeMap<Digest, &Hashed<B>>,
    report: &mut Report,
) {
    let spec = &manifest.spec;
    let Read { draft, canonical, sources, messages, blank } = read;
    let unique = are_unique(draft.sources.iter().map(|source| source.name.as_str()))
        && are_unique(draft.attachments.iter().map(|item| item.id.as_str()))
        && are_unique(draft.skills.iter().map(|skill| skill.name.as_str()))
        && are_unique(draft.tools.iter().map(|tool| tool.name.as_str()));
    report.step(8, "names of the draft", (!unique).then(|| "two parts of one list have one name".to_owned()));
    let same = sources.iter().eq(spec.sources.iter().map(|source| &source.digest));
    report.step(8, "sources of the draft", (!same).then(|| "their digests differ from the manifest's".to_owned()));

    let mut total = Redactions::default();
    draft.redactions().for_each(|part| total.merge(part));
    let counted = total.rows() == spec.redactions && covers(&spec.redactions, &spec.layers);
    report.step(9, "redactions", (!counted).then(|| "the total is not the sum of its parts".to_owned()));

    if !is_of_this_renderer(spec) {
        report.unsupported_step(10, "derivation", other_renderer(spec));
        return;
    }
    let mut known = Known::default();
    blobs.values().flat_map(|blob| blob.all()).for_each(|(bytes, digest)| known.note(bytes, digest));
    draft.sources.iter().zip(&sources).for_each(|(source, digest)| known.note(source.text.as_bytes(), *digest));
    let derived = derive_from(&draft, messages, canonical, &known).ok();
    let problem = match derived {
        Some(_) if blank => Some("an empty member would be left out".to_owned()),
        Some(derived) if derived.manifest == *manifest => None,
        Some(derived) => Some(difference(&derived.manifest, manifest)),
        None => Some("the draft cannot be rendered".to_owned()),
    };
    report.step(10, "derivation", problem);
}

fn is_of_this_renderer(spec: &manifest::Spec) -> bool {
    [builtin::RENDERER_VERSION, builtin::FIRST_RENDERER_VERSION].contains(&spec.renderer_version.as_str())
}

fn other_renderer(spec: &manifest::Spec) -> String {
    format!("rendered by version {}, this is {}", spec.renderer_version, builtin::RENDERER_VERSION)
}

/// Whether the fragments' counts are no more than the total.
fn covers(total: &[RedactionCount], layers: &[manifest::Layer]) -> bool {
    total.iter().all(|row| {
        let rows = layers.iter().flat_map(|layer| &layer.fragments).flat_map(|fragment| &fragment.redactions);
        let parts: u64 = rows.filter(|part| part.kind == row.kind).map(|part| u64::from(part.count)).sum();
        parts <= u64::from(row.count)
    })
}

/// The first member of the spec that differs.
fn difference(derived: &Manifest, stored: &Manifest) -> String {
    let members = |manifest: &Manifest| serde_json::to_value(&manifest.spec).unwrap_or_default();
    let (derived, stored) = (members(derived), members(stored));
    let keys = derived.as_object().into_iter().chain(stored.as_object()).flat_map(serde_json::Map::keys);
    match keys.into_iter().find(|key| derived.get(key.as_str()) != stored.get(key.as_str())) {
        Some(key) => format!("the draft gives another spec.{key}"),
        None => "the draft gives another manifest".to_owned(),
    }
}
