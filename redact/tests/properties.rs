//! What must hold for any text.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use dossier_redact::{Clean, DeniedValue, Error, Kind, ObjectKind, Redacted, Redactor};
use proptest::prelude::*;

fn redactor() -> Redactor {
    Redactor::builder()
        .denied_value(DeniedValue::new("a".to_owned(), ObjectKind::Secret, b"made-up-denied".to_vec()))
        .denied_value(DeniedValue::new("b".to_owned(), ObjectKind::Secret, b"made-up-denied-longer".to_vec()))
        .denied_value(DeniedValue::new("c".to_owned(), ObjectKind::Secret, b"abababab".to_vec()))
        .denied_value(DeniedValue::new(
            "d".to_owned(),
            ObjectKind::Secret,
            b"first odd line of it\nsecond odd line of it\n".to_vec(),
        ))
        .user_regex("ticket-[0-9]{4}")
        .build()
        .unwrap()
}

fn streamed(redactor: &Redactor, bytes: &[u8], sizes: &[usize]) -> Result<Redacted, Error> {
    let mut stream = redactor.stream();
    let (mut text, mut spans, mut at, mut turn) = (String::new(), Vec::new(), 0, 0);
    while at < bytes.len() {
        let size = sizes[turn % sizes.len()].clamp(1, bytes.len() - at);
        let chunk = stream.push(&bytes[at..at + size])?;
        text += chunk.text.as_str();
        spans.extend(chunk.spans);
        at += size;
        turn += 1;
    }
    let (chunk, counts) = stream.finish()?;
    text += chunk.text.as_str();
    spans.extend(chunk.spans);
    let clean = redactor.redact_bytes(bytes)?;
    assert_eq!(clean.text.as_str(), text);
    Ok(Redacted { text: clean.text, counts, spans })
}

/// Pieces that make things happen when put together.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,12}",
        1 => "\\PC{0,4}",
        2 => prop::sample::select(vec![
            "password=", "token: ", "\"secret\":\"", "\"", "'", "\\\"", "\n", "\n  ", " ", "://", "@", "Authorization: Bearer ", "AKIA", "ghp_",
            "q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "[REDACTED:secret]",
            "[REDACTED:denied-secret]", "[REDACTED:", "made-up-denied", "made-up-denied-longer", "abababab", "ab", "ticket-1234", "%3D", "\u{1b}[31m", "\u{200b}",
            "first odd line of it", "second odd line of it", "bWFkZS11cC1kZW5pZWQ=", "data:\n", "kind: Secret\n", "\"data\":{", "\"kind\":\"Secret\"", "}", "|\n  ", "&amp;", "\\n", "\\u0041",
        ]).prop_map(str::to_owned),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

/// So many cases, and more where `PROPTEST_CASES` asks for more than proptest's own 256.
fn cases(count: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse::<u32>().ok());
    ProptestConfig::with_cases(count * (asked.unwrap_or_default() / 256).max(1))
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn twice_changes_nothing(text in text()) {
        let redactor = redactor();
        let once = redactor.redact(&text).unwrap();
        let twice = redactor.redact(once.text.as_str()).unwrap();
        prop_assert_eq!(twice.text.as_str(), once.text.as_str());
        prop_assert_eq!(twice.counts.total(), 0);
        prop_assert_eq!(twice.counts.preexisting, once.counts.preexisting + once.counts.total());
    }

    #[test]
    fn what_is_outside_spans_stays(text in text()) {
        let redactor = redactor();
        let out = redactor.redact(&text).unwrap();
        let found = redactor.search(&text);
        prop_assert_eq!(found.len(), out.spans.len());
        let (mut rebuilt, mut at) = (String::new(), 0);
        for span in &found {
            rebuilt += &text[at..span.range.start];
            rebuilt += span.kind.marker();
            at = span.range.end;
        }
        rebuilt += &text[at..];
        prop_assert_eq!(out.text.as_str(), rebuilt.replace('\0', "\u{2400}"));
        for span in &out.spans {
            prop_assert_eq!(&out.text.as_str()[span.range.clone()], span.kind.marker());
        }
        let sum: u64 = out.counts.by_kind().values().sum();
        prop_assert_eq!(sum, out.spans.len() as u64);
    }

    #[test]
    fn denied_values_are_gone(before in text(), after in text()) {
        let out = redactor().redact(&format!("{before}made-up-denied-longer{after}")).unwrap();
        prop_assert!(!out.text.as_str().contains("made-up-denied"), "{}", out.text);
    }

    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let redactor = redactor();
        let whole = redactor.redact_bytes(&bytes);
        let single = streamed(&redactor, &bytes, &[1]);
        prop_assert_eq!(whole, single);
        redactor.search_bytes(&bytes);
    }

    #[test]
    fn slices_hold_no_piece_of_a_marker(text in text(), a in 0_usize..400, b in 0_usize..400) {
        let out = redactor().redact(&text).unwrap();
        let part = out.text.slice(a.min(b)..a.max(b));
        prop_assert!(out.text.as_str().contains(part.as_str()));
        for marker in Kind::ALL.map(Kind::marker) {
            let rest = part.as_str().replace(marker, "");
            let cut = (1..marker.len()).any(|len| rest.starts_with(&marker[len..]) && marker[len..].len() > 8);
            prop_assert!(!cut || text.contains("REDACTED"));
        }
    }
}

/// Filler that looks like a log.
fn filler(len: usize) -> String {
    let line = "2024-05-06T07:08:09.123Z INFO worker-7 handled request path=/api/v1/items status=200 bytes=5123\n";
    line.repeat(len / line.len() + 1)[..len].to_owned()
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn no_secret_survives_at_any_offset(offset in 0_usize..600 * 1024, sizes in prop::collection::vec(1_usize..200_000, 1..5)) {
        let redactor = redactor();
        let token = "q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7";
        let body = "MIIEq7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb4Wc8Ny3Hj6Pl5Ds1\n".repeat(24);
        let secret = format!(
            "\npassword: {token}\nghp_{token} made-up-denied-longer bWFkZS11cC1kZW5pZWQ=\n-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\nticket-1234\n"
        );
        let text = format!("{}{secret}{}", filler(offset), filler(40_000));
        let out = redactor.redact(&text).unwrap();
        prop_assert_eq!(out.counts.total(), 6, "{:?}", out.counts);
        for planted in [token, "made-up-denied", "bWFkZS", "MIIE", "PRIVATE KEY", "ticket-1"] {
            prop_assert!(!out.text.as_str().contains(planted), "{planted}");
        }
        let pieces = streamed(&redactor, text.as_bytes(), &sizes).unwrap();
        prop_assert_eq!(pieces, out);
    }
}

/// Every window border, closely: offsets at which a commit or a window's end falls into the secret.
#[test]
fn no_secret_survives_at_the_borders_of_windows() {
    let redactor = redactor();
    let secret = " password=q7Zx2mK9vR4tB8wN3cY6 ";
    for border in [8, 112, 120, 128, 136, 144, 256, 272] {
        for back in (0..40).step_by(3) {
            let at = border * 1024 - back;
            for fill in [filler(at), " ".repeat(at), "a".repeat(at)] {
                let out = redactor.redact(&format!("{fill}{secret}{}", filler(20_000))).unwrap();
                assert_eq!(out.counts.total(), 1, "border {border} back {back}");
                assert!(!out.text.as_str().contains("q7Zx"), "border {border} back {back}");
            }
        }
    }
}

/// Spans that are longer than what is held back.
#[test]
fn giants_go_whole() {
    let redactor = redactor();
    let long = "q7Zx2mK9vR4tB8wN".repeat(40_000);
    for (before, after, left) in
        [("password=", " end", " end"), ("password=\"", "\" end", "\" end"), ("Cookie: a=", "\nend", "\nend")]
    {
        let text = format!("x\n{before}{long}{after}");
        let out = redactor.redact(&text).unwrap();
        assert!(out.text.len() < 100, "{before}: {} {}", out.text.len(), &out.text.as_str()[..80]);
        assert!(out.text.as_str().ends_with(left), "{before}: {}", out.text);
        assert_eq!(out.counts.total(), 1);
        assert_eq!(streamed(&redactor, text.as_bytes(), &[1000, 77_777]).unwrap(), out);
    }
    let key = format!(
        "x\n-----BEGIN RSA PRIVATE KEY-----\n{}-----END RSA PRIVATE KEY-----\nend",
        format!("{}\n", &long[..64]).repeat(8000)
    );
    let out = redactor.redact(&key).unwrap();
    assert!(!out.text.as_str().contains("q7Zx"), "{}", out.text.len());
}

#[test]
fn kubernetes_objects_are_held() {
    let redactor = redactor();
    let rows: String = (0..6000).map(|n| format!("  key-{n}: cTdaeDJtSzl2UjR0Qjh3TjNjWTY{n}\n")).collect();
    let text = format!(
        "{}apiVersion: v1\ndata:\n{rows}kind: Secret\nmetadata:\n  name: x\n---\n{}",
        filler(100_000),
        filler(1000)
    );
    let out = redactor.redact(&text).unwrap();
    assert!(!out.text.as_str().contains("cTdaeDJt"));
    assert_eq!(out.counts.total(), 6000);
    let config = text.replace("kind: Secret", "kind: ConfigMap");
    assert_eq!(redactor.redact(&config).unwrap().text.as_str(), config);
    let huge = format!("apiVersion: v1\ndata:\n{}kind: Secret\n", rows.repeat(12));
    assert!(!redactor.redact(&huge).unwrap().text.as_str().contains("cTdaeDJt"));
}

#[test]
fn the_empty_text() {
    assert_eq!(redactor().redact("").unwrap().text, Clean::default());
}
