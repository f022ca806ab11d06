//! What a policy lets through, and how that is decided.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;

use super::pattern::{Broken, Pattern};

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

/// What an allowance's regexes look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    #[default]
    Secret,
    Match,
    Line,
}

/// An allowance.
pub(crate) struct Allow {
    /// What its uses are counted under.
    pub(crate) name: Arc<str>,
    /// All kinds of conditions that it has must hold, not just one.
    pub(crate) both: bool,
    pub(crate) paths: Vec<Pattern>,
    pub(crate) regexes: Vec<Pattern>,
    pub(crate) stopwords: Stopwords,
    pub(crate) target: Target,
}

/// What is judged.
#[derive(Clone, Copy)]
pub(crate) struct Finding<'t> {
    pub(crate) secret: &'t [u8],
    pub(crate) whole: &'t [u8],
    /// Its line, unless that is too long to be seen whole.
    pub(crate) line: Option<&'t [u8]>,
}

impl Allow {
    /// Whether the text's path meets its paths.
    pub(crate) fn knows(&self, path: &str) -> Result<bool, Broken> {
        any(&self.paths, path.as_bytes())
    }

    /// Whether it needs no look at what was found, where the text's path is known to meet its paths or not.
    pub(crate) fn lets_path(&self, path: bool) -> bool {
        path && !(self.both && (!self.regexes.is_empty() || !self.stopwords.is_empty()))
    }

    /// Whether it lets `finding` through.
    pub(crate) fn lets(&self, finding: Finding<'_>, path: bool) -> Result<bool, Broken> {
        if self.lets_path(path) {
            return Ok(true);
        }
        let text = match self.target {
            Target::Secret => Some(finding.secret),
            Target::Match => Some(finding.whole),
            Target::Line => finding.line,
        };
        let by_regex = || text.map_or(Ok(false), |text| any(&self.regexes, text));
        if !self.both {
            return Ok(by_regex()? || self.stopwords.are_in(finding.secret)?);
        }
        // Without any condition it would hold everywhere; it always has one when it is read.
        Ok((self.paths.is_empty() || path)
            && (self.stopwords.is_empty() || self.stopwords.are_in(finding.secret)?)
            && (self.regexes.is_empty() || by_regex()?))
    }
}

fn any(patterns: &[Pattern], text: &[u8]) -> Result<bool, Broken> {
    for pattern in patterns {
        if !text.is_empty() && pattern.is_in(text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Words that make what holds one of them, in whatever case, no secret.
#[derive(Default)]
pub(crate) struct Stopwords {
    words: Vec<String>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Stopwords {
    pub(crate) fn new(words: impl Iterator<Item = String>) -> Stopwords {
        Stopwords { words: words.map(|word| word.to_lowercase()).collect(), automaton: OnceLock::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn are_in(&self, secret: &[u8]) -> Result<bool, Broken> {
        if self.words.is_empty() {
            return Ok(false);
        }
        let automaton = self.automaton.get_or_init(|| AhoCorasick::new(&self.words).ok()).as_ref().ok_or(Broken)?;
        Ok(automaton.is_match(String::from_utf8_lossy(secret).to_lowercase().as_bytes()))
    }
}
