//! Putting a redactor together: what is denied, what the policy says, what the user adds; with the caps on each.

use sha2::{Digest as _, Sha256};

use crate::denied::{self, DeniedSet};
use crate::error::{Error, PatternReason};
use crate::policy::{Pattern, Patterns, Policy};
use crate::redactor::{Core, Redactor, rule_set_digest};
use crate::secret::{DeniedValue, ObjectRef, Secret, WeakValue};

/// How many denied values are taken.
const MAX_VALUES: usize = 1024;
/// How long one may be.
const MAX_VALUE_BYTES: usize = 64 * 1024;
/// How long all may be together.
const MAX_TOTAL_BYTES: usize = 1024 * 1024;
/// How many user literals and how many user regexes are taken.
const MAX_USER_PATTERNS: usize = 64;

/// Collects the redaction context; [`RedactorBuilder::build`] checks it.
#[derive(Default)]
pub struct RedactorBuilder {
    values: Vec<DeniedValue>,
    objects: Vec<ObjectRef>,
    policy: Option<Policy>,
    literals: Vec<Secret>,
    regexes: Vec<String>,
}

impl RedactorBuilder {
    /// Denies a value (stage 1), in all encodings.
    pub fn denied_value(mut self, value: DeniedValue) -> RedactorBuilder {
        self.values.push(value);
        self
    }

    /// Denies an object (stage 1): its manifest is blanked, values known or not.
    pub fn denied_object(mut self, object: ObjectRef) -> RedactorBuilder {
        self.objects.push(object);
        self
    }

    /// Sets the repository's policy (stage 6); a second one replaces the first.
    pub fn policy(mut self, policy: Policy) -> RedactorBuilder {
        self.policy = Some(policy);
        self
    }

    /// Adds a user's literal (stage 7), found in all encodings as denied values are, and counted only.
    pub fn user_literal(mut self, literal: Secret) -> RedactorBuilder {
        self.literals.push(literal);
        self
    }

    /// Adds a user's regex (stage 7). It matches within one line, at most 4 KiB.
    pub fn user_regex(mut self, regex: &str) -> RedactorBuilder {
        self.regexes.push(regex.to_owned());
        self
    }

    /// Checks the caps, compiles what is to be compiled, and makes the redactor.
    ///
    /// # Errors
    /// [`Error::TooMany`] over 1,024 denied values or objects, 64 user literals or 64 regexes; [`Error::TooLong`] for a value
    /// over 64 KiB or values over 1 MiB in all; [`Error::WeakLiteral`]; [`Error::UserRegex`].
    pub fn build(self) -> Result<Redactor, Error> {
        at_most("denied values", self.values.len(), MAX_VALUES)?;
        at_most("denied objects", self.objects.len(), MAX_VALUES)?;
        at_most("user literals", self.literals.len(), MAX_USER_PATTERNS)?;
        at_most("user regexes", self.regexes.len(), MAX_USER_PATTERNS)?;
        lengths("denied value", self.values.iter().map(|value| value.value.bytes().len()))?;
        lengths("user literal", self.literals.iter().map(|literal| literal.bytes().len()))?;

        let mut weak = Vec::new();
        let mut set = DeniedSet::builder();
        for value in &self.values {
            match denied::weakness(value.value.bytes()) {
                Some(reason) => weak.push(WeakValue { name: value.name.clone(), kind: value.kind, reason }),
                None => set.denied(value.value.bytes()),
            }
        }
        for (index, literal) in self.literals.iter().enumerate() {
            if denied::weakness(literal.bytes()).is_some() {
                return Err(Error::WeakLiteral { index });
            }
            set.literal(literal.bytes());
        }
        let mut patterns = Vec::with_capacity(self.regexes.len());
        for (index, regex) in self.regexes.iter().enumerate() {
            let pattern = Pattern::line(regex).map_err(|reason| Error::UserRegex { index, reason })?;
            patterns.push(pattern);
        }
        let policy_digest = digest(self.policy.as_ref(), &self.regexes);
        Ok(Redactor::new(Core {
            denied: set.build()?.into(),
            objects: self.objects.into(),
            patterns: Patterns::new(self.policy, patterns),
            weak: weak.into(),
            policy_digest,
        }))
    }
}

fn at_most(what: &'static str, count: usize, max: usize) -> Result<(), Error> {
    if count > max { Err(Error::TooMany { what, max }) } else { Ok(()) }
}

fn lengths(what: &'static str, lengths: impl Iterator<Item = usize>) -> Result<(), Error> {
    let mut total = 0;
    for (index, length) in lengths.enumerate() {
        if length > MAX_VALUE_BYTES {
            return Err(Error::TooLong { what, index, max: MAX_VALUE_BYTES });
        }
        total += length;
        if total > MAX_TOTAL_BYTES {
            return Err(Error::TooLong { what, index, max: MAX_TOTAL_BYTES });
        }
    }
    Ok(())
}

/// Rule set, policy and user regexes; lengths go in before texts, so that no two contexts share an input.
fn digest(policy: Option<&Policy>, regexes: &[String]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"dossier redaction policy 1\n");
    hash.update(rule_set_digest());
    let texts = policy.map(Policy::source).into_iter().chain(regexes.iter().map(String::as_str));
    hash.update([u8::from(policy.is_some())]);
    for text in texts {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    }
    hash.finalize().into()
}

impl From<PatternReason> for crate::error::PolicyReason {
    fn from(reason: PatternReason) -> Self {
        crate::error::PolicyReason::Pattern(reason)
    }
}
