//! The summary of the changed files of a diff: a line for each, or for each folder where that would take too much.

use std::collections::BTreeMap;

use super::Plan;
use super::parse::File;
use crate::cut::Measure;
use crate::excerpt::{Body, Builder};

/// What the words of a line take beside paths and modes: letters, five numbers, notes.
const WORDS: usize = 128;

/// Folders of more names than this are told together.
const DEEPEST: usize = 16;

/// What the words and numbers of a file's line take at most.
fn words(file: &File) -> usize {
    let digits = |number: usize| number.checked_ilog10().unwrap_or_default() as usize + 1;
    let hunks = if file.hunks.is_empty() { 0 } else { 26 + 2 * digits(file.hunks.len()) };
    let notes = [
        (file.from.is_some(), 6),
        (file.modes[0].is_some(), 10),
        (file.binary, 7),
        (file.submodule, 10),
        (file.lfs, 4),
    ];
    let notes = notes.iter().filter(|(is, _)| *is).map(|(_, bytes)| bytes).sum::<usize>();
    17 + digits(file.added as usize) + digits(file.removed as usize) + hunks + notes
}

/// How the files are told.
pub(super) struct Summary {
    rows: Rows,
    room: usize,
}

enum Rows {
    /// One by one.
    Files,
    /// By folders of so many names, as far as they fit: for each the range of its name, and its files.
    Folders(Vec<(std::ops::Range<usize>, Vec<usize>)>),
}

impl Summary {
    /// A summary that takes at most `room`, if a line for each top folder fits.
    pub(super) fn plan<B: Body>(text: &B, files: &[File], room: usize, measure: Measure) -> Self {
        let cost = |range: &std::ops::Range<usize>| measure.of(&text.as_str()[range.clone()]);
        let line = |file: &File| {
            let modes = file.modes.iter().flatten().map(cost).sum::<usize>();
            words(file) + cost(&file.path) + file.from.as_ref().map_or(0, cost) + modes
        };
        let all = WORDS + files.iter().map(line).sum::<usize>();
        if all <= room {
            return Self { rows: Rows::Files, room: all };
        }
        let deepest = files.iter().map(|file| text.as_str()[file.path.clone()].matches('/').count()).max();
        for depth in (0..=deepest.unwrap_or_default().min(DEEPEST)).rev() {
            let folders = folders(text.as_str(), files, depth);
            let taken = WORDS + folders.iter().map(|(name, _)| WORDS + cost(name)).sum::<usize>();
            if taken <= room || depth == 0 {
                // Where even these are too many, the first are named and the others counted.
                let mut left = room.saturating_sub(2 * WORDS);
                let fits = |(name, _): &&(std::ops::Range<usize>, Vec<usize>)| {
                    let price = WORDS + cost(name);
                    let fits = price <= left;
                    left = left.saturating_sub(price);
                    fits
                };
                let folders: Vec<_> = folders.iter().take_while(fits).cloned().collect();
                let taken = 2 * WORDS + folders.iter().map(|(name, _)| WORDS + cost(name)).sum::<usize>();
                return Self { rows: Rows::Folders(folders), room: taken };
            }
        }
        Self { rows: Rows::Folders(Vec::new()), room: WORDS }
    }

    /// What it takes at most.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    pub(super) fn write<B: Body>(&self, text: &B, files: &[File], plan: &Plan, out: &mut B::Builder) {
        out.push_literal("[... shortened; changed files: ");
        out.push_number(files.len() as u64);
        match &self.rows {
            Rows::Files => {
                out.push_literal(" ...]\n");
                for (index, file) in files.iter().enumerate() {
                    out.push_literal("[... ");
                    out.push_literal(file.status.letter());
                    out.push_literal(" ");
                    out.push_slice(text, file.path.clone());
                    changes(&[index], files, plan, out);
                    notes(text, file, out);
                    out.push_literal(" ...]\n");
                }
            }
            Rows::Folders(folders) => {
                out.push_literal(", told by folders ...]\n");
                for (name, of) in folders {
                    out.push_literal("[... ");
                    out.push_slice(text, name.clone());
                    out.push_literal(if name.is_empty() { "./ " } else { "/ " });
                    out.push_number(of.len() as u64);
                    out.push_literal(if of.len() == 1 { " file" } else { " files" });
                    changes(of, files, plan, out);
                    out.push_literal(" ...]\n");
                }
                let told: usize = folders.iter().map(|(_, of)| of.len()).sum();
                if told < files.len() {
                    out.push_literal("[... and ");
                    out.push_number((files.len() - told) as u64);
                    out.push_literal(" files in other folders ...]\n");
                }
            }
        }
    }
}

/// Added and removed lines, and how many hunks are left out.
fn changes<B, O: Builder<B>>(of: &[usize], files: &[File], plan: &Plan, out: &mut O) {
    let sum = |number: &dyn Fn(usize) -> usize| of.iter().map(|index| number(*index)).sum::<usize>() as u64;
    out.push_literal(" +");
    out.push_number(of.iter().map(|index| files[*index].added).sum());
    out.push_literal(" -");
    out.push_number(of.iter().map(|index| files[*index].removed).sum());
    let dropped = sum(&|index| plan.files[index].dropped());
    if dropped > 0 {
        out.push_literal(", ");
        out.push_number(dropped);
        out.push_literal(" of ");
        out.push_number(sum(&|index| files[index].hunks.len()));
        out.push_literal(" hunks left out");
    }
}

/// What else there is to say of a file.
fn notes<B: Body>(text: &B, file: &File, out: &mut B::Builder) {
    if let Some(from) = &file.from {
        out.push_literal(" from ");
        out.push_slice(text, from.clone());
    }
    if let [Some(old), Some(new)] = &file.modes {
        out.push_literal(" mode ");
        out.push_slice(text, old.clone());
        out.push_literal(" to ");
        out.push_slice(text, new.clone());
    }
    for (is, word) in [(file.binary, " binary"), (file.submodule, " submodule"), (file.lfs, " lfs")] {
        if is {
            out.push_literal(word);
        }
    }
}

/// The folders of the files, of at most `depth` names, in order.
fn folders(text: &str, files: &[File], depth: usize) -> Vec<(std::ops::Range<usize>, Vec<usize>)> {
    let mut folders: BTreeMap<&str, (std::ops::Range<usize>, Vec<usize>)> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let path = &text[file.path.clone()];
        let end = path.match_indices('/').map(|(at, _)| at).take(depth).last().unwrap_or_default();
        let name = file.path.start..file.path.start + end;
        folders.entry(&path[..end]).or_insert_with(|| (name, Vec::new())).1.push(index);
    }
    folders.into_values().collect()
}
