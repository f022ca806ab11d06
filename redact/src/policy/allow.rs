//! What a policy lets through.

use std::borrow::Cow;
use std::sync::Arc;

use regex::bytes::Regex;

/// One use of an allowance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Allowed {
    /// Where what was let through begins.
    pub(crate) at: usize,
    /// The allowance's name.
    pub(crate) allowance: Arc<str>,
    /// The rule that would have claimed it.
    pub(crate) rule: Cow<'static, str>,
}

/// What the policy lets through.
#[derive(Default)]
pub(crate) struct Allow {
    pub(crate) regexes: Vec<Regex>,
    pub(crate) stopwords: Vec<String>,
    pub(crate) target: Target,
    /// Regexes and stopwords must both match.
    pub(crate) both: bool,
    /// Only texts with a path can meet it.
    pub(crate) paths: bool,
}

/// What an allowance's regexes look at.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Target {
    #[default]
    Secret,
    Match,
    Line,
}

impl Allow {
    /// Whether it lets `secret`, found as `whole` in `line`, through.
    pub(crate) fn allows(&self, secret: &[u8], whole: &[u8], line: &[u8]) -> bool {
        let text = match self.target {
            Target::Secret => secret,
            Target::Match => whole,
            Target::Line => line,
        };
        let lower = secret.to_ascii_lowercase();
        let by_regex = self.regexes.iter().any(|regex| regex.is_match(text));
        let by_word = self.stopwords.iter().any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some());
        if self.both {
            !self.paths
                && (self.regexes.is_empty() || by_regex)
                && (self.stopwords.is_empty() || by_word)
                && (by_regex || by_word)
        } else {
            by_regex || by_word
        }
    }
}
