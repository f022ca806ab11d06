//! `dossier redact`: without a server, of any size, in bounded memory.

mod jsonl;
mod plain;

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
    /// Read one {"text"} a line; write one {"text", "redactions"} or {"error": {"reason", "message"}} a line, in order
    #[arg(long)]
    jsonl: bool,
    /// Say for each replaced span its stage, kind, rule and range in the output
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    context: Files,
}

/// How much is read at once.
const READ: usize = 64 * 1024;

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let redactor = args.context.redactor()?;
    let input: Box<dyn Read> = if args.file.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(&args.file).map_err(|error| unreadable(args, error))?)
    };
    let mut input = BufReader::with_capacity(READ, input);
    if args.jsonl { jsonl::run(&redactor, &mut input, args) } else { plain::run(&redactor, &mut input, args) }
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
