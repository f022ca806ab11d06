//! What a line of a log says: without terminal sequences, overwritten progress, and what the machine that wrote the log put
//! before each line.

use std::borrow::Cow;

/// `line`, without its end, as a person reads it.
pub(super) fn reading(line: &str) -> Cow<'_, str> {
    let line = line.trim_end_matches(['\n', '\r']);
    // What a carriage return overwrites is not seen any more.
    let line = line.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or(line);
    match plain(line) {
        Cow::Borrowed(line) => Cow::Borrowed(line[prefix(line)..].trim_end()),
        Cow::Owned(line) => Cow::Owned(line[prefix(&line)..].trim_end().to_owned()),
    }
}

/// How far a line is indented, behind what the machine put before it.
pub(super) fn indent(reading: &str) -> usize {
    reading.len() - reading.trim_start().len()
}

/// The length of a time at the very start of a line.
pub(super) fn leading_time(line: &str) -> usize {
    time(line).unwrap_or_default()
}

/// `line` without terminal sequences.
fn plain(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let Some(first) = memchr::memchr(0x1b, bytes) else { return Cow::Borrowed(line) };
    let mut out = String::with_capacity(line.len());
    let (mut from, mut at) = (0, first);
    loop {
        out.push_str(&line[from..at]);
        let start = at;
        from = line.floor_char_boundary(sequence_end(bytes, at)).max(at + 1);
        // Back to the line's start, or all of it erased: what was written is not seen any more.
        let gone = matches!(&line[start..from], "\u{1b}[1G" | "\u{1b}[G" | "\u{1b}[2K");
        if gone && line[from..].chars().any(|c| !c.is_whitespace() && c != '\u{1b}') {
            out.clear();
        }
        match memchr::memchr(0x1b, &bytes[from..]) {
            Some(ahead) => at = from + ahead,
            None => break,
        }
    }
    out.push_str(&line[from..]);
    Cow::Owned(out)
}

/// Where the terminal sequence (ECMA-48) ends that begins at `at`.
fn sequence_end(bytes: &[u8], at: usize) -> usize {
    let find = |from: usize, is: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|byte| is(*byte)).map(|ahead| from + ahead)
    };
    match bytes.get(at + 1) {
        Some(b'[') => find(at + 2, &|byte| (0x40..0x7f).contains(&byte)).map_or(bytes.len(), |end| end + 1),
        // Strings for the terminal end with BEL, or with ESC and a backslash.
        Some(b']' | b'_' | b'P' | b'^') => match find(at + 2, &|byte| byte == 7 || byte == 0x1b) {
            Some(end) if bytes[end] == 7 => end + 1,
            Some(end) => end + usize::from(bytes.get(end + 1) == Some(&b'\\')) + 1,
            None => bytes.len(),
        },
        Some(b'(' | b')') => (at + 3).min(bytes.len()),
        Some(0x20..0x7f) => at + 2,
        _ => at + 1,
    }
}

/// The length of what stands before the text of a line: times, and the names of jobs and containers.
fn prefix(line: &str) -> usize {
    let mut at = 0;
    for _ in 0..4 {
        let rest = &line[at..];
        let Some(length) = columns(rest).or_else(|| time(rest)).or_else(|| step(rest)).or_else(|| job(rest)) else {
            break;
        };
        at += length;
    }
    at
}

/// `job<TAB>step<TAB>` before a time, as GitHub's command line writes logs.
fn columns(line: &str) -> Option<usize> {
    let first = line.find('\t').filter(|at| (1..80).contains(at))?;
    let second = first + 1 + line[first + 1..].find('\t').filter(|at| (1..120).contains(at))?;
    let rest = line[second + 1..].trim_start_matches('\u{feff}');
    time(rest).map(|_| line.len() - rest.len())
}

/// A date and time, or a time in brackets, with the blank behind it.
fn time(line: &str) -> Option<usize> {
    let line_bytes = line.as_bytes();
    let bracket = usize::from(line_bytes.first() == Some(&b'['));
    let bytes = &line_bytes[bracket..];
    let digits = |from: usize, to: usize| bytes.get(from..to).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let mut at = 0;
    if digits(0, 4) && matches!(byte(4), b'-' | b'/') && digits(5, 7) && byte(7) == byte(4) && digits(8, 10) {
        if !matches!(byte(10), b'T' | b' ' | b't') {
            return None;
        }
        at = 11;
    }
    if !(digits(at, at + 2) && byte(at + 2) == b':' && digits(at + 3, at + 5)) {
        return None;
    }
    at += 5;
    if byte(at) == b':' && digits(at + 1, at + 3) {
        at += 3;
    } else if bracket == 0 {
        return None;
    }
    if matches!(byte(at), b'.' | b',') {
        at += 1;
        while byte(at).is_ascii_digit() {
            at += 1;
        }
    }
    if byte(at) == b'Z' {
        at += 1;
    } else if matches!(byte(at), b'+' | b'-') && digits(at + 1, at + 3) {
        at += if byte(at + 3) == b':' { 6 } else { 5 };
    }
    if bracket == 1 {
        if byte(at) != b']' {
            return None;
        }
        at += 1;
    }
    // GitLab says behind the time which stream wrote the line, and whether it goes on with the line before.
    if byte(at) == b' ' && digits(at + 1, at + 3) && matches!(byte(at + 3), b'O' | b'E') {
        at += 4;
        if byte(at) == b'+' {
            return Some(bracket + at + 1);
        }
    }
    match byte(at) {
        b' ' | b'\t' => at += 1,
        0 if bytes.len() <= at => at = bytes.len(),
        _ => return None,
    }
    Some(bracket + at)
}

/// `#12 3.456 ` of a docker build.
fn step(line: &str) -> Option<usize> {
    let rest = line.strip_prefix('#')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rest = rest[digits..].strip_prefix(' ').filter(|_| (1..4).contains(&digits))?;
    let seconds = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let timed = rest[..seconds].contains('.') && rest[seconds..].starts_with(' ');
    Some(line.len() - rest.len() + if timed { seconds + 1 } else { 0 })
}

/// `name | ` of a composed container, `[name] ` of a job among others.
fn job(line: &str) -> Option<usize> {
    let named = |name: &str| {
        let wordy =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'@' | b'/' | b'#');
        (1..40).contains(&name.len()) && name.bytes().all(wordy)
    };
    if let Some(rest) = line.strip_prefix('[') {
        let (name, rest) = rest.split_once("] ")?;
        const LEVELS: [&str; 12] =
            ["error", "err", "warning", "warn", "info", "debug", "fatal", "trace", "notice", "e", "w", "failed"];
        let level = LEVELS.iter().any(|level| name.eq_ignore_ascii_case(level));
        let lower = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        return (named(name) && lower && !level).then_some(line.len() - rest.len());
    }
    if let Some(rest) = line.strip_prefix("    [") {
        // Ant puts the task before each line.
        let (name, rest) = rest.trim_start().split_once("] ")?;
        return named(name).then_some(line.len() - rest.len());
    }
    let (name, rest) = line.split_once('|')?;
    let trimmed = name.trim_end();
    let numbered = trimmed.bytes().all(|byte| byte.is_ascii_digit());
    (named(trimmed) && name.len() > trimmed.len() && !numbered && name.len() < 40)
        .then(|| line.len() - rest.strip_prefix(' ').unwrap_or(rest).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_machines_put_before_a_line_is_passed_over() {
        for (line, said) in [
            ("2026-05-06T07:00:05.1234567Z error: x\r\n", "error: x"),
            ("2026-05-06T07:00:05.123456Z 01E error: x", "error: x"),
            ("2026-05-06T07:00:05.123456Z 00O+error: x", "error: x"),
            ("2026-05-06 07:00:05,123 error: x", "error: x"),
            ("[2026-05-06T07:00:05.123Z] error: x", "error: x"),
            ("[07:00:05] error: x", "error: x"),
            ("[07:00] error: x", "error: x"),
            ("07:00:05.1 error: x", "error: x"),
            ("build\tRun make\t2026-05-06T07:00:05.1234567Z error: x", "error: x"),
            ("\u{1b}_bk;t=1700000000000\u{7}\u{1b}[31merror\u{1b}[0m: x", "error: x"),
            ("\u{1b}[0K\u{1b}[31;1merror: x\u{1b}[0;m", "error: x"),
            (" 10%\r 55%\rerror: x", "error: x"),
            ("#12 3.456 error: x", "error: x"),
            ("web_1  | error: x", "error: x"),
            ("    [junit] FAILED", "FAILED"),
            ("\u{1b}[2K\u{1b}[1G\u{28}x y\u{1b}[0K\u{1b}[1G\u{1b}[31merror\u{1b}[39m x", "error x"),
            ("[build:app] error: x", "error: x"),
            ("2026-05-06T07:00:05.1234567Z   indented", "  indented"),
            ("[ERROR] x", "[ERROR] x"),
            ("12 | let x = 1;", "12 | let x = 1;"),
            ("   | ^^^", "   | ^^^"),
            ("#include <x.h>", "#include <x.h>"),
            ("07:30 is early", "07:30 is early"),
        ] {
            assert_eq!(reading(line), said, "{line}");
        }
    }
}
