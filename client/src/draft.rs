//! Reads a draft that a person wrote: YAML or JSON, in the ProtoJSON form of `BundleDraft`.
//!
//! A draft is checked against the message's own description before it is decoded, so that every mistake is named by its
//! path, all at once. No message quotes the draft: a draft holds raw text.

mod check;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use dossier_bundle::kinds;
use dossier_bundle::names::ProjectName;
use dossier_proto::json::{self, Unknown};
use dossier_proto::v1::BundleDraft;
use serde_json::Value;

pub use check::Problem;

/// The largest draft that is read. A unary message holds 4 MiB; YAML and base64 take more room than what they stand for.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Why a draft was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DraftError {
    /// The file cannot be read.
    #[error("{name}: {source}")]
    Read {
        /// The file, or `-`.
        name: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is larger than any draft can be.
    #[error("the draft is over 16 MiB; upload large sources and attachments instead")]
    TooLarge,
    /// It is not UTF-8.
    #[error("the draft is not valid UTF-8")]
    Encoding,
    /// It is neither YAML nor JSON.
    #[error("not valid {form} at line {line}, column {column}{why}")]
    Syntax {
        /// `YAML` or `JSON`.
        form: &'static str,
        /// From 1.
        line: u64,
        /// From 1.
        column: u64,
        /// The reason behind a colon, where it can be told without quoting; else empty.
        why: &'static str,
    },
    /// Fields are not as they must be: all of them.
    #[error("{}", list(.0))]
    Fields(Vec<Problem>),
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Reads a draft from a file, or from standard input where `path` is `-`.
///
/// # Errors
/// [`DraftError`], which names all that is wrong.
pub fn read(path: &Path) -> Result<BundleDraft, DraftError> {
    let fail = |source| DraftError::Read { name: path.display().to_string(), source };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?;
    } else {
        File::open(path).map_err(fail)?.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(DraftError::TooLarge);
    }
    parse(std::str::from_utf8(&bytes).map_err(|_| DraftError::Encoding)?)
}

/// Reads a draft from text: JSON where it begins with a brace, else YAML.
///
/// # Errors
/// [`DraftError`], which names all that is wrong.
pub fn parse(text: &str) -> Result<BundleDraft, DraftError> {
    from_value(value(text)?)
}

/// What is wrong with names that have one form or stand in one table, as far as it can be told without a server.
#[must_use]
pub fn names(draft: &BundleDraft) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let Err(error) = draft.project.parse::<ProjectName>() {
        let required = if draft.project.is_empty() { "is required, and " } else { "" };
        problems.push(Problem::new("draft.project", format!("{required}must match {}", error.form)));
    }
    if kinds::route(&draft.route).is_none() {
        let names: Vec<&str> = kinds::ROUTES.iter().map(|route| route.name).collect();
        problems.push(Problem::new("draft.route", format!("must be one of {}", names.join(", "))));
    }
    for (index, source) in draft.sources.iter().enumerate() {
        if kinds::source_kind(&source.kind).is_none() {
            let names: Vec<&str> = kinds::SOURCE_KINDS.iter().map(|kind| kind.name).collect();
            let message = format!("must be one of {}", names.join(", "));
            problems.push(Problem::new(&format!("draft.sources[{index}].kind"), message));
        }
    }
    problems
}

/// Reads a draft from a parsed value.
///
/// # Errors
/// [`DraftError::Fields`] with each field that is not as it must be.
pub fn from_value(value: Value) -> Result<BundleDraft, DraftError> {
    let problems = check::check::<BundleDraft>("draft", &value);
    if !problems.is_empty() {
        return Err(DraftError::Fields(problems));
    }
    json::from_value(value, Unknown::Refuse)
        .map_err(|_| DraftError::Fields(vec![Problem::new("draft", "does not fit the form of a draft")]))
}

/// Parses YAML or JSON, with errors that say where and do not quote.
///
/// # Errors
/// [`DraftError::Syntax`].
pub fn value(text: &str) -> Result<Value, DraftError> {
    if text.trim_start().starts_with('{') {
        // What begins with a brace can be YAML too, but then it is rare enough that JSON's position is the better help.
        let json = serde_json::from_str(text).map_err(|error| DraftError::Syntax {
            form: "JSON",
            line: error.line() as u64,
            column: error.column() as u64,
            why: "",
        });
        return json.or_else(|error| yaml(text).map_err(|_| error));
    }
    yaml(text)
}

fn yaml(text: &str) -> Result<Value, DraftError> {
    // YAML 1.2: `n`, `on` and `yes` are text.
    let options = serde_saphyr::options! { strict_booleans: true, with_snippet: false };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let place = error.location();
        DraftError::Syntax {
            form: "YAML",
            line: place.map_or(1, |place| place.line()),
            column: place.map_or(1, |place| place.column()),
            why: why(&error, text, place.map_or(1, |place| place.line())),
        }
    })
}

/// Why text is no YAML, for the mistakes that people make most.
fn why(error: &serde_saphyr::Error, text: &str, line: u64) -> &'static str {
    let line = usize::try_from(line).ok().and_then(|line| text.lines().nth(line.checked_sub(1)?)).unwrap_or_default();
    if matches!(error, serde_saphyr::Error::DuplicateMappingKey { .. }) {
        ": a key is given twice"
    } else if line.trim_start_matches(' ').starts_with('\t') {
        ": the line is indented with a tab; YAML takes blanks only"
    } else {
        ""
    }
}
