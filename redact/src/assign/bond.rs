//! How a key is bound to its value, and where the value begins.

use std::ops::Range;

use super::nested::skip_lines;
use super::object;
use crate::key::Class;
use crate::value::{Quote, skip_blanks};

/// How a key is bound to its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bond {
    Equals,
    Colon,
    /// `,`, `(`, `==` and other ways between quoted things.
    Quoted,
    /// A blank behind a command line flag.
    Flag,
    Tag,
    /// A call around the value: `secret = seal("…")`. Only what can hardly be but random is taken.
    Call,
    /// A blank alone, or "is": likewise.
    Blank,
}

/// Where the value of `key` begins, and how it is bound.
pub(super) fn bond(text: &[u8], key: Range<usize>, class: Class, flag: bool) -> Option<(usize, Bond)> {
    let mut at = key.end;
    let mut quote = Quote::read(text, at);
    if let Some(found) = quote {
        let opens =
            text.get(at + found.len()).is_some_and(|byte| byte.is_ascii_graphic() && !b":=,)]}>;.".contains(byte));
        if opens && text[..key.start].last() != Some(&found.mark) {
            // `private_key"…"`: no end of a quoted key, but the beginning of the value.
            quote = None;
            if class != Class::Header {
                return Some((at, Bond::Blank));
            }
        } else {
            at += found.len();
        }
    }
    if text.get(at) == Some(&b']') {
        at += 1;
    }
    if text[at..].starts_with(b"[]") {
        at += 2;
    }
    if quote.is_none() && matches!(text.get(at), Some(b'?' | b'!')) && text.get(at + 1) == Some(&b':') {
        at += 1;
    }
    if quote.is_none() && text[at..].starts_with(b"**:") {
        at += 2;
    }
    // `(password): …`
    if quote.is_none() && text[at..].starts_with(b"):") && class == Class::Password {
        return Some((skip_blanks(text, at + 2), Bond::Blank));
    }
    // A quote as XML writes it, behind a key that has one before it.
    let entity = [&b"&quot;"[..], b"&#34;", b"&#39;", b"&apos;"].into_iter().find(|mark| text[at..].starts_with(mark));
    if let Some(mark) = entity.filter(|mark| text[..key.start].ends_with(mark)) {
        at += mark.len();
    }
    let blank = skip_blanks(text, at);
    let rest = &text[blank..];
    // `::set-output name=token::…`
    if rest.starts_with(b"::") && text[..key.start].ends_with(b"name=") {
        return Some((blank + 2, Bond::Equals));
    }
    // `process.env.TOKEN || "…"`
    let reads = memchr::memmem::find(&text[key.clone()].to_ascii_lowercase(), b"env").is_some();
    if reads
        && let Some(word) = [&b"|| "[..], b"||\n", b"?? ", b"??\n", b"or "].iter().find(|word| rest.starts_with(word))
    {
        let at = skip_lines(text, blank + word.len());
        return Quote::read(text, at).map(|_| (at, Bond::Equals));
    }
    if let Some((len, bond)) = operator(rest) {
        let (at, call) = prefix(text, skip_blanks(text, blank + len));
        return match bond {
            Bond::Quoted => Quote::read(text, at).map(|_| (at, bond)),
            _ if call => Some((at, Bond::Call)),
            _ => Some((at, bond)),
        };
    }
    let quoted_next = |at: usize| Quote::read(text, at).is_some();
    match rest.first()? {
        b'>' if quote.is_some() && blank == at && object::is_naming(text, key.start) => {
            Some((prefix(text, at + 1).0, Bond::Tag))
        }
        b'>' if blank == at && opens_tag(text, key.start) => Some((prefix(text, blank + 1).0, Bond::Tag)),
        _ if blank > at && quote.is_none() && opens_tag(text, key.start) => {
            let tag = &rest[..rest.len().min(128)];
            let end = memchr::memchr2(b'>', b'\n', tag).filter(|end| tag[*end] == b'>' && tag[end - 1] != b'/')?;
            Some((prefix(text, blank + end + 1).0, Bond::Tag))
        }
        // A table in Markdown.
        b'|' if rest.starts_with(b"| ") && is_row(text, key.start) => {
            Some((prefix(text, skip_blanks(text, blank + 1)).0, Bond::Colon))
        }
        b'<' if rest.starts_with(b"</") => object::tag_value(text, blank),
        b',' if quote.is_some() => {
            let at = prefix(text, skip_blanks(text, blank + 1)).0;
            object::pair_value(text, blank + 1).or_else(|| quoted_next(at).then_some((at, Bond::Quoted)))
        }
        b'(' if quote.is_none() => {
            let at = skip_blanks(text, blank + 1);
            if class == Class::Password && blank + 1 == at && !quoted_next(at) && key.len() <= 10 {
                let end = memchr::memchr2(b')', b'\n', &text[at..text.len().min(at + 80)])?;
                let closed = text[at + end] == b')' && !text[at..at + end].contains(&b' ');
                return closed.then_some((at, Bond::Blank));
            }
            let verb = text[key.clone()].iter().take(3).map(u8::to_ascii_lowercase).collect::<Vec<_>>();
            let sets = matches!(verb.as_slice(), b"set" | b"wit" | b"add")
                || matches!(class, Class::Password) && key.len() <= 10 && !text[key.clone()].contains(&b'.');
            quoted_next(at).then_some((at, if sets { Bond::Quoted } else { Bond::Call }))
        }
        b'{' if quote.is_none() => {
            let inner = skip_lines(text, blank + 1);
            Some(if quoted_next(inner) { (inner, Bond::Call) } else { (blank, Bond::Blank) })
        }
        b'{' => Some((blank, Bond::Blank)),
        b'v' | b'V' | b't' | b'c' | b'd' if quote.is_some() && blank > at => object::attribute(text, &key, blank),
        b'\n' | b'\r' if quote.is_some() && object::is_form(text, key.start) => object::form_value(text, blank),
        b'\n' | b'\r' => object::pair_value(text, blank).or_else(|| {
            let next = skip_lines(text, blank);
            // The sign stands on the next line, before a string.
            if let Some((len, Bond::Equals)) = operator(&text[next..]).filter(|_| quote.is_none()) {
                let at = prefix(text, skip_blanks(text, next + len)).0;
                return quoted_next(at).then_some((at, Bond::Equals));
            }
            (text[next..].starts_with(b"{") && quote.is_none()).then_some((next, Bond::Blank))
        }),
        b'\'' | b'"' if class == Class::Password && quote.is_none() && blank > at => Some((blank, Bond::Quoted)),
        b'\'' | b'"' | b'\\' | b'`' if blank > at && quoted_next(blank) => Some((blank, Bond::Blank)),
        _ if flag && blank > at && quote.is_none() => Some((prefix(text, blank).0, Bond::Flag)),
        _ if blank > at && quote.is_none() && text[..key.start].ends_with(b"ENV ") => Some((blank, Bond::Equals)),
        _ if class == Class::Password && blank > at && key.len() == 8 && is_netrc(text, key.start) => {
            Some((blank, Bond::Equals))
        }
        _ if blank > at && quote.is_none() && !matches!(class, Class::Header | Class::Cookie) => {
            typed(text, blank).or_else(|| said(text, blank))
        }
        _ => None,
    }
}

/// `"…" == password`: the quoted value that the key is compared with.
pub(super) fn compared(text: &[u8], key: &Range<usize>) -> Option<Range<usize>> {
    let from = key.start.saturating_sub(256);
    let before = text[from..key.start].trim_ascii_end();
    let before = before.strip_suffix(b"=")?;
    let before = before
        .strip_suffix(b"==")
        .or_else(|| before.strip_suffix(b"!="))
        .or_else(|| before.strip_suffix(b"=").or_else(|| before.strip_suffix(b"!")))?;
    let before = before.trim_ascii_end();
    let mark = *before.last().filter(|mark| matches!(mark, b'"' | b'\''))?;
    let end = before.len() - 1;
    let start = memchr::memrchr2(mark, b'\n', &before[..end]).filter(|at| before[*at] == mark)? + 1;
    (start < end).then_some(from + start..from + end)
}

/// Whether a key stands in the first cell of a row in Markdown.
fn is_row(text: &[u8], key: usize) -> bool {
    let before = &text[key.saturating_sub(64)..key];
    let line = memchr::memrchr(b'\n', before).map_or(before, |newline| &before[newline + 1..]);
    line.trim_ascii() == b"|" && line.ends_with(b" ")
}

/// Whether a tag's name begins at `key`: `<password`, `<ns:password`.
fn opens_tag(text: &[u8], key: usize) -> bool {
    let before = &text[key.saturating_sub(24)..key];
    let before = match before.strip_suffix(b":") {
        Some(before) => {
            &before[..before.len() - before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count()]
        }
        None => before,
    };
    // `C<pass>`, `(?P<token>…)` are no tags.
    let before = before.strip_suffix(b"<");
    before.is_some_and(|before| !before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'?'))
}

/// The length of the sign between key and value at the start of `rest`.
fn operator(rest: &[u8]) -> Option<(usize, Bond)> {
    const OPERATORS: [(&[u8], Bond); 19] = [
        (b"===", Bond::Quoted),
        (b"!==", Bond::Quoted),
        (b"==", Bond::Quoted),
        (b"!=", Bond::Quoted),
        (b"=>", Bond::Colon),
        (b"::=", Bond::Equals),
        (b":::=", Bond::Equals),
        (b":=", Bond::Equals),
        (b"?=", Bond::Equals),
        (b"+=", Bond::Equals),
        (b".=", Bond::Equals),
        (b"||=", Bond::Equals),
        (b"&&=", Bond::Equals),
        (b"??=", Bond::Equals),
        (b"<-", Bond::Quoted),
        (b"<<-", Bond::Quoted),
        (b"%3D", Bond::Equals),
        (b"=", Bond::Equals),
        (b":", Bond::Colon),
    ];
    let found = OPERATORS.iter().find(|(sign, _)| rest.starts_with(sign))?;
    let (len, bond) = (found.0.len(), found.1);
    match found.0 {
        b":" if rest.get(1) == Some(&b':') => None,
        b"=" if rest.get(1) == Some(&b'~') => None,
        _ => Some((len, bond)),
    }
}

/// `token string = "…"`: a type between key and sign, as Go and C write it.
fn typed(text: &[u8], at: usize) -> Option<(usize, Bond)> {
    const TYPES: [&[u8]; 8] = [b"string", b"*string", b"String", b"[]byte", b"&str", b"const", b"str", b"text"];
    let word = text[at..].iter().take(12).take_while(|byte| byte.is_ascii_graphic()).count();
    if !TYPES.contains(&&text[at..at + word]) {
        return None;
    }
    let sign = skip_blanks(text, at + word);
    let (len, bond) = operator(&text[sign..]).filter(|(_, bond)| *bond == Bond::Equals)?;
    let value = prefix(text, skip_blanks(text, sign + len)).0;
    Quote::read(text, value).map(|_| (value, bond))
}

/// `os.getenv("TOKEN") or "…"`, `process.env.TOKEN || "…"`: where the string behind a reference begins.
pub(super) fn alternative(text: &[u8], at: usize, bond: Bond) -> Option<usize> {
    const REACH: usize = 160;
    if !matches!(bond, Bond::Equals | Bond::Colon | Bond::Call) {
        return None;
    }
    let line = &text[at.min(text.len())..text.len().min(at + REACH)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let refers = [&b"env"[..], b"ENV", b"Env", b"config", b"settings", b"secrets"];
    let found = [&b" or "[..], b"|| ", b"?? ", b" ?: "]
        .iter()
        .find_map(|word| memchr::memmem::find(line, word).map(|found| (found, found + word.len())));
    let (end, start) = found?;
    let refers = refers.iter().any(|word| memchr::memmem::find(&line[..end], word).is_some());
    (refers && Quote::read(text, at + start).is_some()).then_some(at + start)
}

/// `the password is …`, `password …`
fn said(text: &[u8], at: usize) -> Option<(usize, Bond)> {
    let rest = &text[at..];
    let len = [&b"is: "[..], b"is ", b"was ", b"will be ", b"- "]
        .iter()
        .find(|word| rest.starts_with(word))
        .map_or(0, |w| w.len());
    let at = skip_blanks(text, at + len);
    text.get(at).filter(|byte| byte.is_ascii_graphic()).map(|_| (at, Bond::Blank))
}

/// `machine … login … password …`
fn is_netrc(text: &[u8], key: usize) -> bool {
    let before = &text[key.saturating_sub(256)..key];
    memchr::memmem::find(before, b"login ").is_some() && memchr::memmem::find(before, b"machine ").is_some()
}

/// Skips what languages write before a string: `b"…"`, `[]byte("…")`, `String::from("…")`, `(string) "…"`; the other part
/// of the result says that it was a call whose name says nothing.
pub(super) fn prefix(text: &[u8], at: usize) -> (usize, bool) {
    const BEFORE: [&[u8]; 34] = [
        b"[]byte(",
        b"String::from(",
        b"Secret(",
        b"SecretStr(",
        b"SecretString(",
        b"SecretString::from(",
        b"Buffer.from(",
        b"new String(",
        b"QStringLiteral(",
        b"QString(",
        b"std::string(",
        b"Some(",
        b"String(",
        b"str(",
        b"(string) ",
        b"(string)",
        b"(String) ",
        b"(const char*)",
        b"<![CDATA[",
        b"!!str ",
        b"** ",
        b"b",
        b"r",
        b"u",
        b"f",
        b"rb",
        b"N",
        b"L",
        b"E",
        b"u8",
        b"@",
        b"$",
        b"$@",
        b"&",
    ];
    let quoted = |at: usize| Quote::read(text, at).is_some();
    if quoted(at) {
        return (at, false);
    }
    let rest = &text[at.min(text.len())..];
    let known = BEFORE
        .iter()
        .find(|word| rest.starts_with(word) && (quoted(at + word.len()) || matches!(word.last(), Some(b' ' | b'['))));
    if let Some(word) = known {
        return (at + word.len(), false);
    }
    // An anchor of YAML.
    if rest.first() == Some(&b'&') {
        let name = rest[1..].iter().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        if name > 0 && rest.get(name + 1) == Some(&b' ') && rest.get(name + 2) != Some(&b'=') {
            return (skip_blanks(text, at + name + 1), false);
        }
    }
    let name = rest.iter().take(48).take_while(|byte| byte.is_ascii_alphanumeric() || b"_.:".contains(byte)).count();
    let inner = skip_blanks(text, at + name + 1);
    if name > 1 && rest.get(name) == Some(&b'(') && quoted(inner) { (inner, true) } else { (at, false) }
}
