//! Soft wraps: what stood on one line before a terminal's width broke it.

use std::ops::Range;

use super::View;
use crate::survey::{Survey, is_coded};

/// Widths at which terminals and logs break lines.
const WIDTHS: [usize; 13] = [72, 76, 78, 79, 80, 100, 120, 128, 132, 160, 200, 240, 256];
/// The same, by length.
const IS_WIDTH: [bool; WIDTHS[WIDTHS.len() - 1] + 1] = {
    let mut table = [false; WIDTHS[WIDTHS.len() - 1] + 1];
    let mut index = 0;
    while index < WIDTHS.len() {
        table[WIDTHS[index]] = true;
        index += 1;
    }
    table
};
/// How much of a broken line is looked at, to each side of a break.
const REACH: usize = 256;
/// How long the two halves of a word are at least, together.
const SHORTEST: usize = 16;

/// Joins what stands around breaks in which a word may be broken.
pub(super) fn folded(text: &[u8], survey: &Survey, view: &mut View) {
    let (mut done, mut shown) = (0, 0);
    for newline in survey.joined_lines().iter().map(|at| *at as usize) {
        if newline < done {
            continue;
        }
        // Else the line is longer than any width.
        let Some(start) = survey.line_start(newline, WIDTHS[WIDTHS.len() - 1]) else { continue };
        if !breaks(text, &(start..newline)) {
            continue;
        }
        let from = start.max(newline.saturating_sub(REACH));
        view.skip(shown..from);
        view.copy(text, from..newline);
        done = newline + 1;
        // The line goes on from the one before, and so may the next.
        loop {
            let Some(len) = memchr::memchr(b'\n', &text[done..]) else {
                let end = text.len().min(done + REACH);
                view.copy(text, done..end);
                view.end_line(end);
                view.end(end..text.len());
                return;
            };
            let line = done..done + len;
            done = line.end + 1;
            if breaks(text, &line) {
                view.copy(text, line);
                continue;
            }
            let end = line.end.min(line.start + REACH);
            view.copy(text, line.start..end);
            view.end_line(end);
            shown = end;
            break;
        }
    }
    view.end(shown..text.len());
}

/// Whether a word may be broken at the end of `line`: it has a width at which lines are broken, and the halves of a word
/// stand on both sides, the second at the very start of its line.
fn breaks(text: &[u8], line: &Range<usize>) -> bool {
    if !IS_WIDTH.get(line.len()).is_some_and(|is| *is) {
        return false;
    }
    let ahead = &text[line.end + 1..text.len().min(line.end + 1 + REACH)];
    let tail = text[line.clone()].iter().rev().take_while(|byte| is_coded(**byte)).count();
    let head = ahead.iter().take_while(|byte| is_coded(**byte)).count();
    let dated = ahead.len() > 4 && ahead[..4].iter().all(u8::is_ascii_digit) && ahead[4] == b'-';
    // A line that is one word is Base64, which is looked at apart.
    tail >= 2 && head >= 2 && tail + head >= SHORTEST && tail < line.len() && !dated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literals::Seen;

    #[test]
    fn words_that_a_width_broke_are_joined() {
        let (one, two) = ("x".repeat(66) + " aaaaaaaaaaaaa", "bbbbbbbb c\nnext");
        let text = format!("{one}\n{two}");
        let mut view = View::default();
        folded(text.as_bytes(), &Seen::of(text.as_bytes()).survey, &mut view);
        assert_eq!(String::from_utf8_lossy(&view.text), format!("{one}bbbbbbbb c\n....\n"));
        let at = view.text.windows(2).position(|pair| pair == b"ab").unwrap_or_default();
        assert_eq!(view.origin(&(at..at + 2)), 79..82);
    }
}
