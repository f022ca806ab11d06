//! Cuts a diff by whole hunks. The summary of changed files always stays.

use std::ops::Range;

use dossier_redact::{Clean, CleanBuilder};

use crate::cut::Missing;
use crate::escape::{self, Place};

/// Room for the notice behind a file whose hunks are left out.
const NOTICE_BYTES: usize = 64;

/// `text` within `room` rendered bytes: a summary of the changed files, then as many whole hunks as fit, in their order. `None`
/// where it fits as it is, or where it is no diff (then it is to be cut as text).
#[must_use]
pub fn cut(text: &Clean, room: usize) -> Option<(Clean, Missing)> {
    if escape::len(text.as_str(), Place::Text) <= room {
        return None;
    }
    let files = parse(text.as_str());
    if files.is_empty() {
        return None;
    }
    let mut out = CleanBuilder::new();
    let mut left = room.saturating_sub(2 * NOTICE_BYTES);
    summarize(text, &files, room / 4, &mut out, &mut left);
    let mut missing = Missing::default();
    for file in &files {
        let header = cost(text, &file.header);
        let mut kept = 0;
        let mut dropped = Missing::default();
        for hunk in &file.hunks {
            let price = cost(text, hunk) + if kept == 0 { header } else { 0 } + NOTICE_BYTES;
            if price <= left && dropped.items == 0 {
                if kept == 0 {
                    push(text, file.header.clone(), &mut out);
                    left -= header;
                }
                push(text, hunk.clone(), &mut out);
                left -= cost(text, hunk);
                kept += 1;
            } else {
                dropped.items += 1;
                dropped.bytes += hunk.len();
            }
        }
        if kept == 0 {
            dropped.bytes += file.header.len();
            dropped.items = dropped.items.max(1);
        } else if dropped.items > 0 {
            out.push_literal("[... ");
            out.push_number(dropped.items as u64);
            out.push_literal(" more hunks of this file left out ...]\n");
            left = left.saturating_sub(NOTICE_BYTES);
        }
        missing.items += dropped.items;
        missing.bytes += dropped.bytes;
    }
    // The total also tells two cuts apart that keep the same.
    out.push_literal("[... in all ");
    out.push_number(missing.bytes as u64);
    out.push_literal(" bytes in ");
    out.push_number(missing.items as u64);
    out.push_literal(" hunks left out ...]\n");
    Some((out.finish(), missing))
}

/// Writes the summary, in at most `room` bytes; files that do not fit are counted.
fn summarize(text: &Clean, files: &[File], room: usize, out: &mut CleanBuilder, left: &mut usize) {
    let head = 64.min(*left);
    *left -= head;
    out.push_literal("[... shortened; changed files: ");
    out.push_number(files.len() as u64);
    out.push_literal(" ...]\n");
    let mut used = head;
    for (index, file) in files.iter().enumerate() {
        let line = 40 + cost(text, &file.path);
        if used + line + NOTICE_BYTES > room {
            out.push_literal("[... and ");
            out.push_number((files.len() - index) as u64);
            out.push_literal(" more files ...]\n");
            *left = left.saturating_sub(NOTICE_BYTES);
            return;
        }
        used += line;
        *left = left.saturating_sub(line);
        out.push_literal("[... ");
        push(text, file.path.clone(), out);
        out.push_literal(" +");
        out.push_number(file.added);
        out.push_literal(" -");
        out.push_number(file.removed);
        out.push_literal(" ...]\n");
    }
}

fn push(text: &Clean, range: Range<usize>, out: &mut CleanBuilder) {
    out.push_slice(text, range);
}

fn cost(text: &Clean, range: &Range<usize>) -> usize {
    escape::len(&text.as_str()[range.clone()], Place::Text)
}

/// One file of a diff, as byte ranges.
#[derive(Debug, Default)]
struct File {
    path: Range<usize>,
    header: Range<usize>,
    hunks: Vec<Range<usize>>,
    added: u64,
    removed: u64,
}

/// The files of a unified, git or combined diff. Text before the first file belongs to its header.
fn parse(text: &str) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut at = 0;
    // Lines that the hunk at hand still announces: nothing in them is taken for a header.
    let mut announced = (0_u64, 0_u64);
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let range = at..at + line.len();
        at = range.end;
        if announced != (0, 0) && !line.starts_with("diff --") {
            if let Some(file) = files.last_mut() {
                take_line(file, line, &range, &mut announced);
            }
            continue;
        }
        let plain = line.starts_with("--- ") && lines.peek().is_some_and(|next| next.starts_with("+++ "));
        let in_header = files.last().is_some_and(|file| file.hunks.is_empty());
        if line.starts_with("diff --") || (plain && !in_header) {
            announced = (0, 0);
            let start = if files.is_empty() { 0 } else { range.start };
            files.push(File { path: last_word(line, range.start), header: start..range.end, ..File::default() });
        } else if let Some(file) = files.last_mut() {
            if line.starts_with("@@") {
                announced = announcement(line);
                file.hunks.push(range);
            } else if let Some(hunk) = file.hunks.last_mut() {
                hunk.end = range.end;
            } else {
                let names = ["--- ", "+++ "].iter().any(|sign| line.starts_with(sign));
                if names && !line[4..].starts_with("/dev/null") {
                    file.path = path(line, range.start);
                }
                file.header.end = range.end;
            }
        }
    }
    files
}

fn take_line(file: &mut File, line: &str, range: &Range<usize>, announced: &mut (u64, u64)) {
    if let Some(hunk) = file.hunks.last_mut() {
        hunk.end = range.end;
    }
    match line.as_bytes().first() {
        Some(b'+') => {
            file.added += 1;
            announced.1 = announced.1.saturating_sub(1);
        }
        Some(b'-') => {
            file.removed += 1;
            announced.0 = announced.0.saturating_sub(1);
        }
        Some(b'\\') => {}
        _ => *announced = (announced.0.saturating_sub(1), announced.1.saturating_sub(1)),
    }
}

/// The numbers of old and new lines in `@@ -1,2 +3,4 @@`; one each where they are left out. A combined diff announces nothing.
fn announcement(line: &str) -> (u64, u64) {
    if !line.starts_with("@@ ") {
        return (0, 0);
    }
    let count = |sign: char| {
        let word = line.split(' ').find(|word| word.starts_with(sign))?;
        word.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok())
    };
    (count('-').unwrap_or(0), count('+').unwrap_or(0))
}

/// The path in `+++ b/path`, without its prefix and what follows a tab.
fn path(line: &str, at: usize) -> Range<usize> {
    let name = line[4..].trim_end_matches(['\n', '\r']).split('\t').next().unwrap_or_default();
    let skipped = if name.starts_with("a/") || name.starts_with("b/") { 2 } else { 0 };
    at + 4 + skipped..at + 4 + name.len()
}

/// The last path in `diff --git a/path b/path`.
fn last_word(line: &str, at: usize) -> Range<usize> {
    let line = line.trim_end_matches(['\n', '\r']);
    match line.rfind(" b/") {
        Some(start) => at + start + 3..at + line.len(),
        None => at..at,
    }
}

#[cfg(test)]
mod tests {
    use dossier_redact::Redactor;

    use super::*;

    fn diff(files: usize, hunks: usize) -> Clean {
        let mut text = String::new();
        for file in 0..files {
            text +=
                &format!("diff --git a/src/f{file}.rs b/src/f{file}.rs\n--- a/src/f{file}.rs\n+++ b/src/f{file}.rs\n");
            for hunk in 0..hunks {
                text += &format!("@@ -{hunk},2 +{hunk},3 @@ fn x()\n context {hunk}\n-old\n+new\n+--- not a header\n");
            }
        }
        Redactor::builder().build().unwrap().redact(&text).unwrap().text
    }

    #[test]
    fn whole_hunks_stay_and_every_file_is_named() {
        let text = diff(20, 5);
        for room in [2_000, 4_000, 6_000] {
            let (out, missing) = cut(&text, room).unwrap();
            assert!(escape::len(out.as_str(), Place::Text) <= room);
            let kept = out.as_str().lines().filter(|line| line.starts_with("@@")).count();
            assert_eq!(kept, out.as_str().lines().filter(|line| *line == "+--- not a header").count());
            assert_eq!(kept + missing.items, 100);
            assert!(out.as_str().starts_with("[... shortened; changed files: 20 ...]\n[... src/f0.rs +10 -5 ...]\n"));
        }
        assert!((0..20).all(|n| cut(&text, 6_000).unwrap().0.as_str().contains(&format!("src/f{n}.rs +10 -5"))));
    }

    #[test]
    fn what_is_no_diff_is_left_to_others() {
        let text = Redactor::builder().build().unwrap().redact(&"just words\n".repeat(500)).unwrap().text;
        assert_eq!(cut(&text, 100), None);
    }
}
