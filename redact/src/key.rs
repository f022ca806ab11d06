//! Judging a key by its words: is what it names a secret, a credential header, or neither?

mod headers;
mod names;

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
    let names = names();
    let mut head = [0; 32];
    if let Some(lower) = head.get_mut(..key.len()) {
        lower.copy_from_slice(key);
        lower.make_ascii_lowercase();
        match &*lower {
            // What most keys are that are none of a secret.
            b"key" | b"keys" => return None,
            b"cookie" | b"set-cookie" | b"set-cookie2" => return Some(Class::Cookie),
            b"client-key-data" => return Some(Class::KeyData),
            b"auth" | b"_auth" | b"identitytoken" => return Some(Class::Weak),
            _ if names.headers.contains(&*lower) => return Some(Class::Header),
            _ => {}
        }
    }
    let words = Parts::of(key);
    let other = |word: &[u8]| matches!(word, b"public" | b"csrf" | b"xsrf" | b"authenticity" | b"publishable");
    if names.about.contains(words.iter().next_back()?) || words.iter().any(other) {
        return None;
    }
    let mut class = None;
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).map_or(&b""[..], |before| words.get(before));
        let after = (index + 1 < words.len()).then(|| words.get(index + 1));
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
fn of_word(word: &[u8], before: &[u8], after: Option<&[u8]>, count: usize) -> Option<Class> {
    let names = names();
    if word == b"pass" && count > 1 {
        // A pass over something, rather than a password.
        match after {
            None if names.passes.contains(before) => return None,
            Some(b"word" | b"wd" | b"phrase" | b"code" | b"key") | None => {}
            Some(_) => return (!names.passes.contains(before)).then_some(Class::Weak),
        }
    }
    if word == b"pat" && !(before.is_empty() || names.owners.contains(before)) {
        return Some(Class::Weak);
    }
    if names.passwords.contains(word) || names.password_ends.iter().any(|end| word.ends_with(end)) {
        return Some(Class::Password);
    }
    if matches!(word, b"authentication" | b"authorization") {
        return Some(Class::Weak);
    }
    if matches!(word, b"tokens" | b"secrets" | b"credentials" | b"auth") {
        return (!matches!(before, b"max" | b"num" | b"min" | b"total")).then_some(Class::Weak);
    }
    if matches!(word, b"key" | b"keys") {
        let ends = [&b"private"[..], b"secret", b"access", b"api"].iter().any(|end| before.ends_with(end));
        let known = ends || names.keyed.contains(before);
        return match before {
            _ if known => Some(Class::Secret),
            b"" => None,
            _ => (after.is_none() && !names.unkeyed.contains(before)).then_some(Class::Faint),
        };
    }
    if names.secrets.contains(word) || names.secret_ends.iter().any(|end| word.ends_with(end)) {
        // A page token and its kin are no secrets.
        let other = names.not_ends.iter().any(|end| word.ends_with(end)) || names.paging.contains(before);
        return (!other).then_some(Class::Secret);
    }
    if let Some(owner) = word.strip_suffix(b"key") {
        return match owner {
            _ if names.keyed.contains(owner) => Some(Class::Secret),
            _ if names.key_words.contains(word) || names.unkeyed.contains(owner) || owner.len() < 3 => None,
            _ => Some(Class::Faint),
        };
    }
    // Words that were written around one: `fooapikeyfoo`.
    let inside = |stem: &[u8]| {
        let found = word.windows(stem.len()).position(|there| there == stem);
        found.is_some_and(|at| word.len() - at - stem.len() <= 4)
    };
    if [&b"apikey"[..], b"privatekey", b"secretkey", b"accesskey"].iter().any(|stem| inside(stem)) {
        return Some(Class::Secret);
    }
    [&b"password"[..], b"passwd"].iter().any(|stem| inside(stem)).then_some(Class::Weak)
}

/// Of a key with more words than any name has only so many are judged, the last: others are encoded text.
const MOST: usize = 24;

/// The words of an identifier in lower case: `dbPassword`, `DB_PASSWORD`, `db-password`, `db.password` have the same two.
#[derive(Default)]
struct Parts {
    letters: Vec<u8>,
    /// Where each word ends.
    ends: Vec<usize>,
}

impl Parts {
    fn of(key: &[u8]) -> Parts {
        let mut parts = Parts { letters: Vec::with_capacity(key.len()), ends: Vec::with_capacity(8) };
        let mut before = 0_u8;
        for (index, byte) in key.iter().copied().enumerate() {
            let small = || key.get(index + 1).is_some_and(u8::is_ascii_lowercase);
            let humps = byte.is_ascii_uppercase()
                && (before.is_ascii_lowercase() || before.is_ascii_digit() || before.is_ascii_uppercase() && small());
            if !byte.is_ascii_alphanumeric() || humps {
                parts.end();
            }
            if byte.is_ascii_alphabetic() {
                parts.letters.push(byte.to_ascii_lowercase());
            }
            before = byte;
        }
        parts.end();
        let surplus = parts.ends.len().saturating_sub(MOST);
        if surplus > 0 {
            parts.letters.drain(..parts.ends[surplus - 1]);
            let cut = parts.ends[surplus - 1];
            parts.ends.drain(..surplus);
            parts.ends.iter_mut().for_each(|end| *end -= cut);
        }
        parts
    }

    /// Ends the word, if it has begun.
    fn end(&mut self) {
        if self.letters.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.letters.len());
        }
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.letters[start..self.ends[index]]
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index))
    }
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
