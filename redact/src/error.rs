//! What can go wrong. No message here echoes content: patterns and documents may quote the secret they are about.

use thiserror::Error;

/// Why a text or a configuration was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not text: a NUL in the first 8 KiB, or more than a tenth not UTF-8. Deny the part, or allow its media type.
    #[error("not text: a NUL within the first 8 KiB, or over 10 % of it is not UTF-8")]
    Binary,
    /// Too many denied values or user literals. Send fewer.
    #[error("{what}: at most {max} are taken")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The cap.
        max: usize,
    },
    /// One value or pattern is too long, or all together are. Shorten it.
    #[error("{what} {index}: at most {max} bytes are taken")]
    TooLong {
        /// What is too long.
        what: &'static str,
        /// Which one, counted from 0.
        index: usize,
        /// The cap in bytes.
        max: usize,
    },
    /// A user literal is too short or too common to mask. Give a longer one.
    #[error("user literal {index}: too short or too common to mask")]
    WeakLiteral {
        /// Which one, counted from 0.
        index: usize,
    },
    /// A user regex was refused. Fix it.
    #[error("user regex {index}: {reason}")]
    UserRegex {
        /// Which one, counted from 0.
        index: usize,
        /// Why.
        reason: PatternReason,
    },
    /// A rule could not run; nothing of the text may be used. A bug: report the rule's id.
    #[error("rule {rule} could not run")]
    Rule {
        /// The rule's id.
        rule: String,
    },
}

/// Why a pattern was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternReason {
    /// It can match nothing at all, which would match everywhere.
    #[error("the pattern matches the empty string")]
    MatchesEmpty,
    /// Patterns match within one line; this one needs a line break.
    #[error("the pattern needs several lines, and patterns match within one")]
    SeveralLines,
    /// It is outside of RE2's syntax (look-around and backreferences are).
    #[error("the pattern is not valid in the syntax of RE2, which has no look-around and no backreferences")]
    Syntax,
    /// Its text is too long.
    #[error("the pattern is too long")]
    TooLong,
    /// Its compiled form is too large.
    #[error("the pattern is too large once compiled")]
    TooLarge,
}

/// Why a policy was refused, with the line to look at.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("policy line {line}: {reason}")]
pub struct PolicyError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: PolicyReason,
}

/// What is wrong with a policy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyReason {
    /// Not TOML.
    #[error("not valid TOML")]
    Toml,
    /// A field that is not known. Ignoring it could leak.
    #[error("this field is not known")]
    Unknown,
    /// A field that means something that cannot be done here. Ignoring it could leak.
    #[error("this is not supported: {0}")]
    Unsupported(&'static str),
    /// A field stands here that already has a value, in another letter case or in its older form.
    #[error("this field stands here a second time, in another form")]
    Conflict,
    /// A field has a value of another type than it should.
    #[error("this field has the wrong type or an impossible value")]
    Type,
    /// A rule lacks `id`, or has neither `regex` nor `path`; an allowance of ours lacks `id`.
    #[error("a rule needs an id, and a regex or a path; an allowance needs an id")]
    Incomplete,
    /// An id is no name.
    #[error("an id is 1 to 100 letters, digits, blanks and . _ - /")]
    Id,
    /// Two rules, or two allowances, have one id.
    #[error("this id stands above already")]
    DuplicateId,
    /// A rule is named that neither the policy nor the built-in rules have.
    #[error("no rule has this id, of the policy or built in")]
    NoSuchRule,
    /// An allowance without a condition would let everything through.
    #[error("an allowance needs paths, regexes or stopwords, or rules that it is for")]
    NoCondition,
    /// The pattern was refused.
    #[error("{0}")]
    Pattern(PatternReason),
    /// `secretGroup` is not a group of the regex.
    #[error("the regex has no such group")]
    NoSuchGroup,
    /// Too many rules, or the document is too long.
    #[error("the policy is too large")]
    TooLarge,
}
