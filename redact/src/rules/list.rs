//! All rules by name: those of the tables, and those that are code.

use super::all;
use crate::kind::Kind;

/// A rule, as a span, a count, a policy and the documentation name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleEntry {
    /// Its name, of lower-case letters, digits and dashes.
    pub id: &'static str,
    /// What it takes things for.
    pub kind: Kind,
    /// What it takes, in a few words.
    pub what: &'static str,
    /// Where that is documented by its provider; the empty string for rules that are ours alone.
    pub link: &'static str,
}

/// All rules in the order of their stages, within a stage those first that are code.
pub fn rules() -> Vec<RuleEntry> {
    let tables = all().iter().map(|compiled| {
        let rule = compiled.rule;
        RuleEntry { id: rule.id, kind: rule.kind, what: rule.what, link: rule.doc }
    });
    let mut rules: Vec<_> =
        OWN.iter().map(|(id, kind, what, link)| entry(id, *kind, what, link)).chain(tables).collect();
    rules.sort_by_key(|rule| rule.kind);
    rules
}

fn entry(id: &'static str, kind: Kind, what: &'static str, link: &'static str) -> RuleEntry {
    RuleEntry { id, kind, what, link }
}

/// The rules that are code.
const OWN: &[(&str, Kind, &str, &str)] = &[
    (
        "denied-value",
        Kind::DeniedSecret,
        "Values that the call or the mounted directory denies, raw and encoded, whole and line by line",
        "",
    ),
    (
        "kubernetes-object",
        Kind::DeniedSecret,
        "The data of denied Secrets and ConfigMaps in manifests, and of objects too large to see their kind",
        "https://kubernetes.io/docs/concepts/configuration/secret/",
    ),
    (
        "kubernetes-secret",
        Kind::SecretPattern,
        "The data of Secrets in manifests",
        "https://kubernetes.io/docs/concepts/configuration/secret/",
    ),
    ("assigned-password", Kind::SecretPattern, "Values assigned to a name of a password", ""),
    ("assigned-secret", Kind::SecretPattern, "Values assigned to a name of a token, key or other secret", ""),
    ("assigned-block", Kind::SecretPattern, "YAML blocks under a name of a secret", ""),
    ("assigned-value", Kind::SecretPattern, "Values of structured pairs under a name of a secret", ""),
    (
        "url-password",
        Kind::SecretPattern,
        "Passwords in the authority of a URL: the URL stays",
        "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
    ),
    ("url-token", Kind::SecretPattern, "Tokens that stand alone before the `@` of a URL", ""),
    (
        "command-secret",
        Kind::SecretPattern,
        "Secrets where a command or statement has them, with no key before them",
        "",
    ),
    ("failed", Kind::SecretPattern, "The whole text, where a rule could not run", ""),
    (
        "pem-private-key",
        Kind::PrivateKey,
        "Private keys in PEM armour, whole or cut; certificates and public keys stay",
        "https://www.rfc-editor.org/rfc/rfc7468",
    ),
    ("openssh-private-key", Kind::PrivateKey, "OpenSSH private keys", "https://man.openbsd.org/ssh-keygen"),
    ("pgp-private-key", Kind::PrivateKey, "OpenPGP private keys", "https://www.rfc-editor.org/rfc/rfc9580"),
    (
        "putty-private-key",
        Kind::PrivateKey,
        "The private lines of PuTTY keys",
        "https://tartarus.org/~simon/putty-snapshots/htmldoc/AppendixC.html",
    ),
    (
        "json-web-key",
        Kind::PrivateKey,
        "The private members of JSON Web Keys",
        "https://www.rfc-editor.org/rfc/rfc7517",
    ),
    (
        "kubeconfig-key-data",
        Kind::PrivateKey,
        "The key data of kubeconfigs",
        "https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/",
    ),
    (
        "auth-header",
        Kind::AuthHeader,
        "Headers that carry a credential or a signature; the scheme stays",
        "https://www.rfc-editor.org/rfc/rfc9110#section-11",
    ),
    ("cookie", Kind::AuthHeader, "Cookie and Set-Cookie headers", "https://www.rfc-editor.org/rfc/rfc6265"),
    ("user-literal", Kind::UserPattern, "Literals that the call gives, in the forms of denied values", ""),
    ("user-regex", Kind::UserPattern, "Regular expressions that the call gives", ""),
];
