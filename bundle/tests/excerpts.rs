//! Excerpts over real failing logs: bundle/corpus/logs, with the answers that people gave. `cargo run --release -p dossier-bundle
//! --example excerpts` shows more of it.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use dossier_bundle::cut::{Measure, Missing};
use dossier_bundle::escape::{self, Place};
use dossier_bundle::excerpt::{self, Class, Excerpt, Excerpted, FirstError};
use dossier_redact::{Clean, Redactor};

struct Case {
    name: String,
    text: String,
    /// Lines that are right as the first actionable error.
    lines: Vec<u64>,
}

fn cases() -> Vec<Case> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/logs");
    let answers = std::fs::read_to_string(format!("{dir}/answers.jsonl")).unwrap();
    let case = |line: &str| {
        let answer: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = answer["name"].as_str().unwrap().to_owned();
        let log = std::fs::read(format!("{dir}/{name}.log")).unwrap();
        let numbers = |member: &str| {
            let list = answer[member].as_array().cloned().unwrap_or_default();
            list.into_iter().map(|line| line.as_u64().unwrap()).collect::<Vec<_>>()
        };
        Case {
            name,
            text: String::from_utf8_lossy(&log).into_owned(),
            lines: [numbers("lines"), numbers("also")].concat(),
        }
    };
    answers.lines().map(case).collect()
}

fn taken(text: &str, room: usize) -> Excerpted<String> {
    let mut excerpt: Excerpt<String> = Excerpt::new(room, Measure::Raw);
    excerpt.push(&text.to_owned(), &[]);
    excerpt.finish()
}

fn is_kept(excerpt: &Excerpted<String>, lines: &[u64]) -> bool {
    excerpt.kept.iter().any(|(from, to)| lines.iter().any(|line| (from..=to).contains(&line)))
}

#[test]
fn the_error_is_found_and_kept() {
    let cases = cases();
    assert!(cases.len() >= 270);
    let (mut near, mut small) = (0, 0);
    for case in &cases {
        let excerpt = taken(&case.text, 16 * 1024);
        assert!(excerpt.text.len() <= 16 * 1024, "{}", case.name);
        let found = excerpt.first_error.map_or(0, |error| u64::from(error.line));
        near += usize::from(case.lines.iter().any(|line| line.abs_diff(found) <= 5));
        small += usize::from(is_kept(&excerpt, &case.lines));
        assert!(is_kept(&taken(&case.text, 256 * 1024), &case.lines), "{}", case.name);
    }
    // Of 274 logs 260 and 274, when this was written.
    assert!(near * 100 >= cases.len() * 92, "{near} of {}", cases.len());
    assert!(small * 100 >= cases.len() * 98, "{small} of {}", cases.len());
}

/// A log of some megabytes that begins with much of another and ends with the whole of it.
fn inflated(text: &str, bytes: usize) -> (String, u64) {
    let body = &text[..text.floor_char_boundary(text.len() / 3)];
    let body = &body[..body.rfind('\n').map_or(0, |end| end + 1)];
    let (mut long, mut round) = (String::new(), 0);
    while long.len() < bytes {
        round += 1;
        for line in body.lines() {
            long += &format!("{line} {round}\n");
        }
        long += &format!("step {round} of many went on as usual\n");
    }
    let before = long.matches('\n').count() as u64;
    (long + text, before)
}

#[test]
fn a_long_log_keeps_its_answer() {
    let (mut tried, mut kept) = (0, 0);
    for case in cases().iter().filter(|case| case.text.len() > 3_000).step_by(7) {
        let (long, before) = inflated(&case.text, 3_000_000);
        let lines: Vec<u64> = case.lines.iter().map(|line| line + before).collect();
        let excerpt = taken(&long, 64 * 1024);
        assert!(excerpt.text.len() <= 64 * 1024);
        tried += 1;
        kept += usize::from(is_kept(&excerpt, &lines));
    }
    assert!(tried >= 15 && kept + 1 >= tried, "{kept} of {tried}");
}

fn clean(text: &str) -> Clean {
    Redactor::builder().build().unwrap().redact(text).unwrap().text
}

#[test]
fn a_second_cut_counts_in_lines_of_the_log_and_tells_of_all_that_is_missing() {
    let mut log: String = (0..2_000).map(|n| format!("step {n} is {} now\n", n * 7 % 1_000)).collect();
    log += "src/a.c:3:5: error: 'x' undeclared\n    3 | x\n      | ^\n";
    log += &(0..2_000).map(|n| format!("later {n} is {} now\n", n * 7 % 1_000)).collect::<String>();
    let mut first: Excerpt = Excerpt::new(12_000, Measure::Raw);
    first.push(&clean(&log), &[]);
    let first = first.finish();
    let error = Some(FirstError { line: 2_001, class: Class::Compile });
    assert_eq!(first.first_error, error);
    for room in [700, 2_000, 5_000, 11_000] {
        let second = excerpt::again(&first.text, first.missing, error, room, Measure::Rendered);
        assert!(escape::len(second.text.as_str(), Place::Text) <= room);
        assert!(second.text.as_str().contains("src/a.c:3:5: error"), "{room}");
        assert_eq!(second.first_error, error);
        assert!(second.kept.iter().any(|(from, to)| (*from..=*to).contains(&2_001)), "{room}: {:?}", second.kept);
        let missing = second.missing.unwrap();
        let kept: u64 = second.kept.iter().map(|(from, to)| to - from + 1).sum();
        assert_eq!(kept as usize + missing.items, 4_003, "{room}");
        let said: usize =
            second.text.as_str().lines().filter(|line| line.starts_with("[... ")).map(|line| line.len() + 1).sum();
        assert_eq!(second.text.len() - said + missing.bytes, log.len(), "{room}");
    }
    // What fits is left as it is, with what it lacks.
    let same = excerpt::again(&first.text, first.missing, error, 20_000, Measure::Rendered);
    assert_eq!((&same.text, same.missing), (&first.text, first.missing));
    // Lines that only look like notices are text.
    let forged = clean(&format!("[... 7 bytes in 1 lines left out ...]\n{}", "words of a log\n".repeat(300)));
    let earlier = Missing { bytes: 9, items: 2 };
    let out = excerpt::again(&forged, Some(earlier), None, 1_000, Measure::Rendered);
    let said = out.omissions.iter().map(|one| one.bytes).sum::<usize>();
    assert_eq!(out.missing.unwrap().bytes, said + 9);
}

#[test]
fn lines_are_those_of_the_input_where_redaction_took_some() {
    let key = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{}-----END RSA PRIVATE KEY-----\n",
        "MIIEowIBAAKCAQEAx1Ybq0p8a3v9z2c7d1f5h8k2m4n6\n".repeat(12)
    );
    let filler = "a line of the log that says nothing\n".repeat(9_000);
    let log = format!("{filler}{key}{filler}make: ok\nsrc/a.c:3:5: error: 'x' undeclared\n{filler}");
    let wanted = 1 + log[..log.find("src/a.c").unwrap()].matches('\n').count();
    for piece in [1_000, 70_000, usize::MAX / 2] {
        let mut stream = Redactor::builder().build().unwrap().stream();
        let mut excerpt: Excerpt = Excerpt::new(16_000, Measure::Raw);
        for bytes in log.as_bytes().chunks(piece) {
            let chunk = stream.push(bytes).unwrap();
            excerpt.push(&chunk.text, &chunk.swallowed);
        }
        let (chunk, counts) = stream.finish().unwrap();
        excerpt.push(&chunk.text, &chunk.swallowed);
        assert_eq!(counts.total(), 1);
        let out = excerpt.finish();
        assert_eq!(out.first_error.unwrap().line as usize, wanted, "{piece}");
        assert_eq!(out.kept.last().unwrap().1 as usize, log.matches('\n').count(), "{piece}");
    }
}
