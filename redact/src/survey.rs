//! One pass over the bytes of a text: where a literal of the rules may begin, which bytes may stand in an encoded run, and which
//! begin an escape.
//!
//! The text is looked at in blocks of 64 bytes, and each block becomes a few words of bits. A byte is told by its two halves of
//! four bits, each looked up in a table of sixteen entries, which a vector unit does for 32 bytes at once; a literal is told by
//! the four bytes of its fingerprint. The words say where to look closer and nothing more, so what is found does not depend on
//! whether there is a vector unit.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
mod vector;

/// How many bytes a fingerprint has.
pub(crate) const WIDTH: usize = 4;
/// How many sets of eight buckets the fingerprints are spread over.
pub(crate) const SETS: usize = 2;
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
    #[cfg(test)]
    fn add(&mut self, byte: u8, buckets: u8) {
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
    fn may_begin(&self, window: &[u8]) -> bool {
        let bytes = || window.iter().copied().chain(std::iter::repeat(0));
        self.sets.iter().any(|set| {
            set.iter().zip(bytes()).fold(u8::MAX, |buckets, (halves, byte)| buckets & halves.knows(byte)) != 0
        })
    }
}

/// A bit for each byte of a block. The halves of 32 bits stand apart: put together in the pass, LLVM would take the word apart
/// bit by bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word([u32; 2]);

impl Word {
    fn new(bits: u64) -> Word {
        Word([bits as u32, (bits >> 32) as u32])
    }

    /// The bits, the first byte's lowest.
    fn bits(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1]) << 32
    }
}

/// What the pass says of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Block {
    /// Where a fingerprint may begin.
    candidates: Word,
    /// What base64, also for URLs, and hex are written with: see [`is_coded`].
    coded: Word,
    /// Those of them that belong to no word: `+`, `-` and `/`.
    joints: Word,
    /// What may begin an escape, or something hidden: see [`is_mark`].
    marks: Word,
    /// Line feeds.
    breaks: Word,
}

/// The bytes of a tail: so many bytes that [`is_coded`] names follow where one begins.
pub(crate) const TAIL: usize = 16;
/// The shortest run that is told of.
pub(crate) const RUN: usize = 24;

/// What the pass says.
#[derive(Default)]
pub(crate) struct Survey {
    blocks: Vec<Block>,
    /// Where a tail begins, by block.
    tails: Vec<u64>,
    /// The runs of [`RUN`] bytes or more.
    pub(crate) runs: Vec<Range<usize>>,
    /// Where the runs of [`TAIL`] bytes or more begin.
    pub(crate) starts: Vec<usize>,
    /// Where tails begin behind a byte that is no letter, digit or underscore.
    pub(crate) heads: Vec<usize>,
}

impl Survey {
    /// Looks at all of `text`.
    pub(crate) fn take(&mut self, text: &[u8], fingerprints: &Fingerprints) {
        self.blocks.clear();
        self.blocks.reserve(text.len() / BLOCK + 1);
        #[cfg(target_arch = "x86_64")]
        vector::blocks(text, fingerprints, &mut self.blocks);
        self.bytes(text, fingerprints);
        self.join();
    }

    /// Where a fingerprint may begin: by block, the bits.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().map(|block| block.candidates.bits())
    }

    /// Where an escape or something hidden may begin.
    pub(crate) fn marks(&self) -> impl Iterator<Item = usize> {
        places(self.blocks.iter().map(|block| block.marks.bits()))
    }

    /// The line feeds that stand between two bytes of a run to each side.
    pub(crate) fn joined_lines(&self) -> impl Iterator<Item = usize> {
        let next = self.blocks.iter().skip(1).map(|block| block.coded.bits()).chain(std::iter::once(0));
        let mut before = 0;
        places(self.blocks.iter().zip(next).map(move |(block, next)| {
            let coded = block.coded.bits();
            let left = (coded << 1 | before >> 63) & (coded << 2 | before >> 62);
            let right = (coded >> 1 | next << 63) & (coded >> 2 | next << 62);
            before = coded;
            block.breaks.bits() & left & right
        }))
    }

    /// Whether a tail begins at `at`.
    pub(crate) fn is_tail(&self, at: usize) -> bool {
        self.tails.get(at / BLOCK).is_some_and(|tails| tails >> (at % BLOCK) & 1 == 1)
    }

    /// Whether at least so many bytes of a run stand from `at` on; fewer than [`TAIL`] are not looked at.
    pub(crate) fn has_run(&self, at: usize, bytes: usize) -> bool {
        let last = bytes.saturating_sub(TAIL);
        bytes < TAIL || (0..last).step_by(TAIL).chain(std::iter::once(last)).all(|step| self.is_tail(at + step))
    }

    /// Follows the runs from block to block.
    fn join(&mut self) {
        self.tails.clear();
        self.runs.clear();
        self.starts.clear();
        self.heads.clear();
        self.tails.reserve(self.blocks.len());
        // Where the run began in which the block before ended; whether that block's last byte begins a tail, or is of a word.
        let mut open = 0;
        let (mut tailed, mut worded) = (0, 0);
        let mut coded = self.blocks.first().map_or(0, |block| block.coded.bits());
        for (index, block) in self.blocks.iter().enumerate() {
            // Bits of this block at which 2, 4, 8, 16 in a row begin; the next block says how the last ones go on.
            let next = self.blocks.get(index + 1).map_or(0, |block| block.coded.bits());
            let (mut tails, mut above) = (coded, next);
            for step in [1, 2, 4, 8] {
                tails &= tails >> step | above << (64 - step);
                above &= above >> step;
            }
            self.tails.push(tails);
            let word = coded & !block.joints.bits();
            coded = next;
            if tails | tailed != 0 {
                let base = index * BLOCK;
                let before = tails << 1 | tailed;
                let mut heads = tails & !(word << 1 | worded);
                while heads != 0 {
                    self.heads.push(base + heads.trailing_zeros() as usize);
                    heads &= heads - 1;
                }
                let mut edges = tails ^ before;
                while edges != 0 {
                    let bit = edges.trailing_zeros();
                    edges &= edges - 1;
                    let at = base + bit as usize;
                    if tails >> bit & 1 == 1 {
                        self.starts.push(at);
                        open = at;
                    } else if at + TAIL - 1 - open >= RUN {
                        // Of a run of n tails n + 15 bytes are coded.
                        self.runs.push(open..at + TAIL - 1);
                    }
                }
            }
            (tailed, worded) = (tails >> 63, word >> 63);
        }
        let end = self.blocks.len() * BLOCK;
        if tailed == 1 && end + TAIL - 1 - open >= RUN {
            self.runs.push(open..end + TAIL - 1);
        }
    }

    /// The blocks that are left, byte by byte.
    fn bytes(&mut self, text: &[u8], fingerprints: &Fingerprints) {
        let from = self.blocks.len() * BLOCK;
        for (index, bytes) in text.get(from..).unwrap_or_default().chunks(BLOCK).enumerate() {
            let bits = |is: &dyn Fn(u8) -> bool| {
                Word::new((0..).zip(bytes).fold(0, |bits, (bit, byte)| bits | u64::from(is(*byte)) << bit))
            };
            let base = from + index * BLOCK;
            let begins = |at: usize| fingerprints.may_begin(&text[at..text.len().min(at + WIDTH)]);
            let candidates = (0..bytes.len()).fold(0, |bits, bit| bits | u64::from(begins(base + bit)) << bit);
            self.blocks.push(Block {
                candidates: Word::new(candidates),
                coded: bits(&is_coded),
                joints: bits(&is_joint),
                marks: bits(&is_mark),
                breaks: bits(&|byte| byte == b'\n'),
            });
        }
    }
}

/// The places of the bits of words that follow on one another.
fn places(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().filter(|(_, word)| *word != 0).flat_map(|(block, mut word)| {
        std::iter::from_fn(move || {
            let bit = word.checked_sub(1).map(|_| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(block * BLOCK + bit)
        })
    })
}

/// Whether base64, also for URLs, or hex is written with `byte`.
pub(crate) const fn is_coded(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

const fn is_joint(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'/')
}

/// Whether an escape may begin with `byte`, or it is no plain text: a control but for blanks and line ends, or not ASCII.
pub(crate) const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\\' | b'%' | b'&' | 0x10..=0x1F | 0x80..)
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
            prop_assert_eq!(&fast.blocks, &slow.blocks);
            for (at, window) in text.windows(WIDTH).enumerate().filter(|(_, window)| words.iter().any(|word| word == window)) {
                prop_assert_eq!(fast.blocks[at / BLOCK].candidates.bits() >> (at % BLOCK) & 1, 1, "{:?}", window);
            }
            let marks: Vec<_> = (0..text.len()).filter(|at| is_mark(text[*at])).collect();
            prop_assert_eq!(fast.marks().collect::<Vec<_>>(), marks);
        }

        #[test]
        fn runs_are_those_that_a_byte_by_byte_walk_finds(text in "([a-z0-9]{0,200}[ .]{0,3}){0,12}") {
            let survey = surveyed(text.as_bytes(), &Fingerprints::default());
            let (mut wanted, mut starts) = (Vec::new(), Vec::new());
            let mut at = 0;
            for piece in text.split([' ', '.']) {
                if piece.len() >= TAIL {
                    starts.push(at);
                }
                if piece.len() >= RUN {
                    wanted.push(at..at + piece.len());
                }
                at += piece.len() + 1;
            }
            prop_assert_eq!(&survey.runs, &wanted);
            prop_assert_eq!(&survey.starts, &starts);
            let tails = (0..text.len()).filter(|at| survey.is_tail(*at)).count();
            let long = text.split([' ', '.']).map(|piece| (piece.len() + 1).saturating_sub(TAIL));
            prop_assert_eq!(tails, long.sum::<usize>());
        }

        #[test]
        fn heads_and_joined_lines_are_those_that_a_byte_by_byte_walk_finds(text in "([a-c0_]{0,30}[-+/ .\\n]{1,2}){0,12}[ab]{0,3}") {
            let text = text.as_bytes();
            let survey = surveyed(text, &Fingerprints::default());
            let coded = |at: usize| text.get(at).is_some_and(|byte| is_coded(*byte));
            let head = |at: &usize| {
                (*at..at + TAIL).all(coded) && (*at == 0 || !coded(*at - 1) || is_joint(text[*at - 1]))
            };
            prop_assert_eq!(&survey.heads, &(0..text.len()).filter(head).collect::<Vec<_>>());
            let joined = |at: &usize| {
                text[*at] == b'\n' && *at >= 2 && [at - 2, at - 1, at + 1, at + 2].into_iter().all(coded)
            };
            prop_assert_eq!(survey.joined_lines().collect::<Vec<_>>(), (0..text.len()).filter(joined).collect::<Vec<_>>());
        }
    }
}
