//! Any bytes: no panic, the same in pieces as whole, nothing new at the second time, and all that is outside spans stays.
#![no_main]

use std::sync::LazyLock;

use dossier_redact::{DeniedValue, Error, Kind, ObjectKind, Redactor};
use libfuzzer_sys::fuzz_target;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| {
    let values = [&b"made-up-denied"[..], b"made-up-denied-longer", b"abababab", b"first odd line\nsecond odd line\n"];
    let denied = |value: &&[u8]| DeniedValue::new("a".to_owned(), ObjectKind::Secret, value.to_vec());
    let builder = values.iter().map(denied).fold(Redactor::builder(), |builder, value| builder.denied_value(value));
    builder.user_regex("ticket-[0-9]{4}").build().expect("it is well-formed")
});

/// The longest marker.
const MARKER: usize = 25;

fuzz_target!(|data: &[u8]| {
    // The first byte says how large the pieces are.
    let Some((size, bytes)) = data.split_first() else { return };
    let whole = match REDACTOR.redact_bytes(bytes) {
        Ok(whole) => whole,
        Err(Error::Binary) => return,
        Err(error) => panic!("{error}"),
    };
    let mut stream = REDACTOR.stream();
    let mut text = String::new();
    for piece in bytes.chunks(usize::from(*size) + 1) {
        text += stream.push(piece).expect("the whole is text").text.as_str();
    }
    let (rest, counts) = stream.finish().expect("the whole is text");
    text += rest.text.as_str();
    assert_eq!(text, whole.text.as_str(), "in pieces");
    assert_eq!(counts.total(), whole.counts.total(), "in pieces");

    let again = REDACTOR.redact(whole.text.as_str()).expect("it is text");
    assert_eq!(again.text.as_str(), whole.text.as_str(), "twice");
    assert_eq!(again.counts.total(), 0, "twice");

    // What a search claims of the text is what is replaced, and nothing else.
    let shown = String::from_utf8_lossy(bytes).replace('\0', "\u{2400}");
    let (mut rebuilt, mut at) = (String::new(), 0);
    for span in REDACTOR.search(&shown) {
        rebuilt += &shown[at..span.range.start];
        rebuilt += Kind::marker(span.kind);
        at = span.range.end;
    }
    rebuilt += &shown[at..];
    assert_eq!(rebuilt, whole.text.as_str(), "outside");
    assert!(whole.text.as_str().len() <= shown.len() + whole.spans.len() * MARKER, "length");
});
