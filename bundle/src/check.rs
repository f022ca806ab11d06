//! The findings that the draft itself decides: they stand in the manifest, or deny it.

use crate::draft::{Draft, Omission, Text};
use crate::finding::{self, Code, Finding};
use crate::kinds::{self, Presence};

/// All findings that can be read off a bounded draft, sorted.
#[must_use]
pub fn check<T: Text>(draft: &Draft<T>) -> Vec<Finding> {
    let mut findings = Vec::new();
    check_route(draft, &mut findings);
    check_evidence(draft, &mut findings);
    let sources = draft.sources.iter().map(|source| &source.omissions).enumerate();
    let attachments = draft.attachments.iter().map(|item| &item.omissions).enumerate();
    let parts = sources.map(|(n, left)| (format!("draft.sources[{n}]"), left));
    for (subject, left_out) in parts.chain(attachments.map(|(n, left)| (format!("draft.attachments[{n}]"), left))) {
        for Omission { items, what, bytes, reason, .. } in left_out {
            let detail = format!("{items} {what} of {bytes} bytes left out by {reason}");
            findings.push(Finding::new(Code::Truncated, subject.clone(), detail));
        }
    }
    finding::sort(&mut findings);
    findings
}

fn check_route<T: Text>(draft: &Draft<T>, findings: &mut Vec<Finding>) {
    let Some(route) = kinds::route(&draft.route) else { return };
    for kind in route.default {
        if !draft.sources.iter().any(|source| source.kind == *kind) {
            let detail = format!("route {} has a source of kind {kind} by default", route.name);
            findings.push(Finding::new(Code::SourceKindMissing, format!("draft.sources ({kind})"), detail));
        }
    }
    for (index, source) in draft.sources.iter().enumerate() {
        let presence: Option<Presence> = route.presence(&source.kind);
        if presence.is_none() {
            let detail = format!("kind {} does not belong to route {}", source.kind, route.name);
            findings.push(Finding::new(Code::SourceNotAllowed, format!("draft.sources[{index}]"), detail));
        }
    }
}

fn check_evidence<T: Text>(draft: &Draft<T>, findings: &mut Vec<Finding>) {
    let head = draft.source_refs.as_ref().and_then(|refs| refs.head_sha.as_ref());
    let stale = |own: Option<&crate::names::CommitId>| {
        own.zip(head).filter(|(own, head)| !own.agrees_with(head)).map(|(own, head)| (own.clone(), head.clone()))
    };
    for (index, item) in draft.attachments.iter().enumerate() {
        let subject = format!("draft.attachments[{index}]");
        if item.head_sha.is_none() && kinds::EVIDENCE_BOUND.contains(&item.kind.as_str()) {
            let detail = format!("kind {} says nothing without the commit it was made at", item.kind);
            findings.push(Finding::new(Code::EvidenceWithoutSha, subject.clone(), detail));
        }
        if let Some((own, head)) = stale(item.head_sha.as_ref()) {
            let detail = format!("bound to {own}, the dispatch to {head}");
            findings.push(Finding::new(Code::EvidenceStale, subject, detail));
        }
    }
    for (index, source) in draft.sources.iter().enumerate() {
        if let Some((own, head)) = stale(source.head_sha.as_ref()) {
            let detail = format!("bound to {own}, the dispatch to {head}");
            findings.push(Finding::new(Code::EvidenceStale, format!("draft.sources[{index}]"), detail));
        }
    }
}
