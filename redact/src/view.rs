//! Texts within the text: what it says once escapes, colours and hidden characters are read as a human reads them.

mod escape;
mod fold;

use std::ops::Range;

use crate::survey::{Survey, is_coded};
use crate::value::skip_blanks;
use escape::{CSI, Read, Said, backslash, bare, entity, hidden, is_mark, percent};

/// A text made from another, and where each of its bytes comes from.
#[derive(Default)]
pub(crate) struct View {
    pub(crate) text: Vec<u8>,
    /// What it is put together from, in order.
    pieces: Vec<Piece>,
}

/// A part of a view: of the original as it is, or what an escape says.
struct Piece {
    /// Where in the view it begins, and where in the original.
    at: u32,
    from: u32,
    /// How much of the original it was made from, or [`PLAIN`].
    len: u8,
}

/// A piece that is as it was.
const PLAIN: u8 = u8::MAX;
/// A piece that stands for what is not shown.
const GAP: u8 = PLAIN - 1;

/// What stands for text that a view does not show: a line that no value, block, list, key or armour goes on over, as long as
/// what is not shown, or longer than most of what is looked at around a place. Else lines that are far apart would be read as
/// one below the other, and which they are would depend on where a window begins.
const FILLER: [u8; 640] = {
    let mut filler = [b'.'; 640];
    let mut at = 0;
    while at < BREAK.len() {
        filler[at] = BREAK[at];
        at += 1;
    }
    filler
};
/// Armour that is no key's: no other is looked for behind it.
const BREAK: &[u8] = b"-----BEGIN -----";

/// What a view undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// `\"`, `\n`, `\u0041`, `\x41`.
    Backslash,
    /// `%41`.
    Percent,
    /// `&quot;`, `&#65;`.
    Entity,
    /// Terminal sequences and characters without width.
    Hidden,
    /// The same, where U+009B is one hidden character and begins no sequence.
    Bare,
    /// Base64 in lines of one length.
    Wrapped,
    /// Lines that a terminal's width broke.
    Folded,
}

impl Layer {
    pub(crate) const ALL: [Layer; 7] =
        [Layer::Hidden, Layer::Bare, Layer::Backslash, Layer::Percent, Layer::Entity, Layer::Wrapped, Layer::Folded];

    /// Escapes behind which a key or its sign may stand, so that names are read in the view too.
    pub(crate) fn quotes(self) -> &'static [&'static [u8]] {
        match self {
            Layer::Backslash => &[b"\\u00"],
            Layer::Percent => &[b"%22", b"%3D", b"%3d", b"%3A%20"],
            Layer::Entity => &[b"&quot;", b"&#34;", b"&#39;"],
            _ => &[],
        }
    }

    /// Writes a view of the lines of `text` that hold such escapes; says whether any does.
    pub(crate) fn view(self, text: &[u8], survey: &Survey, marks: &Marks, view: &mut View) -> bool {
        view.text.clear();
        view.pieces.clear();
        let all = survey.marks().iter().map(|mark| *mark as usize);
        let of = |byte: u8| all.clone().filter(move |at| text[*at] == byte);
        let odd = || all.clone().filter(|at| is_mark(text[*at]));
        match self {
            Layer::Backslash if marks.backslashes => lines(text, of(b'\\'), backslash, view),
            Layer::Percent if marks.percents => lines(text, of(b'%'), percent, view),
            Layer::Entity if marks.entities => lines(text, of(b'&'), entity, view),
            Layer::Hidden if marks.hidden => lines(text, odd(), hidden, view),
            Layer::Bare if marks.controls => lines(text, odd(), bare, view),
            Layer::Wrapped => wrapped(text, survey, view),
            Layer::Folded => fold::folded(text, survey, view),
            _ => {}
        }
        view.text.len() > 4
    }
}

/// Writes the lines in which an escape stands at one of `marks`.
fn lines(text: &[u8], marks: impl Iterator<Item = usize>, read: impl Fn(&[u8]) -> Read, view: &mut View) {
    let mut marks = marks.peekable();
    let mut at = 0;
    while let Some(mark) = marks.next() {
        // Most of these bytes begin nothing.
        let Some(first) = read(&text[mark..]) else { continue };
        let start = memchr::memrchr(b'\n', &text[at..mark]).map_or(at, |newline| at + newline + 1);
        let end = memchr::memchr(b'\n', &text[mark..]).map_or(text.len(), |newline| mark + newline + 1);
        view.text.reserve(end - start);
        view.skip(at..start);
        view.copy(text, start..mark);
        view.escape(mark, first);
        at = mark + first.0;
        while let Some(mark) = marks.next_if(|mark| *mark < end) {
            if mark < at {
                continue;
            }
            if let Some(escape) = read(&text[mark..end]) {
                view.copy(text, at..mark);
                view.escape(mark, escape);
                at = mark + escape.0;
            }
        }
        view.copy(text, at.min(end)..end);
        at = end;
    }
    view.end(at..text.len());
}

/// Which layers a text may have.
#[derive(Default)]
pub(crate) struct Marks {
    backslashes: bool,
    percents: bool,
    entities: bool,
    hidden: bool,
    /// Whether there is a [`CSI`].
    controls: bool,
}

impl Marks {
    pub(crate) fn of_text(text: &[u8], survey: &Survey) -> Marks {
        let mut marks = Marks::default();
        let mut last = 0;
        for at in survey.marks().iter().map(|at| *at as usize) {
            let byte = text[at];
            // The same again says nothing new, unless more is looked at than itself.
            if byte == last && byte != CSI[0] {
                continue;
            }
            last = byte;
            marks.backslashes |= byte == b'\\';
            marks.percents |= byte == b'%';
            marks.entities |= byte == b'&';
            marks.hidden |= is_mark(byte);
            marks.controls |= byte == CSI[0] && text.get(at + 1) == Some(&CSI[1]);
        }
        marks
    }
}

impl View {
    /// Adds a part of the original as it is.
    fn copy(&mut self, text: &[u8], range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let at = self.text.len() as u32;
        let goes_on = |last: &Piece| last.len == PLAIN && last.from + (at - last.at) == range.start as u32;
        if !self.pieces.last().is_some_and(goes_on) {
            self.pieces.push(Piece { at, from: range.start as u32, len: PLAIN });
        }
        self.text.extend_from_slice(&text[range]);
    }

    /// Adds what the escape of so many bytes at `from` says.
    fn escape(&mut self, from: usize, (len, said): (usize, Said)) {
        if said.len() > 0 {
            let len = u8::try_from(len).ok().filter(|len| *len < GAP).unwrap_or(PLAIN);
            self.pieces.push(Piece { at: self.text.len() as u32, from: from as u32, len });
            match said.len() {
                1 => self.text.push(said.0 as u8),
                len => self.text.extend_from_slice(&said.0.to_le_bytes()[..len]),
            }
        }
    }

    /// Ends a line whose end stands nowhere, behind what ends at `from`.
    fn end_line(&mut self, from: usize) {
        self.escape(from, (0, Said::byte(b'\n')));
    }

    /// Puts a line in the place of what is not shown before the next line.
    fn skip(&mut self, hidden: Range<usize>) {
        if hidden.is_empty() {
            return;
        }
        if self.text.last().is_some_and(|last| *last != b'\n') {
            self.end_line(hidden.start);
        }
        self.pieces.push(Piece { at: self.text.len() as u32, from: hidden.start as u32, len: GAP });
        // No longer than what it stands for, so that a view is no longer than its text.
        let len = hidden.len().min(FILLER.len()) - 1;
        let from = if len < BREAK.len() { BREAK.len() } else { 0 };
        self.text.extend_from_slice(&FILLER[from..from + len]);
        self.text.push(b'\n');
    }

    /// The same behind the last line, if there is one.
    fn end(&mut self, hidden: Range<usize>) {
        if !self.text.is_empty() {
            self.skip(hidden);
        }
    }

    /// What of the original the byte at `at` was made from.
    fn origin_of(&self, at: usize) -> Option<Range<usize>> {
        let next = self.pieces.partition_point(|piece| piece.at as usize <= at);
        let piece = self.pieces.get(next.checked_sub(1)?).filter(|_| at < self.text.len())?;
        let from = piece.from as usize;
        Some(match piece.len {
            PLAIN => from + at - piece.at as usize..from + at - piece.at as usize + 1,
            GAP => from..from,
            len => from..from + usize::from(len),
        })
    }

    /// The range of the original that `range` of the view was made from.
    pub(crate) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.origin_of(range.start).map_or(0, |from| from.start);
        let end = range.end.checked_sub(1).and_then(|last| self.origin_of(last)).map_or(0, |from| from.end);
        start..end.max(start)
    }

    /// The same, apart where the view does not show what lies between.
    pub(crate) fn origins(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.pieces.partition_point(|piece| piece.at as usize <= range.start).saturating_sub(1);
        let (mut parts, mut start) = (Vec::with_capacity(1), range.start);
        for (index, piece) in self.pieces.iter().enumerate().skip(first) {
            let at = piece.at as usize;
            if at >= range.end {
                break;
            }
            if piece.len == GAP {
                let shown = self.text.get(start..at).unwrap_or_default().trim_ascii_end();
                if !shown.is_empty() {
                    parts.push(self.origin(&(start..start + shown.len())));
                }
                start = self.pieces.get(index + 1).map_or(self.text.len(), |next| next.at as usize);
            }
        }
        if start < range.end {
            parts.push(self.origin(&(start..range.end)));
        }
        parts
    }
}

/// The shortest line that a wrapped run is looked for behind, and the longest.
const WRAP: std::ops::RangeInclusive<usize> = 40..=1024;

/// Joins the lines of base64 that stand one below the other, each indented or not, all but the last of one length.
fn wrapped(text: &[u8], survey: &Survey, view: &mut View) {
    let lines = survey.runs().filter(|run| {
        let rest = &text[run.end..];
        WRAP.contains(&run.len()) && (rest.starts_with(b"\n") || rest.starts_with(b"\r\n"))
    });
    let (mut at, mut shown) = (0, 0);
    for line in lines {
        if line.start < at {
            continue;
        }
        let run = line.len();
        at = line.end + if text[line.end] == b'\r' { 2 } else { 1 };
        let mut pieces: Vec<Range<usize>> = std::iter::once(line.clone()).collect();
        loop {
            let start = skip_blanks(text, at);
            let len = text[start..].iter().take(run + 1).take_while(|byte| is_coded(**byte)).count();
            let end = start + len;
            let padding = text[end..].iter().take(2).take_while(|byte| **byte == b'=').count();
            // The last line ends with the run, or what it stands in ends there.
            let ends = matches!(
                text.get(end + padding),
                None | Some(b'\r' | b'\n' | b'"' | b'\'' | b'`' | b'<' | b',' | b')' | b'\\')
            );
            if len == 0 || len > run || !ends {
                break;
            }
            pieces.push(start..end + padding);
            let breaks = usize::from(text.get(end) == Some(&b'\r'));
            if len < run || padding > 0 || text.get(end + breaks) != Some(&b'\n') {
                break;
            }
            at = end + breaks + 1;
        }
        if pieces.len() < 2 {
            continue;
        }
        view.skip(shown..line.start);
        for piece in pieces {
            shown = piece.end;
            view.copy(text, piece);
        }
        view.end_line(at);
        shown = shown.max(at.min(text.len()));
    }
    view.end(shown..text.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literals::Seen;

    fn view(layer: Layer, text: &[u8]) -> View {
        let survey = Seen::of(text).survey;
        let mut view = View::default();
        assert!(layer.view(text, &survey, &Marks::of_text(text, &survey), &mut view));
        view
    }

    #[test]
    fn views_say_what_a_human_reads() {
        let read = |layer: Layer, text: &str| {
            String::from_utf8(view(layer, text.as_bytes()).text).unwrap().replace("..\n", "").replace(".\n", "")
        };
        assert_eq!(read(Layer::Backslash, "no\n{\\\"a\\\":\\u0041}\nno"), "{\"a\":A}\n");
        assert_eq!(read(Layer::Percent, "a%3Db%2Fc d%zz"), "a=b/c d%zz");
        assert_eq!(read(Layer::Entity, "a&amp;b&#39;&#x41;"), "a&b'A");
        assert_eq!(read(Layer::Hidden, "ghp\u{1b}[31m_abc\u{200b}d"), "ghp_abcd");
        let text = b"x\nab%3Dcd\n";
        let view = view(Layer::Percent, text);
        assert_eq!(view.origin(&(3..6)), 3..8);
    }

    #[test]
    fn what_is_not_shown_parts_what_is() {
        let hidden = "plain\n".repeat(200);
        let text = format!("a%3Db\n{hidden}c%3Dd\n{hidden}");
        let view = view(Layer::Percent, text.as_bytes());
        let filler = String::from_utf8_lossy(&FILLER[..FILLER.len() - 1]);
        assert_eq!(String::from_utf8_lossy(&view.text), format!("a=b\n{filler}\nc=d\n{filler}\n"));
        let second = 6 + hidden.len();
        assert_eq!(view.origins(&(0..view.text.len())), [0..5, second..second + 5]);
        assert_eq!(view.origins(&(2..4)), std::iter::once(4..6).collect::<Vec<_>>());
        assert!(view.origins(&(10..20)).is_empty());
    }
}
