//! `dossier redact`: without a server, of any size, in bounded memory.

mod jsonl;
mod plain;

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;

use dossier_client::Error;
use dossier_redact::{Counts, Span};
use serde::Serialize;
use serde_json::{Value, json};

use super::context::Files;
use super::failure::{Exit, Failure};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file, or - for standard input
    #[arg(default_value = "-", value_name = "FILE")]
    file: PathBuf,
    /// Where the text stands in its repository, for the policy's rules and allowances that name paths; FILE by default
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Read one {"text", "path" (optional)} a line; write one {"text", "redactions"} or {"error": {"reason", "message"}} a line, in order
    #[arg(long)]
    jsonl: bool,
    /// Say for each replaced span its stage, kind, rule and range of bytes in the output: as JSON, or as lines for people
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "json")]
    explain: Option<Form>,
    #[command(flatten)]
    context: Files,
}

/// How spans are told.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// With the counts, as one JSON object on standard error; with --jsonl, in each answer.
    Json,
    /// A line for each span on standard error, then the counts.
    Text,
}

/// How much is read at once.
const READ: usize = 64 * 1024;

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut redactor = args.context.redactor()?;
    if let Some(path) = args.place() {
        redactor = redactor.at(&path);
    }
    let input: Box<dyn Read> = if args.file.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(&args.file).map_err(|error| unreadable(args, error))?)
    };
    let mut input = BufReader::with_capacity(READ, input);
    if args.jsonl { jsonl::run(&redactor, &mut input, args) } else { plain::run(&redactor, &mut input, args) }
}

impl Args {
    /// The path of the text. A file of lines is only what they came in.
    fn place(&self) -> Option<Cow<'_, str>> {
        match &self.path {
            Some(path) => Some(path.into()),
            None if self.jsonl || self.file.as_os_str() == "-" => None,
            None => Some(self.file.to_string_lossy()),
        }
    }
}

fn unreadable(args: &Args, source: std::io::Error) -> Failure {
    Failure::Client(Error::Io { path: args.file.clone(), source })
}

/// How often a rule claimed something.
#[derive(Serialize)]
struct Redaction<'c> {
    kind: &'static str,
    rule: &'c str,
    count: u64,
}

fn redactions(counts: &Counts) -> Vec<Redaction<'_>> {
    counts.iter().map(|(kind, rule, count)| Redaction { kind: kind.name(), rule, count }).collect()
}

/// How often an allowance of the policy let something through.
#[derive(Serialize)]
struct Allowance<'c> {
    allowance: &'c str,
    rule: &'c str,
    count: u64,
}

fn allowances(counts: &Counts) -> Vec<Allowance<'_>> {
    counts.allowances().map(|(allowance, rule, count)| Allowance { allowance, rule, count }).collect()
}

/// A span as `--explain` shows it: where its marker stands, never what stood there.
fn explained(span: &Span) -> Value {
    json!({
        "stage": span.kind.stage(),
        "kind": span.kind.name(),
        "rule": span.rule,
        "start": span.range.start,
        "end": span.range.end,
    })
}
