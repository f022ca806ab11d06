//! Stage 6: a repository's own patterns and allowances, in the configuration format of gitleaks and with an addition of ours.
//!
//! What is not supported is refused with its line: a field that is silently ignored is a leak.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use toml::de::DeTable;

use crate::error::{PolicyError, PolicyReason};

use self::allow::Allow;
pub(crate) use self::allow::Allowed;
use self::document::Document;
pub(crate) use self::pattern::Pattern;
use self::rule::Rule;
pub(crate) use self::search::{Patterns, REACH};

mod allow;
mod document;
mod lines;
mod names;
mod needles;
mod pattern;
mod place;
mod read;
mod rule;
mod search;
mod syntax;
mod triggers;
mod words;

/// The longest document, in bytes.
const MAX_DOCUMENT: usize = 512 * 1024;
/// The most rules.
const MAX_RULES: usize = 512;
/// The most allowances.
const MAX_ALLOWANCES: usize = 1024;

struct Inner {
    source: String,
    rules: Vec<Rule>,
    allows: Vec<Allow>,
    /// Allowances that hold for all rules.
    global: Vec<usize>,
    /// Allowances that hold for one of the built-in rules, by its id.
    builtin: BTreeMap<String, Vec<usize>>,
    /// Built-in rules that are turned off.
    disabled: BTreeSet<String>,
}

/// A repository's policy: patterns that are taken in addition, and allowances. Cloning is cheap.
///
/// The document is a configuration of gitleaks (version 8): `[[rules]]`, `[[allowlists]]`, `[extend]` and what they hold; and
/// `[[allow]]`, an allowance by rule, path or pattern that has a name. A pattern matches within one line. The built-in rules
/// stay on whatever the document says or omits, unless it disables one by name. Allowances never hold for denied values or
/// user patterns.
#[derive(Clone)]
pub struct Policy(Arc<Inner>);

impl Policy {
    /// Reads a policy.
    ///
    /// # Errors
    /// The first thing that is wrong or not supported, with its line; the message never quotes the document.
    pub fn parse(toml: &str) -> Result<Policy, PolicyError> {
        let document = Document { source: toml };
        if toml.len() > MAX_DOCUMENT {
            return Err(document.error(0, PolicyReason::TooLarge));
        }
        let table = DeTable::parse(toml).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            document.error(at, PolicyReason::Toml)
        })?;
        read::Reader::new(document).policy(table.get_ref()).map(|inner| Policy(Arc::new(inner)))
    }

    pub(crate) fn source(&self) -> &str {
        &self.0.source
    }

    fn rules(&self) -> &[Rule] {
        &self.0.rules
    }

    fn allows(&self) -> &[Allow] {
        &self.0.allows
    }

    fn global(&self) -> &[usize] {
        &self.0.global
    }

    /// The allowances that hold for a built-in rule.
    fn allows_for(&self, rule: &str) -> impl Iterator<Item = &usize> {
        self.0.global.iter().chain(self.0.builtin.get(rule).into_iter().flatten())
    }

    /// Whether anything that a built-in rule takes may be let through.
    fn permits(&self) -> bool {
        !(self.0.global.is_empty() && self.0.builtin.is_empty() && self.0.disabled.is_empty())
    }

    fn is_disabled(&self, rule: &str) -> bool {
        self.0.disabled.contains(rule)
    }
}

#[cfg(test)]
mod tests;
