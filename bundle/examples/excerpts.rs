//! How well excerpts keep the error: over a folder of logs with answers, as bundle/corpus/logs.
//!
//!     cargo run --release -p dossier-bundle --example excerpts [-- DIR [tune|held] [-v]]

use std::collections::BTreeMap;

use dossier_bundle::cut::Measure;
use dossier_bundle::excerpt::{Excerpt, Excerpted};

/// The answer for a log.
#[derive(serde::Deserialize)]
struct Answer {
    name: String,
    ecosystem: String,
    class: String,
    /// The lines of the first actionable error.
    lines: Vec<u32>,
    /// Lines that say the same again.
    #[serde(default)]
    also: Vec<u32>,
    split: String,
}

#[derive(Default)]
struct Score {
    logs: usize,
    near: usize,
    class: usize,
    small: usize,
    large: usize,
}

fn excerpt(text: &str, room: usize) -> Excerpted<String> {
    let mut excerpt: Excerpt<String> = Excerpt::new(room, Measure::Raw);
    excerpt.push(&text.to_owned(), &[]);
    excerpt.finish()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let dir = args.first().map_or("bundle/corpus/logs", String::as_str);
    let split = args.get(1).filter(|split| *split != "-v");
    let tells = args.iter().any(|arg| arg == "-v");
    let answers = std::fs::read_to_string(format!("{dir}/answers.jsonl"))?;
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for line in answers.lines() {
        let answer: Answer = serde_json::from_str(line)?;
        if split.is_some_and(|split| *split != answer.split) {
            continue;
        }
        let log = std::fs::read(format!("{dir}/{}.log", answer.name))?;
        let text = String::from_utf8_lossy(&log);
        let (small, large) = (excerpt(&text, 16 * 1024), excerpt(&text, 256 * 1024));
        let found = small.first_error;
        let near = found
            .is_some_and(|found| answer.lines.iter().chain(&answer.also).any(|line| line.abs_diff(found.line) <= 5));
        let class = found.is_some_and(|found| found.class.name() == answer.class);
        let kept = |one: &Excerpted<String>| {
            one.kept.iter().any(|(from, to)| answer.lines.iter().any(|line| (*from..=*to).contains(&u64::from(*line))))
        };
        if tells && (!near || !class || !kept(&small)) {
            let (at, of) = found.map_or((0, "none"), |found| (found.line, found.class.name()));
            println!(
                "{}{}{} {}: found {at} {of} by {}, wanted {:?} {}: {}",
                if near { '.' } else { 'N' },
                if class { '.' } else { 'C' },
                if kept(&small) { '.' } else { 'K' },
                answer.name,
                small.recognizer.unwrap_or("none"),
                answer.lines,
                answer.class,
                small.first_line.trim(),
            );
        }
        for key in [answer.ecosystem.as_str(), "all"] {
            let score = scores.entry(key.to_owned()).or_default();
            score.logs += 1;
            score.near += usize::from(near);
            score.class += usize::from(class);
            score.small += usize::from(kept(&small));
            score.large += usize::from(kept(&large));
        }
    }
    println!("| ecosystem | logs | first error within five lines | its class | kept at 16 KiB | kept at 256 KiB |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (key, score) in &scores {
        let Score { logs, near, class, small, large } = score;
        println!("| {key} | {logs} | {near} | {class} | {small} | {large} |");
    }
    Ok(())
}
