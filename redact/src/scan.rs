//! One window of text: all detectors, and what they claim together.

mod leads;

use std::ops::Range;

use crate::assign;
use crate::encoded;
use crate::error::Error;
use crate::hit::{Hit, merge};
use crate::kind::{self, Kind};
use crate::literals::{Seen, Wanted};
use crate::masked::Masked;
use crate::policy::Allowed;
use crate::redactor::Core;
use crate::survey::Survey;
use crate::view::{Layer, Marks, View};
use crate::{kube, rules};

/// What a window holds.
pub(crate) struct Scan {
    /// Claimed ranges, in order, apart from each other.
    pub(crate) hits: Vec<Hit>,
    /// Markers that were there.
    pub(crate) markers: Vec<Range<usize>>,
    /// Nothing from here on may be committed before more of the text is seen.
    pub(crate) hold: Option<usize>,
    /// Whether that is for a Kubernetes object, which may be held longer.
    pub(crate) object: bool,
    /// Where allowances let something through.
    pub(crate) allowed: Vec<Allowed>,
}

/// How deep a text lies in others, and what may be looked for in it.
#[derive(Clone, Copy)]
struct Scope {
    depth: u8,
    keys: bool,
    patterns: bool,
}

/// How many bytes may be decoded of a window however short it is; of a long one four times its length.
const LEAST: usize = 64 * 1024;

/// How deep encodings are undone.
const DEPTH: u8 = 3;

/// What was made for other texts and is no longer needed: only its room is of use.
#[derive(Default)]
pub(crate) struct Room {
    seen: Vec<Seen>,
    views: Vec<View>,
}

struct Pass<'c> {
    core: &'c Core,
    room: &'c mut Room,
    /// Bytes that may still be decoded.
    budget: usize,
    hold: Option<usize>,
    allowed: Vec<Allowed>,
}

impl Core {
    /// How much of a Kubernetes object is held to see its kind.
    pub(crate) const OBJECT: usize = 2 * 1024 * 1024 - 192 * 1024;

    /// Scans a window. `last`: the text ends with it. `full`: no more may be held.
    pub(crate) fn scan(&self, text: &[u8], room: &mut Room, last: bool, full: bool) -> Result<Scan, Error> {
        let mut seen = room.seen.pop().unwrap_or_default();
        seen.look(text);
        let scan = self.scan_seen(text, &seen, room, last, full);
        room.seen.push(seen);
        scan
    }

    /// The same of a window that was looked over.
    fn scan_seen(&self, text: &[u8], seen: &Seen, room: &mut Room, last: bool, full: bool) -> Result<Scan, Error> {
        let markers: Vec<_> =
            seen.places(Wanted::Marker).filter_map(|at| kind::marker_at(text, at).map(|len| at..at + len)).collect();
        let mut pass = Pass::new(self, room, (text.len() * 4).max(LEAST));
        let scope = Scope { depth: 0, keys: true, patterns: true };
        let mut hits = pass.seen(text, seen, scope)?;
        let (mut objects, object) = self.objects(text, seen, &hits, &markers, full);
        let object = object.filter(|_| !last && !full);
        let hold = pass.hold.into_iter().chain(object).min().filter(|_| !last);
        hits.append(&mut objects);
        self.patterns.permit(text, &mut hits, &mut pass.allowed)?;
        self.patterns.whole(text, &mut hits, &mut pass.allowed)?;
        let mut hits = merge(text, hits, &markers);
        // A replaced span lays bare what it hid: look around each as it will stand, until nothing is new.
        for _ in 0..3 {
            let more = pass.around(text, &hits)?;
            if more.is_empty() {
                break;
            }
            hits.extend(more);
            hits = merge(text, hits, &markers);
        }
        let object = object.is_some() && object == hold;
        // What several views show was let through once.
        pass.allowed.sort();
        pass.allowed.dedup();
        Ok(Scan { hits, markers, hold, object, allowed: pass.allowed })
    }

    /// The hits in Kubernetes objects, and where one begins that must be seen to its end.
    fn objects(
        &self,
        text: &[u8],
        seen: &Seen,
        hits: &[Hit],
        markers: &[Range<usize>],
        full: bool,
    ) -> (Vec<Hit>, Option<usize>) {
        let mut objects = Vec::new();
        let ends = |seen: &Seen| seen.places(Wanted::Data).collect::<Vec<_>>();
        let keys = ends(seen);
        let joins = |hit: &Hit| text[hit.range.clone()].contains(&b'\n');
        if keys.is_empty() || !hits.iter().any(joins) {
            let hold = kube::manifests(self, text, keys.into_iter(), full, &mut objects);
            return (objects, hold);
        }
        // A span that takes a line's end joins two lines into one: lines are those that there will be.
        let masked = Masked::new(text, 0..text.len(), &merge(text, hits.to_vec(), markers));
        let keys = ends(&Seen::of(&masked.text));
        let hold = kube::manifests(self, &masked.text, keys.into_iter(), full, &mut objects);
        let hold = hold.and_then(|at| masked.origins(&(at..masked.text.len())).next()).map(|range| range.start);
        (masked.bring_back(objects, text.len()), hold)
    }

    /// Denied values and token rules in raw bytes.
    pub(crate) fn scan_binary(&self, bytes: &[u8]) -> Vec<Hit> {
        // Places are kept as numbers of 32 bits.
        if u32::try_from(bytes.len()).is_err() {
            return vec![Hit::new(0..bytes.len(), Kind::SecretPattern, "failed")];
        }
        let mut hits = Vec::new();
        self.denied.find(bytes, &mut hits);
        let mut room = Room::default();
        let mut pass = Pass::new(self, &mut room, 0);
        let scope = Scope { depth: DEPTH, keys: false, patterns: false };
        if pass.literals(bytes, &Seen::of(bytes), scope, &mut hits).is_err() {
            hits.push(Hit::new(0..bytes.len(), Kind::SecretPattern, "failed"));
        }
        merge(bytes, hits, &kind::markers(bytes))
    }
}

impl<'c> Pass<'c> {
    fn new(core: &'c Core, room: &'c mut Room, budget: usize) -> Pass<'c> {
        Pass { core, room, budget, hold: None, allowed: Vec::new() }
    }

    /// All that is looked for in a text.
    fn text(&mut self, text: &[u8], scope: Scope) -> Result<Vec<Hit>, Error> {
        let mut seen = self.room.seen.pop().unwrap_or_default();
        seen.look(text);
        let hits = self.seen(text, &seen, scope);
        self.room.seen.push(seen);
        hits
    }

    /// The same, in a text that was looked over already.
    fn seen(&mut self, text: &[u8], seen: &Seen, scope: Scope) -> Result<Vec<Hit>, Error> {
        let mut hits = Vec::new();
        let cut = self.core.denied.find(text, &mut hits);
        if scope.depth == 0 {
            self.hold = self.hold.into_iter().chain(cut).min();
        }
        let passed = self.literals(text, seen, scope, &mut hits)?;
        if scope.depth < DEPTH {
            self.encoded(text, &seen.survey, scope, &mut hits)?;
            self.views(text, &seen.survey, scope, &mut hits)?;
        }
        if scope.patterns {
            self.core.patterns.find(text, &mut hits, &mut self.allowed)?;
        }
        // An assigned value of which a part is claimed goes whole.
        if !passed.is_empty() && !hits.is_empty() {
            hits.sort_by_key(|hit| hit.range.start);
            let mut whole = Vec::new();
            for (range, kind, rule) in passed {
                let first = hits.partition_point(|hit| hit.range.start < range.start);
                let inside = hits.get(first).is_some_and(|hit| hit.range.start < range.end);
                if inside && memchr::memmem::find(&text[range.clone()], kind::OPENING).is_none() {
                    whole.push(Hit::new(range, kind, rule));
                }
            }
            hits.append(&mut whole);
        }
        Ok(hits)
    }

    /// Decodes runs and searches what they say; a run with a find goes whole.
    fn encoded(&mut self, text: &[u8], survey: &Survey, scope: Scope, hits: &mut Vec<Hit>) -> Result<(), Error> {
        let inner = Scope { depth: scope.depth + 1, keys: true, patterns: scope.patterns };
        for run in encoded::runs(text, survey) {
            if run.len() > encoded::LONGEST || run.len() > self.budget {
                continue;
            }
            let Some(said) = encoded::decode(&text[run.clone()]) else { continue };
            self.budget = self.budget.saturating_sub(said.len());
            let said = zeroize::Zeroizing::new(said);
            let counted = self.allowed.len();
            let found = self.text(&said, inner)?;
            self.allowed[counted..].iter_mut().for_each(|allowed| allowed.at = run.start);
            if let Some(first) = found.into_iter().min_by_key(|hit| hit.kind) {
                hits.push(Hit { range: run, kind: first.kind, rule: first.rule, open: None });
            }
        }
        Ok(())
    }

    /// Searches the text as it reads without its escapes.
    fn views(&mut self, text: &[u8], survey: &Survey, scope: Scope, hits: &mut Vec<Hit>) -> Result<(), Error> {
        let marks = Marks::of_text(text, survey);
        let mut view = self.room.views.pop().unwrap_or_default();
        for layer in Layer::ALL {
            if layer.view(text, survey, &marks, &mut view) && view.text.len() <= self.budget {
                self.view(text, layer, &view, scope, hits)?;
            }
        }
        self.room.views.push(view);
        Ok(())
    }

    /// Searches one view of a text.
    fn view(&mut self, text: &[u8], layer: Layer, view: &View, scope: Scope, hits: &mut Vec<Hit>) -> Result<(), Error> {
        self.budget -= view.text.len();
        let reads = matches!(layer, Layer::Hidden | Layer::Bare);
        // Keys with escapes in them are read without; others are read as they stand.
        let escaped = layer.quotes().iter().any(|mark| memchr::memmem::find(text, mark).is_some());
        let keys = scope.keys && (reads || escaped);
        let inner = Scope { depth: scope.depth + 1, keys, patterns: scope.patterns };
        let counted = self.allowed.len();
        let found = self.text(&view.text, inner)?;
        for allowed in &mut self.allowed[counted..] {
            allowed.at = view.origin(&(allowed.at..allowed.at + 1)).start;
        }
        for hit in found {
            for range in view.origins(&hit.range) {
                let open = hit.open.filter(|_| range.end == text.len());
                hits.push(Hit { range, kind: hit.kind, rule: hit.rule.clone(), open });
            }
        }
        Ok(())
    }

    /// Scans what stands around the hits once more, with their markers in place. Only what is new comes back.
    fn around(&mut self, text: &[u8], hits: &[Hit]) -> Result<Vec<Hit>, Error> {
        const MARGIN: usize = 512;
        let mut more = Vec::new();
        let mut index = 0;
        while index < hits.len() {
            let start = near_start(text, hits[index].range.start.saturating_sub(MARGIN));
            let mut last = index;
            let end_of = |last: usize| text.len().min(hits[last].range.end + MARGIN);
            while last + 1 < hits.len() && hits[last + 1].range.start <= end_of(last) {
                last += 1;
            }
            let end = near_end(text, end_of(last)).min(hits.get(last + 1).map_or(text.len(), |next| next.range.start));
            let masked = Masked::new(text, start..end, &hits[index..=last]);
            let scope = Scope { depth: DEPTH, keys: true, patterns: true };
            let counted = self.allowed.len();
            let mut found = self.text(&masked.text, scope)?;
            self.core.patterns.permit(&masked.text, &mut found, &mut self.allowed)?;
            self.allowed.truncate(counted);
            let found = merge(&masked.text, found, &kind::markers(&masked.text));
            more.append(&mut masked.bring_back(found, text.len()));
            index = last + 1;
        }
        Ok(more)
    }
}

/// A line's start, or at least a blank, shortly before `at`.
fn near_start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(2048);
    let before = &text[from..at];
    let found = memchr::memrchr(b'\n', before).or_else(|| memchr::memrchr(b' ', before));
    found.map_or(from, |found| from + found + 1)
}

fn near_end(text: &[u8], at: usize) -> usize {
    let to = text.len().min(at + 2048);
    let after = &text[at..to];
    let found = memchr::memchr(b'\n', after).or_else(|| memchr::memchr(b' ', after));
    found.map_or(to, |found| at + found)
}

/// Judges a structured pair by its key: from where the value goes, and as what.
pub(crate) fn keyed(key: &str, value: &str, claimed: bool) -> Option<(usize, Kind, &'static str)> {
    assign::pair(key, value, claimed)
}

/// A line for each rule, for the rule set's digest.
pub(crate) fn rule_lines() -> Vec<String> {
    let own = ["assign 2", "command 1", "header 1", "armour 2", "url 1", "kubernetes 1", "encoded 1", "views 2"];
    let tokens = rules::all().iter().map(|compiled| compiled.rule.line());
    own.into_iter().map(str::to_owned).chain(tokens).collect()
}
