//! The machine that every text goes through: fixed steps over the whole text, whatever pieces it arrives in.
//!
//! A step happens when the text has reached a fixed offset (or its end). It scans a window that begins some history before
//! the last commit, and commits up to a point that lies in no span, well before the window's end. Steps and commits depend
//! on offsets and content alone, so pieces make no difference; whole strings take the same road.

use std::ops::Range;
use std::sync::Arc;

use crate::clean::Clean;
use crate::counts::{Chunk, Counts, Span, Swallowed};
use crate::decode::Decoder;
use crate::error::Error;
use crate::hit::{Hit, Until};
use crate::redactor::Core;
use crate::scan::Room;
use crate::value;

/// How far the text advances from step to step.
const STEP: usize = 128 * 1024;
/// What a step leaves undecided at its end, unless the text ends there.
const AHEAD: usize = 16 * 1024;
/// What a window shows of the text before the last commit.
const HISTORY: usize = 8 * 1024;
/// How far a commit goes back to find a line's start.
const LINE: usize = 8 * 1024;
// What the policy asks to stand near must be in the window.
const _: () = assert!(crate::policy::REACH <= HISTORY && crate::policy::REACH <= AHEAD);
/// A span that is held longer than this is committed while it is still open.
const HELD: usize = 160 * 1024;

/// Redacts a text that arrives in pieces, in bounded memory: at most 256 KiB are held back, 2 MiB inside a Kubernetes object.
///
/// The result is a function of the whole text alone. It is owned and can be sent to another thread.
pub struct Stream {
    core: Arc<Core>,
    decoder: Decoder,
    /// History and what is not yet committed.
    text: String,
    /// Where in `text` the uncommitted part begins.
    commit: usize,
    /// The length of `text` at which the next step happens.
    due: usize,
    /// A span that goes on beyond the last commit.
    open: Option<Until>,
    /// Whether the last commit ended right behind a span.
    touching: bool,
    /// Bytes of input (as decoded) and of output that are committed.
    taken: usize,
    written: usize,
    /// Spans are in the input instead of the output, and no text is made.
    searching: bool,
    counts: Counts,
    room: Room,
}

impl Stream {
    pub(crate) fn new(core: Arc<Core>, decoder: Decoder, searching: bool) -> Stream {
        Stream {
            core,
            decoder,
            text: String::new(),
            commit: 0,
            due: STEP + AHEAD,
            open: None,
            touching: false,
            taken: 0,
            written: 0,
            searching,
            counts: Counts::default(),
            room: Room::default(),
        }
    }

    /// Takes the next bytes and returns what is decided by now. After an error nothing of the text may be used.
    ///
    /// # Errors
    /// [`Error::Binary`] where the bytes are not text; [`Error::Rule`] where a rule could not run.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Chunk, Error> {
        let mut output = Output::default();
        if !self.searching {
            output.text.reserve(self.text.len() + bytes.len());
        }
        for piece in bytes.chunks(STEP) {
            self.decoder.push(piece, &mut self.text)?;
            self.run(&mut output)?;
        }
        Ok(output.seal())
    }

    /// Ends the text: the rest of it, and the counts of all of it.
    ///
    /// # Errors
    /// As [`Stream::push`].
    pub fn finish(mut self) -> Result<(Chunk, Counts), Error> {
        let mut output = Output::default();
        self.decoder.finish(&mut self.text)?;
        self.run(&mut output)?;
        let end = self.text.len();
        self.step(end, true, &mut output)?;
        self.counts.replaced_bytes = self.decoder.replaced();
        Ok((output.seal(), self.counts))
    }

    /// The counts of what was returned so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    fn run(&mut self, output: &mut Output) -> Result<(), Error> {
        while self.text.len() >= self.due {
            let end = floor(self.text.as_bytes(), self.due);
            self.step(end, false, output)?;
        }
        self.counts.replaced_bytes = self.decoder.replaced();
        Ok(())
    }

    /// Scans the window up to `end`, commits, and sets when the next step is due.
    fn step(&mut self, end: usize, last: bool, output: &mut Output) -> Result<(), Error> {
        if let Some(until) = self.open {
            let window = &self.text.as_bytes()[..end];
            let mut stop = value::resume(window, self.commit, until);
            stop.end = floor(window, stop.end);
            if stop.open && !last {
                self.swallow(stop.end, output);
                self.forget(STEP);
                return Ok(());
            }
            self.swallow(stop.end, output);
            self.open = None;
        }
        let window = &self.text.as_bytes()[..end];
        let full = end - self.commit >= Core::OBJECT;
        let scan = self.core.scan(window, &mut self.room, last, full)?;
        let mut hits = scan.hits;
        for hit in &mut hits {
            hit.range.start = hit.range.start.max(self.commit);
        }
        hits.retain(|hit| !hit.range.is_empty());
        let mut to = if last { end } else { self.cut(window, end - AHEAD.min(end), &hits, &scan.markers) };
        if let Some(hold) = scan.hold
            && !last
        {
            to = to.min(hold.max(self.commit));
        }
        let held = end - self.commit;
        if full && let Some(hit) = hits.last().filter(|hit| !last && hit.range.end == end && hit.open.is_some()) {
            self.open = hit.open;
            to = end;
        }
        if !last && to <= self.commit {
            let limit = if scan.object { Core::OBJECT } else { HELD };
            if held < limit {
                // An object is looked at again when three times as much of it is there.
                let more = if scan.object { (held * 2).max(STEP).min(Core::OBJECT - held) } else { STEP };
                self.due = self.due.max(end) + more;
                return Ok(());
            }
            // A giant: commit what there is of it, and remember how it goes on.
            to = match hits.first().filter(|hit| hit.range.start <= self.commit) {
                Some(hit) => {
                    if hit.range.end >= end {
                        self.open = hit.open.or(Some(Until::Blank));
                    }
                    hit.range.end
                }
                None => floor(window, end - AHEAD.min(held / 2)),
            };
        }
        // What holds a commit back may lie within a character.
        let to = floor(window, to);
        self.emit(to, &hits, &scan.markers, output);
        for allowed in scan.allowed.iter().filter(|allowed| (self.commit..to).contains(&allowed.at)) {
            self.counts.allow(&allowed.allowance, &allowed.rule);
        }
        self.taken += to - self.commit;
        self.commit = to;
        self.forget(STEP);
        Ok(())
    }

    /// The commit point nearest below `limit`: a line's start if one is near, in no span and no marker.
    fn cut(&self, window: &[u8], limit: usize, hits: &[Hit], markers: &[Range<usize>]) -> usize {
        let mut at = floor(window, limit.max(self.commit));
        let from = at.saturating_sub(LINE).max(self.commit);
        if let Some(newline) = memchr::memrchr(b'\n', &window[from..at]) {
            at = from + newline + 1;
        }
        if let Some(marker) = markers.iter().find(|marker| marker.start < at && at < marker.end) {
            at = marker.start;
        }
        if let Some(hit) = hits.iter().find(|hit| hit.range.start <= at && at <= hit.range.end) {
            at = hit.range.start;
        }
        at
    }

    fn emit(&mut self, to: usize, hits: &[Hit], markers: &[Range<usize>], output: &mut Output) {
        let mut at = self.commit;
        if !self.searching {
            output.text.reserve(to - self.commit);
        }
        for hit in hits.iter().take_while(|hit| hit.range.start < to) {
            let (start, stop) = (hit.range.start, hit.range.end.min(to));
            let goes_on = start == self.commit && self.touching;
            self.copy(at..start, output);
            output.swallow(&self.text.as_bytes()[start..stop]);
            at = stop;
            if goes_on {
                continue;
            }
            let rule = hit.rule.to_string();
            self.counts.bump(hit.kind, &rule);
            let range = if self.searching {
                let shift = self.taken;
                start - self.commit + shift..stop - self.commit + shift
            } else {
                let marker = hit.kind.marker();
                output.text.push_str(marker);
                self.written += marker.len();
                self.written - marker.len()..self.written
            };
            output.spans.push(Span { range, kind: hit.kind, rule });
        }
        self.copy(at..to, output);
        self.touching = at == to && to > self.commit;
        self.counts.preexisting +=
            markers.iter().filter(|marker| self.commit <= marker.start && marker.start < to).count() as u64;
    }

    fn copy(&mut self, range: Range<usize>, output: &mut Output) {
        self.written += range.len();
        if !self.searching {
            output.text.push_str(&self.text[range]);
        }
    }

    /// Passes over what still belongs to a span whose marker is written.
    fn swallow(&mut self, to: usize, output: &mut Output) {
        output.swallow(&self.text.as_bytes()[self.commit..to]);
        self.taken += to - self.commit;
        self.commit = to;
        self.touching = true;
    }

    /// Drops what is older than the history, and sets the next step.
    fn forget(&mut self, step: usize) {
        let from = floor(self.text.as_bytes(), self.commit.saturating_sub(HISTORY));
        self.text.drain(..from);
        self.commit -= from;
        self.due = self.due - from + step;
    }
}

#[derive(Default)]
struct Output {
    text: String,
    spans: Vec<Span>,
    swallowed: Vec<Swallowed>,
}

impl Output {
    /// Notes the line feeds of a part of the input that is not copied.
    fn swallow(&mut self, part: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', part).count() as u64;
        if lines > 0 {
            self.swallowed.push(Swallowed { at: self.text.len(), lines });
        }
    }

    fn seal(self) -> Chunk {
        Chunk { text: Clean::seal(self.text), spans: self.spans, swallowed: self.swallowed }
    }
}

/// The greatest character boundary ≤ `at`. A window can begin only at one.
fn floor(text: &[u8], at: usize) -> usize {
    let mut at = at.min(text.len());
    while at > 0 && text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}
