//! Reading what a policy lets through.

use toml::Spanned;
use toml::de::DeValue;

use super::super::MAX_ALLOWANCES;
use super::super::allow::{Allow, Stopwords, Target};
use super::super::document::{Entry, Field};
use super::{Reader, is_id};
use crate::error::{PatternReason, PolicyError, PolicyReason};

impl Reader<'_> {
    /// An allowance in gitleaks' form. Returns its number.
    pub(super) fn allowlist(&mut self, item: Entry<'_, '_>, name: String, global: bool) -> Result<usize, PolicyError> {
        let mut allow = Self::nothing_allowed(name);
        let number = self.allows.len();
        for field in self.document.fields(self.document.table(item)?)? {
            match field.name.as_str() {
                "description" => drop(self.document.string(field.value)?),
                "condition" => {
                    allow.both = match self.document.string(field.value)?.to_ascii_uppercase().as_str() {
                        "AND" | "&&" => true,
                        "OR" | "||" | "" => false,
                        _ => return Err(self.document.at(field.value, PolicyReason::Type)),
                    }
                }
                "targetrules" if global => self.targets(number, field.value)?,
                "commits" => {
                    let reason = PolicyReason::Unsupported("a text here has no commit that could allow it");
                    return Err(self.document.error(field.at, reason));
                }
                _ => self.condition(&mut allow, &field)?,
            }
        }
        if allow.paths.is_empty() && allow.regexes.is_empty() && allow.stopwords.is_empty() {
            return Err(self.document.at(item, PolicyReason::NoCondition));
        }
        self.push_allow(allow, item)
    }

    /// An allowance in our form: it has a name, and all that it says must hold.
    pub(super) fn allow(&mut self, item: Entry<'_, '_>) -> Result<(), PolicyError> {
        let mut allow = Self::nothing_allowed(String::new());
        allow.both = true;
        let number = self.allows.len();
        for field in self.document.fields(self.document.table(item)?)? {
            match field.name.as_str() {
                "id" => {
                    let id = self.document.string(field.value)?;
                    if !is_id(&id) {
                        return Err(self.document.at(field.value, PolicyReason::Id));
                    }
                    allow.name = id.into();
                }
                "description" => drop(self.document.string(field.value)?),
                "rules" => {
                    self.targets(number, field.value)?;
                    if !self.targets.iter().any(|(target, ..)| *target == number) {
                        return Err(self.document.at(field.value, PolicyReason::NoCondition));
                    }
                }
                _ => self.condition(&mut allow, &field)?,
            }
        }
        if allow.name.is_empty() {
            return Err(self.document.at(item, PolicyReason::Incomplete));
        }
        if self.allows.iter().any(|other| other.name == allow.name) {
            return Err(self.document.at(item, PolicyReason::DuplicateId));
        }
        let targeted = self.targets.iter().any(|(target, ..)| *target == number);
        if allow.paths.is_empty() && allow.regexes.is_empty() && allow.stopwords.is_empty() && !targeted {
            return Err(self.document.at(item, PolicyReason::NoCondition));
        }
        if !targeted {
            self.global.push(number);
        }
        self.push_allow(allow, item).map(drop)
    }

    fn nothing_allowed(name: String) -> Allow {
        Allow {
            name: name.into(),
            both: false,
            paths: Vec::new(),
            regexes: Vec::new(),
            stopwords: Stopwords::default(),
            target: Target::Secret,
        }
    }

    fn push_allow(&mut self, allow: Allow, item: Entry<'_, '_>) -> Result<usize, PolicyError> {
        if self.allows.len() == MAX_ALLOWANCES {
            return Err(self.document.at(item, PolicyReason::TooLarge));
        }
        self.allows.push(allow);
        Ok(self.allows.len() - 1)
    }

    /// The rules that an allowance is for.
    fn targets(&mut self, allow: usize, value: Entry<'_, '_>) -> Result<(), PolicyError> {
        for item in self.document.array(value)? {
            let name = self.document.string(item)?;
            self.targets.push((allow, name, item.span().start));
        }
        Ok(())
    }

    fn condition(&self, allow: &mut Allow, field: &Field<'_, '_>) -> Result<(), PolicyError> {
        match field.name.as_str() {
            "paths" => allow.paths = self.document.patterns(field.value)?,
            "regexes" => allow.regexes = self.document.patterns(field.value)?,
            "stopwords" => {
                let words = self.document.array(field.value)?;
                let mut all = Vec::with_capacity(words.len());
                for word in words {
                    let text = self.document.string(word)?;
                    if text.is_empty() {
                        return Err(self.document.at(word, PatternReason::MatchesEmpty));
                    }
                    all.push(text);
                }
                allow.stopwords = Stopwords::new(all.into_iter());
            }
            "regextarget" => {
                allow.target = match self.document.string(field.value)?.as_str() {
                    "secret" | "" => Target::Secret,
                    "match" => Target::Match,
                    "line" => Target::Line,
                    _ => return Err(self.document.at(field.value, PolicyReason::Type)),
                }
            }
            _ => return Err(self.document.error(field.at, PolicyReason::Unknown)),
        }
        Ok(())
    }

    /// Notes that a list of allowances stands here; the old form and the new one exclude each other.
    pub(super) fn one_form(&self, seen: &mut Option<()>, field: &Field<'_, '_>) -> Result<(), PolicyError> {
        match seen.replace(()) {
            Some(()) => Err(self.document.error(field.at, PolicyReason::Conflict)),
            None => Ok(()),
        }
    }

    /// The tables of a field that has one in the old form and a list of them in the new one.
    pub(super) fn items<'a, 'i>(&self, field: &Field<'a, 'i>) -> Result<&'a [Spanned<DeValue<'i>>], PolicyError> {
        if field.name == "allowlist" && field.value.get_ref().as_table().is_some() {
            return Ok(std::slice::from_ref(field.value));
        }
        self.document.array(field.value)
    }
}

/// What an allowance without a name is counted under.
pub(super) fn numbered(field: &str, index: usize) -> String {
    if field == "allowlist" { field.to_owned() } else { format!("{field}[{index}]") }
}
