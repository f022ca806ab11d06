//! Runs of base64 and hex: decoded, within bounds, and searched; a run in which something is found goes whole.

use std::ops::Range;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::survey::{RUN, Survey};

/// The longest run that goes whole.
pub(crate) const LONGEST: usize = 64 * 1024;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// The runs of `text` that may say something, in order, with their padding.
pub(crate) fn runs(text: &[u8], survey: &Survey) -> Vec<Range<usize>> {
    let mut runs: Vec<_> = survey.runs().filter(|run| begins_text(&text[run.clone()])).collect();
    for run in &mut runs {
        run.end += text[run.end..].iter().take(2).take_while(|byte| **byte == b'=').count();
    }
    runs
}

/// Whether the first bytes of a run may say text: a quick look before it is decoded. [`decode`] lets one of the first eighteen
/// bytes of base64, or twelve of hex, be odd.
fn begins_text(run: &[u8]) -> bool {
    let Some(first) = run.first_chunk::<16>() else { return true };
    // Without branches on what stands there, which nothing foretells.
    let odd = |said: u8| u8::from(!PRINTABLE[usize::from(said)]);
    let base64 = first.chunks_exact(4).fold(0, |sum, four| {
        let [_, first, second, third] = sixes(four).to_be_bytes();
        sum + odd(first) + odd(second) + odd(third)
    });
    // Of hex too only what may be text is decoded.
    base64 <= 1 || {
        let hex = first.chunks_exact(2).fold((0, 0), |(sum, all), pair| {
            let (high, low) = (DIGITS[usize::from(pair[0])], DIGITS[usize::from(pair[1])]);
            (sum + odd(high << 4 | low & 15), all | high | low)
        });
        hex.0 <= 1 && hex.1 < 16
    }
}

/// What four characters of base64 say, in the lower three bytes.
fn sixes(four: &[u8]) -> u32 {
    four.iter().fold(0, |all, byte| all << 6 | u32::from(SIXES[usize::from(*byte)]))
}

/// What each hex digit stands for, and for what is none more than any does.
const DIGITS: [u8; 256] = {
    let mut table = [0xFF; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            digit @ b'A'..=b'F' => digit - b'A' + 10,
            _ => 0xFF,
        };
        byte += 1;
    }
    table
};

/// Which bytes are printable ASCII or white space.
const PRINTABLE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = is_printable(byte as u8);
        byte += 1;
    }
    table
};

/// What each character of base64 stands for.
const SIXES: [u8; 256] = {
    let mut table = [0; 256];
    let mut value = 0;
    while value < 62 {
        let character = match value {
            0..=25 => b'A' + value,
            26..=51 => b'a' + value - 26,
            _ => b'0' + value - 52,
        };
        table[character as usize] = value;
        value += 1;
    }
    (table[b'+' as usize], table[b'-' as usize]) = (62, 62);
    (table[b'/' as usize], table[b'_' as usize]) = (63, 63);
    table
};

/// What a run says, if that is text.
pub(crate) fn decode(run: &[u8]) -> Option<Vec<u8>> {
    let digits = run.iter().take(64).all(u8::is_ascii_hexdigit);
    if digits && run.len().is_multiple_of(2) && run.iter().all(u8::is_ascii_hexdigit) {
        let head = run.chunks_exact(2).take(RUN / 2).map(hex_pair);
        let odd = head.clone().filter(|byte| !is_printable(*byte)).count();
        return (odd * 12 <= head.count())
            .then(|| run.chunks_exact(2).map(hex_pair).collect())
            .filter(|said: &Vec<u8>| is_text(said));
    }
    let bare = run.len() - run.iter().rev().take_while(|byte| **byte == b'=').count();
    let body = &run[..bare];
    let head = body.get(..RUN).unwrap_or(body);
    let said = head.chunks_exact(4).flat_map(|four| {
        let [_, said @ ..] = sixes(four).to_be_bytes();
        said
    });
    if said.clone().filter(|byte| !is_printable(*byte)).count() * 12 > said.count() {
        return None;
    }
    let engine = if memchr::memchr2(b'-', b'_', body).is_some() { &URL_SAFE } else { &STANDARD };
    // One character too many cannot be decoded: it belongs to something else.
    let bare = if bare % 4 == 1 { bare - 1 } else { bare };
    engine.decode(&body[..bare]).ok().filter(|text| is_text(text))
}

fn hex_pair(pair: &[u8]) -> u8 {
    pair.iter().fold(0, |all, digit| all << 4 | DIGITS[usize::from(*digit)] & 15)
}

/// Whether nearly all bytes are printable.
fn is_text(bytes: &[u8]) -> bool {
    let odd = bytes.iter().filter(|byte| !is_printable(**byte)).count();
    !bytes.is_empty() && odd * 12 <= bytes.len()
}

const fn is_printable(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literals::Seen;

    #[test]
    fn runs_are_found_and_decoded() {
        let text = b"x dXNlcjptYWRlLXVwLXBhc3N3b3JkLTEyMw== 0123456789abcdef0123456789abcdef01234567 short aaaa";
        let found = runs(text, &Seen::of(text).survey);
        assert_eq!((found.len(), found[0].clone()), (1, 2..38));
        assert_eq!(decode(&text[2..38]).unwrap(), b"user:made-up-password-123");
        assert_eq!(decode(&text[39..79]), None);
    }
}
