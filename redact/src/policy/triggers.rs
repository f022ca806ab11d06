//! Which patterns are worth trying where: one automaton for the words of all of them.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::pattern::{Broken, Pattern};
use super::rule::Rule;

/// Words of up to so many bytes together make a table that fits a cache; more of them are walked more slowly.
const TABLE: usize = 12 * 1024;

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
    automaton: AhoCorasick,
    /// Of each word, which patterns it leads to.
    leads: Vec<Vec<usize>>,
    pub(crate) plans: Vec<Plan>,
    /// Of each rule, the words that are its keywords, where they must be looked for apart.
    pub(crate) keywords: Vec<Vec<usize>>,
    /// Of each word, whether it is one of those.
    is_keyword: Vec<bool>,
}

impl Triggers {
    pub(crate) fn new(rules: &[Rule], user: &[Pattern]) -> Result<Triggers, Broken> {
        let mut words: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let mut number = |word: Vec<u8>| {
            let next = words.len();
            *words.entry(word).or_insert(next)
        };
        let mut leads: Vec<(usize, usize)> = Vec::new();
        let mut plans = Vec::with_capacity(rules.len() + user.len());
        let mut keywords = Vec::with_capacity(rules.len());
        for rule in rules {
            keywords.push(if rule.implies_keywords() {
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
                    leads.extend(needles.iter().map(|needle| (number(needle.clone()), source)));
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
        let small = texts.iter().map(Vec::len).sum::<usize>() <= TABLE;
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(if small { AhoCorasickKind::DFA } else { AhoCorasickKind::ContiguousNFA }))
            .build(&texts)
            .map_err(|_| Broken)?;
        let mut by_word = vec![Vec::new(); texts.len()];
        for (word, source) in leads {
            by_word[word].push(source);
        }
        let mut is_keyword = vec![false; texts.len()];
        for word in keywords.iter().flatten() {
            is_keyword[*word] = true;
        }
        Ok(Triggers { automaton, leads: by_word, plans, keywords, is_keyword })
    }

    /// Calls `lead` for each pattern that a word of `text` leads to, in order, and returns where each keyword stands.
    pub(crate) fn walk(
        &self,
        text: &[u8],
        mut lead: impl FnMut(usize, usize) -> Result<(), Broken>,
    ) -> Result<Vec<Vec<usize>>, Broken> {
        let mut places = vec![Vec::new(); self.leads.len()];
        for found in self.automaton.find_overlapping_iter(text) {
            let word = found.pattern().as_usize();
            if self.is_keyword[word] {
                places[word].push(found.start());
            }
            for source in &self.leads[word] {
                lead(*source, found.start())?;
            }
        }
        Ok(places)
    }
}

/// A keyword in the cases that the automaton cannot fold: beyond ASCII it is looked for in lower and in upper case.
fn cases(keyword: &str) -> Vec<Vec<u8>> {
    let lower = keyword.to_lowercase();
    let upper = keyword.to_uppercase();
    if keyword.is_ascii() { vec![lower.into_bytes()] } else { vec![lower.into_bytes(), upper.into_bytes()] }
}
