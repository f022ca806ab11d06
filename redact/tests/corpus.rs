//! The corpus: made-up secrets in every form that is known, and real text that must not change.
//!
//! - [`forms`]: values beside names, as files, code, logs and commands write them (stage 2);
//! - [`headers`]: credentials in headers, as tools and languages print them (stage 5);
//! - [`keys`]: private keys, whole and truncated (stage 4);
//! - [`faults`]: what people report of the maskers of CI systems;
//! - [`windows`]: all of these again wherever a stream's windows begin;
//! - [`keep`]: the text of `corpus/keep`, in which each span that goes is listed with its reason.
//!
//! `make redact-report` prints what they measure.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

#[path = "corpus/faults.rs"]
mod faults;
#[path = "corpus/forms.rs"]
mod forms;
#[path = "corpus/headers.rs"]
mod headers;
#[path = "corpus/keep.rs"]
mod keep;
#[path = "corpus/keys.rs"]
mod keys;
#[path = "corpus/windows.rs"]
mod windows;

use std::collections::BTreeMap;
use std::ops::Range;

use dossier_redact::Redactor;

/// A text, and where in it the secrets stand.
struct Case {
    group: String,
    text: String,
    secrets: Vec<Range<usize>>,
}

impl Case {
    /// Reads a text in which «…» stands around each secret.
    fn new(group: &str, marked: &str) -> Case {
        let (mut text, mut secrets, mut rest) = (String::new(), Vec::new(), marked);
        while let Some((before, after)) = rest.split_once('«') {
            let (secret, tail) = after.split_once('»').unwrap();
            text += before;
            secrets.push(text.len()..text.len() + secret.len());
            text += secret;
            rest = tail;
        }
        Case { group: group.to_owned(), text: text + rest, secrets }
    }
}

/// How many secrets of a group there were, how many were missed, and how many spans took what is none.
#[derive(Default)]
struct Tally {
    secrets: usize,
    missed: usize,
    spilled: usize,
}

/// Searches each case, and counts. What was missed or taken too much is shown, as far as `shown` goes.
fn measure(cases: &[Case], shown: &mut Vec<String>) -> BTreeMap<String, Tally> {
    let redactor = Redactor::builder().build().unwrap();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for case in cases {
        let spans = redactor.search(&case.text);
        let tally = tallies.entry(case.group.clone()).or_default();
        for secret in &case.secrets {
            tally.secrets += 1;
            let covered: usize = spans.iter().map(|span| overlap(&span.range, secret)).sum();
            if covered < secret.len() {
                tally.missed += 1;
                shown.push(format!("missed in {}: {}", case.group, case.text));
            }
        }
        for span in &spans {
            let inside = case.secrets.iter().find(|secret| overlap(&span.range, secret) > 0);
            let near =
                inside.is_some_and(|secret| span.range.start + 16 >= secret.start && span.range.end <= secret.end + 4);
            if !near {
                tally.spilled += 1;
                shown.push(format!(
                    "too much in {}: {} took {:?}",
                    case.group,
                    span.rule,
                    &case.text[span.range.clone()]
                ));
            }
        }
    }
    tallies
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

/// Sums of all groups.
fn total(tallies: &BTreeMap<String, Tally>) -> Tally {
    tallies.values().fold(Tally::default(), |sum, tally| Tally {
        secrets: sum.secrets + tally.secrets,
        missed: sum.missed + tally.missed,
        spilled: sum.spilled + tally.spilled,
    })
}

/// Fails where more than `permille` of the secrets are missed, or of the spans take too much.
fn hold(cases: &[Case], permille: usize) {
    let mut shown = Vec::new();
    let sum = total(&measure(cases, &mut shown));
    shown.truncate(40);
    let most = sum.secrets * permille / 1000;
    assert!(
        sum.missed <= most && sum.spilled <= most,
        "{} of {} missed, {} too much:\n{}",
        sum.missed,
        sum.secrets,
        sum.spilled,
        shown.join("\n")
    );
}

fn print(stage: &str, cases: &[Case]) {
    let mut shown = Vec::new();
    let tallies = measure(cases, &mut shown);
    let line = |name: &str, tally: &Tally| {
        let found = 100.0 * (tally.secrets - tally.missed) as f64 / tally.secrets.max(1) as f64;
        println!("{name:<44}{:>8}{:>8}{found:>9.2}{:>9}", tally.secrets, tally.missed, tally.spilled);
    };
    println!("{stage:<44}{:>8}{:>8}{:>9}{:>9}", "secrets", "missed", "% found", "too much");
    for (group, tally) in tallies.iter().filter(|(_, tally)| tally.missed + tally.spilled > 0) {
        line(&format!("  {group}"), tally);
    }
    line("  all", &total(&tallies));
    if std::env::var_os("REDACT_REPORT_SHOW").is_some() {
        shown.iter().for_each(|line| println!("    {line}"));
    }
}

/// Prints recall by stage and false hits a megabyte.
#[test]
#[ignore = "prints a report; run by `make redact-report`"]
fn report() {
    print("stage 2, values beside names", &forms::cases());
    print("stage 4, private keys", &keys::cases());
    print("stage 5, headers", &headers::cases());
    keep::print();
}
