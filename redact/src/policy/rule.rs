//! A rule of the policy.

use super::pattern::{Part, Pattern};

/// A rule.
pub(crate) struct Rule {
    /// What its spans are counted under.
    pub(crate) id: String,
    /// What it finds. A rule without one is for all of a text whose path it knows.
    pub(crate) pattern: Option<Pattern>,
    /// What of a match goes.
    pub(crate) part: Part,
    /// What goes must have more than this, in bits a byte; 0 asks for nothing.
    pub(crate) entropy: f64,
    /// In lower case. One of them must stand near, unless there are none.
    pub(crate) keywords: Vec<String>,
    /// The text's path must match it.
    pub(crate) path: Option<Pattern>,
    /// Allowances that hold for this rule alone.
    pub(crate) allow: Vec<usize>,
    /// What must stand near for it to count.
    pub(crate) required: Vec<Required>,
    /// It claims nothing by itself: other rules require it.
    pub(crate) silent: bool,
}

/// A rule that must find something near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Required {
    /// Which of the policy's rules.
    pub(crate) rule: usize,
    /// The most lines between.
    pub(crate) lines: Option<usize>,
    /// The most bytes between the places in their lines.
    pub(crate) columns: Option<usize>,
}

impl Rule {
    /// Whether each match of its pattern holds a keyword, so that keywords need not be looked for apart.
    pub(crate) fn implies_keywords(&self) -> bool {
        let holds = |needle: &[u8]| {
            self.keywords.iter().any(|keyword| memchr::memmem::find(needle, keyword.as_bytes()).is_some())
        };
        self.keywords.is_empty()
            || self.pattern.as_ref().is_some_and(|pattern| {
                pattern.needles.iter().any(|set| set.words.iter().all(|needle| holds(&needle.text)))
            })
    }
}

/// Shannon entropy as gitleaks measures it: of characters, in bits a byte.
pub(crate) fn entropy(secret: &[u8]) -> f64 {
    let text = String::from_utf8_lossy(secret);
    let mut counts = std::collections::BTreeMap::new();
    for c in text.chars() {
        *counts.entry(c).or_insert(0_u32) += 1;
    }
    let total = secret.len() as f64;
    counts.values().map(|count| f64::from(*count) / total).map(|part| -part * part.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_of_characters_in_bits_a_byte() {
        assert_eq!(entropy(b"aabb"), 1.0);
        assert_eq!(entropy(b"abcd"), 2.0);
        assert_eq!(entropy("éé".as_bytes()), 0.5);
        assert_eq!(entropy(b""), 0.0);
    }
}
