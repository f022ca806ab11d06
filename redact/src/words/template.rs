//! Holes that something else fills: `${X}`, `{{ x }}`, `<name>`, `%s`. A value that is little but holes is no secret.

/// Whether `value` is holes, with at most words around them.
pub(crate) fn is_filled_later(value: &[u8]) -> bool {
    let value = &value[..value.len().min(1024)];
    let mut rest = Vec::new();
    let (mut at, mut holes) = (0, 0);
    while at < value.len() {
        match hole(value, at) {
            Some(len) => {
                holes += 1;
                at += len;
                rest.push(b' ');
            }
            None => {
                rest.push(value[at]);
                at += 1;
            }
        }
    }
    holes > 0 && around(rest.trim_ascii())
}

/// Whether what stands around holes is no secret of its own: words, marks, or a place.
fn around(rest: &[u8]) -> bool {
    let digits = rest.iter().filter(|byte| byte.is_ascii_digit()).count();
    rest.len() < 6 && !rest.iter().any(u8::is_ascii_digit)
        || super::is_place(rest)
        || digits * 4 <= rest.len()
            && rest.iter().all(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b' ' | b'_' | b'-' | b'.' | b':' | b'/' | b',' | b'=' | b'&' | b'?' | b'@' | b';')
                    || matches!(byte, b'|' | b'(' | b')' | b'[' | b']' | b'\'' | b'"' | b'+' | b'\\' | b'#' | b'}')
            })
            && !rest.split(|byte| !byte.is_ascii_alphanumeric()).any(super::random::is_random)
}

/// The length of the hole at `at`, if one opens and closes there.
fn hole(value: &[u8], at: usize) -> Option<usize> {
    let rest = &value[at..];
    match rest {
        [b'$', b'{', b'{', ..] => closed(rest, 3, b"}}"),
        [b'{', b'{', ..] | [b'{', b'%', ..] | [b'<', b'%', ..] => {
            let close: &[u8] = match rest[..2] {
                [b'{', b'{'] => b"}}",
                [b'{', _] => b"%}",
                _ => b"%>",
            };
            closed(rest, 2, close)
        }
        [b'$' | b'#' | b'%' | b'@', b'{', ..] => closed(rest, 2, b"}").filter(|len| *len > 3),
        [b'$' | b'%', b'(', ..] => {
            let len = closed(rest, 2, b")")?;
            // `%(name)s`
            Some(len + usize::from(rest[0] == b'%' && matches!(rest.get(len), Some(b's' | b'd'))))
        }
        [b'$', b'[', ..] => closed(rest, 2, b"]"),
        [b'{', ..] => {
            let len = 2 + memchr::memchr(b'}', &rest[1..rest.len().min(66)])?;
            let inner = rest[1..len - 1].trim_ascii();
            (inner.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.:$?!#-|,= ".contains(byte)) && is_plain(inner))
                .then_some(len)
        }
        [b'<', ..] => {
            let len = 2 + memchr::memchr(b'>', &rest[1..rest.len().min(66)])?;
            let inner = &rest[1..len - 1];
            let words = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:-| '/,*".contains(byte) || !byte.is_ascii();
            (!inner.is_empty() && inner.iter().all(words) && is_plain(inner)).then_some(len)
        }
        [b'[', ..] if at == 0 && value.ends_with(b"]") && rest.len() > 3 => {
            let inner = &rest[1..rest.len() - 1];
            let words = |byte: &u8| byte.is_ascii_alphabetic() || b"_- ".contains(byte);
            (inner.iter().all(words) && is_plain(inner)).then_some(rest.len())
        }
        [b'$', ..] => {
            let dollars = rest.iter().take_while(|byte| **byte == b'$').count();
            let name = rest[dollars..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            let body = &rest[dollars..dollars + name];
            let border = at == 0 || b":/ @-_.\"'=(,{}[|\\".contains(&value[at - 1]);
            let upper = name > 2 && !body.iter().any(u8::is_ascii_lowercase) && is_plain(body);
            let first = *body.first()?;
            // `$1` in a script; a digit begins no other name.
            let number = name == 1 && first.is_ascii_digit() && border && (at == 0 || value.len() == at + 2);
            ((border && !first.is_ascii_digit() && is_plain(body) || upper) && dollars <= 2 || number)
                .then_some(dollars + name)
        }
        [b'%', b's' | b'd' | b'v' | b'q' | b'x', ..] if at + 2 == value.len() || !rest[2].is_ascii_alphanumeric() => {
            Some(2)
        }
        [b'%', ..] => {
            let name = rest[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            (name > 1 && rest.get(name + 1) == Some(&b'%') && is_plain(&rest[1..=name])).then_some(name + 2)
        }
        [b'@', ..] => {
            let name =
                rest[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte)).count();
            (at == 0 && name > 1 && rest.get(name + 1) == Some(&b'@')).then_some(name + 2)
        }
        [b'_', b'_', ..] if at == 0 && value.len() > 6 && value.ends_with(b"__") => value[2..value.len() - 2]
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
            .then_some(value.len()),
        _ => None,
    }
}

/// The length up to and with `close`, where what lies between is an expression with its brackets in pairs.
fn closed(rest: &[u8], open: usize, close: &[u8]) -> Option<usize> {
    let (mut stack, mut at) = (Vec::new(), open);
    let first = *rest[open..].trim_ascii_start().first()?;
    if !(first.is_ascii_alphanumeric() || b"_.$#!?@*-/'\"(=:{}<".contains(&first)) {
        return None;
    }
    while at < rest.len() {
        if stack.is_empty() && rest[at..].starts_with(close) {
            return Some(at + close.len());
        }
        match rest[at] {
            byte @ (b'(' | b'[' | b'{') => stack.push(byte),
            byte @ (b')' | b']' | b'}') => {
                let open = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                if stack.pop() != Some(open) {
                    return None;
                }
            }
            b'\n' => return None,
            _ => {}
        }
        at += 1;
    }
    // A value that a blank cut off: `{{ .Values.x`, `$(cat file`.
    let code = rest[open..].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.([ ".contains(byte));
    (rest.len() <= open + 64 && (stack.is_empty() || code) && is_plain(rest[open..].trim_ascii())).then_some(rest.len())
}

/// Whether `inner` is a name or words: what a hole is called.
fn is_plain(inner: &[u8]) -> bool {
    let digits = inner.iter().filter(|byte| byte.is_ascii_digit()).count();
    (digits * 3 <= inner.len() || inner.len() <= 2)
        && !inner.split(|byte| !byte.is_ascii_alphanumeric()).any(super::random::is_random)
}

/// The value that a hole falls back to: `${X:-value}`, `${x:value}`.
pub(crate) fn fallback(value: &[u8]) -> Option<std::ops::Range<usize>> {
    let inner = value.strip_prefix(b"${")?.strip_suffix(b"}")?;
    let name = inner.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(byte)).count();
    let rest = &inner[name..];
    let gap = match rest {
        [b':', b'-' | b'=', ..] => 2,
        [b':' | b'-', ..] => 1,
        _ => return None,
    };
    let start = 2 + name + gap;
    (name > 0 && rest.len() > gap && !rest.contains(&b'$') && !rest.contains(&b'{')).then_some(start..value.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_told_from_secrets_with_brackets() {
        for text in [
            "${TOKEN}",
            "$TOKEN",
            "$$password",
            "$USER:$PASSWORD",
            "${{ secrets.X }}",
            "{{ .Values.x | quote }}",
            "<your-token>",
            "<% PASSWORD_HERE %>",
            "prefix_{}",
            "prefix_{name}",
            "%TOKEN%",
            "%(password)s",
            "#{ENV['X']}",
            "$(cat ./password.txt)",
            "[PASSWORD]",
            "__TOKEN__",
            "@password@",
            "{token}",
            "Bearer {token}",
        ] {
            assert!(is_filled_later(text.as_bytes()), "{text}");
        }
        for text in [
            "m{{h}o)p${e]nob(ody[finds>-_$#thisone}}",
            "{{h}o)p${e]nob(ody[finds>-_$#thisone}}",
            "P@ssw0rd$1",
            "pa$$word",
            "{ZqL5kVrX1n8tA2}",
            "a8f7d6e5c4b3${X}",
            "<a8f7d6e5c4b3>",
            "$2b$10$abcdefghijk",
        ] {
            assert!(!is_filled_later(text.as_bytes()), "{text}");
        }
        assert_eq!(fallback(b"${DB_PASSWORD:-hunter2}"), Some(15..22));
        assert_eq!(fallback(b"${DB_PASSWORD}"), None);
    }
}
