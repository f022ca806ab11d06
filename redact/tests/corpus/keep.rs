//! Real text that must not change, but for what is listed in `corpus/expected.txt`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dossier_redact::Redactor;

/// The files of `corpus/keep`, in order.
fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/keep")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// What is taken of each file: its name under `keep`, the line and the rule.
fn taken(redactor: &Redactor, path: &Path) -> (usize, Vec<(String, String)>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/keep");
    let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).unwrap();
    let spans = redactor.search(&text);
    let place = |at: usize| 1 + text[..at].matches('\n').count();
    let taken = spans.iter().map(|span| {
        let start = text[..span.range.start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[span.range.end..].find('\n').map_or(text.len(), |len| span.range.end + len);
        (format!("{name}:{} {}", place(span.range.start), span.rule), text[start..end].chars().take(200).collect())
    });
    (text.len(), taken.collect())
}

/// The spans that may go, each with how often: a line `file:line rule # reason`.
fn expected() -> BTreeMap<String, usize> {
    let list = include_str!("../../corpus/expected.txt");
    let mut expected = BTreeMap::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (span, reason) = line.split_once(" # ").unwrap();
        assert!(!reason.trim().is_empty(), "no reason: {line}");
        *expected.entry(span.trim().to_owned()).or_default() += 1;
    }
    expected
}

#[test]
fn real_text_stays_but_for_what_is_listed() {
    let redactor = Redactor::builder().build().unwrap();
    let mut expected = expected();
    let (mut bytes, mut wrong) = (0, Vec::new());
    for path in files() {
        let (len, taken) = taken(&redactor, &path);
        bytes += len;
        for (span, line) in taken {
            match expected.get_mut(&span).filter(|left| **left > 0) {
                Some(left) => *left -= 1,
                None => wrong.push(format!("{span}\n    {line}")),
            }
        }
    }
    wrong.extend(expected.iter().filter(|(_, left)| **left > 0).map(|(span, _)| format!("no longer taken: {span}")));
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(bytes >= 5_000_000, "the corpus has only {bytes} bytes");
}

/// Prints false hits a megabyte, by folder.
pub(crate) fn print() {
    let redactor = Redactor::builder().build().unwrap();
    let expected = expected();
    let mut folders: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    for path in files() {
        let (len, taken) = taken(&redactor, &path);
        let folder =
            path.parent().and_then(Path::file_name).map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let sums = folders.entry(folder).or_default();
        sums.0 += len;
        sums.1 += taken.len();
        sums.2 += taken.iter().filter(|(span, _)| !expected.contains_key(span)).count();
    }
    println!("{:<44}{:>8}{:>8}{:>9}{:>9}", "real text that must not change", "MB", "spans", "false", "false/MB");
    let all = folders.values().fold((0, 0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2));
    for (name, (bytes, spans, wrong)) in folders.iter().map(|(name, sums)| (name.as_str(), *sums)).chain([("all", all)])
    {
        let megabytes = bytes as f64 / 1e6;
        println!("  {name:<42}{megabytes:>8.2}{spans:>8}{wrong:>9}{:>9.2}", wrong as f64 / megabytes);
    }
}
