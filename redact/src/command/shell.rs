//! The words of a shell command: where each begins and ends, with its quotes, over continued lines.

use std::ops::Range;

/// How far a command is read.
const REACH: usize = 4 * 1024;
/// How many lines it may go on over.
const LINES: usize = 24;

/// Walks the words of one command.
pub(super) struct Words<'t> {
    text: &'t [u8],
    at: usize,
    limit: usize,
    lines: usize,
}

impl<'t> Words<'t> {
    /// The words behind the command's name, which ends at `at`.
    pub(super) fn new(text: &'t [u8], at: usize) -> Words<'t> {
        Words { text, at, limit: text.len().min(at + REACH), lines: 0 }
    }

    /// Up to where the command was read.
    pub(super) fn end(&self) -> usize {
        self.at
    }

    /// The range of the next word, with its quotes.
    pub(super) fn next(&mut self) -> Option<Range<usize>> {
        loop {
            match self.text.get(self.at..self.limit)? {
                [b' ' | b'\t', ..] => self.at += 1,
                // The line goes on: also as a log prints it, or in a string.
                [b'\\', b'\n', ..] if self.lines < LINES => self.skip_line(2),
                [b'\\', b'\r', b'\n', ..] if self.lines < LINES => self.skip_line(3),
                [] | [b'\n' | b'\r' | b'|' | b';' | b'`', ..] => return None,
                _ => break,
            }
        }
        let start = self.at;
        let mut quote = None;
        while let Some(byte) = self.text.get(self.at).filter(|_| self.at < self.limit) {
            match (quote, byte) {
                (Some(open), byte) if open == *byte => quote = None,
                (Some(_), b'\n') => break,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(*byte),
                (None, b' ' | b'\t' | b'\n' | b'\r' | b'|' | b'`') => break,
                (None, b';') if matches!(self.text.get(self.at + 1), None | Some(b' ' | b'\n')) => break,
                (None, b'\\') => self.at += 1,
                (None, _) => {}
            }
            self.at = (self.at + 1).min(self.limit);
        }
        (self.at > start).then_some(start..self.at)
    }

    fn skip_line(&mut self, len: usize) {
        self.at += len;
        self.lines += 1;
    }
}

/// A word without the quotes around it, and without what cannot end one.
pub(super) fn unquoted(text: &[u8], range: Range<usize>) -> Range<usize> {
    let mut range = range;
    loop {
        match &text[range.clone()] {
            [b'"', inner @ .., b'"'] if !inner.contains(&b'"') => range = range.start + 1..range.end - 1,
            [b'\'', inner @ .., b'\''] if !inner.contains(&b'\'') => range = range.start + 1..range.end - 1,
            // The quote that closes belongs to a string around the command.
            [b'"' | b'\'', rest @ ..] if !rest.iter().any(|byte| matches!(byte, b'"' | b'\'')) => range.start += 1,
            [rest @ .., b'"' | b'\'' | b'\\' | b','] if !rest.iter().any(|byte| matches!(byte, b'"' | b'\'')) => {
                range.end -= 1;
            }
            _ => return range,
        }
    }
}
