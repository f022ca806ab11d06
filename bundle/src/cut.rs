//! Cuts a text to a size, keeping its head and its end, and says what is missing where it is missing.
//!
//! Sizes are of rendered bytes. A cut falls on a line's end where there is one near, and never inside of a character or a
//! redaction marker.

use dossier_redact::{Clean, CleanBuilder};

use crate::escape::{self, Place};

/// What a cut left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Missing {
    /// Bytes of the text, unescaped.
    pub bytes: usize,
    /// Lines, counted by their ends; at least one where any byte is missing.
    pub items: usize,
}

impl Missing {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, items: self.items + other.items }
    }

    /// `None` where nothing is missing; where bytes are, at least one line is.
    #[must_use]
    pub fn some(self) -> Option<Self> {
        (self.bytes > 0).then(|| Self { items: self.items.max(1), ..self })
    }
}

/// The share of the room that the head gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A quarter to the head: a log's end says how it failed.
    End,
    /// Three quarters to the head: prose says first what it is about.
    Head,
}

impl Shape {
    fn head(self, room: usize) -> usize {
        match self {
            Self::End => room / 4,
            Self::Head => room / 4 * 3,
        }
    }
}

/// Room for the notice in the middle.
const NOTICE_BYTES: usize = 96;

/// What is counted against a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The bytes that the text takes in an element of a prompt.
    Rendered,
    /// The bytes of the text as it is.
    Raw,
}

impl Measure {
    pub(crate) fn of(self, text: &str) -> usize {
        match self {
            Self::Rendered => escape::len(text, Place::Text),
            Self::Raw => text.len(),
        }
    }

    /// The end of the longest beginning that fits into `room`, of whole lines where they are not long.
    fn head(self, text: &str, room: usize) -> usize {
        match self {
            Self::Rendered => prefix(text, room),
            Self::Raw => line_start(text, room.min(text.len())),
        }
    }

    /// The beginning of the longest end, from `from` on, that fits into `room`.
    fn tail(self, text: &str, from: usize, room: usize) -> usize {
        match self {
            Self::Rendered => suffix(text, from, room),
            Self::Raw => line_end(text, from.max(text.len().saturating_sub(room))),
        }
    }
}

/// `text` within `room` bytes. `None` where it fits as it is.
#[must_use]
pub fn cut(text: &Clean, room: usize, shape: Shape, measure: Measure) -> Option<(Clean, Missing)> {
    again(text, Missing::default(), room, shape, measure)
}

/// As [`cut`], of a text from which `earlier` has been cut already. What is missing then is missing in all: the notice of the
/// first cut is no text that could be missing, and where it goes, the new one tells of both.
#[must_use]
pub fn again(text: &Clean, earlier: Missing, room: usize, shape: Shape, measure: Measure) -> Option<(Clean, Missing)> {
    if measure.of(text.as_str()) <= room {
        return None;
    }
    let room_for_text = room.saturating_sub(NOTICE_BYTES);
    let head = text.floor_cut(measure.head(text.as_str(), shape.head(room_for_text)));
    let used = measure.of(&text.as_str()[..head]);
    let tail = text.ceil_cut(measure.tail(text.as_str(), head, room_for_text.saturating_sub(used)));
    let left_out = &text.as_str()[head..tail];
    let mut missing = Missing { bytes: left_out.len(), items: lines(left_out) };
    let notice = format!("[... {} bytes in {} lines left out ...]", earlier.bytes, earlier.items);
    let stays = match left_out.find(&notice).filter(|_| earlier.bytes > 0) {
        Some(at) => {
            let end = usize::from(left_out[at + notice.len()..].starts_with('\n'));
            missing.bytes = missing.bytes - notice.len() - end + earlier.bytes;
            missing.items = missing.items - end + earlier.items;
            Missing::default()
        }
        None => earlier,
    };
    missing.items = missing.items.max(1);
    let text = write(text, head, text, tail, missing, room);
    Some((text, Missing { bytes: missing.bytes + stays.bytes, items: missing.items + stays.items }))
}

/// The beginning of `head` and the end of `end`, between which `dropped` is missing already, within `room` bytes.
#[must_use]
pub fn join(head: &Clean, end: &Clean, dropped: Missing, room: usize, measure: Measure) -> (Clean, Missing) {
    let room_for_text = room.saturating_sub(NOTICE_BYTES);
    let kept = head.floor_cut(measure.head(head.as_str(), room_for_text / 4));
    let used = measure.of(&head.as_str()[..kept]);
    let tail = end.ceil_cut(measure.tail(end.as_str(), 0, room_for_text.saturating_sub(used)));
    let missing = Missing {
        bytes: dropped.bytes + head.len() - kept + tail,
        items: (dropped.items + lines(&head.as_str()[kept..]) + lines(&end.as_str()[..tail])).max(1),
    };
    (write(head, kept, end, tail, missing, room), missing)
}

/// `text` up to `head` and `end` from `tail` on, with the notice between.
fn write(text: &Clean, head: usize, end: &Clean, tail: usize, missing: Missing, room: usize) -> Clean {
    let mut out = CleanBuilder::new();
    if room >= NOTICE_BYTES {
        out.push_slice(text, 0..head);
        if head > 0 && !text.as_str()[..head].ends_with('\n') {
            out.push_literal("\n");
        }
        out.push_literal("[... ");
        out.push_number(missing.bytes as u64);
        out.push_literal(" bytes in ");
        out.push_number(missing.items as u64);
        out.push_literal(" lines left out ...]");
        if tail < end.len() {
            out.push_literal("\n");
            out.push_slice(end, tail..end.len());
        }
    }
    out.finish()
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// The greatest line start at or before `at`; `at` itself where the line is long.
fn line_start(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    text[..at].rfind('\n').map(|end| end + 1).filter(|start| at - start < at / 2).unwrap_or(at)
}

/// The least line start at or behind `at`; `at` itself where the line is long.
fn line_end(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at);
    let rest = text.len() - at;
    text[at..].find('\n').map(|end| at + end + 1).filter(|start| start - at < rest / 2).unwrap_or(at)
}

/// The end of the longest beginning of whole lines that takes at most `room` rendered bytes; of a part of the first line where
/// it does not fit whole.
fn prefix(text: &str, room: usize) -> usize {
    let (mut at, mut used) = (0, 0);
    for line in text.split_inclusive('\n') {
        let length = escape::len(line, Place::Text);
        if used + length > room {
            // A long line is worth a part of it; a short one is left whole to the other side.
            return if room - used > room / 2 { at + part_of(line, room - used) } else { at };
        }
        used += length;
        at += line.len();
    }
    at
}

/// The beginning of the longest end, from `from` on, that takes at most `room` rendered bytes.
fn suffix(text: &str, from: usize, room: usize) -> usize {
    let (mut at, mut used) = (text.len(), 0);
    while at > from {
        let body = &text[from..at];
        let start = from + body.strip_suffix('\n').unwrap_or(body).rfind('\n').map_or(0, |end| end + 1);
        let line = &text[start..at];
        let length = escape::len(line, Place::Text);
        if used + length > room {
            if room - used > room / 2 {
                at -= end_of(line, room - used);
            }
            break;
        }
        used += length;
        at = start;
    }
    at
}

/// Bytes at the beginning of `line` that take at most `room` when each character is escaped by itself, which never takes less
/// than the line as a whole.
fn part_of(line: &str, room: usize) -> usize {
    let mut used = 0;
    let fits = |c: &char| {
        used += cost(*c);
        used <= room
    };
    line.chars().take_while(fits).map(char::len_utf8).sum()
}

fn end_of(line: &str, room: usize) -> usize {
    let mut used = 0;
    let fits = |c: &char| {
        used += cost(*c);
        used <= room
    };
    line.chars().rev().take_while(fits).map(char::len_utf8).sum()
}

fn cost(c: char) -> usize {
    escape::len(c.encode_utf8(&mut [0; 4]), Place::Text)
}

#[cfg(test)]
mod tests {
    use dossier_redact::Redactor;

    use super::*;

    fn clean(text: &str) -> Clean {
        Redactor::builder().build().unwrap().redact(text).unwrap().text
    }

    #[test]
    fn what_fits_is_not_touched() {
        assert_eq!(cut(&clean("one\ntwo\n"), 8, Shape::End, Measure::Rendered), None);
    }

    #[test]
    fn head_and_end_stay_in_whole_lines_and_the_rest_is_counted() {
        let text: String = (0..1_000).map(|n| format!("line number {n:04} <&>\n")).collect();
        let whole = clean(&text);
        for room in [500, 5_000, 20_000] {
            for shape in [Shape::End, Shape::Head] {
                let (out, missing) = cut(&whole, room, shape, Measure::Rendered).unwrap();
                assert!(escape::len(out.as_str(), Place::Text) <= room, "{room}");
                let kept: usize = out.as_str().lines().filter(|line| line.starts_with("line")).count();
                assert_eq!(kept + missing.items, 1_000);
                assert_eq!(missing.bytes, missing.items * 21);
                assert!(out.as_str().contains(&format!("[... {} bytes in {} lines", missing.bytes, missing.items)));
            }
        }
    }

    #[test]
    fn a_second_cut_counts_no_notice_and_tells_of_both() {
        let text: String = (0..1_000).map(|n| format!("line number {n:04}\n")).collect();
        let (once, first) = cut(&clean(&text), 5_000, Shape::End, Measure::Raw).unwrap();
        for room in [400, 1_000, 3_000, 4_900] {
            let (twice, both) = again(&once, first, room, Shape::End, Measure::Raw).unwrap();
            let kept: usize = twice.as_str().lines().filter(|line| line.starts_with("line")).count();
            assert_eq!((kept + both.items, both.bytes), (1_000, both.items * 17), "{room}");
            let notices = twice.as_str().lines().filter(|line| line.starts_with("[... ")).count();
            assert_eq!(notices, 1, "{room}: {}", twice.as_str());
            assert!(twice.as_str().contains(&format!("[... {} bytes in {} lines", both.bytes, both.items)));
        }
        // A head that holds the first notice keeps it, and then there are two.
        let (twice, both) = again(&once, first, 4_900, Shape::Head, Measure::Raw).unwrap();
        let kept: usize = twice.as_str().lines().filter(|line| line.starts_with("line")).count();
        assert_eq!((kept + both.items, both.bytes), (1_000, both.items * 17));
        assert_eq!(twice.as_str().lines().filter(|line| line.starts_with("[... ")).count(), 2);
        // Nothing that only looks like the notice is taken for it.
        let other = Missing { bytes: first.bytes + 1, ..first };
        let (_, both) = again(&once, other, 400, Shape::End, Measure::Raw).unwrap();
        assert!(both.bytes > other.bytes + 4_500 - 400);
    }

    #[test]
    fn one_endless_line_keeps_both_its_ends() {
        let text = format!("begin{}end", "é<".repeat(10_000));
        let (out, missing) = cut(&clean(&text), 1_000, Shape::Head, Measure::Rendered).unwrap();
        assert!(escape::len(out.as_str(), Place::Text) <= 1_000);
        assert!(out.as_str().starts_with("begin") && out.as_str().ends_with("end"));
        assert_eq!(missing.items, 1);
    }

    #[test]
    fn too_little_room_keeps_nothing() {
        let (out, missing) = cut(&clean(&"x".repeat(500)), 20, Shape::End, Measure::Rendered).unwrap();
        assert_eq!((out.as_str(), missing.bytes), ("", 500));
    }
}
