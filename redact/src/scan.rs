//! One window of text: all detectors, and what they claim together.

use std::ops::Range;

use crate::error::Error;
use crate::hit::{Hit, merge};
use crate::kind::{self, Kind};
use crate::redactor::Core;

/// What a window holds.
pub(crate) struct Scan {
    /// Claimed ranges, in order, apart from each other.
    pub(crate) hits: Vec<Hit>,
    /// Markers that were there.
    pub(crate) markers: Vec<Range<usize>>,
    /// Nothing from here on may be committed before more of the text is seen.
    pub(crate) hold: Option<usize>,
    /// Where allowances let something through.
    pub(crate) allowed: Vec<usize>,
}

impl Core {
    /// How much of a Kubernetes object is held to see its kind.
    pub(crate) const OBJECT: usize = 2 * 1024 * 1024 - 64 * 1024;

    pub(crate) fn scan(&self, text: &[u8], last: bool) -> Result<Scan, Error> {
        let markers = kind::markers(text);
        let mut hits = Vec::new();
        let hold = self.denied.find(text, &mut hits).filter(|_| !last);
        let hits = merge(text, hits, &markers);
        Ok(Scan { hits, markers, hold, allowed: Vec::new() })
    }

    pub(crate) fn scan_binary(&self, bytes: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.denied.find(bytes, &mut hits);
        merge(bytes, hits, &[])
    }
}

/// Judges a structured pair by its key: from where the value goes, and as what.
pub(crate) fn keyed(_key: &str, _value: &str, _claimed: bool) -> Option<(usize, Kind, &'static str)> {
    None
}

/// A line for each rule, for the rule set's digest.
pub(crate) fn rule_lines() -> Vec<String> {
    Vec::new()
}
