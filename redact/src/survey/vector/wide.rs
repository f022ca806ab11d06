//! The pass with vectors of 64 bytes, which make a word of bits at once.

use std::arch::x86_64::__m512i;

use pulp::bytemuck::{cast, pod_read_unaligned};
use pulp::x86::V4;

use super::{BACKSLASH, CLASSES, JOINT, READ};
use crate::survey::{BLOCK, Fingerprints, SETS, WIDTH};

pub(super) struct Pass<'a> {
    pub(super) simd: V4,
    pub(super) text: &'a [u8],
    pub(super) fingerprints: &'a Fingerprints,
    pub(super) words: [&'a mut [u64]; 5],
}

/// A table in all quarters of a vector.
fn four_times(table: [u8; 16]) -> __m512i {
    cast([table; 4])
}

// Calls into the vector unit must be inlined into the function that has its features: no closures below.
impl pulp::NullaryFnOnce for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        /// Both and the third, as a table of three bits.
        const ALL_THREE: i32 = 0x80;
        let Pass { simd, text, fingerprints, words } = self;
        let (avx512f, avx512bw) = (simd.avx512f, simd.avx512bw);
        let nibble = avx512f._mm512_set1_epi8(15);
        let zero = avx512f._mm512_setzero_si512();
        let feed = avx512f._mm512_set1_epi8(b'\n' as i8);
        let joint = avx512f._mm512_set1_epi8(JOINT as i8);
        // The classes of coded bytes, and those of marks.
        let lower_classes = avx512f._mm512_set1_epi8((BACKSLASH - 1) as i8);
        let upper_classes = avx512f._mm512_set1_epi8(!(BACKSLASH - 1) as i8);
        let (class_low, class_high) = (four_times(CLASSES.low), four_times(CLASSES.high));
        let mut low = [[zero; WIDTH]; SETS];
        let mut high = [[zero; WIDTH]; SETS];
        for set in 0..SETS {
            for place in 0..WIDTH {
                low[set][place] = four_times(fingerprints.sets[set][place].low);
                high[set][place] = four_times(fingerprints.sets[set][place].high);
            }
        }
        let [candidates, coded, joints, marks, breaks] = words;
        let words = candidates.iter_mut().zip(coded).zip(joints.iter_mut().zip(marks)).zip(breaks);
        let mut rest = text;
        for (((candidates, coded), (joints, marks)), breaks) in words {
            let Some(bytes) = rest.first_chunk::<READ>() else { break };
            let mut found = [zero; SETS];
            for place in 0..WIDTH {
                let Some(bytes) = bytes.get(place..place + BLOCK) else { continue };
                let bytes: __m512i = pod_read_unaligned(bytes);
                let lower = avx512f._mm512_and_si512(bytes, nibble);
                let upper = avx512f._mm512_and_si512(avx512bw._mm512_srli_epi16::<4>(bytes), nibble);
                for set in 0..SETS {
                    let low = avx512bw._mm512_shuffle_epi8(low[set][place], lower);
                    let high = avx512bw._mm512_shuffle_epi8(high[set][place], upper);
                    found[set] = if place == 0 {
                        avx512f._mm512_and_si512(low, high)
                    } else {
                        avx512f._mm512_ternarylogic_epi32::<ALL_THREE>(found[set], low, high)
                    };
                }
                if place == 0 {
                    let classes = avx512f._mm512_and_si512(
                        avx512bw._mm512_shuffle_epi8(class_low, lower),
                        avx512bw._mm512_shuffle_epi8(class_high, upper),
                    );
                    *coded = avx512bw._mm512_test_epi8_mask(classes, lower_classes);
                    *marks = avx512bw._mm512_test_epi8_mask(classes, upper_classes);
                    *joints = avx512bw._mm512_test_epi8_mask(classes, joint);
                    *breaks = avx512bw._mm512_cmpeq_epi8_mask(bytes, feed);
                }
            }
            let mut any = found[0];
            for other in &found[1..] {
                any = avx512f._mm512_or_si512(any, *other);
            }
            *candidates = avx512bw._mm512_test_epi8_mask(any, any);
            rest = &rest[BLOCK..];
        }
    }
}
