//! A secret is redacted before anything is cut, so no offset at which it straddles a cut leaves a piece of it. Freezing is
//! tried at each offset near each cut, and at offsets spread over the rest; `DOSSIER_TEST_STRIDE=1` tries each of them.

use std::sync::OnceLock;

use dossier_bundle::cut::Measure;
use dossier_bundle::draft::{Draft, Prompt};
use dossier_bundle::excerpt::Excerpt;
use dossier_bundle::limits::Limits;
use dossier_bundle::{Frozen, freeze};
use dossier_redact::{Clean, DeniedValue, ObjectKind, Redactor};
use dossier_tests::{Resolved, words};

/// Bytes of a secret that must not stand anywhere, however it was cut.
const PIECE: usize = 8;

/// A denied value, a provider's token, and a private key. All made up.
pub(crate) fn secrets() -> [(&'static str, String); 3] {
    let token = format!("ghp_{}", "q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7");
    let body = "MIICXQIBAAKBgQDq7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7uEwVaTnRbMyCi\n\
                Hs9fJgLd3kPz6oXwQe1rYt8uIoAp5sDfGhJkLzXcVbNmQwErTyUiOpAsDfGhJkLz\n";
    let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----");
    [("denied", DENIED.to_owned()), ("token", token), ("key", key)]
}

/// The denied value.
pub(crate) const DENIED: &str = "wobbly-Lantern-77-orchard-Kx0";
/// A denied value with an empty line in it, as a separator of fragments has.
const SPLIT: &str = "Qz81kfW0x7\n\nPl39vvT2yR";

fn redactor() -> &'static Redactor {
    static REDACTOR: OnceLock<Redactor> = OnceLock::new();
    REDACTOR.get_or_init(|| {
        let value = |name: &str, value: &str| DeniedValue::new(name.to_owned(), ObjectKind::Secret, value.into());
        Redactor::builder().denied_value(value("a", DENIED)).denied_value(value("b", SPLIT)).build().unwrap()
    })
}

fn stride() -> usize {
    std::env::var("DOSSIER_TEST_STRIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(97)
}

fn resolved() -> Resolved<'static> {
    Resolved(redactor())
}

/// Whether bytes hold a piece of a secret.
pub(crate) fn holds_piece(bytes: &[u8], secret: &str) -> bool {
    // What every private key begins and ends with is no secret.
    let lines = secret.lines().filter(|line| !line.starts_with("-----"));
    let mut pieces = lines.flat_map(|line| line.as_bytes().windows(PIECE).step_by(PIECE / 2));
    pieces.any(|piece| memchr::memmem::find(bytes, piece).is_some())
}

fn check(frozen: &Frozen, secret: &str, at: &str) {
    let sealed = frozen.sealed.as_ref().unwrap_or_else(|| panic!("{at}: {:?}", frozen.findings));
    assert!(!holds_piece(&sealed.bytes, secret), "{at}: in the manifest");
    for blob in &sealed.blobs {
        assert!(!holds_piece(&blob.bytes, secret), "{at}: in a blob");
    }
}

/// Offsets to try in `text`: near each of `cuts`, and spread over all.
fn offsets(len: usize, cuts: &[usize], secret: usize) -> Vec<usize> {
    let near = cuts.iter().flat_map(|cut| cut.saturating_sub(secret + 8)..=(cut + 8).min(len));
    let mut all: Vec<usize> =
        near.step_by(if stride() == 1 { 1 } else { 3 }).chain((0..=len).step_by(stride())).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn planted(text: &str, at: usize, secret: &str) -> String {
    format!("{}{}{secret}{}{}", &text[..at], if at > 0 { " " } else { "" }, " ", &text[at..])
}

/// Where a cut leaves the text: behind the head that is kept, and before the end that is.
fn cuts(text: &str, kept: &str) -> Vec<usize> {
    let head = text.bytes().zip(kept.bytes()).take_while(|(a, b)| a == b).count();
    let tail = text.bytes().rev().zip(kept.bytes().rev()).take_while(|(a, b)| a == b).count();
    vec![head, text.len() - tail]
}

/// Plants each secret at each offset of a source, with limits that `limit` sets, and looks for pieces of it.
fn sweep(kind: &str, text: &str, limit: impl Fn(&mut Limits)) {
    let frozen = |text: &str| {
        let mut draft = resolved().draft(vec![resolved().source(kind, "one", text)]);
        limit(&mut draft.limits);
        freeze(draft, redactor())
    };
    let plain = frozen(text).sealed.unwrap();
    let stored: serde_json::Value = serde_json::from_slice(&plain.blobs[3].bytes).unwrap();
    let kept = stored["sources"][0]["text"].as_str().unwrap();
    assert!(kept.len() < text.len(), "{kind}: nothing was cut");
    let cuts = cuts(text, kept);
    for (name, secret) in secrets() {
        for at in offsets(text.len(), &cuts, secret.len()) {
            check(&frozen(&planted(text, at, &secret)), &secret, &format!("{kind}: {name} at {at}"));
        }
    }
}

#[test]
fn at_the_limit_of_a_source() {
    sweep("artifacts", &words(6_000, 1), |limits| limits.max_source_bytes = 2_000);
}

#[test]
fn at_the_limit_of_a_log() {
    sweep("logs", &words(6_000, 2), |limits| limits.max_log_bytes = 2_000);
}

#[test]
fn at_the_limit_of_a_diff() {
    let hunk = |n: usize| {
        format!("@@ -{0},3 +{0},4 @@ fn part_{n}()\n let a = 1;\n+let b = 2;\n let c = 3;\n let d = 4;\n", n * 10 + 1)
    };
    let hunks: String = (0..60).map(hunk).collect();
    let diff = format!("diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n{hunks}");
    sweep("diff-hunks", &diff, |limits| limits.max_diff_bytes = 2_000);
}

#[test]
fn at_the_limit_of_the_whole() {
    sweep("artifacts", &words(6_000, 3), |limits| limits.max_bytes = 4_500);
}

#[test]
fn at_the_cut_of_an_upload_that_streams() {
    let text = words(12_000, 4);
    let excerpt = |text: &str, chunk: usize| {
        let (mut stream, mut excerpt) = (redactor().stream(), Excerpt::new(4_000, Measure::Raw));
        for piece in text.as_bytes().chunks(chunk) {
            let chunk = stream.push(piece).unwrap();
            excerpt.push(&chunk.text, &chunk.swallowed);
        }
        let chunk = stream.finish().unwrap().0;
        excerpt.push(&chunk.text, &chunk.swallowed);
        excerpt.finish().text
    };
    let cuts = cuts(&text, excerpt(&text, 1_000).as_str());
    for (name, secret) in secrets() {
        for at in offsets(text.len(), &cuts, secret.len()) {
            let out = excerpt(&planted(&text, at, &secret), 1 + at % 1_500);
            assert!(!holds_piece(out.as_str().as_bytes(), &secret), "{name} at {at}");
        }
    }
}

#[test]
fn at_every_border_of_two_chunks() {
    // Before it more than the engine holds back, so that the border is one of its own steps too.
    for before in [100, 128 * 1024 - 60, 256 * 1024 - 60] {
        let filler = words(before, 5);
        for (name, secret) in secrets() {
            let text = format!("{filler} {secret} and more\n");
            let step = if stride() == 1 { 1 } else { 5 };
            for cut in (0..=secret.len()).step_by(step) {
                let (head, tail) = text.as_bytes().split_at(before + 1 + cut);
                let mut stream = redactor().stream();
                let mut out = String::new();
                for piece in [head, tail] {
                    out.push_str(stream.push(piece).unwrap().text.as_str());
                }
                out.push_str(stream.finish().unwrap().0.text.as_str());
                assert!(!holds_piece(out.as_bytes(), &secret), "{name} cut at {cut} behind {before}");
            }
        }
    }
}

#[test]
fn around_the_engines_own_steps() {
    let text = words(300 * 1024, 6);
    let step = if stride() == 1 { 1 } else { 17 };
    for (name, secret) in secrets() {
        for border in [112 * 1024, 120 * 1024, 128 * 1024, 240 * 1024, 256 * 1024] {
            for at in (border - secret.len() - 2..=border + 2).step_by(step) {
                let out = redactor().redact(&planted(&text, at, &secret)).unwrap();
                assert!(!holds_piece(out.text.as_str().as_bytes(), &secret), "{name} at {at}");
            }
        }
    }
}

#[test]
fn over_the_border_of_two_fragments() {
    // Neither half is denied; together, with what stands between fragments, they are.
    let (first, second) = SPLIT.split_once("\n\n").unwrap();
    type Put = fn(&mut Draft<Clean>, Option<Prompt<Clean>>, Option<Prompt<Clean>>);
    let places: [(&str, Put); 1] = [("trigger and user", |draft, a, b| (draft.trigger, draft.user) = (a, b))];
    for (place, put) in places {
        for filler in (0..200).step_by(7) {
            let mut draft = resolved().draft(Vec::new());
            let (head, tail) = (words(filler, 7), words(filler, 8));
            put(
                &mut draft,
                resolved().prompt(&format!("{head}{first}")),
                resolved().prompt(&format!("{second} {tail}")),
            );
            check(&freeze(draft, redactor()), SPLIT, &format!("{place}, {filler} bytes around"));
        }
    }
    for (name, secret) in secrets() {
        for part in [0, 1, 2] {
            let mut draft = resolved()
                .draft(vec![resolved().source("logs", "a", "one"), resolved().source("artifacts", "b", "two")]);
            let edge = resolved().prompt(&format!("text {secret}"));
            match part {
                0 => draft.system = edge,
                1 => draft.trigger = edge,
                _ => draft.user = edge,
            }
            check(&freeze(draft, redactor()), &secret, &format!("{name} at the end of part {part}"));
        }
    }
}
