//! Cuts a diff by whole hunks. A summary of all changed files always stays.
//!
//! What remains of the room goes to hunks, those of source first, then of tests, configuration, documentation, and last what
//! machines write; within a kind the smaller files come first. The excerpt shows them in this order. The summary says of each
//! file how many of its hunks are left out.

mod parse;
mod sort;
mod summary;

use std::ops::Range;

use crate::cut::{Measure, Missing};
use crate::excerpt::{Body, Builder};
use parse::File;

/// Room for the notice at the end, and for one of a hunk that is cut.
const NOTICE: usize = 96;

/// A diff that was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut<B> {
    /// The text.
    pub text: B,
    /// What it lacks; items are hunks, where a file without hunks counts as one.
    pub missing: Missing,
    /// The parts of the input that are kept, as ranges of bytes in the order of the input.
    pub kept: Vec<Range<usize>>,
}

/// `text` within `room` bytes, counted by `measure`. `None` where it fits as it is, or where it is no diff (then it is to be cut
/// as text).
#[must_use]
pub fn cut<B: Body>(text: &B, room: usize, measure: Measure) -> Option<Cut<B>> {
    if measure.of(text.as_str()) <= room {
        return None;
    }
    let files = parse::parse(text.as_str());
    if files.is_empty() {
        return None;
    }
    let summary = summary::Summary::plan(text, &files, (room / 4).min(room.saturating_sub(NOTICE)), measure);
    let mut left = room.saturating_sub(summary.room() + NOTICE);
    loop {
        let cut = write(text, &files, &summary, left, measure);
        let over = measure.of(cut.text.as_str()).saturating_sub(room);
        if over == 0 || left == 0 {
            return Some(cut);
        }
        left = left.saturating_sub(over + NOTICE);
    }
}

/// The excerpt with hunks of at most `left` bytes.
fn write<B: Body>(text: &B, files: &[File], summary: &summary::Summary, left: usize, measure: Measure) -> Cut<B> {
    let plan = Plan::choose(text, files, left, measure);
    let mut out = B::Builder::default();
    summary.write(text, files, &plan, &mut out);
    let mut kept = Vec::new();
    for index in &plan.order {
        let (file, taken) = (&files[*index], &plan.files[*index]);
        if taken.hunks.iter().any(|taken| *taken) {
            kept.push(file.header.clone());
            out.push_slice(text, file.header.clone());
        }
        for (hunk, _) in file.hunks.iter().zip(&taken.hunks).filter(|(_, taken)| **taken) {
            let end = plan.part.filter(|(of, _)| *of == hunk.start).map_or(hunk.end, |(_, end)| end);
            kept.push(hunk.start..end);
            out.push_slice(text, hunk.start..end);
            if end < hunk.end {
                let rest = &text.as_str()[end..hunk.end];
                out.push_literal("[... ");
                out.push_number(rest.len() as u64);
                out.push_literal(" bytes in ");
                out.push_number(rest.lines().count() as u64);
                out.push_literal(" lines of this hunk left out ...]\n");
            } else if !text.as_str()[..hunk.end].ends_with('\n') {
                out.push_literal("\n");
            }
        }
    }
    let missing = plan.missing(files);
    // The total also tells two cuts apart that keep the same.
    out.push_literal("[... in all ");
    out.push_number(missing.bytes as u64);
    out.push_literal(" bytes in ");
    out.push_number(missing.items as u64);
    out.push_literal(" hunks left out ...]\n");
    kept.sort_by_key(|range| range.start);
    Cut { text: out.finish(), missing, kept }
}

/// What is kept of a file.
#[derive(Debug, Clone, Default)]
struct Taken {
    hunks: Vec<bool>,
}

impl Taken {
    /// How many of its hunks are left out.
    fn dropped(&self) -> usize {
        self.hunks.iter().filter(|taken| !**taken).count()
    }
}

/// Which hunks are kept.
struct Plan {
    /// The files in the order in which they are shown.
    order: Vec<usize>,
    files: Vec<Taken>,
    /// A hunk of which only the beginning is kept: where it begins, and where the part ends.
    part: Option<(usize, usize)>,
}

impl Plan {
    fn choose<B: Body>(text: &B, files: &[File], room: usize, measure: Measure) -> Self {
        let order = sort::order(text.as_str(), files);
        let mut left = room;
        let mut taken: Vec<Taken> = files.iter().map(|file| Taken { hunks: vec![false; file.hunks.len()] }).collect();
        let mut part = None;
        let cost = |range: &Range<usize>| measure.of(&text.as_str()[range.clone()]);
        for index in &order {
            let file = &files[*index];
            let mut header = Some(cost(&file.header));
            for (at, hunk) in file.hunks.iter().enumerate() {
                let price = cost(hunk) + header.unwrap_or_default() + 1;
                if price <= left {
                    (left, header) = (left - price, None);
                    taken[*index].hunks[at] = true;
                }
            }
        }
        // A hunk that is too large by itself is cut, so that something is seen of a diff that is nothing else.
        let first = order.iter().find(|index| !files[**index].hunks.is_empty());
        if let Some(index) = first.filter(|_| taken.iter().all(|file| file.hunks.iter().all(|taken| !taken))) {
            let (file, hunk) = (&files[*index], files[*index].hunks[0].clone());
            let mut budget = left.saturating_sub(cost(&file.header) + NOTICE);
            let mut end = hunk.start;
            for line in text.as_str()[hunk.clone()].split_inclusive('\n') {
                let price = measure.of(line);
                if price > budget {
                    break;
                }
                budget -= price;
                end += line.len();
            }
            if end > hunk.start {
                taken[*index].hunks[0] = true;
                part = Some((hunk.start, end));
            }
        }
        Self { order, files: taken, part }
    }

    fn missing(&self, files: &[File]) -> Missing {
        let mut missing = Missing::default();
        for (file, taken) in files.iter().zip(&self.files) {
            let dropped = file.hunks.iter().zip(&taken.hunks).filter(|(_, taken)| !**taken);
            missing.bytes += dropped.map(|(hunk, _)| hunk.len()).sum::<usize>();
            missing.items += taken.dropped();
            if taken.dropped() == file.hunks.len() {
                missing.bytes += file.header.len();
                missing.items += usize::from(file.hunks.is_empty());
            }
            if let Some((of, end)) = self.part
                && let Some(hunk) = file.hunks.iter().find(|hunk| hunk.start == of)
            {
                missing.bytes += hunk.end - end;
                missing.items += 1;
            }
        }
        Missing { items: missing.items.max(1), ..missing }
    }
}

#[cfg(test)]
mod tests;
