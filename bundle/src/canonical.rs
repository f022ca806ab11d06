//! Canonical JSON, RFC 8785 (JCS): the one form in which Dossier digests structured data.

use serde::Serialize;
use serde_json::Value;

use crate::digest::Digest;

/// The greatest integer that every JSON reader keeps exact: 2^53.
const EXACT: u64 = 1 << 53;

/// A value has no canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalError {
    /// An integer past 2^53 would be rounded by RFC 8785. Write it as a string.
    #[error("an integer past 2^53 has no exact canonical form")]
    Inexact,
    /// The value is no JSON at all: a map whose keys are no strings, a number that is not finite.
    #[error("the value has no JSON form")]
    NotJson,
}

/// The canonical bytes of `value`: members sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them.
///
/// # Errors
/// [`CanonicalError`] where the value has no exact canonical form.
pub fn to_vec<T: Serialize>(value: &T) -> Result<Vec<u8>, CanonicalError> {
    of_value(&serde_json::to_value(value).map_err(|_| CanonicalError::NotJson)?)
}

/// As [`to_vec`], of a value that stands already.
pub(crate) fn of_value(value: &Value) -> Result<Vec<u8>, CanonicalError> {
    check(value)?;
    let mut out = Vec::with_capacity(size(value));
    write(&mut out, value)?;
    Ok(out)
}

/// The digest of the canonical bytes of `value`.
///
/// # Errors
/// [`CanonicalError`] where the value has no exact canonical form.
pub fn digest<T: Serialize>(value: &T) -> Result<Digest, CanonicalError> {
    Ok(Digest::of(&to_vec(value)?))
}

/// Whether `bytes` are JSON in canonical form.
#[must_use]
pub fn is_canonical(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Value>(bytes).is_ok_and(|value| of_value(&value).is_ok_and(|canonical| canonical == bytes))
}

/// Writes a value that was checked. The library's own writer buffers each member again at each depth, which is felt with
/// drafts of hundreds of KiB; what is hard to write, numbers with a fraction, is left to it.
fn write(out: &mut Vec<u8>, value: &Value) -> Result<(), CanonicalError> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) if number.is_f64() => {
            out.extend(serde_json_canonicalizer::to_vec(number).map_err(|_| CanonicalError::NotJson)?);
        }
        Value::Number(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(out, item)?;
            }
            out.push(b']');
        }
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_unstable_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            out.push(b'{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_string(out, name);
                out.push(b':');
                write(out, member)?;
            }
            out.push(b'}');
        }
    }
    Ok(())
}

/// About as many bytes as a value takes: large buffers that grow are moved by the page.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + text.len() / 16 + 2,
        Value::Array(items) => items.iter().map(size).sum::<usize>() + 2,
        Value::Object(members) => members.iter().map(|(name, member)| name.len() + size(member) + 4).sum::<usize>() + 2,
        _ => 8,
    }
}

fn write_string(out: &mut Vec<u8>, text: &str) {
    let escaped = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = find(rest, escaped) {
        out.extend_from_slice(&rest[..at]);
        match rest[at] {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            byte => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Where the first byte stands that `wanted` takes. Looks at many at a time, which a compiler makes a few instructions of.
pub(crate) fn find(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> Option<usize> {
    const WIDE: usize = 32;
    let plain = bytes.chunks_exact(WIDE).take_while(|chunk| !chunk.iter().fold(false, |any, byte| any | wanted(*byte)));
    let at = plain.count() * WIDE;
    bytes[at..].iter().position(|byte| wanted(*byte)).map(|ahead| at + ahead)
}

fn check(value: &Value) -> Result<(), CanonicalError> {
    match value {
        Value::Number(number) => {
            let exact = match (number.as_u64(), number.as_i64()) {
                (Some(n), _) => n <= EXACT,
                (None, Some(n)) => n.unsigned_abs() <= EXACT,
                (None, None) => number.as_f64().is_some_and(f64::is_finite),
            };
            if exact { Ok(()) } else { Err(CanonicalError::Inexact) }
        }
        Value::Array(items) => items.iter().try_for_each(check),
        Value::Object(members) => members.values().try_for_each(check),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standards_own_example() {
        // RFC 8785, section 3.2.2 and 3.2.3, as printed there.
        let input = r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
            "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#;
        let value: Value = serde_json::from_str(input).unwrap();
        let expected = "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
            \"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(String::from_utf8(to_vec(&value).unwrap()).unwrap(), expected);
    }

    #[test]
    fn members_are_sorted_by_utf16_code_units() {
        // RFC 8785, section 3.2.3: the order that code points alone would not give.
        let value: Value =
            serde_json::from_str(r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#)
                .unwrap();
        let order: Vec<u64> = String::from_utf8(to_vec(&value).unwrap())
            .unwrap()
            .split(':')
            .filter_map(|part| part.chars().next()?.to_digit(10).map(u64::from))
            .collect();
        assert_eq!(order, [2, 4, 6, 7, 1, 5, 3]);
    }

    #[test]
    fn what_would_be_rounded_is_refused() {
        assert_eq!(to_vec(&(EXACT + 1)), Err(CanonicalError::Inexact));
        assert_eq!(to_vec(&-(EXACT as i64 + 1)), Err(CanonicalError::Inexact));
        assert!(to_vec(&EXACT).is_ok());
        assert!(is_canonical(br#"{"a":1,"b":[]}"#));
        assert!(!is_canonical(br#"{"b":[],"a":1}"#));
        assert!(!is_canonical(b"{"));
    }

    proptest::proptest! {
        #[test]
        fn it_writes_what_the_library_writes(texts in proptest::collection::vec(proptest::prelude::any::<String>(), 0..6), n in proptest::prelude::any::<i32>(), f in proptest::prelude::any::<f64>()) {
            let long: String = texts.concat().chars().chain("plain \u{1}\u{7f}\n".chars()).cycle().take(200).collect();
            let mut members: serde_json::Map<String, Value> =
                texts.iter().rev().map(|text| (text.clone(), Value::from(texts.clone()))).collect();
            members.insert("long".to_owned(), long.into());
            members.insert("n".to_owned(), n.into());
            if f.abs() <= 9e15 {
                members.insert("f".to_owned(), f.into());
            }
            let value = Value::from(members);
            proptest::prop_assert_eq!(to_vec(&value).unwrap(), serde_json_canonicalizer::to_vec(&value).unwrap());
        }
    }
}
