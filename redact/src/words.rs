//! What a value says about itself: placeholder, reference, type, prose; and how random it looks.

use crate::denied::is_common;

/// Values that stand for a type, a switch or nothing.
const PLAIN: &[&str] = &[
    "string",
    "str",
    "&str",
    "number",
    "int",
    "integer",
    "bool",
    "boolean",
    "bytes",
    "byte",
    "[]byte",
    "any",
    "object",
    "void",
    "text",
    "varchar",
    "char",
    "secretstr",
    "securestring",
    "optional",
    "option",
    "null",
    "nil",
    "none",
    "undefined",
    "true",
    "false",
    "yes",
    "no",
    "on",
    "off",
    "required",
    "missing",
    "empty",
    "invalid",
    "valid",
    "expired",
    "unset",
    "self",
    "this",
    "default",
    "redacted",
    "masked",
    "hidden",
    "filtered",
    "removed",
    "secret",
    "password",
    "token",
    "passwd",
    "key",
    "apikey",
    "changeme",
    "change-me",
    "change_me",
    "replaceme",
    "replace-me",
    "replace_me",
    "placeholder",
    "todo",
    "tbd",
    "fixme",
    "foo",
    "bar",
    "baz",
    "dummy",
    "sample",
    "example",
    "pass",
    "pwd",
    "type",
    "name",
    "value",
    "auto",
    "inherit",
    "write",
    "read",
    "prompt",
    "function",
    "async",
    "await",
    "return",
    "const",
    "static",
    "public",
    "private",
    "new",
    "not",
    "and",
    "the",
    "for",
    "with",
    "from",
    "into",
    "that",
    "this",
    "when",
    "your",
    "credentials",
    "basic",
    "bearer",
    "username",
    "user",
    "mypassword",
    "yourpassword",
    "file",
    "path",
    "url",
    "uuid",
    "email",
    "hash",
    "array",
    "list",
    "dict",
    "map",
    "enabled",
    "disabled",
    "unknown",
    "error",
];

/// Beginnings of values that refer to a secret instead of being one, in lower case.
const REFERENCES: &[&str] = &[
    "os.",
    "process.env",
    "import.meta",
    "env.",
    "env(",
    "getenv",
    "secrets.",
    "secret.",
    "vars.",
    "var.",
    "local.",
    "data.",
    "module.",
    "config.",
    "settings.",
    "self.",
    "this.",
    "vault:",
    "vault.",
    "file(",
    "file:",
    "ref+",
    "arn:",
    "op://",
    "ssm:",
    "secretsmanager:",
    "projects/",
    "system.getenv",
    "environment.",
    "!vault",
    "!ref",
    "!sub",
    "!getatt",
    "!env",
    "!secret",
    "awssm:",
    "keyring:",
    "gcp:",
    "azurekeyvault",
    "@microsoft.keyvault",
    "kms:",
    "sops:",
    "enc[",
    "bao:",
    "steps.",
    "needs.",
    "inputs.",
    "github.",
    "params.",
    "request.",
    "req.",
    "response.",
    "res.",
    "ctx.",
    "props.",
    "state.",
    "args.",
    "opts.",
    "options.",
];

/// Beginnings of placeholders, in lower case.
const PLACEHOLDERS: &[&str] = &[
    "your-",
    "your_",
    "your ",
    "my-secret-here",
    "<",
    "{{",
    "{%",
    "${",
    "$(",
    "$[",
    "#{",
    "%(",
    "%{",
    "@{",
    "[redacted",
    "insert-",
    "insert_",
    "enter-",
    "enter_",
    "replace-",
    "replace_",
    "change-me",
    "change_me",
    "changeme",
    "example-",
    "example_",
    "placeholder",
    "redacted",
    "todo",
    "xxx",
    "...",
    "***",
    "---",
    "___",
    "\u{2026}",
    "\u{2022}",
];

/// Whether `value` is a placeholder, a reference, a type or a word that cannot be a secret.
pub(crate) fn is_stand_in(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let head = value[..value.len().min(512)].to_ascii_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| head.starts_with(word.as_bytes()));
    if begins(PLACEHOLDERS) || begins(REFERENCES) || PLAIN.iter().any(|word| word.as_bytes() == head) {
        return true;
    }
    if is_literal(&head) || is_variable_path(value) || is_path_of_names(value) {
        return true;
    }
    if value.first() == Some(&b'$')
        && value[1..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && value.get(1).is_some_and(|b| !b.is_ascii_digit())
    {
        return true;
    }
    if value.len() > 2 && value[0] == b'%' && value.ends_with(b"%") && !value[1..value.len() - 1].contains(&b'%') {
        return true;
    }
    if let [b'{', inner @ .., b'}'] = value
        && inner.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-:$ ".contains(byte))
    {
        return true;
    }
    // One character again and again, or hardly anything but masking.
    let masked = value.iter().filter(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'-' | b'_' | b'#')).count();
    if masked * 4 >= value.len() * 3 || value.iter().all(|byte| byte == &value[0]) {
        return true;
    }
    is_common(value)
        || mentions(&head, b"placeholder")
        || mentions(&head, b"changeme")
        || mentions(&head, b"your-")
        || mentions(&head, b"your_")
        || mentions(&head, b"${")
        || mentions(&head, b"{{")
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
    byte.is_ascii_lowercase() || b"_.:&*()+-".contains(&byte)
}

/// `db-creds-v2`: words joined by dashes, and a number or version among them.
pub(crate) fn is_label(value: &[u8]) -> bool {
    let parts: Vec<&[u8]> = value.split(|byte| matches!(byte, b'-' | b'_')).collect();
    let is_word = |part: &[u8]| {
        (2..=14).contains(&part.len())
            && part.iter().all(u8::is_ascii_lowercase)
            && (part.len() < 4 || part.iter().any(|byte| b"aeiouy".contains(byte)))
    };
    let is_count = |part: &[u8]| {
        let digits = part.strip_prefix(b"v").unwrap_or(part);
        (1..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
    };
    let words = parts.iter().filter(|part| is_word(part)).count();
    value.len() <= 48
        && parts.len() > 1
        && words > 0
        && parts.iter().all(|part| is_word(part) || is_count(part))
        && parts.iter().filter(|part| is_count(part)).count() <= 2
}

/// Whether `value` is made of what tokens are made of.
pub(crate) fn is_tokenish(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.~+/=".contains(byte))
}

/// Whether letters are mixed as only chance mixes them: a digit among them, or capitals that begin no words.
pub(crate) fn is_mixed(value: &[u8]) -> bool {
    let pairs = value.windows(2).filter(|pair| pair.iter().all(u8::is_ascii_uppercase)).count();
    let humps = value.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    value.iter().any(u8::is_ascii_digit) || pairs >= 2 && humps >= 3
}

fn mentions(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && memchr::memmem::find(text, word).is_some()
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

/// Whether `value` is a path or a plain URL.
pub(crate) fn is_place(value: &[u8]) -> bool {
    if memchr::memmem::find(&value[..value.len().min(16)], b"://").is_some() {
        return true;
    }
    let rooted = [&b"/"[..], b"./", b"../", b"~/"].iter().any(|root| value.starts_with(root));
    let simple = value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/._-~@".contains(byte));
    rooted && simple && value.split(|byte| *byte == b'/').all(|part| part.len() < 32 && has_words(part))
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
        && !jumps(core)
}

/// Whether upper and lower case change as they do in random text.
fn jumps(value: &[u8]) -> bool {
    let changes = value.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    value.len() >= 20 && changes * 4 >= value.len()
}

/// Shannon entropy in bits a byte.
pub(crate) fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value {
        counts[usize::from(*byte)] += 1;
    }
    let total = value.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total).map(|p| -p * p.log2()).sum()
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
