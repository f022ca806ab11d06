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
pub(crate) const SETS: usize = 3;
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

/// What the pass says, by block: a bit for each byte, the first byte's lowest.
#[derive(Debug, Default, PartialEq, Eq)]
struct Words {
    /// Where a fingerprint may begin.
    candidates: Vec<u64>,
    /// What base64, also for URLs, and hex are written with: see [`is_coded`]. A block with none stands before the first and
    /// behind the last.
    coded: Vec<u64>,
    /// Those of them that belong to no word: `+`, `-` and `/`.
    joints: Vec<u64>,
    /// What may begin an escape, or something hidden: see [`is_mark`].
    marks: Vec<u64>,
    /// Line feeds.
    breaks: Vec<u64>,
}

impl Words {
    /// The words of the blocks from `from` on, in the order above.
    fn from(&mut self, from: usize) -> [&mut [u64]; 5] {
        let last = self.coded.len() - 1;
        [
            &mut self.candidates[from..],
            &mut self.coded[from + 1..last],
            &mut self.joints[from..],
            &mut self.marks[from..],
            &mut self.breaks[from..],
        ]
    }

    /// How many blocks there are.
    fn len(&self) -> usize {
        self.candidates.len()
    }

    fn resize(&mut self, blocks: usize) {
        let all = [&mut self.candidates, &mut self.joints, &mut self.marks, &mut self.breaks];
        all.into_iter().for_each(|words| words.resize(blocks, 0));
        self.coded.resize(blocks + 2, 0);
        (self.coded[0], self.coded[blocks + 1]) = (0, 0);
    }
}

/// The bytes of a tail: so many bytes that [`is_coded`] names follow where one begins.
pub(crate) const TAIL: usize = 16;
/// The shortest run that is told of.
pub(crate) const RUN: usize = 24;

/// Places in a text, in order.
#[derive(Default)]
struct Places {
    /// Behind the first `len` of them stands what means nothing.
    places: Vec<u32>,
    len: usize,
}

impl Places {
    /// Adds those of the bits of a block that begins at `base`.
    #[inline(always)]
    fn add(&mut self, base: u32, bits: u64) {
        if self.places.len() < self.len + BLOCK {
            self.places.resize(self.len * 2 + BLOCK * 4, 0);
        }
        let Some(room) = self.places.get_mut(self.len..self.len + BLOCK) else { return };
        self.len += bits.count_ones() as usize;
        // How many bits there are can hardly be foretold: a loop over each would cost more than to write down some that are
        // none.
        let mut bits = bits;
        for some in room.chunks_exact_mut(2) {
            for place in some {
                *place = base + bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                break;
            }
        }
    }

    fn all(&self) -> &[u32] {
        &self.places[..self.len]
    }
}

/// What the pass says.
#[derive(Default)]
pub(crate) struct Survey {
    words: Words,
    /// Where a tail begins, by block.
    tails: Vec<u64>,
    /// Line feeds within runs, by block.
    joined: Vec<u64>,
    candidates: Places,
    marks: Places,
    joined_lines: Places,
    starts: Places,
    /// Behind the last place of each of the tails that follow on one another.
    ends: Places,
    heads: Places,
}

impl Survey {
    /// Looks at all of `text`.
    pub(crate) fn take(&mut self, text: &[u8], fingerprints: &Fingerprints) {
        self.words.resize(text.len().div_ceil(BLOCK));
        #[cfg(target_arch = "x86_64")]
        let done = vector::blocks(text, fingerprints, &mut self.words);
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        self.bytes(text, fingerprints, done);
        #[cfg(target_arch = "x86_64")]
        vector::join(self);
        #[cfg(not(target_arch = "x86_64"))]
        self.join();
    }

    /// Where a fingerprint may begin.
    pub(crate) fn candidates(&self) -> &[u32] {
        self.candidates.all()
    }

    /// Where an escape or something hidden may begin.
    pub(crate) fn marks(&self) -> &[u32] {
        self.marks.all()
    }

    /// The line feeds that stand between two bytes of a run to each side.
    pub(crate) fn joined_lines(&self) -> &[u32] {
        self.joined_lines.all()
    }

    /// Where the runs of [`TAIL`] bytes or more begin.
    pub(crate) fn starts(&self) -> &[u32] {
        self.starts.all()
    }

    /// Where tails begin behind a byte that is no letter, digit or underscore.
    pub(crate) fn heads(&self) -> &[u32] {
        self.heads.all()
    }

    /// The runs of [`RUN`] bytes or more.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Range<usize>> {
        // Of a run of n tails n + 15 bytes are coded.
        let runs = self.starts().iter().zip(self.ends.all());
        runs.map(|(start, end)| *start as usize..*end as usize + TAIL - 1).filter(|run| run.len() >= RUN)
    }

    /// Where the line begins that ends at `newline`, unless that is further away than `reach` bytes, roughly.
    pub(crate) fn line_start(&self, newline: usize, reach: usize) -> Option<usize> {
        let (block, bit) = (newline / BLOCK, newline % BLOCK);
        let first = block.saturating_sub(reach / BLOCK + 1);
        let mut words = self.words.breaks.get(first..=block)?.iter().copied().rev().enumerate();
        let before = words.find_map(|(back, word)| {
            let word = if back == 0 { word & ((1 << bit) - 1) } else { word };
            word.checked_ilog2().map(|bit| (block - back) * BLOCK + bit as usize + 1)
        });
        before.or((first == 0).then_some(0))
    }

    /// Whether a tail begins at `at`.
    pub(crate) fn is_tail(&self, at: usize) -> bool {
        self.tails.get(at / BLOCK).is_some_and(|tails| tails >> (at % BLOCK) & 1 == 1)
    }

    /// Whether at least so many bytes of a run stand from `at` on; fewer than [`TAIL`] are not looked at.
    pub(crate) fn has_run(&self, at: usize, bytes: usize) -> bool {
        let Some(last) = bytes.checked_sub(TAIL) else { return true };
        // Most are not longer than a tail.
        self.is_tail(at)
            && (last == 0 || (TAIL..last).step_by(TAIL).all(|step| self.is_tail(at + step)) && self.is_tail(at + last))
    }

    /// Follows the runs from block to block, and writes down the places of bits.
    #[inline(always)]
    fn join(&mut self) {
        let Survey { words, tails, joined, .. } = self;
        tails.resize(words.len(), 0);
        joined.resize(words.len(), 0);
        let into = tails.iter_mut().zip(joined.iter_mut());
        for ((coded, breaks), (tails, joined)) in words.coded.windows(3).zip(&words.breaks).zip(into) {
            let [before, coded, next] = [coded[0], coded[1], coded[2]];
            // Bits of this block at which 2, 4, 8, 16 in a row begin; the next block says how the last ones go on.
            let (mut here, mut above) = (coded, next);
            for step in [1, 2, 4, 8] {
                here &= here >> step | above << (64 - step);
                above &= above >> step;
            }
            *tails = here;
            let left = (coded << 1 | before >> 63) & (coded << 2 | before >> 62);
            let right = (coded >> 1 | next << 63) & (coded >> 2 | next << 62);
            *joined = breaks & left & right;
        }
        let all = [
            &mut self.candidates,
            &mut self.marks,
            &mut self.joined_lines,
            &mut self.starts,
            &mut self.ends,
            &mut self.heads,
        ];
        all.into_iter().for_each(|places| places.len = 0);
        let mut base = 0;
        // Where tails begin in the block before, and its bytes of words.
        let (mut tailed, mut worded) = (0, 0);
        let words = &self.words;
        let seldom = words.marks.iter().zip(&self.joined);
        let runs = words.coded[1..].iter().zip(&words.joints).zip(&self.tails);
        for ((candidates, (marks, joined)), ((coded, joints), tails)) in words.candidates.iter().zip(seldom).zip(runs) {
            self.candidates.add(base, *candidates);
            let word = coded & !joints;
            if tails | tailed != 0 {
                let rest = tails << 1 | tailed >> 63;
                self.starts.add(base, tails & !rest);
                self.ends.add(base, rest & !tails);
                self.heads.add(base, tails & !(word << 1 | worded >> 63));
            }
            if marks | joined != 0 {
                self.marks.add(base, *marks);
                self.joined_lines.add(base, *joined);
            }
            (tailed, worded) = (*tails, word);
            base += BLOCK as u32;
        }
        self.ends.add(base, tailed >> 63);
    }

    /// The blocks from `from` on, byte by byte.
    fn bytes(&mut self, text: &[u8], fingerprints: &Fingerprints, from: usize) {
        let [candidates, coded, joints, marks, breaks] = self.words.from(from);
        for (index, bytes) in text.get(from * BLOCK..).unwrap_or_default().chunks(BLOCK).enumerate() {
            let bits = |is: &dyn Fn(u8) -> bool| {
                (0..).zip(bytes).fold(0, |bits, (bit, byte)| bits | u64::from(is(*byte)) << bit)
            };
            let base = (from + index) * BLOCK;
            let begins = |at: usize| fingerprints.may_begin(&text[at..text.len().min(at + WIDTH)]);
            candidates[index] = (0..bytes.len()).fold(0, |bits, bit| bits | u64::from(begins(base + bit)) << bit);
            coded[index] = bits(&is_coded);
            joints[index] = bits(&is_joint);
            marks[index] = bits(&is_mark);
            breaks[index] = bits(&|byte| byte == b'\n');
        }
    }
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
            slow.words.resize(text.len().div_ceil(BLOCK));
            slow.bytes(&text, &fingerprints, 0);
            slow.join();
            prop_assert_eq!(&fast.words, &slow.words);
            #[cfg(target_arch = "x86_64")]
            {
                let mut narrow = Words::default();
                narrow.resize(text.len().div_ceil(BLOCK));
                let done = vector::blocks_by(None, &text, &fingerprints, &mut narrow);
                prop_assert!(done == 0 || narrow == slow.words);
            }
            for (at, window) in text.windows(WIDTH).enumerate().filter(|(_, window)| words.iter().any(|word| word == window)) {
                prop_assert_eq!(fast.words.candidates[at / BLOCK] >> (at % BLOCK) & 1, 1, "{:?}", window);
            }
            let marks: Vec<_> = (0_u32..).zip(&text).filter(|(_, byte)| is_mark(**byte)).map(|(at, _)| at).collect();
            prop_assert_eq!(fast.marks(), marks);
        }

        #[test]
        fn runs_are_those_that_a_byte_by_byte_walk_finds(text in "([a-z0-9]{0,200}[ .]{0,3}){0,12}") {
            let survey = surveyed(text.as_bytes(), &Fingerprints::default());
            let (mut wanted, mut starts) = (Vec::new(), Vec::new());
            let mut at = 0;
            for piece in text.split([' ', '.']) {
                if piece.len() >= TAIL {
                    starts.push(at as u32);
                }
                if piece.len() >= RUN {
                    wanted.push(at..at + piece.len());
                }
                at += piece.len() + 1;
            }
            prop_assert_eq!(survey.runs().collect::<Vec<_>>(), wanted);
            prop_assert_eq!(survey.starts(), starts);
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
            let places = |is: &dyn Fn(&usize) -> bool| (0..text.len()).filter(is).map(|at| at as u32).collect::<Vec<_>>();
            prop_assert_eq!(survey.heads(), places(&head));
            let joined = |at: &usize| {
                text[*at] == b'\n' && *at >= 2 && [at - 2, at - 1, at + 1, at + 2].into_iter().all(coded)
            };
            prop_assert_eq!(survey.joined_lines(), places(&joined));
        }
    }
}
