//! Finds any of many needles without looking at most of the text.
//!
//! All needles are at least `m` bytes long, so wherever one stands, one of every `m - q + 1` neighbouring sequences of `q` bytes
//! belongs to it. Only every so manieth sequence of the text is looked up.

use std::collections::HashMap;

/// The bytes of a sequence, where needles are long enough.
const Q: usize = 4;
/// No needle's beginning is longer than this: more sequences would let more of the text in.
const M: usize = 10;
/// How many bits tell which sequences are known, as a power of two.
const BITS: u32 = 18;

/// Needles, ready to be looked for. They are not kept: whoever asks compares them.
pub(crate) struct Grams {
    q: usize,
    step: usize,
    /// For each value of [`mixed`] whether a sequence has it.
    known: Vec<u64>,
    /// By sequence: which needle holds it, and where; what stands later first, so that places come in order.
    places: HashMap<u32, Vec<(u32, u32)>>,
}

impl Grams {
    /// `None` without needles, or with an empty one.
    pub(crate) fn new(needles: &[Vec<u8>]) -> Option<Grams> {
        let shortest = needles.iter().map(Vec::len).min().filter(|len| *len > 0)?.min(M);
        let q = shortest.min(Q);
        let mut grams = Grams { q, step: shortest - q + 1, known: vec![0; (1 << BITS) / 64], places: HashMap::new() };
        for (index, needle) in (0..).zip(needles) {
            for (offset, sequence) in (0..).zip(needle[..shortest].windows(q)) {
                let sequence = number(sequence);
                let mixed = mixed(sequence);
                grams.known[mixed / 64] |= 1 << (mixed % 64);
                grams.places.entry(sequence).or_default().push((offset, index));
            }
        }
        grams.places.values_mut().for_each(|places| places.sort_unstable_by(|a, b| b.cmp(a)));
        Some(grams)
    }

    /// Gives `each` the needles that may stand in `text`, with where they would begin; of one needle in ascending order.
    pub(crate) fn find(&self, text: &[u8], mut each: impl FnMut(usize, usize)) {
        let mut look = |at: usize, sequence: u32| {
            let mixed = mixed(sequence);
            if self.known[mixed / 64] >> (mixed % 64) & 1 == 1 {
                for (offset, needle) in self.places.get(&sequence).into_iter().flatten() {
                    if let Some(start) = at.checked_sub(*offset as usize) {
                        each(*needle as usize, start);
                    }
                }
            }
        };
        let mut at = 0;
        if self.q == Q {
            while let Some(four) = text.get(at..).and_then(<[u8]>::first_chunk::<Q>) {
                look(at, u32::from_le_bytes(*four));
                at += self.step;
            }
        } else {
            while let Some(sequence) = text.get(at..at + self.q) {
                look(at, number(sequence));
                at += self.step;
            }
        }
    }
}

fn number(sequence: &[u8]) -> u32 {
    sequence.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte))
}

fn mixed(sequence: u32) -> usize {
    (sequence.wrapping_mul(0x9E37_79B1) >> (32 - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_occurrence_is_offered_in_order(
            needles in prop::collection::btree_set("[ab]{1,12}", 1..6),
            text in "[abc]{0,80}",
        ) {
            let needles: Vec<Vec<u8>> = needles.into_iter().map(String::into_bytes).collect();
            let mut found = vec![Vec::new(); needles.len()];
            Grams::new(&needles).unwrap().find(text.as_bytes(), |needle, start| {
                if text.as_bytes()[start..].starts_with(&needles[needle]) {
                    found[needle].push(start);
                }
            });
            for (needle, found) in needles.iter().zip(found) {
                let wanted = text.as_bytes().windows(needle.len()).enumerate().filter(|(_, there)| there == needle);
                prop_assert_eq!(found, wanted.map(|(start, _)| start).collect::<Vec<_>>());
            }
        }
    }
}
