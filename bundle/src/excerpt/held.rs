//! What is held of a log while it goes by.

use dossier_redact::Swallowed;

use super::body::{Body, Builder};
use super::recognizer::Row;

/// Whole lines that are held.
pub(super) struct Piece<B> {
    pub(super) text: B,
    /// The number of its first line in the input and in the text, both from 1, and where it begins in the text.
    pub(super) start: Position,
    /// Line feeds of the input that the text lacks: where, and how many.
    pub(super) swallowed: Vec<Swallowed>,
    /// Bytes that a giant line lacks: where, and how many.
    pub(super) gap: Option<(usize, usize)>,
}

/// A place in a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// The line's number in the input.
    pub(super) number: u64,
    /// The line's number in the text.
    pub(super) ordinal: u64,
    /// Bytes of the text before it.
    pub(super) offset: u64,
}

/// A line that may be a cause.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cause {
    pub(super) number: u64,
    pub(super) ordinal: u64,
    pub(super) row: Row,
    /// Its words without numbers, hashed.
    pub(super) words: u64,
    /// How often these words were read before.
    pub(super) before: u32,
    /// Where the step began in which it stands.
    pub(super) step: u64,
    /// Whether the next line shows where: a place in the code, a frame, a pointer.
    pub(super) shown: bool,
}

/// A line that says that the job, or a tool, gave up.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) row: Row,
    pub(super) ordinal: u64,
    pub(super) step: u64,
}

/// What was gathered of a log.
pub(super) struct Gathered<B> {
    /// The beginning, the blocks, and the end; the same lines may stand in several.
    pub(super) pieces: Vec<Piece<B>>,
    /// How many of the pieces, from the last, are the end; of it only what begins within the room from the log's end counts.
    pub(super) tail: usize,
    pub(super) causes: Vec<Cause>,
    pub(super) stops: Vec<End>,
    pub(super) exits: Vec<End>,
    /// Where the last step began.
    pub(super) step: u64,
    /// The position behind the last line.
    pub(super) end: Position,
}

/// Lines that are at hand.
pub(super) struct Batch<'b, B> {
    pub(super) text: &'b B,
    /// The position of the line at `from`.
    pub(super) start: Position,
    pub(super) from: usize,
    pub(super) end: usize,
}

impl<B: Body> Batch<'_, B> {
    pub(super) fn piece(
        &self,
        from: usize,
        end: usize,
        start: Position,
        swallowed: &[Swallowed],
        gap: Option<(usize, usize)>,
    ) -> Piece<B> {
        let mut text = B::Builder::default();
        text.push_slice(self.text, from..end);
        let here = swallowed.iter().filter(|one| (from..end).contains(&one.at));
        let swallowed = here.map(|one| Swallowed { at: one.at - from, ..*one }).collect();
        let gap = gap.filter(|(at, _)| (from..end).contains(at)).map(|(at, bytes)| (at - from, bytes));
        Piece { text: text.finish(), start, swallowed, gap }
    }
}

impl<B: Body> Piece<B> {
    /// The position behind its last line.
    pub(super) fn behind(&self) -> Position {
        let text = self.text.as_str();
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64 + u64::from(!text.ends_with('\n'));
        Position {
            number: self.start.number + lines + self.swallowed.iter().map(|one| one.lines).sum::<u64>(),
            ordinal: self.start.ordinal + lines,
            offset: self.start.offset + text.len() as u64 + self.gap.map_or(0, |(_, bytes)| bytes as u64),
        }
    }
}

/// The start of the first whole line at or behind `at`; `end` where there is none before it.
pub(super) fn line_start(text: &str, at: usize, end: usize) -> usize {
    if at == 0 || text.as_bytes()[at - 1] == b'\n' {
        return at;
    }
    memchr::memchr(b'\n', &text.as_bytes()[at..end]).map_or(end, |newline| at + newline + 1)
}
