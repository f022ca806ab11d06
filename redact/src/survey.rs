//! One pass over the bytes of a text: where a literal of the rules may begin, and which bytes may stand in an encoded run.
//!
//! The text is looked at in blocks of 64 bytes, and each block becomes two words of bits. A byte is told by its two halves of
//! four bits, each looked up in a table of sixteen entries, which a vector unit does for 32 bytes at once; a literal is told by
//! the four bytes of its fingerprint. The words say where to look closer and nothing more, so what is found does not depend on
//! whether there is a vector unit.

use std::ops::Range;

/// How many bytes a fingerprint has.
pub(crate) const WIDTH: usize = 4;
/// How many sets of eight buckets the fingerprints are spread over: the last is for what heads a run.
pub(crate) const SETS: usize = 4;
/// The set of what heads a run.
pub(crate) const HEADS: usize = SETS - 1;
/// The bytes of a block.
pub(crate) const BLOCK: usize = 64;

/// For each half of a byte the buckets that know it, as bits.
#[derive(Clone, Copy, Default)]
pub(crate) struct Halves {
    pub(crate) low: [u8; 16],
    pub(crate) high: [u8; 16],
}

impl Halves {
    /// Lets `buckets` know `byte`. Other bytes may become known with it: those that share a half with each of two.
    pub(crate) fn add(&mut self, byte: u8, buckets: u8) {
        self.low[usize::from(byte & 15)] |= buckets;
        self.high[usize::from(byte >> 4)] |= buckets;
    }

    fn knows(&self, byte: u8) -> u8 {
        self.low[usize::from(byte & 15)] & self.high[usize::from(byte >> 4)]
    }
}

/// The tables of all fingerprints, by set and by the byte's place in a fingerprint.
#[derive(Clone, Default)]
pub(crate) struct Fingerprints {
    pub(crate) sets: [[Halves; WIDTH]; SETS],
}

impl Fingerprints {
    /// Whether a fingerprint may begin `window`. Behind the text's end zeros stand.
    fn may_begin(&self, sets: Range<usize>, window: &[u8]) -> bool {
        let bytes = || window.iter().copied().chain(std::iter::repeat(0));
        self.sets[sets].iter().any(|set| {
            set.iter().zip(bytes()).fold(u8::MAX, |buckets, (halves, byte)| buckets & halves.knows(byte)) != 0
        })
    }
}

/// A bit for each byte of a block. The halves of 32 bits stand apart: put together in the pass, LLVM would take the word apart
/// bit by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word([u32; 2]);

impl Word {
    fn new(bits: u64) -> Word {
        Word([bits as u32, (bits >> 32) as u32])
    }

    /// The bits, the first byte's lowest.
    pub(crate) fn bits(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1]) << 32
    }
}

/// The bytes of a tail: so many bytes that [`is_coded`] names follow where one begins.
pub(crate) const TAIL: usize = 16;
/// The shortest run that is told of.
pub(crate) const RUN: usize = 24;

/// What the pass says.
#[derive(Default)]
pub(crate) struct Survey {
    /// Where a fingerprint may begin, by block.
    pub(crate) candidates: Vec<Word>,
    /// What base64, also for URLs, and hex are written with, by block: letters, digits, `+`, `/`, `-` and `_`.
    coded: Vec<Word>,
    /// Where a fingerprint of a head may begin, by block.
    heads: Vec<Word>,
    /// Where a tail begins: blocks that have any, and the bits.
    tails: Vec<(usize, u64)>,
    /// The runs of [`RUN`] bytes or more.
    pub(crate) runs: Vec<Range<usize>>,
    /// Where the runs of [`TAIL`] bytes or more begin.
    pub(crate) starts: Vec<usize>,
}

impl Survey {
    /// Looks at all of `text`.
    pub(crate) fn take(&mut self, text: &[u8], fingerprints: &Fingerprints) {
        for words in [&mut self.candidates, &mut self.coded, &mut self.heads] {
            words.clear();
            words.reserve(text.len() / BLOCK + 1);
        }
        #[cfg(target_arch = "x86_64")]
        vector::blocks(text, fingerprints, self);
        self.bytes(text, fingerprints);
        self.join();
    }

    /// Where what heads a run may begin: blocks, and the bits.
    pub(crate) fn headed(&self) -> impl Iterator<Item = (usize, u64)> {
        self.tails.iter().map(|(block, tails)| (*block, tails & self.heads[*block].bits()))
    }

    /// Follows the bits of [`Survey::coded`] from block to block.
    fn join(&mut self) {
        self.tails.clear();
        self.runs.clear();
        self.starts.clear();
        let mut words = self.coded.iter().map(|word| word.bits()).peekable();
        let mut block = 0;
        while let Some(word) = words.next() {
            // Bits of this block at which 2, 4, 8, 16 in a row begin; the next block says how the last ones go on.
            let both = u128::from(words.peek().copied().unwrap_or_default()) << 64 | u128::from(word);
            let mut begins = both & both >> 1;
            begins &= begins >> 2;
            begins &= begins >> 4;
            begins &= begins >> 8;
            let tails = begins as u64;
            if tails != 0 {
                self.tails.push((block, tails));
            }
            block += 1;
        }
        // In a run of n tails n + 15 bytes are coded.
        let mut open: Option<Range<usize>> = None;
        for (block, tails) in &self.tails {
            let (base, mut tails) = (block * BLOCK, *tails);
            while tails != 0 {
                let bit = tails.trailing_zeros();
                let count = (tails >> bit).trailing_ones();
                let (start, end) = (base + bit as usize, base + (bit + count) as usize);
                match &mut open {
                    Some(run) if run.end == start => run.end = end,
                    _ => {
                        self.starts.push(start);
                        self.runs.extend(open.replace(start..end).map(with_tail).filter(|run| run.len() >= RUN));
                    }
                }
                tails =
                    tails.checked_shr(bit + count).and_then(|rest| rest.checked_shl(bit + count)).unwrap_or_default();
            }
        }
        self.runs.extend(open.map(with_tail).filter(|run| run.len() >= RUN));
    }

    /// The blocks that are left, byte by byte.
    fn bytes(&mut self, text: &[u8], fingerprints: &Fingerprints) {
        let from = self.coded.len() * BLOCK;
        for (block, bytes) in text.get(from..).unwrap_or_default().chunks(BLOCK).enumerate() {
            let (mut candidates, mut coded, mut heads) = (0, 0, 0);
            for (bit, byte) in bytes.iter().enumerate() {
                coded |= u64::from(is_coded(*byte)) << bit;
                let at = from + block * BLOCK + bit;
                let window = &text[at..text.len().min(at + WIDTH)];
                candidates |= u64::from(fingerprints.may_begin(0..HEADS, window)) << bit;
                heads |= u64::from(fingerprints.may_begin(HEADS..SETS, window)) << bit;
            }
            self.candidates.push(Word::new(candidates));
            self.coded.push(Word::new(coded));
            self.heads.push(Word::new(heads));
        }
    }
}

fn with_tail(begins: Range<usize>) -> Range<usize> {
    begins.start..begins.end + TAIL - 1
}

/// Whether base64, also for URLs, or hex is written with `byte`.
pub(crate) const fn is_coded(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use std::arch::x86_64::__m256i;

    use pulp::bytemuck::{cast, pod_read_unaligned};
    use pulp::x86::V3;

    use super::{BLOCK, Fingerprints, HEADS, Halves, SETS, Survey, WIDTH, Word, is_coded};

    /// How many bytes are read for a block.
    const READ: usize = BLOCK + WIDTH - 1;

    /// Looks at all blocks, where the machine has vectors of 32 bytes; else at none.
    pub(super) fn blocks(text: &[u8], fingerprints: &Fingerprints, survey: &mut Survey) {
        let Some(simd) = V3::try_new() else { return };
        simd.vectorize(Pass { simd, text, fingerprints, survey });
        // What is left is shorter than what is read for a block.
        let from = survey.coded.len() * BLOCK;
        if from < text.len() {
            let mut rest = text[from..].to_vec();
            rest.resize(READ + if rest.len() > BLOCK { BLOCK } else { 0 }, 0);
            simd.vectorize(Pass { simd, text: &rest, fingerprints, survey });
            // Nothing begins behind the end.
            let over = (survey.coded.len() * BLOCK - text.len()) as u32;
            for words in [&mut survey.candidates, &mut survey.heads] {
                if let Some(last) = words.last_mut() {
                    *last = Word::new(last.bits() << over >> over);
                }
            }
        }
    }

    struct Pass<'a> {
        simd: V3,
        text: &'a [u8],
        fingerprints: &'a Fingerprints,
        survey: &'a mut Survey,
    }

    /// A table in both halves of a vector.
    fn twice(table: [u8; 16]) -> __m256i {
        cast([table, table])
    }

    /// The bytes that [`is_coded`] names, told by their halves without any other: one bucket for each form of upper half.
    const CODED: Halves = {
        let mut halves = Halves { low: [0; 16], high: [0; 16] };
        let mut byte = 0;
        while byte < 128_u8 {
            // Upper halves 4 and 6, as 5 and 7 but for `_`, know the same lower ones.
            let bucket = [0, 0, 1, 2, 4, 8, 4, 16][(byte >> 4) as usize];
            halves.high[(byte >> 4) as usize] |= bucket;
            if is_coded(byte) {
                halves.low[(byte & 15) as usize] |= bucket;
            }
            byte += 1;
        }
        halves
    };

    // Calls into the vector unit must be inlined into the function that has its features: no closures below.
    impl pulp::NullaryFnOnce for Pass<'_> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let Pass { simd, text, fingerprints, survey } = self;
            let (avx, avx2) = (simd.avx, simd.avx2);
            let nibble = avx._mm256_set1_epi8(15);
            let zero = avx._mm256_setzero_si256();
            let (class_low, class_high) = (twice(CODED.low), twice(CODED.high));
            let mut low = [[zero; WIDTH]; SETS];
            let mut high = [[zero; WIDTH]; SETS];
            for set in 0..SETS {
                for place in 0..WIDTH {
                    low[set][place] = twice(fingerprints.sets[set][place].low);
                    high[set][place] = twice(fingerprints.sets[set][place].high);
                }
            }
            let mut rest = text;
            while let Some(block) = rest.first_chunk::<READ>() {
                let (mut coded, mut candidates, mut heads) = ([0; 2], [0; 2], [0; 2]);
                for half in 0..2 {
                    let mut found = [avx._mm256_set1_epi8(-1); SETS];
                    for place in 0..WIDTH {
                        let from = half * 32 + place;
                        let Some(bytes) = block.get(from..from + 32) else { continue };
                        let bytes: __m256i = pod_read_unaligned(bytes);
                        let lower = avx2._mm256_and_si256(bytes, nibble);
                        let upper = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(bytes), nibble);
                        for set in 0..SETS {
                            let known = avx2._mm256_and_si256(
                                avx2._mm256_shuffle_epi8(low[set][place], lower),
                                avx2._mm256_shuffle_epi8(high[set][place], upper),
                            );
                            found[set] = avx2._mm256_and_si256(found[set], known);
                        }
                        if place == 0 {
                            let known = avx2._mm256_and_si256(
                                avx2._mm256_shuffle_epi8(class_low, lower),
                                avx2._mm256_shuffle_epi8(class_high, upper),
                            );
                            let none = avx2._mm256_cmpeq_epi8(known, zero);
                            coded[half] = !avx2._mm256_movemask_epi8(none) as u32;
                        }
                    }
                    let mut any = found[0];
                    for other in &found[1..HEADS] {
                        any = avx2._mm256_or_si256(any, *other);
                    }
                    let none = avx2._mm256_cmpeq_epi8(any, zero);
                    candidates[half] = !avx2._mm256_movemask_epi8(none) as u32;
                    let none = avx2._mm256_cmpeq_epi8(found[HEADS], zero);
                    heads[half] = !avx2._mm256_movemask_epi8(none) as u32;
                }
                survey.coded.push(Word(coded));
                survey.candidates.push(Word(candidates));
                survey.heads.push(Word(heads));
                rest = &rest[BLOCK..];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn surveyed(text: &[u8], fingerprints: &Fingerprints) -> Survey {
        let mut survey = Survey::default();
        survey.take(text, fingerprints);
        survey
    }

    proptest! {
        #[test]
        fn vectors_say_what_bytes_say(
            text in prop::collection::vec(any::<u8>(), 0..400),
            words in prop::collection::vec(prop::array::uniform4(any::<u8>()), 0..60),
        ) {
            let mut fingerprints = Fingerprints::default();
            for (index, word) in words.iter().enumerate() {
                for (place, byte) in word.iter().enumerate() {
                    fingerprints.sets[index % SETS][place].add(*byte, 1 << (index / SETS % 8));
                }
            }
            let fast = surveyed(&text, &fingerprints);
            let mut slow = Survey::default();
            slow.bytes(&text, &fingerprints);
            prop_assert_eq!(&fast.coded, &slow.coded);
            prop_assert_eq!(&fast.candidates, &slow.candidates);
            prop_assert_eq!(&fast.heads, &slow.heads);
            for (at, window) in text.windows(WIDTH).enumerate().filter(|(_, window)| words.iter().any(|word| word == window)) {
                let either = fast.candidates[at / BLOCK].bits() | fast.heads[at / BLOCK].bits();
                prop_assert_eq!(either >> (at % BLOCK) & 1, 1, "{:?}", window);
            }
        }

        #[test]
        fn runs_are_those_that_a_byte_by_byte_walk_finds(text in "([a-z0-9]{0,200}[ .]{0,3}){0,12}") {
            let survey = surveyed(text.as_bytes(), &Fingerprints::default());
            let mut wanted = Vec::new();
            let mut at = 0;
            for piece in text.split([' ', '.']) {
                if piece.len() >= RUN {
                    wanted.push(at..at + piece.len());
                }
                at += piece.len() + 1;
            }
            prop_assert_eq!(&survey.runs, &wanted);
            let tails: usize = survey.tails.iter().map(|(_, bits)| bits.count_ones() as usize).sum();
            let long = text.split([' ', '.']).map(|piece| (piece.len() + 1).saturating_sub(TAIL));
            prop_assert_eq!(tails, long.sum::<usize>());
        }
    }
}
