//! Excerpts of logs that keep the error.
//!
//! What a reader needs of a log is usually one line of it. [`Excerpt`] takes a log of any size in pieces and keeps, within its
//! room: the *first actionable error*, which is the line whose repair would change the outcome, with what belongs to it; what
//! stands before the place at which the job failed; further errors that differ; the beginning and the end. Each place that is
//! cut says how much is missing. What fits is not cut.
//!
//! A pass gathers what may matter ([`mod@gather`]): lines are read only where a trigger stands in them ([`mod@trigger`]), as a person
//! reads them ([`mod@reading`]), and judged by a table ([`mod@recognizer`], [`mod@recognizers`]). At the end one function
//! ranks what was found ([`mod@score`]), lines are chosen by worth ([`mod@page`]) and written ([`mod@write`]).

mod again;
mod body;
mod gather;
mod held;
mod judged;
mod page;
mod reading;
mod recognizer;
mod recognizers;
mod score;
mod trigger;
mod write;

use dossier_redact::{Clean, Swallowed};
use serde::{Deserialize, Serialize};

use crate::cut::{Measure, Missing};
pub use again::again;
pub use body::{Body, Builder};
use gather::Gatherer;
use page::Page;
pub use recognizer::Class;
use recognizer::Table;
pub use write::Omission;

/// The first actionable error of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstError {
    /// The number of its line in the log as it was received, from 1; at most 2^31 - 1, which stands for all that follow.
    pub line: u32,
    /// What kind of failure it is.
    pub class: Class,
}

/// A row of the table of recognizers, for the page that shows it.
#[derive(Debug, Clone, Copy)]
pub struct RecognizerEntry {
    /// Its name.
    pub id: &'static str,
    /// What a line is to the failure that it matches: `cause`, `stop`, `exit`, `start` or `noise`.
    pub role: &'static str,
    /// The class of the failure.
    pub class: Class,
    /// How sure it is, 0 to 100.
    pub weight: u8,
    /// Lines that it matches.
    pub examples: &'static [&'static str],
    /// Lines that it does not match.
    pub others: &'static [&'static str],
}

/// The table of recognizers.
pub fn recognizers() -> impl Iterator<Item = RecognizerEntry> {
    recognizers::all().map(|row| RecognizerEntry {
        id: row.id,
        role: row.role.name(),
        class: row.class,
        weight: row.weight,
        examples: row.examples,
        others: row.others,
    })
}

/// An excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpted<B> {
    /// The text; all of the log where it fits.
    pub text: B,
    /// What it lacks, with what an earlier cut left out.
    pub missing: Option<Missing>,
    /// The first actionable error, if there is a line that may be one.
    pub first_error: Option<FirstError>,
    /// What that line says, as a person reads it: without times and terminal sequences.
    pub first_line: String,
    /// The recognizer that told it.
    pub recognizer: Option<&'static str>,
    /// The kept lines, by their numbers in the input, as first and last of each stretch.
    pub kept: Vec<(u64, u64)>,
    /// What was left out, in order.
    pub omissions: Vec<Omission>,
}

/// Takes a log in pieces and keeps what matters, in memory that its room bounds.
pub struct Excerpt<B: Body = Clean> {
    room: usize,
    measure: Measure,
    gatherer: Gatherer<B>,
}

impl<B: Body> Excerpt<B> {
    /// An excerpt of at most `room` bytes, counted by `measure`.
    #[must_use]
    pub fn new(room: usize, measure: Measure) -> Self {
        Self { room, measure, gatherer: Gatherer::new(room) }
    }

    /// Takes the next piece. `swallowed` are the line feeds of the input that redaction took, by their places in the piece.
    pub fn push(&mut self, piece: &B, swallowed: &[Swallowed]) {
        self.gatherer.push(piece, swallowed);
    }

    /// The excerpt.
    #[must_use]
    pub fn finish(self) -> Excerpted<B> {
        let page = Page::new(self.gatherer.finish(), self.room, self.measure);
        let whole = page.fits();
        finish(page, whole)
    }
}

/// The excerpt of what was gathered.
fn finish<B: Body>(mut page: Page<B>, whole: bool) -> Excerpted<B> {
    let table = Table::get();
    if whole {
        page.keep_all();
    } else {
        page.choose(table);
    }
    let first = page.ranking.first.map(|index| page.gathered.causes[index]);
    let class = |row| table.row(row).class;
    let first_error = first.map(|cause| FirstError { line: line_number(cause.number), class: class(cause.row) });
    let line = first.and_then(|cause| page.find(cause.ordinal));
    let first_line = line.map_or_else(String::new, |line| reading::reading(page.text(line)).into_owned());
    let recognizer = first.map(|cause| table.row(cause.row).id);
    let written = write::write(&page);
    let missing = written
        .omissions
        .iter()
        .fold(Missing::default(), |sum, one| sum.and(Missing { bytes: one.bytes, items: one.items }));
    let missing = missing.some();
    Excerpted {
        text: written.text,
        missing,
        first_error,
        first_line,
        recognizer,
        kept: written.kept,
        omissions: written.omissions,
    }
}

/// A line's number as a manifest has it.
fn line_number(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX).min(i32::MAX.unsigned_abs())
}

#[cfg(test)]
mod tests;
