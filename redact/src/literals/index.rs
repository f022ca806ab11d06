//! Literals by the first bytes of their fingerprints.

use super::Literal;
use crate::survey::WIDTH;

/// A bit for each value of [`mixed`].
type Bits = Box<[u64; (1 << MIXED) / 64]>;

/// Literals by the first three bytes of their fingerprints.
pub(super) struct Index {
    /// For each slot the range of the entries that belong to it.
    slots: Vec<(u16, u16)>,
    entries: Vec<Entry>,
    /// For each value of [`mixed`] whether one of less than four bytes has it, as bits.
    known: Bits,
    /// For each value of [`mixed_four`] whether one has it.
    known_four: Bits,
}

impl Index {
    pub(super) fn new<'l>(literals: impl Iterator<Item = (u16, &'l Literal)>) -> Index {
        let none = || Box::new([0; (1 << MIXED) / 64]);
        let mut index = Index { slots: Vec::new(), entries: Vec::new(), known: none(), known_four: none() };
        let mut slots = vec![Vec::new(); 1 << SLOTS];
        for (number, literal) in literals {
            index.add(literal, Entry::new(number, literal), &mut slots);
        }
        for slot in slots {
            let from = index.entries.len() as u16;
            index.entries.extend(slot);
            index.slots.push((from, index.entries.len() as u16));
        }
        index
    }

    fn add(&mut self, literal: &Literal, entry: Entry, slots: &mut [Vec<Entry>]) {
        let fingerprint = literal.fingerprint();
        let [first, second, ..] = *fingerprint else { return };
        if let Some(four) = fingerprint.first_chunk() {
            let mixed = mixed_four(*four);
            self.known_four[mixed / 64] |= 1 << (mixed % 64);
        }
        // A fingerprint of two bytes is known with any third.
        let thirds = fingerprint.get(2).map_or(0..=u8::MAX, |third| *third..=*third);
        for third in thirds {
            let mixed = mixed([first, second, third]);
            if fingerprint.len() < WIDTH {
                self.known[mixed / 64] |= 1 << (mixed % 64);
            }
            let slot = &mut slots[slot(mixed)];
            if !slot.iter().any(|other| other.literal == entry.literal) {
                slot.push(entry);
            }
        }
    }

    /// Whether a fingerprint may begin with these bytes.
    fn knows(&self, first: [u8; 4]) -> bool {
        let [three @ .., _] = first;
        let (mixed, mixed_four) = (mixed(three), mixed_four(first));
        (self.known[mixed / 64] >> (mixed % 64) | self.known_four[mixed_four / 64] >> (mixed_four % 64)) & 1 == 1
    }

    /// Writes down those of `places` at which a fingerprint may begin.
    pub(super) fn look(&self, text: &[u8], places: &[u32], known: &mut Vec<u32>) {
        // At the text's end fewer bytes may be there.
        let whole = places.partition_point(|at| *at as usize + WIDTH <= text.len());
        let (places, last) = places.split_at(whole);
        known.clear();
        known.resize(places.len(), 0);
        // Most places are none: they are written down without a branch on what they are.
        let mut count = 0;
        for at in places {
            let Some(four) = text.get(*at as usize..).and_then(<[u8]>::first_chunk) else { break };
            if let Some(place) = known.get_mut(count) {
                *place = *at;
            }
            count += usize::from(self.knows(*four));
        }
        known.truncate(count);
        known.extend_from_slice(last);
    }

    /// Whether a fingerprint may begin at `at`.
    pub(super) fn may_begin(&self, text: &[u8], at: usize) -> bool {
        text.get(at..).and_then(<[u8]>::first_chunk).is_some_and(|four| self.knows(*four))
    }

    /// The literals whose fingerprint may begin with these bytes.
    pub(super) fn get(&self, first: [u8; 3]) -> &[Entry] {
        let (from, to) = self.slots[slot(mixed(first))];
        &self.entries[usize::from(from)..usize::from(to)]
    }
}

/// What it takes to see at a glance whether a literal may stand somewhere.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// Its first eight bytes, in lower case where letters stand for both, and which bits of them count.
    head: u64,
    mask: u64,
    /// The bits that make lower case of letters.
    fold: u64,
    offset: u16,
    pub(super) literal: u16,
    /// How many bytes of a run stand there.
    pub(super) run: u16,
    /// Whether all of it is to be seen at that glance.
    whole: bool,
}

impl Entry {
    fn new(number: u16, literal: &Literal) -> Entry {
        let word = |byte: fn(u8) -> u8| {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(&literal.text).for_each(|(place, text)| *place = byte(*text));
            u64::from_le_bytes(bytes)
        };
        let fold = if literal.folds { word(|byte| if byte.is_ascii_lowercase() { 0x20 } else { 0 }) } else { 0 };
        let (head, mask) = (word(|byte| byte), word(|_| 0xFF));
        let (offset, run) = (literal.offset as u16, literal.run as u16);
        Entry { head, mask, fold, offset, literal: number, run, whole: literal.text.len() <= size_of::<u64>() }
    }

    /// Where the literal would begin whose fingerprint begins at `at`, if its first bytes stand there; and whether all do.
    pub(super) fn may_stand(&self, text: &[u8], at: usize) -> Option<(usize, bool)> {
        let start = at.checked_sub(usize::from(self.offset))?;
        match text.get(start..)?.first_chunk() {
            Some(eight) => {
                ((u64::from_le_bytes(*eight) | self.fold) & self.mask == self.head).then_some((start, self.whole))
            }
            None => Some((start, false)),
        }
    }
}

/// How many values [`mixed`] has, as a power of two.
const MIXED: u32 = 16;
/// How many slots there are, as a power of two.
const SLOTS: u32 = 13;

/// The first three bytes of a fingerprint, whatever their case, as a number that says little else.
fn mixed(first: [u8; 3]) -> usize {
    let folded = u32::from_le_bytes([first[0], first[1], first[2], 0]) | 0x0020_2020;
    (folded.wrapping_mul(0x9E37_79B1) >> (32 - MIXED)) as usize
}

/// The same of four bytes.
fn mixed_four(first: [u8; 4]) -> usize {
    let folded = u32::from_le_bytes(first) | 0x2020_2020;
    (folded.wrapping_mul(0x9E37_79B1) >> (32 - MIXED)) as usize
}

fn slot(mixed: usize) -> usize {
    mixed >> (MIXED - SLOTS)
}
