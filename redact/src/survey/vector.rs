//! The pass with vectors of 32 or 64 bytes.

mod wide;

use std::arch::x86_64::__m256i;

use pulp::bytemuck::{cast, cast_slice_mut, pod_read_unaligned};
use pulp::x86::{V3, V4};

use super::{BLOCK, Fingerprints, Halves, SETS, Survey, WIDTH, Words, is_coded};

/// How many bytes are read for a block.
const READ: usize = BLOCK + WIDTH - 1;

/// Looks at all blocks, where the machine has such vectors; else at none. Returns how many it looked at.
pub(super) fn blocks(text: &[u8], fingerprints: &Fingerprints, words: &mut Words) -> usize {
    blocks_by(V4::try_new(), text, fingerprints, words)
}

/// The same by vectors of 64 bytes, if they are given.
pub(super) fn blocks_by(wide: Option<V4>, text: &[u8], fingerprints: &Fingerprints, words: &mut Words) -> usize {
    let Some(simd) = V3::try_new() else { return 0 };
    let mut pass = |text: &[u8], from: usize| match wide {
        Some(simd) => simd.vectorize(wide::Pass { simd, text, fingerprints, words: words.from(from) }),
        None => simd.vectorize(Pass { simd, text, fingerprints, words: words.from(from) }),
    };
    pass(text, 0);
    // What is left is shorter than what is read for a block.
    let done = count(text);
    let from = done * BLOCK;
    if from < text.len() {
        let mut rest = [0; READ + BLOCK];
        let len = text.len() - from;
        rest[..len].copy_from_slice(&text[from..]);
        let read = READ + if len > BLOCK { BLOCK } else { 0 };
        pass(&rest[..read], done);
        // Nothing begins behind the end.
        let over = words.len() * BLOCK - text.len();
        if let Some(last) = words.candidates.last_mut() {
            *last = *last << over >> over;
        }
    }
    words.len()
}

/// How many blocks of `text` the pass looks at.
fn count(text: &[u8]) -> usize {
    (text.len() + BLOCK).saturating_sub(READ) / BLOCK
}

/// Joins the blocks, with the instructions for bits that such machines have.
pub(super) fn join(survey: &mut Survey) {
    match V3::try_new() {
        Some(simd) => simd.vectorize(Join(survey)),
        None => survey.join(),
    }
}

struct Join<'a>(&'a mut Survey);

impl pulp::NullaryFnOnce for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.join();
    }
}

struct Pass<'a> {
    simd: V3,
    text: &'a [u8],
    fingerprints: &'a Fingerprints,
    words: [&'a mut [u64]; 5],
}

/// A table in both halves of a vector.
fn twice(table: [u8; 16]) -> __m256i {
    cast([table, table])
}

/// The classes that a byte may belong to, as bits, in tables of its halves. One bit for each form of upper half that
/// [`is_coded`] bytes have, the first of them for those that belong to no word; and above them those of [`super::is_mark`].
const CLASSES: Halves = {
    let mut halves = Halves { low: [MARK; 16], high: [0; 16] };
    let mut byte = 0;
    while byte < 128_u8 {
        // Upper halves 4 and 6, as 5 and 7 but for `_`, know the same lower ones.
        let bucket = [0, 0, JOINT, 2, 4, 8, 4, 16][(byte >> 4) as usize];
        halves.high[(byte >> 4) as usize] |= bucket;
        if is_coded(byte) {
            halves.low[(byte & 15) as usize] |= bucket;
        }
        byte += 1;
    }
    // Controls, and what is not ASCII, by their upper halves alone.
    halves.high[1] |= MARK;
    let mut high = 8;
    while high < 16 {
        halves.high[high] |= MARK;
        high += 1;
    }
    halves.high[5] |= BACKSLASH;
    halves.low[12] |= BACKSLASH;
    halves.high[2] |= PERCENT;
    halves.low[5] |= PERCENT;
    halves.low[6] |= PERCENT;
    halves
};
const JOINT: u8 = 1;
const BACKSLASH: u8 = 32;
/// Of `%` and `&`.
const PERCENT: u8 = 64;
const MARK: u8 = 128;

// Calls into the vector unit must be inlined into the function that has its features: no closures below.
impl pulp::NullaryFnOnce for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Pass { simd, text, fingerprints, words } = self;
        let (avx, avx2) = (simd.avx, simd.avx2);
        let nibble = avx._mm256_set1_epi8(15);
        let zero = avx._mm256_setzero_si256();
        let feed = avx._mm256_set1_epi8(b'\n' as i8);
        // What lifts a class above those of coded bytes into the sign.
        let lift = avx._mm256_set1_epi8((128 - BACKSLASH) as i8);
        let (class_low, class_high) = (twice(CLASSES.low), twice(CLASSES.high));
        let mut low = [[zero; WIDTH]; SETS];
        let mut high = [[zero; WIDTH]; SETS];
        for set in 0..SETS {
            for place in 0..WIDTH {
                low[set][place] = twice(fingerprints.sets[set][place].low);
                high[set][place] = twice(fingerprints.sets[set][place].high);
            }
        }
        // The vector unit's calls must not share a loop with any other, which would make all vectors wait in memory.
        // By halves: put together in the pass, LLVM would take the words apart bit by bit.
        let [candidates, coded, joints, marks, breaks] = words.map(cast_slice_mut::<u64, [u32; 2]>);
        let words = candidates.iter_mut().zip(coded).zip(joints.iter_mut().zip(marks)).zip(breaks);
        let mut rest = text;
        for (((candidates, coded), (joints, marks)), breaks) in words {
            let Some(bytes) = rest.first_chunk::<READ>() else { break };
            let mut found = [[zero; SETS]; 2];
            // Both halves make use of a table while it is at hand.
            for place in 0..WIDTH {
                for (half, found) in found.iter_mut().enumerate() {
                    let from = half * 32 + place;
                    let Some(bytes) = bytes.get(from..from + 32) else { continue };
                    let bytes: __m256i = pod_read_unaligned(bytes);
                    let lower = avx2._mm256_and_si256(bytes, nibble);
                    let upper = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(bytes), nibble);
                    for set in 0..SETS {
                        let known = avx2._mm256_and_si256(
                            avx2._mm256_shuffle_epi8(low[set][place], lower),
                            avx2._mm256_shuffle_epi8(high[set][place], upper),
                        );
                        let before = found[set];
                        found[set] = if place == 0 { known } else { avx2._mm256_and_si256(before, known) };
                    }
                    if place == 0 {
                        let classes = avx2._mm256_and_si256(
                            avx2._mm256_shuffle_epi8(class_low, lower),
                            avx2._mm256_shuffle_epi8(class_high, upper),
                        );
                        let none = avx2._mm256_movemask_epi8(avx2._mm256_cmpeq_epi8(classes, zero)) as u32;
                        let marked = avx2._mm256_movemask_epi8(avx2._mm256_adds_epu8(classes, lift)) as u32;
                        coded[half] = !(none | marked);
                        marks[half] = marked;
                        joints[half] = avx2._mm256_movemask_epi8(avx2._mm256_slli_epi16::<7>(classes)) as u32;
                        breaks[half] = avx2._mm256_movemask_epi8(avx2._mm256_cmpeq_epi8(bytes, feed)) as u32;
                    }
                }
            }
            for (half, found) in found.iter().enumerate() {
                let mut any = found[0];
                for other in &found[1..] {
                    any = avx2._mm256_or_si256(any, *other);
                }
                let none = avx2._mm256_cmpeq_epi8(any, zero);
                candidates[half] = !avx2._mm256_movemask_epi8(none) as u32;
            }
            rest = &rest[BLOCK..];
        }
    }
}
