//! The tables of routes, of kinds of sources and of kinds of evidence. They are data: what they say is digested and pinned.

use std::sync::LazyLock;

use serde::Serialize;

use crate::canonical;
use crate::digest::Digest;

/// Which limit a kind of source falls under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitClass {
    /// `maxLogBytes`, each.
    Log,
    /// `maxDiffBytes`, all together.
    Diff,
    /// `maxTaskBytes`, each.
    Task,
    /// `maxMemoryBytes`, each.
    Memory,
    /// `maxSourceBytes`, each.
    Other,
}

/// What a source is worth when the whole bundle is too large; the least goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// The remainders of logs and diffs, and all kinds that no other class names.
    Rest,
    /// Selected memory.
    Memory,
    /// The changed-file summary of a diff.
    ChangedFiles,
    /// The first error of a log.
    FirstError,
    /// The task context.
    Task,
    /// The repository's own instructions.
    Instructions,
}

/// Whether a route has a kind by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Presence {
    /// Its absence is SOURCE_KIND_MISSING.
    Default,
    /// It may be there.
    Optional,
}

/// A row of the table of source kinds.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceKind {
    /// The name in a draft.
    pub name: &'static str,
    /// The limit.
    pub limit: LimitClass,
    /// The worth of its core; what is not core is worth `Rest`.
    pub worth: Worth,
}

const fn kind(name: &'static str, limit: LimitClass, worth: Worth) -> SourceKind {
    SourceKind { name, limit, worth }
}

/// All kinds of sources.
pub const SOURCE_KINDS: &[SourceKind] = &[
    kind("repository", LimitClass::Other, Worth::Rest),
    kind("ref", LimitClass::Other, Worth::Rest),
    kind("path", LimitClass::Other, Worth::Rest),
    kind("file-metadata", LimitClass::Other, Worth::Rest),
    kind("repository-instructions", LimitClass::Other, Worth::Instructions),
    kind("file-contents", LimitClass::Other, Worth::Rest),
    kind("recent-commits", LimitClass::Other, Worth::Rest),
    kind("workspace-state", LimitClass::Other, Worth::Rest),
    kind("issue", LimitClass::Other, Worth::Rest),
    kind("context-labels", LimitClass::Other, Worth::Rest),
    kind("linked-work", LimitClass::Other, Worth::Rest),
    kind("child-issues", LimitClass::Other, Worth::Rest),
    kind("related-prs", LimitClass::Other, Worth::Rest),
    kind("artifacts", LimitClass::Other, Worth::Rest),
    kind("pull-request", LimitClass::Other, Worth::Rest),
    kind("changed-files", LimitClass::Diff, Worth::ChangedFiles),
    kind("checks", LimitClass::Other, Worth::Rest),
    kind("review-state", LimitClass::Other, Worth::Rest),
    kind("diff-hunks", LimitClass::Diff, Worth::ChangedFiles),
    kind("comments", LimitClass::Other, Worth::Rest),
    kind("agent-artifacts", LimitClass::Other, Worth::Rest),
    kind("job-status", LimitClass::Other, Worth::Rest),
    kind("failed-step", LimitClass::Log, Worth::FirstError),
    kind("runner-pool", LimitClass::Other, Worth::Rest),
    kind("logs", LimitClass::Log, Worth::FirstError),
    kind("similar-failures", LimitClass::Other, Worth::Rest),
    kind("rerun-history", LimitClass::Other, Worth::Rest),
    kind("cache-metadata", LimitClass::Other, Worth::Rest),
    kind("webhook-delivery", LimitClass::Other, Worth::Rest),
    kind("header-metadata", LimitClass::Other, Worth::Rest),
    kind("event-type", LimitClass::Other, Worth::Rest),
    kind("matched-rule", LimitClass::Other, Worth::Rest),
    kind("replay-history", LimitClass::Other, Worth::Rest),
    kind("dedupe-records", LimitClass::Other, Worth::Rest),
    kind("sample-event", LimitClass::Other, Worth::Rest),
    kind("rendered-prompt", LimitClass::Other, Worth::Rest),
    kind("permission-review", LimitClass::Other, Worth::Rest),
    kind("fixture-payloads", LimitClass::Other, Worth::Rest),
    kind("expected-dedupe-key", LimitClass::Other, Worth::Rest),
    kind("previous-context-digest", LimitClass::Other, Worth::Rest),
    kind("transcript-summary", LimitClass::Other, Worth::Rest),
    kind("current-artifacts", LimitClass::Other, Worth::Rest),
    kind("user-context", LimitClass::Other, Worth::Rest),
    kind("selected-files", LimitClass::Other, Worth::Rest),
    kind("selected-logs", LimitClass::Log, Worth::FirstError),
    kind("task-context", LimitClass::Task, Worth::Task),
    kind("memory-records", LimitClass::Memory, Worth::Memory),
];

/// Kinds that every route may have.
pub const EVERYWHERE: &[&str] = &["task-context", "memory-records"];

/// A row of the table of routes.
#[derive(Debug, Serialize)]
pub struct Route {
    /// The name in a draft.
    pub name: &'static str,
    /// The kinds whose absence is said.
    pub default: &'static [&'static str],
    /// The kinds that may be there too.
    pub optional: &'static [&'static str],
}

/// All routes.
pub const ROUTES: &[Route] = &[
    Route {
        name: "code",
        default: &["repository", "ref", "path", "file-metadata", "repository-instructions"],
        optional: &["file-contents", "recent-commits", "workspace-state"],
    },
    Route {
        name: "issues",
        default: &["issue", "context-labels", "linked-work"],
        optional: &["child-issues", "related-prs", "artifacts"],
    },
    Route {
        name: "pull-requests",
        default: &["pull-request", "changed-files", "checks", "review-state"],
        optional: &["diff-hunks", "comments", "agent-artifacts"],
    },
    Route {
        name: "runs",
        default: &["job-status", "failed-step", "runner-pool", "logs", "artifacts"],
        optional: &["similar-failures", "rerun-history", "cache-metadata"],
    },
    Route {
        name: "hooks",
        default: &["webhook-delivery", "header-metadata", "event-type", "matched-rule"],
        optional: &["replay-history", "dedupe-records"],
    },
    Route {
        name: "rules-dry-run",
        default: &["sample-event", "matched-rule", "rendered-prompt", "permission-review"],
        optional: &["fixture-payloads", "expected-dedupe-key"],
    },
    Route {
        name: "run-continuation",
        default: &["previous-context-digest", "transcript-summary", "current-artifacts"],
        optional: &["user-context", "selected-files", "selected-logs"],
    },
];

/// All kinds of evidence.
pub const EVIDENCE_KINDS: &[&str] =
    &["issue", "pr", "diff", "review", "checks", "note", "log-excerpt", "artifact", "other"];

/// Kinds of evidence that mean nothing without the commit they were made at.
pub const EVIDENCE_BOUND: &[&str] = &["diff", "review", "checks"];

/// The kind of source of this name.
#[must_use]
pub fn source_kind(name: &str) -> Option<&'static SourceKind> {
    SOURCE_KINDS.iter().find(|kind| kind.name == name)
}

/// The route of this name.
#[must_use]
pub fn route(name: &str) -> Option<&'static Route> {
    ROUTES.iter().find(|route| route.name == name)
}

impl Route {
    /// Whether the route has this kind, by default or at will; `None` means that it belongs to another route.
    #[must_use]
    pub fn presence(&self, kind: &str) -> Option<Presence> {
        if self.default.contains(&kind) {
            Some(Presence::Default)
        } else if self.optional.contains(&kind) || EVERYWHERE.contains(&kind) {
            Some(Presence::Optional)
        } else {
            None
        }
    }
}

/// The digest of the tables of routes and kinds: a pin.
#[must_use]
pub fn table_digest() -> Digest {
    #[derive(Serialize)]
    struct Tables {
        routes: &'static [Route],
        everywhere: &'static [&'static str],
        sources: &'static [SourceKind],
        evidence: &'static [&'static str],
    }
    static DIGEST: LazyLock<Digest> = LazyLock::new(|| {
        let tables = Tables { routes: ROUTES, everywhere: EVERYWHERE, sources: SOURCE_KINDS, evidence: EVIDENCE_KINDS };
        Digest::of(&canonical::to_vec(&tables).unwrap_or_default())
    });
    *DIGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree() {
        for route in ROUTES {
            for name in route.default.iter().chain(route.optional) {
                assert!(source_kind(name).is_some(), "{name} of {}", route.name);
            }
        }
        for kind in SOURCE_KINDS {
            assert!(ROUTES.iter().any(|route| route.presence(kind.name).is_some()), "{} is of no route", kind.name);
            assert_eq!(SOURCE_KINDS.iter().filter(|other| other.name == kind.name).count(), 1);
        }
        assert!(EVIDENCE_BOUND.iter().all(|kind| EVIDENCE_KINDS.contains(kind)));
    }
}
