//! Which patterns are worth trying where, by one look for the words of all of them.

use std::collections::BTreeMap;

use super::pattern::{Broken, Pattern};
use super::rule::Rule;
use super::words::Words;

/// By word, where it stands, in order.
pub(crate) type Places = BTreeMap<usize, Vec<usize>>;

/// How a pattern is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// In lines that hold a word which every match of it holds.
    Words,
    /// In lines near one of its keywords.
    Near,
    /// In every line.
    Everywhere,
}

/// The plans of all patterns, and the words that they wait for. Patterns have numbers: first the rules, then the user's.
pub(crate) struct Triggers {
    words: Words,
    lengths: Vec<usize>,
    /// Of each word, which patterns it leads to, and whether the rest of the pattern must follow it.
    leads: Vec<Vec<(usize, bool)>>,
    /// Patterns that wait for no word.
    pub(crate) others: Vec<(usize, Plan)>,
    /// Of each rule, the words that are its keywords, where they must be looked for apart.
    pub(crate) keywords: Vec<Vec<usize>>,
    /// Of each word, whether it is one of those.
    is_keyword: Vec<bool>,
}

impl Triggers {
    pub(crate) fn new(rules: &[Rule], user: &[Pattern]) -> Triggers {
        let mut words: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let mut number = |word: Vec<u8>| {
            let next = words.len();
            *words.entry(word).or_insert(next)
        };
        let mut leads: Vec<(usize, usize, bool)> = Vec::new();
        let mut plans = Vec::with_capacity(rules.len() + user.len());
        let mut keywords = Vec::with_capacity(rules.len());
        for rule in rules {
            // What is a single byte stands everywhere.
            keywords.push(if rule.implies_keywords() || rule.keywords.iter().any(|keyword| keyword.len() < 2) {
                Vec::new()
            } else {
                rule.keywords.iter().flat_map(|keyword| cases(keyword)).map(&mut number).collect()
            });
        }
        let patterns = rules.iter().map(|rule| rule.pattern.as_ref()).chain(user.iter().map(Some));
        for (source, pattern) in patterns.enumerate() {
            let needles = pattern.and_then(|pattern| pattern.needles.first());
            plans.push(match needles {
                Some(needles) => {
                    leads
                        .extend(needles.words.iter().map(|needle| (number(needle.text.clone()), source, needle.exact)));
                    Plan::Words
                }
                None if keywords.get(source).is_some_and(|keywords| !keywords.is_empty()) => Plan::Near,
                None => Plan::Everywhere,
            });
        }
        let mut texts = vec![Vec::new(); words.len()];
        for (word, index) in words {
            texts[index] = word;
        }
        let mut by_word = vec![Vec::new(); texts.len()];
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        for (word, source, exact) in leads {
            by_word[word].push((source, exact));
        }
        let mut is_keyword = vec![false; texts.len()];
        for word in keywords.iter().flatten() {
            is_keyword[*word] = true;
        }
        let others = plans.iter().enumerate().filter(|(_, plan)| **plan != Plan::Words);
        let others = others.map(|(source, plan)| (source, *plan)).collect();
        Triggers { words: Words::new(texts), lengths, leads: by_word, others, keywords, is_keyword }
    }

    /// Calls `lead` for each pattern that a word of `text` leads to, with the place, and with the word's end where the rest of
    /// the pattern must follow; about in order. Returns where keywords stand.
    pub(crate) fn walk(
        &self,
        text: &[u8],
        mut lead: impl FnMut(usize, usize, Option<usize>) -> Result<(), Broken>,
    ) -> Result<Places, Broken> {
        let mut places = Places::new();
        self.words.find(text, |word, at| {
            if self.is_keyword[word] {
                places.entry(word).or_default().push(at);
            }
            let end = at + self.lengths[word];
            // A word that begins with a line's break is looked at in the line behind it.
            let breaks = text[at..end].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
            let at = if at + breaks < end { at + breaks } else { at };
            self.leads[word].iter().try_for_each(|(source, exact)| lead(*source, at, exact.then_some(end)))
        })?;
        Ok(places)
    }
}

/// A keyword in the cases that the automaton cannot fold: beyond ASCII it is looked for in lower and in upper case.
fn cases(keyword: &str) -> Vec<Vec<u8>> {
    let lower = keyword.to_lowercase();
    // What is ASCII is folded in any case.
    let upper = keyword.to_uppercase().to_ascii_lowercase();
    if keyword.is_ascii() { vec![lower.into_bytes()] } else { vec![lower.into_bytes(), upper.into_bytes()] }
}
