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
        for text in ["hunter2", "Zx81-q-made-up!", "$2b$10$made.up", "p4ssw0rd!", "3f9a8c"] {
            assert!(!is_stand_in(text.as_bytes()), "{text}");
        }
        assert!(is_place(b"/run/secrets/db_password"));
        assert!(!is_place(b"/9jQ7Zk2Lm4Np8Rs6Tv1Wx3Yz5Bc7Df9Gh/aa+b="));
    }
}
