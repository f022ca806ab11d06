//! One pass over a log of any size: what may have to be kept of it, in bounded memory.
//!
//! The log is looked at in batches of whole lines. Of each batch only lines that hold a trigger are read. What is held: the
//! beginning and the end, each as large as the room; and a block of lines around each line that may be a cause, or that says
//! that the job failed. What is held depends on the log alone, and not on the pieces in which it arrives.

use std::collections::{HashMap, VecDeque};

use dossier_redact::Swallowed;

use super::body::{Body, Builder};
use super::held::{Batch, Cause, End, Gathered, Piece, Position, line_start};
use super::judged::{Judged, beginning, shows, words};
use super::reading::reading;
use super::recognizer::{Role, Table};
use super::trigger::Triggers;

/// How much is looked at at once.
const BATCH: usize = 256 * 1024;
/// How much of what was looked at is kept at hand for the lines before a cause.
const HISTORY: usize = 8 * 1024;
/// Lines that a block holds before its first cause, and before a line that says that the job failed.
const BEFORE: usize = 16;
const BEFORE_EXIT: usize = 64;
/// They begin at most so many bytes before it.
const BEFORE_BYTES: usize = 6 * 1024;
const _: () = assert!(BEFORE_BYTES <= HISTORY);
/// Lines and bytes that it holds behind its last cause.
const AFTER: usize = 40;
const AFTER_BYTES: usize = 8 * 1024;
/// How many causes, stops and exits are held.
const CAUSES: usize = 4096;
/// How often the same words open a block; and how many lines apart they do so however often they were read.
const SAME: u32 = 12;
const APART: u64 = 2_000;
/// How many words are known of.
const WORDS: usize = 64 * 1024;

/// Gathers.
pub(super) struct Gatherer<B: Body> {
    room: usize,
    /// Lines at hand, of which the first `fresh` bytes were looked at.
    buffer: B::Builder,
    fresh: usize,
    swallowed: Vec<Swallowed>,
    gap: Option<(usize, usize)>,
    /// The position of the first fresh line.
    at: Position,
    head: Vec<Piece<B>>,
    head_bytes: usize,
    tail: VecDeque<Piece<B>>,
    tail_bytes: usize,
    blocks: Vec<(u8, Piece<B>)>,
    block_bytes: usize,
    /// The block under way.
    open: Option<Open<B>>,
    /// Where the last block ended: a new one begins no earlier.
    covered: u64,
    causes: Vec<Cause>,
    stops: Vec<End>,
    exits: Vec<End>,
    step: u64,
    /// How often words were read, and on which line a block was last opened for them.
    words: HashMap<u64, (u32, u64)>,
    judged: Judged,
    /// Whether the last line was a cause, so that the next may show where it is.
    asked: bool,
}

/// A block under way.
struct Open<B: Body> {
    weight: u8,
    /// How many lines and bytes stand behind its last cause.
    lines: usize,
    bytes: usize,
    text: B::Builder,
    start: Position,
    swallowed: Vec<Swallowed>,
    gap: Option<(usize, usize)>,
    /// What of the batch at hand is not yet in `text` begins here.
    from: usize,
}

impl<B: Body> Gatherer<B> {
    pub(super) fn new(room: usize) -> Self {
        Self {
            room,
            buffer: B::Builder::default(),
            fresh: 0,
            swallowed: Vec::new(),
            gap: None,
            at: Position { number: 1, ordinal: 1, offset: 0 },
            head: Vec::new(),
            head_bytes: 0,
            tail: VecDeque::new(),
            tail_bytes: 0,
            blocks: Vec::new(),
            block_bytes: 0,
            open: None,
            covered: 0,
            causes: Vec::new(),
            stops: Vec::new(),
            exits: Vec::new(),
            step: 1,
            words: HashMap::new(),
            judged: Judged::default(),
            asked: false,
        }
    }

    /// Takes the next piece, and where line feeds are lacking in it.
    pub(super) fn push(&mut self, piece: &B, swallowed: &[Swallowed]) {
        let length = piece.as_str().len();
        let mut from = 0;
        loop {
            // In steps, so that a large piece takes no more memory than small ones.
            let step = piece.floor_cut(length.min(from + BATCH));
            let to = if step > from { step } else { length };
            let base = self.buffer.len();
            self.buffer.push_slice(piece, from..to);
            let here = |one: &&Swallowed| (from..to).contains(&one.at) || (one.at == length && to == length);
            let moved = |one: &Swallowed| Swallowed { at: base + one.at - from, lines: one.lines };
            self.swallowed.extend(swallowed.iter().filter(here).map(moved));
            if self.buffer.len() - self.fresh >= BATCH {
                self.look(false);
            }
            from = to;
            if from == length {
                return;
            }
        }
    }

    /// What is held of the whole log.
    pub(super) fn finish(mut self) -> Gathered<B> {
        self.look(true);
        self.close(self.at.ordinal);
        let mut pieces = self.head;
        pieces.extend(self.blocks.into_iter().map(|(_, piece)| piece));
        let tail = self.tail.len();
        pieces.extend(self.tail);
        Gathered {
            pieces,
            tail,
            causes: self.causes,
            stops: self.stops,
            exits: self.exits,
            step: self.step,
            end: self.at,
        }
    }

    /// Looks at the whole lines that are at hand; at the end, at all there is.
    fn look(&mut self, last: bool) {
        let text = std::mem::take(&mut self.buffer).finish();
        let fresh = &text.as_str().as_bytes()[self.fresh..];
        let end = match memchr::memrchr(b'\n', fresh) {
            _ if last => text.as_str().len(),
            Some(newline) => self.fresh + newline + 1,
            None => {
                self.shorten(&text);
                return;
            }
        };
        let batch = Batch { text: &text, start: self.at, from: self.fresh, end };
        let swallowed = std::mem::take(&mut self.swallowed);
        let gap = self.gap.take();
        if self.fresh < end {
            self.at = self.read(&batch, &swallowed, gap);
            self.hold(&batch, &swallowed, gap);
        }
        // What comes next begins with some lines of history.
        let history = line_start(text.as_str(), end.saturating_sub(HISTORY), end);
        self.buffer.push_slice(&text, history..text.as_str().len());
        self.fresh = end - history;
        if let Some(open) = &mut self.open {
            open.from = self.fresh;
        }
        let rest = swallowed.into_iter().filter(|one| one.at >= history);
        self.swallowed = rest.map(|one| Swallowed { at: one.at - history, ..one }).collect();
    }

    /// Drops the middle of a line that is longer than can be kept.
    fn shorten(&mut self, text: &B) {
        let length = text.as_str().len();
        let (line, most) = (self.fresh, 2 * self.room + BATCH);
        if length - line <= most {
            self.buffer.push_slice(text, 0..length);
            return;
        }
        let head = text.floor_cut(line + self.room / 2);
        let tail = text.ceil_cut(length - self.room).max(head);
        let (at, before) = self.gap.unwrap_or((head, 0));
        // What is already missing lies right behind the head.
        let at = at.min(head);
        self.gap = Some((at, before + tail - at));
        self.buffer.push_slice(text, 0..at);
        self.buffer.push_slice(text, tail..length);
        for one in &mut self.swallowed {
            one.at = if one.at >= tail { one.at - (tail - at) } else { one.at.min(at) };
        }
    }

    /// Reads the lines of a batch that hold triggers, and opens and closes blocks. Gives the position behind it.
    fn read(&mut self, batch: &Batch<'_, B>, swallowed: &[Swallowed], gap: Option<(usize, usize)>) -> Position {
        let text = &batch.text.as_str()[..batch.end];
        let mut triggers = Triggers::new(text, batch.from);
        let mut at = batch.start;
        let mut lacking = swallowed.iter().filter(|one| one.at >= batch.from).peekable();
        let mut line = batch.from;
        let mut next = triggers.at_or_behind(line).unwrap_or(usize::MAX);
        let ends = memchr::memchr_iter(b'\n', &text.as_bytes()[line..]).map(|end| batch.from + end + 1);
        let rest = (!text.ends_with('\n')).then_some(text.len());
        for end in ends.chain(rest) {
            let mut told = None;
            if std::mem::take(&mut self.asked)
                && shows(&text[line..end])
                && let Some(cause) = self.causes.last_mut()
            {
                cause.shown = true;
            }
            if next < end {
                told = self.judge(&text[line..end], at);
                next = triggers.at_or_behind(end).unwrap_or(usize::MAX);
            }
            if let Some((weight, before)) = told {
                match &mut self.open {
                    Some(open) => (open.weight, open.lines, open.bytes) = (open.weight.max(weight), 0, 0),
                    None => self.open = Some(self.begin(batch, swallowed, gap, (line, at), (weight, before))),
                }
            } else if let Some(open) = &mut self.open {
                open.lines += 1;
                open.bytes += (end - line).min(self.room);
                if open.lines > AFTER || open.bytes > AFTER_BYTES {
                    self.add(batch, swallowed, gap, line);
                    self.close(at.ordinal);
                }
            }
            at.number += 1;
            while let Some(one) = lacking.next_if(|one| one.at < end) {
                at.number += one.lines;
            }
            at.ordinal += 1;
            let lacking_bytes = gap.filter(|(at, _)| (line..end).contains(at)).map_or(0, |(_, bytes)| bytes);
            at.offset += (end - line + lacking_bytes) as u64;
            line = end;
        }
        self.add(batch, swallowed, gap, batch.end);
        at
    }

    /// Judges a line. Whether a block is to hold it: its weight, and how many lines before it.
    fn judge(&mut self, line: &str, at: Position) -> Option<(u8, usize)> {
        let table = Table::get();
        let row = self.judged.get(table, line)?;
        let recognizer = table.row(row);
        let end = End { row, ordinal: at.ordinal, step: self.step };
        match recognizer.role {
            Role::Start => {
                self.step = at.ordinal;
                None
            }
            Role::Exit => {
                thin(&mut self.exits, CAUSES);
                self.exits.push(end);
                Some((100, BEFORE_EXIT))
            }
            Role::Stop => {
                thin(&mut self.stops, CAUSES);
                self.stops.push(end);
                Some((recognizer.weight, BEFORE))
            }
            Role::Cause => {
                let words = words(&reading(beginning(line)));
                if self.words.len() >= WORDS {
                    self.words.clear();
                }
                let (count, opened) = self.words.entry(words).or_default();
                let before = *count;
                *count += 1;
                let opens = before < SAME || at.ordinal - *opened > APART;
                if opens {
                    *opened = at.ordinal;
                }
                self.thin_causes(table);
                let Position { number, ordinal, .. } = at;
                self.causes.push(Cause { number, ordinal, row, words, before, step: self.step, shown: false });
                self.asked = true;
                opens.then_some((recognizer.weight, BEFORE))
            }
            Role::Retract => {
                while self.causes.last().is_some_and(|cause| cause.ordinal + 4 >= at.ordinal) {
                    self.causes.pop();
                }
                None
            }
            Role::Noise => None,
        }
    }

    /// A block that holds `before` lines before the line at hand.
    fn begin(
        &self,
        batch: &Batch<'_, B>,
        swallowed: &[Swallowed],
        gap: Option<(usize, usize)>,
        (line, at): (usize, Position),
        (weight, before): (u8, usize),
    ) -> Open<B> {
        let text = batch.text.as_str();
        let (mut from, mut start) = (line, at);
        for _ in 0..before {
            if from == 0 || start.ordinal <= self.covered {
                break;
            }
            let previous = text[..from - 1].rfind('\n').map_or(0, |end| end + 1);
            if line - previous > BEFORE_BYTES || gap.is_some_and(|(at, _)| (previous..from).contains(&at)) {
                break;
            }
            let lacking: u64 =
                swallowed.iter().filter(|one| (previous..from).contains(&one.at)).map(|one| one.lines).sum();
            start.number -= 1 + lacking;
            start.ordinal -= 1;
            start.offset -= (from - previous) as u64;
            from = previous;
        }
        let text = B::Builder::default();
        Open { weight, lines: 0, bytes: 0, text, start, swallowed: Vec::new(), gap: None, from }
    }

    /// Adds to the block under way what it has in this batch, up to `end`.
    fn add(&mut self, batch: &Batch<'_, B>, swallowed: &[Swallowed], gap: Option<(usize, usize)>, end: usize) {
        let Some(open) = &mut self.open else { return };
        let (from, base) = (open.from, open.text.len());
        open.text.push_slice(batch.text, from..end);
        let here = swallowed.iter().filter(|one| (from..end).contains(&one.at));
        open.swallowed.extend(here.map(|one| Swallowed { at: base + one.at - from, ..*one }));
        if let Some((at, bytes)) = gap.filter(|(at, _)| (from..end).contains(at)) {
            open.gap = Some((base + at - from, bytes));
        }
        // The next batch begins with history.
        open.from = end;
    }

    /// Ends the block under way; `behind` is the line behind it.
    fn close(&mut self, behind: u64) {
        let Some(open) = self.open.take() else { return };
        self.covered = behind;
        let Open { weight, text, start, swallowed, gap, .. } = open;
        self.block_bytes += text.len().min(2 * self.room);
        self.blocks.push((weight, Piece { text: text.finish(), start, swallowed, gap }));
        self.thin_blocks();
    }

    /// Holds the batch as far as it belongs to the beginning or to the end.
    fn hold(&mut self, batch: &Batch<'_, B>, swallowed: &[Swallowed], gap: Option<(usize, usize)>) {
        let text = batch.text.as_str();
        let mut from = batch.from;
        let mut start = batch.start;
        if self.tail.is_empty() && self.head_bytes < self.room {
            // Whole lines, one more than fits.
            let wanted = (from + self.room - self.head_bytes).min(batch.end) - 1;
            let end = memchr::memchr(b'\n', &text.as_bytes()[wanted..batch.end])
                .map_or(batch.end, |newline| wanted + newline + 1);
            let piece = batch.piece(from, end, start, swallowed, gap);
            start = piece.behind();
            self.head_bytes += end - from;
            self.head.push(piece);
            from = end;
        }
        if from < batch.end {
            self.tail_bytes += batch.end - from;
            self.tail.push_back(batch.piece(from, batch.end, start, swallowed, gap));
        }
        while let Some(first) = self
            .tail
            .front()
            .map(|piece| piece.text.as_str().len())
            .filter(|first| self.tail_bytes - first >= self.room)
        {
            self.tail_bytes -= first;
            self.tail.pop_front();
        }
    }

    /// Drops the causes that say least, where they are too many: the first and the last stay.
    fn thin_causes(&mut self, table: &Table) {
        if self.causes.len() < CAUSES {
            return;
        }
        let quarter = CAUSES / 4;
        let mut order: Vec<usize> = (quarter..CAUSES - quarter).collect();
        order.sort_by_key(|index| {
            let cause = &self.causes[*index];
            (cause.before.min(3), std::cmp::Reverse(table.row(cause.row).weight), *index)
        });
        let mut drop = vec![false; CAUSES];
        order[order.len() / 2..].iter().for_each(|index| drop[*index] = true);
        let mut drop = drop.into_iter();
        self.causes.retain(|_| !drop.next().unwrap_or_default());
    }

    /// The same of blocks.
    fn thin_blocks(&mut self) {
        let most = (16 * self.room).clamp(2 * 1024 * 1024, 12 * 1024 * 1024);
        if self.block_bytes < most || self.blocks.len() < 8 {
            return;
        }
        let quarter = self.blocks.len() / 4;
        let mut order: Vec<usize> = (quarter..self.blocks.len() - quarter).collect();
        order.sort_by_key(|index| (self.blocks[*index].0, *index));
        let mut drop = vec![false; self.blocks.len()];
        order[..order.len() / 2].iter().for_each(|index| drop[*index] = true);
        let mut drop = drop.into_iter();
        let (bytes, room) = (&mut self.block_bytes, self.room);
        self.blocks.retain(|(_, piece)| {
            let dropped = drop.next().unwrap_or_default();
            if dropped {
                *bytes -= piece.text.as_str().len().min(2 * room);
            }
            !dropped
        });
    }
}

/// Keeps the first and the last of too many.
fn thin<T>(all: &mut Vec<T>, most: usize) {
    if all.len() >= most {
        all.drain(most / 2..most * 3 / 4);
    }
}
