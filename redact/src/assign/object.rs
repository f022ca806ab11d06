//! Names and values that stand in one object: `{"name": "DB_PASSWORD", "value": "…"}`, `variable "token" { default = "…" }`.

use std::ops::Range;

use super::bond::{Bond, prefix};
use crate::value::{Quote, Reader, Value, dedent, indent, skip_blanks};

/// How far an object is looked through.
const REACH: usize = 512;

/// What names the name of a thing, in lower case.
const NAMES: [&[u8]; 8] = [b"name", b"key", b"id", b"field", b"parameterkey", b"variable", b"property", b"k"];
/// What names the value of one.
const VALUES: [&[u8]; 9] = [
    b"value",
    b"default",
    b"parametervalue",
    b"stringvalue",
    b"defaultvalue",
    b"default_value",
    b"content",
    b"plaintext",
    b"v",
];

/// Whether what stands before the quote of a key says that it is a name: `key="`, `name="`.
pub(super) fn is_naming(text: &[u8], key: usize) -> bool {
    let before = &text[key.saturating_sub(24)..key];
    let Some(before) = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")) else { return false };
    let Some(before) = before.strip_suffix(b"=") else { return false };
    NAMES.iter().any(|name| ends_with_word(before, name))
}

/// Whether a key is the name of a part of a form: `Content-Disposition: form-data; name="token"`.
pub(super) fn is_form(text: &[u8], key: usize) -> bool {
    is_naming(text, key) && memchr::memmem::find(&text[key.saturating_sub(64)..key], b"form-data").is_some()
}

/// The text of a form's part: it stands behind an empty line.
pub(super) fn form_value(text: &[u8], at: usize) -> Option<(usize, Bond)> {
    let rest = &text[at..text.len().min(at + 256)];
    let start = [&b"\r\n\r\n"[..], b"\n\n"]
        .iter()
        .find_map(|gap| memchr::memmem::find(rest, gap).map(|found| at + found + gap.len()))?;
    Some((start, Bond::Equals))
}

fn ends_with_word(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && {
        let (before, end) = text.split_at(text.len() - word.len());
        end.eq_ignore_ascii_case(word) && !before.last().is_some_and(u8::is_ascii_alphanumeric)
    }
}

/// `value="…"` in the tag whose `name="…"` holds the key.
pub(super) fn attribute(text: &[u8], key: &Range<usize>, at: usize) -> Option<(usize, Bond)> {
    if !is_naming(text, key.start) && !text[at..].starts_with(b"value=") {
        return None;
    }
    let end = text.len().min(at + REACH);
    let tag = &text[at..memchr::memchr(b'>', &text[at..end]).map_or(end, |len| at + len)];
    let found = memchr::memmem::find_iter(tag, b"alue=").find(|found| {
        tag[..*found].last().is_some_and(|byte| matches!(byte, b'v' | b'V'))
            && tag[found + 5..].first().is_some_and(|b| b"\"'\\".contains(b))
    })?;
    Some((at + found + 5, Bond::Equals))
}

/// `<key>password</key><string>…</string>`: the text of the next tag, behind the one that ends at `at`.
pub(super) fn tag_value(text: &[u8], at: usize) -> Option<(usize, Bond)> {
    let close = at + memchr::memchr(b'>', &text[at..text.len().min(at + 64)])?;
    let name = text[at + 2..close].rsplit(|byte| *byte == b':').next()?;
    if !NAMES.iter().any(|word| name.eq_ignore_ascii_case(word)) {
        return None;
    }
    let open = close + 1 + text[close + 1..].iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count();
    let rest = &text[open..text.len().min(open + 64)];
    let value = [&b"<value"[..], b"<string", b"<Value", b"<data"].iter().any(|tag| rest.starts_with(tag));
    let end = memchr::memchr(b'>', rest)?;
    (value && rest[end - 1] != b'/').then_some((open + end + 1, Bond::Tag))
}

/// `"name": "DB_PASSWORD", "value": "…"` and the same in YAML: where the value of `value` begins, behind `at`.
pub(super) fn pair_value(text: &[u8], at: usize) -> Option<(usize, Bond)> {
    let end = text.len().min(at + REACH);
    let region = &text[at.min(end)..end];
    let region = &region[..memchr::memchr2(b'{', b'}', region).unwrap_or(region.len())];
    // Another item of a list, or a name, ends this one.
    let item =
        memchr::memmem::find(region, b"\n- ").or_else(|| memchr::memmem::find(region, b" - ")).unwrap_or(region.len());
    let region = &region[..item];
    let mut from = 0;
    for _ in 0..6 {
        let start = from + region[from..].iter().take(128).take_while(|byte| byte.is_ascii_whitespace()).count();
        let (word, value) = member(text, at + start)?;
        if VALUES.iter().any(|name| text[word.clone()].eq_ignore_ascii_case(name)) {
            return Some((prefix(text, value).0, Bond::Colon));
        }
        if NAMES.iter().any(|name| text[word.clone()].eq_ignore_ascii_case(name)) {
            return None;
        }
        let ends = memchr::memchr2(b',', b'\n', region.get(value.checked_sub(at)?..)?)?;
        from = value - at + ends + 1;
    }
    None
}

/// The name of the member at `at`, and where its value begins.
fn member(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let quote = Quote::read(text, at);
    let start = at + quote.map_or(0, Quote::len);
    let len =
        text[start..].iter().take(48).take_while(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte)).count();
    let mut end = start + len;
    if quote.is_some() {
        end += Quote::read(text, end)?.len();
    }
    let sign = skip_blanks(text, end);
    (len > 0 && matches!(text.get(sign), Some(b':' | b'='))).then(|| (start..start + len, skip_blanks(text, sign + 1)))
}

/// `"value":"…","name":"DB_PASSWORD"`: the value that stands before the key that names it.
pub(super) fn before(text: &[u8], key: &Range<usize>, reader: &mut Reader) -> Option<Value> {
    let from = key.start.saturating_sub(REACH);
    let head = &text[from..key.start];
    let head = head
        .strip_suffix(b"\"")
        .or_else(|| head.strip_suffix(b"'"))
        .map_or(head, |head| head.strip_suffix(b"\\").unwrap_or(head));
    let head = head.trim_ascii_end();
    let head = head.strip_suffix(b":").or_else(|| head.strip_suffix(b"="))?.trim_ascii_end();
    let head = head.strip_suffix(b"\"").map_or(head, |head| head.strip_suffix(b"\\").unwrap_or(head));
    let name = NAMES.iter().find(|name| ends_with_word(head, name))?;
    let mut head = &head[..head.len() - name.len()];
    head = head.strip_suffix(b"\"").map_or(head, |head| head.strip_suffix(b"\\").unwrap_or(head));
    let region = memchr::memrchr2(b'{', b'}', head).map_or(0, |at| at + 1);
    let head = &head[region..];
    // An item that begins with the name has no value before it.
    let own = head.trim_ascii_end();
    if own.is_empty() || own.ends_with(b"-") {
        return None;
    }
    let item = memchr::memmem::rfind(head, b"- ").map_or(0, |at| at + 2);
    let start = from + region + item;
    let region = &text[start..start + head.len() - item];
    let found = memchr::memmem::rfind_iter(region, b"alue").find_map(|at| {
        let word = start + at.checked_sub(1)?;
        let quoted = word > 0 && matches!(text[word - 1], b'"' | b'\'');
        let border = word == start || quoted || matches!(text[word - 1], b' ' | b'\n' | b',' | b'\t');
        let (name, value) = member(text, if quoted { word - 1 } else { word })?;
        (border && text[name].eq_ignore_ascii_case(b"value")).then_some(value)
    })?;
    let value = reader.read(text, prefix(text, found).0)?;
    (value.range.end <= start + region.len()).then_some(value)
}

/// The `default` or `value` within the object that begins at `at`, behind `key`; before it, where the object was looked at
/// up to. `None` where no object begins.
pub(super) fn inside(text: &[u8], key: &Range<usize>, at: usize, bond: Bond) -> Option<(usize, Option<usize>)> {
    let rest = &text[at.min(text.len())..text.len().min(at + REACH)];
    let region = match rest.first()? {
        b'{' if !rest.starts_with(b"{{") => {
            let mut depth = 0_usize;
            let end = rest.iter().position(|byte| {
                match byte {
                    b'{' => depth += 1,
                    b'}' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            at + 1..at + end.unwrap_or(rest.len())
        }
        b'\n' | b'\r' if bond == Bond::Colon => {
            let line = memchr::memrchr(b'\n', &text[..key.start]).map_or(0, |newline| newline + 1);
            let depth = indent(&text[line..key.start]);
            let body = 1 + memchr::memchr(b'\n', rest)?;
            at + body..at + body + dedent(&rest[body..], depth).unwrap_or(rest.len() - body)
        }
        _ => return None,
    };
    let mut from = region.start;
    while from < region.end {
        from += text[from..region.end].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b',').count();
        if let Some((word, value)) = member(text, from).filter(|(_, value)| *value < region.end)
            && VALUES[..6].iter().any(|name| text[word.clone()].eq_ignore_ascii_case(name))
        {
            return Some((region.end, Some(prefix(text, value).0)));
        }
        let next = memchr::memchr3(b',', b'\n', b'{', &text[from..region.end]);
        from += next.map_or(region.end - from, |len| len + 1);
    }
    Some((region.end, None))
}
