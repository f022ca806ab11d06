//! How untrusted text is made safe to stand in an element: escaped, controls made visible, terminal sequences dropped.

use crate::canonical;

/// Where text is to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Between tags.
    Text,
    /// Between the quotes of an attribute.
    Attribute,
    /// In the view that is searched for secrets: as a reader sees it, with nothing escaped.
    Reading,
}

/// Appends `text` to `out` as it stands in `place`.
pub fn push(out: &mut String, text: &str, place: Place) {
    out.reserve(text.len());
    walk(text, place, |_, piece| push_piece(out, piece, place));
}

/// The number of bytes that [`push`] appends.
#[must_use]
pub fn len(text: &str, place: Place) -> usize {
    let mut total = 0;
    walk(text, place, |_, piece| total += piece_len(piece, place));
    total
}

/// The range of `text` that becomes the range `target` of what [`push`] appends, widened to whole characters.
#[must_use]
pub fn origin(text: &str, target: std::ops::Range<usize>, place: Place) -> std::ops::Range<usize> {
    let (mut start, mut end, mut at) = (None, 0, 0);
    walk(text, place, |offset, piece| {
        let (from, length) = (at, piece_len(piece, place));
        at += length;
        if length == 0 || at <= target.start || from >= target.end {
            return;
        }
        if let Piece::Plain(plain) = piece {
            let low = target.start.saturating_sub(from).min(plain.len());
            let high = (target.end - from).min(plain.len());
            start.get_or_insert(offset + plain.floor_char_boundary(low));
            end = offset + plain.ceil_char_boundary(high);
        } else {
            start.get_or_insert(offset);
            end = offset + piece.source_len();
        }
    });
    let start = start.unwrap_or(text.len());
    start..end.max(start)
}

/// A stretch of text that is treated in one way.
#[derive(Clone, Copy)]
enum Piece<'t> {
    /// Stands as it is.
    Plain(&'t str),
    /// One character with a form of its own.
    Special(char),
    /// A terminal sequence, dropped.
    Dropped(usize),
}

impl Piece<'_> {
    fn source_len(&self) -> usize {
        match self {
            Self::Plain(text) => text.len(),
            Self::Special(c) => c.len_utf8(),
            Self::Dropped(length) => *length,
        }
    }
}

/// Whether a byte begins something that is not plain. 0xEF begins U+FFFE and U+FFFF.
fn is_special(byte: u8, attribute: bool) -> bool {
    let control = byte < 0x20 && (attribute || !matches!(byte, b'\t' | b'\n'));
    control || matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'' | 0x7f | 0xef)
}

fn walk<'t>(text: &'t str, place: Place, mut each: impl FnMut(usize, Piece<'t>)) {
    let (bytes, attribute) = (text.as_bytes(), place == Place::Attribute);
    let (mut plain, mut at) = (0, 0);
    while let Some(ahead) = canonical::find(&bytes[at..], |byte| is_special(byte, attribute)) {
        at += ahead;
        let Some(c) = text[at..].chars().next() else { break };
        let piece = match c {
            '\u{1b}' => terminal_sequence(&bytes[at..]).map_or(Piece::Special(c), Piece::Dropped),
            c if c.len_utf8() > 1 && !matches!(c, '\u{fffe}' | '\u{ffff}') => {
                at += c.len_utf8();
                continue;
            }
            c => Piece::Special(c),
        };
        if plain < at {
            each(plain, Piece::Plain(&text[plain..at]));
        }
        each(at, piece);
        at += piece.source_len();
        plain = at;
    }
    if plain < bytes.len() {
        each(plain, Piece::Plain(&text[plain..]));
    }
}

/// How a marker begins. It is no part of a sequence: what stands before a secret must not eat the marker's bracket.
const MARKER: &[u8] = b"[REDACTED:";

/// The length of the terminal sequence (ECMA-48) that `bytes` begin with. It never reaches over a line, nor into a marker
/// but in a string, which goes whole.
fn terminal_sequence(bytes: &[u8]) -> Option<usize> {
    let ended = |length: usize| (!bytes[length - 1..].starts_with(MARKER)).then_some(length);
    match bytes.get(1)? {
        b'[' if bytes[1..].starts_with(MARKER) => None,
        // CSI: parameters, intermediates, one final byte.
        b'[' => {
            let parameters = bytes[2..].iter().take_while(|b| matches!(b, 0x30..=0x3f)).count();
            let rest = &bytes[2 + parameters..];
            let intermediates = rest.iter().take_while(|b| matches!(b, 0x20..=0x2f)).count();
            let last = matches!(rest.get(intermediates)?, 0x40..=0x7e);
            last.then_some(2 + parameters + intermediates + 1).and_then(ended)
        }
        // OSC, DCS, SOS, PM, APC: a string up to BEL or ST.
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let end = bytes[2..].iter().position(|b| matches!(b, 0x07 | 0x1b | b'\n'))? + 2;
            match bytes[end] {
                0x07 => Some(end + 1),
                0x1b if bytes.get(end + 1) == Some(&b'\\') => Some(end + 2),
                _ => None,
            }
        }
        // nF: intermediates, one final byte.
        0x20..=0x2f => {
            let intermediates = bytes[1..].iter().take_while(|b| matches!(b, 0x20..=0x2f)).count();
            matches!(bytes.get(1 + intermediates)?, 0x30..=0x7e).then_some(intermediates + 2).and_then(ended)
        }
        // Fp, Fe, Fs: one final byte.
        0x30..=0x7e => Some(2),
        _ => None,
    }
}

/// What a special character becomes; `None` means that it stays.
fn form(c: char, place: Place) -> Option<&'static str> {
    const PICTURES: [&str; 32] = [
        "\u{2400}", "\u{2401}", "\u{2402}", "\u{2403}", "\u{2404}", "\u{2405}", "\u{2406}", "\u{2407}", "\u{2408}",
        "\u{2409}", "\u{240a}", "\u{240b}", "\u{240c}", "\u{240d}", "\u{240e}", "\u{240f}", "\u{2410}", "\u{2411}",
        "\u{2412}", "\u{2413}", "\u{2414}", "\u{2415}", "\u{2416}", "\u{2417}", "\u{2418}", "\u{2419}", "\u{241a}",
        "\u{241b}", "\u{241c}", "\u{241d}", "\u{241e}", "\u{241f}",
    ];
    let escaped = match c {
        '\t' if place == Place::Attribute => "&#9;",
        '\n' if place == Place::Attribute => "&#10;",
        '\t' | '\n' => return None,
        '\r' => "&#13;",
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        '\u{7f}' => return Some("\u{2421}"),
        '\u{fffe}' | '\u{ffff}' => return Some("\u{fffd}"),
        c => return PICTURES.get(c as usize).copied(),
    };
    if place == Place::Reading { None } else { Some(escaped) }
}

fn piece_len(piece: Piece<'_>, place: Place) -> usize {
    match piece {
        Piece::Plain(text) => text.len(),
        Piece::Special(c) => form(c, place).map_or(c.len_utf8(), str::len),
        Piece::Dropped(_) => 0,
    }
}

fn push_piece(out: &mut String, piece: Piece<'_>, place: Place) {
    match piece {
        Piece::Plain(text) => out.push_str(text),
        Piece::Special(c) => match form(c, place) {
            Some(escaped) => out.push_str(escaped),
            None => out.push(c),
        },
        Piece::Dropped(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn escaped(text: &str, place: Place) -> String {
        let mut out = String::new();
        push(&mut out, text, place);
        assert_eq!(out.len(), len(text, place));
        out
    }

    #[test]
    fn nothing_leaves_its_element() {
        assert_eq!(escaped("</source>&lt;\"'", Place::Text), "&lt;/source&gt;&amp;lt;&quot;&#39;");
        assert_eq!(escaped("a\tb\nc\r", Place::Text), "a\tb\nc&#13;");
        assert_eq!(escaped("a\tb\nc\r", Place::Attribute), "a&#9;b&#10;c&#13;");
        assert_eq!(escaped("\0\u{7f}\u{ffff}\u{fffd}ö", Place::Text), "\u{2400}\u{2421}\u{fffd}\u{fffd}ö");
        assert_eq!(escaped("<\r>", Place::Reading), "<\r>");
    }

    #[test]
    fn terminal_sequences_are_dropped_and_broken_ones_are_shown() {
        assert_eq!(escaped("\u{1b}[1;31merror\u{1b}[0m", Place::Text), "error");
        assert_eq!(escaped("\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{1b}\\", Place::Text), "link");
        assert_eq!(escaped("\u{1b}(Bx\u{1b}7", Place::Text), "x");
        assert_eq!(escaped("\u{1b}", Place::Text), "\u{241b}");
        assert_eq!(escaped("\u{1b}]never\nended", Place::Text), "\u{241b}]never\nended");
        assert_eq!(escaped("\u{1b}[31\u{e9}", Place::Text), "\u{241b}[31\u{e9}");
    }

    #[test]
    fn a_marker_stays_whole_behind_a_sequence_that_was_cut_short() {
        for before in ["\u{1b}", "\u{1b}[31", "\u{1b}(", "\u{1b}[3 "] {
            let text = format!("{before}[REDACTED:secret]");
            assert_eq!(escaped(&text, Place::Text), text.replace('\u{1b}', "\u{241b}"));
        }
        assert_eq!(escaped("\u{1b}[31m[REDACTED:secret]", Place::Text), "[REDACTED:secret]");
        assert_eq!(escaped("\u{1b}]0;[REDACTED:secret]\u{7}", Place::Text), "");
    }

    #[test]
    fn a_range_is_traced_to_where_it_came_from() {
        let text = "a<b\u{1b}[0mcd\u{ffff}é";
        let shown = escaped(text, Place::Text);
        let find = |needle: &str| shown.find(needle).map(|at| at..at + needle.len()).unwrap();
        assert_eq!(&text[origin(text, find("bcd"), Place::Text)], "b\u{1b}[0mcd");
        assert_eq!(&text[origin(text, find("l"), Place::Text)], "<");
        assert_eq!(&text[origin(text, find("é"), Place::Text)], "é");
    }

    proptest! {
        #[test]
        fn what_is_escaped_holds_no_markup_and_nothing_xml_forbids(text in any::<String>()) {
            for place in [Place::Text, Place::Attribute] {
                let out = escaped(&text, place);
                prop_assert!(!out.contains(['<', '>', '"', '\'', '\r']));
                let allowed = |c| matches!(c, '\t' | '\n') || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'));
                prop_assert!(out.chars().all(allowed));
            }
        }
    }
}
