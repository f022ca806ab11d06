//! What every match of a pattern must hold: words that are cheap to look for before the pattern is tried.

use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Class, Hir, HirKind};

/// The shortest word worth looking for, in bytes.
pub(crate) const SHORTEST: usize = 3;
/// The longest that is kept of one.
const LONGEST: usize = 32;
/// The most words of a set.
const MOST: usize = 64;
/// The most sets that are kept.
const SETS: usize = 16;

/// Sets of words, in lower case, of each of which every match of `hir` holds at least one in one case or another. The best
/// comes first; there may be none.
pub(crate) fn of(hir: &Hir) -> Vec<Vec<Vec<u8>>> {
    let mut sets = Vec::new();
    collect(hir, &mut sets);
    let prefixes = Extractor::new().kind(ExtractKind::Prefix).extract(hir);
    if let Some(literals) = prefixes.literals() {
        sets.push(literals.iter().map(|literal| literal.as_bytes().to_ascii_lowercase()).collect());
    }
    for set in &mut sets {
        set.sort_unstable();
        set.dedup();
    }
    sets.retain(|set| !set.is_empty() && set.len() <= MOST && set.iter().all(|word| word.len() >= SHORTEST));
    // Long words are rare ones; beyond that, few are better than many.
    sets.sort_by_key(|set| (std::cmp::Reverse(shortest(set).min(6)), set.len(), std::cmp::Reverse(shortest(set))));
    sets.dedup();
    sets.truncate(SETS);
    sets
}

fn shortest(set: &[Vec<u8>]) -> usize {
    set.iter().map(Vec::len).min().unwrap_or_default()
}

/// Adds sets that hold for `hir`.
fn collect(hir: &Hir, sets: &mut Vec<Vec<Vec<u8>>>) {
    let mut parts = Vec::new();
    flatten(hir, &mut parts);
    let mut word = Vec::new();
    for part in parts {
        if letters(part, &mut word) {
            continue;
        }
        close(&mut word, sets);
        match part.kind() {
            HirKind::Repetition(repetition) if repetition.min > 0 => collect(&repetition.sub, sets),
            HirKind::Alternation(branches) => {
                let mut union: Vec<Vec<u8>> = Vec::new();
                for branch in branches {
                    let mut own = Vec::new();
                    collect(branch, &mut own);
                    own.retain(|set| set.len() <= MOST);
                    let best = own.into_iter().max_by_key(|set| (shortest(set).min(6), std::cmp::Reverse(set.len())));
                    let Some(best) = best else {
                        union.clear();
                        break;
                    };
                    union.extend(best);
                    if union.len() > MOST {
                        union.clear();
                        break;
                    }
                }
                if !union.is_empty() {
                    sets.push(union);
                }
            }
            _ => {}
        }
    }
    close(&mut word, sets);
}

fn close(word: &mut Vec<u8>, sets: &mut Vec<Vec<Vec<u8>>>) {
    if !word.is_empty() {
        word.truncate(LONGEST);
        sets.push(vec![std::mem::take(word)]);
    }
}

/// The parts that follow each other, groups undone.
fn flatten<'h>(hir: &'h Hir, parts: &mut Vec<&'h Hir>) {
    match hir.kind() {
        HirKind::Concat(inner) => inner.iter().for_each(|part| flatten(part, parts)),
        HirKind::Capture(capture) => flatten(&capture.sub, parts),
        // They stand between characters.
        HirKind::Empty | HirKind::Look(_) => {}
        _ => parts.push(hir),
    }
}

/// Adds what `hir` matches to a word, if that is always the same but for the case of ASCII letters.
fn letters(hir: &Hir, word: &mut Vec<u8>) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => word.extend(literal.0.to_ascii_lowercase()),
        HirKind::Class(class) => match letter(class) {
            Some(letter) => word.push(letter),
            None => return false,
        },
        HirKind::Repetition(repetition) if repetition.max == Some(repetition.min) && repetition.min <= 8 => {
            let mut once = Vec::new();
            if !letters(&repetition.sub, &mut once) {
                return false;
            }
            (0..repetition.min).for_each(|_| word.extend(&once));
        }
        _ => return false,
    }
    true
}

/// The letter that a class of its two cases stands for.
fn letter(class: &Class) -> Option<u8> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Bytes(class) => {
            class.ranges().iter().take(3).map(|r| (u32::from(r.start()), u32::from(r.end()))).collect()
        }
        Class::Unicode(class) => {
            class.ranges().iter().take(3).map(|r| (u32::from(r.start()), u32::from(r.end()))).collect()
        }
    };
    match ranges[..] {
        [(upper, upper_end), (lower, lower_end)] if upper == upper_end && lower == lower_end => {
            let (upper, lower) = (u8::try_from(upper).ok()?, u8::try_from(lower).ok()?);
            (upper.is_ascii_uppercase() && upper.to_ascii_lowercase() == lower).then_some(lower)
        }
        [(only, end)] if only == end => {
            u8::try_from(only).ok().filter(u8::is_ascii).map(|byte| byte.to_ascii_lowercase())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(pattern: &str) -> Vec<String> {
        let hir = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).unwrap();
        let sets = of(&hir);
        let words = sets.into_iter().next().unwrap_or_default();
        words.into_iter().map(|word| String::from_utf8(word).unwrap()).collect()
    }

    #[test]
    fn every_match_holds_one_of_them() {
        assert_eq!(best("(?i)[a-z]{0,9}(?:adobe)[a-z]{0,9}=([a-f0-9]{32})"), ["adobe"]);
        assert_eq!(best("gh[pousr]_[0-9A-Za-z]{36}"), ["gho_", "ghp_", "ghr_", "ghs_", "ghu_"]);
        assert_eq!(best("(?:access|(?-i:[Aa]pi|API)|(?:secret|token))x"), ["accessx", "apix", "secretx", "tokenx"]);
        assert_eq!(best("(?:[0-9]{40}access|[Aa]pi|(?:secret|token))[0-9]"), ["access", "api", "secret", "token"]);
        assert_eq!(best("(?i)(foo|bar)?[0-9]+_key"), ["_key"]);
        assert_eq!(best("(?:abc)+d"), ["abc"]);
        assert_eq!(best("a{4}x"), ["aaaax"]);
        for none in ["[a-z]{32}", "(?:abc|[0-9])x", "ab", "(?:abc)?[0-9]", "(?:abc)*"] {
            assert_eq!(best(none), Vec::<String>::new(), "{none}");
        }
    }
}
