//! How fast redaction is, beside SHA-256 of the same bytes in the same run; `scripts/bench-redact` builds the inputs.
//!
//!     cargo run --release -p dossier-redact --example throughput [-- [--only NAME] [FILE...]]
//!
//! Times are of this thread's processor, so that neighbours disturb little. A text goes through a stream in pieces of 1 MB, its
//! output is dropped, and the best of five counts. Without files it makes its own logs and the inputs that are meant to be slow.

use std::time::Duration;

use dossier_redact::{DeniedValue, ObjectKind, Redactor};
use rustix::time::{ClockId, clock_gettime};
use sha2::{Digest as _, Sha256};

const PIECE: usize = 1_000_000;

fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

fn took(work: impl Fn()) -> Duration {
    (0..5)
        .map(|_| {
            let start = now();
            work();
            now() - start
        })
        .min()
        .unwrap_or_default()
}

/// Redacts in pieces and gives the number of spans.
fn redact(text: &[u8], redactor: &Redactor) -> Result<u64, dossier_redact::Error> {
    let mut stream = redactor.stream();
    for piece in text.chunks(PIECE) {
        std::hint::black_box(stream.push(piece)?);
    }
    Ok(stream.finish()?.1.total())
}

fn report(name: &str, text: &[u8], redactor: &Redactor, only: Option<&str>) -> Result<(), dossier_redact::Error> {
    if only.is_some_and(|only| only != name) {
        return Ok(());
    }
    let megabytes = text.len() as f64 / 1e6;
    let hash = took(|| {
        std::hint::black_box(Sha256::digest(text));
    });
    let count = redact(text, redactor)?;
    let redaction = took(|| {
        let _ = std::hint::black_box(redact(text, redactor));
    });
    println!(
        "| {name} | {megabytes:.1} MB | {:.0} MB/s | {:.0} MB/s | {:.3} × | {count} |",
        megabytes / redaction.as_secs_f64(),
        megabytes / hash.as_secs_f64(),
        hash.as_secs_f64() / redaction.as_secs_f64(),
    );
    Ok(())
}

fn repeat(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes / unit.len() + 1)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = (arguments.first().map(String::as_str) == Some("--only") && arguments.len() > 1)
        .then(|| arguments.drain(..2).nth(1))
        .flatten();
    let only = only.as_deref();
    println!("| input | size | redaction | SHA-256 | redaction against SHA-256 | spans |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let plain = Redactor::builder().build()?;
    let mut denying = Redactor::builder();
    for number in 0..100 {
        let value = format!("made-up-{number}-denied-value-{}", number * 7919).into_bytes();
        denying = denying.denied_value(DeniedValue::new(number.to_string(), ObjectKind::Secret, value));
    }
    let denying = denying.build()?;
    if !arguments.is_empty() {
        for path in arguments {
            let text = std::fs::read(&path)?;
            let name = std::path::Path::new(&path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            report(&name, &text, &plain, only)?;
            report(&format!("{name}, 100 denied values"), &text, &denying, only)?;
        }
        return Ok(());
    }

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
    report("logs", logs.as_bytes(), &plain, only)?;
    report("logs, 100 denied values", logs.as_bytes(), &denying, only)?;
    let mixed: String = logs
        .lines()
        .enumerate()
        .map(
            |(index, line)| {
                if index % 200 == 0 { format!("{line} password=Zx81-made-up-{index}\n") } else { format!("{line}\n") }
            },
        )
        .collect();
    report("logs, a secret in 200 lines", mixed.as_bytes(), &plain, only)?;

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
        report(name, repeat(unit, 1_000_000).as_bytes(), &plain, only)?;
    }
    Ok(())
}
