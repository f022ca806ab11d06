//! Escapes, and what is hidden: how long they are and what they say.

use crate::kind::marker_at;

/// What an escape is, if one begins a text: its length, and what it says.
pub(super) type Read = Option<(usize, Said)>;

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}

/// What an escape says: the bytes of at most one character, the first lowest, and above them how many they are. As one number
/// it is handed over without a detour through memory, for which a text of escapes would wait.
#[derive(Clone, Copy, Default)]
pub(super) struct Said(pub(super) u64);

impl Said {
    pub(super) fn byte(byte: u8) -> Said {
        Said(u64::from(byte) | 1 << 32)
    }

    fn character(code: u32) -> Said {
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        let mut bytes = [0; 4];
        let len = character.encode_utf8(&mut bytes).len() as u64;
        Said(u64::from(u32::from_le_bytes(bytes)) | len << 32)
    }

    pub(super) fn len(self) -> usize {
        (self.0 >> 32) as usize
    }
}

#[inline(always)]
pub(super) fn backslash(text: &[u8]) -> Read {
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

#[inline(always)]
pub(super) fn percent(text: &[u8]) -> Read {
    Some((3, Said::byte(hex(text.get(1..3)?)? as u8)))
}

pub(super) fn entity(text: &[u8]) -> Read {
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
pub(super) const CSI: &[u8] = &[0xC2, 0x9B];

/// Whether something hidden may begin with this byte.
pub(super) fn is_mark(byte: u8) -> bool {
    matches!(byte, 0x1B | 0xC2 | 0xCD | 0xD8 | 0xE1 | 0xE2 | 0xEF | 0xF3)
}

pub(super) fn hidden(text: &[u8]) -> Read {
    hidden_len(text).map(|len| (len, Said::default()))
}

/// The same, where U+009B begins no sequence.
pub(super) fn bare(text: &[u8]) -> Read {
    if text.starts_with(CSI) { Some((CSI.len(), Said::default())) } else { hidden(text) }
}

/// The length of the terminal sequence or the hidden character at the start of `text`.
fn hidden_len(text: &[u8]) -> Option<usize> {
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
