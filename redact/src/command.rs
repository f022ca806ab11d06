//! Stage 2: secrets that stand where a command or statement has them, with no key before them.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::error::Error;
use crate::hit::Hit;
use crate::kind::{self, Kind};
use crate::words::{is_place, is_stand_in};

/// How far a command is looked at.
const REACH: usize = 512;

/// A literal in lower case, and the pattern that begins with it; groups are what goes.
const COMMANDS: &[(&str, &str)] = &[
    ("mysql", r#"mysql(?:dump|admin)?\s(?:[^\n|;]*?\s)?-p(?:'([^'\n]{4,})'|"([^"\n]{4,})"|([^\s'"]{4,}))"#),
    ("curl ", r#"curl\s[^\n]*?(?:-u|--user|--proxy-user)[ =]?['"]?[^\s:'"]{1,64}:([^\s'"]+)"#),
    ("sshpass ", r#"sshpass\s+-p\s*['"]?([^\s'"]+)"#),
    ("login ", r#"login\s(?:[^\n]*?\s)?-p\s+['"]?([^\s'"]+)"#),
    ("redis-cli ", r#"redis-cli\s(?:[^\n]*?\s)?-a\s+['"]?([^\s'"]+)"#),
    ("requirepass ", r#"requirepass\s+['"]?([^\s'"]+)"#),
    ("identified ", r#"identified\s+(?:with\s+\S+\s+)?by\s+(?:password\s+)?['"]([^'"\n]+)['"]"#),
    ("auth=(", r#"auth=\(\s*['"][^'"\n]*['"]\s*,\s*['"]([^'"\n]+)['"]"#),
    ("sessionid=", r"sessionid=([A-Za-z0-9._%!~-]{12,})"),
];

pub(crate) fn literals() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(literal, _)| *literal)
}

/// Judges the command at `at`; returns where it was looked at up to.
pub(crate) fn judge(text: &[u8], at: usize, index: usize, hits: &mut Vec<Hit>) -> Result<usize, Error> {
    static PATTERNS: OnceLock<Vec<Option<Regex>>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let compile = |pattern: &str| {
            RegexBuilder::new(&format!("^(?:{pattern})")).unicode(false).case_insensitive(true).build().ok()
        };
        COMMANDS.iter().map(|(_, pattern)| compile(pattern)).collect()
    });
    let pattern = patterns.get(index).and_then(Option::as_ref);
    let pattern = pattern.ok_or_else(|| Error::Rule { rule: "command".to_owned() })?;
    let window = &text[at..text.len().min(at + REACH)];
    let window = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let Some(groups) = pattern.captures(window) else { return Ok(at + window.len() / 2) };
    let mut end = at;
    for group in groups.iter().skip(1).flatten() {
        let value = group.as_bytes();
        let plain = value.iter().all(|byte| byte.is_ascii_lowercase() || b"_.-[]()".contains(byte));
        let marked = memchr::memmem::find(value, kind::OPENING).is_some();
        if value.len() >= 4 && !plain && !marked && !is_stand_in(value) && !is_place(value) && value[0] != b'$' {
            hits.push(Hit::new(at + group.start()..at + group.end(), Kind::SecretPattern, "command-secret"));
        }
        end = at + group.end();
    }
    Ok(end)
}
