//! What redaction reports: how many of which kind and rule, and where in the output. Never a value, its hash or its length.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::clean::Clean;
use crate::kind::Kind;

/// How many spans were replaced, by kind and rule, with what else was seen on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    spans: BTreeMap<(Kind, String), u64>,
    allowances: BTreeMap<(String, String), u64>,
    /// Markers that the input already held.
    pub preexisting: u64,
    /// Invalid UTF-8 sequences shown as U+FFFD, and NULs shown as U+2400.
    pub replaced_bytes: u64,
    /// Spans that an allowance of the policy let through.
    pub allowed: u64,
}

impl Counts {
    /// Adds another text's counts to these.
    pub fn add(&mut self, other: &Counts) {
        for ((kind, rule), count) in &other.spans {
            *self.spans.entry((*kind, rule.clone())).or_default() += count;
        }
        for ((allowance, rule), count) in &other.allowances {
            *self.allowances.entry((allowance.clone(), rule.clone())).or_default() += count;
        }
        self.preexisting += other.preexisting;
        self.replaced_bytes += other.replaced_bytes;
        self.allowed += other.allowed;
    }

    /// Counts one more span.
    pub(crate) fn bump(&mut self, kind: Kind, rule: &str) {
        *self.spans.entry((kind, rule.to_owned())).or_default() += 1;
    }

    /// Counts one more use of an allowance.
    pub(crate) fn allow(&mut self, allowance: &str, rule: &str) {
        *self.allowances.entry((allowance.to_owned(), rule.to_owned())).or_default() += 1;
        self.allowed += 1;
    }

    /// What allowances of the policy let through: allowance, rule that would have claimed it, count; sorted.
    pub fn allowances(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.allowances.iter().map(|((allowance, rule), count)| (allowance.as_str(), rule.as_str(), *count))
    }

    /// Kind, rule id and count, sorted by stage and then by rule.
    pub fn iter(&self) -> impl Iterator<Item = (Kind, &str, u64)> {
        self.spans.iter().map(|((kind, rule), count)| (*kind, rule.as_str(), *count))
    }

    /// The sums by kind; kinds that took nothing are absent.
    pub fn by_kind(&self) -> BTreeMap<Kind, u64> {
        let mut sums = BTreeMap::new();
        for ((kind, _), count) in &self.spans {
            *sums.entry(*kind).or_default() += count;
        }
        sums
    }

    /// All spans together.
    pub fn total(&self) -> u64 {
        self.spans.values().sum()
    }
}

/// One replaced (or, when only searching, found) span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Bytes of the *output* that the marker takes; when only searching, bytes of the text.
    pub range: Range<usize>,
    /// The kind whose marker stands there.
    pub kind: Kind,
    /// The rule that claimed it first.
    pub rule: String,
}

/// A redacted text with its report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redacted {
    /// The text.
    pub text: Clean,
    /// How many of what.
    pub counts: Counts,
    /// Where, in order.
    pub spans: Vec<Span>,
}

/// The next piece of a redacted stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// What is decided and was not returned before. It may be empty.
    pub text: Clean,
    /// The spans in it; their ranges are in the whole output stream.
    pub spans: Vec<Span>,
    /// Where line feeds of the input went away with a span, in order: the map from lines of the output to those of the input.
    pub swallowed: Vec<Swallowed>,
}

/// Line feeds of the input that the output lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swallowed {
    /// The place in the text of the [`Chunk`]: where the marker stands in whose span they were, or right behind it.
    pub at: usize,
    /// How many.
    pub lines: u64,
}
