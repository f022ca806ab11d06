//! What a token rule is made of.

use super::check::Check;
use crate::kind::Kind;

/// What may stand before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// Anything: the prefix is odd enough.
    Any,
    /// No letter, digit or underscore, unless it belongs to an escape (`\n`, `\u003d`, `%3D`).
    Word,
    /// The same, and no dash either: what may be long and have dashes inside begins but once.
    Apart,
    /// What opens a value: a blank, a quote, a bracket, `=`, `:`, `,` or `|`, an escape, or nothing.
    Open,
    /// A number of five digits or more.
    Number,
}

/// One rule for tokens that begin with a literal, or that have a shape and stand behind a word that names their provider.
pub(crate) struct Rule {
    pub(crate) id: &'static str,
    /// What it takes, for the rules' page.
    pub(crate) what: &'static str,
    pub(crate) kind: Kind,
    /// The literals that a token begins with; the pattern begins with one of them too, or holds it `back` bytes on.
    pub(crate) prefixes: &'static [&'static str],
    /// How many bytes of the token stand before the prefix.
    pub(crate) back: usize,
    /// Names of which one must stand on the same line, at most [`super::near::NEAR`] bytes before the token, in lower case.
    /// The tokens of a rule without prefixes begin with at least sixteen letters, digits, `-` and `_`, and a word like `key`
    /// or `token` must stand with the name, since what goes could as well be a digest or a UUID.
    pub(crate) near: &'static [&'static str],
    /// Anchored at the token's beginning, in ASCII mode. Group 1, if there is one, is what goes.
    pub(crate) pattern: &'static str,
    pub(crate) left: Left,
    /// The least entropy of what goes, in bits a byte.
    pub(crate) entropy: f64,
    /// What goes must not be words.
    pub(crate) random: bool,
    /// What goes must not be words, and have a digit, or capitals that begin no words.
    pub(crate) mixed: bool,
    /// A test that makes sure where it holds.
    pub(crate) check: Option<Check>,
    /// Where the format, or at least the credential, is documented.
    pub(crate) doc: &'static str,
    /// Texts in which it must take something, and texts in which nothing may be taken. `{A36}` stands for 36 letters and
    /// digits, `{a…}` for lower-case ones, `{U…}` for upper-case ones, `{l…}` for letters, `{x…}` for hex, `{X…}` for
    /// hex in capitals, `{d…}` for digits, `{uuid}` for a UUID: made up when tested.
    pub(crate) takes: &'static [&'static str],
    pub(crate) leaves: &'static [&'static str],
}

impl Rule {
    /// A rule for tokens that begin with one of `prefixes`.
    pub(super) const fn new(
        id: &'static str,
        what: &'static str,
        prefixes: &'static [&'static str],
        pattern: &'static str,
    ) -> Rule {
        Rule {
            id,
            what,
            kind: Kind::ProviderToken,
            prefixes,
            back: 0,
            near: &[],
            pattern,
            left: Left::Word,
            entropy: 2.0,
            random: false,
            mixed: false,
            check: None,
            doc: "",
            takes: &[],
            leaves: &[],
        }
    }

    /// A rule for tokens without a beginning of their own, behind one of the words `near`.
    pub(super) const fn beside(
        id: &'static str,
        what: &'static str,
        near: &'static [&'static str],
        pattern: &'static str,
    ) -> Rule {
        let mut rule = Rule::new(id, what, &[], pattern);
        rule.near = near;
        rule.left = Left::Open;
        rule.entropy = 3.0;
        rule.mixed = true;
        rule
    }

    /// The prefix counts wherever it stands, also behind a letter.
    pub(super) const fn glued(mut self) -> Rule {
        self.left = Left::Any;
        self
    }

    pub(super) const fn left(mut self, left: Left) -> Rule {
        self.left = left;
        self
    }

    pub(super) const fn back(mut self, bytes: usize) -> Rule {
        self.back = bytes;
        self
    }

    pub(super) const fn near(mut self, words: &'static [&'static str]) -> Rule {
        self.near = words;
        self
    }

    pub(super) const fn entropy(mut self, bits: f64) -> Rule {
        self.entropy = bits;
        self
    }

    pub(super) const fn random(mut self) -> Rule {
        self.random = true;
        self
    }

    pub(super) const fn mixed(mut self) -> Rule {
        self.mixed = true;
        self
    }

    pub(super) const fn check(mut self, check: Check) -> Rule {
        self.check = Some(check);
        self
    }

    pub(super) const fn kind(mut self, kind: Kind) -> Rule {
        self.kind = kind;
        self
    }

    pub(super) const fn doc(mut self, link: &'static str) -> Rule {
        self.doc = link;
        self
    }

    pub(super) const fn takes(mut self, examples: &'static [&'static str]) -> Rule {
        self.takes = examples;
        self
    }

    pub(super) const fn leaves(mut self, examples: &'static [&'static str]) -> Rule {
        self.leaves = examples;
        self
    }

    /// Whether it may take what does not begin a word.
    pub(crate) fn is_glued(&self) -> bool {
        matches!(self.left, Left::Any | Left::Number)
    }

    /// The whole expression. What has no beginning of its own has an end: the longest of its forms goes.
    pub(super) fn anchored(&self) -> String {
        match self.prefixes {
            [] => format!("^({})(?:[^A-Za-z0-9]|$)", self.pattern),
            _ => format!("^(?:{})", self.pattern),
        }
    }

    /// All that decides what it takes, on one line, for the rule set's digest.
    pub(crate) fn line(&self) -> String {
        let Rule { id, kind, prefixes, back, near, pattern, left, entropy, random, mixed, check, .. } = self;
        format!("{id} {kind} {prefixes:?} {back} {near:?} {pattern} {left:?} {entropy} {random} {mixed} {check:?}")
    }
}

impl Left {
    /// Whether a token may begin at `at`.
    pub(super) fn allows(self, text: &[u8], at: usize) -> bool {
        let before = &text[..at];
        match self {
            Left::Any => true,
            Left::Word => is_word_start(before),
            Left::Apart => is_word_start(before) && before.last() != Some(&b'-'),
            Left::Open => {
                let opens = |byte: &u8| {
                    byte.is_ascii_whitespace()
                        || matches!(
                            byte,
                            b'"' | b'\'' | b'`' | b'=' | b':' | b',' | b';' | b'(' | b'[' | b'{' | b'<' | b'>' | b'|'
                        )
                };
                before.last().is_none_or(opens) || before.last().is_some_and(is_word) && is_word_start(before)
            }
            Left::Number => before.len() >= 5 && before[before.len() - 5..].iter().all(u8::is_ascii_digit),
        }
    }
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// Whether a word begins behind `before`: it ends with nothing of a word, or only with what belongs to an escape.
fn is_word_start(before: &[u8]) -> bool {
    if !before.last().is_some_and(is_word) {
        return true;
    }
    let hex = |count: usize| before.len() >= count && before[before.len() - count..].iter().all(u8::is_ascii_hexdigit);
    (before.len() >= 2 && before[before.len() - 2] == b'\\' && matches!(before[before.len() - 1], b'n' | b't' | b'r'))
        || (before.len() >= 3 && before[before.len() - 3] == b'%' && hex(2))
        || (before.len() >= 6 && before[..before.len() - 4].ends_with(b"\\u") && hex(4))
}
