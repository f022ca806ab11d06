//! What every match of a pattern must hold: words that are cheap to look for before the pattern is tried.

use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// The shortest word worth looking for, in bytes.
const SHORTEST: usize = 2;
/// The longest that is kept of one.
pub(crate) const LONGEST: usize = 32;
/// The most words of a set that are as short as that: they stand in many places.
const SHORT: usize = 4;
/// The most words of a set.
const MOST: usize = 64;
/// The most sets that are kept.
const SETS: usize = 16;

/// Words of which every match of a pattern holds at least one, in one case or another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needles {
    pub(crate) words: Vec<Needle>,
    /// A pattern for what begins right behind a word that is exact.
    pub(crate) rest: Option<String>,
}

/// One of the words, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needle {
    pub(crate) text: Vec<u8>,
    /// The part of the pattern that it is for matches nothing else, so that the rest of the pattern begins behind it.
    pub(crate) exact: bool,
}

impl Needles {
    fn shortest(&self) -> usize {
        self.words.iter().map(|word| word.text.len()).min().unwrap_or_default()
    }

    /// The least number of different bytes in a word: what repeats itself stands all over where it stands at all.
    fn variety(&self) -> usize {
        let of = |word: &Needle| word.text.iter().collect::<std::collections::BTreeSet<_>>().len();
        self.words.iter().map(of).min().unwrap_or_default()
    }

    fn is_good(&self) -> bool {
        let short = self.words.iter().filter(|word| word.text.len() < 3).count();
        self.shortest() >= SHORTEST && short <= SHORT && self.words.len() <= MOST
    }

    /// What comes first in the order of worth. Words of many bytes are rare ones; beyond four, few are better than many.
    fn worth(&self) -> impl Ord + use<> {
        let variety = self.variety();
        (std::cmp::Reverse(variety.min(4)), self.words.len(), self.rest.is_none(), std::cmp::Reverse(variety))
    }
}

/// The sets of words of `hir`, the best first; there may be none.
pub(crate) fn of(hir: &Hir) -> Vec<Needles> {
    let mut sets = Vec::new();
    collect(hir, &mut sets);
    let prefixes = Extractor::new().kind(ExtractKind::Prefix).limit_class(40).extract(hir);
    if let Some(literals) = prefixes.literals() {
        let word = |text: &[u8]| Needle { text: text.to_ascii_lowercase(), exact: false };
        sets.push(Needles { words: literals.iter().map(|literal| word(literal.as_bytes())).collect(), rest: None });
    }
    for set in &mut sets {
        set.words.sort_unstable();
        // Of the same word the one that says less stays: it comes first.
        set.words.dedup_by(|next, first| next.text == first.text);
    }
    sets.retain(Needles::is_good);
    sets.sort_by_key(Needles::worth);
    sets.truncate(SETS);
    sets
}

/// Adds sets that hold for `hir`.
fn collect(hir: &Hir, sets: &mut Vec<Needles>) {
    let mut parts = Vec::new();
    flatten(hir, &mut parts);
    let mut word = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if letters(part, &mut word) {
            continue;
        }
        close(&mut word, &parts[index..], sets);
        match part.kind() {
            HirKind::Repetition(repetition) if repetition.min > 0 => {
                let before = sets.len();
                collect(&repetition.sub, sets);
                // What follows there may be the same again.
                sets[before..].iter_mut().for_each(|set| set.rest = None);
            }
            HirKind::Alternation(branches) => {
                let words: Option<Vec<Vec<Needle>>> = branches.iter().map(branch).collect();
                let words: Vec<Needle> = words.into_iter().flatten().flatten().collect();
                if (1..=MOST).contains(&words.len()) {
                    sets.push(Needles { words, rest: rest(&parts[index + 1..]) });
                }
            }
            _ => {}
        }
    }
    close(&mut word, &[], sets);
}

/// The words of a branch; `None` if it has no good ones.
fn branch(hir: &Hir) -> Option<Vec<Needle>> {
    if let Some(words) = exact(hir) {
        return Some(words.into_iter().map(|text| Needle { text, exact: true }).collect());
    }
    let mut sets = Vec::new();
    collect(hir, &mut sets);
    let best = sets.into_iter().filter(Needles::is_good).min_by_key(Needles::worth)?;
    Some(best.words.into_iter().map(|word| Needle { exact: false, ..word }).collect())
}

/// The words that `hir` matches, if they are few.
fn exact(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    let mut word = Vec::new();
    match hir.kind() {
        HirKind::Capture(capture) => exact(&capture.sub),
        HirKind::Alternation(branches) => {
            let words: Option<Vec<Vec<Vec<u8>>>> = branches.iter().map(exact).collect();
            Some(words?.into_iter().flatten().collect())
        }
        HirKind::Concat(parts) => parts.iter().all(|part| letters(part, &mut word)).then(|| vec![word]),
        _ => letters(hir, &mut word).then(|| vec![word]),
    }
    .filter(|words: &Vec<Vec<u8>>| words.len() <= MOST && words.iter().all(|word| word.len() <= LONGEST))
}

fn close(word: &mut Vec<u8>, rest: &[&Hir], sets: &mut Vec<Needles>) {
    if !word.is_empty() {
        let exact = word.len() <= LONGEST;
        word.truncate(LONGEST);
        sets.push(Needles { words: vec![Needle { text: std::mem::take(word), exact }], rest: self::rest(rest) });
    }
}

/// A pattern for the parts behind a word, if it asks for anything.
fn rest(parts: &[&Hir]) -> Option<String> {
    let asks = parts.iter().any(|part| part.properties().minimum_len().is_none_or(|len| len > 0));
    asks.then(|| parts.iter().map(|part| format!("(?:{})", unbound(part))).collect())
}

/// The same without conditions on what stands around: what is behind a word is looked at alone.
fn unbound(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Look(_) => Hir::empty(),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => hir.clone(),
        HirKind::Capture(capture) => unbound(&capture.sub),
        HirKind::Repetition(repetition) => {
            Hir::repetition(Repetition { sub: Box::new(unbound(&repetition.sub)), ..repetition.clone() })
        }
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(unbound).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(unbound).collect()),
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
            class.ranges().iter().take(3).map(|range| (u32::from(range.start()), u32::from(range.end()))).collect()
        }
        Class::Unicode(class) => {
            class.ranges().iter().take(3).map(|range| (u32::from(range.start()), u32::from(range.end()))).collect()
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

    fn first(pattern: &str) -> Needles {
        let hir = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).unwrap();
        of(&hir).into_iter().next().unwrap_or_default()
    }

    fn best(pattern: &str) -> Vec<String> {
        first(pattern).words.into_iter().map(|word| String::from_utf8(word.text).unwrap()).collect()
    }

    #[test]
    fn every_match_holds_one_of_them() {
        assert_eq!(best("(?i)[a-z]{0,9}(?:adobe)[a-z]{0,9}=([a-f0-9]{32})"), ["adobe"]);
        assert_eq!(best("gh[pousr]_[0-9A-Za-z]{36}"), ["gho_", "ghp_", "ghr_", "ghs_", "ghu_"]);
        assert_eq!(best("ghp_[0-9A-Za-z]{36}"), ["ghp_"]);
        assert_eq!((best("SK[0-9a-f]{32}").len(), &best("SK[0-9a-f]{32}")[15][..]), (16, "skf"));
        assert_eq!(best("(?:[0-9]{40}access|[Aa]pi|(?:secret|token))[0-9]"), ["access", "api", "secret", "token"]);
        assert_eq!(best("(?i)(foo|bar)?[0-9]+_key"), ["_key"]);
        assert_eq!(best("(?:abc)+d"), ["abc"]);
        assert_eq!(best("a{4}x"), ["aaaax"]);
        for none in ["[a-z]{32}", "(?:abc|[0-9])[xy]", "a", "(?:abc)?[0-9]", "(?:abc)*"] {
            assert_eq!(best(none), Vec::<String>::new(), "{none}");
        }
    }

    #[test]
    fn what_follows_is_known_behind_exact_words() {
        let needles = first("(?i)[a-z]{0,9}(?:adobe|(?:api|key))[a-z]{0,9}=([a-f0-9]{32})");
        assert!(needles.words.iter().all(|word| word.exact) && needles.words.len() == 3);
        let rest = regex::bytes::Regex::new(&format!(r"\A{}", needles.rest.unwrap())).unwrap();
        assert!(rest.is_match(format!("id={}", "a1".repeat(16)).as_bytes()));
        assert!(!rest.is_match(format!("-id={}", "a1".repeat(16)).as_bytes()));
        let needles = first("x?(?:passw(?:or)?d|token)=[0-9]");
        let exact: Vec<_> = needles.words.iter().map(|word| (&word.text[..], word.exact)).collect();
        assert_eq!(exact, [(&b"passw"[..], false), (b"token", true)]);
        assert_eq!(first("[0-9]{4}abc[0-9]*").rest, None, "nothing is asked for");
        assert_eq!(first("(?:[0-9]abc[0-9])+x").rest, None, "it may begin again");
    }
}
