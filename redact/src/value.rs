//! Reading a value that stands behind a key: where it begins and ends, and how it goes on beyond a window.

use crate::hit::Until;

/// Where a value that began in an earlier window ends.
pub(crate) struct Stop {
    pub(crate) end: usize,
    pub(crate) open: bool,
}

/// Finds the end of a value that was cut by its window's end, from `at` on.
pub(crate) fn resume(text: &[u8], at: usize, until: Until) -> Stop {
    let rest = text.get(at..).unwrap_or_default();
    let len = match until {
        Until::Blank => rest.iter().position(|byte| ends_bare(*byte)),
        Until::Quote(quote) => closing(rest, quote),
        Until::Line => memchr::memchr2(b'\n', b'\r', rest),
        Until::Base64 => rest.iter().position(|byte| !is_body(*byte)),
    };
    Stop { end: at + len.unwrap_or(rest.len()), open: len.is_none() }
}

/// Whether an unquoted value ends before this byte.
pub(crate) fn ends_bare(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b'\r'
            | b'"'
            | b'\''
            | b'`'
            | b','
            | b';'
            | b'&'
            | b'<'
            | b'>'
            | b')'
            | b']'
            | b'}'
            | b'|'
    )
}

/// The first `quote` that is not escaped.
pub(crate) fn closing(text: &[u8], quote: u8) -> Option<usize> {
    memchr::memchr_iter(quote, text).find(|at| {
        let slashes = text[..*at].iter().rev().take_while(|byte| **byte == b'\\').count();
        slashes % 2 == 0
    })
}

fn is_body(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\n' | b'\r' | b' ' | b'\t' | b'\\')
}
