//! Stage 4: private keys in PEM armour, whole or truncated, on many lines or escaped on one, with prefixes before each line.

use std::ops::Range;

use crate::hit::{Hit, Until};
use crate::kind::Kind;

/// How far the end of a key is looked for.
const LONGEST: usize = 32 * 1024;

/// Judges the `-----BEGIN ` or `-----END ` at `at`; none stands between `from` and it. Returns where its line ends.
pub(crate) fn armour(text: &[u8], from: usize, at: usize, hits: &mut Vec<Hit>) -> usize {
    let Some((label, after)) = label(text, at) else { return from };
    if !is_private(label) {
        return after;
    }
    let rule = match label {
        _ if label.starts_with(b"OPENSSH") => "openssh-private-key",
        _ if label.starts_with(b"PGP") => "pgp-private-key",
        _ => "pem-private-key",
    };
    let begins = text[at..].starts_with(b"-----BEGIN");
    let hit = if begins { from_begin(text, at, after) } else { from_end(text, from, at, after) };
    if let Some((range, open)) = hit {
        let mut hit = Hit::new(range, Kind::PrivateKey, rule);
        hit.open = open.then_some(Until::Base64);
        hits.push(hit);
    }
    after
}

/// Judges the `private-lines:` of a PuTTY key at `at`: the lines of base64 below it.
pub(crate) fn putty(text: &[u8], at: usize, hits: &mut Vec<Hit>) {
    let limit = text.len().min(at + LONGEST);
    let Some(len) = memchr::memchr(b'\n', &text[at..limit.min(at + 64)]) else { return };
    let mut from = at + len + 1;
    let (start, mut end) = (from, from);
    while from < limit {
        let stop = memchr::memchr(b'\n', &text[from..limit]).map_or(limit, |len| from + len);
        let line = text[from..stop].trim_ascii();
        if line.len() < 4 || !line.iter().all(|byte| is_base64(*byte) || *byte == b'=') {
            break;
        }
        end = from + text[from..stop].trim_ascii_end().len();
        from = stop + 1;
    }
    if end > start + 16 {
        hits.push(Hit::new(start..end, Kind::PrivateKey, "putty-private-key"));
    }
}

/// Judges the `"kty"` at `at`: the private members of the JSON Web Key around it. Returns
/// where it was looked at up to.
pub(crate) fn web_key(text: &[u8], at: usize, hits: &mut Vec<Hit>) -> usize {
    const REACH: usize = 4 * 1024;
    let low = at.saturating_sub(REACH);
    let start = memchr::memrchr2(b'{', b'}', &text[low..at]).map_or(low, |found| low + found + 1);
    let high = text.len().min(at + REACH);
    let end = memchr::memchr2(b'{', b'}', &text[at..high]).map_or(high, |found| at + found);
    for (name, _) in text[start..end].iter().enumerate().filter(|(_, byte)| **byte == b'"') {
        let rest = &text[start + name..end];
        let member = [&b"\"d\""[..], b"\"p\"", b"\"q\"", b"\"dp\"", b"\"dq\"", b"\"qi\"", b"\"k\""];
        let Some(member) = member.iter().find(|member| rest.starts_with(member)) else { continue };
        let Some(value) = rest[member.len()..].trim_ascii_start().strip_prefix(b":") else { continue };
        let Some(value) = value.trim_ascii_start().strip_prefix(b"\"") else { continue };
        let len = value.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')).count();
        if len >= 16 && value.get(len) == Some(&b'"') {
            let from = end - value.len();
            hits.push(Hit::new(from..from + len, Kind::PrivateKey, "json-web-key"));
        }
    }
    end
}

/// The label of the armour line at `at`, and where the line ends.
fn label(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let rest = &text[at..text.len().min(at + 80)];
    let skip = if rest.starts_with(b"-----BEGIN ") {
        11
    } else if rest.starts_with(b"-----END ") {
        9
    } else {
        return None;
    };
    // So short that a searcher would take longer to make than to use.
    let len = rest[skip..].windows(5).position(|there| there == b"-----")?;
    Some((&rest[skip..skip + len], at + skip + len + 5))
}

fn is_private(label: &[u8]) -> bool {
    label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK") || label == b"SSH2 ENCRYPTED PRIVATE KEY"
}

/// From a BEGIN line on: to its END, or as far as lines look like a key's.
fn from_begin(text: &[u8], at: usize, after: usize) -> Option<(Range<usize>, bool)> {
    let limit = text.len().min(after + LONGEST);
    let mut armours = memchr::memmem::find_iter(&text[after..limit], b"-----").map(|len| after + len);
    let next =
        armours.find(|at| [&b"-----BEGIN "[..], b"-----END "].iter().any(|armour| text[*at..].starts_with(armour)));
    if let Some(end) = next.filter(|at| text[*at..].starts_with(b"-----END ")) {
        let inner = &text[after..end];
        let stop = label(text, end).filter(|(label, _)| is_private(label));
        if let Some((_, stop)) = stop
            && bodies(inner) >= 24
            && inner.len() < bodies(inner) * 6 + 4096
        {
            return Some((at..stop, false));
        }
    }
    let (stop, seen) = body_forward(&text[..next.unwrap_or(text.len())], after);
    (seen >= 24).then_some((at..stop, stop == text.len()))
}

/// From an END line back, where its BEGIN was cut off.
fn from_end(text: &[u8], from: usize, at: usize, after: usize) -> Option<(Range<usize>, bool)> {
    let from = at.saturating_sub(LONGEST).max(from.min(at));
    let (start, seen) = body_backward(text, at, from);
    if seen < 24 {
        return None;
    }
    // With a BEGIN before it the key is whole, and taken from there.
    let before = &text[at.saturating_sub(LONGEST).min(start)..start];
    let begin = memchr::memmem::rfind(&before[before.len().saturating_sub(256)..], b"-----BEGIN ");
    begin.is_none().then_some((start..after, false))
}

/// How many bytes of `text` stand in runs that a key's body has.
fn bodies(text: &[u8]) -> usize {
    text.split(|byte| !is_base64(*byte)).map(<[u8]>::len).filter(|len| *len >= 16).sum()
}

/// How far a body goes on from `at`, and how many bytes of base64 it has.
fn body_forward(text: &[u8], at: usize) -> (usize, usize) {
    let limit = text.len();
    let (mut end, mut seen, mut from) = (at, 0, at);
    while from < limit {
        let stop = next_break(text, from, limit);
        let line = &text[from..stop.0];
        let run = last_run(line);
        let header = line.len() < 100
            && [&b"Proc-Type:"[..], b"DEK-Info:", b"Version:", b"Comment:", b"Hash:"]
                .iter()
                .any(|name| memchr::memmem::find(line, name).is_some());
        let body = run.len() >= 40
            || (seen > 0
                && run.len() >= 2
                && run.end == line.len()
                && run.len() + 40 >= line.len()
                && (line.len() == run.len() || !line[..run.start].iter().any(u8::is_ascii_lowercase)));
        if body {
            seen += run.len();
            end = from + run.end;
            if seen > 0 && run.len() < 40 {
                break;
            }
            if run.end < line.len() && line[run.end..].iter().any(|byte| !byte.is_ascii_whitespace()) {
                break;
            }
        } else {
            // Before the body headers may stand, and what is too short to say anything.
            let blank = line.trim_ascii().is_empty();
            let lead = header || (line.len() < 40 && run.len() < 2);
            if !blank && (seen > 0 || !lead) {
                break;
            }
        }
        from = stop.1;
    }
    if end + 1 >= text.len() { (text.len(), seen) } else { (end, seen) }
}

fn body_backward(text: &[u8], at: usize, limit: usize) -> (usize, usize) {
    let (mut start, mut seen, mut to) = (at, 0, at);
    while to > limit {
        let (line_start, previous) = previous_break(text, to, limit);
        let line = &text[line_start..to];
        let run = last_run(line);
        let first = seen == 0 && run.len() >= 2;
        if run.len() >= 40 || first {
            seen += run.len();
            start = line_start + run.start;
        } else {
            let lead = seen == 0 && line.len() < 40;
            if !lead && !line.trim_ascii().is_empty() {
                break;
            }
        }
        if previous >= to {
            break;
        }
        to = previous;
    }
    (start, seen)
}

/// The end of the line at `from` and the start of the next; an escaped `\n` ends a line too.
fn next_break(text: &[u8], from: usize, limit: usize) -> (usize, usize) {
    let rest = &text[from..limit];
    let newline = memchr::memchr2(b'\n', b'\\', rest).unwrap_or(rest.len());
    let end = from + newline;
    let mut next = end;
    while next < limit && matches!(text[next], b'\\' | b'\r' | b'\n') {
        next += 1;
    }
    // The letter of `\n` or `\r`.
    if next > end && text[next - 1] == b'\\' && matches!(text.get(next), Some(b'n' | b'r')) {
        next += 1;
    }
    (end, next.max(end + 1).min(limit.max(end + 1)))
}

fn previous_break(text: &[u8], to: usize, limit: usize) -> (usize, usize) {
    let rest = &text[limit..to];
    match memchr::memrchr2(b'\n', b'\\', rest) {
        Some(at) if rest[at] == b'\n' => (limit + at + 1, limit + at),
        Some(at) => {
            let start = limit + at + 1 + usize::from(matches!(rest.get(at + 1), Some(b'n' | b'r')));
            (start.min(to), limit + at)
        }
        None => (limit, limit),
    }
}

/// The last run of base64 in a line: what stands before it is a prefix that a log or a quotation put there.
fn last_run(line: &[u8]) -> Range<usize> {
    let end = line.iter().rposition(|byte| is_base64(*byte) || *byte == b'=').map_or(0, |at| at + 1);
    let start = line[..end].iter().rposition(|byte| !(is_base64(*byte) || *byte == b'=')).map_or(0, |at| at + 1);
    start..end
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}
