//! Many words at once, in either case: where any of them stands in a text.
//!
//! Three bytes of each word, those that are the rarest, are its mark. One look at a table for each place of the text
//! says whether a mark may begin there; only then are words compared.

/// How many values a mark has, as a power of two.
const VALUES: u32 = 15;
/// How many slots there are, as a power of two.
const SLOTS: u32 = 10;
/// How many places are looked at before words are compared.
const BLOCK: usize = 256;

/// The words, of two bytes or more.
pub(crate) struct Words {
    all: Vec<Word>,
    /// For each value of a mark 1 if a word has it.
    known: Box<[u8; 1 << VALUES]>,
    /// By the upper bits of the value, the words that may have it.
    slots: Vec<Vec<u32>>,
}

struct Word {
    text: Vec<u8>,
    /// Where its mark begins.
    offset: usize,
}

impl Words {
    pub(crate) fn new(texts: Vec<Vec<u8>>) -> Words {
        let mut words = Words {
            all: Vec::with_capacity(texts.len()),
            known: Box::new([0; 1 << VALUES]),
            slots: vec![Vec::new(); 1 << SLOTS],
        };
        for text in texts {
            let marks = 0..=text.len().saturating_sub(3);
            let offset = marks.min_by_key(|at| text[*at..].iter().take(3).map(|byte| frequency(*byte)).sum::<u32>());
            words.add(Word { text, offset: offset.unwrap_or_default() });
        }
        words
    }

    fn add(&mut self, word: Word) {
        let number = self.all.len() as u32;
        let [first, second, ref rest @ ..] = word.text[word.offset..] else { return };
        // A word of two bytes has every third one.
        let thirds = rest.first().map_or(0..=u8::MAX, |third| *third..=*third);
        for third in thirds {
            let value = value([first, second, third, 0]);
            self.known[value] = 1;
            let slot = &mut self.slots[value >> (VALUES - SLOTS)];
            if slot.last() != Some(&number) {
                slot.push(number);
            }
        }
        self.all.push(word);
    }

    /// Calls `each` for each word that stands in `text`, with its number and its place, about in order: a place may come up to
    /// a word's length after a greater one.
    pub(crate) fn find<E>(&self, text: &[u8], mut each: impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        let mut places = [0_u32; BLOCK];
        let mut base = 0;
        while base + 4 <= text.len() {
            let end = text.len().min(base + BLOCK + 3);
            let mut count = 0;
            // Most places are none: they are written down without a branch on what they are.
            for (at, mark) in text[base..end].windows(4).enumerate() {
                let value = value([mark[0], mark[1], mark[2], mark[3]]);
                places[count % BLOCK] = at as u32;
                count += usize::from(self.known[value]);
            }
            for at in &places[..count] {
                self.compare(text, base + *at as usize, &mut each)?;
            }
            base = end - 3;
        }
        // The last places have no four bytes before them.
        (base..text.len().saturating_sub(1)).try_for_each(|at| self.compare(text, at, &mut each))
    }

    fn compare<E>(
        &self,
        text: &[u8],
        at: usize,
        each: &mut impl FnMut(usize, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let mark = [text[at], text[at + 1], text.get(at + 2).copied().unwrap_or_default(), 0];
        for number in &self.slots[value(mark) >> (VALUES - SLOTS)] {
            let word = &self.all[*number as usize];
            let Some(start) = at.checked_sub(word.offset) else { continue };
            let Some(there) = text.get(start..start + word.text.len()) else { continue };
            // The mark is likely to be the same: what is behind it tells more.
            let likely = there.last().map(u8::to_ascii_lowercase) == word.text.last().copied();
            if likely && there.eq_ignore_ascii_case(&word.text) {
                each(*number as usize, start)?;
            }
        }
        Ok(())
    }
}

/// The first three of four bytes, in whatever case, as a number that says little else.
fn value(mark: [u8; 4]) -> usize {
    let folded = u32::from_le_bytes(mark) & 0x00FF_FFFF | 0x0020_2020;
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
