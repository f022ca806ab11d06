//! What a value says about itself: placeholder, reference, type, prose; and how random it looks.

mod lists;
mod random;
mod template;

use crate::denied::is_common;
use lists::lists;
pub(crate) use random::{entropy, is_mixed, is_random};
pub(crate) use template::{fallback, is_filled_later};

/// Whether `value` is a placeholder, a reference, a type or a word that cannot be a secret.
pub(crate) fn is_stand_in(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let head = value[..value.len().min(512)].to_ascii_lowercase();
    let lists = lists();
    if lists.placeholders.begin(&head) || lists.plain.contains(head.as_slice()) || is_common(value) {
        return true;
    }
    if lists.references.begin(&head)
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-/:[]()'\"#{}!? ,@".contains(byte))
    {
        return true;
    }
    if is_literal(&head) || is_variable_path(value) || is_path_of_names(value) || is_filled_later(value) {
        return true;
    }
    // One character again and again, or hardly anything but masking.
    let masked = value.iter().filter(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'-' | b'_' | b'#')).count();
    if masked * 4 >= value.len() * 3 || value.iter().all(|byte| byte == &value[0]) {
        return true;
    }
    let mentions = |word: &[u8]| memchr::memmem::find(&head, word).is_some();
    is_name(value) && lists.pretenders.iter().any(|word| mentions(word))
        || [&b"placeholder"[..], b"changeme", b"your-", b"your_"].iter().any(|word| mentions(word))
        || is_constant(value)
}

/// `DB_PASSWORD`, `NEXUS-GPT4-API-KEY`: the name of a variable or a secret, of several words in capitals.
fn is_constant(value: &[u8]) -> bool {
    let words = value.split(|byte| matches!(byte, b'_' | b'-')).filter(|part| part.len() >= 2);
    let names =
        [&b"PASSWORD"[..], b"SECRET", b"TOKEN", b"KEY", b"PASS", b"PWD", b"CREDENTIALS", b"CREDENTIAL", b"AUTH"];
    value.len() >= 6
        && value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-'))
        && value.iter().any(|byte| matches!(byte, b'_' | b'-'))
        && words.clone().any(|part| names.contains(&part))
        && value.iter().filter(|byte| byte.is_ascii_digit()).count() * 4 <= value.len()
}

/// `None):` and its kin: a literal of code, and what closes around it.
fn is_literal(lower: &[u8]) -> bool {
    [&b"none"[..], b"null", b"true", b"false", b"nil", b"undefined"].iter().any(|word| {
        lower.strip_prefix(*word).is_some_and(|rest| {
            rest.first() == Some(&b')') || !rest.is_empty() && rest.iter().all(|byte| b")]},:;.".contains(byte))
        })
    })
}

/// `$dir/private/key.pem`
fn is_variable_path(value: &[u8]) -> bool {
    let Some(rest) = value.strip_prefix(b"$") else { return false };
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    len > 0 && !rest[0].is_ascii_digit() && rest[len..].starts_with(b"/") && is_place(&rest[len..])
}

/// `$crate::private::Number`
fn is_path_of_names(value: &[u8]) -> bool {
    let text = value.strip_prefix(b"$").unwrap_or(value);
    memchr::memmem::find(text, b"::").is_some()
        && text.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':'))
}

/// `tokens[i]`, `&text[range.clone()]`, `Optional[Text]`, `get(x)`: a name, and brackets behind it.
pub(crate) fn is_expression(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let lead = value.iter().take_while(|byte| matches!(byte, b'&' | b'*' | b'!')).count();
    let rest = &value[lead..];
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.:".contains(byte)).count();
    let digits = rest[..name].iter().filter(|byte| byte.is_ascii_digit()).count();
    name > 0
        && digits * 4 <= name
        && !rest[0].is_ascii_digit()
        && rest.get(name) == Some(&b'[')
        && (memchr::memchr(b']', &rest[name..]).is_some() || rest[name + 1..].iter().all(|byte| is_code(*byte)))
}

fn is_code(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.:&*()+-[".contains(&byte)
}

/// `db-creds-v2`, `cmp2-qat-1208358310`: words joined by dashes, and a number or version among them.
pub(crate) fn is_label(value: &[u8]) -> bool {
    let parts: Vec<&[u8]> = value.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/')).collect();
    let digits = |part: &[u8]| part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let is_word = |part: &[u8]| {
        let most = if part.iter().any(u8::is_ascii_lowercase) { 2 } else { 4 };
        let (whole, part) = (part, &part[..part.len() - digits(part).min(most)]);
        (1..=14).contains(&part.len())
            && (part.len() > 1 || whole.len() > 1)
            && (part[1..].iter().all(u8::is_ascii_lowercase) || part.iter().all(u8::is_ascii_uppercase))
            && (part.len() < 4 || part.iter().any(|byte| b"aeiouyAEIOUY".contains(byte)))
    };
    let is_count = |part: &[u8]| {
        let number = part.strip_prefix(b"v").or_else(|| part.strip_prefix(b"rc")).unwrap_or(part);
        (1..=4).contains(&number.len()) && number.iter().all(u8::is_ascii_digit)
    };
    let is_time = |part: &[u8]| (8..=14).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    let words = parts.iter().filter(|part| is_word(part)).count();
    value.len() <= 64
        && parts.len() > 1
        && words > 0
        && value[0].is_ascii_alphabetic()
        && parts.iter().all(|part| is_word(part) || is_count(part) || is_time(part))
        && parts.iter().filter(|part| is_count(part)).count() <= 3
        && parts.iter().filter(|part| is_time(part)).count() <= 1
}

/// Whether `value` is made of what tokens are made of.
pub(crate) fn is_tokenish(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.~+/=".contains(byte))
}

/// Whether `value` is a template's hole or a placeholder in angle brackets.
pub(crate) fn is_template(value: &[u8]) -> bool {
    [&b"{{"[..], b"${", b"<", b"$("].iter().any(|open| value.starts_with(open))
}

/// Whether `value` is words rather than a secret: blanks, and nothing that only secrets have.
pub(crate) fn is_prose(value: &[u8]) -> bool {
    value.contains(&b' ')
        && value.iter().all(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii() || b" .,!?'-:;()/\"".contains(byte))
}

/// Whether `value` is a sentence: three words or more, most of them of letters alone.
pub(crate) fn is_sentence(value: &[u8]) -> bool {
    let words = value.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let (mut all, mut plain) = (0, 0);
    for word in words {
        let core = word.strip_suffix(b".").or_else(|| word.strip_suffix(b",")).unwrap_or(word);
        all += 1;
        let letter = |byte: &&u8| byte.is_ascii_alphabetic() || b"'-".contains(byte) || !byte.is_ascii();
        let letters = core.iter().filter(letter).count();
        plain += usize::from(letters * 10 >= core.len() * 8 && !core.iter().any(u8::is_ascii_digit));
    }
    all >= 3 && plain * 10 >= all * 6
}

/// Whether `value` is a version: `1.2.3`, `^9.0.2-rc.1`.
pub(crate) fn is_version(value: &[u8]) -> bool {
    let lead = value.iter().take_while(|byte| b"^~=<>v ".contains(byte)).count();
    let core = &value[lead..];
    let numbers = core.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let dots = core[..numbers].iter().filter(|byte| **byte == b'.').count();
    dots >= 1 && core[0].is_ascii_digit() && matches!(core.get(numbers), None | Some(b'-' | b'+' | b' '))
}

/// Whether `value` is a UUID.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_hexdigit() })
}

/// Whether `value` has the look of a digest: hex of a usual length.
pub(crate) fn is_digest(value: &[u8]) -> bool {
    matches!(value.len(), 32 | 40 | 56 | 64 | 96 | 128) && value.iter().all(u8::is_ascii_hexdigit)
}

/// How many different marks `value` has that no name has.
fn odd_marks(value: &[u8]) -> usize {
    b"!@#$%^&*(){}[]<>?+~|".iter().filter(|mark| value.contains(mark)).count()
}

/// Whether `value` can hardly be but random: letters and digits in turns, or letters that no word has, and no blanks.
pub(crate) fn is_sure(value: &[u8], shortest: usize) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    value.len() >= shortest
        && letters > 0
        && value.iter().all(u8::is_ascii_graphic)
        && !is_stand_in(value)
        && !is_place(value)
        && !is_label(value)
        && !is_expression(value)
        && (is_random(value) || digits > 0 && !is_name(value) || odd_marks(value) >= 5)
        && entropy(value) >= if value.len() >= 16 { 3.0 } else { 2.3 }
}

/// Whether `value` is an expression of a regular language: classes, groups, escapes of classes.
pub(crate) fn is_regex(value: &[u8]) -> bool {
    const PARTS: [&[u8]; 19] = [
        b"(?", b"A-Z", b"a-z", b"0-9", b"]{", b"\\x", b"[^", b"\\w", b"\\d", b"\\s", b"\\S", b"[a-z", b"[A-Z", b"[0-9",
        b"a-zA-Z", b"a-z0-9", b"\\.", b"]+", b".*",
    ];
    PARTS.iter().filter(|part| memchr::memmem::find(value, part).is_some()).count() >= 2
        || value.starts_with(b"(?")
        || value.starts_with(b"^") && value.ends_with(b"$")
}

/// Whether `value` is a path of names in code, `oauth2client.client.Credentials`: two dots or more, or one before a capital.
pub(crate) fn is_dotted(value: &[u8]) -> bool {
    let parts = || value.split(|byte| *byte == b'.');
    let name = |part: &[u8]| {
        part.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            && part.len() < 40
            && part.iter().filter(|byte| byte.is_ascii_digit()).count() * 3 <= part.len()
            && !random::jumps(part)
    };
    let count = parts().count();
    let worded = |part: &[u8]| part.len() >= 3 && part.iter().any(|byte| b"aeiouyAEIOUY".contains(byte));
    count >= 2 && parts().all(name) && parts().next().is_some_and(worded) && (count > 2 || value.len() >= 16)
}

/// Whether `value` is a host, with a port or not.
pub(crate) fn is_host(value: &[u8]) -> bool {
    let port = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let host = match value.len().checked_sub(port + 1) {
        Some(colon) if port > 0 && value[colon] == b':' => &value[..colon],
        _ => value,
    };
    let labels = || host.split(|byte| *byte == b'.');
    let end = labels().next_back().unwrap_or_default();
    let plain = host.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(byte));
    plain
        && (host == b"localhost"
            || labels().count() >= 2 && (2..=6).contains(&end.len()) && end.iter().all(u8::is_ascii_lowercase))
        && labels().all(|label| !label.is_empty() && !is_random(label))
}

/// Whether `value` is a path, a file's name or a plain URL.
pub(crate) fn is_place(value: &[u8]) -> bool {
    if memchr::memmem::find(&value[..value.len().min(16)], b"://").is_some() {
        return true;
    }
    let simple = |extra: &[u8]| value.iter().all(|byte| byte.is_ascii_alphanumeric() || extra.contains(byte));
    let parts = |part: &[u8]| part.len() < 40 && has_words(part) && !is_random(part);
    let rooted = [&b"/"[..], b"./", b"../", b"~/"].iter().any(|root| value.starts_with(root));
    if rooted && simple(b"/._-~@+*") {
        return value.split(|byte| *byte == b'/').all(parts);
    }
    // `C:\\dir`, `\\\\host\\share`
    let drive = matches!(value, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    if (drive || value.starts_with(b"\\")) && simple(b"\\/._- :()") {
        return value.split(|byte| matches!(byte, b'/' | b'\\')).all(parts);
    }
    let lower = value[value.len().saturating_sub(16)..].to_ascii_lowercase();
    let file = lists().extensions.iter().any(|end| lower.ends_with(end) && value.len() > end.len());
    let relative = value.contains(&b'/') && !value.iter().any(u8::is_ascii_uppercase) && !value.starts_with(b"/");
    // Digits stand at the end of a path's parts, not within.
    let ends = |part: &[u8]| {
        let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        !part[..part.len() - digits].iter().any(u8::is_ascii_digit)
    };
    let part = |part: &[u8]| !part.is_empty() && parts(part) && (file || ends(part));
    simple(b"/._-@*") && (file || relative) && value.split(|byte| *byte == b'/').all(part)
}

fn has_words(part: &[u8]) -> bool {
    part.iter().filter(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()).count() * 3 <= part.len().max(3)
}

/// Whether `value` is a name as code has them: letters, underscores, dots, and at most a trailing digit or two.
pub(crate) fn is_name(value: &[u8]) -> bool {
    let core = value.trim_ascii_end();
    let digits = core.iter().filter(|byte| byte.is_ascii_digit()).count();
    digits * 8 <= core.len()
        && core.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-:?!&*".contains(byte))
        && !random::jumps(core)
        && !(core.len() >= 8 && is_random(core))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_told_from_secrets() {
        for text in [
            "${TOKEN}",
            "$TOKEN",
            "{{ .Values.x }}",
            "<your-token>",
            "changeme",
            "xxxxxxxx",
            "********",
            "os.getenv(\"X\")",
            "process.env.X",
            "secrets.X",
            "string",
            "%TOKEN%",
            "your-api-key",
            "{token}",
            "vault:secret/x",
            "TRAVEL_API_KEY",
            "somefakekey",
        ] {
            assert!(is_stand_in(text.as_bytes()), "{text}");
        }
        assert!(is_label(b"my-service-v2") && !is_label(b"a1b2c3d4-made-up") && !is_label(b"kxqz-pltr-7"));
        for text in ["hunter2", "Zx81-q-made-up!", "$2b$10$made.up", "p4ssw0rd!", "3f9a8c"] {
            assert!(!is_stand_in(text.as_bytes()), "{text}");
        }
        assert!(is_place(b"/run/secrets/db_password"));
        assert!(!is_place(b"/9jQ7Zk2Lm4Np8Rs6Tv1Wx3Yz5Bc7Df9Gh/aa+b="));
    }
}
