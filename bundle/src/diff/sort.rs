//! What a file of a diff is worth to its reader.

use super::parse::File;

/// Kinds of files, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Source,
    Test,
    Configuration,
    Documentation,
    Generated,
}

/// The files in the order in which their hunks are taken: by kind, then by size, then as in the diff. Those of a series of commits
/// stay as they are.
pub(super) fn order(text: &str, files: &[File]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    // Of a series of commits each change stays with its message.
    if files.iter().any(|file| file.begins_commit) {
        return order;
    }
    order.sort_by_key(|index| {
        let file = &files[*index];
        let size: usize = file.hunks.iter().map(ExactSizeIterator::len).sum();
        let kind = if file.binary { Kind::Generated } else { kind(&text[file.path.clone()]) };
        (kind, size)
    });
    order
}

const LOCKS: [&str; 18] = [
    "cargo.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lockb",
    "go.sum",
    "go.work.sum",
    "poetry.lock",
    "pipfile.lock",
    "uv.lock",
    "gemfile.lock",
    "composer.lock",
    "mix.lock",
    "packages.lock.json",
    "flake.lock",
    "pubspec.lock",
    "podfile.lock",
];
const MADE_FOLDERS: [&str; 8] =
    ["dist", "vendor", "node_modules", "third_party", "generated", "__snapshots__", "__generated__", ".yarn"];
const MADE_ENDS: [&str; 12] = [
    ".min.js",
    ".min.css",
    ".map",
    ".pb.go",
    "_pb2.py",
    "_pb2_grpc.py",
    ".pb.cc",
    ".pb.h",
    ".g.dart",
    ".designer.cs",
    ".snap",
    ".svg",
];
const TEST_FOLDERS: [&str; 9] =
    ["test", "tests", "spec", "specs", "__tests__", "testdata", "fixtures", "e2e", "testing"];
const DOCUMENT_ENDS: [&str; 8] = [".md", ".rst", ".adoc", ".txt", ".mdx", ".tex", ".org", ".pod"];
const DOCUMENTS: [&str; 6] = ["license", "licence", "notice", "authors", "changelog", "readme"];
const SETTING_ENDS: [&str; 17] = [
    ".toml",
    ".yaml",
    ".yml",
    ".json",
    ".jsonc",
    ".ini",
    ".cfg",
    ".conf",
    ".properties",
    ".xml",
    ".env",
    ".gradle",
    ".lock",
    ".editorconfig",
    ".tfvars",
    ".csproj",
    ".cabal",
];
const SETTINGS: [&str; 8] = [
    "makefile",
    "dockerfile",
    "jenkinsfile",
    "procfile",
    "cmakelists.txt",
    "requirements.txt",
    "codeowners",
    "gemfile",
];

fn kind(path: &str) -> Kind {
    let camel = path.trim_matches('"').rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    let camel = ["Test", "Tests", "Spec", "IT"].iter().any(|end| camel.ends_with(end));
    let path = path.trim_matches('"').to_ascii_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let within = |of: &[&str]| folders.split('/').any(|folder| of.contains(&folder));
    let ends = |of: &[&str]| of.iter().any(|end| name.ends_with(end));
    let stem = name.split('.').next().unwrap_or_default();
    if LOCKS.contains(&name) || within(&MADE_FOLDERS) || ends(&MADE_ENDS) || name.contains(".generated.") {
        return Kind::Generated;
    }
    let tests = stem.starts_with("test_")
        || camel
        || ["_test", "_tests", "_spec", "-test", "-spec"].iter().any(|end| stem.ends_with(end))
        || name.contains(".test.")
        || name.contains(".spec.");
    if within(&TEST_FOLDERS) || (tests && !ends(&DOCUMENT_ENDS)) {
        return Kind::Test;
    }
    if SETTINGS.contains(&name)
        || ends(&SETTING_ENDS)
        || name.starts_with('.')
        || within(&[".github", ".ci", ".circleci"])
    {
        return Kind::Configuration;
    }
    if ends(&DOCUMENT_ENDS) || DOCUMENTS.contains(&stem) || within(&["docs", "doc"]) {
        return Kind::Documentation;
    }
    Kind::Source
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_a_file_is_worth() {
        for (path, wanted) in [
            ("src/main.rs", Kind::Source),
            ("\"src/caf\\303\\251.py\"", Kind::Source),
            ("src/latest.go", Kind::Source),
            ("pkg/a_test.go", Kind::Test),
            ("tests/data/x.json", Kind::Test),
            ("web/a.spec.ts", Kind::Test),
            ("src/FooTest.java", Kind::Test),
            ("Cargo.toml", Kind::Configuration),
            (".github/workflows/ci.yml", Kind::Configuration),
            ("Makefile", Kind::Configuration),
            ("README.md", Kind::Documentation),
            ("docs/a.py", Kind::Documentation),
            ("Cargo.lock", Kind::Generated),
            ("vendor/a/b.go", Kind::Generated),
            ("web/app.min.js", Kind::Generated),
        ] {
            assert_eq!(kind(path), wanted, "{path}");
        }
    }
}
