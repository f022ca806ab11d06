//! The ids of the built-in rules, and which of them the rules of gitleaks are.

use crate::rules;

/// Built-in rules that are no token rules: they look at structure.
const STRUCTURES: [&str; 20] = [
    "assigned-block",
    "assigned-password",
    "assigned-secret",
    "assigned-value",
    "auth-header",
    "command-secret",
    "cookie",
    "denied-value",
    "json-web-key",
    "kubeconfig-key-data",
    "kubernetes-object",
    "kubernetes-secret",
    "openssh-private-key",
    "pem-private-key",
    "pgp-private-key",
    "putty-private-key",
    "url-password",
    "url-token",
    "user-literal",
    "user-regex",
];

/// A rule of gitleaks' own configuration, and the built-in rules that take what it takes.
const SAME: &[(&str, &[&str])] = &[
    ("generic-api-key", &["assigned-block", "assigned-password", "assigned-secret", "assigned-value"]),
    ("github-pat", &["github-token"]),
    ("kubernetes-secret-yaml", &["kubernetes-secret"]),
    ("private-key", &["openssh-private-key", "pem-private-key", "pgp-private-key", "putty-private-key"]),
];

/// The built-in rules that are meant by `name`, an id of ours or of gitleaks; none if it names nothing of ours.
pub(crate) fn builtin(name: &str) -> Vec<&'static str> {
    let own = rules::all().iter().map(|compiled| compiled.rule.id).chain(STRUCTURES).filter(|id| *id == name);
    let same = SAME.iter().filter(|(theirs, _)| *theirs == name).flat_map(|(_, ours)| ours.iter().copied());
    let mut ids: Vec<_> = own.chain(same).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
