//! The first look at a log: which lines may say anything of a failure. A few dozen fragments are looked for with vectors, so
//! that all other lines cost next to nothing.

use std::sync::LazyLock;

use aho_corasick::packed::{Config, MatchKind, Searcher};

/// Fragments of the words that recognizers know. Each example of a recognizer holds one (a test says so).
const FRAGMENTS: [&[&str]; 3] = [
    &[
        "rror",
        "RROR",
        "fail",
        "Fail",
        "FAIL",
        "atal",
        "ATAL",
        "anic",
        "xception",
        "annot",
        "ould not",
        "ot found",
        "o such",
        "enied",
        "efused",
        "ndefined",
        "imeout",
        "imed out",
        "illed",
        "egmentation",
        "raceback",
        "nvalid",
        "issing",
        "nresolved",
        "nable to",
        "ssert",
        "xpected",
        "xited with",
        "xit code",
        "xit status",
        "an't ",
        "ehler",
        "rreur",
    ],
    &[
        "travis_",
        "section_",
        "[Pipeline]",
        "not ok",
        "onflict",
        "nrecognized",
        "o space left",
        "ut of memory",
        "nreachable",
        "iolation",
        "ismatch",
        "ncompatible",
        "ould reformat",
        "ffense",
        "nterrupted",
        "nknown",
        "ERR!",
        "ERR_",
        "non-zero",
        "Your build",
        "o output has",
        "terminated",
        "no required",
        "no installation",
        "LINK",
        "xceeded",
        "Diff in",
        "-- SC",
        "anitizer",
        "bad_alloc",
        "DATA RACE",
        "definitely lost",
    ],
    // Short ones apart: the others are told by more bytes.
    &[
        "##[",
        "\u{2717}",
        "\u{2718}",
        "\u{2716}",
        "\u{25cf}",
        "\u{9519}\u{8bef}",
        "\u{448}\u{438}\u{431}\u{43a}",
        "*** ",
        "[Err",
        "borte",
        "ejecte",
        "E: ",
        "\n$ ",
        "m$ ",
        "m$\u{1b}",
        "Code style",
        "but unused",
        "gnoring",
        "gnored)",
        "sending signal",
        " \u{2022} ",
    ],
];

static SEARCHERS: LazyLock<[Option<Searcher>; 3]> = LazyLock::new(|| {
    FRAGMENTS.map(|fragments| Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(fragments).build())
});

/// Finds the places of fragments, in order.
pub(super) struct Triggers<'t> {
    text: &'t [u8],
    /// The next place of each searcher; the text's length where there is none.
    next: [usize; 3],
}

impl<'t> Triggers<'t> {
    pub(super) fn new(text: &'t str, from: usize) -> Self {
        let text = text.as_bytes();
        Self { text, next: std::array::from_fn(|index| find(index, text, from)) }
    }

    /// The first place at or behind `from`, which never goes back.
    pub(super) fn at_or_behind(&mut self, from: usize) -> Option<usize> {
        for (index, next) in self.next.iter_mut().enumerate() {
            if *next < from {
                *next = find(index, self.text, from);
            }
        }
        let first = self.next.into_iter().min().unwrap_or(self.text.len());
        (first < self.text.len()).then_some(first)
    }
}

fn find(index: usize, text: &[u8], from: usize) -> usize {
    let end = text.len();
    match &SEARCHERS[index] {
        Some(searcher) => {
            searcher.find_in(text, aho_corasick::Span { start: from, end }).map_or(end, |found| found.start())
        }
        // Without a searcher every line is looked at.
        None => from,
    }
}

/// Whether a fragment stands in `line`.
#[cfg(test)]
pub(super) fn strikes(line: &str) -> bool {
    Triggers::new(line, 0).at_or_behind(0).is_some()
}
