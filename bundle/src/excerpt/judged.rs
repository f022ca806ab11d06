//! What single lines say, with what was said of lines like them: logs repeat themselves.

use super::reading::{leading_time, reading};
use super::recognizer::{Row, Table};

/// What a line is read of at most.
const READ: usize = 1024;

/// As much of a line as is read: of one that was overwritten, the last state.
pub(super) fn beginning(line: &str) -> &str {
    if line.len() <= READ {
        return line;
    }
    let body = line.trim_end_matches(['\n', '\r']);
    let seen = memchr::memrchr(b'\r', body.as_bytes()).map_or(0, |at| at + 1);
    let seen = &body[seen..];
    &seen[..seen.floor_char_boundary(READ)]
}

/// Whether a line shows a place in the code: an arrow, a frame of a stack, a line of code with its number, a pointer.
pub(super) fn shows(line: &str) -> bool {
    let line = reading(beginning(line));
    let said = line.trim_start();
    let digits = said.bytes().take_while(u8::is_ascii_digit).count();
    let frame =
        ["--> ", "at ", "| ", "^", "~~", "File \"", "#0 ", "in ", "> ", "|"].iter().any(|sign| said.starts_with(sign));
    said.len() < line.len() && frame || digits > 0 && said[digits..].trim_start().starts_with('|')
}

/// The words of a line, hashed: letters and signs, no digits.
pub(super) fn words(reading: &str) -> u64 {
    hash(reading.bytes().filter(|byte| !byte.is_ascii_digit() && *byte != b' '))
}

/// Bytes, hashed (FNV-1a).
pub(super) fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Verdicts on lines that were read: logs repeat themselves.
pub(super) struct Judged(Vec<(u64, Option<Row>)>);

impl Default for Judged {
    fn default() -> Self {
        Self(vec![(0, None); 1 << 13])
    }
}

impl Judged {
    pub(super) fn get(&mut self, table: &Table, line: &str) -> Option<Row> {
        let line = beginning(line);
        let key = shape(line);
        let slot = &mut self.0[(key >> 51) as usize];
        if slot.0 != key {
            *slot = (key, table.judge_line(line));
        }
        slot.1
    }
}

/// Short numbers that recognizers know by themselves: signals, exit codes, statuses of HTTP.
const NUMBERS: [&[u8]; 9] = [b"9", b"137", b"401", b"403", b"404", b"500", b"502", b"503", b"504"];

/// A line, hashed, but for the time before it, and for what its numbers are: of most of them only how long they are, and whether
/// they are zero, says anything.
fn shape(line: &str) -> u64 {
    let line = &line.as_bytes()[leading_time(line)..];
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |byte: u64| hash = (hash ^ byte).wrapping_mul(0x0100_0000_01b3);
    let mut from = None;
    for (at, byte) in line.iter().copied().chain([b'\n']).enumerate() {
        if byte.is_ascii_digit() {
            from.get_or_insert(at);
            continue;
        }
        if let Some(number) = from.take().and_then(|from| line.get(from..at)) {
            let known = NUMBERS.iter().position(|known| *known == number).map_or(0, |at| at as u64 + 1);
            let zero = number.iter().all(|digit| *digit == b'0');
            mix(256 + 128 * known + 2 * number.len().min(4) as u64 + u64::from(zero));
        }
        mix(u64::from(byte));
    }
    hash | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_judged_before_makes_no_difference() {
        let (table, mut judged) = (Table::get(), Judged::default());
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/logs")).unwrap();
        let mut lines = 0;
        for path in
            folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "log"))
        {
            let log = std::fs::read(path).unwrap();
            for line in String::from_utf8_lossy(&log).split_inclusive('\n') {
                let row = table.judge_line(beginning(line));
                assert_eq!(judged.get(table, line), row, "{line}");
                lines += 1;
            }
        }
        assert!(lines > 10_000);
    }
}
