//! Texts within the text: what it says once escapes, colours and hidden characters are read as a human reads them.

use std::ops::Range;

/// A text made from another, and where each of its bytes comes from.
pub(crate) struct View {
    pub(crate) text: Vec<u8>,
    /// For each byte the start and end of what it was made from.
    from: Vec<(u32, u32)>,
}

/// What a view undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// `\"`, `\n`, `\u0041`, `\x41`.
    Backslash,
    /// `%41`.
    Percent,
    /// `&quot;`, `&#65;`.
    Entity,
    /// ANSI sequences and characters without width.
    Hidden,
}

impl Layer {
    pub(crate) const ALL: [Layer; 4] = [Layer::Hidden, Layer::Backslash, Layer::Percent, Layer::Entity];

    /// What an escape begins with.
    fn mark(self) -> u8 {
        match self {
            Layer::Backslash => b'\\',
            Layer::Percent => b'%',
            Layer::Entity => b'&',
            Layer::Hidden => 0x1B,
        }
    }

    /// The length of the escape at the start of `text`, and what it says; `None` if none is there.
    fn read(self, text: &[u8]) -> Option<(usize, Vec<u8>)> {
        match self {
            Layer::Backslash => backslash(text),
            Layer::Percent => Some((3, vec![hex(text.get(1..3)?)? as u8])),
            Layer::Entity => entity(text),
            Layer::Hidden => hidden(text).map(|len| (len, Vec::new())),
        }
    }

    /// A view of the lines of `text` that hold such escapes, if any does.
    pub(crate) fn view(self, text: &[u8]) -> Option<View> {
        let mut view = View { text: Vec::new(), from: Vec::new() };
        let mut at = 0;
        while let Some(found) = self.next(text, at) {
            let start = memchr::memrchr(b'\n', &text[at..found]).map_or(at, |newline| at + newline + 1);
            let end = memchr::memchr(b'\n', &text[found..]).map_or(text.len(), |newline| found + newline + 1);
            self.line(text, start..end, &mut view);
            at = end;
        }
        (view.text.len() > 4).then_some(view)
    }

    fn next(self, text: &[u8], at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let found = if self == Layer::Hidden {
            memchr::memchr3(0x1B, 0xE2, 0xEF, rest)
        } else {
            memchr::memchr(self.mark(), rest)
        };
        let mut found = at + found?;
        // Most of these bytes begin nothing: look at each once.
        while self.read(&text[found..]).is_none() {
            let rest = &text[found + 1..];
            let next = if self == Layer::Hidden {
                memchr::memchr3(0x1B, 0xE2, 0xEF, rest)
            } else {
                memchr::memchr(self.mark(), rest)
            };
            found += 1 + next?;
        }
        Some(found)
    }

    fn line(self, text: &[u8], range: Range<usize>, view: &mut View) {
        let mut at = range.start;
        while at < range.end {
            let byte = text[at];
            let escape = byte == self.mark() || (self == Layer::Hidden && matches!(byte, 0xE2 | 0xEF | 0xC2));
            match escape.then(|| self.read(&text[at..range.end])).flatten() {
                Some((len, said)) => {
                    for byte in said {
                        view.text.push(byte);
                        view.from.push((at as u32, (at + len) as u32));
                    }
                    at += len;
                }
                None => {
                    view.text.push(byte);
                    view.from.push((at as u32, at as u32 + 1));
                    at += 1;
                }
            }
        }
    }
}

impl View {
    /// The range of the original that `range` of the view was made from.
    pub(crate) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.from.get(range.start).map_or(0, |from| from.0 as usize);
        let end = range.end.checked_sub(1).and_then(|last| self.from.get(last)).map_or(0, |from| from.1 as usize);
        start..end.max(start)
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}

fn character(code: u32) -> Vec<u8> {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER).to_string().into_bytes()
}

fn backslash(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    let said = match text.get(1)? {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        quote @ (b'"' | b'\'' | b'\\' | b'/' | b'`' | b'$' | b'=' | b':' | b'&' | b'!' | b' ' | b'@' | b'#' | b'('
        | b')') => *quote,
        b'x' => hex(text.get(2..4)?)? as u8,
        b'u' => return Some((6, character(hex(text.get(2..6)?)?))),
        _ => return None,
    };
    Some((if text[1] == b'x' { 4 } else { 2 }, vec![said]))
}

fn entity(text: &[u8]) -> Option<(usize, Vec<u8>)> {
    const NAMED: [(&[u8], u8); 5] =
        [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];
    if let Some((name, said)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((name.len(), vec![*said]));
    }
    let rest = text.strip_prefix(b"&#")?;
    let end = rest.iter().take(8).position(|byte| *byte == b';')?;
    let code = match rest.first()? {
        b'x' | b'X' => hex(&rest[1..end])?,
        _ => std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?,
    };
    Some((end + 3, character(code)))
}

fn hidden(text: &[u8]) -> Option<usize> {
    match text {
        // CSI: parameters, then one final byte.
        [0x1B, b'[', rest @ ..] => {
            let len = rest.iter().take(64).position(|byte| (0x40..=0x7E).contains(byte))?;
            Some(len + 3)
        }
        // OSC, up to BEL or ST.
        [0x1B, b']', rest @ ..] => {
            let len = rest.iter().take(512).position(|byte| matches!(byte, 0x07 | 0x1B))?;
            Some(len + 3 + usize::from(rest[len] == 0x1B && rest.get(len + 1) == Some(&b'\\')))
        }
        [0x1B, b'(' | b')', _, ..] => Some(3),
        // U+200B..U+200F, U+202A..U+202E, U+2060..U+2064, U+FEFF, U+00AD.
        [0xE2, 0x80, 0x8B..=0x8F | 0xAA..=0xAE, ..] | [0xE2, 0x81, 0xA0..=0xA4, ..] | [0xEF, 0xBB, 0xBF, ..] => Some(3),
        [0xC2, 0xAD, ..] => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_say_what_a_human_reads() {
        let read = |layer: Layer, text: &str| String::from_utf8(layer.view(text.as_bytes()).unwrap().text).unwrap();
        assert_eq!(read(Layer::Backslash, "no\n{\\\"a\\\":\\u0041}\nno"), "{\"a\":A}\n");
        assert_eq!(read(Layer::Percent, "a%3Db%2Fc d%zz"), "a=b/c d%zz");
        assert_eq!(read(Layer::Entity, "a&amp;b&#39;&#x41;"), "a&b'A");
        assert_eq!(read(Layer::Hidden, "ghp\u{1b}[31m_abc\u{200b}d"), "ghp_abcd");
        let text = b"x\nab%3Dcd\n";
        let view = Layer::Percent.view(text).unwrap();
        assert_eq!(view.origin(&(1..4)), 3..8);
    }
}
