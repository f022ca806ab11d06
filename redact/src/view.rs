//! Texts within the text: what it says once escapes, colours and hidden characters are read as a human reads them.

mod fold;

use std::ops::Range;

use crate::kind::marker_at;
use crate::survey::{Survey, is_coded};
use crate::value::skip_blanks;

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

    /// The length of the escape at the start of `text`, and what it says; `None` if none is there.
    fn read(self, text: &[u8]) -> Option<(usize, Said)> {
        match self {
            Layer::Backslash => backslash(text),
            Layer::Percent => Some((3, Said::byte(hex(text.get(1..3)?)? as u8))),
            Layer::Entity => entity(text),
            Layer::Hidden => hidden(text).map(|len| (len, Said::default())),
            Layer::Bare if text.starts_with(CSI) => Some((CSI.len(), Said::default())),
            Layer::Bare => hidden(text).map(|len| (len, Said::default())),
            Layer::Wrapped | Layer::Folded => None,
        }
    }

    /// Writes a view of the lines of `text` that hold such escapes; says whether any does.
    pub(crate) fn view(self, text: &[u8], survey: &Survey, marks: &Marks, view: &mut View) -> bool {
        view.text.clear();
        view.pieces.clear();
        let all = survey.marks().iter().map(|mark| *mark as usize);
        match self {
            Layer::Backslash if marks.backslashes => self.lines(text, all.filter(|at| text[*at] == b'\\'), view),
            Layer::Percent if marks.percents => self.lines(text, all.filter(|at| text[*at] == b'%'), view),
            Layer::Entity if marks.entities => self.lines(text, all.filter(|at| text[*at] == b'&'), view),
            Layer::Hidden if marks.hidden => self.lines(text, all.filter(|at| is_mark(text[*at])), view),
            Layer::Bare if marks.controls => self.lines(text, all.filter(|at| is_mark(text[*at])), view),
            Layer::Wrapped => wrapped(text, survey, view),
            Layer::Folded => fold::folded(text, survey, view),
            _ => {}
        }
        view.text.len() > 4
    }

    /// Writes the lines in which an escape stands at one of `marks`.
    fn lines(self, text: &[u8], marks: impl Iterator<Item = usize>, view: &mut View) {
        let mut marks = marks.peekable();
        let mut at = 0;
        while let Some(mark) = marks.next() {
            // Most of these bytes begin nothing.
            let Some(first) = self.read(&text[mark..]) else { continue };
            let start = memchr::memrchr(b'\n', &text[at..mark]).map_or(at, |newline| at + newline + 1);
            let end = memchr::memchr(b'\n', &text[mark..]).map_or(text.len(), |newline| mark + newline + 1);
            view.text.reserve(end - start);
            view.copy(text, start..mark);
            view.escape(mark, first);
            at = mark + first.0;
            while let Some(mark) = marks.next_if(|mark| *mark < end) {
                if mark < at {
                    continue;
                }
                if let Some(read) = self.read(&text[mark..end]) {
                    view.copy(text, at..mark);
                    view.escape(mark, read);
                    at = mark + read.0;
                }
            }
            view.copy(text, at.min(end)..end);
            at = end;
        }
    }
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
        for at in survey.marks().iter().map(|at| *at as usize) {
            match text[at] {
                b'\\' => marks.backslashes = true,
                b'%' => marks.percents = true,
                b'&' => marks.entities = true,
                byte if is_mark(byte) => {
                    marks.hidden = true;
                    marks.controls |= text[at..].starts_with(CSI);
                }
                _ => {}
            }
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
        if said.len > 0 {
            let len = u8::try_from(len).unwrap_or(PLAIN);
            self.pieces.push(Piece { at: self.text.len() as u32, from: from as u32, len });
            self.text.extend_from_slice(said.bytes());
        }
    }

    /// Ends a line whose end stands nowhere, behind what ends at `from`.
    fn end_line(&mut self, from: usize) {
        self.escape(from, (0, Said::byte(b'\n')));
    }

    /// What of the original the byte at `at` was made from.
    fn origin_of(&self, at: usize) -> Option<Range<usize>> {
        let next = self.pieces.partition_point(|piece| piece.at as usize <= at);
        let piece = self.pieces.get(next.checked_sub(1)?).filter(|_| at < self.text.len())?;
        let from = piece.from as usize;
        Some(match piece.len {
            PLAIN => from + at - piece.at as usize..from + at - piece.at as usize + 1,
            len => from..from + usize::from(len),
        })
    }

    /// The range of the original that `range` of the view was made from.
    pub(crate) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.origin_of(range.start).map_or(0, |from| from.start);
        let end = range.end.checked_sub(1).and_then(|last| self.origin_of(last)).map_or(0, |from| from.end);
        start..end.max(start)
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
    let mut at = 0;
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
        for piece in pieces {
            view.copy(text, piece);
        }
        view.end_line(at);
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}

/// What an escape says: at most one character.
#[derive(Clone, Copy, Default)]
struct Said {
    bytes: [u8; 4],
    len: usize,
}

impl Said {
    fn byte(byte: u8) -> Said {
        Said { bytes: [byte, 0, 0, 0], len: 1 }
    }

    fn character(code: u32) -> Said {
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        let mut bytes = [0; 4];
        let len = character.encode_utf8(&mut bytes).len();
        Said { bytes, len }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

fn backslash(text: &[u8]) -> Option<(usize, Said)> {
    let said = match text.get(1)? {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        quote @ (b'"' | b'\'' | b'\\' | b'/' | b'`' | b'$' | b'=' | b':' | b'&' | b'!' | b' ' | b'@' | b'#' | b'('
        | b')') => *quote,
        b'x' => hex(text.get(2..4)?)? as u8,
        b'u' => return Some((6, Said::character(hex(text.get(2..6)?)?))),
        _ => return None,
    };
    Some((if text[1] == b'x' { 4 } else { 2 }, Said::byte(said)))
}

fn entity(text: &[u8]) -> Option<(usize, Said)> {
    const NAMED: [(&[u8], u8); 5] =
        [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];
    if let Some((name, said)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((name.len(), Said::byte(*said)));
    }
    let rest = text.strip_prefix(b"&#")?;
    let end = rest.iter().take(8).position(|byte| *byte == b';')?;
    let code = match rest.first()? {
        b'x' | b'X' => hex(&rest[1..end])?,
        _ => std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?,
    };
    Some((end + 3, Said::character(code)))
}

/// U+009B, the control that is a whole CSI.
const CSI: &[u8] = &[0xC2, 0x9B];

/// Whether something hidden may begin with this byte.
fn is_mark(byte: u8) -> bool {
    matches!(byte, 0x1B | 0xC2 | 0xCD | 0xD8 | 0xE1 | 0xE2 | 0xEF | 0xF3)
}

/// The length of the terminal sequence or the hidden character at the start of `text`.
fn hidden(text: &[u8]) -> Option<usize> {
    match text {
        [0x1B, rest @ ..] => Some(1 + terminal_sequence(rest)?),
        [0xC2, 0x9B, rest @ ..] => Some(2 + control_sequence(rest).unwrap_or(0)),
        // U+00AD, and the other controls of C1.
        [0xC2, 0x80..=0x9F | 0xAD, ..]
        // U+034F, U+061C.
        | [0xCD, 0x8F, ..] | [0xD8, 0x9C, ..] => Some(2),
        // U+180E, U+200B..U+200F, U+202A..U+202E, U+2060..U+206F, U+FE00..U+FE0F, U+FEFF.
        [0xE1, 0xA0, 0x8E, ..]
        | [0xE2, 0x80, 0x8B..=0x8F | 0xAA..=0xAE, ..]
        | [0xE2, 0x81, 0xA0..=0xAF, ..]
        | [0xEF, 0xB8, 0x80..=0x8F, ..]
        | [0xEF, 0xBB, 0xBF, ..] => Some(3),
        // U+E0000..U+E007F, U+E0100..U+E01EF.
        [0xF3, 0xA0, 0x80 | 0x81, _, ..] | [0xF3, 0xA0, 0x84..=0x87, _, ..] => Some(4),
        _ => None,
    }
}

/// The length of the sequence (ECMA-48) that an escape before `text` begins: exactly what the renderer drops.
fn terminal_sequence(text: &[u8]) -> Option<usize> {
    match text.first()? {
        b'[' if marker_at(text, 0).is_none() => Some(1 + control_sequence(&text[1..])?),
        b'[' => None,
        // OSC, DCS, SOS, PM, APC: up to BEL or ST, within the line.
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let end = 1 + memchr::memchr3(0x07, 0x1B, b'\n', &text[1..])?;
            match text[end] {
                0x07 => Some(end + 1),
                0x1B if text.get(end + 1) == Some(&b'\\') => Some(end + 2),
                _ => None,
            }
        }
        // nF: intermediates, one final byte.
        0x20..=0x2F => {
            let between = text.iter().take_while(|byte| matches!(byte, 0x20..=0x2F)).count();
            (matches!(text.get(between)?, 0x30..=0x7E) && marker_at(text, between).is_none()).then_some(between + 1)
        }
        // Fp, Fe, Fs.
        0x30..=0x7E => Some(1),
        _ => None,
    }
}

/// Parameters, intermediates, one final byte.
fn control_sequence(text: &[u8]) -> Option<usize> {
    let parameters = text.iter().take_while(|byte| matches!(byte, 0x30..=0x3F)).count();
    let between = text[parameters..].iter().take_while(|byte| matches!(byte, 0x20..=0x2F)).count();
    let len = parameters + between;
    // A marker's bracket ends no sequence: what is replaced stays readable.
    (matches!(text.get(len)?, 0x40..=0x7E) && marker_at(text, len).is_none()).then_some(len + 1)
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
        let read = |layer: Layer, text: &str| String::from_utf8(view(layer, text.as_bytes()).text).unwrap();
        assert_eq!(read(Layer::Backslash, "no\n{\\\"a\\\":\\u0041}\nno"), "{\"a\":A}\n");
        assert_eq!(read(Layer::Percent, "a%3Db%2Fc d%zz"), "a=b/c d%zz");
        assert_eq!(read(Layer::Entity, "a&amp;b&#39;&#x41;"), "a&b'A");
        assert_eq!(read(Layer::Hidden, "ghp\u{1b}[31m_abc\u{200b}d"), "ghp_abcd");
        let text = b"x\nab%3Dcd\n";
        let view = view(Layer::Percent, text);
        assert_eq!(view.origin(&(1..4)), 3..8);
    }
}
