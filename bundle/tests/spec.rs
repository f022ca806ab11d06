//! `docs/spec.md` against the code and the vectors: its examples, its tables, its built-in texts, and every member's name.
//!
//! A fenced block with a second word after its language is an example that is checked: `builtin NAME` is a built-in text,
//! `VECTOR/manifest`, `VECTOR/draft` and `VECTOR/MESSAGE` are parts of `docs/vectors/valid/VECTOR`.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dossier_bundle::builtin;
use dossier_bundle::finding::{Code, Severity};
use dossier_bundle::kinds::{self, LimitClass, SourceKind, Worth};
use dossier_bundle::limits::Limits;
use dossier_bundle::manifest::media;
use dossier_redact::Kind;
use serde_json::Value;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn page() -> String {
    fs::read_to_string(docs().join("spec.md")).unwrap()
}

/// The tagged examples: the tag, and the text without its last line feed.
fn examples(page: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find("\n```") {
        let (info, after) = rest[at + 4..].split_once('\n').unwrap();
        let end = after.find("\n```").unwrap();
        if let Some((_, tag)) = info.split_once(' ') {
            found.push((tag, &after[..end]));
        }
        rest = &after[end + 4..];
    }
    found
}

fn vector(name: &str) -> (Value, BTreeMap<String, Vec<u8>>) {
    let folder = docs().join("vectors/valid").join(name);
    let manifest = serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let files = fs::read_dir(folder.join("blobs")).into_iter().flatten().map(|entry| entry.unwrap());
    (manifest, files.map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap())).collect())
}

/// A part of a vector, as bytes.
fn part(vector: &(Value, BTreeMap<String, Vec<u8>>), pointer: &str) -> Vec<u8> {
    let digest = vector.0.pointer(pointer).and_then(Value::as_str).unwrap();
    vector.1[digest.strip_prefix("sha256:").unwrap()].clone()
}

#[test]
fn the_examples_are_what_the_vectors_hold() {
    let page = page();
    let examples = examples(&page);
    for (tag, text) in &examples {
        let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
        match tag.split_once(['/', ' ']) {
            Some(("builtin", name)) => assert_eq!(*text, builtin_text(name), "{tag}"),
            Some((name, "manifest")) => assert_eq!(json(text.as_bytes()), vector(name).0, "{tag}"),
            Some((name, "draft")) => {
                assert_eq!(json(text.as_bytes()), json(&part(&vector(name), "/spec/draftDigest")), "{tag}");
            }
            Some((name, "task")) => {
                assert_eq!(text.as_bytes(), part(&vector(name), "/spec/prompt/renderedTaskDigest"), "{tag}");
            }
            _ => panic!("{tag} is no example that can be checked"),
        }
    }
    let tags: Vec<&str> = examples.iter().map(|(tag, _)| *tag).collect();
    assert_eq!(
        tags,
        [
            "builtin assignment",
            "builtin evidence-rules",
            "builtin standing-line",
            "builtin standing-line-with-sources",
            "minimal/draft",
            "minimal/manifest",
            "minimal/task"
        ]
    );
}

fn builtin_text(name: &str) -> &'static str {
    match name {
        "assignment" => builtin::ASSIGNMENT,
        "evidence-rules" => builtin::EVIDENCE_RULES,
        "standing-line" => builtin::STANDING_LINE,
        "standing-line-with-sources" => builtin::STANDING_LINE_WITH_SOURCES,
        _ => panic!("{name} is no built-in text"),
    }
}

/// The rows, without their frame, of the table whose head begins with `head`.
fn table<'p>(page: &'p str, head: &str) -> Vec<&'p str> {
    let at = page.find(&format!("\n| {head}")).unwrap_or_else(|| panic!("no table {head}"));
    page[at + 1..].lines().skip(2).take_while(|line| line.starts_with("| ")).collect()
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_tables_are_those_of_the_code() {
    let page = page();
    let codes = Code::ALL.iter().map(|code| {
        let severity = if code.severity() == Severity::Denied { "denied" } else { "warning" };
        let pinned = if code.is_pinned() { "yes" } else { "no" };
        format!("| `{}` | {severity} | {pinned} | {} |", code.name(), code.fix())
    });
    assert_eq!(table(&page, "code | severity"), codes.collect::<Vec<_>>());

    let routes = kinds::ROUTES
        .iter()
        .map(|route| format!("| `{}` | {} | {} |", route.name, list(route.default), list(route.optional)));
    assert_eq!(table(&page, "route | kinds"), routes.collect::<Vec<_>>());
    assert!(page.contains(&format!("On every route there may be: {}.", list(kinds::EVERYWHERE))));

    let plain = |kind: &&SourceKind| kind.limit != LimitClass::Other || kind.worth != Worth::Rest;
    let sources = kinds::SOURCE_KINDS.iter().filter(plain).map(|kind| {
        let limit = match kind.limit {
            LimitClass::Log => "maxLogBytes",
            LimitClass::Diff => "maxDiffBytes",
            LimitClass::Task => "maxTaskBytes",
            LimitClass::Memory => "maxMemoryBytes",
            LimitClass::Other => "maxSourceBytes",
        };
        let worth = serde_json::to_value(kind.worth).unwrap();
        format!("| `{}` | `{limit}` | `{}` |", kind.name, worth.as_str().unwrap())
    });
    assert_eq!(table(&page, "kind | limit"), sources.collect::<Vec<_>>());
    assert!(page.contains(&format!("Kinds of evidence: {}.", list(kinds::EVIDENCE_KINDS))));
    assert!(kinds::EVIDENCE_BOUND.iter().all(|kind| page.contains(&format!("`{kind}`"))));

    let markers =
        Kind::ALL.iter().map(|kind| format!("| {} | `{}` | `{}` |", kind.stage(), kind.name(), kind.marker()));
    assert_eq!(table(&page, "stage | `kind`"), markers.collect::<Vec<_>>());

    let rows = table(&page, "limit | default");
    let limits: Vec<_> = Limits::standard().iter().collect();
    assert_eq!(rows.len(), limits.len());
    for (row, (name, value)) in rows.iter().zip(limits) {
        let mut cells = row.split(" | ");
        assert_eq!(cells.next(), Some(format!("| `{name}`").as_str()));
        assert_eq!(cells.next().map(|cell| cell.replace(',', "")), Some(value.to_string()));
    }
    for media in [media::MANIFEST, media::MESSAGE, media::DRAFT, media::TOOL, media::PERMISSION_REVIEW] {
        assert!(page.contains(&format!("`{media}`")), "{media}");
    }
}

#[test]
fn every_member_is_named() {
    let mut names = BTreeSet::new();
    for name in ["minimal", "full", "cut"] {
        let vector = vector(name);
        members(&vector.0, &mut names);
        members(&serde_json::from_slice(&part(&vector, "/spec/draftDigest")).unwrap(), &mut names);
    }
    let page = page();
    assert!(names.len() > 60);
    for name in names {
        let alone = page.contains(&format!("`{name}`"));
        assert!(alone || page.contains(&format!("`spec.{name}")) || page.contains(&format!("\"{name}\"")), "{name}");
    }
}

fn members(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            names.extend(object.keys().cloned());
            object.values().for_each(|value| members(value, names));
        }
        Value::Array(items) => items.iter().for_each(|value| members(value, names)),
        _ => {}
    }
}

#[test]
fn the_links_lead_somewhere() {
    let page = page();
    let headings: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(|heading| {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
            kept.collect::<String>().to_lowercase().replace(' ', "-")
        })
        .collect();
    // What stands between backticks is no link.
    let prose: String = page.split('`').step_by(2).collect();
    for link in prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or_default()) {
        let found = match link.strip_prefix('#') {
            Some(heading) => headings.contains(heading),
            None => docs().join(link).exists(),
        };
        assert!(found, "{link}");
    }
}
