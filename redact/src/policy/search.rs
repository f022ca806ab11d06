//! Stages 6 and 7 over a window of text: what the policy and the user claim, and what the policy lets through.

use std::borrow::Cow;
use std::ops::Range;

use super::allow::{Allow, Allowed};
use super::{LinePattern, Policy};
use crate::error::Error;
use crate::hit::Hit;
use crate::kind::Kind;

/// The patterns of policy and user.
#[derive(Clone)]
pub(crate) struct Patterns {
    pub(crate) policy: Option<Policy>,
    pub(crate) user: Vec<LinePattern>,
}

impl Patterns {
    /// The same for texts that stand at `path`.
    pub(crate) fn at(&self, _path: &str) -> Patterns {
        self.clone()
    }

    /// Adds what they claim of `text`, and what allowances of the policy's own rules let through.
    pub(crate) fn find(&self, text: &[u8], hits: &mut Vec<Hit>, allowed: &mut Vec<Allowed>) -> Result<(), Error> {
        let rules = self.policy.as_ref().map_or(&[][..], |policy| policy.rules());
        if rules.is_empty() && self.user.is_empty() {
            return Ok(());
        }
        for line in lines(text) {
            let bytes = &text[line.clone()];
            for pattern in &self.user {
                pattern.find(bytes, line.start, |range, _| hits.push(Hit::new(range, Kind::UserPattern, "user-regex")));
            }
            for rule in rules {
                let Some(pattern) = rule.pattern.as_ref().filter(|_| !rule.path) else { continue };
                let mut near = None;
                pattern.find(bytes, line.start, |range, whole| {
                    let near = *near.get_or_insert_with(|| is_near(text, &line, &rule.keywords));
                    let secret = &text[range.clone()];
                    if !near || (rule.entropy > 0.0 && crate::words::entropy(secret) <= rule.entropy) {
                        return;
                    }
                    let rule_id = Cow::Owned(rule.id.clone());
                    if rule.allow.iter().any(|allow| allow.allows(secret, &text[whole.clone()], bytes)) {
                        allowed.push(Allowed { at: range.start, allowance: "rules".into(), rule: rule_id });
                        return;
                    }
                    hits.push(Hit { range, kind: Kind::PolicyPattern, rule: rule_id, open: None });
                });
            }
        }
        Ok(())
    }

    /// Takes out what the policy disables or lets through. Denied values and user patterns stay.
    pub(crate) fn permit(&self, text: &[u8], hits: &mut Vec<Hit>, allowed: &mut Vec<Allowed>) -> Result<(), Error> {
        let Some(policy) = &self.policy else { return Ok(()) };
        hits.retain(|hit| {
            if matches!(hit.kind, Kind::DeniedSecret | Kind::UserPattern) {
                return true;
            }
            let lets = |allow: &Allow| {
                let line = line_around(text, hit.range.start);
                allow.allows(&text[hit.range.clone()], &text[hit.range.clone()], &text[line])
            };
            let pass = policy.is_disabled(&hit.rule) || policy.allow().iter().any(lets);
            if pass {
                allowed.push(Allowed { at: hit.range.start, allowance: "allowlists".into(), rule: hit.rule.clone() });
            }
            !pass
        });
        Ok(())
    }
}

/// Lines, without their breaks; one that is very long comes in overlapping windows.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    const WINDOW: usize = 64 * 1024;
    const OVERLAP: usize = 4 * 1024;
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let limit = text.len().min(at + WINDOW);
        let newline = memchr::memchr(b'\n', &text[at..limit]).map(|len| at + len);
        let start = at;
        let end = newline.unwrap_or(limit);
        at = match newline {
            Some(newline) => newline + 1,
            None if limit == text.len() => limit,
            None => limit - OVERLAP,
        };
        let end = if newline.is_some() && text[start..end].ends_with(b"\r") { end - 1 } else { end };
        Some(start..end)
    })
}

/// Whether one of `keywords` stands within 2 KiB of `line`; no keywords stand everywhere.
fn is_near(text: &[u8], line: &Range<usize>, keywords: &[String]) -> bool {
    const NEAR: usize = 2 * 1024;
    if keywords.is_empty() {
        return true;
    }
    let around = text[line.start.saturating_sub(NEAR)..text.len().min(line.end + NEAR)].to_ascii_lowercase();
    keywords.iter().any(|keyword| memchr::memmem::find(&around, keyword.as_bytes()).is_some())
}

fn line_around(text: &[u8], at: usize) -> Range<usize> {
    let from = at.saturating_sub(4096);
    let to = text.len().min(at + 4096);
    let start = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |newline| from + newline + 1);
    let end = memchr::memchr(b'\n', &text[at..to]).map_or(to, |newline| at + newline);
    start..end
}
