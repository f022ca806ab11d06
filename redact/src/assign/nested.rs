//! Values that do not begin right behind their bond: in brackets, or on the next line.

use std::ops::Range;

use super::bond::Bond;
use crate::key::Class;
use crate::kind;
use crate::value::{Quote, Value, indent, skip_blanks};
use crate::words::is_sure;

/// Where a value stands that does not begin right behind its bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nested {
    No,
    /// In brackets.
    List,
    /// On the next line, deeper.
    Line,
    /// On the next line, as an item of a list.
    Item,
    /// On the next line, in a tag.
    Text,
}

/// Goes into brackets, behind a YAML tag, or to the next line.
pub(super) fn nested(text: &[u8], key: &Range<usize>, at: usize, bond: Bond) -> (usize, Nested) {
    if !matches!(bond, Bond::Colon | Bond::Equals | Bond::Tag) {
        return (at, Nested::No);
    }
    let rest = &text[at.min(text.len())..];
    match rest.first() {
        Some(b'[' | b'(') if !rest.starts_with(kind::OPENING) && bond != Bond::Tag => {
            let inside = skip_lines(text, at + 1);
            let quoted = Quote::read(text, inside).is_some();
            let bare = rest[0] == b'[' && text.get(inside).is_some_and(u8::is_ascii_alphanumeric);
            if quoted || bare && bond == Bond::Colon { (inside, Nested::List) } else { (at, Nested::No) }
        }
        // A line that goes on: its value is a string.
        Some(b'\\') if matches!(rest.get(1), Some(b'\n' | b'\r')) => {
            let next = skip_lines(text, at + 1);
            if Quote::read(text, next).is_some() { (next, Nested::No) } else { (at, Nested::No) }
        }
        Some(b'\n' | b'\r') if bond == Bond::Tag => (skip_lines(text, at), Nested::Text),
        Some(b'\n' | b'\r') => {
            let next = at + 1 + usize::from(rest.starts_with(b"\r\n"));
            let line = memchr::memrchr(b'\n', &text[..key.start]).map_or(0, |newline| newline + 1);
            let mut start = skip_blanks(text, next);
            let item = text[start..].starts_with(b"- ");
            if item {
                start = skip_blanks(text, start + 1);
            }
            let deeper = start - next > indent(&text[line..key.start]) || item;
            let quoted = Quote::read(text, start).is_some();
            let nested = if item { Nested::Item } else { Nested::Line };
            if deeper && (bond == Bond::Colon || quoted) { (start, nested) } else { (at, Nested::No) }
        }
        _ => (at, Nested::No),
    }
}

/// Where the next element begins behind one that began at `start` and ended at `end`.
pub(super) fn next(text: &[u8], start: usize, end: usize, nested: Nested) -> Option<usize> {
    match nested {
        Nested::List => {
            let comma = skip_lines(text, end);
            let next = skip_lines(text, comma + 1);
            (text.get(comma) == Some(&b',') && !matches!(text.get(next), None | Some(b']' | b')' | b'{' | b'[')))
                .then_some(next)
        }
        Nested::Item => {
            let newline = end + text[end..].iter().take(2).position(|byte| *byte == b'\n')?;
            let dash = skip_blanks(text, newline + 1);
            let line = memchr::memrchr(b'\n', &text[..start]).map_or(0, |newline| newline + 1);
            (text[dash..].starts_with(b"- ") && dash - newline - 1 == indent(&text[line..start]))
                .then(|| skip_blanks(text, dash + 1))
        }
        _ => None,
    }
}

/// Skips blanks and line breaks, at most 128 of them.
pub(super) fn skip_lines(text: &[u8], at: usize) -> usize {
    at + text[at.min(text.len())..].iter().take(128).take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Whether a value that stands on a line of its own is a secret's: nothing behind it, no key, no mere word.
pub(super) fn is_alone(text: &[u8], value: &Value, class: Class) -> bool {
    let end = value.range.end + value.quote.map_or(0, Quote::len);
    let bytes = &text[value.range.clone()];
    let quoted = value.quote.is_some() && class == Class::Password;
    matches!(text.get(end), None | Some(b'\n' | b'\r' | b',' | b';'))
        && !bytes.ends_with(b":")
        && (quoted || bytes.iter().any(u8::is_ascii_digit) || is_sure(bytes, 12))
        && (quoted || !bytes.trim_ascii_end().strip_suffix(b"==").unwrap_or(bytes).contains(&b'='))
}
