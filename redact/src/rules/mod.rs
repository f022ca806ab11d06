//! The built-in token rules: data, with examples, compiled one by one when first needed.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind};

use crate::kind::Kind;
use crate::survey::is_coded;
use crate::words::{entropy, is_mixed, is_name, is_stand_in};

mod ai;
mod chat;
mod cloud;
mod forge;
mod service;
mod web;

/// What may stand before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// Anything: the prefix is odd enough.
    Any,
    /// No letter, digit or underscore, unless it belongs to an escape (`\n`, `\u003d`, `%3D`).
    Word,
}

/// One rule for tokens that have a literal beginning.
pub(crate) struct Rule {
    pub(crate) id: &'static str,
    pub(crate) kind: Kind,
    /// The literals that a token begins with; the pattern begins with one of them too.
    pub(crate) prefixes: &'static [&'static str],
    /// Anchored at the prefix, in ASCII mode. Group 1, if there is one, is what goes.
    pub(crate) pattern: &'static str,
    pub(crate) left: Left,
    /// The least entropy of what goes, in bits a byte.
    pub(crate) entropy: f64,
    /// What goes must not look like a name in code, or like words.
    pub(crate) random: bool,
    /// What goes must have a digit, or capitals that begin no words.
    pub(crate) mixed: bool,
    /// Where the format is documented.
    pub(crate) doc: &'static str,
    /// Texts in which it must take something, and texts in which it must not. `{A36}` stands for 36 letters and digits,
    /// `{a…}` for lower-case ones, `{U…}` for upper-case ones, `{x…}` for hex, `{d…}` for digits: made up when tested.
    pub(crate) takes: &'static [&'static str],
    pub(crate) leaves: &'static [&'static str],
}

impl Rule {
    const fn new(id: &'static str, prefixes: &'static [&'static str], pattern: &'static str) -> Rule {
        Rule {
            id,
            kind: Kind::ProviderToken,
            prefixes,
            pattern,
            left: Left::Any,
            entropy: 2.0,
            random: false,
            mixed: false,
            doc: "",
            takes: &[],
            leaves: &[],
        }
    }

    const fn word(mut self) -> Rule {
        self.left = Left::Word;
        self
    }

    const fn entropy(mut self, bits: f64) -> Rule {
        self.entropy = bits;
        self
    }

    const fn random(mut self) -> Rule {
        self.random = true;
        self
    }

    const fn mixed(mut self) -> Rule {
        self.mixed = true;
        self
    }

    const fn kind(mut self, kind: Kind) -> Rule {
        self.kind = kind;
        self
    }

    const fn doc(mut self, link: &'static str) -> Rule {
        self.doc = link;
        self
    }

    const fn takes(mut self, examples: &'static [&'static str]) -> Rule {
        self.takes = examples;
        self
    }

    const fn leaves(mut self, examples: &'static [&'static str]) -> Rule {
        self.leaves = examples;
        self
    }
}

/// How many bytes from its prefix on a rule sees.
pub(crate) const REACH: usize = 8 * 1024;

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
pub(crate) struct Broken;

impl Compiled {
    /// Where in each match that begins with `prefix` at least `count` bytes of a run stand (see [`is_coded`]): at its start, or
    /// right behind the prefix. `None`: nowhere for sure.
    pub(crate) fn tail(&self, prefix: &str, count: usize) -> Option<usize> {
        let mut parser = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build();
        let pattern = parser.parse(self.rule.pattern).ok()?;
        if begins(&pattern).0 >= count {
            return Some(0);
        }
        let parts = match pattern.kind() {
            HirKind::Concat(parts) => parts.as_slice(),
            _ => std::slice::from_ref(&pattern),
        };
        // Only behind what is none of a run does one begin.
        let behind = prefix.bytes().last().is_some_and(|last| !is_coded(last));
        (behind && follows(parts, prefix.len()) >= count).then_some(prefix.len())
    }

    /// The range that the rule takes of `text` for the prefix at `at`.
    pub(crate) fn take(&self, text: &[u8], at: usize) -> Result<Take, Broken> {
        if self.rule.left == Left::Word && !is_word_start(text, at) {
            return Ok(Take::Nothing);
        }
        let regex = self
            .regex
            .get_or_init(|| RegexBuilder::new(&format!("^(?:{})", self.rule.pattern)).unicode(false).build().ok());
        let regex = regex.as_ref().ok_or(Broken)?;
        let window = &text[at..text.len().min(at + REACH)];
        let found = if regex.captures_len() > 1 {
            regex.captures(window).and_then(|groups| groups.get(1)).map(|group| group.range())
        } else {
            regex.find(window).map(|found| found.range())
        };
        let Some(range) = found else { return Ok(Take::Nothing) };
        let secret = &window[range.clone()];
        let prefix = if range.start == 0 { self.prefix_len(secret) } else { 0 };
        let body = &secret[prefix..];
        let likely = entropy(body) >= self.rule.entropy
            && !is_stand_in(body)
            && !(self.rule.random && is_name(body))
            && (!self.rule.mixed || is_mixed(body));
        Ok(if likely { Take::Taken(at + range.start..at + range.end) } else { Take::Unlikely(range.end) })
    }

    fn prefix_len(&self, secret: &[u8]) -> usize {
        self.rule.prefixes.iter().find(|prefix| secret.starts_with(prefix.as_bytes())).map_or(0, |prefix| prefix.len())
    }
}

/// How many bytes of a run a match of `pattern` begins with, at least, and whether it has no others.
fn begins(pattern: &Hir) -> (usize, bool) {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => (0, true),
        HirKind::Literal(literal) => {
            let count = literal.0.iter().take_while(|byte| is_coded(**byte)).count();
            (count, count == literal.0.len())
        }
        HirKind::Class(regex_syntax::hir::Class::Bytes(class)) => {
            let coded = class.iter().all(|range| (range.start()..=range.end()).all(is_coded));
            (usize::from(coded), coded)
        }
        HirKind::Class(regex_syntax::hir::Class::Unicode(_)) => (0, false),
        HirKind::Capture(group) => begins(&group.sub),
        HirKind::Repetition(repeated) => {
            let (count, all) = begins(&repeated.sub);
            let times = repeated.min as usize;
            match (all, times) {
                (true, _) => (count * times, true),
                (false, 0) => (0, false),
                (false, _) => (count, false),
            }
        }
        HirKind::Concat(parts) => all_begin(parts),
        HirKind::Alternation(parts) => {
            let parts = parts.iter().map(begins);
            parts.fold((usize::MAX, true), |(least, all), (count, whole)| (least.min(count), all && whole))
        }
    }
}

/// The same of parts that follow on one another.
fn all_begin(parts: &[Hir]) -> (usize, bool) {
    let mut sum = 0;
    for part in parts {
        let (count, all) = begins(part);
        sum += count;
        if !all {
            return (sum, false);
        }
    }
    (sum, true)
}

/// How many bytes of a run stand behind the first `skip` bytes of what `parts` match, at least.
fn follows(parts: &[Hir], skip: usize) -> usize {
    let Some((first, rest)) = parts.split_first().filter(|_| skip > 0) else { return all_begin(parts).0 };
    let properties = first.properties();
    let fixed = properties.minimum_len().filter(|len| properties.maximum_len() == Some(*len));
    match (fixed, first.kind()) {
        (Some(len), _) if len <= skip => follows(rest, skip - len),
        (_, HirKind::Literal(literal)) => {
            let behind = literal.0.get(skip..).unwrap_or_default();
            let count = behind.iter().take_while(|byte| is_coded(**byte)).count();
            if count == behind.len() { count + all_begin(rest).0 } else { count }
        }
        _ => 0,
    }
}

/// Whether a word begins at `at`: nothing of a word stands before it, or only what belongs to an escape.
fn is_word_start(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    let Some(last) = before.last() else { return true };
    if !(last.is_ascii_alphanumeric() || *last == b'_') {
        return true;
    }
    let hex = |count: usize| before.len() >= count && before[before.len() - count..].iter().all(u8::is_ascii_hexdigit);
    (before.len() >= 2 && before[before.len() - 2] == b'\\' && matches!(last, b'n' | b't' | b'r'))
        || (before.len() >= 3 && before[before.len() - 3] == b'%' && hex(2))
        || (before.len() >= 6 && before[..before.len() - 4].ends_with(b"\\u") && hex(4))
}

/// All token rules, in a fixed order.
pub(crate) fn all() -> &'static [Compiled] {
    static ALL: OnceLock<Vec<Compiled>> = OnceLock::new();
    ALL.get_or_init(|| {
        [forge::RULES, cloud::RULES, chat::RULES, ai::RULES, service::RULES, web::RULES]
            .into_iter()
            .flatten()
            .map(|rule| Compiled { rule, regex: OnceLock::new() })
            .collect()
    })
}

#[cfg(test)]
mod tests;
