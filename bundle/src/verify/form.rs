//! The form of members: what step 3 refuses, and what no writer writes, which step 10 finds.

use serde_json::Value;

/// The optional members of a manifest. An unknown member is another version's affair, whatever it holds.
const OPTIONAL: &[&str] = &[
    "approvalMode",
    "attachments",
    "baseSha",
    "commit",
    "contextLabels",
    "digest",
    "findings",
    "firstError",
    "fragments",
    "headSha",
    "indexDigest",
    "issue",
    "job",
    "launch",
    "memory",
    "model",
    "omissions",
    "ontologyDigest",
    "origin",
    "path",
    "permissionReview",
    "pipeline",
    "provenance",
    "pullRequest",
    "queryManifestDigest",
    "redactions",
    "refAt",
    "ref",
    "repository",
    "repositoryRef",
    "requestedRef",
    "resolvedCommit",
    "retrievedAt",
    "runnerPool",
    "selectedExcerptsDigest",
    "selectedRecordsDigest",
    "serviceAccount",
    "skills",
    "snapshotRef",
    "sourceRefs",
    "sourceUrl",
    "sources",
    "stack",
    "tools",
    "uri",
    "user",
    "version",
];

/// Whether every number is an integer within 31 bits, and nothing is `null`.
pub(super) fn is_well_formed(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_u64().is_some_and(|n| n <= i32::MAX as u64),
        Value::Array(items) => items.iter().all(is_well_formed),
        Value::Object(members) => members.values().all(is_well_formed),
        Value::Null => false,
        Value::Bool(_) | Value::String(_) => true,
    }
}

/// Whether a list or an object is empty: it should have been left out.
pub(super) fn has_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || items.iter().any(has_empty),
        Value::Object(members) => members.is_empty() || members.values().any(has_empty),
        _ => false,
    }
}

/// Whether an optional member, of those that `read` lacks of `written`, fulfils `is`.
pub(super) fn lost(written: &Value, read: &Value, is: &dyn Fn(&Value) -> bool) -> bool {
    match (written, read) {
        (Value::Object(written), Value::Object(read)) => written.iter().any(|(name, one)| match read.get(name) {
            Some(other) => lost(one, other, is),
            None => OPTIONAL.contains(&name.as_str()) && is(one),
        }),
        (Value::Array(written), Value::Array(read)) => {
            written.iter().zip(read).any(|(one, other)| lost(one, other, is))
        }
        _ => false,
    }
}
