//! The literals that lead to rules, keys, commands and armour: where they stand in a text.
//!
//! A literal is found by its fingerprint, those four of its bytes that are the rarest in logs and code. [`Survey`] says where
//! one may begin; here is looked up which it can be, and then the literal is compared whole.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::survey::{BLOCK, Fingerprints, HEADS, SETS, Survey, TAIL, WIDTH};
use crate::{command, key, rules};

/// What a literal that was found leads to.
#[derive(Clone, Copy)]
pub(crate) enum Lead {
    /// The rule of this index.
    Rule(usize),
    /// A key that may name a secret.
    Key,
    /// The armour of a key.
    Armour,
    /// The authority of a URL.
    Url,
    /// The command of this index.
    Command(usize),
    /// The private part of a PuTTY key.
    Putty,
    /// A JSON Web Key.
    WebKey,
    /// A marker of ours.
    Marker,
    /// The end of a key that may name the data of a Kubernetes object.
    Data,
}

/// A literal of two bytes or more.
struct Literal {
    text: Vec<u8>,
    /// Whether letters stand for both cases; then `text` is in lower case.
    folds: bool,
    /// Where [`TAIL`] bytes of a run stand in what it leads to: from its start on, or right behind it. `None`: maybe nowhere.
    tail: Option<usize>,
    /// Where its fingerprint begins; 0 where a run does.
    offset: usize,
    leads: Vec<Lead>,
}

/// All literals.
pub(crate) struct Literals {
    all: Vec<Literal>,
    pub(crate) fingerprints: Fingerprints,
    /// Those that head runs.
    heads: Index,
    /// Those that stand before runs, by their last byte; with the one before it.
    before: Vec<Vec<(u8, u16)>>,
    /// All others.
    others: Index,
}

/// By text, whether letters stand for both cases, and the tail.
type Leads = BTreeMap<(Vec<u8>, bool, Option<usize>), Vec<Lead>>;

/// Literals by the first three bytes of their fingerprints.
struct Index {
    /// For each slot the range of the entries that belong to it.
    slots: Vec<(u16, u16)>,
    entries: Vec<Entry>,
    /// For each value of [`mixed`] whether one of less than four bytes has it, as bits.
    known: Vec<u64>,
    /// For each value of [`mixed_four`] whether one has it.
    known_four: Vec<u64>,
}

impl Index {
    fn new<'l>(literals: impl Iterator<Item = (u16, &'l Literal)>) -> Index {
        let none = || vec![0; (1 << MIXED) / 64];
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

    /// Gives `each` those places among the bits of `words` at which a fingerprint may begin.
    fn look(&self, text: &[u8], words: impl Iterator<Item = (usize, u64)>, mut each: impl FnMut(usize)) {
        // Most candidates are none: they are written down without a branch on what they are.
        let mut places = [0; PLACES];
        let mut count = 0;
        for (block, mut word) in words {
            while word != 0 {
                let at = block * BLOCK + word.trailing_zeros() as usize;
                word &= word - 1;
                places[count % PLACES] = at;
                // At the text's end fewer bytes may be there.
                let four = text.get(at..).and_then(<[u8]>::first_chunk);
                count += usize::from(four.is_none_or(|four| self.knows(*four)));
            }
            if count > PLACES - BLOCK {
                places[..count].iter().for_each(|at| each(*at));
                count = 0;
            }
        }
        places[..count].iter().for_each(|at| each(*at));
    }

    /// The literals whose fingerprint may begin with these bytes.
    fn get(&self, first: [u8; 3]) -> &[Entry] {
        let (from, to) = self.slots[slot(mixed(first))];
        &self.entries[usize::from(from)..usize::from(to)]
    }
}

/// How many places are written down before they are looked at.
const PLACES: usize = 1024;

/// What it takes to see at a glance whether a literal may stand somewhere.
#[derive(Clone, Copy)]
struct Entry {
    /// Its first eight bytes, in lower case where letters stand for both, and which bits of them count.
    head: u64,
    mask: u64,
    /// The bits that make lower case of letters.
    fold: u64,
    offset: u16,
    literal: u16,
}

impl Entry {
    fn new(number: u16, literal: &Literal) -> Entry {
        let word = |byte: fn(u8) -> u8| {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(&literal.text).for_each(|(place, text)| *place = byte(*text));
            u64::from_le_bytes(bytes)
        };
        let fold = if literal.folds { word(|byte| if byte.is_ascii_lowercase() { 0x20 } else { 0 }) } else { 0 };
        Entry { head: word(|byte| byte), mask: word(|_| 0xFF), fold, offset: literal.offset as u16, literal: number }
    }

    /// Where the literal would begin whose fingerprint begins at `at`, if its first bytes stand there.
    fn may_stand(&self, text: &[u8], at: usize) -> Option<usize> {
        let start = at.checked_sub(usize::from(self.offset))?;
        match text.get(start..)?.first_chunk() {
            Some(eight) => ((u64::from_le_bytes(*eight) | self.fold) & self.mask == self.head).then_some(start),
            None => Some(start),
        }
    }
}

/// A literal that stands in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Found {
    /// Where it begins.
    pub(crate) start: usize,
    literal: u16,
}

/// A text that was looked over.
pub(crate) struct Seen {
    pub(crate) survey: Survey,
    /// The literals that stand in it, in order.
    pub(crate) found: Vec<Found>,
}

impl Seen {
    pub(crate) fn of(text: &[u8]) -> Seen {
        let (literals, mut survey, mut found) = (Literals::get(), Survey::default(), Vec::new());
        survey.take(text, &literals.fingerprints);
        literals.find(text, &survey, &mut found);
        Seen { survey, found }
    }

    /// Where the literals stand that lead to what `leads` wants.
    pub(crate) fn places(&self, wants: fn(&Lead) -> bool) -> impl Iterator<Item = usize> {
        let wanted = move |found: &&Found| Literals::get().leads(**found).0.iter().any(wants);
        self.found.iter().filter(wanted).map(|found| found.start)
    }
}

/// How many values [`mixed`] has, as a power of two.
const MIXED: u32 = 16;
/// How many slots there are, as a power of two.
const SLOTS: u32 = 10;

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

impl Literals {
    /// The literals of all rules, made when first asked for.
    pub(crate) fn get() -> &'static Literals {
        static LITERALS: OnceLock<Literals> = OnceLock::new();
        LITERALS.get_or_init(|| {
            let mut leads: Leads = BTreeMap::new();
            let mut lead = |text: &str, folds: bool, lead: Lead| {
                leads.entry((text.as_bytes().to_vec(), folds, None)).or_default().push(lead);
            };
            key::LEADS.iter().for_each(|word| lead(word, true, Lead::Key));
            command::literals().enumerate().for_each(|(index, text)| lead(text, true, Lead::Command(index)));
            lead("-----begin ", true, Lead::Armour);
            lead("-----end ", true, Lead::Armour);
            lead("private-lines:", true, Lead::Putty);
            lead("\"kty\"", true, Lead::WebKey);
            lead("://", false, Lead::Url);
            lead("[REDACTED:", false, Lead::Marker);
            ["ata:", "ata\"", "ata\\"].into_iter().for_each(|end| lead(end, false, Lead::Data));
            for (index, compiled) in rules::all().iter().enumerate() {
                for (prefix, tail) in compiled.tails(TAIL) {
                    leads.entry((prefix.as_bytes().to_vec(), false, tail)).or_default().push(Lead::Rule(index));
                }
            }
            Literals::new(leads)
        })
    }

    fn new(leads: Leads) -> Literals {
        let mut all: Vec<Literal> = Vec::with_capacity(leads.len());
        for ((text, folds, tail), leads) in leads {
            let offsets = 0..=if tail == Some(0) { 0 } else { text.len().saturating_sub(WIDTH) };
            let offset =
                offsets.min_by_key(|at| commonness(&text[*at..text.len().min(at + WIDTH)])).unwrap_or_default();
            all.push(Literal { text, folds, tail, offset, leads });
        }
        let numbered = || (0_u16..).zip(&all);
        let heads = Index::new(numbered().filter(|(_, literal)| literal.tail == Some(0)));
        let others = Index::new(numbered().filter(|(_, literal)| literal.tail.is_none()));
        let mut before = vec![Vec::new(); 256];
        for (number, literal) in numbered().filter(|(_, literal)| literal.tail.is_some_and(|tail| tail > 0)) {
            if let Some([second, last]) = literal.text.last_chunk() {
                before[usize::from(*last)].push((*second, number));
            }
        }
        Literals { fingerprints: Buckets::fill(&all), all, heads, before, others }
    }

    /// All places at which a literal stands, in order.
    pub(crate) fn find(&self, text: &[u8], survey: &Survey, found: &mut Vec<Found>) {
        found.clear();
        let mut compare = |index: &Index, at: usize| {
            let Some(first) = text.get(at..).and_then(<[u8]>::first_chunk) else { return };
            for entry in index.get(*first) {
                if let Some(start) = entry.may_stand(text, at)
                    && self.all[usize::from(entry.literal)].stands(text, start)
                {
                    found.push(Found { start, literal: entry.literal });
                }
            }
        };
        let candidates = survey.candidates.iter().enumerate().map(|(block, word)| (block, word.bits()));
        self.others.look(text, candidates, |at| compare(&self.others, at));
        self.heads.look(text, survey.headed(), |at| compare(&self.heads, at));
        for start in &survey.starts {
            let Some([second, last]) = text[..*start].last_chunk() else { continue };
            for (_, literal) in self.before[usize::from(*last)].iter().filter(|(before, _)| before == second) {
                let all = &self.all[usize::from(*literal)];
                let start = start.checked_sub(all.text.len()).filter(|start| all.stands(text, *start));
                found.extend(start.map(|start| Found { start, literal: *literal }));
            }
        }
        found.sort_unstable();
    }

    /// What a literal leads to, and how long it is.
    pub(crate) fn leads(&self, found: Found) -> (&[Lead], usize) {
        let literal = &self.all[usize::from(found.literal)];
        (&literal.leads, literal.text.len())
    }
}

impl Literal {
    fn fingerprint(&self) -> &[u8] {
        &self.text[self.offset..self.text.len().min(self.offset + WIDTH)]
    }

    /// Whether it begins at `start`.
    fn stands(&self, text: &[u8], start: usize) -> bool {
        let there = text.get(start..start + self.text.len());
        there.is_some_and(|there| if self.folds { there.eq_ignore_ascii_case(&self.text) } else { there == self.text })
    }
}

/// How common a sequence is in logs and code; only the order counts.
fn commonness(bytes: &[u8]) -> u64 {
    let missing = WIDTH - bytes.len();
    bytes.iter().map(|byte| frequency(*byte)).product::<u64>() * 1000_u64.pow(missing as u32)
}

/// How often a byte occurs in logs and code, in thousandths, roughly.
fn frequency(byte: u8) -> u64 {
    match byte {
        b' ' => 130,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 45,
        b'l' | b'c' | b'd' | b'u' | b'm' | b'p' => 28,
        b'0'..=b'9' => 25,
        b'a'..=b'z' => 12,
        b'/' | b'.' | b':' | b'-' | b'"' | b'=' | b'_' | b',' | b'\n' => 14,
        b'A'..=b'Z' => 4,
        _ => 2,
    }
}

/// Which fingerprints share a bucket: those that let few others in.
#[derive(Clone, Copy, Default)]
struct Bucket {
    /// By place: the lower and the upper halves of the bytes that are known there, as bits.
    low: [u16; WIDTH],
    high: [u16; WIDTH],
}

struct Buckets {
    buckets: [Bucket; SETS * 8],
    /// How frequent bytes with each lower half are, and with each upper half.
    low: [u64; 16],
    high: [u64; 16],
}

impl Buckets {
    fn fill(literals: &[Literal]) -> Fingerprints {
        let mut all = Buckets { buckets: Default::default(), low: [0; 16], high: [0; 16] };
        for byte in 0..128 {
            all.low[usize::from(byte & 15)] += frequency(byte);
            all.high[usize::from(byte >> 4)] += frequency(byte);
        }
        let told = literals.iter().filter(|literal| literal.tail.is_none_or(|tail| tail == 0));
        let mut ordered: Vec<&Literal> = told.collect();
        ordered.sort_by_key(|literal| std::cmp::Reverse(commonness(literal.fingerprint())));
        let mut fingerprints = Fingerprints::default();
        for literal in ordered {
            let dearer = |index: &usize| all.cost(&all.buckets[*index].with(literal)) - all.cost(&all.buckets[*index]);
            let sets = if literal.tail.is_some() { HEADS * 8..SETS * 8 } else { 0..HEADS * 8 };
            let Some(index) = sets.min_by(|a, b| dearer(a).total_cmp(&dearer(b))) else { continue };
            all.buckets[index] = all.buckets[index].with(literal);
            for place in 0..WIDTH {
                let halves = &mut fingerprints.sets[index / 8][place];
                literal.bytes_at(place, |byte| halves.add(byte, 1 << (index % 8)));
            }
        }
        fingerprints
    }

    /// How much of a text a bucket lets in.
    fn cost(&self, bucket: &Bucket) -> f64 {
        let sum = |halves: u16, of: &[u64; 16]| {
            of.iter().enumerate().filter(|(half, _)| halves >> half & 1 == 1).map(|(_, part)| *part).sum::<u64>() as f64
        };
        let place = |(low, high): (&u16, &u16)| sum(*low, &self.low) * sum(*high, &self.high) / 1e6;
        bucket.low.iter().zip(&bucket.high).map(place).product()
    }
}

impl Bucket {
    fn with(mut self, literal: &Literal) -> Bucket {
        for place in 0..WIDTH {
            literal.bytes_at(place, |byte| {
                self.low[place] |= 1 << (byte & 15);
                self.high[place] |= 1 << (byte >> 4);
            });
        }
        self
    }
}

impl Literal {
    /// The bytes that may stand at a place of the fingerprint: both cases, or all where it has no such place.
    fn bytes_at(&self, place: usize, mut each: impl FnMut(u8)) {
        match self.fingerprint().get(place) {
            Some(byte) => {
                each(*byte);
                if self.folds {
                    each(byte.to_ascii_uppercase());
                }
            }
            None => (0..=u8::MAX).for_each(each),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::survey::is_coded;

    #[test]
    fn literals_are_long_enough_to_be_found() {
        assert!(Literals::get().all.iter().all(|literal| literal.tail.is_some_and(|tail| tail > 0)
            || literal.text.len() >= 2 && (!literal.folds || literal.text == literal.text.to_ascii_lowercase())));
    }

    proptest! {
        #[test]
        fn each_literal_is_found_wherever_it_stands(
            pieces in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), "[ -~\\n]{0,20}[a-zA-Z0-9]{0,60}"), 0..8),
        ) {
            let literals = Literals::get();
            let mut text = Vec::new();
            for (index, upper, between) in pieces {
                let literal = index.get(&literals.all);
                text.extend_from_slice(&if upper { literal.text.to_ascii_uppercase() } else { literal.text.clone() });
                text.extend_from_slice(between.as_bytes());
            }
            let lower = text.to_ascii_lowercase();
            let mut wanted = Vec::new();
            for (index, literal) in (0..).zip(&literals.all) {
                let hay = if literal.folds { &lower } else { &text };
                let places = hay.windows(literal.text.len()).enumerate().filter(|(_, there)| *there == literal.text);
                let tail = |start: usize| text[start..].iter().take(TAIL).filter(|byte| is_coded(**byte)).count() == TAIL;
                let places = places.filter(|(start, _)| literal.tail.is_none_or(|at| tail(*start + at)));
                wanted.extend(places.map(|(start, _)| Found { start, literal: index }));
            }
            wanted.sort_unstable();
            prop_assert_eq!(Seen::of(&text).found, wanted);
        }
    }
}
