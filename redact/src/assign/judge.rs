//! Whether the value behind a key is a secret.

use std::ops::Range;

use super::bond::Bond;
use super::header::credential;
use crate::key::{self, Class};
use crate::kind::{self, Kind};
use crate::value::Value;
use crate::words::{
    entropy, is_digest, is_dotted, is_expression, is_host, is_label, is_name, is_place, is_prose, is_random, is_regex,
    is_sentence, is_stand_in, is_sure, is_tokenish, is_uuid, is_version,
};

/// How much of a value is judged.
const JUDGED: usize = 2048;

/// Whether the value behind a key is a secret.
pub(super) fn judge(text: &[u8], key: &Range<usize>, class: Class, bond: Bond, read: &Value) -> bool {
    let value = &text[read.range.clone()];
    let value = &value[..value.len().min(JUDGED)];
    let name = &text[key.clone()];
    if memchr::memmem::find(value, kind::OPENING).is_some() || text[read.range.end..].starts_with(kind::OPENING) {
        return false;
    }
    let shortest = if class == Class::Password { 4 } else { 6 };
    if value.len() < shortest || is_stand_in(value) || value.eq_ignore_ascii_case(name) || is_place(value) {
        return false;
    }
    // What tests print: `--- PASS: TestToken/valid_2`.
    if name == b"PASS" && bond == Bond::Colon && value.iter().any(|byte| b"/_".contains(byte)) {
        return false;
    }
    let signed = name.eq_ignore_ascii_case(b"x-goog-credential") || name.eq_ignore_ascii_case(b"x-amz-credential");
    if signed || is_version(value) || read.quote.is_none() && is_number(value) {
        return false;
    }
    if bond == Bond::Blank && !matches!(class, Class::Password | Class::Secret) {
        return false;
    }
    match class {
        Class::KeyData => return value.len() >= 16,
        Class::Weak => return is_weak(value) && !(read.quote.is_none() && is_capital(value)),
        Class::Faint => return is_faint(value, bond),
        _ => {}
    }
    if bond == Bond::Call {
        return is_sure(value, if class == Class::Password { 8 } else { 12 }) && !is_call_name(value);
    }
    if bond == Bond::Blank {
        return is_said(text, name, class, read);
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    // A number below zero; what SigV4 names a credential is none.
    if digits + 1 == value.len() && value[0] == b'-' || memchr::memmem::find(value, b"aws4_request").is_some() {
        return false;
    }
    if digits == value.len() {
        return if class == Class::Password {
            digits >= 6 && !name.eq_ignore_ascii_case(b"pass")
        } else {
            digits >= 16
        };
    }
    let json = value.starts_with(b"{\"") || value.starts_with(b"{\\\"") || value.starts_with(b"[{");
    if is_prose(value) || is_sentence(value) || is_colour(value) || json || is_regex(value) || is_same(name, value) {
        return false;
    }
    // Dates, versions and numbers of code.
    if class == Class::Secret && !value.iter().any(u8::is_ascii_alphabetic) && value.len() < 20 {
        return false;
    }
    let other = class == Class::Secret && (is_label(value) || is_host(value) || is_dotted(value) || is_list(value));
    if other || is_coordinate(name, value) || value.starts_with(b"--") {
        return false;
    }
    if read.quote.is_some() {
        return is_quoted_secret(name, class, bond, value);
    }
    let code = is_number(value) || [&b"::"[..], b"!["].iter().any(|mark| memchr::memmem::find(value, mark).is_some());
    !(code || bond == Bond::Quoted || is_code(value) || is_generic(text, read, bond))
        && !(bond == Bond::Flag && (value[0] == b'-' || FLAGS.iter().any(|word| word.as_bytes() == value)))
        && is_bare_secret(text, key, class, bond, read)
}

/// Behind `auth` and its kin.
fn is_weak(value: &[u8]) -> bool {
    let schemes: [&[u8]; 4] = [b"Basic ", b"Bearer ", b"Token ", b"token "];
    let value = schemes.iter().find_map(|scheme| value.strip_prefix(*scheme)).unwrap_or(value);
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    value.len() >= 12
        && (digits > 0 || is_random(value))
        && entropy(value) > 3.0
        && !is_prose(value)
        && is_tokenish(value)
        && !is_label(value)
        && !is_time(value)
        && !is_name(value)
}

/// Whether `value` is the name again, written in another way, perhaps with a number: `ArrowToken$1`.
fn is_same(name: &[u8], value: &[u8]) -> bool {
    let letters = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    let (name, value) = (letters(name), letters(value));
    !value.is_empty() && name.ends_with(&value)
        || value.strip_prefix(name.as_slice()).is_some_and(|rest| rest.len() <= 2)
}

/// `key1,key12,key100`: names with commas between.
fn is_list(value: &[u8]) -> bool {
    value.contains(&b',') && value.split(|byte| *byte == b',').all(|part| is_counted(part) || is_name(part))
}

/// A word, and a number of at most two digits: `Colon2`, `PULONG64`.
fn is_counted(value: &[u8]) -> bool {
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    digits <= 3 && value[..value.len() - digits].iter().all(u8::is_ascii_alphabetic)
}

/// `#ABB2BF`
fn is_colour(value: &[u8]) -> bool {
    matches!(value.len(), 4 | 7 | 9) && value[0] == b'#' && value[1..].iter().all(u8::is_ascii_hexdigit)
}

/// Behind the key of something unknown.
fn is_faint(value: &[u8], bond: Bond) -> bool {
    let capitals = value.iter().any(u8::is_ascii_uppercase) && value.iter().any(u8::is_ascii_lowercase);
    matches!(bond, Bond::Equals | Bond::Colon | Bond::Tag | Bond::Flag)
        && value.len() >= 20
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-+/=".contains(byte))
        && is_sure(value, 20)
        && entropy(value) > 3.4
        && (capitals || value.iter().filter(|byte| byte.is_ascii_digit()).count() >= 5)
        && !is_uuid(value)
        && !is_digest(value)
        && !is_time(value)
}

/// Behind a blank or "is": the sentence goes on, unless the value looks like nothing else.
fn is_said(text: &[u8], name: &[u8], class: Class, read: &Value) -> bool {
    let value = &text[read.range.clone()];
    let has = |test: fn(&u8) -> bool| value.iter().any(test);
    if read.quote.is_some() {
        return is_sure(value, 12) && value.len() <= 256;
    }
    let ends = matches!(text.get(read.range.end), None | Some(b'\n' | b'\r' | b' ' | b')' | b',' | b'.' | b'"' | b'<'));
    let mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    let plain =
        |value: &[u8]| value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"!@#$%^&*_-+=/.~".contains(byte));
    let sure = value.len() <= 128 && plain(value) && is_sure(value, 8) && !is_digest(value) && !is_uuid(value);
    let keyed = name.eq_ignore_ascii_case(b"apikey") || name.eq_ignore_ascii_case(b"api_key");
    match class {
        Class::Password => {
            let word = value.iter().skip(1).take_while(|byte| byte.is_ascii_lowercase()).count() + 1;
            let counted = value[word..].iter().all(u8::is_ascii_digit);
            let inside = value.windows(2).any(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic());
            let marked = value.iter().any(|byte| b"!@#$%^&*".contains(byte));
            let shuffled =
                mixed && !counted && (inside || marked) && !is_stand_in(value) && !is_label(value) && plain(value);
            ends && !is_hex(value)
                && (sure && (mixed || borders(value) >= 2) || shuffled && value.len() >= 8)
                && !value.contains(&b'.')
        }
        _ => ends && sure && (keyed || mixed) && value.len() >= 20 && entropy(value) > 3.5 && is_plain_run(value),
    }
}

/// Whether `value` has no mark of a path, a version or a date.
fn is_plain_run(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_=+".contains(byte))
}

fn is_hex(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_hexdigit)
}

/// How often digits follow letters, or letters digits.
fn borders(value: &[u8]) -> usize {
    value.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count()
}

/// What a call is given that is no secret: a name of something, with words in it.
fn is_call_name(value: &[u8]) -> bool {
    value.contains(&b' ') || value.iter().any(|byte| b"{}<>%:".contains(byte)) || is_uuid(value) && value.len() != 36
}

/// `io.jsonwebtoken:jjwt-jackson`, `group.token:artifact:1.2`: coordinates of a package.
fn is_coordinate(name: &[u8], value: &[u8]) -> bool {
    name.iter().filter(|byte| **byte == b'.').count() >= 1 && is_label(value) && value.contains(&b'.')
}

/// Words as labels and messages have them, or names of other things.
fn is_quoted_secret(name: &[u8], class: Class, bond: Bond, value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let plain = is_name(value);
    let constant = is_capital(value);
    match class {
        Class::Password if bond == Bond::Quoted && name.eq_ignore_ascii_case(b"pass") => is_sure(value, 8),
        Class::Password if bond == Bond::Quoted => {
            (digits > 0 || !plain) && !is_label(value) && !constant && !is_host(value)
        }
        Class::Password => !value.contains(&b' ') || digits > 0 || !plain && !is_prose(value),
        _ if value.contains(&b' ') => value.split(|byte| *byte == b' ').any(|word| is_sure(word, 12)),
        _ if bond == Bond::Quoted => is_sure(value, 8) && !constant,
        _ if constant || plain && names_secret(value) => false,
        _ => {
            !plain && !is_expression(value)
                || value.len() >= 8 && digits > 0
                || value.len() >= 32 && value.iter().all(u8::is_ascii_alphanumeric)
        }
    }
}

/// `PKCS7_ISSUER_AND_SERIAL`: a constant of code.
fn is_capital(value: &[u8]) -> bool {
    let word = |part: &[u8]| part.len() < 6 || part.iter().any(|byte| b"AEIOUY".contains(byte));
    value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        && value.contains(&b'_')
        && value.iter().filter(|byte| byte.is_ascii_digit()).count() * 4 <= value.len()
        && value.split(|byte| *byte == b'_').all(word)
}

/// Whether a name has a word in it that names secrets: `V1SecretProjection`.
fn names_secret(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    [&b"secret"[..], b"token", b"password", b"passwd", b"credential", b"key"]
        .iter()
        .any(|word| memchr::memmem::find(&lower, word).is_some())
}

/// Calls, indices, literals of code.
fn is_code(value: &[u8]) -> bool {
    let call = value
        .iter()
        .position(|byte| *byte == b'(')
        .is_some_and(|at| at > 0 && value[..at].iter().all(|b| b.is_ascii_alphanumeric() || b"_.:!?&*$>-".contains(b)));
    let word =
        |part: &[u8]| !part.is_empty() && part.iter().all(|byte| byte.is_ascii_lowercase() || b"_-".contains(byte));
    let marks: [&[u8]; 14] =
        [b";", b"&&", b"||", b"()", b"){", b"=>", b"++", b"==", b").", b"),", b");", b"?.", b"})", b"+1"];
    let marked = marks.iter().any(|mark| memchr::memmem::find(value, mark).is_some());
    call || is_expression(value)
        || marked && value.iter().any(|byte| b"(){}".contains(byte))
        || value.contains(&b'|') && value.split(|byte| *byte == b'|').all(word)
        || b")]},;|.".contains(&value[0])
        || value.starts_with(b"[")
        || value.starts_with(b"(")
        || value.starts_with(b"{") && !value.ends_with(b"}")
        || value.starts_with(b"{") && value.contains(&b':')
        || matches!(value[0], b'&' | b'*') && (is_name(value) || value.starts_with(b"&["))
        || value.starts_with(b"__")
        || memchr::memmem::find(value, b"->").is_some()
            && value.iter().all(|b| b.is_ascii_alphanumeric() || b"_->$().".contains(b))
        || value.starts_with(b"$")
            && value[1..].iter().all(|b| b.is_ascii_alphanumeric() || b"_[]'.".contains(b))
            && is_name(&value[1..])
}

/// `key: Curve25519Seed<'_>` is a type.
fn is_generic(text: &[u8], read: &Value, bond: Bond) -> bool {
    let value = &text[read.range.clone()];
    bond == Bond::Colon
        && value[0].is_ascii_uppercase()
        && value.iter().all(u8::is_ascii_alphanumeric)
        && text.get(read.range.end) == Some(&b'<')
        && text.get(read.range.end + 1).is_some_and(|byte| byte.is_ascii_uppercase() || matches!(byte, b'\'' | b'_'))
}

/// A value without quotes.
fn is_bare_secret(text: &[u8], key: &Range<usize>, class: Class, bond: Bond, read: &Value) -> bool {
    let value = &text[read.range.clone()];
    let value = &value[..value.len().min(JUDGED)];
    let name = &text[key.clone()];
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let plain = is_name(value);
    let tight = bond == Bond::Equals && text[key.end..].starts_with(b"=") && read.range.start == key.end + 1;
    let environment = tight && !name.iter().any(u8::is_ascii_lowercase);
    let counted =
        class == Class::Secret && value.len() < 12 && is_counted(value) && value[value.len() - 3].is_ascii_alphabetic();
    let grammar = value[0].is_ascii_digit() && value.get(1) == Some(&b'*');
    if !environment && (is_capital(value) || counted) || grammar {
        return false;
    }
    // `the secret: OAuth2 client secret to use`
    if class == Class::Secret && bond == Bond::Colon && is_followed(text, read.range.end) && !is_sure(value, 8) {
        return false;
    }
    match class {
        Class::Password if environment || matches!(bond, Bond::Tag | Bond::Flag) => !plain || value.len() >= 5,
        // In configuration a plain word alone on its line is a password; in code it is a variable.
        Class::Password if plain && digits == 0 => is_plain_password(text, key, bond, tight, read),
        Class::Password => true,
        _ if plain && names_secret(value) => false,
        _ if plain => {
            environment && value.len() >= 16 && !value.contains(&b'.') && entropy(value) > 3.0
                || digits > 0 && value.len() >= 10 && entropy(value) > 2.5 && !value.contains(&b'.')
        }
        _ => digits > 0 || value.len() >= 16,
    }
}

/// Whether two words of prose stand behind `end`.
fn is_followed(text: &[u8], end: usize) -> bool {
    let rest = &text[end..text.len().min(end + 64)];
    let mut words = rest.strip_prefix(b" ").unwrap_or_default().split(|byte| *byte == b' ');
    let word = |word: Option<&[u8]>| word.is_some_and(|word| word.len() > 1 && word.iter().all(u8::is_ascii_lowercase));
    word(words.next()) && word(words.next())
}

/// A word without digits behind the name of a password.
fn is_plain_password(text: &[u8], key: &Range<usize>, bond: Bond, tight: bool, read: &Value) -> bool {
    let value = &text[read.range.clone()];
    let name = &text[key.clone()];
    let line = memchr::memrchr(b'\n', &text[key.start.saturating_sub(256)..key.start])
        .map(|at| key.start.saturating_sub(256) + at + 1);
    let line = line.unwrap_or(key.start.saturating_sub(256));
    let alone = text[line..key.start].iter().all(|byte| b" \t-\"'".contains(byte));
    let ends = matches!(text.get(read.range.end), None | Some(b'\n' | b'\r'));
    if value.len() < 5 {
        return false;
    }
    let words = !value.iter().any(|b| b"._:&*()".contains(b));
    let small = value[0].is_ascii_lowercase();
    // `mypassword`, `userInput`, `newToken`: what variables are called.
    let lower = value.to_ascii_lowercase();
    let variable = VARIABLES.iter().any(|word| memchr::memmem::find(&lower, word.as_bytes()).is_some());
    let capitals = value.iter().any(u8::is_ascii_uppercase);
    let pair = matches!(text[key.start.saturating_sub(1)], b'&' | b';' | b'?') || text[..key.start].ends_with(b"&amp;");
    // `Password=word;Encrypt=true`
    let behind = &text[read.range.end..text.len().min(read.range.end + 48)];
    let next = behind.strip_prefix(b";").and_then(|rest| memchr::memchr(b'=', rest).map(|at| &rest[..at]));
    let string =
        next.is_some_and(|name| name.iter().all(|b| b.is_ascii_alphabetic() || *b == b' ') && !name.is_empty());
    bond == Bond::Equals && string && !variable
        || bond == Bond::Colon && alone && ends && words && !name.contains(&b'.') && small && !(capitals && variable)
        || tight && pair && words && (ends || text.get(read.range.end) != Some(&b')'))
        || tight && alone && ends && words && small && !(capitals || variable) && name.contains(&b'.')
}

/// What is in the names of variables that hold passwords.
const VARIABLES: &[&str] = &[
    "pass", "pwd", "secret", "token", "key", "cred", "user", "input", "value", "param", "config", "env", "get", "new",
    "old", "this", "self", "form", "data", "field", "body", "opts", "args", "props", "state", "string", "text", "type",
    "name", "hash", "encod", "crypt", "random", "login", "account",
];

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
    "line",
    "cannot",
    "could",
    "would",
    "provides",
    "specifies",
    "allows",
    "accepts",
    "expects",
    "field",
    "value",
    "given",
    "here",
    "there",
    "environment",
    "variable",
    "authentication",
    "authenticate",
    "login",
    "passed",
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
