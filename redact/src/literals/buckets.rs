//! Which literals share a bucket of the pass: those that together let little else in.
//!
//! A bucket knows the halves of the bytes at each place of its fingerprints, so that each new fingerprint lets in more than
//! itself. A literal goes, with whichever of its bytes, where it adds the least: long ones often add nothing, as `-token=` to
//! `token`.

use super::Literal;
use crate::survey::{Fingerprints, SETS, WIDTH};

#[derive(Clone, Copy, Default)]
struct Bucket {
    /// By place: the lower and the upper halves of the bytes that are known there, as bits.
    low: [u16; WIDTH],
    high: [u16; WIDTH],
    /// How much of a text is let in at each place, and at all of them.
    parts: [f32; WIDTH],
    lets_in: f32,
}

/// How often each literal is taken out again, to see whether it has a better place among the others.
const ROUNDS: usize = 2;
/// How many places of a literal are tried: those where it lets in the least by itself.
const TRIED: usize = 6;

/// Spreads the fingerprints of `literals` over buckets, and sets where those begin in them.
pub(super) fn fill<'l>(literals: impl Iterator<Item = &'l mut Literal>) -> Fingerprints {
    let frequencies = Frequencies::new();
    let mut literals: Vec<Spread> = literals.map(|literal| Spread::new(literal, &frequencies)).collect();
    literals.sort_by(|a, b| b.alone.total_cmp(&a.alone));
    let mut buckets = [Bucket::default(); SETS * 8];
    for round in 0..=ROUNDS {
        for index in 0..literals.len() {
            if round > 0 {
                let home = literals[index].bucket;
                let others = literals.iter().enumerate().filter(|(other, it)| *other != index && it.bucket == home);
                buckets[home] =
                    others.fold(Bucket::default(), |bucket, (_, it)| bucket.with(it, it.offset, &frequencies));
            }
            let literal = &mut literals[index];
            let mut least = f32::INFINITY;
            let mut filled = Bucket::default();
            for (number, bucket) in buckets.iter().enumerate() {
                for offset in &literal.offsets {
                    let with = bucket.with(literal, *offset, &frequencies);
                    if with.lets_in - bucket.lets_in < least {
                        least = with.lets_in - bucket.lets_in;
                        (literal.bucket, literal.offset, filled) = (number, *offset, with);
                    }
                }
            }
            buckets[literal.bucket] = filled;
        }
    }
    literals.into_iter().for_each(|spread| spread.literal.offset = spread.offset);
    let mut fingerprints = Fingerprints::default();
    for (index, bucket) in buckets.iter().enumerate() {
        let bit = 1 << (index % 8);
        for (place, halves) in fingerprints.sets[index / 8].iter_mut().enumerate() {
            for half in 0..16 {
                halves.low[half] |= if bucket.low[place] >> half & 1 == 1 { bit } else { 0 };
                halves.high[half] |= if bucket.high[place] >> half & 1 == 1 { bit } else { 0 };
            }
        }
    }
    fingerprints
}

/// Words so common that no fingerprint should be of them if there is another.
const COMMON: &str = "https:// connection request response application content string return public private static link info \
    error config default index version session action option function import";

/// A literal on its way to a bucket.
struct Spread<'l> {
    literal: &'l mut Literal,
    /// Where its fingerprint may begin, and how much it lets in by itself at least.
    offsets: Vec<usize>,
    alone: f32,
    offset: usize,
    bucket: usize,
}

impl Spread<'_> {
    fn new<'l>(literal: &'l mut Literal, frequencies: &Frequencies) -> Spread<'l> {
        let last = literal.text.len().saturating_sub(WIDTH);
        let mut spread = Spread { literal, offsets: Vec::new(), alone: 0.0, offset: 0, bucket: usize::MAX };
        let common = |offset: usize| {
            let bytes =
                spread.literal.text.get(offset..offset + WIDTH).and_then(|bytes| std::str::from_utf8(bytes).ok());
            bytes.is_some_and(|bytes| COMMON.contains(&bytes.to_ascii_lowercase()))
        };
        let lets_in = |offset| Bucket::default().with(&spread, offset, frequencies).lets_in;
        let mut offsets: Vec<_> = (0..=last).map(|offset| (lets_in(offset), offset)).collect();
        offsets.sort_by(|(a, at), (b, other)| common(*at).cmp(&common(*other)).then(a.total_cmp(b)));
        if offsets.first().is_some_and(|(_, offset)| !common(*offset)) {
            offsets.retain(|(_, offset)| !common(*offset));
        }
        offsets.truncate(TRIED);
        spread.alone = offsets.first().map_or(1.0, |(lets_in, _)| *lets_in);
        spread.offsets = offsets.into_iter().map(|(_, offset)| offset).collect();
        spread
    }
}

impl Bucket {
    /// The bucket with the fingerprint of `literal` at `offset` in it.
    fn with(mut self, spread: &Spread, offset: usize, frequencies: &Frequencies) -> Bucket {
        let literal = &*spread.literal;
        self.lets_in = 1.0;
        for place in 0..WIDTH {
            let (mut low, mut high) = (self.low[place], self.high[place]);
            match literal.text.get(offset + place) {
                Some(byte) => {
                    low |= 1 << (byte & 15);
                    high |= 1 << (byte >> 4);
                    if literal.folds {
                        high |= 1 << (byte.to_ascii_uppercase() >> 4);
                    }
                }
                None => (low, high) = (u16::MAX, u16::MAX),
            }
            if (low, high) != (self.low[place], self.high[place]) {
                (self.low[place], self.high[place]) = (low, high);
                self.parts[place] = frequencies.of(low, high);
            }
            self.lets_in *= self.parts[place];
        }
        self
    }
}

/// How frequent bytes are, by their upper half and a set of lower halves: of the first eight, and of the last.
struct Frequencies([[[f32; 256]; 2]; 16]);

impl Frequencies {
    fn new() -> Frequencies {
        let mut all = [[[0.0; 256]; 2]; 16];
        for byte in 0..128_u8 {
            let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
            for (set, sum) in all[high][low / 8].iter_mut().enumerate() {
                if set >> (low % 8) & 1 == 1 {
                    *sum += frequency(byte);
                }
            }
        }
        Frequencies(all)
    }

    fn of(&self, low: u16, high: u16) -> f32 {
        let [first, last] = low.to_le_bytes().map(usize::from);
        let known = self.0.iter().enumerate().filter(|(half, _)| high >> half & 1 == 1);
        known.map(|(_, sums)| sums[0][first] + sums[1][last]).sum()
    }
}

/// How often a byte occurs in logs and code, roughly.
fn frequency(byte: u8) -> f32 {
    const ORDER: [(f32, &str); 12] = [
        (0.13, " "),
        (0.056, "e"),
        (0.041, "t0"),
        (0.03, "as\""),
        (0.024, ":r12ic6o"),
        (0.02, "pn."),
        (0.016, "34567lmd/\n"),
        (0.012, "8-uf9hb,"),
        (0.008, "T_=g()"),
        (0.0045, "xvyESO"),
        (0.003, "ACDILMNPRZ[]kw;`"),
        (0.0013, "BFGHUWXqjz{}'#+>"),
    ];
    let found = ORDER.iter().find(|(_, bytes)| bytes.contains(char::from(byte)));
    found.map_or(0.0004, |(often, _)| *often)
}
