//! Stages 2 and 5: values beside secret-like keys, and headers that carry credentials.

use std::collections::HashMap;
use std::ops::Range;

use crate::hit::{Hit, Until};
use crate::key::{self, Class};
use crate::kind::{self, Kind};
use crate::value::{Quote, Reader, Value, dedent, indent, skip_blanks};
use crate::words::{entropy, is_expression, is_label, is_name, is_place, is_prose, is_stand_in, is_tokenish};

/// The longest identifier that is looked at, to each side of the word in it.
const KEY: usize = 96;

/// Walks the key words of one text.
#[derive(Default)]
pub(crate) struct Assignments {
    reader: Reader,
    line: Range<usize>,
    /// Up to where keys are judged, and up to where values are claimed.
    judged: usize,
    claimed: usize,
    classes: HashMap<Vec<u8>, Option<Class>>,
    /// Values that were let pass: they go whole if a part of them is claimed by a later stage.
    pub(crate) passed: Vec<Passed>,
}

/// An assigned value that was let pass, with what it would have been taken for.
pub(crate) type Passed = (Range<usize>, Kind, &'static str);

/// How a key is bound to its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bond {
    Equals,
    Colon,
    /// `,`, `(`, `"value":` and other ways between quoted things.
    Quoted,
    /// A blank behind a command line flag.
    Flag,
    Tag,
}

impl Assignments {
    /// Judges the key around the word at `word`.
    pub(crate) fn key(&mut self, text: &[u8], word: Range<usize>, hits: &mut Vec<Hit>) {
        if word.start < self.judged || word.start < self.claimed || kind::marker_around(text, word.start).is_some() {
            return;
        }
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
            return;
        }
        // `API key`
        if matches!(range.len(), 3 | 4) {
            let before = text[range.start.saturating_sub(8)..range.start].to_ascii_lowercase();
            let leads: [&[u8]; 4] = [b"api ", b"access ", b"secret ", b"private "];
            let lead = leads.iter().find(|lead| before.ends_with(lead));
            range.start -= lead.map_or(0, |lead| lead.len());
        }
        let Some(class) = self.classify(&text[range.clone()]) else { return };
        if let Some(value) = turned(text, &range).filter(|_| matches!(class, Class::Password | Class::Secret)) {
            if judge(text, &range, class, Bond::Colon, &value) {
                hits.push(Hit::new(value.range, Kind::SecretPattern, "assigned-secret"));
            }
            return;
        }
        let Some((at, bond)) = bond(text, range.clone(), class, flag) else { return };
        if matches!(class, Class::Header | Class::Cookie) {
            self.header(text, range, at, class, hits);
            return;
        }
        if self.block(text, &range, at, hits) {
            return;
        }
        let (at, nested) = nested(text, &range, at, bond);
        let Some(mut value) = self.reader.read(text, at) else { return };
        if nested == Nested::List
            && value.quote.is_none()
            && !matches!(text.get(value.range.end), Some(b']' | b',' | b')'))
            || nested == Nested::Line && !is_alone(text, &value)
        {
            return;
        }
        // `password: str = "…"`, `String token = …`: a type stands between.
        if value.quote.is_none() && bond == Bond::Colon && value.range.len() < 64 {
            let next = skip_blanks(text, value.range.end);
            if text.get(next) == Some(&b'=') && text.get(next + 1) != Some(&b'=') && next > value.range.end {
                match self.reader.read(text, skip_blanks(text, next + 1)) {
                    Some(typed) => value = typed,
                    None => return,
                }
            }
        }
        let claim = judge(text, &range, class, bond, &value);
        let (kind, rule) = match class {
            Class::KeyData => (Kind::PrivateKey, "kubeconfig-key-data"),
            Class::Header => (Kind::AuthHeader, "auth-header"),
            Class::Password => (Kind::SecretPattern, "assigned-password"),
            _ => (Kind::SecretPattern, "assigned-secret"),
        };
        if !claim {
            if value.range.len() < 4096 {
                self.passed.push((value.range, kind, rule));
            }
            return;
        }
        self.claimed = value.range.end;
        let mut hit = Hit::new(value.range, kind, rule);
        hit.open = value.open;
        hits.push(hit);
    }

    /// Judges a key, and remembers what it is: most stand often.
    fn classify(&mut self, key: &[u8]) -> Option<Class> {
        if let Some(class) = self.classes.get(key) {
            return *class;
        }
        let class = key::classify(key);
        self.classes.insert(key.to_vec(), class);
        class
    }

    /// A YAML block scalar behind a key goes whole.
    fn block(&mut self, text: &[u8], key: &Range<usize>, at: usize, hits: &mut Vec<Hit>) -> bool {
        let rest = &text[at..];
        if !matches!(rest.first(), Some(b'|' | b'>')) {
            return false;
        }
        let head = memchr::memchr(b'\n', &rest[..rest.len().min(8)]);
        let Some(len) =
            head.filter(|len| rest[1..*len].iter().all(|b| matches!(b, b'-' | b'+' | b'0'..=b'9' | b' ' | b'\r')))
        else {
            return false;
        };
        let line = memchr::memrchr(b'\n', &text[..key.start]).map_or(0, |newline| newline + 1);
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

    /// The end of the line at `at`; remembered, so that many keys on one long line stay linear.
    fn line_end(&mut self, text: &[u8], at: usize) -> usize {
        if !(self.line.start <= at && at <= self.line.end) {
            let len = memchr::memchr2(b'\n', b'\r', &text[at..]).unwrap_or(text.len() - at);
            self.line = at..at + len;
        }
        self.line.end
    }

    /// A header's value: all of it but a scheme's name.
    fn header(&mut self, text: &[u8], key: Range<usize>, at: usize, class: Class, hits: &mut Vec<Hit>) {
        let mut at = at;
        // Lists, as Go and Python print headers.
        while matches!(text.get(at), Some(b'[' | b'(')) {
            at = skip_blanks(text, at + 1);
        }
        let (start, end, open) = match Quote::read(text, at) {
            Some(_) => match self.reader.read(text, at) {
                Some(value) => (value.range.start, value.range.end, value.open),
                None => return,
            },
            None => {
                // The quote that is open before the key closes the value.
                let around = text[key.start.saturating_sub(12)..key.start].iter().rev().copied();
                let enclosing =
                    around.take_while(|byte| *byte != b'\n').find(|byte| matches!(byte, b'"' | b'\'' | b'`'));
                let mut end = self.line_end(text, at);
                let line = end < text.len();
                if let Some(mark) = enclosing
                    && let Some(len) = memchr::memchr(mark, &text[at..end])
                {
                    end = at + len;
                    end -= text[at..end].iter().rev().take_while(|byte| **byte == b'\\').count();
                } else if text[..key.start].ends_with(b"[") || text[..at].ends_with(b"[") {
                    end = memchr::memchr(b']', &text[at..end]).map_or(end, |len| at + len);
                }
                let open = (end == text.len() && !line && end - at >= MARGIN).then_some(Until::Line);
                (at, end, open)
            }
        };
        let value = &text[start..end];
        let head = &value[..value.len().min(MARGIN)];
        let Some(part) = credential(head, class, open.is_none()) else { return };
        let ends = if part.end == head.len() { end } else { start + part.end };
        self.claimed = ends;
        let mut hit = Hit::new(
            start + part.start..ends,
            Kind::AuthHeader,
            if class == Class::Cookie { "cookie" } else { "auth-header" },
        );
        hit.open = open.filter(|_| ends == end);
        hits.push(hit);
    }
}

/// How much of a header's value is judged; one that is longer at the end of a window may go on behind it.
const MARGIN: usize = 1024;

/// Which part of a header's value is the credential, if any.
pub(crate) fn credential(value: &[u8], class: Class, whole: bool) -> Option<Range<usize>> {
    let trimmed = value.trim_ascii_end();
    let lead = value.len() - value.trim_ascii_start().len();
    if trimmed.len() <= lead || memchr::memmem::find(trimmed, kind::OPENING).is_some() {
        return None;
    }
    let body = &trimmed[lead..];
    if class == Class::Cookie {
        return (body.contains(&b'=') && !is_stand_in(body)).then_some(lead..trimmed.len());
    }
    let word = body.iter().position(|byte| *byte == b' ').unwrap_or(body.len());
    let scheme =
        word < body.len() && word <= 24 && body[..word].iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    let from = if scheme { word + body[word..].iter().take_while(|byte| **byte == b' ').count() } else { 0 };
    let secret = &body[from..];
    if secret.is_empty()
        || is_stand_in(secret)
        || secret.iter().any(|byte| matches!(byte, b'{' | b'}')) && secret.contains(&b'$')
    {
        return None;
    }
    let known = [&b"bearer"[..], b"basic", b"token", b"apikey", b"bot", b"negotiate", b"ntlm"]
        .contains(&body[..word].to_ascii_lowercase().as_slice());
    // A scheme of one token ends with it; others (Digest, AWS4-HMAC-SHA256, OAuth, Hawk) have parameters.
    let len = if known && scheme {
        secret
            .iter()
            .position(|b| matches!(b, b' ' | b',' | b'"' | b'\'' | b']' | b'}' | b')' | b'\\' | b'<'))
            .unwrap_or(secret.len())
    } else {
        secret.len()
    };
    let token = &secret[..len];
    let has = |test: fn(&u8) -> bool| token.iter().any(test);
    let random = has(u8::is_ascii_digit)
        || (known && token.len() >= 12 && !is_name(token))
        || token.len() >= 20 && !is_prose(token) && !is_name(token)
        || token.ends_with(b"=");
    let calls = !known && (is_prose(token) || token.contains(&b'('));
    (random && !calls && token.len() >= 6 || !whole && token.len() > 20).then_some(lead + from..lead + from + len)
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Where a value stands that does not begin right behind its bond.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nested {
    No,
    /// In brackets.
    List,
    /// On the next line, deeper.
    Line,
}

/// Goes into brackets, behind a YAML tag, or to the next line.
fn nested(text: &[u8], key: &Range<usize>, at: usize, bond: Bond) -> (usize, Nested) {
    if !matches!(bond, Bond::Colon | Bond::Equals) {
        return (at, Nested::No);
    }
    let rest = &text[at.min(text.len())..];
    match rest.first() {
        Some(b'[' | b'(') if !rest.starts_with(kind::OPENING) => {
            let inside = skip_blanks(text, at + 1);
            let quoted = Quote::read(text, inside).is_some();
            let bare = rest[0] == b'[' && text.get(inside).is_some_and(u8::is_ascii_alphanumeric);
            if quoted || bare && bond == Bond::Colon { (inside, Nested::List) } else { (at, Nested::No) }
        }
        Some(b'!') if rest.starts_with(b"!!str ") => (skip_blanks(text, at + 6), Nested::No),
        Some(b'*') if rest.starts_with(b"** ") => (skip_blanks(text, at + 2), Nested::No),
        Some(b'\n' | b'\r') => {
            let next = at + 1 + usize::from(rest.starts_with(b"\r\n"));
            let line = memchr::memrchr(b'\n', &text[..key.start]).map_or(0, |newline| newline + 1);
            let mut start = skip_blanks(text, next);
            let item = text[start..].starts_with(b"- ");
            if item {
                start = skip_blanks(text, start + 1);
            }
            let deeper = start - next > indent(&text[line..key.start]) || item;
            let quoted = Quote::read(text, start).is_some();
            if deeper && (bond == Bond::Colon || quoted) { (start, Nested::Line) } else { (at, Nested::No) }
        }
        _ => (at, Nested::No),
    }
}

/// Whether a value that stands on a line of its own is a secret's: nothing behind it, no key, no mere word.
fn is_alone(text: &[u8], value: &Value) -> bool {
    let end = value.range.end + value.quote.map_or(0, Quote::len);
    let bytes = &text[value.range.clone()];
    matches!(text.get(end), None | Some(b'\n' | b'\r' | b',' | b';'))
        && !bytes.ends_with(b":")
        && bytes.iter().any(u8::is_ascii_digit)
        && !bytes.contains(&b'=')
}

/// `"value":"…","name":"DB_PASSWORD"`: the value that stands before the key that names it.
fn turned(text: &[u8], key: &Range<usize>) -> Option<Value> {
    let before = &text[key.start.saturating_sub(256)..key.start];
    let part = |text: &mut &[u8], word: &[u8]| {
        let trimmed = text.trim_ascii_end();
        let rest = trimmed.strip_suffix(word)?;
        *text = rest;
        Some(())
    };
    let mut rest = before;
    part(&mut rest, b"\"")?;
    part(&mut rest, b":")?;
    part(&mut rest, b"\"name\"").or_else(|| part(&mut rest, b"\"key\""))?;
    part(&mut rest, b",")?;
    part(&mut rest, b"\"")?;
    let end = key.start - before.len() + rest.len();
    let start = memchr::memrchr(b'"', rest)? + 1;
    let range = key.start - before.len() + start..end;
    rest = &rest[..start - 1];
    part(&mut rest, b":")?;
    part(&mut rest, b"\"value\"")?;
    let quote = Quote { mark: b'"', slashes: 0 };
    (!range.is_empty()).then_some(Value { range, quote: Some(quote), open: None })
}

/// Where the value of `key` begins, and how it is bound.
fn bond(text: &[u8], key: Range<usize>, class: Class, flag: bool) -> Option<(usize, Bond)> {
    let mut at = key.end;
    let quote = Quote::read(text, at);
    if let Some(quote) = quote {
        at += quote.len();
    }
    if text.get(at) == Some(&b']') {
        at += 1;
    }
    if quote.is_none() && matches!(text.get(at), Some(b'?' | b'!')) && text.get(at + 1) == Some(&b':') {
        at += 1;
    }
    if quote.is_none() && text[at..].starts_with(b"**:") {
        at += 2;
    }
    let blank = skip_blanks(text, at);
    let rest = &text[blank..];
    let skip = |len: usize| prefix(text, skip_blanks(text, blank + len));
    let quoted_next = |at: usize| Quote::read(text, at).is_some();
    match rest.first()? {
        b'=' if rest.starts_with(b"==") => {
            let at = skip(rest.iter().take(3).take_while(|b| **b == b'=').count());
            quoted_next(at).then_some((at, Bond::Quoted))
        }
        b'=' if rest.starts_with(b"=>") => Some((skip(2), Bond::Colon)),
        b'=' => {
            let at = skip(1);
            // XML attributes: `key="Password" value="…"` comes as a quoted key; this is `password="…"`.
            Some((at, Bond::Equals))
        }
        b':' if rest.starts_with(b":=") => Some((skip(2), Bond::Equals)),
        b':' if rest.starts_with(b"::") => None,
        b':' => Some((skip(1), Bond::Colon)),
        b'?' | b'|' if rest.starts_with(b"?=") || rest.starts_with(b"||=") => {
            Some((skip(3 - usize::from(rest[0] == b'?')), Bond::Equals))
        }
        b'!' if rest.starts_with(b"!=") => {
            let at = skip(2 + usize::from(rest.starts_with(b"!==")));
            quoted_next(at).then_some((at, Bond::Quoted))
        }
        // `<entry key="db.password">…</entry>`
        b'>' if quote.is_some() && blank == at && text[..key.start].ends_with(b"key=\"") => Some((at + 1, Bond::Tag)),
        b'|' if text[..key.start].trim_ascii_end().ends_with(b"|") && !rest.starts_with(b"||") => {
            Some((skip(1), Bond::Colon))
        }
        b'>' if text[..key.start].ends_with(b"<") && blank == at => Some((blank + 1, Bond::Tag)),
        b',' if quote.is_some() => {
            let at = skip(1);
            pair_value(text, at).or_else(|| quoted_next(at).then_some((at, Bond::Quoted)))
        }
        b'(' if quote.is_none() => {
            let at = skip(1);
            let verb = text[key.clone()].iter().take(3).map(u8::to_ascii_lowercase).collect::<Vec<_>>();
            let sets = matches!(verb.as_slice(), b"set" | b"wit" | b"add")
                || matches!(class, Class::Password) && key.len() <= 10;
            (sets && quoted_next(at)).then_some((at, Bond::Quoted))
        }
        b'v' | b'V' if quote.is_some() && blank > at && rest[1..].starts_with(b"alue=") => {
            Some((blank + 6, Bond::Equals))
        }
        b'\n' | b'\r' => pair_value(text, blank),
        b'\'' | b'"' if class == Class::Password && quote.is_none() && blank > at => Some((blank, Bond::Quoted)),
        _ if flag && blank > at && quote.is_none() => Some((prefix(text, blank), Bond::Flag)),
        _ if blank > at && quote.is_none() && text[..key.start].ends_with(b"ENV ") => Some((blank, Bond::Equals)),
        _ if blank > at && text[key.clone()].eq_ignore_ascii_case(b"apikey") => {
            let word = rest.iter().take(256).take_while(|byte| byte.is_ascii_alphanumeric()).count();
            (word >= 20 && entropy(&rest[..word]) > 3.5).then_some((blank, Bond::Colon))
        }
        _ if class == Class::Password && blank > at && key.len() == 8 && is_netrc(text, key.start) => {
            Some((blank, Bond::Equals))
        }
        _ => None,
    }
}

/// `"name": "DB_PASSWORD", "value": "…"` and the same in YAML: where the value of `value` begins.
fn pair_value(text: &[u8], at: usize) -> Option<(usize, Bond)> {
    let mut at = at + text[at..].iter().take(128).take_while(|byte| byte.is_ascii_whitespace()).count();
    let quote = Quote::read(text, at);
    at += quote.map_or(0, Quote::len);
    if !text.get(at..at + 5).is_some_and(|word| word.eq_ignore_ascii_case(b"value")) {
        return None;
    }
    at += 5;
    if quote.is_some() {
        at += Quote::read(text, at)?.len();
    }
    at = skip_blanks(text, at);
    matches!(text.get(at), Some(b':' | b'=')).then(|| (prefix(text, skip_blanks(text, at + 1)), Bond::Colon))
}

/// `machine … login … password …`
fn is_netrc(text: &[u8], key: usize) -> bool {
    let before = &text[key.saturating_sub(256)..key];
    memchr::memmem::find(before, b"login ").is_some() && memchr::memmem::find(before, b"machine ").is_some()
}

/// Skips what languages write before a string: `b"…"`, `[]byte("…")`, `String::from("…")`.
fn prefix(text: &[u8], at: usize) -> usize {
    const BEFORE: [&[u8]; 12] = [
        b"[]byte(",
        b"String::from(",
        b"Secret(",
        b"SecretStr(",
        b"SecretString(",
        b"Buffer.from(",
        b"new String(",
        b"b",
        b"r",
        b"u",
        b"f",
        b"@",
    ];
    BEFORE
        .iter()
        .find(|word| text[at..].starts_with(word) && Quote::read(text, at + word.len()).is_some())
        .map_or(at, |word| at + word.len())
}

/// Whether the value behind a key is a secret.
fn judge(text: &[u8], key: &Range<usize>, class: Class, bond: Bond, read: &Value) -> bool {
    let value = &text[read.range.clone()];
    let value = &value[..value.len().min(2048)];
    let name = &text[key.clone()];
    if memchr::memmem::find(value, kind::OPENING).is_some() || text[read.range.end..].starts_with(kind::OPENING) {
        return false;
    }
    let shortest = if class == Class::Password { 4 } else { 6 };
    if value.len() < shortest || is_stand_in(value) || value.eq_ignore_ascii_case(name) || is_place(value) {
        return false;
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    if class == Class::Weak {
        return value.len() >= 12
            && digits > 0
            && entropy(value) > 3.0
            && !is_prose(value)
            && is_tokenish(value)
            && !is_label(value)
            && !is_time(value);
    }
    if class == Class::KeyData {
        return value.len() >= 16;
    }
    if digits == value.len() {
        return if class == Class::Password { digits >= 6 } else { digits >= 16 };
    }
    if is_prose(value) {
        return false;
    }
    // Dates, versions and numbers of code.
    if class == Class::Secret && !value.iter().any(u8::is_ascii_alphabetic) && value.len() < 20 {
        return false;
    }
    if class == Class::Secret && is_label(value) {
        return false;
    }
    let code = is_number(value) || [&b"::"[..], b"!["].iter().any(|mark| memchr::memmem::find(value, mark).is_some());
    if read.quote.is_none() && (code || value.starts_with(b"&[") || value.starts_with(b"__")) {
        return false;
    }
    let plain = is_name(value);
    if read.quote.is_some() {
        // Words as labels and messages have them, or names of other things.
        return match class {
            Class::Password if bond == Bond::Quoted && name.eq_ignore_ascii_case(b"pass") => digits > 0 || !plain,
            Class::Password => !value.contains(&b' ') || digits > 0,
            _ => {
                !plain
                    || (value.len() >= 8 && digits > 0)
                    || value.len() >= 24 && !value.contains(&b'.') && !value.contains(&b'_') && !value.contains(&b'-')
            }
        };
    }
    if bond == Bond::Quoted {
        return false;
    }
    let call = value
        .iter()
        .position(|byte| *byte == b'(')
        .is_some_and(|at| at > 0 && value[..at].iter().all(|b| b.is_ascii_alphanumeric() || b"_.:!".contains(b)));
    if call
        || is_expression(value)
        || value.starts_with(b"[")
        || value.starts_with(b"{")
        || value.starts_with(b"(")
        || value.starts_with(b"&") && plain
    {
        return false;
    }
    // `key: Curve25519Seed<'_>` is a type; `the --password option` is prose.
    let generic = bond == Bond::Colon
        && value[0].is_ascii_uppercase()
        && value.iter().all(u8::is_ascii_alphanumeric)
        && text.get(read.range.end) == Some(&b'<')
        && text.get(read.range.end + 1).is_some_and(|byte| byte.is_ascii_uppercase() || matches!(byte, b'\'' | b'_'));
    if generic || bond == Bond::Flag && FLAGS.iter().any(|word| word.as_bytes() == value) {
        return false;
    }
    let tight = bond == Bond::Equals && text[key.end..].starts_with(b"=") && read.range.start == key.end + 1;
    let environment = tight && !name.iter().any(u8::is_ascii_lowercase);
    match class {
        Class::Password if environment || bond == Bond::Tag || bond == Bond::Flag => !plain || value.len() >= 5,
        // In configuration a plain word alone on its line is a password; in code it is a variable.
        Class::Password if plain && digits == 0 => {
            let line = memchr::memrchr(b'\n', &text[..key.start]).map_or(0, |at| at + 1);
            let alone = text[line..key.start].iter().all(|byte| b" \t-\"'".contains(byte)) && !name.contains(&b'.');
            let ends = matches!(text.get(read.range.end), None | Some(b'\n' | b'\r'));
            bond == Bond::Colon
                && alone
                && ends
                && value.len() >= 5
                && !value.iter().any(|b| b"._:&*()".contains(b))
                && !value.iter().any(u8::is_ascii_uppercase)
                || tight
                    && value.len() >= 5
                    && !value.iter().any(|b| b"._".contains(b))
                    && (ends || text.get(read.range.end) != Some(&b')'))
                    && text[..key.start].ends_with(b"&")
        }
        Class::Password => true,
        _ if plain => {
            environment && value.len() >= 16 && !value.contains(&b'.') && entropy(value) > 3.0
                || digits > 0 && value.len() >= 10 && entropy(value) > 2.5 && !value.contains(&b'.')
        }
        _ => digits > 0 || value.len() >= 16,
    }
}

/// What prose says behind a flag that it names.
const FLAGS: &[&str] = &[
    "option",
    "options",
    "flag",
    "flags",
    "argument",
    "arguments",
    "parameter",
    "parameters",
    "switch",
    "switches",
    "instead",
    "are",
    "was",
    "were",
    "will",
    "must",
    "should",
    "cannot",
    "does",
    "have",
    "takes",
    "when",
    "where",
    "which",
    "setting",
    "settings",
    "command",
    "also",
    "only",
    "then",
    "than",
    "because",
    "before",
    "after",
    "using",
];

/// Whether `value` begins as a date does.
fn is_time(value: &[u8]) -> bool {
    let shape = |at: usize, byte: u8| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    value.len() >= 10 && value[..10].iter().enumerate().all(|(at, byte)| shape(at, *byte))
}

/// Whether `value` is a number as code writes it: `0x8004_170B_u32`, `-12i64`.
fn is_number(value: &[u8]) -> bool {
    const TYPES: [&[u8]; 15] = [
        b"", b"u8", b"u16", b"u32", b"u64", b"usize", b"i8", b"i16", b"i32", b"i64", b"isize", b"L", b"UL", b"u", b"n",
    ];
    let body = value.strip_prefix(b"-").unwrap_or(value);
    let (digits, hex) = body.strip_prefix(b"0x").map_or((body, false), |digits| (digits, true));
    let is_digit = |byte: &&u8| **byte == b'_' || if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let len = digits.iter().take_while(is_digit).count();
    let suffix = &digits[len..];
    len > 0 && value.len() <= 28 && (hex || !suffix.is_empty()) && TYPES.contains(&suffix)
}

/// Judges the value of a structured pair by its key; the offset is where the secret begins.
pub(crate) fn pair(key: &str, value: &str, claimed: bool) -> Option<(usize, Kind, &'static str)> {
    let class = key::classify(key.trim().as_bytes())?;
    let bytes = value.as_bytes();
    if bytes.is_empty() || memchr::memmem::find(bytes, kind::OPENING).is_some() {
        return None;
    }
    if matches!(class, Class::Header | Class::Cookie) {
        let part = credential(bytes, class, true);
        let start = part
            .map(|part| part.start)
            .or_else(|| (!is_stand_in(bytes) && !bytes.contains(&b' ') || claimed).then_some(0))?;
        return Some((start, Kind::AuthHeader, if class == Class::Cookie { "cookie" } else { "auth-header" }));
    }
    let kind = if class == Class::KeyData { Kind::PrivateKey } else { Kind::SecretPattern };
    let secret = claimed
        || !(is_stand_in(bytes)
            || is_place(bytes) && class != Class::Password
            || is_prose(bytes) && class != Class::Password
            || bytes.len() < 3);
    secret.then_some((0, kind, "assigned-value"))
}
