//! The page that lists all rules: `docs/rules.md` is what this test writes. `BLESS=1` writes it anew.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use dossier_redact::{Kind, rules};

const HEAD: &str = "\
# Rules of redaction

Made from the rules themselves by the tests of `redact`; `BLESS=1 cargo test -p dossier-redact --test rules` writes it anew.

The stages claim in this order; where spans overlap, the earliest stage names the result. `dossier redact --explain` names the
rule of each span, and a policy may disable a rule by its id.
";

fn page() -> String {
    let rules = rules();
    let mut page = HEAD.to_owned();
    for kind in Kind::ALL {
        let of_kind: Vec<_> = rules.iter().filter(|rule| rule.kind == kind).collect();
        write!(page, "\n## Stage {}: {}\n\n", kind.stage(), kind).unwrap();
        write!(page, "Replaced by `{}`.\n\n", kind.marker()).unwrap();
        if kind == Kind::PolicyPattern {
            page += "The rules of the repository's policy, under the ids that it gives them.\n";
            continue;
        }
        page += "| id | what it takes |\n| --- | --- |\n";
        for rule in of_kind {
            let what = rule.what.replace('|', "\\|");
            match rule.link {
                "" => writeln!(page, "| `{}` | {what} |", rule.id).unwrap(),
                link => writeln!(page, "| [`{}`]({link}) | {what} |", rule.id).unwrap(),
            }
        }
    }
    page += "\n";
    page += include_str!("../src/rules/decisions.md");
    page
}

#[test]
fn the_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == page(), "docs/rules.md is not current: run with BLESS=1");
}

#[test]
fn every_rule_has_a_name_of_its_own() {
    let rules = rules();
    let ids: BTreeSet<_> = rules.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), rules.len());
    assert!(rules.is_sorted_by_key(|rule| rule.kind));
    let provider = rules.iter().filter(|rule| rule.kind == Kind::ProviderToken).count();
    assert!(provider >= 170, "{provider}");
}

/// What is code says its rules' names in code: each must be listed.
#[test]
fn every_name_in_code_is_listed() {
    let ids: BTreeSet<_> = rules().iter().map(|rule| rule.id).collect();
    let name = regex::Regex::new(r#"Kind::\w+, (?:if [^{]*\{ )?"([a-z-]+)"(?: \} else \{ "([a-z-]+)")?"#).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = 0;
    for file in std::fs::read_dir(source).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for groups in name.captures_iter(code) {
            for id in groups.iter().skip(1).flatten() {
                assert!(ids.contains(id.as_str()), "{} of {} is not listed", id.as_str(), path.display());
                found += 1;
            }
        }
    }
    assert!(found >= 10, "{found}");
}
