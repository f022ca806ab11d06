//! The literals that lead to rules, keys, commands and armour: where they stand in a text.
//!
//! A literal is found by its fingerprint, four of its bytes. [`Survey`] says where one may begin; here is looked up which it can
//! be, and then the literal is compared whole. What begins a long run of a token's characters, as most tokens do, is looked for
//! only where words begin in such runs.

mod buckets;
mod index;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::survey::{Fingerprints, Survey, TAIL, WIDTH};
use crate::{command, key, rules};
use index::Index;

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

impl Lead {
    fn wanted(self) -> u8 {
        match self {
            Lead::Key => Wanted::Key as u8,
            Lead::Marker => Wanted::Marker as u8,
            Lead::Data => Wanted::Data as u8,
            _ => 0,
        }
    }
}

/// A literal of two bytes or more.
struct Literal {
    text: Vec<u8>,
    /// Whether letters stand for both cases; then `text` is in lower case.
    folds: bool,
    place: Place,
    /// How many bytes of a run stand at least from its start on or right behind it, by its place.
    run: usize,
    /// Where its fingerprint begins; 0 where a run does.
    offset: usize,
    leads: Vec<Lead>,
    /// Which of [`Wanted`] are among its leads, as bits.
    wanted: u8,
    /// Whether there is more than that to them.
    is_followed: bool,
}

/// Leads whose places are asked for apart from others.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    Key = 1,
    Marker = 2,
    Data = 4,
}

/// Where a literal may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Anywhere.
    Any,
    /// At the start of [`TAIL`] bytes of a run.
    Run,
    /// The same, and at the start of a word.
    Head,
    /// Right before a run of as many bytes.
    Before,
}

/// All literals.
pub(crate) struct Literals {
    all: Vec<Literal>,
    fingerprints: Fingerprints,
    /// Those at the heads of runs.
    heads: Index,
    /// Those that stand before runs, by their last byte; with the one before it.
    before: Vec<Vec<(u8, u16)>>,
    /// Whether there is one, by the same byte.
    is_before: [bool; 256],
    /// All others.
    others: Index,
}

/// By text, whether letters stand for both cases, and the place: the least run, and the leads.
type Leads = BTreeMap<(Vec<u8>, bool, Place), (usize, Vec<Lead>)>;

/// A literal that stands in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Found {
    start: u32,
    literal: u16,
}

impl Found {
    fn new(start: usize, literal: u16) -> Found {
        Found { start: start as u32, literal }
    }

    /// What stands at `start` and is no literal.
    pub(crate) fn other(start: usize) -> Found {
        Found::new(start, u16::MAX)
    }

    /// Where it begins.
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    /// The literal's number.
    pub(crate) fn number(self) -> usize {
        usize::from(self.literal)
    }
}

/// A text that was looked over.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) survey: Survey,
    /// The literals that stand in it, in order.
    pub(crate) found: Vec<Found>,
    /// Where one may stand.
    known: Vec<u32>,
}

impl Seen {
    pub(crate) fn of(text: &[u8]) -> Seen {
        let mut seen = Seen::default();
        seen.look(text);
        seen
    }

    /// Looks over another text.
    pub(crate) fn look(&mut self, text: &[u8]) {
        let literals = Literals::get();
        self.survey.take(text, &literals.fingerprints);
        self.found.clear();
        literals.find(text, &self.survey, &mut self.known, &mut self.found);
    }

    /// Where the literals stand that lead to what is wanted.
    pub(crate) fn places(&self, wanted: Wanted) -> impl Iterator<Item = usize> {
        let all = &Literals::get().all;
        let wants = move |found: &&Found| all[usize::from(found.literal)].wanted & wanted as u8 != 0;
        self.found.iter().filter(wants).map(|found| found.start())
    }
}

impl Literals {
    /// The literals of all rules, made when first asked for.
    pub(crate) fn get() -> &'static Literals {
        static LITERALS: OnceLock<Literals> = OnceLock::new();
        LITERALS.get_or_init(|| {
            let mut leads: Leads = BTreeMap::new();
            let mut lead = |text: &str, folds: bool, lead: Lead| {
                leads.entry((text.as_bytes().to_vec(), folds, Place::Any)).or_default().1.push(lead);
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
                    let (place, run) = match tail {
                        None => (Place::Any, 0),
                        Some((0, run)) if compiled.rule.is_glued() => (Place::Run, run),
                        Some((0, run)) => (Place::Head, run),
                        Some((_, run)) => (Place::Before, run),
                    };
                    let entry = leads.entry((prefix.as_bytes().to_vec(), false, place)).or_insert((run, Vec::new()));
                    entry.0 = entry.0.min(run);
                    entry.1.push(Lead::Rule(index));
                }
            }
            Literals::new(leads)
        })
    }

    fn new(leads: Leads) -> Literals {
        let literal = |((text, folds, place), (run, leads))| {
            let leads: Vec<Lead> = leads;
            let wanted = leads.iter().fold(0, |bits, lead| bits | lead.wanted());
            let is_followed = leads.iter().any(|lead| !matches!(lead, Lead::Marker | Lead::Data));
            Literal { text, folds, place, run, offset: 0, leads, wanted, is_followed }
        };
        let mut all: Vec<Literal> = leads.into_iter().map(literal).collect();
        let told = |literal: &Literal| matches!(literal.place, Place::Any | Place::Run);
        let fingerprints = buckets::fill(all.iter_mut().filter(|literal| told(literal)));
        let numbered = || (0_u16..).zip(&all);
        let heads = Index::new(numbered().filter(|(_, literal)| literal.place == Place::Head));
        let others = Index::new(numbered().filter(|(_, literal)| told(literal)));
        let mut before = vec![Vec::new(); 256];
        for (number, literal) in numbered().filter(|(_, literal)| literal.place == Place::Before) {
            if let Some([second, last]) = literal.text.last_chunk() {
                before[usize::from(*last)].push((*second, number));
            }
        }
        let is_before = std::array::from_fn(|last| !before[last].is_empty());
        Literals { fingerprints, all, heads, before, is_before, others }
    }

    /// All places at which a literal stands, in order.
    fn find(&self, text: &[u8], survey: &Survey, known: &mut Vec<u32>, found: &mut Vec<Found>) {
        let mut compare = |index: &Index, at: usize| {
            let Some(first) = text.get(at..).and_then(<[u8]>::first_chunk) else { return };
            for entry in index.get(*first) {
                if let Some((start, whole)) = entry.may_stand(text, at)
                    && (whole || self.all[usize::from(entry.literal)].stands(text, start))
                    && survey.has_run(start, usize::from(entry.run))
                {
                    found.push(Found::new(start, entry.literal));
                }
            }
        };
        self.others.look(text, survey.candidates(), known);
        known.iter().for_each(|at| compare(&self.others, *at as usize));
        self.heads.look(text, survey.heads(), known);
        known.iter().for_each(|at| compare(&self.heads, *at as usize));
        let starts = survey.starts().iter().map(|start| *start as usize);
        let last = |start: usize| start.checked_sub(1).map_or(0, |at| text[at]);
        for start in starts.clone().filter(|start| matches!(last(*start), b'\\' | b'%')) {
            if let Some(at) = behind_escape(text, start).filter(|at| survey.is_tail(*at))
                && self.heads.may_begin(text, at)
            {
                compare(&self.heads, at);
            }
        }
        for start in starts.filter(|start| self.is_before[usize::from(last(*start))]) {
            let Some([second, last]) = text[..start].last_chunk() else { continue };
            let before = &self.before[usize::from(*last)];
            for (_, number) in before.iter().filter(|(before, _)| before == second) {
                let literal = &self.all[usize::from(*number)];
                if let Some(at) = start.checked_sub(literal.text.len())
                    && literal.stands(text, at)
                    && survey.has_run(start, literal.run)
                {
                    found.push(Found::new(at, *number));
                }
            }
        }
        // In order but for two parts.
        found.sort();
    }

    /// What a literal leads to, and how long it is. `None`: only its place is asked for.
    pub(crate) fn leads(&self, found: Found) -> Option<(&[Lead], usize)> {
        let literal = &self.all[usize::from(found.literal)];
        literal.is_followed.then_some((&literal.leads, literal.text.len()))
    }
}

impl Literal {
    /// The four bytes, or fewer of a short literal, by which it is found.
    fn fingerprint(&self) -> &[u8] {
        &self.text[self.offset..self.text.len().min(self.offset + WIDTH)]
    }

    /// Whether it begins at `start`.
    fn stands(&self, text: &[u8], start: usize) -> bool {
        let there = text.get(start..start + self.text.len());
        there.is_some_and(|there| if self.folds { there.eq_ignore_ascii_case(&self.text) } else { there == self.text })
    }
}

/// Where behind the start of a run the escape ends of which it may be a part: `\n`, `%3D`, `\u003d`.
fn behind_escape(text: &[u8], start: usize) -> Option<usize> {
    match (text[start.checked_sub(1)?], text.get(start)?) {
        (b'%', _) => Some(start + 2),
        (b'\\', b'u') => Some(start + 5),
        (b'\\', b'n' | b't' | b'r') => Some(start + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::survey::is_coded;

    #[test]
    fn literals_are_long_enough_to_be_found() {
        assert!(Literals::get().all.iter().all(|literal| {
            let folded = !literal.folds || literal.text == literal.text.to_ascii_lowercase();
            literal.text.len() >= 2 && folded && (literal.place == Place::Any) == (literal.run == 0)
        }));
    }

    #[test]
    fn few_places_of_common_text_are_looked_at() {
        let text = "2026-05-06T07:00:05.005Z INFO [worker-5] request completed method=GET path=/api/v1/items/55 status=200\n\
            pub fn new(text: &str, index: usize) -> Option<(usize, String)> { self.lines.iter().map(Line::len).sum() }\n";
        let mut survey = Survey::default();
        survey.take(text.as_bytes(), &Literals::get().fingerprints);
        // Two buckets of eight let more in than more would, but cost half as much a byte; a look at a table throws out most of it.
        let count = survey.candidates().len();
        assert!(count * 20 < text.len(), "{count}");
        let mut known = Vec::new();
        Literals::get().others.look(text.as_bytes(), survey.candidates(), &mut known);
        assert!(known.len() * 50 < text.len(), "{known:?}");
    }

    proptest! {
        #[test]
        fn each_literal_is_found_wherever_it_stands(
            pieces in prop::collection::vec(
                (any::<prop::sample::Index>(), any::<bool>(), "[ -~\\n]{0,20}(\\\\n|%3D|\\\\u003d)?[a-zA-Z0-9]{0,60}"), 0..8),
        ) {
            let literals = Literals::get();
            let mut text = Vec::new();
            for (index, upper, between) in pieces {
                let literal = index.get(&literals.all);
                text.extend_from_slice(&if upper { literal.text.to_ascii_uppercase() } else { literal.text.clone() });
                text.extend_from_slice(between.as_bytes());
            }
            let lower = text.to_ascii_lowercase();
            let coded = |range: std::ops::Range<usize>| text.get(range).is_some_and(|run| run.iter().all(|byte| is_coded(*byte)));
            let (mut wanted, mut may) = (Vec::new(), Vec::new());
            for (index, literal) in (0..).zip(&literals.all) {
                let hay = if literal.folds { &lower } else { &text };
                let places = hay.windows(literal.text.len()).enumerate().filter(|(_, there)| *there == literal.text);
                for (start, _) in places {
                    let end = start + literal.text.len();
                    let found = Found::new(start, index);
                    let there = match literal.place {
                        Place::Any => true,
                        Place::Run | Place::Head => coded(start..start + literal.run),
                        Place::Before => coded(end..end + literal.run),
                    };
                    let word = literal.place != Place::Head || literal.leads.iter().any(|lead| {
                        matches!(lead, Lead::Rule(index) if rules::all()[*index].begins(&text, start))
                    });
                    wanted.extend((there && word).then_some(found));
                    may.extend(there.then_some(found));
                }
            }
            let found = Seen::of(&text).found;
            prop_assert!(found.is_sorted());
            prop_assert!(wanted.iter().all(|wanted| found.contains(wanted)), "{found:?} {wanted:?}");
            prop_assert!(found.iter().all(|found| may.contains(found)), "{found:?} {may:?}");
        }
    }
}
