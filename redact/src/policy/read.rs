//! Reading a policy: gitleaks' configuration as it is, and the few fields of ours. What is not taken is refused with its line.

use std::collections::{BTreeMap, BTreeSet};

use toml::de::DeTable;

use super::allow::Allow;
use super::document::{Document, Entry};
use super::names;
use super::pattern::{Part, Pattern};
use super::rule::{Required, Rule};
use super::{Inner, MAX_RULES};
use crate::error::{PatternReason, PolicyError, PolicyReason};

use self::allowance::numbered;

mod allowance;

/// Reads documents; what names rules is kept until all rules are known.
pub(super) struct Reader<'s> {
    document: Document<'s>,
    rules: Vec<Rule>,
    allows: Vec<Allow>,
    global: Vec<usize>,
    /// Allowances for rules of these names, and where the names stand.
    targets: Vec<(usize, String, usize)>,
    /// Of a rule, what it requires, and where that stands.
    required: Vec<(usize, String, Required, usize)>,
    extends: bool,
    disabled: Vec<String>,
}

/// What a rule's table says.
#[derive(Default)]
struct Draft {
    id: String,
    pattern: Option<Pattern>,
    path: Option<Pattern>,
    group: Option<(usize, usize)>,
    entropy: f64,
    keywords: Vec<String>,
    silent: bool,
    allow: Vec<usize>,
    required: Vec<(String, Required, usize)>,
    /// Where something stands that only a rule with a pattern can have.
    needs_pattern: Option<usize>,
}

impl<'s> Reader<'s> {
    pub(super) fn new(document: Document<'s>) -> Reader<'s> {
        Reader {
            document,
            rules: Vec::new(),
            allows: Vec::new(),
            global: Vec::new(),
            targets: Vec::new(),
            required: Vec::new(),
            extends: false,
            disabled: Vec::new(),
        }
    }

    pub(super) fn policy(mut self, table: &DeTable<'_>) -> Result<Inner, PolicyError> {
        let mut old = None;
        let fields = self.document.fields(table)?;
        // What a rule without a regex means depends on it.
        if let Some(field) = fields.iter().find(|field| field.name == "extend") {
            self.extend(field.value)?;
        }
        for field in fields {
            match field.name.as_str() {
                "title" | "description" | "minversion" => drop(self.document.string(field.value)?),
                "extend" => {}
                "rules" => {
                    for item in self.document.array(field.value)? {
                        self.rule(item)?;
                    }
                }
                "allowlist" | "allowlists" => {
                    self.one_form(&mut old, &field)?;
                    for (index, item) in self.items(&field)?.iter().enumerate() {
                        let at = self.allowlist(item, numbered(&field.name, index), true)?;
                        if !self.targets.iter().any(|(target, ..)| *target == at) {
                            self.global.push(at);
                        }
                    }
                }
                "allow" => {
                    for item in self.document.array(field.value)? {
                        self.allow(item)?;
                    }
                }
                _ => return Err(self.document.error(field.at, PolicyReason::Unknown)),
            }
        }
        self.resolve()
    }

    /// Gives names their rules.
    fn resolve(mut self) -> Result<Inner, PolicyError> {
        let mut own: BTreeMap<String, usize> = BTreeMap::new();
        for (index, rule) in self.rules.iter().enumerate() {
            own.insert(rule.id.clone(), index);
        }
        for (rule, name, required, at) in std::mem::take(&mut self.required) {
            let found = own.get(&name).copied().ok_or_else(|| self.document.error(at, PolicyReason::NoSuchRule))?;
            if self.rules[found].pattern.is_none() {
                return Err(self
                    .document
                    .error(at, PolicyReason::Unsupported("a rule that is required needs a regex")));
            }
            self.rules[rule].required.push(Required { rule: found, ..required });
        }
        let mut builtin: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (allow, name, at) in std::mem::take(&mut self.targets) {
            let ours = names::builtin(&name);
            let own = own.get(&name).copied();
            if own.is_none() && ours.is_empty() {
                return Err(self.document.error(at, PolicyReason::NoSuchRule));
            }
            if let Some(own) = own {
                self.rules[own].allow.push(allow);
            }
            for id in ours {
                builtin.entry(id.to_owned()).or_default().push(allow);
            }
        }
        let disabled: BTreeSet<String> =
            self.disabled.iter().flat_map(|name| names::builtin(name)).map(str::to_owned).collect();
        Ok(Inner {
            source: self.document.source.to_owned(),
            rules: self.rules,
            allows: self.allows,
            global: self.global,
            builtin,
            disabled,
        })
    }

    fn extend(&mut self, value: Entry<'_, '_>) -> Result<(), PolicyError> {
        for field in self.document.fields(self.document.table(value)?)? {
            match field.name.as_str() {
                "usedefault" => self.extends = self.document.boolean(field.value)?,
                "disabledrules" => {
                    for item in self.document.array(field.value)? {
                        self.disabled.push(self.document.string(item)?);
                    }
                }
                "path" | "url" => {
                    let reason = PolicyReason::Unsupported("a policy is one document, and nothing is fetched for it");
                    return Err(self.document.error(field.at, reason));
                }
                _ => return Err(self.document.error(field.at, PolicyReason::Unknown)),
            }
        }
        Ok(())
    }

    fn rule(&mut self, item: Entry<'_, '_>) -> Result<(), PolicyError> {
        let mut draft = Draft::default();
        let mut old = None;
        let mut id_at = item.span().start;
        for field in self.document.fields(self.document.table(item)?)? {
            let value = field.value;
            match field.name.as_str() {
                "id" => {
                    draft.id = self.document.string(value)?;
                    id_at = value.span().start;
                    if !draft.id.is_empty() && !is_id(&draft.id) {
                        return Err(self.document.at(value, PolicyReason::Id));
                    }
                }
                "description" => drop(self.document.string(value)?),
                "tags" => drop(self.document.strings(value)?),
                "regex" => draft.pattern = self.document.pattern(value, Pattern::line)?,
                "path" => draft.path = self.document.pattern(value, Pattern::whole)?,
                "secretgroup" => {
                    draft.group = Some((self.document.integer(value)?, value.span().start));
                    draft.needs_pattern = draft.needs_pattern.or(Some(field.at));
                }
                "entropy" => {
                    draft.entropy = self.document.number(value)?;
                    draft.needs_pattern = draft.needs_pattern.or(Some(field.at));
                }
                "keywords" => {
                    for word in self.document.array(value)? {
                        let text = self.document.string(word)?;
                        if text.is_empty() {
                            return Err(self.document.at(word, PatternReason::MatchesEmpty));
                        }
                        draft.keywords.push(text.to_lowercase());
                    }
                    draft.needs_pattern = draft.needs_pattern.or(Some(field.at));
                }
                "skipreport" => {
                    draft.silent = self.document.boolean(value)?;
                    draft.needs_pattern = draft.needs_pattern.or(Some(field.at));
                }
                "required" => {
                    for item in self.document.array(value)? {
                        let required = self.required(item)?;
                        draft.required.push(required);
                    }
                    draft.needs_pattern = draft.needs_pattern.or(Some(field.at));
                }
                "allowlist" | "allowlists" => {
                    self.one_form(&mut old, &field)?;
                    for (index, item) in self.items(&field)?.iter().enumerate() {
                        let at = self.allowlist(item, numbered(&field.name, index), false)?;
                        draft.allow.push(at);
                    }
                }
                _ => return Err(self.document.error(field.at, PolicyReason::Unknown)),
            }
        }
        if draft.id.is_empty() {
            return Err(self.document.at(item, PolicyReason::Incomplete));
        }
        for allow in &draft.allow {
            let name = format!("{}.{}", draft.id, self.allows[*allow].name);
            self.allows[*allow].name = name.into();
        }
        if draft.pattern.is_none() && draft.path.is_none() {
            return self.addition(draft, item, id_at);
        }
        self.add(draft, id_at)
    }

    /// A rule without a pattern adds its allowances to a built-in rule of its name.
    fn addition(&mut self, draft: Draft, item: Entry<'_, '_>, id_at: usize) -> Result<(), PolicyError> {
        if !self.extends {
            return Err(self.document.at(item, PolicyReason::Incomplete));
        }
        if names::builtin(&draft.id).is_empty() {
            return Err(self.document.error(id_at, PolicyReason::NoSuchRule));
        }
        if let Some(at) = draft.needs_pattern {
            let reason =
                PolicyReason::Unsupported("a built-in rule can be disabled or given allowances, and not changed");
            return Err(self.document.error(at, reason));
        }
        self.targets.extend(draft.allow.iter().map(|allow| (*allow, draft.id.clone(), id_at)));
        Ok(())
    }

    fn add(&mut self, draft: Draft, id_at: usize) -> Result<(), PolicyError> {
        if self.rules.iter().any(|other| other.id == draft.id) {
            return Err(self.document.error(id_at, PolicyReason::DuplicateId));
        }
        if self.rules.len() == MAX_RULES {
            return Err(self.document.error(id_at, PolicyReason::TooLarge));
        }
        if draft.pattern.is_none()
            && let Some(at) = draft.needs_pattern
        {
            let reason =
                PolicyReason::Unsupported("a rule for files of a path takes all of them, and has no regex to judge");
            return Err(self.document.error(at, reason));
        }
        let groups = draft.pattern.as_ref().map_or(0, |pattern| pattern.groups);
        let part = match draft.group {
            None | Some((0, _)) => Part::First,
            Some((group, _)) if group <= groups => Part::Group(group),
            Some((_, at)) => return Err(self.document.error(at, PolicyReason::NoSuchGroup)),
        };
        let rule = self.rules.len();
        self.required.extend(draft.required.into_iter().map(|(name, required, at)| (rule, name, required, at)));
        self.rules.push(Rule {
            id: draft.id,
            pattern: draft.pattern,
            part,
            entropy: draft.entropy,
            keywords: draft.keywords,
            path: draft.path,
            allow: draft.allow,
            required: Vec::new(),
            silent: draft.silent,
        });
        Ok(())
    }

    fn required(&self, item: Entry<'_, '_>) -> Result<(String, Required, usize), PolicyError> {
        let (mut id, mut at) = (String::new(), item.span().start);
        let mut required = Required { rule: 0, lines: None, columns: None };
        for field in self.document.fields(self.document.table(item)?)? {
            match field.name.as_str() {
                "id" => (id, at) = (self.document.string(field.value)?, field.value.span().start),
                "withinlines" => required.lines = Some(self.document.integer(field.value)?),
                "withincolumns" => required.columns = Some(self.document.integer(field.value)?),
                _ => return Err(self.document.error(field.at, PolicyReason::Unknown)),
            }
        }
        if id.is_empty() { Err(self.document.error(at, PolicyReason::Incomplete)) } else { Ok((id, required, at)) }
    }
}

/// Ids stand in counts and reports, so they are names and nothing else.
fn is_id(id: &str) -> bool {
    (1..=100).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/ ".contains(&byte))
}
