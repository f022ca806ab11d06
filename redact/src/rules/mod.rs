//! The built-in token rules: data, with examples, compiled one by one when first needed.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::words::{entropy, is_mixed, is_stand_in};

mod ai;
mod aws;
mod azure;
mod build;
mod chat;
mod check;
mod data;
mod forge;
mod google;
mod host;
mod identity;
mod infra;
mod list;
mod mail;
mod near;
mod pay;
mod registry;
mod rule;
mod service;
mod social;
mod tail;
mod vault;
mod watch;
mod web;
mod work;

pub use list::{RuleEntry, rules};
pub(crate) use near::{WINDOW, beside};
pub(crate) use rule::Rule;

/// How many bytes from its beginning on a rule sees. A token that goes on behind them goes whole all the same.
pub(crate) const REACH: usize = 4 * 1024;

/// A rule with its compiled pattern.
pub(crate) struct Compiled {
    pub(crate) rule: &'static Rule,
    regex: OnceLock<Option<Regex>>,
}

/// What a rule says about a place.
pub(crate) enum Take {
    /// This goes.
    Taken(Range<usize>),
    /// The pattern matched so many bytes, but they do not look like a token.
    Unlikely(usize),
    /// The pattern did not match.
    Nothing,
}

/// A pattern that does not compile: a bug that must not pass for "nothing found".
#[derive(Debug)]
pub(crate) struct Broken;

impl Compiled {
    /// Whether a token may begin at `at`, by what stands before it.
    #[cfg(test)]
    pub(crate) fn begins(&self, text: &[u8], at: usize) -> bool {
        self.rule.left.allows(text, at)
    }

    /// The range that the rule takes of `text` for the prefix (or, where it has none, the token) at `at`.
    pub(crate) fn take(&self, text: &[u8], at: usize) -> Result<Take, Broken> {
        let rule = self.rule;
        let Some(start) = at.checked_sub(rule.back).filter(|start| rule.left.allows(text, *start)) else {
            return Ok(Take::Nothing);
        };
        let regex = self.regex.get_or_init(|| RegexBuilder::new(&rule.anchored()).unicode(false).build().ok());
        let regex = regex.as_ref().ok_or(Broken)?;
        let window = &text[start..text.len().min(start + REACH)];
        // Finding out where a match's parts stand costs far more than that there is none.
        let found = match regex.captures_len() {
            1 => regex.find(window).map(|found| found.range()),
            _ if !regex.is_match(window) => None,
            _ => regex.captures(window).and_then(|groups| groups.get(1)).map(|group| group.range()),
        };
        let Some(range) = found else { return Ok(Take::Nothing) };
        let range = range.start..range.start + sure_len(&window[range]);
        let secret = &window[range.clone()];
        let body = if range.start == 0 { &secret[self.prefix_len(secret)..] } else { secret };
        let (from, mut end) = (start + range.start, start + range.end);
        if !rule.near.is_empty() && !near::vouches(rule, text, from..end) {
            return Ok(Take::Nothing);
        }
        // A checksum that holds settles the matter; one that does not says nothing.
        let sure = rule.check.is_some_and(|check| check.holds(secret));
        let likely = sure
            || entropy(body) >= rule.entropy
                && (has_escapes(body) || !is_stand_in(body))
                && !is_sample(body)
                && !((rule.random || rule.mixed) && is_words(body))
                && (!rule.mixed || is_mixed(body));
        if !likely {
            return Ok(Take::Unlikely(range.end));
        }
        if range.end == REACH {
            end += text[end..].iter().take_while(|byte| goes_on(**byte)).count();
        }
        Ok(Take::Taken(from..end))
    }

    fn prefix_len(&self, secret: &[u8]) -> usize {
        self.rule.prefixes.iter().find(|prefix| secret.starts_with(prefix.as_bytes())).map_or(0, |prefix| prefix.len())
    }
}

/// How much of a match is the token: not a sentence's full stop, and not what an encoded `&`, quote or blank begins.
fn sure_len(secret: &[u8]) -> usize {
    const ENDS: [&[u8]; 6] = [b"%26", b"%22", b"%20", b"%0A", b"%0a", b"%0D"];
    let cut = memchr::memchr_iter(b'%', secret).find(|at| ENDS.iter().any(|end| secret[*at..].starts_with(end)));
    let secret = &secret[..cut.unwrap_or(secret.len())];
    secret.len() - secret.iter().rev().take_while(|byte| **byte == b'.').count()
}

/// What a token that is longer than a rule's reach may go on with.
fn goes_on(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.~+/=%".contains(&byte)
}

/// Whether there are percent signs, and all of them are escapes: none is a template's hole.
fn has_escapes(body: &[u8]) -> bool {
    let mut signs = memchr::memchr_iter(b'%', body).peekable();
    signs.peek().is_some()
        && signs.all(|at| body.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)))
}

/// Whether a token says of itself that it is none: `AKIA…EXAMPLE`, `ghp_1234567890…`, `…abcdefghijkl…`.
fn is_sample(body: &[u8]) -> bool {
    let lower = body[..body.len().min(256)].to_ascii_lowercase();
    [&b"example"[..], b"placeholder", b"redacted", b"your_", b"yourtoken", b"dummy", b"xxxxxx"]
        .iter()
        .any(|word| memchr::memmem::find(&lower, word).is_some())
}

/// Whether `body` is words and numbers, joined or in camel case: `the-name-of-it-2`, `theName`, `at-1524000999164`.
fn is_words(body: &[u8]) -> bool {
    body.split(|byte| !byte.is_ascii_alphanumeric()).all(|part| {
        let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let letters = &part[..part.len() - digits];
        (digits <= 4 || letters.is_empty())
            && letters.iter().all(u8::is_ascii_alphabetic)
            && letters.chunk_by(|left, right| !(left.is_ascii_lowercase() && right.is_ascii_uppercase())).all(|word| {
                let rest = &word[1..];
                let cased = rest.iter().all(u8::is_ascii_lowercase) || word.iter().all(u8::is_ascii_uppercase);
                cased && (word.len() < 4 || word.iter().any(|byte| b"aeiouyAEIOUY".contains(byte)))
            })
    })
}

/// All token rules, in a fixed order.
pub(crate) fn all() -> &'static [Compiled] {
    static ALL: OnceLock<Vec<Compiled>> = OnceLock::new();
    ALL.get_or_init(|| {
        [
            forge::RULES,
            registry::RULES,
            build::RULES,
            aws::RULES,
            google::RULES,
            azure::RULES,
            host::RULES,
            infra::RULES,
            vault::RULES,
            data::RULES,
            ai::RULES,
            chat::RULES,
            mail::RULES,
            pay::RULES,
            watch::RULES,
            work::RULES,
            social::RULES,
            service::RULES,
            identity::RULES,
            web::RULES,
        ]
        .into_iter()
        .flatten()
        .map(|rule| Compiled { rule, regex: OnceLock::new() })
        .collect()
    })
}

#[cfg(test)]
pub(crate) mod tests;
