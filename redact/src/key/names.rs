//! The words that names of secrets are made of, by what they say.

use std::sync::OnceLock;

use super::headers::HEADERS;
use crate::hash::Words;

const NAMES: &str = include_str!("names.txt");

/// Sets of words in lower case.
#[derive(Default)]
pub(super) struct Names {
    /// Headers whose value is a credential or a signature.
    pub(super) headers: Words,
    /// Last words that make of a secret's name the name of something about it.
    pub(super) about: Words,
    /// Words before `key` that make it a secret's, and with which it is none.
    pub(super) keyed: Words,
    pub(super) unkeyed: Words,
    /// Words that end with `key` and are none.
    pub(super) key_words: Words,
    /// Words that name a password, and another secret.
    pub(super) passwords: Words,
    pub(super) secrets: Words,
    /// Words before `pass` that make a turn of it.
    pub(super) passes: Words,
    /// Words before `pat` that make a token of it.
    pub(super) owners: Words,
    /// Ends of words that are written together, and ends with which a word is no secret's.
    pub(super) password_ends: Vec<&'static [u8]>,
    pub(super) secret_ends: Vec<&'static [u8]>,
    pub(super) not_ends: Vec<&'static [u8]>,
    /// Words before `token` that tell what else it is: a page's, a model's, a form's.
    pub(super) paging: Words,
}

/// The sets, read when first asked for.
pub(super) fn names() -> &'static Names {
    static SETS: OnceLock<Names> = OnceLock::new();
    SETS.get_or_init(|| {
        let headers = HEADERS.iter().map(|header| header.as_bytes()).collect();
        let mut names = Names { headers, ..Names::default() };
        let mut section = "";
        for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name;
                continue;
            }
            let words = line.split_ascii_whitespace().map(str::as_bytes);
            match section {
                "about" => names.about.extend(words),
                "keyed" => names.keyed.extend(words),
                "unkeyed" => names.unkeyed.extend(words),
                "key-words" => names.key_words.extend(words),
                "passwords" => names.passwords.extend(words),
                "secrets" => names.secrets.extend(words),
                "passes" => names.passes.extend(words),
                "owners" => names.owners.extend(words),
                "password-ends" => names.password_ends.extend(words),
                "secret-ends" => names.secret_ends.extend(words),
                "not-ends" => names.not_ends.extend(words),
                _ => names.paging.extend(words),
            }
        }
        names
    })
}
