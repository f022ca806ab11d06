//! A TOML document as it is read: typed access to what it holds, and errors that name the line.

use std::collections::BTreeSet;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::pattern::Pattern;
use crate::error::{PatternReason, PolicyError, PolicyReason};

pub(super) type Entry<'a, 'i> = &'a Spanned<DeValue<'i>>;

/// A field: its name in lower case, where that stands, and its value.
pub(super) struct Field<'a, 'i> {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) value: Entry<'a, 'i>,
}

/// The text of a document.
#[derive(Clone, Copy)]
pub(super) struct Document<'s> {
    pub(super) source: &'s str,
}

impl Document<'_> {
    pub(super) fn error(&self, at: usize, reason: impl Into<PolicyReason>) -> PolicyError {
        let before = self.source.as_bytes().get(..at).unwrap_or_default();
        PolicyError { line: 1 + memchr::memchr_iter(b'\n', before).count(), reason: reason.into() }
    }

    pub(super) fn at(&self, entry: Entry<'_, '_>, reason: impl Into<PolicyReason>) -> PolicyError {
        self.error(entry.span().start, reason)
    }

    /// A pattern; an empty one counts as none.
    pub(super) fn pattern(
        &self,
        value: Entry<'_, '_>,
        make: impl Fn(&str) -> Result<Pattern, PatternReason>,
    ) -> Result<Option<Pattern>, PolicyError> {
        let text = self.string(value)?;
        if text.is_empty() {
            return Ok(None);
        }
        make(&text).map(Some).map_err(|reason| self.at(value, reason))
    }

    pub(super) fn patterns(&self, value: Entry<'_, '_>) -> Result<Vec<Pattern>, PolicyError> {
        let make = |item| {
            let text = self.string(item)?;
            Pattern::whole(&text).map_err(|reason| self.at(item, reason))
        };
        self.array(value)?.iter().map(make).collect()
    }

    /// The fields of a table in the order of the document. Names are read in any case, as gitleaks does.
    pub(super) fn fields<'a, 'i>(&self, table: &'a DeTable<'i>) -> Result<Vec<Field<'a, 'i>>, PolicyError> {
        let field = |(key, value): (&'a Spanned<std::borrow::Cow<'i, str>>, Entry<'a, 'i>)| Field {
            name: key.get_ref().to_ascii_lowercase(),
            at: key.span().start,
            value,
        };
        let mut fields: Vec<Field<'a, 'i>> = table.iter().map(field).collect();
        fields.sort_by_key(|field| field.at);
        let mut seen = BTreeSet::new();
        match fields.iter().find(|field| !seen.insert(field.name.clone())) {
            Some(again) => Err(self.error(again.at, PolicyReason::Conflict)),
            None => Ok(fields),
        }
    }

    pub(super) fn table<'a, 'i>(&self, value: Entry<'a, 'i>) -> Result<&'a DeTable<'i>, PolicyError> {
        value.get_ref().as_table().ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    pub(super) fn array<'a, 'i>(&self, value: Entry<'a, 'i>) -> Result<&'a [Spanned<DeValue<'i>>], PolicyError> {
        value.get_ref().as_array().map(|items| &items[..]).ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    pub(super) fn string(&self, value: Entry<'_, '_>) -> Result<String, PolicyError> {
        value.get_ref().as_str().map(str::to_owned).ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    pub(super) fn strings(&self, value: Entry<'_, '_>) -> Result<Vec<String>, PolicyError> {
        self.array(value)?.iter().map(|item| self.string(item)).collect()
    }

    pub(super) fn boolean(&self, value: Entry<'_, '_>) -> Result<bool, PolicyError> {
        value.get_ref().as_bool().ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    pub(super) fn integer(&self, value: Entry<'_, '_>) -> Result<usize, PolicyError> {
        let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok());
        number.ok_or_else(|| self.at(value, PolicyReason::Type))
    }

    /// A number of bits a byte.
    pub(super) fn number(&self, value: Entry<'_, '_>) -> Result<f64, PolicyError> {
        let text = value.get_ref().as_float().map(|number| number.as_str());
        let text = text.or_else(|| value.get_ref().as_integer().map(|number| number.as_str()));
        let number = text.and_then(|text| text.parse().ok()).filter(|number| (0.0..=8.0).contains(number));
        number.ok_or_else(|| self.at(value, PolicyReason::Type))
    }
}
