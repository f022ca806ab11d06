//! Values that stand for something else, by what they say.

use std::sync::OnceLock;

use crate::hash::Words;

const LISTS: &str = include_str!("lists.txt");

/// Words and parts of words in lower case.
#[derive(Default)]
pub(super) struct Lists {
    /// Values that stand for a type, a switch or nothing.
    pub(super) plain: Words,
    /// Beginnings of values that refer to a secret instead of being one.
    pub(super) references: Beginnings,
    /// Beginnings of placeholders.
    pub(super) placeholders: Beginnings,
    /// Words that make a placeholder of a name.
    pub(super) pretenders: Vec<&'static [u8]>,
    /// Ends of file names.
    pub(super) extensions: Vec<&'static [u8]>,
}

/// Beginnings of values, by their first byte.
#[derive(Default)]
pub(super) struct Beginnings(Vec<Vec<&'static [u8]>>);

impl Beginnings {
    fn add(&mut self, words: impl Iterator<Item = &'static [u8]>) {
        self.0.resize(256, Vec::new());
        for word in words {
            self.0[usize::from(word[0])].push(word);
        }
    }

    /// Whether one of them begins `value`.
    pub(super) fn begin(&self, value: &[u8]) -> bool {
        let first = value.first().and_then(|first| self.0.get(usize::from(*first)));
        first.is_some_and(|words| words.iter().any(|word| value.starts_with(word)))
    }
}

/// The lists, read when first asked for.
pub(super) fn lists() -> &'static Lists {
    static SETS: OnceLock<Lists> = OnceLock::new();
    SETS.get_or_init(|| {
        let mut lists = Lists::default();
        let mut section = "";
        for line in LISTS.lines().filter(|line| !line.starts_with('#')) {
            let name = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
            if let Some(name) = name.filter(|name| !name.contains(' ')) {
                section = name;
                continue;
            }
            let words = line.split_ascii_whitespace().map(str::as_bytes);
            match section {
                "plain" => lists.plain.extend(words),
                "references" => lists.references.add(words),
                "placeholders" => lists.placeholders.add(words),
                "pretenders" => lists.pretenders.extend(words),
                _ => lists.extensions.extend(words),
            }
        }
        lists
    })
}
