//! Runs of base64 and hex: decoded, within bounds, and searched; a run in which something is found goes whole.

use std::ops::Range;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// The shortest run that is decoded.
const SHORTEST: usize = 24;
/// The longest run that goes whole.
pub(crate) const LONGEST: usize = 64 * 1024;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// The runs of `text` that may be an encoding, in order.
pub(crate) fn runs(text: &[u8]) -> Runs<'_> {
    Runs { text, at: 0 }
}

pub(crate) struct Runs<'t> {
    text: &'t [u8],
    at: usize,
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            // A run holds every 24th byte: most of the text is not looked at.
            let probe = self.at + SHORTEST - 1;
            if probe >= self.text.len() {
                return None;
            }
            let back = self.text[self.at..=probe].iter().rposition(|byte| !is_run(*byte));
            if let Some(back) = back {
                self.at += back + 1;
                continue;
            }
            let start = self.at;
            let len = self.text[probe..].iter().position(|byte| !is_run(*byte)).unwrap_or(self.text.len() - probe);
            self.at = probe + len;
            let padding = self.text[self.at..].iter().take(2).take_while(|byte| **byte == b'=').count();
            let end = self.at + padding;
            self.at = end;
            return Some(start..end);
        }
    }
}

pub(crate) fn is_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// What a run says, if that is text.
pub(crate) fn decode(run: &[u8]) -> Option<Vec<u8>> {
    let digits = run.iter().take(64).all(u8::is_ascii_hexdigit);
    if digits && run.len().is_multiple_of(2) && run.iter().all(u8::is_ascii_hexdigit) {
        let head = hex(&run[..SHORTEST.min(run.len())])?;
        return if is_text(&head) { hex(run).filter(|text| is_text(text)) } else { None };
    }
    let body = run.trim_ascii_end();
    let url = memchr::memchr2(b'-', b'_', body).is_some();
    let engine = if url { &URL_SAFE } else { &STANDARD };
    let head = engine.decode(&body[..SHORTEST.min(body.len()) / 4 * 4]).ok()?;
    if !is_text(&head) {
        return None;
    }
    let bare = body.len() - body.iter().rev().take_while(|byte| **byte == b'=').count();
    // One character too many cannot be decoded: it belongs to something else.
    let bare = if bare % 4 == 1 { bare - 1 } else { bare };
    engine.decode(&body[..bare]).ok().filter(|text| is_text(text))
}

fn hex(run: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    run.chunks_exact(2).map(|pair| Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8)).collect()
}

/// Whether nearly all bytes are printable.
fn is_text(bytes: &[u8]) -> bool {
    let odd = bytes.iter().filter(|byte| !(byte.is_ascii_graphic() || byte.is_ascii_whitespace())).count();
    !bytes.is_empty() && odd * 12 <= bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_and_decoded() {
        let text = b"x dXNlcjptYWRlLXVwLXBhc3N3b3JkLTEyMw== 0123456789abcdef0123456789abcdef01234567 short aaaa";
        let found: Vec<_> = runs(text).collect();
        assert_eq!(found, [2..38, 39..79]);
        assert_eq!(decode(&text[2..38]).unwrap(), b"user:made-up-password-123");
        assert_eq!(decode(&text[39..79]), None);
    }
}
