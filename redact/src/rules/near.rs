//! Tokens without a beginning of their own: they are told by their shape, by the name of their provider before them, and by a
//! word like `key` or `token` with it, or a `=` right behind it.

use std::ops::Range;
use std::sync::OnceLock;

use super::rule::{Left, Rule};
use super::{Broken, Compiled, Take, all};
use crate::kind::OPENING;

/// How far before a token its provider's name may stand.
pub(crate) const NEAR: usize = 60;
/// How long such a name is, at least and at most.
const SHORTEST: usize = 3;
const LONGEST: usize = 24;
/// How far before the name a word like `key` may stand.
const BEFORE: usize = 24;
/// All that is looked at before a token.
pub(crate) const WINDOW: usize = NEAR + LONGEST + BEFORE;

/// Words that say that what follows is something else, also with digits behind them (`sha256`).
const OTHER: &[&str] = &[
    "sha",
    "md",
    "crc",
    "digest",
    "hash",
    "checksum",
    "etag",
    "integrity",
    "fingerprint",
    "thumbprint",
    "commit",
    "revision",
    "rev",
    "ref",
    "trace",
    "span",
    "request",
    "correlation",
    "version",
    "image",
    "layer",
    "build",
    "cache",
    "uuid",
    "guid",
    "public",
    "publishable",
];
/// Words that say so only right before it.
const LABELS: &[&str] = &["id", "ids", "name", "url", "uri", "host", "path", "dir", "user", "username"];
/// Words that say that it is a secret, as ends of words. In each of them stands a literal that leads to a key.
const SECRETS: &[&str] = &["key", "keys", "token", "tokens", "secret", "secrets", "password", "passwd"];
/// The same, as whole words.
const ALONE: &[&str] = &["auth", "pass", "pwd", "credential", "credentials", "authorization"];

/// What the rules take whose tokens have no beginning of their own, of the run at `start`. `keyed`: a word like `key` may stand
/// in the [`WINDOW`] before it. An error names the rule that cannot run.
pub(crate) fn beside(
    text: &[u8],
    start: usize,
    keyed: bool,
) -> Result<Option<(Range<usize>, &'static Rule)>, &'static Rule> {
    let at = start + escape(text, start);
    // What is cheap to see stands before what is not: most runs are names in code.
    if !(keyed || has_equals(&text[..start])) || !is_like_token(&text[at..]) || !Left::Open.allows(text, at) {
        return Ok(None);
    }
    let named = if keyed {
        // A name stands on the same line, and near.
        let line = line(text, at);
        &line[line.len().saturating_sub(NEAR + LONGEST)..]
    } else {
        match bound(text, at).filter(|name| Names::get().knows(&text[*name..])) {
            Some(name) => &text[name..at],
            None => return Ok(None),
        }
    };
    for compiled in Names::get().within(named) {
        match compiled.take(text, at) {
            Ok(Take::Taken(range)) => return Ok(Some((range, compiled.rule))),
            Ok(Take::Unlikely(_) | Take::Nothing) => {}
            Err(Broken) => return Err(compiled.rule),
        }
    }
    Ok(None)
}

/// Whether what begins `text` may be a token of these rules: they take only what is mixed, see [`crate::words::is_mixed`].
fn is_like_token(text: &[u8]) -> bool {
    let (mut before, mut capitals, mut humps) = (0, 0, 0);
    for byte in &text[..text.len().min(super::REACH)] {
        let class = CLASSES[usize::from(*byte)];
        match class {
            0 => return false,
            DIGIT => return true,
            _ => {}
        }
        capitals += before & class & CAPITAL;
        humps += before >> 1 & class & CAPITAL;
        if capitals >= 2 && humps >= 3 {
            return true;
        }
        before = class;
    }
    false
}

/// What each byte of such tokens is; 0 for what is none.
const CLASSES: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' => CAPITAL,
            b'a'..=b'z' => SMALL,
            byte if is_part(byte) => 8,
            _ => 0,
        };
        byte += 1;
    }
    table
};
const CAPITAL: u32 = 1;
const SMALL: u32 = 2;
const DIGIT: u32 = 4;

/// Whether the tokens of these rules may have `byte` in them.
pub(super) const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'+' | b'/' | b'=' | b':' | b'%')
}

/// The names of providers, by their first bytes.
struct Names {
    slots: Vec<Vec<(&'static str, &'static Compiled)>>,
    /// For each value of [`Names::mixed`] whether there is a name with it, as bits.
    known: Vec<u64>,
}

impl Names {
    const SLOTS: usize = 1024;
    /// How many values [`Names::mixed`] has, as a power of two.
    const MIXED: u32 = 16;

    fn get() -> &'static Names {
        static NAMES: OnceLock<Names> = OnceLock::new();
        NAMES.get_or_init(|| {
            let mut names = Names { slots: vec![Vec::new(); Names::SLOTS], known: vec![0; (1 << Names::MIXED) / 64] };
            for compiled in all().iter().filter(|compiled| compiled.rule.prefixes.is_empty()) {
                for name in compiled.rule.near {
                    if let Some(first) = name.as_bytes().first_chunk() {
                        let mixed = Names::mixed(*first);
                        names.slots[mixed % Names::SLOTS].push((*name, compiled));
                        names.known[mixed / 64] |= 1 << (mixed % 64);
                    }
                }
            }
            names
        })
    }

    /// The names that may begin with these bytes, whatever their case.
    fn begin(&self, first: [u8; SHORTEST]) -> &[(&'static str, &'static Compiled)] {
        let mixed = Names::mixed(first);
        if self.known[mixed / 64] >> (mixed % 64) & 1 == 1 { &self.slots[mixed % Names::SLOTS] } else { &[] }
    }

    /// The first bytes of a name, whatever their case, as a number that says little else.
    fn mixed(first: [u8; SHORTEST]) -> usize {
        let number = u32::from_le_bytes([first[0], first[1], first[2], 0]) | 0x0020_2020;
        (number.wrapping_mul(0x9E37_79B1) >> (32 - Names::MIXED)) as usize
    }

    /// Whether a name begins `text`.
    fn knows(&self, text: &[u8]) -> bool {
        let begins =
            |name: &str| text.get(..name.len()).is_some_and(|there| there.eq_ignore_ascii_case(name.as_bytes()));
        text.first_chunk().is_some_and(|first| self.begin(*first).iter().any(|(name, _)| begins(name)))
    }

    /// The rules of which a name stands in `text`.
    fn within(&self, text: &[u8]) -> Vec<&'static Compiled> {
        let mut rules: Vec<&Compiled> = Vec::new();
        for (place, first) in text.windows(SHORTEST).enumerate() {
            let Some(first) = first.first_chunk() else { continue };
            for (name, compiled) in self.begin(*first) {
                let there = text.get(place..place + name.len());
                if there.is_some_and(|there| there.eq_ignore_ascii_case(name.as_bytes()))
                    && !rules.iter().any(|rule| rule.rule.id == compiled.rule.id)
                {
                    rules.push(compiled);
                }
            }
        }
        rules
    }
}

/// How many bytes at `at` belong to an escape that begins before them: `\n`, `\u003d`, `%3D`.
fn escape(text: &[u8], at: usize) -> usize {
    let hex = |count: usize, from: usize| {
        text.get(from..from + count).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    match (at.checked_sub(1).map(|before| text[before]), text.get(at)) {
        (Some(b'%'), _) if hex(2, at) => 2,
        (Some(b'\\'), Some(b'u')) if hex(4, at + 1) => 5,
        (Some(b'\\'), Some(b'n' | b't' | b'r')) => 1,
        _ => 0,
    }
}

/// What is looked at before `at`: of its line.
fn line(text: &[u8], at: usize) -> &[u8] {
    let from = at.saturating_sub(WINDOW);
    let line = memchr::memrchr2(b'\n', b'\r', &text[from..at]).map_or(from, |found| from + found + 1);
    &text[line..at]
}

/// Whether one of the last five bytes is a `=`: a quick look before [`bound`], which goes on only there.
fn has_equals(before: &[u8]) -> bool {
    match before.last_chunk::<8>() {
        Some(eight) => {
            // A byte that was equal is zero, and only from a zero one is borrowed.
            let zero = (u64::from_le_bytes(*eight) ^ u64::from_le_bytes([b'='; 8])) >> 24 | 0xFFFFFF << 40;
            zero.wrapping_sub(0x0101_0101_0101_0101) & !zero & 0x8080_8080_8080_8080 != 0
        }
        None => before.contains(&b'='),
    }
}

/// Where the name begins that a `=` binds to what stands at `at`.
fn bound(text: &[u8], at: usize) -> Option<usize> {
    let before = |end: usize, most: usize| text[end.saturating_sub(most)..end].iter().rev();
    let quiet = |end: usize| {
        let quiet = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'`' | b'\\');
        end - before(end, 4).take_while(quiet).count()
    };
    let equals = quiet(at).checked_sub(1).filter(|equals| text[*equals] == b'=')?;
    let end = quiet(equals);
    let named = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let name = end - before(end, NEAR).take_while(named).count();
    (name < end).then_some(name)
}

/// Whether the words before `token` say that it is a credential of the rule's provider, and nothing behind it that it is a
/// part of something longer.
pub(super) fn vouches(rule: &Rule, text: &[u8], token: Range<usize>) -> bool {
    let before = line(text, token.start);
    let alone = rule.prefixes.is_empty();
    if memchr::memmem::find(before, OPENING).is_some() || alone && !ends(&text[token.end..]) {
        return false;
    }
    let lower = before.to_ascii_lowercase();
    let names = rule.near.iter().filter_map(|name| last(before, &lower, name.as_bytes()));
    let Some(name) = names.max_by_key(|name| name.end) else { return false };
    let gap = &before[name.end..];
    if gap.len() > NEAR || words(gap).any(|word| is_one(word, OTHER)) {
        return false;
    }
    if !alone {
        return true;
    }
    let label = words(gap).last().is_some_and(|word| is_one(word, LABELS));
    let around = &before[name.start.saturating_sub(BEFORE)..];
    let named = || words(around).any(|word| ends_with(word, SECRETS) || is_one(word, ALONE));
    !label && (bound(text, token.start) == Some(token.start - before.len() + name.start) || named())
}

/// The last place where `name` stands; a short one must begin a word.
fn last(text: &[u8], lower: &[u8], name: &[u8]) -> Option<Range<usize>> {
    let mut end = lower.len();
    loop {
        let at = memchr::memmem::rfind(&lower[..end], name)?;
        let begins = at == 0
            || !text[at - 1].is_ascii_alphabetic()
            || text[at - 1].is_ascii_lowercase() && text[at].is_ascii_uppercase();
        if begins || name.len() > 4 {
            return Some(at..at + name.len());
        }
        end = at + name.len() - 1;
    }
}

/// Whether nothing follows that a token could be a part of.
fn ends(rest: &[u8]) -> bool {
    let quiet = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
    match rest.first() {
        Some(b'.') => rest.get(1).is_none_or(quiet),
        Some(byte) => quiet(byte) || b",;)]}<>|&\\%".contains(byte),
        None => true,
    }
}

/// The words of a text, also those that are written together like `apiKey`.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let runs = text.split(|byte| !byte.is_ascii_alphanumeric());
    let words =
        runs.flat_map(|run| run.chunk_by(|left, right| !(left.is_ascii_lowercase() && right.is_ascii_uppercase())));
    words.filter(|word| !word.is_empty())
}

/// Whether `word` is one of `list`, digits behind it apart.
fn is_one(word: &[u8], list: &[&str]) -> bool {
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let word = &word[..word.len() - digits];
    list.iter().any(|one| one.as_bytes().eq_ignore_ascii_case(word))
}

fn ends_with(word: &[u8], list: &[&str]) -> bool {
    list.iter()
        .any(|end| word.len().checked_sub(end.len()).is_some_and(|at| word[at..].eq_ignore_ascii_case(end.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_others() {
        for compiled in all() {
            for name in compiled.rule.near {
                assert!((SHORTEST..=LONGEST).contains(&name.len()) && *name == name.to_ascii_lowercase(), "{name}");
            }
        }
        let text = b"export DATADOG_API_KEY=0123";
        let found: Vec<_> = Names::get().within(&text[..23]).iter().map(|compiled| compiled.rule.id).collect();
        assert!(found.contains(&"datadog-key") && !found.contains(&"heroku-key"), "{found:?}");
        assert_eq!((bound(text, 23), bound(b"a b = 'x", 7), bound(b"a: x", 3)), (Some(7), Some(2), None));
    }

    #[test]
    fn every_word_for_a_secret_is_found_as_a_key() {
        for word in SECRETS.iter().chain(ALONE) {
            assert!(crate::key::LEADS.iter().any(|lead| word.contains(lead)), "{word}");
        }
    }

    #[test]
    fn words_are_told_apart() {
        let found: Vec<_> = words(b"my_apiKey--v2 = SHA256").collect();
        assert_eq!(found, [&b"my"[..], b"api", b"Key", b"v2", b"SHA256"]);
        assert!(is_one(b"SHA256", OTHER) && ends_with(b"apikey", SECRETS) && !is_one(b"shared", OTHER));
        assert_eq!((escape(b"\\n0", 1), escape(b"%3D0", 1), escape(b"\\u003d0", 1), escape(b"nn", 1)), (1, 2, 5, 0));
    }
}
