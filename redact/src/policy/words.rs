//! Many words at once, in either case: where any of them stands in a text.
//!
//! Three bytes of each word, those that are the rarest, are its mark. One look at a table of bits for each place of the text
//! says whether a mark may begin there; only then are marks compared, and words where they are the same.

/// How many values a mark has, as a power of two.
const VALUES: u32 = 16;
/// How many slots there are, as a power of two.
const SLOTS: u32 = 10;
/// How many places are looked at before marks are compared.
const BLOCK: usize = 256;

/// The words, of two bytes or more.
pub(crate) struct Words {
    all: Vec<Word>,
    /// For each value of a mark whether a word has it, as bits.
    known: Box<[u8; (1 << VALUES) / 8]>,
    /// By the upper bits of the value, where the marks begin that may have it; and where the last ones end.
    slots: Vec<u32>,
    marks: Vec<Mark>,
}

struct Word {
    text: Vec<u8>,
    /// Where its mark begins.
    offset: usize,
}

#[derive(Clone, Copy)]
struct Mark {
    bytes: u32,
    /// Which bits of them count: a word of two bytes has every third one.
    mask: u32,
    word: u32,
}

impl Words {
    pub(crate) fn new(texts: Vec<Vec<u8>>) -> Words {
        let mut known = Box::new([0; (1 << VALUES) / 8]);
        let mut slots = vec![Vec::new(); 1 << SLOTS];
        let mut all = Vec::with_capacity(texts.len());
        for (number, text) in (0..).zip(texts) {
            let offsets = 0..=text.len().saturating_sub(3);
            let offset = offsets
                .min_by_key(|at| text[*at..].iter().take(3).map(|byte| frequency(*byte)).sum::<u32>())
                .unwrap_or_default();
            if let [first, second, ref rest @ ..] = text[offset..] {
                let mask = if rest.is_empty() { 0xFFFF } else { 0x00FF_FFFF };
                for third in rest.first().map_or(0..=u8::MAX, |third| *third..=*third) {
                    let bytes = folded(u32::from_le_bytes([first, second, third, 0]));
                    let value = value(bytes);
                    known[value / 8] |= 1 << (value % 8);
                    let mark = Mark { bytes: bytes & mask, mask, word: number };
                    let slot: &mut Vec<Mark> = &mut slots[value >> (VALUES - SLOTS)];
                    if slot.last().is_none_or(|last| last.word != number) {
                        slot.push(mark);
                    }
                }
            }
            all.push(Word { text, offset });
        }
        let mut words = Words { all, known, slots: Vec::with_capacity(slots.len() + 1), marks: Vec::new() };
        for slot in slots {
            words.slots.push(words.marks.len() as u32);
            words.marks.extend(slot);
        }
        words.slots.push(words.marks.len() as u32);
        words
    }

    /// Calls `each` for each word that stands in `text`, with its number and its place, about in order: a place may come up to
    /// a word's length after a greater one.
    pub(crate) fn find<E>(&self, text: &[u8], mut each: impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        let mut places = [0_u32; BLOCK];
        let mut base = 0;
        while let Some(block) = text.get(base..).and_then(<[u8]>::first_chunk::<{ BLOCK + 8 }>) {
            let mut count = 0;
            for at in (0..BLOCK).step_by(4) {
                // Four places are read at once.
                let mut eight = [0; 8];
                eight.copy_from_slice(&block[at..at + 8]);
                let eight = u64::from_le_bytes(eight);
                for next in 0..4 {
                    let value = value(folded((eight >> (8 * next)) as u32));
                    // Most places are none: they are written down without a branch on what they are.
                    places[count % BLOCK] = (at + next) as u32;
                    count += usize::from(self.known[value / 8] >> (value % 8) & 1);
                }
            }
            for at in &places[..count] {
                self.compare(text, base + *at as usize, &mut each)?;
            }
            base += BLOCK;
        }
        (base..text.len().saturating_sub(1)).try_for_each(|at| self.compare(text, at, &mut each))
    }

    #[inline]
    fn compare<E>(
        &self,
        text: &[u8],
        at: usize,
        each: &mut impl FnMut(usize, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let third = text.get(at + 2).copied().unwrap_or_default();
        let bytes = folded(u32::from_le_bytes([text[at], text[at + 1], third, 0]));
        let value = value(bytes);
        if self.known[value / 8] >> (value % 8) & 1 == 0 {
            return Ok(());
        }
        let slot = value >> (VALUES - SLOTS);
        for mark in &self.marks[self.slots[slot] as usize..self.slots[slot + 1] as usize] {
            if (bytes ^ mark.bytes) & mark.mask == 0 {
                let word = &self.all[mark.word as usize];
                let start = at.wrapping_sub(word.offset);
                let there = text.get(start..start.saturating_add(word.text.len()));
                if there.is_some_and(|there| there.eq_ignore_ascii_case(&word.text)) {
                    each(mark.word as usize, start)?;
                }
            }
        }
        Ok(())
    }
}

/// The first three of four bytes, the lowest first, in whatever case.
fn folded(bytes: u32) -> u32 {
    bytes & 0x00FF_FFFF | 0x0020_2020
}

/// A mark as a number that says little else.
fn value(folded: u32) -> usize {
    (folded.wrapping_mul(0x9E37_79B1) >> (32 - VALUES)) as usize
}

/// How often a byte occurs in logs and code; only the order counts.
fn frequency(byte: u8) -> u32 {
    match byte.to_ascii_lowercase() {
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' | b' ' => 9,
        b'l' | b'c' | b'd' | b'u' | b'm' | b'p' => 6,
        b'0'..=b'9' => 5,
        b'/' | b'.' | b':' | b'-' | b'"' | b'=' | b'_' | b',' => 4,
        b'a'..=b'z' => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_word_is_found_wherever_it_stands(
            texts in prop::collection::btree_set("[a-c_é]{2,6}", 1..20),
            text in "[a-cA-C_é]{0,600}",
        ) {
            let texts: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
            let mut wanted = Vec::new();
            for (number, word) in texts.iter().enumerate() {
                let places = text.as_bytes().windows(word.len()).enumerate();
                wanted.extend(places.filter(|(_, there)| there.eq_ignore_ascii_case(word)).map(|(at, _)| (number, at)));
            }
            let mut found = Vec::new();
            let words = Words::new(texts);
            words.find::<()>(text.as_bytes(), |number, at| { found.push((number, at)); Ok(()) }).unwrap();
            found.sort_unstable();
            prop_assert_eq!(found, wanted);
        }
    }
}
