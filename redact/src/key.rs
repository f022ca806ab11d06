//! Judging a key by its words: is what it names a secret, a credential header, or neither?

/// What a key says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A password: even a short plain word can be one.
    Password,
    /// A token, secret or key.
    Secret,
    /// `auth` and the like: only a value that looks random is one.
    Weak,
    /// A kubeconfig's key data.
    KeyData,
    /// A header whose whole value is a credential or signature.
    Header,
    /// Cookie or Set-Cookie.
    Cookie,
}

/// Headers whose value goes, in lower case.
const HEADERS: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "x-authorization",
    "x-forwarded-authorization",
    "http_authorization",
    "x-api-key",
    "x-apikey",
    "x-api-token",
    "x-auth-token",
    "x-auth-key",
    "x-access-token",
    "x-amz-security-token",
    "x-goog-api-key",
    "x-goog-iam-authorization-token",
    "x-vault-token",
    "x-consul-token",
    "x-nomad-token",
    "x-hub-signature",
    "x-hub-signature-256",
    "x-gitlab-token",
    "private-token",
    "job-token",
    "deploy-token",
    "x-gitea-signature",
    "x-gogs-signature",
    "x-forgejo-signature",
    "x-slack-signature",
    "stripe-signature",
    "x-shopify-hmac-sha256",
    "x-twilio-signature",
    "x-signature",
    "x-webhook-signature",
    "webhook-signature",
    "svix-signature",
    "x-line-signature",
    "x-discord-signature",
    "x-signature-ed25519",
    "x-square-signature",
    "x-square-hmacsha256-signature",
    "x-zm-signature",
    "x-pagerduty-signature",
    "x-linear-signature",
    "linear-signature",
    "sentry-hook-signature",
    "x-bitbucket-signature",
    "paypal-transmission-sig",
    "x-registry-auth",
    "ocp-apim-subscription-key",
    "dd-api-key",
    "dd-application-key",
    "x-functions-key",
    "x-ms-authorization-auxiliary",
    "x-plex-token",
    "x-figma-token",
    "x-jfrog-art-api",
    "x-nuget-apikey",
    "x-rapidapi-key",
    "x-shopify-access-token",
    "x-github-token",
    "x-auth-email-key",
    "x-session-token",
    "x-parse-rest-api-key",
    "x-parse-master-key",
    "x-honeycomb-team",
    "fastly-key",
    "x-newrelic-license-key",
];

/// Last words that make of a secret's name the name of something about it.
const ABOUT: &[&str] = &[
    "id",
    "ids",
    "name",
    "names",
    "type",
    "types",
    "length",
    "len",
    "size",
    "count",
    "counts",
    "file",
    "files",
    "path",
    "paths",
    "dir",
    "url",
    "urls",
    "uri",
    "endpoint",
    "host",
    "port",
    "expiry",
    "expires",
    "expiration",
    "expire",
    "expired",
    "ttl",
    "lifetime",
    "age",
    "policy",
    "algorithm",
    "alg",
    "algo",
    "format",
    "field",
    "fields",
    "label",
    "hint",
    "max",
    "min",
    "limit",
    "version",
    "regex",
    "pattern",
    "rule",
    "rules",
    "enabled",
    "disabled",
    "required",
    "ref",
    "refs",
    "class",
    "provider",
    "manager",
    "store",
    "service",
    "index",
    "position",
    "budget",
    "usage",
    "mode",
    "prompt",
    "reset",
    "env",
    "var",
    "param",
    "timeout",
    "date",
    "time",
    "at",
    "status",
    "error",
    "errors",
    "message",
    "title",
    "description",
    "form",
    "input",
    "strength",
    "validator",
    "generator",
    "factory",
    "handler",
    "link",
    "page",
    "list",
    "map",
    "set",
    "kind",
    "scope",
    "scopes",
    "source",
    "prefix",
    "suffix",
    "separator",
    "rotation",
    "retries",
    "attempts",
    "location",
    "line",
    "column",
    "fn",
    "func",
    "function",
    "method",
    "callback",
    "event",
    "view",
    "template",
    "comment",
    "issuer",
    "audience",
    "engine",
    "mount",
    "backend",
    "bucket",
    "region",
    "is",
    "placeholder",
    "text",
    "metadata",
    "digest",
    "fingerprint",
    "thumbprint",
    "checksum",
    "arn",
];

/// Words before `key` that make it a secret's.
const KEYED: &[&str] = &[
    "api",
    "preshared",
    "access",
    "private",
    "secret",
    "encryption",
    "signing",
    "sign",
    "master",
    "account",
    "shared",
    "client",
    "auth",
    "deploy",
    "storage",
    "ssh",
    "gpg",
    "jwt",
    "session",
    "crypto",
    "hmac",
    "webhook",
    "admin",
    "service",
    "app",
    "application",
    "license",
    "subscription",
    "security",
    "consumer",
    "root",
    "decryption",
    "cipher",
    "aes",
    "rsa",
    "ingest",
    "integration",
    "write",
    "personal",
    "connection",
];

/// Words that name a password.
const PASSWORDS: &[&str] =
    &["password", "passwd", "passwort", "passphrase", "pwd", "pass", "passcode", "passwords", "psw", "pw"];
/// Words that name another secret.
const SECRETS: &[&str] =
    &["secret", "token", "apikey", "credential", "psk", "apitoken", "pat", "accountkey", "keydata"];

/// Words before `pass` that make a turn of it.
const PASSES: &[&str] = &[
    "first", "second", "third", "last", "next", "final", "initial", "single", "one", "two", "multi", "by", "low",
    "high", "band", "render", "all", "pre", "must", "should", "can", "will", "did", "test", "tests", "fast", "slow",
    "each", "this", "depth", "shadow", "lint", "opt", "compiler", "analysis", "codegen", "boarding", "bypass", "num",
    "per", "forward", "backward",
];

/// Words before `pat` that make a token of it.
const OWNERS: &[&str] = &[
    "github", "gh", "gitlab", "git", "azure", "ado", "devops", "user", "my", "bot", "ci", "npm", "registry", "repo",
    "org",
];

/// Ends of words that are written together.
const PASSWORD_ENDS: &[&str] = &["password", "passwd", "passphrase", "userpwd", "dbpwd", "dbpass"];
const SECRET_ENDS: &[&str] = &[
    "secret",
    "token",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "authkey",
    "signingkey",
    "encryptionkey",
    "accountkey",
    "masterkey",
    "sharedkey",
];

/// Judges `key`, an identifier of ASCII letters, digits, `_`, `-` and `.`.
pub(crate) fn classify(key: &[u8]) -> Option<Class> {
    let lower = key.to_ascii_lowercase();
    let lower = std::str::from_utf8(&lower).ok()?;
    if HEADERS.contains(&lower) {
        return Some(Class::Header);
    }
    match lower {
        "cookie" | "set-cookie" | "set-cookie2" => return Some(Class::Cookie),
        "client-key-data" => return Some(Class::KeyData),
        "auth" | "_auth" | "identitytoken" => return Some(Class::Weak),
        _ => {}
    }
    let words = words(key);
    let last = words.last()?.as_str();
    if ABOUT.contains(&last) || words.iter().any(|word| word == "public" || word == "csrf" || word == "xsrf") {
        return None;
    }
    let mut class = None;
    for (index, word) in words.iter().enumerate() {
        let word = word.as_str();
        let before = index.checked_sub(1).map_or("", |before| words[before].as_str());
        if word == "pass" && words.len() > 1 {
            // A pass over something, rather than a password.
            match words.get(index + 1).map(String::as_str) {
                None if PASSES.contains(&before) => continue,
                Some("word" | "wd" | "phrase" | "code" | "key") | None => {}
                Some(_) => {
                    class = class.or(if PASSES.contains(&before) { None } else { Some(Class::Weak) });
                    continue;
                }
            }
        }
        if word == "pat" && !(index == 0 || OWNERS.contains(&before)) {
            class = class.or(Some(Class::Weak));
            continue;
        }
        if PASSWORDS.contains(&word) || PASSWORD_ENDS.iter().any(|end| word.ends_with(end)) {
            return Some(Class::Password);
        }
        if matches!(word, "tokens" | "secrets" | "credentials") && !matches!(before, "max" | "num" | "min" | "total") {
            class = class.or(Some(Class::Weak));
        }
        let paired = matches!(word, "key" | "keys") && index > 0 && KEYED.contains(&words[index - 1].as_str());
        if SECRETS.contains(&word) || SECRET_ENDS.iter().any(|end| word.ends_with(end)) || paired {
            // A page token and its kin are no secrets.
            let paging = index > 0
                && matches!(
                    words[index - 1].as_str(),
                    "page" | "next" | "continuation" | "cursor" | "sync" | "max" | "bos" | "eos" | "pad" | "unk"
                );
            if !paging {
                class = Some(Class::Secret);
            }
        }
    }
    class
}

/// The words of an identifier in lower case: `dbPassword`, `DB_PASSWORD`, `db-password`, `db.password` have the same two.
fn words(key: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (index, byte) in key.iter().copied().enumerate() {
        let before = index.checked_sub(1).map(|at| key[at]);
        let after = key.get(index + 1).copied();
        let humps = byte.is_ascii_uppercase()
            && before.is_some_and(|b| {
                b.is_ascii_lowercase()
                    || b.is_ascii_digit()
                    || (b.is_ascii_uppercase() && after.is_some_and(|a| a.is_ascii_lowercase()))
            });
        if (!byte.is_ascii_alphanumeric() || humps) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if byte.is_ascii_alphabetic() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_judged_by_their_words() {
        for key in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "spring.datasource.password",
            "mysql_pwd",
            "PGPASS",
            "POSTGRES_PASSWORD2",
        ] {
            assert_eq!(classify(key.as_bytes()).is_some(), key != "PGPASS", "{key}");
        }
        for key in [
            "api_key",
            "apiKey",
            "AWS_SECRET_ACCESS_KEY",
            "client_secret",
            "authToken",
            "TOKEN2",
            "secretkey",
            "AccountKey",
            "privateKey",
        ] {
            assert_eq!(classify(key.as_bytes()), Some(Class::Secret), "{key}");
        }
        for key in [
            "tokenizer",
            "token_count",
            "public_key",
            "key_id",
            "AWS_ACCESS_KEY_ID",
            "secretName",
            "max_tokens",
            "key",
            "keyboard",
            "nextPageToken",
            "compass",
            "secretKeyRef",
            "password_file",
            "first_pass",
        ] {
            assert_eq!(classify(key.as_bytes()), None, "{key}");
        }
        assert_eq!(classify(b"X-Hub-Signature-256"), Some(Class::Header));
    }
}
