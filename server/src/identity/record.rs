//! What is kept of a token.

use chrono::{DateTime, Utc};
use dossier_bundle::Digest;
use dossier_bundle::names::{OrgName, RunName, TaskName};
use dossier_redact::Redactor;
use dossier_store::{Record, Stored};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::principal::Principal;
use super::role::Role;
use super::secret::TokenId;
use crate::status::{ApiError, Violation};

const KIND: &str = "Token";
/// How long an agent's token lives where nothing is said, in seconds.
const AGENT_DEFAULT: u64 = 24 * 3600;
/// How long an agent's token lives at most, in seconds.
const AGENT_MOST: u64 = 7 * 24 * 3600;
/// How long any token lives that ends at all, at most: 100 years, in seconds.
const MOST: u64 = 100 * 365 * 24 * 3600;
/// How many orgs a token may name.
const MAX_ORGS: usize = 256;

/// A token as it is kept: of its secret only the hash.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenRecord {
    /// The SHA-256 of the secret.
    pub(super) hash: Digest,
    /// Who it stands for.
    pub principal: String,
    /// What it may do.
    pub role: Role,
    /// The orgs it may act in; an admin's is empty and means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orgs: Vec<String>,
    /// An agent's run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// An agent's task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// When it was made.
    pub create_time: DateTime<Utc>,
    /// When it ends; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expire_time: Option<DateTime<Utc>>,
    /// Who made it.
    pub creator: String,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoke_time: Option<DateTime<Utc>>,
}

impl TokenRecord {
    /// The token's id.
    #[must_use]
    pub fn id(&self) -> TokenId {
        TokenId::of(&self.hash)
    }

    /// Whether it is neither revoked nor past its end.
    #[must_use]
    pub fn is_live(&self, now: DateTime<Utc>) -> bool {
        self.revoke_time.is_none() && self.expire_time.is_none_or(|end| now < end)
    }

    /// Whom it stands for; `None` where a name in it is none, which no writer of ours makes.
    pub(super) fn principal(&self) -> Option<Principal> {
        let names = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Some(Principal {
            name: self.principal.clone(),
            role: self.role,
            orgs: self.orgs.iter().map(|org| org.parse().ok()).collect::<Option<_>>()?,
            run: names(&self.run).map(|run| run.parse()).transpose().ok()?,
            task: names(&self.task).map(|task| task.parse()).transpose().ok()?,
            token: self.id(),
        })
    }

    pub(super) fn to_record(&self) -> Result<Record, ApiError> {
        let body = serde_json::to_value(self).map_err(|_| ApiError::internal("a token has no JSON form"))?;
        Ok(Record { kind: KIND.to_owned(), blobs: Vec::new(), body })
    }

    /// The token that a record holds; `None` where it is another kind of record.
    pub(super) fn read(stored: &Stored) -> Option<Self> {
        let body: &Value = &stored.record.body;
        if stored.record.kind == KIND { Self::deserialize(body).ok() } else { None }
    }
}

/// A token to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    pub(super) principal: String,
    pub(super) role: Role,
    pub(super) orgs: Vec<OrgName>,
    pub(super) run: Option<RunName>,
    pub(super) task: Option<TaskName>,
    /// In seconds.
    pub(super) ttl: Option<u64>,
}

impl NewToken {
    /// Checks what is asked for. Empty names count as absent; `ttl` is in seconds.
    ///
    /// # Errors
    /// [`ApiError::InvalidArgument`] with everything that is wrong.
    pub fn parse(
        principal: &str,
        role: Option<Role>,
        orgs: &[String],
        run: &str,
        task: &str,
        ttl: Option<i64>,
    ) -> Result<Self, ApiError> {
        let mut wrong = Vec::new();
        if !is_principal(principal) {
            wrong.push(Violation::new("principal", "must match [a-z0-9._-]{1,63}"));
        }
        let mut names: Vec<OrgName> = Vec::new();
        for (at, org) in orgs.iter().enumerate().take(MAX_ORGS + 1) {
            match org.parse() {
                Ok(org) if names.contains(&org) => {
                    wrong.push(Violation::new(format!("orgs[{at}]"), "must not stand twice"));
                }
                Ok(org) if looks_secret(org.as_str())? => {
                    wrong.push(Violation::new(format!("orgs[{at}]"), "must not look like a secret"));
                }
                Ok(org) => names.push(org),
                Err(error) => wrong.push(Violation::new(format!("orgs[{at}]"), form(&error))),
            }
        }
        for (field, name) in [("principal", principal), ("run", run), ("task", task)] {
            if looks_secret(name)? {
                wrong.push(Violation::new(field, "must not look like a secret"));
            }
        }
        let run = optional::<RunName>("run", run, &mut wrong);
        let task = optional::<TaskName>("task", task, &mut wrong);
        let ttl = ttl.map(|seconds| u64::try_from(seconds).unwrap_or(0));
        let mut must = |holds: bool, field: &str, what: &str| {
            if !holds {
                wrong.push(Violation::new(field, what));
            }
        };
        must(role.is_some(), "role", "must be one of admin, controller, agent, reviewer, auditor");
        must(orgs.len() <= MAX_ORGS, "orgs", "must be at most 256");
        match role {
            Some(Role::Admin) => must(orgs.is_empty(), "orgs", "must be empty for an admin, who acts in all"),
            Some(Role::Agent) => {
                must(orgs.len() == 1, "orgs", "must be exactly one for an agent");
                must(run.is_some() || task.is_some(), "run", "must be given for an agent, or its task");
                must(ttl.is_none_or(|ttl| ttl <= AGENT_MOST), "ttl", "must be at most 7 days for an agent");
            }
            Some(_) => must(!orgs.is_empty(), "orgs", "must be given"),
            None => {}
        }
        if role != Some(Role::Agent) {
            must(run.is_none(), "run", "must be empty for all but an agent");
            must(task.is_none(), "task", "must be empty for all but an agent");
        }
        must(ttl.is_none_or(|ttl| (1..=MOST).contains(&ttl)), "ttl", "must be 1 second to 100 years");
        match role {
            Some(role) if wrong.is_empty() => {
                let ttl = if role == Role::Agent { ttl.or(Some(AGENT_DEFAULT)) } else { ttl };
                Ok(Self { principal: principal.to_owned(), role, orgs: names, run, task, ttl })
            }
            _ => Err(ApiError::InvalidArgument(wrong)),
        }
    }

    /// An admin's token without end.
    pub(super) fn admin(principal: &str) -> Self {
        Self { principal: principal.to_owned(), role: Role::Admin, orgs: Vec::new(), run: None, task: None, ttl: None }
    }

    /// Whom it is to stand for.
    #[must_use]
    pub fn principal(&self) -> &str {
        &self.principal
    }

    /// The role that is asked for.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The orgs that are asked for.
    #[must_use]
    pub fn orgs(&self) -> &[OrgName] {
        &self.orgs
    }
}

/// Whether redaction would touch a name: then it could not be stamped, logged or shown.
fn looks_secret(name: &str) -> Result<bool, ApiError> {
    let redactor = Redactor::builder().build().map_err(|_| ApiError::internal("the built-in rules do not build"))?;
    Ok(!redactor.search(name).is_empty())
}

fn is_principal(name: &str) -> bool {
    (1..=63).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-'))
}

fn optional<T: std::str::FromStr<Err = dossier_bundle::names::ParseNameError>>(
    field: &str,
    text: &str,
    wrong: &mut Vec<Violation>,
) -> Option<T> {
    if text.is_empty() {
        return None;
    }
    text.parse().map_err(|error| wrong.push(Violation::new(field, form(&error)))).ok()
}

fn form(error: &dossier_bundle::names::ParseNameError) -> String {
    format!("must match {}", error.form)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(result: Result<NewToken, ApiError>) -> Vec<String> {
        match result {
            Err(ApiError::InvalidArgument(wrong)) => wrong.into_iter().map(|violation| violation.field).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn all_violations_at_once() {
        let orgs = ["A".to_owned(), "b".to_owned(), "b".to_owned()];
        let wrong = fields(NewToken::parse("", None, &orgs, "R", "t", Some(-1)));
        assert_eq!(wrong, ["principal", "orgs[0]", "orgs[2]", "run", "role", "task", "ttl"]);
    }

    #[test]
    fn an_agent_is_bound() {
        let org = ["a".to_owned()];
        let agent = |orgs: &[String], run, ttl| NewToken::parse("x", Some(Role::Agent), orgs, run, "", ttl);
        assert_eq!(agent(&org, "r", None).unwrap().ttl, Some(AGENT_DEFAULT));
        assert_eq!(fields(agent(&org, "", None)), ["run"]);
        assert_eq!(fields(agent(&[], "r", None)), ["orgs"]);
        assert_eq!(fields(agent(&org, "r", Some(7 * 24 * 3600 + 1))), ["ttl"]);
    }

    #[test]
    fn a_name_that_would_be_redacted_is_refused() {
        // The form of an access token of npm's, which is a principal's form too.
        let npm = format!("npm_{}", "a1b2c3d4e5f6".repeat(3));
        assert_eq!(fields(NewToken::parse(&npm, Some(Role::Admin), &[], "", "", None)), ["principal"]);
    }

    #[test]
    fn only_an_admin_is_everywhere() {
        assert!(NewToken::parse("x", Some(Role::Admin), &[], "", "", None).is_ok());
        assert_eq!(fields(NewToken::parse("x", Some(Role::Admin), &["a".to_owned()], "", "", None)), ["orgs"]);
        assert_eq!(fields(NewToken::parse("x", Some(Role::Auditor), &[], "r", "", None)), ["orgs", "run"]);
    }
}
