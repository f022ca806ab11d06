//! Writes an excerpt: the kept lines, and between them how much is missing.

use super::body::{Body, Builder};
use super::page::Page;
use crate::cut::Missing;

/// A stretch of the log that is not in the excerpt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omission {
    /// The first and the last line, by their numbers in the input.
    pub lines: (u64, u64),
    /// Bytes of the text.
    pub bytes: usize,
    /// Lines of the text; 0 where the rest of the line is kept.
    pub items: usize,
    /// Whether they are like the line before them.
    pub folded: bool,
}

/// The excerpt and its account.
pub(super) struct Written<B> {
    pub(super) text: B,
    pub(super) omissions: Vec<Omission>,
    /// The kept lines, by their numbers in the input, as first and last of each stretch.
    pub(super) kept: Vec<(u64, u64)>,
}

pub(super) fn write<B: Body>(page: &Page<B>) -> Written<B> {
    let mut out = B::Builder::default();
    let mut written = Account { omissions: Vec::new(), kept: Vec::new() };
    // The line behind the last kept one: its index, its number in the input and in the text, and its offset.
    let (mut next, mut number, mut ordinal, mut offset) = (0, 1, 1, 0);
    for index in (0..page.lines.len()).filter(|index| page.lines[*index].kept) {
        let line = &page.lines[index];
        let between = next..index;
        let missing =
            Missing { bytes: (line.at.offset - offset) as usize, items: (line.at.ordinal - ordinal) as usize };
        if missing.bytes > 0 {
            let folded = missing.items == between.len() && between.clone().all(|at| page.lines[at].folded);
            written.miss(&mut out, (number, line.at.number - 1), missing, folded);
        }
        let body = &page.gathered.pieces[line.piece].text;
        match line.part {
            None => out.push_slice(body, line.range.clone()),
            Some((head, tail)) => {
                out.push_slice(body, line.range.start..head);
                let lacking = line.gap.map_or(0, |(_, bytes)| bytes) + tail - head;
                out.push_literal("[... ");
                out.push_number(lacking as u64);
                out.push_literal(" bytes of this line left out ...]");
                out.push_slice(body, tail..line.range.end);
                let lines = (line.at.number, line.at.number + line.lacking);
                written.omissions.push(Omission { lines, bytes: lacking, items: 0, folded: false });
            }
        }
        written.keep(line.at.number, line.at.number + line.lacking);
        (next, number, ordinal, offset) =
            (index + 1, line.at.number + 1 + line.lacking, line.at.ordinal + 1, line.at.offset + line.bytes() as u64);
    }
    let end = page.gathered.end;
    let missing = Missing { bytes: (end.offset - offset) as usize, items: (end.ordinal - ordinal) as usize };
    if missing.bytes > 0 {
        written.miss(&mut out, (number, end.number - 1), missing, false);
    }
    Written { text: out.finish(), omissions: written.omissions, kept: written.kept }
}

struct Account {
    omissions: Vec<Omission>,
    kept: Vec<(u64, u64)>,
}

impl Account {
    fn keep(&mut self, from: u64, to: u64) {
        match self.kept.last_mut() {
            Some(last) if last.1 + 1 == from => last.1 = to,
            _ => self.kept.push((from, to)),
        }
    }

    fn miss<B, O: Builder<B>>(&mut self, out: &mut O, lines: (u64, u64), missing: Missing, folded: bool) {
        let items = missing.items.max(1);
        out.push_literal("[... ");
        out.push_number(missing.bytes as u64);
        out.push_literal(" bytes in ");
        out.push_number(items as u64);
        out.push_literal(if folded { " lines like the one above left out ...]\n" } else { " lines left out ...]\n" });
        self.omissions.push(Omission { lines, bytes: missing.bytes, items, folded });
    }
}
