//! How fast redaction is, beside SHA-256 in the same run: `cargo run --release -p dossier-redact --example throughput`.

use std::time::{Duration, Instant};

use dossier_redact::{DeniedValue, ObjectKind, Redactor};
use sha2::{Digest as _, Sha256};

fn took(work: impl Fn()) -> Duration {
    (0..3)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn report(name: &str, text: &str, redactor: &Redactor) {
    // An argument chooses the lines whose name holds it.
    if std::env::args().nth(1).is_some_and(|part| !name.contains(&part)) {
        return;
    }
    let megabytes = text.len() as f64 / 1e6;
    let hash = took(|| {
        let _ = std::hint::black_box(Sha256::digest(text.as_bytes()));
    });
    let redaction = took(|| drop(redactor.redact(text)));
    let count = redactor.redact(text).map_or(0, |out| out.counts.total());
    println!(
        "{name:<28} {:>8.1} MB/s  {:>6.3} x SHA-256  {:>8.1} ms  {count} spans",
        megabytes / redaction.as_secs_f64(),
        hash.as_secs_f64() / redaction.as_secs_f64(),
        redaction.as_secs_f64() * 1e3,
    );
}

fn repeat(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes / unit.len() + 1)
}

fn main() -> Result<(), dossier_redact::Error> {
    let plain = Redactor::builder().build()?;
    let mut denying = Redactor::builder();
    for number in 0..100 {
        let value = format!("made-up-{number}-denied-value-{}", number * 7919).into_bytes();
        denying = denying.denied_value(DeniedValue::new(number.to_string(), ObjectKind::Secret, value));
    }
    let denying = denying.build()?;

    let mut logs = String::new();
    let mut number = 1_u64;
    while logs.len() < 32_000_000 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        logs += &format!(
            "2024-05-06T07:08:{:02}.{:03}Z INFO [worker-{}] request completed method=GET path=/api/v1/items/{} status=200 bytes={} trace={number:016x}\n",
            number % 60,
            number % 1000,
            number % 16,
            number % 9973,
            number % 65_536,
        );
    }
    report("logs", &logs, &plain);
    report("logs, 100 denied values", &logs, &denying);
    let mixed: String = logs
        .lines()
        .enumerate()
        .map(
            |(index, line)| {
                if index % 200 == 0 { format!("{line} password=Zx81-made-up-{index}\n") } else { format!("{line}\n") }
            },
        )
        .collect();
    report("logs, a secret in 200 lines", &mixed, &plain);
    let source = repeat(include_str!("../src/assign.rs"), 8_000_000);
    report("source", &source, &plain);

    for (name, unit) in [
        ("password=", "password="),
        ("password=\"", "password=\""),
        ("token=token", "token=x "),
        ("blanks", " "),
        ("AKIA", "AKIA"),
        ("ghp_", "ghp_"),
        ("base64", "cTdaeDJtSzl2UjR0Qjh3TjNjWTZoSjVwTDFzRDBmR2s"),
        ("quotes", "\""),
        ("://a:", "://a:"),
        ("://", "://"),
        ("-----BEGIN", "-----BEGIN "),
        ("BEGIN key", "-----BEGIN RSA PRIVATE KEY-----"),
        ("END key", "-----END RSA PRIVATE KEY-----"),
        ("Authorization: ", "Authorization: "),
        ("Cookie: a", "Cookie: a "),
        ("backslashes", "\\"),
        ("\\n", "\\n"),
        ("%41", "%41"),
        ("&amp;", "&amp;"),
        ("escapes", "\u{1b}[31m"),
        ("data", "data:\n"),
        ("\"data\":{", "\"data\":{"),
        ("eyJ", "eyJ"),
        ("sk-", "sk-"),
        ("markers", "[REDACTED:secret]"),
        ("bearer", "Bearer "),
        ("secret key block", "secret: |\n "),
        ("text base64", "dGhpcyBpcyBqdXN0IHBsYWluIHRleHQgb25jZSBtb3Jl "),
    ] {
        report(name, &repeat(unit, 1_000_000), &plain);
    }
    Ok(())
}
