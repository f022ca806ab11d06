//! What is sure to stand in a token: it says where a prefix needs to be looked for.

use regex_syntax::hir::{Hir, HirKind};

use super::Compiled;
use crate::survey::is_coded;

impl Compiled {
    pub(super) fn parsed(&self) -> Option<Hir> {
        regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(self.rule.pattern).ok()
    }

    /// By prefix: where in each match that begins with it at least `count` bytes of a run stand (see [`is_coded`]), its start or
    /// right behind the prefix, and how many do at least. `None`: nowhere for sure.
    pub(crate) fn tails(&self, count: usize) -> impl Iterator<Item = (&'static str, Option<(usize, usize)>)> {
        // What stands before the prefix is none of the pattern's beginning.
        let pattern = (self.rule.back == 0).then(|| self.parsed()).flatten();
        self.rule
            .prefixes
            .iter()
            .map(move |prefix| (*prefix, pattern.as_ref().and_then(|all| tail(all, prefix, count))))
    }
}

pub(super) fn tail(pattern: &Hir, prefix: &str, count: usize) -> Option<(usize, usize)> {
    let run = begins(pattern).0;
    if run >= count {
        return Some((0, run));
    }
    let parts = match pattern.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(pattern),
    };
    // Only behind what is none of a run does one begin.
    let behind = prefix.bytes().last().is_some_and(|last| !is_coded(last));
    let run = if behind { follows(parts, prefix.len()) } else { 0 };
    (run >= count).then_some((prefix.len(), run))
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
