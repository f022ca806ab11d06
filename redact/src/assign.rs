//! Stages 2 and 5: values beside secret-like keys, and headers that carry credentials.

mod bond;
mod header;
mod judge;
mod nested;
mod object;

use std::ops::Range;

pub(crate) use judge::pair;

use crate::hit::{Hit, Until};
use crate::key::{self, Class};
use crate::kind::{self, Kind};
use crate::value::{Quote, Reader, Value, dedent, indent, skip_blanks};
use crate::words::{fallback, is_stand_in};
use bond::Bond;
use judge::judge;
use nested::Nested;

/// The longest identifier that is looked at, to each side of the word in it.
const KEY: usize = 96;
/// How many elements of a list are judged.
const ELEMENTS: usize = 64;

/// Walks the key words of one text.
#[derive(Default)]
pub(crate) struct Assignments {
    reader: Reader,
    line: Range<usize>,
    /// Up to where keys are judged, and up to where values are claimed.
    judged: usize,
    claimed: usize,
    /// Up to where objects and lists behind keys were looked through.
    looked: usize,
    listed: usize,
    /// Values that were let pass: they go whole if a part of them is claimed by a later stage.
    pub(crate) passed: Vec<Passed>,
}

/// An assigned value that was let pass, with what it would have been taken for.
pub(crate) type Passed = (Range<usize>, Kind, &'static str);

/// A key, and whether it is a flag of a command line.
struct Name {
    range: Range<usize>,
    flag: bool,
    class: Class,
}

impl Assignments {
    /// Judges the key around the word at `word`. Returns whether nothing that was judged before it had a part in that.
    pub(crate) fn key(&mut self, text: &[u8], word: Range<usize>, hits: &mut Vec<Hit>) -> bool {
        let before = self.judged.max(self.claimed).max(self.looked).max(self.listed);
        if word.start >= self.judged && word.start >= self.claimed && kind::marker_around(text, word.start).is_none() {
            self.judge(text, word.clone(), hits);
        }
        word.start >= before
    }

    fn judge(&mut self, text: &[u8], word: Range<usize>, hits: &mut Vec<Hit>) {
        let Some(name) = self.name(text, word) else { return };
        let secret = matches!(name.class, Class::Password | Class::Secret);
        if secret && let Some(value) = object::before(text, &name.range, &mut self.reader) {
            self.claim(text, &name, Bond::Colon, value, hits);
            return;
        }
        if secret && let Some(range) = bond::compared(text, &name.range) {
            let quote = Some(Quote { mark: text[range.end], slashes: 0 });
            self.claim(text, &name, Bond::Quoted, Value { range, quote, open: None }, hits);
            return;
        }
        let Some((at, bond)) = bond::bond(text, name.range.clone(), name.class, name.flag) else { return };
        if matches!(name.class, Class::Header | Class::Cookie) {
            self.header(text, name.range, at, name.class, hits);
            return;
        }
        let block = matches!(name.class, Class::Password | Class::Secret | Class::KeyData);
        if block && matches!(bond, Bond::Colon | Bond::Equals) && self.block(text, &name.range, at, hits) {
            return;
        }
        let (at, bond) = match self.object(text, &name, at, bond) {
            Some(inner) => (inner, Bond::Colon),
            None => (at, bond),
        };
        let (at, nested) = nested::nested(text, &name.range, at, bond);
        if nested != Nested::No {
            self.elements(text, &name, bond, at, nested, hits);
            return;
        }
        if let Some(fallback) = bond::alternative(text, name.range.end, bond) {
            if let Some(value) = self.reader.read(text, fallback) {
                self.claim(text, &name, bond, value, hits);
            }
            return;
        }
        let Some(mut value) = self.reader.read(text, at) else { return };
        // The text of a tag goes on over blanks.
        if bond == Bond::Tag && value.quote.is_none() && value.open.is_none() {
            let rest = &text[value.range.end..text.len().min(value.range.end + 256)];
            let len = memchr::memchr2(b'<', b'\n', rest).filter(|len| rest[*len] == b'<').unwrap_or(0);
            value.range.end += rest[..len].trim_ascii_end().len();
            if text[value.range.start] == b'@' {
                return;
            }
        }
        // `password: str = "…"`: a type stands between.
        if value.quote.is_none() && bond == Bond::Colon && value.range.len() < 64 {
            let next = skip_blanks(text, value.range.end);
            if text.get(next) == Some(&b'=') && text.get(next + 1) != Some(&b'=') && next > value.range.end {
                match self.reader.read(text, bond::prefix(text, skip_blanks(text, next + 1)).0) {
                    Some(typed) if typed.quote.is_some() || !is_count(&text[typed.range.clone()]) => value = typed,
                    _ => return,
                }
            }
        }
        self.claim(text, &name, bond, value, hits);
    }

    /// The key around a word, if it names a secret.
    fn name(&mut self, text: &[u8], word: Range<usize>) -> Option<Name> {
        let mut word = word;
        while word.end > word.start && !is_key(text[word.end - 1]) {
            word.end -= 1;
        }
        let left = text[word.start.saturating_sub(KEY)..word.start].iter().rev().take_while(|b| is_key(**b)).count();
        let right = text[word.end..text.len().min(word.end + KEY)].iter().take_while(|b| is_key(**b)).count();
        let mut range = word.start - left..word.end + right;
        self.judged = range.end;
        let dashes = text[range.clone()].iter().take_while(|byte| matches!(byte, b'-' | b'.')).count();
        let flag = text[range.start..].starts_with(b"-") && dashes <= 2;
        range.start += dashes;
        // An escape's letter belongs to the escape: `\npassword=`.
        if range.start > 0
            && text[range.start - 1] == b'\\'
            && matches!(text[range.start], b'n' | b't' | b'r')
            && dashes == 0
        {
            range.start += 1;
        }
        while range.end > range.start && matches!(text[range.end - 1], b'.' | b'-') {
            range.end -= 1;
        }
        // A user's name in a URL is no key.
        if text[..range.start].ends_with(b"://") {
            return None;
        }
        if is_loose(text, &range) {
            return None;
        }
        // `API key`
        if matches!(range.len(), 3..=5) {
            let before = text[range.start.saturating_sub(8)..range.start].to_ascii_lowercase();
            let leads: [&[u8]; 5] = [b"api ", b"access ", b"secret ", b"private ", b"auth "];
            let lead = leads.iter().find(|lead| before.ends_with(lead));
            range.start -= lead.map_or(0, |lead| lead.len());
        }
        // A part of a colon-separated name: `arn:aws:secretsmanager:eu-west-1:1:secret:x`, `"AWS::IAM::AccessKey"`.
        let before = &text[..range.start];
        if before.ends_with(b":")
            && before.len() > 1
            && ((before[before.len() - 2].is_ascii_alphanumeric() || before[before.len() - 2] == b'}')
                && text.get(range.end) == Some(&b':')
                || before.ends_with(b"::") && matches!(text.get(range.end), Some(b'"' | b'\'')))
        {
            return None;
        }
        // `?key=…` in the query of a URL.
        let query = text[range.clone()].eq_ignore_ascii_case(b"key") && matches!(before.last(), Some(b'?' | b'&'));
        let class = if query { Class::Faint } else { classify(&text[range.clone()])? };
        Some(Name { range, flag, class })
    }

    /// Takes a value, or remembers that it was let pass.
    fn claim(&mut self, text: &[u8], name: &Name, bond: Bond, value: Value, hits: &mut Vec<Hit>) {
        let mut value = value;
        // `${X:-value}`: what a hole falls back to is written there.
        if value.open.is_none()
            && let Some(inner) = fallback(&text[value.range.clone()])
        {
            value.range = value.range.start + inner.start..value.range.start + inner.end;
        }
        let (kind, rule) = match name.class {
            Class::KeyData => (Kind::PrivateKey, "kubeconfig-key-data"),
            Class::Header => (Kind::AuthHeader, "auth-header"),
            Class::Password => (Kind::SecretPattern, "assigned-password"),
            _ => (Kind::SecretPattern, "assigned-secret"),
        };
        if !judge(text, &name.range, name.class, bond, &value) {
            let signed = memchr::memmem::find(&text[value.range.clone()], b"aws4_request").is_some();
            if value.range.len() < 4096
                && !signed
                && !matches!(bond, Bond::Blank | Bond::Call)
                && name.class != Class::Faint
            {
                self.passed.push((value.range, kind, rule));
            }
            return;
        }
        self.claimed = self.claimed.max(value.range.end);
        let mut hit = Hit::new(value.range, kind, rule);
        hit.open = value.open;
        hits.push(hit);
    }

    /// Each element of a list, or the value that stands alone on the next line.
    fn elements(&mut self, text: &[u8], name: &Name, bond: Bond, at: usize, nested: Nested, hits: &mut Vec<Hit>) {
        let most = if at < self.listed { 1 } else { ELEMENTS };
        let mut at = at;
        for _ in 0..most {
            let Some(value) = self.reader.read(text, at) else { break };
            let end = value.range.end + value.quote.map_or(0, Quote::len);
            let closed = match nested {
                Nested::Text => text[end..].trim_ascii_start().starts_with(b"</"),
                _ => matches!(text.get(end), Some(b']' | b',' | b')')),
            };
            if matches!(nested, Nested::List | Nested::Text) && value.quote.is_none() && !closed
                || matches!(nested, Nested::Line | Nested::Item) && !nested::is_alone(text, &value, name.class)
                || kind::marker_at(text, value.range.start).is_some()
            {
                break;
            }
            self.claim(text, name, bond, value, hits);
            let Some(next) = nested::next(text, at, end, nested) else { break };
            at = next;
        }
        self.listed = self.listed.max(at);
    }

    /// The `default` or `value` within the object behind a key.
    fn object(&mut self, text: &[u8], name: &Name, at: usize, bond: Bond) -> Option<usize> {
        if at < self.looked || !matches!(name.class, Class::Password | Class::Secret) {
            return None;
        }
        let (end, found) = object::inside(text, &name.range, at, bond)?;
        self.looked = end;
        found
    }

    /// A YAML block scalar behind a key goes whole.
    fn block(&mut self, text: &[u8], key: &Range<usize>, at: usize, hits: &mut Vec<Hit>) -> bool {
        let rest = &text[at..];
        if rest.starts_with(b"\"\"\"") || rest.starts_with(b"'''") {
            return self.lines(text, at, hits);
        }
        if !matches!(rest.first(), Some(b'|' | b'>')) {
            return false;
        }
        let line = memchr::memrchr(b'\n', &text[..key.start]).map_or(0, |newline| newline + 1);
        if rest[0] == b'>' && !text[line..key.start].iter().all(|byte| b" \t-\"'+".contains(byte)) {
            return false;
        }
        let head = memchr::memchr(b'\n', &rest[..rest.len().min(8)]);
        let Some(len) =
            head.filter(|len| rest[1..*len].iter().all(|b| matches!(b, b'-' | b'+' | b'0'..=b'9' | b' ' | b'\r')))
        else {
            return false;
        };
        let depth = indent(&text[line..key.start]);
        let from = at + len + 1;
        let body = dedent(&text[from..], depth);
        let end = body.map_or(text.len(), |len| from + len);
        let start = from + indent(&text[from..end]);
        let content = text[start.min(end)..end].trim_ascii_end();
        if content.len() < 4 || is_stand_in(content) {
            return true;
        }
        let mut hit = Hit::new(start..start + content.len(), Kind::SecretPattern, "assigned-block");
        if body.is_none() {
            hit.range.end = text.len();
            hit.open = Some(Until::Indent(depth));
        }
        self.claimed = hit.range.end;
        hits.push(hit);
        true
    }

    /// A string over several lines that are no prose goes whole.
    fn lines(&mut self, text: &[u8], at: usize, hits: &mut Vec<Hit>) -> bool {
        const LONGEST: usize = 4 * 1024;
        let from = at + 3;
        let rest = &text[from..text.len().min(from + LONGEST)];
        let begins = [&b"\n"[..], b"\r\n", b"\\\n"].iter().any(|start| rest.starts_with(start));
        let Some(len) = memchr::memmem::find(rest, &text[at..from]).filter(|_| begins) else { return false };
        let body = &rest[..len];
        let lead = body.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b'\\').count();
        let content = body[lead.min(len)..].trim_ascii_end();
        let plain = content.split(|byte| *byte == b'\n').all(|line| !line.trim_ascii().contains(&b' '));
        if content.len() < 16 || !plain || !content.iter().any(u8::is_ascii_digit) || is_stand_in(content) {
            return false;
        }
        let start = from + lead;
        self.claimed = start + content.len();
        hits.push(Hit::new(start..self.claimed, Kind::SecretPattern, "assigned-block"));
        true
    }

    /// The end of the line at `at`; remembered, so that many keys on one long line stay linear.
    fn line_end(&mut self, text: &[u8], at: usize) -> usize {
        if !(self.line.start <= at && at <= self.line.end) {
            let len = memchr::memchr2(b'\n', b'\r', &text[at..]).unwrap_or(text.len() - at);
            self.line = at..at + len;
        }
        self.line.end
    }
}

/// Whether nothing that stands around a key can bind a value to it, whatever it names: most words for secrets in code are
/// arguments.
fn is_loose(text: &[u8], key: &Range<usize>) -> bool {
    let behind = match &text[key.end..] {
        [b';' | b',', ..] => true,
        [b')', next, ..] => *next != b':',
        [b'(', ..] => key.len() > 10 && Quote::read(text, skip_blanks(text, key.end + 1)).is_none(),
        _ => false,
    };
    let bound = || {
        let quiet = |byte: &&u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\');
        let before = text[..key.start].iter().rev().take(512).find(|byte| !quiet(byte));
        before.is_some_and(|byte| matches!(byte, b'=' | b':'))
    };
    behind && !bound()
}

fn classify(key: &[u8]) -> Option<Class> {
    let class = key::classify(key)?;
    let owner = matches!(class, Class::Password | Class::Secret) && key::is_owner(key);
    Some(if owner { Class::Weak } else { class })
}

/// Whether `value` is a number, perhaps below zero.
fn is_count(value: &[u8]) -> bool {
    value.strip_prefix(b"-").unwrap_or(value).iter().all(u8::is_ascii_digit)
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}
