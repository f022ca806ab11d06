//! The page that lists all recognizers: `docs/recognizers.md` is what this test writes. `BLESS=1` writes it anew.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fmt::Write as _;
use std::path::Path;

use dossier_bundle::excerpt::recognizers;

const HEAD: &str = "\
# Recognizers of errors

Made from the recognizers themselves by the tests of `bundle`; `BLESS=1 cargo test -p dossier-bundle --test recognizers` writes it anew. What
roles and weights mean stands in [excerpts.md](excerpts.md). `dossier excerpt --json` names the recognizer that told the first error.

| id | role | class | weight | for example |
| --- | --- | --- | --- | --- |
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    for row in recognizers() {
        let example = row.examples.first().unwrap().trim().replace('|', "\\|").replace(['\u{1b}', '\t'], " ");
        let class = if row.role == "cause" { row.class.name() } else { "" };
        writeln!(page, "| `{}` | {} | {class} | {} | `` {example} `` |", row.id, row.role, row.weight).unwrap();
    }
    page
}

#[test]
fn the_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/recognizers.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == page(), "docs/recognizers.md is not current: run with BLESS=1");
}
