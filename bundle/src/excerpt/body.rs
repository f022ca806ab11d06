//! What is excerpted: text that was redacted, or text as it came for whoever excerpts a log of their own.

use std::ops::Range;

use dossier_redact::{Clean, CleanBuilder};

/// Text that can be cut. Cuts never fall into a character, nor into a marker of redacted text.
pub trait Body: Sized {
    /// Puts such a text together.
    type Builder: Builder<Self>;

    /// The text.
    fn as_str(&self) -> &str;

    /// The greatest place to cut at or before `at`.
    fn floor_cut(&self, at: usize) -> usize;

    /// The least place to cut at or behind `at`.
    fn ceil_cut(&self, at: usize) -> usize;
}

/// Puts a text together from parts of others and from words of our own.
pub trait Builder<B>: Default {
    /// Adds a part.
    fn push_slice(&mut self, text: &B, range: Range<usize>);

    /// Adds words of our own.
    fn push_literal(&mut self, text: &'static str);

    /// Adds a number in decimal digits.
    fn push_number(&mut self, number: u64);

    /// The length so far.
    fn len(&self) -> usize;

    /// Whether nothing was added yet.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text.
    fn finish(self) -> B;
}

impl Body for Clean {
    type Builder = CleanBuilder;

    fn as_str(&self) -> &str {
        Self::as_str(self)
    }

    fn floor_cut(&self, at: usize) -> usize {
        Self::floor_cut(self, at)
    }

    fn ceil_cut(&self, at: usize) -> usize {
        Self::ceil_cut(self, at)
    }
}

impl Builder<Clean> for CleanBuilder {
    fn push_slice(&mut self, text: &Clean, range: Range<usize>) {
        Self::push_slice(self, text, range);
    }

    fn push_literal(&mut self, text: &'static str) {
        Self::push_literal(self, text);
    }

    fn push_number(&mut self, number: u64) {
        Self::push_number(self, number);
    }

    fn len(&self) -> usize {
        Self::len(self)
    }

    fn finish(self) -> Clean {
        Self::finish(self)
    }
}

impl Body for String {
    type Builder = Self;

    fn as_str(&self) -> &str {
        self
    }

    fn floor_cut(&self, at: usize) -> usize {
        self.floor_char_boundary(at)
    }

    fn ceil_cut(&self, at: usize) -> usize {
        self.ceil_char_boundary(at)
    }
}

impl Builder<Self> for String {
    fn push_slice(&mut self, text: &Self, range: Range<usize>) {
        let range = text.ceil_char_boundary(range.start)..text.floor_char_boundary(range.end);
        self.push_str(text.get(range).unwrap_or_default());
    }

    fn push_literal(&mut self, text: &'static str) {
        self.push_str(text);
    }

    fn push_number(&mut self, number: u64) {
        self.push_str(&number.to_string());
    }

    fn len(&self) -> usize {
        Self::len(self)
    }

    fn finish(self) -> Self {
        self
    }
}
