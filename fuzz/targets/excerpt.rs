//! Any log: the room is kept, pieces make no difference, what fits is whole, kept lines are the log's, and a second cut keeps to its
//! room too.
#![no_main]

use dossier_bundle::cut::Measure;
use dossier_bundle::escape::{self, Place};
use dossier_bundle::excerpt::{self, Excerpt, Excerpted};
use dossier_redact::Redactor;
use libfuzzer_sys::fuzz_target;

fn taken(text: &str, room: usize, piece: usize) -> Excerpted<String> {
    let mut excerpt: Excerpt<String> = Excerpt::new(room, Measure::Raw);
    let mut from = 0;
    while from < text.len() {
        let to = text.ceil_char_boundary((from + piece).min(text.len()));
        excerpt.push(&text[from..to].to_owned(), &[]);
        from = to;
    }
    excerpt.finish()
}

fuzz_target!(|data: &[u8]| {
    let [first, second, rest @ ..] = data else { return };
    let text = String::from_utf8_lossy(rest).into_owned().repeat(1 + usize::from(*second) % 5);
    let (room, piece) = (512 + usize::from(*first) * 8, 1 + usize::from(*second));
    let whole = taken(&text, room, usize::MAX / 2);
    assert_eq!(whole, taken(&text, room, piece));
    assert!(whole.text.len() <= room);
    assert!(text.len() > room || whole.text == text);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (from, to) in &whole.kept {
        assert!(1 <= *from && from <= to && *to as usize <= lines.len());
    }
    let missing = whole.missing.map_or(0, |missing| missing.bytes);
    assert!(missing <= text.len());
    let Ok(redacted) = Redactor::builder().build().and_then(|redactor| redactor.redact(&whole.text)) else { return };
    let again = excerpt::again(&redacted.text, whole.missing, whole.first_error, room / 2 + 256, Measure::Rendered);
    assert!(escape::len(again.text.as_str(), Place::Text) <= room / 2 + 256);
});
