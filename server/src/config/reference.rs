//! The reference page and the commented example, both from the table of keys.

use std::fmt::Write as _;

use super::settings::{Kind, LIMITS, SECTIONS, SETTINGS, Setting};
use super::{LimitClass, STANDARD};

/// The reference page, Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from(INTRODUCTION);
    for (section, about) in SECTIONS {
        let _ = write!(
            page,
            "\n## [{section}]\n\n{about}\n\n| key | default | variable, flag | meaning |\n| --- | --- | --- | --- |\n"
        );
        for setting in of(section) {
            let default = if setting.default.is_empty() { "none".to_owned() } else { format!("`{}`", setting.default) };
            let flag = if setting.flag.is_empty() { String::new() } else { format!(", `{}`", setting.flag) };
            let doc = setting.doc.replace('|', "\\|");
            let form = form(setting.kind);
            let _ = writeln!(page, "| `{}` | {default} | `{}`{flag} | {doc} {form} |", name(setting), setting.env);
        }
    }
    page.push_str(LIMITS_INTRODUCTION);
    let standard = LimitClass::default();
    for limit in LIMITS {
        let _ =
            writeln!(page, "| `{}` | `{}` | {} 1 to {}. |", limit.name, (limit.get)(&standard), limit.doc, limit.most);
    }
    page
}

/// The commented example: every key, with its default where it has one, else as a comment.
#[must_use]
pub fn example() -> String {
    let mut file = String::from(EXAMPLE_HEAD);
    for (section, about) in SECTIONS {
        let bare = of(section).all(|setting| setting.default.is_empty());
        let _ = write!(file, "\n# {about}\n{}[{section}]\n", if bare { "#" } else { "" });
        for setting in of(section) {
            let _ = write!(file, "\n# {} {}\n", setting.doc, form(setting.kind));
            if setting.default.is_empty() {
                let _ = writeln!(file, "#{} = {}", name(setting), setting.sample);
            } else {
                let _ = writeln!(file, "{} = {}", name(setting), setting.default);
            }
        }
    }
    let _ = write!(file, "\n# {CLASSES}\n[limits.{STANDARD}]\n");
    let standard = LimitClass::default();
    for limit in LIMITS {
        let _ = write!(file, "\n# {}\n{} = {}\n", limit.doc, limit.name, (limit.get)(&standard));
    }
    file.push_str("\n# A larger class; what it does not name is as in class standard.\n#[limits.large]\n#max_log_bytes = 1048576\n#max_bytes = 4194304\n");
    file
}

fn of(section: &str) -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(move |setting| setting.key.rsplit_once('.').is_some_and(|(of, _)| of == section))
}

fn name(setting: &Setting) -> &'static str {
    setting.key.rsplit_once('.').map_or(setting.key, |(_, name)| name)
}

fn form(kind: Kind) -> String {
    match kind {
        Kind::Text | Kind::Path => String::new(),
        Kind::Choice(words) => {
            format!("One of {}.", words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "))
        }
        Kind::Integer(from, to) => format!("{from} to {to}."),
        Kind::Flag => "`true` or `false`.".to_owned(),
        Kind::List => "In the variable separated by commas.".to_owned(),
    }
}

const CLASSES: &str =
    "Limit classes, in bytes of UTF-8 but for max_attachments. A draft names one and may only lower it.";

const INTRODUCTION: &str = "# Configuration

<!-- Made by `dossierd config reference`; a test compares. -->

`dossierd` reads one TOML file (`--config FILE` or `DOSSIER_CONFIG`), then `DOSSIER_*` variables, then flags; each goes over the
one before. A bucket over a directory replaces it, and a directory a bucket. Unknown keys and unknown `DOSSIER_*` variables are
refused, except those of the command line and those that Kubernetes makes for services.

- `dossierd config check` reads everything and says what is wrong; it never repeats a value.
- `dossierd config print` shows what is in force, as TOML. No key holds a secret.
- `dossierd config example` prints a commented file with all defaults; it stands in `examples/dossierd.toml`.
";

const LIMITS_INTRODUCTION: &str = "
## [limits.{class}]

Limit classes, in bytes of UTF-8 but for `max_attachments`. A draft names one and may only lower it; `standard` is the one of a draft
that names none. A key that a class does not set is as below. They have no variables and flags.

| key | default | meaning |
| --- | --- | --- |
";

const EXAMPLE_HEAD: &str =
    "# The configuration of dossierd, with all defaults. Every key can be left out. docs/config.md is the reference.
# Made by `dossierd config example`; a test compares.
";
