//! Bounds any text that is no log as it arrives: head and end are kept, the middle is dropped and counted.

use std::collections::VecDeque;

use dossier_redact::{Clean, CleanBuilder};

use crate::cut::{self, Measure, Missing, Shape};

/// Takes a text in pieces and holds no more than a few times its room.
pub struct Ends {
    room: usize,
    measure: Measure,
    head: CleanBuilder,
    tail: VecDeque<Clean>,
    tail_bytes: usize,
    dropped: Missing,
}

impl Ends {
    /// Keeps at most `room` bytes, counted by `measure`.
    #[must_use]
    pub fn new(room: usize, measure: Measure) -> Self {
        let dropped = Missing::default();
        Self { room, measure, head: CleanBuilder::new(), tail: VecDeque::new(), tail_bytes: 0, dropped }
    }

    /// Takes the next piece.
    pub fn push(&mut self, piece: Clean) {
        let mut piece = piece;
        if self.tail.is_empty() {
            let fits = piece.floor_cut(self.room.saturating_sub(self.head.len()).min(piece.len()));
            self.head.push_slice(&piece, 0..fits);
            if fits == piece.len() {
                return;
            }
            piece = piece.slice(fits..piece.len());
        }
        self.tail_bytes += piece.len();
        self.tail.push_back(piece);
        // Whole pieces go, as long as what stays behind them is more than can be kept.
        while let Some(first) = self.tail.front().filter(|first| self.tail_bytes - first.len() > self.room) {
            self.tail_bytes -= first.len();
            self.dropped.bytes += first.len();
            self.dropped.items += first.as_str().bytes().filter(|byte| *byte == b'\n').count();
            self.tail.pop_front();
        }
    }

    /// What is kept, and what it lacks.
    #[must_use]
    pub fn finish(self) -> (Clean, Option<Missing>) {
        let Self { room, measure, head, tail, dropped, .. } = self;
        let mut end = CleanBuilder::new();
        for piece in &tail {
            end.push(piece);
        }
        let (head, end) = (head.finish(), end.finish());
        if dropped.bytes == 0 {
            let mut whole = CleanBuilder::new();
            whole.push(&head);
            whole.push(&end);
            let whole = whole.finish();
            return match cut::cut(&whole, room, Shape::End, measure) {
                Some((text, missing)) => (text, Some(missing)),
                None => (whole, None),
            };
        }
        let (text, missing) = cut::join(&head, &end, dropped, room, measure);
        (text, Some(missing))
    }
}

#[cfg(test)]
mod tests {
    use dossier_redact::Redactor;

    use super::*;

    #[test]
    fn a_rendered_measure_counts_what_escaping_adds() {
        let redactor = Redactor::builder().build().unwrap();
        let text = "a < b && c > d\n".repeat(5_000);
        let mut ends = Ends::new(4_000, Measure::Rendered);
        for chunk in text.as_bytes().chunks(997) {
            ends.push(redactor.redact(std::str::from_utf8(chunk).unwrap()).unwrap().text);
        }
        let length = crate::escape::len(ends.finish().0.as_str(), crate::escape::Place::Text);
        assert!((3_700..=4_000).contains(&length), "{length}");
    }

    fn kept(text: &str, room: usize, piece: usize) -> (String, Option<Missing>) {
        let redactor = Redactor::builder().build().unwrap();
        let mut ends = Ends::new(room, Measure::Raw);
        for chunk in text.as_bytes().chunks(piece) {
            ends.push(redactor.redact(std::str::from_utf8(chunk).unwrap()).unwrap().text);
        }
        let (text, missing) = ends.finish();
        (text.as_str().to_owned(), missing)
    }

    #[test]
    fn a_short_text_is_whole() {
        assert_eq!(kept("one\ntwo\n", 100, 3), ("one\ntwo\n".to_owned(), None));
    }

    #[test]
    fn head_and_end_are_kept_and_every_line_is_accounted_for() {
        let text: String = (0..50_000).map(|n| format!("step {n:06} done\n")).collect();
        for piece in [100, 1_000, 100_000] {
            let (out, missing) = kept(&text, 10_000, piece);
            let missing = missing.unwrap();
            assert!(out.len() <= 10_000 && out.len() > 9_000, "{}", out.len());
            assert!(out.starts_with("step 000000 done\n") && out.ends_with("step 049999 done\n"));
            let kept: usize = out.lines().filter(|line| line.starts_with("step")).map(|line| line.len() + 1).sum();
            assert_eq!(kept + missing.bytes, text.len());
            assert_eq!(missing.items, missing.bytes / 17);
        }
    }
}
