//! Each example of the token rules in whatever carries text: files, code, logs, encodings. Only built for tests.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use crate::Redactor;
use crate::rules;

/// What a carrier makes of an example: the text, and what stands in it for a part of the example.
type Carrier = (&'static str, fn(&str) -> String, Part);

/// How a part of an example is found again in what carries it.
#[derive(Clone, Copy)]
enum Part {
    /// Written by this encoding, byte by byte.
    Encoded(fn(&str) -> String),
    /// In an encoding that goes whole, or broken by what is not seen: nothing of four bytes may be left of it.
    Whole,
}

fn same(text: &str) -> String {
    text.to_owned()
}

fn json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    quoted[1..quoted.len() - 1].to_owned()
}

fn json_in_json(text: &str) -> String {
    json(&json(text))
}

fn percent(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

fn entities(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn single(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'")
}

fn hex(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

const CARRIERS: [Carrier; 28] = [
    ("bare", |e| format!("{e}\n"), Part::Encoded(same)),
    ("env", |e| format!("export CI_VALUE={e}\n"), Part::Encoded(same)),
    ("env-quoted", |e| format!("CI_VALUE='{e}'\n"), Part::Encoded(same)),
    ("json", |e| format!("{{\"n\": 1, \"value\": \"{}\"}}\n", json(e)), Part::Encoded(json)),
    ("yaml", |e| format!("app:\n  value: {e}\n  n: 1\n"), Part::Encoded(same)),
    ("url", |e| format!("GET https://x.example/p?n=1&value={} HTTP/1.1\n", percent(e)), Part::Encoded(percent)),
    ("header", |e| format!("> X-Value: {e}\r\n"), Part::Encoded(same)),
    ("log", |e| format!("2024-05-06T07:08:09.123Z INFO worker-7 got {e} for job 12\n"), Part::Encoded(same)),
    ("diff", |e| format!("@@ -1 +1 @@\n-    value: x\n+    value: {e}\n"), Part::Encoded(same)),
    ("python", |e| format!("value = '{}'\n", single(e)), Part::Encoded(single)),
    ("go", |e| format!("value := \"{}\"\n", json(e)), Part::Encoded(json)),
    ("javascript", |e| format!("const value = `{e}`;\n"), Part::Encoded(same)),
    ("java", |e| format!("String value = \"{}\";\n", json(e)), Part::Encoded(json)),
    ("rust", |e| format!("let value = r#\"{e}\"#;\n"), Part::Encoded(same)),
    ("escaped-json", |e| format!("body: {{\\\"value\\\":\\\"{}\\\"}}\n", json(e)), Part::Encoded(json)),
    (
        "json-in-json",
        |e| format!("{{\"body\": \"{{\\\"value\\\": \\\"{}\\\"}}\"}}\n", json_in_json(e)),
        Part::Encoded(json_in_json),
    ),
    ("xml", |e| format!("<value>{}</value>\n", entities(e)), Part::Encoded(entities)),
    ("xml-attribute", |e| format!("<x value=\"{}\"/>\n", entities(e)), Part::Encoded(entities)),
    ("markdown", |e| format!("Use `{e}` here, or ({e}).\n"), Part::Encoded(same)),
    ("csv", |e| format!("1,{e},x\n"), Part::Encoded(same)),
    ("coloured", |e| format!("\u{1b}[32m{e}\u{1b}[0m ok\n"), Part::Encoded(same)),
    ("broken-by-colour", |e| broken(e, "\u{1b}[0m\u{1b}[31m"), Part::Whole),
    ("broken-by-nothing", |e| broken(e, "\u{200b}"), Part::Whole),
    ("broken-by-width", folded, Part::Whole),
    ("base64", |e| format!("data: {}\n", STANDARD.encode(format!("value is {e} here"))), Part::Whole),
    ("base64-url", |e| format!("data: {}\n", URL_SAFE_NO_PAD.encode(format!("{{\"value\":\"{e}\"}}"))), Part::Whole),
    ("hex", |e| format!("data: {}\n", hex(&format!("value is {e} here"))), Part::Whole),
    ("percent", |e| format!("value%3D{}\n", percent(e)), Part::Encoded(percent)),
];

/// The example in a line that is broken at 80 columns, which fall into it.
fn folded(example: &str) -> String {
    let half = (example.len() / 2).min(200);
    let at = (half..example.len()).find(|at| example.is_char_boundary(*at)).unwrap_or_default();
    let (one, two) = example.split_at(at);
    let width = if one.len() < 70 { 80 } else { 240 };
    format!("{} {one}\n{two} ok\n", &"waits ".repeat(40)[..width - one.len() - 1])
}

/// The example with something unseen in the middle.
fn broken(example: &str, by: &str) -> String {
    let middle = (example.len() / 2..example.len()).find(|at| example.is_char_boundary(*at)).unwrap_or_default();
    format!("{}{by}{}\n", &example[..middle], &example[middle..])
}

/// Whether what is taken of the example alone is taken in the carrier too.
fn is_found(redactor: &Redactor, example: &str, carrier: &Carrier) -> bool {
    let (_, carry, part) = carrier;
    let text = carry(example);
    let taken = redactor.search(example);
    let out = redactor.search(&text);
    let left = |from: usize, to: usize| {
        let covered: usize =
            out.iter().map(|span| span.range.end.min(to).saturating_sub(span.range.start.max(from))).sum();
        covered < to - from
    };
    !taken.is_empty()
        && match part {
            Part::Encoded(encode) => taken.iter().all(|span| {
                let said = encode(&example[span.range.clone()]);
                text.match_indices(&said).all(|(at, _)| !left(at, at + said.len())) && text.contains(&said)
            }),
            Part::Whole => {
                let covered: usize = out.iter().map(|span| span.range.len()).sum();
                covered >= taken.iter().map(|span| span.range.len()).sum()
            }
        }
}

/// By carrier: how many examples there are, and those that are missed.
fn measure() -> BTreeMap<&'static str, (usize, Vec<String>)> {
    let redactor = Redactor::builder().build().expect("the built-in rules compile");
    let mut sums: BTreeMap<_, (usize, Vec<String>)> = BTreeMap::new();
    for compiled in rules::all() {
        for template in compiled.rule.takes {
            let example = rules::tests::expand(template);
            for carrier in &CARRIERS {
                let sum = sums.entry(carrier.0).or_default();
                sum.0 += 1;
                if !is_found(&redactor, &example, carrier) {
                    sum.1.push(format!("{}: {}", compiled.rule.id, (carrier.1)(&example).trim_end()));
                }
            }
        }
    }
    sums
}

#[test]
fn examples_are_taken_in_every_carrier() {
    let sums = measure();
    let all: usize = sums.values().map(|sum| sum.0).sum();
    let missed: Vec<_> =
        sums.iter().flat_map(|(name, sum)| sum.1.iter().map(move |text| format!("{name}: {text}"))).collect();
    assert!(missed.len() * 100 <= all, "{} of {all} missed:\n{}", missed.len(), missed.join("\n"));
}

/// Prints recall by carrier.
#[test]
#[ignore = "prints a report; run by `make redact-report`"]
fn report() {
    let sums = measure();
    println!("{:<44}{:>8}{:>8}{:>9}", "stages 2 to 5, token rules", "secrets", "missed", "% found");
    let line = |name: &str, all: usize, missed: usize| {
        println!("  {name:<42}{all:>8}{missed:>8}{:>9.2}", 100.0 * (all - missed) as f64 / all.max(1) as f64);
    };
    for (name, (all, missed)) in &sums {
        line(name, *all, missed.len());
        if std::env::var_os("REDACT_REPORT_SHOW").is_some() {
            missed.iter().for_each(|text| println!("    {text}"));
        }
    }
    line("all", sums.values().map(|sum| sum.0).sum(), sums.values().map(|sum| sum.1.len()).sum());
}
