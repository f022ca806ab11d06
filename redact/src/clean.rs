//! Text that went through redaction, as a type of its own.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

use crate::kind::marker_around;

/// Text that went through redaction. Only this crate makes it, so whoever holds one holds no raw text.
///
/// It cannot be deserialized and cannot be made from a `String`: stored text is redacted again when it enters a new render.
/// Its cuts never fall inside a character or a marker.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Clean(String);

impl Clean {
    /// Wraps what the engine has redacted.
    pub(crate) fn seal(text: String) -> Clean {
        Clean(text)
    }

    /// Text from our own source code, which holds no secret by being there.
    pub fn literal(text: &'static str) -> Clean {
        Clean(text.to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as an owned string; what is done to it from there on is the caller's word.
    pub fn into_string(self) -> String {
        self.0
    }

    /// The length in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The part in `range`. Ends beyond the text are taken as its end; an end inside a character or a marker moves inward,
    /// so that the part never holds a piece of one. It may be empty.
    pub fn slice(&self, range: Range<usize>) -> Clean {
        Clean(self.part(range).to_owned())
    }

    /// The greatest offset ≤ `at` that is neither inside a character nor inside a marker.
    pub fn floor_cut(&self, at: usize) -> usize {
        if at >= self.0.len() {
            return self.0.len();
        }
        match marker_around(self.0.as_bytes(), at) {
            Some(marker) => marker.start,
            None => self.0.floor_char_boundary(at),
        }
    }

    /// The smallest offset ≥ `at` that is neither inside a character nor inside a marker; at most the text's length.
    pub fn ceil_cut(&self, at: usize) -> usize {
        if at >= self.0.len() {
            return self.0.len();
        }
        match marker_around(self.0.as_bytes(), at) {
            Some(marker) => marker.end,
            None => self.0.ceil_char_boundary(at),
        }
    }

    fn part(&self, range: Range<usize>) -> &str {
        let start = self.ceil_cut(range.start);
        let end = self.floor_cut(range.end);
        self.0.get(start..end).unwrap_or_default()
    }
}

impl fmt::Display for Clean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Clean {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Puts clean text together from clean parts, literals and numbers.
///
/// Parts that are clean alone can make a secret together: whoever renders searches the result again.
#[derive(Clone, Debug, Default)]
pub struct CleanBuilder(String);

impl CleanBuilder {
    /// An empty text.
    pub fn new() -> CleanBuilder {
        CleanBuilder::default()
    }

    /// Adds a whole text.
    pub fn push(&mut self, text: &Clean) -> &mut CleanBuilder {
        self.0.push_str(&text.0);
        self
    }

    /// Adds a part, cut as by [`Clean::slice`].
    pub fn push_slice(&mut self, text: &Clean, range: Range<usize>) -> &mut CleanBuilder {
        self.0.push_str(text.part(range));
        self
    }

    /// Adds text from our own source code.
    pub fn push_literal(&mut self, text: &'static str) -> &mut CleanBuilder {
        self.0.push_str(text);
        self
    }

    /// Adds a number in decimal digits.
    pub fn push_number(&mut self, number: u64) -> &mut CleanBuilder {
        use fmt::Write as _;
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{number}");
        self
    }

    /// The length so far, in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text.
    pub fn finish(self) -> Clean {
        Clean(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_move_off_characters_and_markers() {
        let text = Clean::seal("é[REDACTED:secret]z".to_owned());
        assert_eq!((text.floor_cut(1), text.ceil_cut(1)), (0, 2));
        assert_eq!((text.floor_cut(2), text.ceil_cut(2)), (2, 2));
        for inside in 3..19 {
            assert_eq!((text.floor_cut(inside), text.ceil_cut(inside)), (2, 19));
        }
        assert_eq!(text.floor_cut(99), 20);
        assert_eq!(text.slice(1..10).as_str(), "");
        assert_eq!(text.slice(1..19).as_str(), "[REDACTED:secret]");
        let mut builder = CleanBuilder::new();
        builder.push_slice(&text, 0..5).push_number(7).push_literal("!").push(&text);
        assert_eq!(builder.finish().as_str(), "é7!é[REDACTED:secret]z");
    }
}
