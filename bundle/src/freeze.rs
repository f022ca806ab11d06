//! From a redacted draft to a sealed bundle: bound, render, search again, seal.

use dossier_redact::{Clean, CleanBuilder, Kind, Redactor};

use crate::bound;
use crate::check;
use crate::derive::{self, Derived};
use crate::digest::Digest;
use crate::draft::Draft;
use crate::escape::{self, Place};
use crate::finding::{self, Code, Finding, Severity};
use crate::manifest::{Manifest, media};
use crate::redactions::Redactions;
use crate::render::{self, Attribute, Mode, Owner, Part, RenderedMessage};

/// Bytes that are part of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// Their digest.
    pub digest: Digest,
    /// What they are.
    pub media_type: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Blob {
    /// A blob of these bytes.
    #[must_use]
    pub fn new(media_type: &'static str, bytes: Vec<u8>) -> Self {
        Self { digest: Digest::of(&bytes), media_type, bytes }
    }
}

/// A bundle, ready to be stored: nothing of it can change any more.
pub struct Sealed {
    /// The digest of the manifest's bytes.
    pub digest: Digest,
    /// The manifest.
    pub manifest: Manifest,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The messages as they are sent.
    pub messages: [RenderedMessage; 3],
    /// The blobs to store: messages and draft. Tools, review and attachments are the caller's to store.
    pub blobs: Vec<Blob>,
}

/// What came of a draft.
pub struct Frozen {
    /// All findings that the draft decides, denied ones first.
    pub findings: Vec<Finding>,
    /// The bundle as it would be. It is rendered also when a finding denies it, so that a preview can show it; only the caller
    /// may tell whether it may be stored. `None` where it may not even be shown.
    pub sealed: Option<Sealed>,
}

impl Frozen {
    /// What may not even be shown.
    fn refused(mut findings: Vec<Finding>, why: Vec<Finding>) -> Self {
        findings.extend(why);
        finding::sort(&mut findings);
        Self { findings, sealed: None }
    }

    /// Whether a finding denies the bundle.
    #[must_use]
    pub fn denied(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Denied)
    }
}

/// Bounds, renders, searches and seals `draft`.
///
/// The search is over the *reading* of each message: what is put together by a template, or split over fragments, is found
/// there. Each text that a hit touches gets its marker. It runs before bounding, so that a text is cut once and under its
/// last name, and again over what is to be sealed; what it finds there is marked and bounded once more, and a further hit
/// denies the bundle.
pub fn freeze(mut draft: Draft<Clean>, redactor: &Redactor) -> Frozen {
    mark(&mut draft, redactor);
    let mut findings = bound::bound(&mut draft);
    if mark(&mut draft, redactor) {
        findings = bound::bound(&mut draft);
        let failed = touched(&draft, redactor).into_iter();
        let failed: Vec<Finding> = failed
            .map(|(name, rules)| {
                Finding::new(Code::RedactionFailed, name, format!("found again after redaction: {rules}"))
            })
            .collect();
        if !failed.is_empty() {
            return Frozen::refused(findings, failed);
        }
    }
    let mut names: Vec<&str> = draft.sources.iter().map(|source| source.name.as_str()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        let detail = "two sources have one name after redaction";
        return Frozen::refused(findings, vec![Finding::new(Code::RedactionFailed, "draft.sources", detail)]);
    }
    findings.extend(check::check(&draft));
    finding::sort(&mut findings);
    let sealed = derive::derive(&draft).ok().map(seal);
    if sealed.is_none() {
        findings.push(Finding::new(Code::UnsupportedContent, "draft", "a number has no exact canonical form"));
    }
    Frozen { findings, sealed }
}

fn seal(derived: Derived) -> Sealed {
    let Derived { manifest, bytes, messages, draft } = derived;
    let mut blobs: Vec<Blob> =
        messages.iter().map(|message| Blob::new(media::MESSAGE, message.text.clone().into_bytes())).collect();
    blobs.push(Blob::new(media::DRAFT, draft));
    Sealed { digest: Digest::of(&bytes), manifest, bytes, messages, blobs }
}

/// A hit of the search, traced back to a text of the draft.
struct Hit {
    owner: Owner,
    range: std::ops::Range<usize>,
    kind: Kind,
}

/// Puts a marker into each text that the search finds a secret in. Whether there was one.
fn mark(draft: &mut Draft<Clean>, redactor: &Redactor) -> bool {
    let mut hits: Vec<Hit> = Vec::new();
    for message in render::render(draft, Mode::Reading) {
        for span in redactor.search(&message.text) {
            for piece in &message.pieces {
                let (start, end) = (span.range.start.max(piece.range.start), span.range.end.min(piece.range.end));
                if start < end {
                    let range = start - piece.range.start..end - piece.range.start;
                    hits.push(Hit { owner: piece.owner, range, kind: span.kind });
                }
            }
        }
    }
    // From the end, so that the ranges of one text stay true.
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.range.start));
    for hit in &hits {
        replace(draft, hit);
    }
    !hits.is_empty()
}

fn replace(draft: &mut Draft<Clean>, hit: &Hit) {
    let place = if is_verbatim(hit.owner) { None } else { Some(Place::Reading) };
    let Some((text, redactions)) = text_of(draft, hit.owner) else { return };
    let range = match place {
        None => text.as_str().floor_char_boundary(hit.range.start)..text.as_str().ceil_char_boundary(hit.range.end),
        Some(place) => escape::origin(text.as_str(), hit.range.clone(), place),
    };
    let mut out = CleanBuilder::new();
    out.push_slice(text, 0..range.start);
    out.push_literal(hit.kind.marker());
    out.push_slice(text, range.end.min(text.len())..text.len());
    *text = out.finish();
    redactions.add(hit.kind);
}

/// Whether the text stands in its message without a change.
fn is_verbatim(owner: Owner) -> bool {
    matches!(owner, Owner::Text(part) if !matches!(part, Part::Source(_)))
}

fn text_of(draft: &mut Draft<Clean>, owner: Owner) -> Option<(&mut Clean, &mut Redactions)> {
    let prompt = match owner {
        Owner::Text(Part::System) => draft.system.as_mut(),
        Owner::Text(Part::Developer) => draft.developer.as_mut(),
        Owner::Text(Part::Trigger) => draft.trigger.as_mut(),
        Owner::Text(Part::User) => draft.user.as_mut(),
        Owner::Text(Part::Skill(index)) => {
            return draft.skills.get_mut(index).map(|skill| (&mut skill.text, &mut skill.redactions));
        }
        Owner::Text(Part::Source(index)) => {
            return draft.sources.get_mut(index).map(|source| (&mut source.text, &mut source.redactions));
        }
        Owner::Attribute(index, attribute) => {
            let source = draft.sources.get_mut(index)?;
            let text = match attribute {
                Attribute::Name => Some(&mut source.name),
                Attribute::Uri => source.uri.as_mut(),
                Attribute::Ref => source.reference.as_mut(),
                Attribute::Path => source.path.as_mut(),
            };
            return text.map(|text| (text, &mut source.redactions));
        }
        Owner::Title(index) => {
            return draft.attachments.get_mut(index).map(|item| (&mut item.title, &mut item.redactions));
        }
        Owner::Url(index) => {
            let item = draft.attachments.get_mut(index)?;
            return item.source_url.as_mut().map(|url| (url, &mut item.redactions));
        }
        Owner::Text(Part::Builtin | Part::Evidence | Part::Omissions) => None,
    };
    prompt.map(|prompt| (&mut prompt.text, &mut prompt.redactions))
}

/// The fragments that a search still finds secrets in, with the rules that found them.
fn touched(draft: &Draft<Clean>, redactor: &Redactor) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for message in render::render(draft, Mode::Reading) {
        for span in redactor.search(&message.text) {
            let owned = message.pieces.iter().any(|p| p.range.start < span.range.end && span.range.start < p.range.end);
            let fragments = message.fragments.iter();
            let within = fragments.filter(|f| f.range.start < span.range.end && span.range.start < f.range.end);
            found.extend(within.filter(|_| owned).map(|fragment| (fragment.name.clone(), span.rule.clone())));
        }
    }
    found
}
