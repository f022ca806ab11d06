//! Judging a key by its words: is what it names a secret, a credential header, or neither?

mod headers;
mod names;

use headers::HEADERS;
use names::names;

/// Literals around which keys are looked for, in lower case.
pub(crate) const LEADS: &[&str] = &[
    "pass",
    "secret",
    "token",
    "key",
    "pwd",
    "auth",
    "cred",
    "psk",
    "cookie",
    "signature",
    "psw",
    "hmac",
    "jwt",
    "bearer",
    "pw=",
    "pw:",
    "pw\"",
    "pw ",
    "pw>",
    "bindpw",
    "x-jfrog-art-api",
    "x-honeycomb-team",
    "transmission-sig",
    "_pat",
    "senha",
    "kennwort",
];

/// What a key says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A password: even a short plain word can be one.
    Password,
    /// A token, secret or key.
    Secret,
    /// `auth` and the like: only a value that looks random is one.
    Weak,
    /// A key of something unknown: only a value that can be nothing but random is one.
    Faint,
    /// A kubeconfig's key data.
    KeyData,
    /// A header whose whole value is a credential or signature.
    Header,
    /// Cookie or Set-Cookie.
    Cookie,
}

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
    let other = |word: &String| matches!(word.as_str(), "public" | "csrf" | "xsrf" | "authenticity" | "publishable");
    if names().about.contains(&last) || words.iter().any(other) {
        return None;
    }
    let mut class = None;
    for (index, word) in words.iter().enumerate() {
        let word = word.as_str();
        let before = index.checked_sub(1).map_or("", |before| words[before].as_str());
        let after = words.get(index + 1).map(String::as_str);
        match of_word(word, before, after, words.len()) {
            Some(Class::Password) => return Some(Class::Password),
            Some(found) => class = class.filter(|class| *class == Class::Secret).or(Some(found)),
            None => {}
        }
    }
    class
}

/// Whether what names the secret in a dotted key is not its last part: `cred.service_account`.
pub(crate) fn is_owner(key: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', key) else { return false };
    let last = &key[dot + 1..];
    !last.eq_ignore_ascii_case(b"key") && !last.eq_ignore_ascii_case(b"value") && classify(last).is_none()
}

/// What a word says between its neighbours, in a key of so many words.
fn of_word(word: &str, before: &str, after: Option<&str>, count: usize) -> Option<Class> {
    if word == "pass" && count > 1 {
        // A pass over something, rather than a password.
        match after {
            None if names().passes.contains(&before) => return None,
            Some("word" | "wd" | "phrase" | "code" | "key") | None => {}
            Some(_) => return (!names().passes.contains(&before)).then_some(Class::Weak),
        }
    }
    if word == "pat" && !(before.is_empty() || names().owners.contains(&before)) {
        return Some(Class::Weak);
    }
    if names().passwords.contains(&word) || names().password_ends.iter().any(|end| word.ends_with(end)) {
        return Some(Class::Password);
    }
    if matches!(word, "authentication" | "authorization") {
        return Some(Class::Weak);
    }
    if matches!(word, "tokens" | "secrets" | "credentials" | "auth") {
        return (!matches!(before, "max" | "num" | "min" | "total")).then_some(Class::Weak);
    }
    if matches!(word, "key" | "keys") {
        let ends = ["private", "secret", "access", "api"].iter().any(|end| before.ends_with(end));
        let known = ends || names().keyed.contains(&before);
        return match before {
            _ if known => Some(Class::Secret),
            "" => None,
            _ => (after.is_none() && !names().unkeyed.contains(&before)).then_some(Class::Faint),
        };
    }
    if names().secrets.contains(&word) || names().secret_ends.iter().any(|end| word.ends_with(end)) {
        // A page token and its kin are no secrets.
        let other = names().not_ends.iter().any(|end| word.ends_with(end)) || names().paging.contains(&before);
        return (!other).then_some(Class::Secret);
    }
    if let Some(owner) = word.strip_suffix("key") {
        return match owner {
            _ if names().keyed.contains(&owner) => Some(Class::Secret),
            _ if names().key_words.contains(&word) || names().unkeyed.contains(&owner) || owner.len() < 3 => None,
            _ => Some(Class::Faint),
        };
    }
    // Words that were written around one: `fooapikeyfoo`.
    let inside = |stem: &str| word.find(stem).is_some_and(|at| word.len() - at - stem.len() <= 4);
    if ["apikey", "privatekey", "secretkey", "accesskey"].iter().any(|stem| inside(stem)) {
        return Some(Class::Secret);
    }
    ["password", "passwd"].iter().any(|stem| inside(stem)).then_some(Class::Weak)
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

    fn each(keys: &str, class: Option<Class>) {
        for key in keys.split_ascii_whitespace() {
            assert_eq!(classify(key.as_bytes()), class, "{key}");
        }
    }

    #[test]
    fn keys_are_judged_by_their_words() {
        each(
            "password DB_PASSWORD dbPassword spring.datasource.password mysql_pwd POSTGRES_PASSWORD2 userpass",
            Some(Class::Password),
        );
        each(
            "api_key apiKey AWS_SECRET_ACCESS_KEY client_secret authToken TOKEN2 secretkey AccountKey privateKey \
             slackKey GITLAB_KEY GITHUBKEY fooapikeyfoo apikey_foo creds db_creds SECRET_KEY_BASE",
            Some(Class::Secret),
        );
        each("auth user_auth credentials kerberos_authentication pass_through_it", Some(Class::Weak));
        each("acme_key acmeKey", Some(Class::Faint));
        each(
            "tokenizer token_count public_key key_id AWS_ACCESS_KEY_ID secretName max_tokens key keyboard nextPageToken \
             compass secretKeyRef password_file first_pass PGPASS jsonwebtoken primaryKey cache-key monkey csrf_token \
             passwordVariable key_vault authSource",
            None,
        );
        each("X-Hub-Signature-256", Some(Class::Header));
    }
}
