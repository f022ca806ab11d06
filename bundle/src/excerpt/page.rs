//! The lines that are held of a log, and which of them are kept: by worth, until the room is used up.

use std::collections::HashSet;
use std::ops::Range;

use super::body::Body;
use super::held::{Cause, Gathered, Position};
use super::judged::{hash, words};
use super::reading::{indent, reading};
use super::recognizer::{Role, Table};
use super::score::{self, Ranking};
use crate::cut::Measure;

/// What a notice takes at most.
pub(super) const NOTICE: usize = 96;
/// A line that is longer than a share of the room is kept in part.
const LINE_LEAST: usize = 160;
const LINE_MOST: usize = 4096;
/// How many lines that are the same are folded, how many that differ in numbers only; if they take so many bytes.
const FOLD_SAME: usize = 4;
const FOLD_ALIKE: usize = 40;
const FOLD_BYTES: usize = 4 * NOTICE;

/// A line that is held.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) at: Position,
    /// Line feeds of the input that it lacks.
    pub(super) lacking: u64,
    pub(super) piece: usize,
    pub(super) range: Range<usize>,
    /// Bytes that it lacks already: where in the piece, and how many.
    pub(super) gap: Option<(usize, usize)>,
    /// What of it is kept in part, if it is kept: the beginning up to the first, the end from the second on.
    pub(super) part: Option<(usize, usize)>,
    price: usize,
    pub(super) folded: bool,
    pub(super) kept: bool,
}

impl Line {
    /// Its bytes in the text.
    pub(super) fn bytes(&self) -> usize {
        self.range.len() + self.gap.map_or(0, |(_, bytes)| bytes)
    }
}

/// All lines that are held, in order.
pub(super) struct Page<B> {
    pub(super) gathered: Gathered<B>,
    pub(super) lines: Vec<Line>,
    pub(super) ranking: Ranking,
    room: usize,
    measure: Measure,
    spent: usize,
}

impl<B: Body> Page<B> {
    pub(super) fn new(gathered: Gathered<B>, room: usize, measure: Measure) -> Self {
        let ranking = score::rank(&gathered, Table::get());
        let mut lines = Vec::new();
        let end_from = gathered.end.offset.saturating_sub(room as u64);
        for (index, piece) in gathered.pieces.iter().enumerate() {
            let is_end = index >= gathered.pieces.len() - gathered.tail;
            let (mut at, mut start) = (piece.start, 0);
            for text in piece.text.as_str().split_inclusive('\n') {
                let range = start..start + text.len();
                start = range.end;
                let lacking = piece.swallowed.iter().filter(|one| range.contains(&one.at)).map(|one| one.lines).sum();
                let gap = piece.gap.filter(|(at, _)| range.contains(at));
                let line =
                    Line { at, lacking, piece: index, range, gap, part: None, price: 0, folded: false, kept: false };
                at.number += 1 + lacking;
                at.ordinal += 1;
                at.offset += line.bytes() as u64;
                if !is_end || line.at.offset >= end_from {
                    lines.push(line);
                }
            }
        }
        lines.sort_by_key(|line| line.at.ordinal);
        lines.dedup_by_key(|line| line.at.ordinal);
        let mut page = Self { gathered, lines, ranking, room, measure, spent: 0 };
        // What was dropped while the log went by cannot be shown: then the best of what is held stands for it.
        if page.ranking.first.is_some_and(|first| page.find(page.gathered.causes[first].ordinal).is_none()) {
            let held = |index: &&usize| page.find(page.gathered.causes[**index].ordinal).is_some();
            page.ranking.first = page.ranking.order.iter().find(held).copied();
        }
        if page.ranking.first.is_none() {
            page.take_last();
        }
        page
    }

    /// Where nothing is recognized though the job failed, takes the last that was said before it failed.
    fn take_last(&mut self) {
        if self.gathered.exits.is_empty() && self.gathered.stops.is_empty() {
            return;
        }
        let table = Table::get();
        let behind = self.lines.partition_point(|line| line.at.ordinal < self.ranking.exit);
        for index in (behind.saturating_sub(12)..behind).rev() {
            let said = reading(self.text(index));
            if said.bytes().filter(u8::is_ascii_alphabetic).count() < 3
                || said.len() > 400
                || ["[Pipeline]", "[... "].iter().any(|sign| said.starts_with(sign))
                || table.judge(&said).is_some()
            {
                continue;
            }
            let at = self.lines[index].at;
            let Some(row) = table.last_word() else { return };
            self.gathered.causes.push(Cause {
                number: at.number,
                ordinal: at.ordinal,
                row,
                words: 0,
                before: 0,
                step: 0,
                shown: false,
            });
            self.ranking.first = Some(0);
            self.ranking.order.push(0);
            return;
        }
    }

    /// The text of a line.
    pub(super) fn text(&self, index: usize) -> &str {
        let line = &self.lines[index];
        &self.gathered.pieces[line.piece].text.as_str()[line.range.clone()]
    }

    /// Whether all of the log is held and fits.
    pub(super) fn fits(&self) -> bool {
        let held: u64 = self.lines.iter().map(|line| line.bytes() as u64).sum();
        held == self.gathered.end.offset
            && self.lines.iter().all(|line| line.gap.is_none())
            && (held as usize <= self.room || matches!(self.measure, Measure::Rendered))
            && (0..self.lines.len()).map(|index| self.measure.of(self.text(index))).sum::<usize>() <= self.room
    }

    /// Keeps everything.
    pub(super) fn keep_all(&mut self) {
        self.lines.iter_mut().for_each(|line| line.kept = true);
    }

    /// Where the line of a cause is in the page, if it is held.
    pub(super) fn find(&self, ordinal: u64) -> Option<usize> {
        self.lines.binary_search_by_key(&ordinal, |line| line.at.ordinal).ok()
    }

    /// Keeps what is worth most, until the room is used up.
    pub(super) fn choose(&mut self, table: &Table) {
        self.spent = NOTICE;
        self.shorten();
        self.fold();
        let room = self.room;
        let exit = self
            .lines
            .partition_point(|line| line.at.ordinal < self.ranking.exit)
            .min(self.lines.len().saturating_sub(1));
        let last = self.lines.len().saturating_sub(1);
        let first = self.ranking.first.and_then(|cause| self.find(self.gathered.causes[cause].ordinal));
        if let Some(line) = first {
            // Whatever the room: without this line the rest says little.
            self.keep(line, &mut room.clone());
            self.keep_block(line, room / 3, table);
        }
        self.keep_back(exit, room / 6);
        self.keep_back(last, room / 10);
        self.keep_on(0, room / 16);
        let mut words = HashSet::new();
        let further = room / 4;
        let before = self.spent;
        for index in self.ranking.order.clone() {
            let cause = self.gathered.causes[index];
            // Each sort of error once, as long as there is room.
            if self.spent - before.min(self.spent) > further || !words.insert(cause.words) {
                continue;
            }
            if let Some(line) = self.find(cause.ordinal) {
                self.keep_block(line, room / 12, table);
            }
        }
        let left = room.saturating_sub(self.spent);
        self.keep_back(exit, left / 2);
        self.keep_back(last, left / 4);
        let left = room.saturating_sub(self.spent);
        self.keep_on(0, left / 2);
        if let Some(line) = first {
            self.keep_on(line, left / 4);
        }
        self.fill(exit);
        // Lines that are alike are worth little, but more than nothing.
        self.lines.iter_mut().for_each(|line| line.folded &= line.kept);
        self.fill(exit);
    }

    /// Uses up what is left of the room.
    fn fill(&mut self, exit: usize) {
        self.keep_back(exit, self.room);
        self.keep_back(self.lines.len().saturating_sub(1), self.room);
        self.keep_on(0, self.room);
    }

    /// What is kept of lines that are long, and what each line takes.
    fn shorten(&mut self) {
        let most = (self.room / 8).clamp(LINE_LEAST, LINE_MOST);
        for index in 0..self.lines.len() {
            let text = self.text(index);
            let body = &self.gathered.pieces[self.lines[index].piece].text;
            let line = &self.lines[index];
            let (start, end) = (line.range.start, line.range.end);
            let part = if line.bytes() <= most {
                None
            } else {
                // Of what was overwritten, the last state says all.
                let seen = text.trim_end_matches(['\n', '\r']).rfind('\r').map(|at| start + at + 1);
                match seen.filter(|seen| end - seen <= most && line.gap.is_none()) {
                    Some(seen) => Some((start, body.ceil_cut(seen))),
                    None => {
                        let room = most - NOTICE;
                        let head = body.floor_cut((start + room * 2 / 3).min(end));
                        Some((head, body.ceil_cut((end - room / 3).max(head))))
                    }
                }
            };
            let price = match part {
                None => self.measure.of(text),
                Some((head, tail)) => {
                    self.measure.of(&text[..head - start]) + self.measure.of(&text[tail - start..]) + NOTICE
                }
            };
            (self.lines[index].part, self.lines[index].price) = (part, price);
        }
    }

    /// Folds lines that stand behind one another and say the same, or, where there are many, differ in numbers only.
    fn fold(&mut self) {
        let (same, alike): (Vec<u64>, Vec<u64>) = (0..self.lines.len())
            .map(|index| {
                let said = reading(self.text(index));
                (hash(said.bytes()), words(&said))
            })
            .unzip();
        for (keys, least) in [(same, FOLD_SAME), (alike, FOLD_ALIKE)] {
            let mut from = 0;
            while from < keys.len() {
                let mut to = from + 1;
                while to < keys.len() && keys[to] == keys[from] && self.follows(to) {
                    to += 1;
                }
                if to - from >= least {
                    self.fold_within(from + 1..to - 1);
                }
                from = to;
            }
        }
    }

    fn fold_within(&mut self, range: Range<usize>) {
        let first = self.ranking.first.map(|cause| self.gathered.causes[cause].ordinal);
        let inner = &mut self.lines[range];
        if inner.iter().map(|line| line.price).sum::<usize>() >= FOLD_BYTES {
            inner.iter_mut().for_each(|line| line.folded = first != Some(line.at.ordinal));
        }
    }

    /// Whether nothing is missing between a line and the one before it.
    pub(super) fn follows(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map_or(0, |before| self.lines[before].at.ordinal);
        before + 1 == self.lines[index].at.ordinal
    }

    fn is_last(&self, index: usize) -> bool {
        self.lines[index].at.ordinal + 1 == self.gathered.end.ordinal
    }

    /// Keeps a line, if it fits into the room and into `budget`; whether it is kept now.
    fn keep(&mut self, index: usize, budget: &mut usize) -> bool {
        if self.lines[index].kept {
            return true;
        }
        if self.lines[index].folded {
            return false;
        }
        let left = self.follows(index) && index.checked_sub(1).is_none_or(|before| self.lines[before].kept);
        let right = match self.lines.get(index + 1) {
            Some(next) => next.kept && self.follows(index + 1),
            None => self.is_last(index),
        };
        // A line between two that are missing makes two gaps of one; one that joins two ends a gap.
        let price = self.lines[index].price + if left || right { 0 } else { NOTICE };
        let saved = if left && right { NOTICE } else { 0 };
        if price > *budget + saved || self.spent + price > self.room + saved {
            return false;
        }
        self.spent = self.spent + price - saved;
        *budget = (*budget + saved).saturating_sub(price);
        self.lines[index].kept = true;
        true
    }

    /// Keeps the lines that end at `index`, as far back as `budget` reaches.
    fn keep_back(&mut self, index: usize, mut budget: usize) {
        for at in (0..=index.min(self.lines.len().saturating_sub(1))).rev() {
            let apart = at < index && !self.follows(at + 1);
            if self.lines.is_empty() || apart || !(self.lines[at].folded || self.keep(at, &mut budget)) {
                return;
            }
        }
    }

    /// Keeps the lines that begin at `index`, as far as `budget` reaches.
    fn keep_on(&mut self, index: usize, mut budget: usize) {
        for at in index..self.lines.len() {
            if (at > index && !self.follows(at)) || !(self.lines[at].folded || self.keep(at, &mut budget)) {
                return;
            }
        }
    }

    /// Keeps an error with what belongs to it: the line first, then what follows it, then what leads to it.
    fn keep_block(&mut self, index: usize, mut budget: usize, table: &Table) {
        if !self.keep(index, &mut budget) {
            return;
        }
        let Range { start, end } = self.block(index, table);
        for at in index + 1..end {
            if !(self.lines[at].folded || self.keep(at, &mut budget)) {
                break;
            }
        }
        for at in (start..index).rev() {
            if !(self.lines[at].folded || self.keep(at, &mut budget)) {
                break;
            }
        }
    }

    /// The lines that belong to the error at `index`.
    fn block(&self, index: usize, table: &Table) -> Range<usize> {
        let said = |at: usize| reading(self.text(at));
        let ends =
            |line: &str| table.judge(line).is_some_and(|row| matches!(table.row(row).role, Role::Exit | Role::Start));
        let mut start = index;
        let deep = indent(&said(index));
        while start > 0 && index - start < 40 && self.follows(start) {
            let line = said(start - 1);
            let traced = line.contains("Traceback") || line.trim_start().starts_with("File \"");
            let near = index - start < 8 && !line.trim().is_empty();
            if !(traced || near || (index - start < 40 && indent(&line) > deep)) || ends(&line) {
                break;
            }
            start -= 1;
        }
        let mut end = index + 1;
        let mut blanks = 0;
        while end < self.lines.len() && end - index < 60 && self.follows(end) {
            let line = said(end);
            if line.trim().is_empty() {
                blanks += 1;
            } else {
                // Behind a blank line only what is indented still belongs to it.
                if blanks > 2 || (blanks > 0 && end - index > 12 && indent(&line) == 0) || ends(&line) {
                    break;
                }
                blanks = 0;
            }
            end += 1;
        }
        start..end
    }
}
