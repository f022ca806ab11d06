//! A pattern: judged when it is read, compiled when it is first needed.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Captures, Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind};

use super::needles::{self, Needles};
use super::syntax::{Subject, translate};
use crate::error::PatternReason;

/// The longest pattern, in bytes.
const MAX_PATTERN: usize = 4096;
/// The largest compiled pattern, in bytes.
const MAX_COMPILED: usize = 2 * 1024 * 1024;
/// How much a pattern may grow while it is matched, in bytes.
const MAX_CACHE: usize = 1024 * 1024;
/// A pattern of so many states is within [`MAX_COMPILED`] for certain: it is not compiled to find out.
const CERTAIN: usize = 4096;

/// A pattern that was refused at run time, although it was judged well: a bug that must not pass for "nothing found".
pub(crate) struct Broken;

/// A regular expression in RE2's syntax. It is compiled once, when it is first matched.
pub(crate) struct Pattern {
    text: String,
    subject: Subject,
    regex: OnceLock<Option<Regex>>,
    /// How many groups it has.
    pub(crate) groups: usize,
    /// Sets of words, of each of which every match holds one; the first is waited for.
    pub(crate) needles: Vec<Needles>,
    rest: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern that is matched within lines. It must match something, and need no line break for it.
    pub(crate) fn line(pattern: &str) -> Result<Pattern, PatternReason> {
        let (made, hir) = Pattern::judge(pattern, Subject::Line)?;
        if hir.properties().minimum_len().is_none_or(|len| len == 0) {
            return Err(PatternReason::MatchesEmpty);
        }
        if needs_newline(&hir) {
            return Err(PatternReason::SeveralLines);
        }
        Ok(made)
    }

    /// A pattern that a path, a secret or a whole line is searched for.
    pub(crate) fn whole(pattern: &str) -> Result<Pattern, PatternReason> {
        Pattern::judge(pattern, Subject::Whole).map(|(made, _)| made)
    }

    fn judge(pattern: &str, subject: Subject) -> Result<(Pattern, Hir), PatternReason> {
        if pattern.len() > MAX_PATTERN {
            return Err(PatternReason::TooLong);
        }
        let text = translate(pattern, subject)?;
        let lines = subject == Subject::Line;
        let hir = regex_syntax::ParserBuilder::new()
            .unicode(false)
            .utf8(false)
            .multi_line(lines)
            .crlf(lines)
            .nest_limit(128)
            .build()
            .parse(&text)
            .map_err(|_| PatternReason::Syntax)?;
        let made = Pattern {
            text,
            subject,
            regex: OnceLock::new(),
            groups: hir.properties().explicit_captures_len(),
            needles: if lines { needles::of(&hir) } else { Vec::new() },
            rest: OnceLock::new(),
        };
        if states(&hir) > CERTAIN {
            let compiled = made.build().map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => PatternReason::TooLarge,
                _ => PatternReason::Syntax,
            })?;
            // It is the first: nobody else has the pattern yet.
            let _ = made.regex.set(Some(compiled));
        }
        Ok((made, hir))
    }

    fn build(&self) -> Result<Regex, regex::Error> {
        let lines = self.subject == Subject::Line;
        RegexBuilder::new(&self.text)
            .unicode(false)
            .multi_line(lines)
            .crlf(lines)
            .nest_limit(128)
            .size_limit(MAX_COMPILED)
            .dfa_size_limit(MAX_CACHE)
            .build()
    }

    pub(crate) fn regex(&self) -> Result<&Regex, Broken> {
        self.regex.get_or_init(|| self.build().ok()).as_ref().ok_or(Broken)
    }

    /// Whether what follows an exact word of the first set may belong to a match.
    pub(crate) fn may_follow(&self, text: &[u8]) -> bool {
        let Some(rest) = self.needles.first().and_then(|needles| needles.rest.as_ref()) else { return true };
        let made = self.rest.get_or_init(|| {
            let anchored = format!(r"\A{rest}");
            RegexBuilder::new(&anchored).nest_limit(256).size_limit(MAX_COMPILED).dfa_size_limit(MAX_CACHE).build().ok()
        });
        made.as_ref().is_none_or(|rest| rest.is_match(text))
    }

    /// Whether it matches anywhere in `text`.
    pub(crate) fn is_in(&self, text: &[u8]) -> Result<bool, Broken> {
        Ok(self.regex()?.is_match(text))
    }
}

/// Which part of a match goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    All,
    /// The first group that holds something; all of it, if there is none.
    First,
    /// This group; all of the match, where the group has no part in it.
    Group(usize),
}

impl Part {
    /// The range that goes of a match.
    pub(crate) fn of(self, groups: &Captures<'_>) -> Range<usize> {
        let whole = groups.get(0).map(|found| found.range()).unwrap_or_default();
        let chosen = match self {
            Part::All => None,
            Part::First => groups.iter().skip(1).flatten().find(|found| !found.is_empty()),
            Part::Group(index) => groups.get(index).filter(|found| !found.is_empty()),
        };
        chosen.map_or(whole, |found| found.range())
    }
}

/// Whether every match holds a line break.
fn needs_newline(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.contains(&b'\n'),
        HirKind::Class(class) => class.literal().is_some_and(|literal| literal.contains(&b'\n')),
        HirKind::Repetition(repetition) => repetition.min > 0 && needs_newline(&repetition.sub),
        HirKind::Capture(capture) => needs_newline(&capture.sub),
        HirKind::Concat(parts) => parts.iter().any(needs_newline),
        HirKind::Alternation(parts) => !parts.is_empty() && parts.iter().all(needs_newline),
        HirKind::Empty | HirKind::Look(_) => false,
    }
}

/// About how many states it has when compiled; rather too many than too few.
fn states(hir: &Hir) -> usize {
    let sum = |parts: &[Hir]| parts.iter().map(states).fold(2, usize::saturating_add);
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(class) => match class {
            regex_syntax::hir::Class::Bytes(_) => 1,
            regex_syntax::hir::Class::Unicode(class) if class.is_ascii() => 1,
            regex_syntax::hir::Class::Unicode(class) => class.ranges().len().saturating_mul(6).saturating_add(6),
        },
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1) as usize;
            states(&repetition.sub).saturating_add(1).saturating_mul(times)
        }
        HirKind::Capture(capture) => states(&capture.sub).saturating_add(2),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => sum(parts),
    }
}
