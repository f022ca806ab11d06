//! Stage 6: a repository's own patterns, in our TOML, whose fields are those of gitleaks.
//!
//! What is not supported is refused with its line: a field that is silently ignored is a leak.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{PatternReason, PolicyError, PolicyReason};

pub(crate) use self::allow::Allowed;
use self::allow::{Allow, Target};
pub(crate) use self::search::Patterns;

mod allow;
mod search;

/// The longest pattern, in bytes.
const MAX_PATTERN: usize = 4096;
/// The largest compiled pattern, in bytes.
const MAX_COMPILED: usize = 2 * 1024 * 1024;
/// The longest document, in bytes.
const MAX_DOCUMENT: usize = 512 * 1024;
/// The most rules.
const MAX_RULES: usize = 512;

/// A pattern that is matched within one line.
#[derive(Clone)]
pub(crate) struct LinePattern {
    regex: Regex,
    group: usize,
}

impl LinePattern {
    /// Compiles `pattern`, in ASCII mode where it can be (as RE2 reads classes).
    pub(crate) fn compile(pattern: &str) -> Result<LinePattern, PatternReason> {
        if pattern.len() > MAX_PATTERN {
            return Err(PatternReason::TooLong);
        }
        let hir = regex_syntax::ParserBuilder::new()
            .utf8(false)
            .nest_limit(64)
            .build()
            .parse(pattern)
            .map_err(|_| PatternReason::Syntax)?;
        if hir.properties().minimum_len().is_none_or(|len| len == 0) {
            return Err(PatternReason::MatchesEmpty);
        }
        if needs_newline(&hir) {
            return Err(PatternReason::SeveralLines);
        }
        let build = |unicode| {
            RegexBuilder::new(pattern).unicode(unicode).size_limit(MAX_COMPILED).dfa_size_limit(MAX_COMPILED).build()
        };
        let regex = build(false).or_else(|_| build(true)).map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => PatternReason::TooLarge,
            _ => PatternReason::Syntax,
        })?;
        Ok(LinePattern { regex, group: 0 })
    }

    /// The ranges that it claims in `line`, whose first byte is at `base`.
    pub(crate) fn find(&self, line: &[u8], base: usize, mut claim: impl FnMut(Range<usize>, Range<usize>)) {
        if self.group == 0 {
            for found in self.regex.find_iter(line) {
                if !found.is_empty() {
                    let range = base + found.start()..base + found.end();
                    claim(range.clone(), range);
                }
            }
            return;
        }
        for groups in self.regex.captures_iter(line) {
            let whole = groups.get(0).map(|found| base + found.start()..base + found.end()).unwrap_or_default();
            if let Some(found) = groups.get(self.group)
                && !found.is_empty()
            {
                claim(base + found.start()..base + found.end(), whole);
            }
        }
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

/// A rule of the policy.
pub(crate) struct Rule {
    pub(crate) id: String,
    pub(crate) pattern: Option<LinePattern>,
    pub(crate) entropy: f64,
    /// In lower case; the rule is tried only near one of them.
    pub(crate) keywords: Vec<String>,
    /// Set where the rule is only for texts with a path, which texts here have not.
    pub(crate) path: bool,
    pub(crate) allow: Vec<Allow>,
}

struct Inner {
    source: String,
    rules: Vec<Rule>,
    allow: Vec<Allow>,
    disabled: BTreeSet<String>,
}

/// A repository's policy: patterns that are taken in addition, and allowances. Cloning is cheap.
///
/// A table `[[rules]]` has `id`, `regex`, and optionally `description`, `secretGroup`, `entropy`, `keywords`, `path`, `tags`
/// and `[[rules.allowlists]]`; `[allowlist]` or `[[allowlists]]` hold for all rules; `[extend]` takes `useDefault` and
/// `disabledRules`. A pattern matches within one line. Allowances never hold for denied values or user patterns.
#[derive(Clone)]
pub struct Policy(Arc<Inner>);

impl Policy {
    /// Reads a policy.
    ///
    /// # Errors
    /// The first thing that is wrong or not supported, with its line; the message never quotes the document.
    pub fn parse(toml: &str) -> Result<Policy, PolicyError> {
        if toml.len() > MAX_DOCUMENT {
            return Err(PolicyError { line: 1, reason: PolicyReason::TooLarge });
        }
        let reader = Reader { source: toml };
        let table = DeTable::parse(toml).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            reader.error(at, PolicyReason::Toml)
        })?;
        reader.policy(table.get_ref()).map(|inner| Policy(Arc::new(inner)))
    }

    pub(crate) fn source(&self) -> &str {
        &self.0.source
    }

    pub(crate) fn rules(&self) -> &[Rule] {
        &self.0.rules
    }

    pub(crate) fn allow(&self) -> &[Allow] {
        &self.0.allow
    }

    pub(crate) fn is_disabled(&self, rule: &str) -> bool {
        self.0.disabled.contains(rule)
    }
}

type Entry<'a, 'i> = &'a Spanned<DeValue<'i>>;

struct Reader<'s> {
    source: &'s str,
}

impl Reader<'_> {
    fn error(&self, at: usize, reason: PolicyReason) -> PolicyError {
        let before = self.source.as_bytes().get(..at).unwrap_or_default();
        PolicyError { line: 1 + memchr::memchr_iter(b'\n', before).count(), reason }
    }

    fn at(&self, entry: Entry<'_, '_>, reason: PolicyReason) -> PolicyError {
        self.error(entry.span().start, reason)
    }

    fn policy(&self, table: &DeTable<'_>) -> Result<Inner, PolicyError> {
        let mut inner =
            Inner { source: self.source.to_owned(), rules: Vec::new(), allow: Vec::new(), disabled: BTreeSet::new() };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "title" | "description" | "minVersion" => drop(self.string(value)?),
                "rules" => {
                    for item in self.array(value)? {
                        let rule = self.rule(item)?;
                        if inner.rules.iter().any(|other| other.id == rule.id) {
                            return Err(self.at(item, PolicyReason::DuplicateId));
                        }
                        if inner.rules.len() == MAX_RULES {
                            return Err(self.at(item, PolicyReason::TooLarge));
                        }
                        inner.rules.push(rule);
                    }
                }
                "allowlist" => inner.allow.push(self.allow(value)?),
                "allowlists" => {
                    for item in self.array(value)? {
                        inner.allow.push(self.allow(item)?);
                    }
                }
                "extend" => self.extend(value, &mut inner)?,
                _ => return Err(self.error(key.span().start, PolicyReason::Unsupported)),
            }
        }
        inner.rules.retain(|rule| !inner.disabled.contains(&rule.id));
        Ok(inner)
    }

    fn extend(&self, value: Entry<'_, '_>, inner: &mut Inner) -> Result<(), PolicyError> {
        for (key, value) in self.table(value)? {
            match key.get_ref().as_ref() {
                "useDefault" => drop(self.boolean(value)?),
                "disabledRules" => inner.disabled.extend(self.strings(value)?),
                _ => return Err(self.error(key.span().start, PolicyReason::Unsupported)),
            }
        }
        Ok(())
    }

    fn rule(&self, item: Entry<'_, '_>) -> Result<Rule, PolicyError> {
        let mut rule = Rule {
            id: String::new(),
            pattern: None,
            entropy: 0.0,
            keywords: Vec::new(),
            path: false,
            allow: Vec::new(),
        };
        let mut group = None;
        for (key, value) in self.table(item)? {
            match key.get_ref().as_ref() {
                "id" => rule.id = self.string(value)?,
                "description" => drop(self.string(value)?),
                "tags" => drop(self.strings(value)?),
                "regex" => {
                    let pattern = LinePattern::compile(&self.string(value)?);
                    rule.pattern = Some(pattern.map_err(|reason| self.at(value, reason.into()))?);
                }
                "secretGroup" => group = Some((self.integer(value)?, value)),
                "entropy" => rule.entropy = self.number(value)?,
                "keywords" => {
                    rule.keywords = self.strings(value)?.into_iter().map(|word| word.to_lowercase()).collect();
                }
                "path" => {
                    let path = self.string(value)?;
                    self.regex(&path).map_err(|reason| self.at(value, reason.into()))?;
                    rule.path = true;
                }
                "allowlist" => rule.allow.push(self.allow(value)?),
                "allowlists" => {
                    for item in self.array(value)? {
                        rule.allow.push(self.allow(item)?);
                    }
                }
                _ => return Err(self.error(key.span().start, PolicyReason::Unsupported)),
            }
        }
        if !is_rule_id(&rule.id) || (rule.pattern.is_none() && !rule.path) {
            return Err(self.at(item, PolicyReason::Incomplete));
        }
        if let Some((group, value)) = group
            && let Some(pattern) = &mut rule.pattern
        {
            if group >= pattern.regex.captures_len() {
                return Err(self.at(value, PolicyReason::NoSuchGroup));
            }
            pattern.group = group;
        }
        Ok(rule)
    }

    fn allow(&self, item: Entry<'_, '_>) -> Result<Allow, PolicyError> {
        let mut allow = Allow::default();
        for (key, value) in self.table(item)? {
            match key.get_ref().as_ref() {
                "description" => drop(self.string(value)?),
                "regexes" => {
                    for pattern in self.strings(value)? {
                        allow.regexes.push(self.regex(&pattern).map_err(|reason| self.at(value, reason.into()))?);
                    }
                }
                "stopwords" => {
                    allow.stopwords = self.strings(value)?.into_iter().map(|word| word.to_lowercase()).collect();
                    if allow.stopwords.iter().any(String::is_empty) {
                        return Err(self.at(value, PolicyReason::Pattern(PatternReason::MatchesEmpty)));
                    }
                }
                "paths" => {
                    for pattern in self.strings(value)? {
                        self.regex(&pattern).map_err(|reason| self.at(value, reason.into()))?;
                    }
                    allow.paths = true;
                }
                "regexTarget" => {
                    allow.target = match self.string(value)?.as_str() {
                        "secret" | "" => Target::Secret,
                        "match" => Target::Match,
                        "line" => Target::Line,
                        _ => return Err(self.at(value, PolicyReason::Type)),
                    }
                }
                "condition" => {
                    allow.both = match self.string(value)?.to_ascii_lowercase().as_str() {
                        "and" | "&&" => true,
                        "or" | "||" | "" => false,
                        _ => return Err(self.at(value, PolicyReason::Type)),
                    }
                }
                _ => return Err(self.error(key.span().start, PolicyReason::Unsupported)),
            }
        }
        Ok(allow)
    }

    fn regex(&self, pattern: &str) -> Result<Regex, PatternReason> {
        if pattern.len() > MAX_PATTERN {
            return Err(PatternReason::TooLong);
        }
        let build = |unicode| RegexBuilder::new(pattern).unicode(unicode).size_limit(MAX_COMPILED).build();
        build(false).or_else(|_| build(true)).map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => PatternReason::TooLarge,
            _ => PatternReason::Syntax,
        })
    }

    fn table<'a, 'i>(&self, value: &'a Spanned<DeValue<'i>>) -> Result<&'a DeTable<'i>, PolicyError> {
        value.get_ref().as_table().ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    fn array<'a, 'i>(&self, value: &'a Spanned<DeValue<'i>>) -> Result<&'a [Spanned<DeValue<'i>>], PolicyError> {
        value.get_ref().as_array().map(|items| &items[..]).ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    fn string(&self, value: Entry<'_, '_>) -> Result<String, PolicyError> {
        value.get_ref().as_str().map(str::to_owned).ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    fn strings(&self, value: Entry<'_, '_>) -> Result<Vec<String>, PolicyError> {
        self.array(value)?.iter().map(|item| self.string(item)).collect()
    }

    fn boolean(&self, value: Entry<'_, '_>) -> Result<bool, PolicyError> {
        value.get_ref().as_bool().ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    fn integer(&self, value: Entry<'_, '_>) -> Result<usize, PolicyError> {
        let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok());
        number.ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    fn number(&self, value: Entry<'_, '_>) -> Result<f64, PolicyError> {
        let text = value.get_ref().as_float().map(|number| number.as_str());
        let text = text.or_else(|| value.get_ref().as_integer().map(|number| number.as_str()));
        text.and_then(|text| text.parse().ok()).ok_or_else(|| self.at(value, PolicyReason::Type))
    }
}

/// Rule ids stand in counts and reports, so they are names and nothing else.
fn is_rule_id(id: &str) -> bool {
    (1..=100).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/ ".contains(&byte))
}

#[cfg(test)]
mod tests;
