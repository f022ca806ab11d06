//! A quick hash for sets of words that are fixed: nobody can choose what is in them.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of words that is asked often and never changes.
pub(crate) type Words = HashSet<&'static [u8], BuildHasherDefault<Mix>>;

/// Eight bytes at a time, by multiplication.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Mix {
    fn mix(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }
}

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.mix(chunk.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        }
        let rest = chunks.remainder();
        self.mix(rest.iter().fold(bytes.len() as u64, |sum, byte| sum << 8 | u64::from(*byte)));
    }

    fn write_usize(&mut self, _: usize) {
        // A word's length is in its hash already.
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
