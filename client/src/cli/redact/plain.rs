//! A whole text: redacted as it is read, its counts at the end.

use std::io::{BufRead, BufReader, Read, Write};

use dossier_redact::{Chunk, Counts, Redactor, Span};
use serde_json::json;

use super::{Allowance, Args, Form, Redaction, allowances, explained, redactions, unreadable};
use crate::cli::failure::{Exit, Failure};
use crate::cli::output;

pub(super) fn run(redactor: &Redactor, input: &mut BufReader<Box<dyn Read>>, args: &Args) -> Result<Exit, Failure> {
    let mut out = output::stdout();
    let mut notes = Notes { open: false, explain: args.explain };
    let mut stream = redactor.stream();
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(args, error)),
        };
        if bytes.is_empty() {
            break;
        }
        let chunk = stream.push(bytes).map_err(refused)?;
        let read = bytes.len();
        input.consume(read);
        out.write_all(chunk.text.as_str().as_bytes())?;
        notes.spans(&chunk)?;
    }
    let (chunk, counts) = stream.finish().map_err(refused)?;
    out.write_all(chunk.text.as_str().as_bytes())?;
    out.flush()?;
    notes.spans(&chunk)?;
    notes.end(&counts)?;
    Ok(Exit::Ok)
}

/// What is said on standard error. Spans are written as they come: there may be any number of them.
struct Notes {
    open: bool,
    explain: Option<Form>,
}

impl Notes {
    fn spans(&mut self, chunk: &Chunk) -> std::io::Result<()> {
        let (Some(form), false) = (self.explain, chunk.spans.is_empty()) else { return Ok(()) };
        let mut text = String::new();
        for span in &chunk.spans {
            match form {
                Form::Json => {
                    text.push_str(if self.open { ",\n" } else { "{\"spans\":[\n" });
                    text.push_str(&explained(span).to_string());
                }
                Form::Text => text.push_str(&line(span)),
            }
            self.open = true;
        }
        std::io::stderr().lock().write_all(text.as_bytes())
    }

    fn end(self, counts: &Counts) -> std::io::Result<()> {
        let mut err = std::io::stderr().lock();
        if self.explain == Some(Form::Text) {
            return err.write_all(summary(counts).as_bytes());
        }
        let totals = json!({
            "redactions": redactions(counts),
            "preexisting": counts.preexisting,
            "replacedBytes": counts.replaced_bytes,
            "allowed": counts.allowed,
            "allowances": allowances(counts),
        })
        .to_string();
        match (self.explain.is_some(), self.open) {
            (false, _) => writeln!(err, "{totals}"),
            (true, true) => writeln!(err, "\n],{}", totals.trim_start_matches('{')),
            (true, false) => writeln!(err, "{{\"spans\":[],{}", totals.trim_start_matches('{')),
        }
    }
}

/// A span for people.
fn line(span: &Span) -> String {
    let Span { range, kind, rule } = span;
    format!("bytes {}..{}: stage {}, {kind}, rule {rule}\n", range.start, range.end, kind.stage())
}

/// The counts for people.
fn summary(counts: &Counts) -> String {
    let mut text = String::new();
    for Redaction { kind, rule, count } in redactions(counts) {
        text.push_str(&format!("replaced {count}: {kind}, rule {rule}\n"));
    }
    for Allowance { allowance, rule, count } in allowances(counts) {
        text.push_str(&format!("allowed {count}: by {allowance}, rule {rule}\n"));
    }
    let total = counts.total();
    text.push_str(&format!(
        "total: {total} replaced, {} allowed, {} markers were there before, {} sequences were not text\n",
        counts.allowed, counts.preexisting, counts.replaced_bytes
    ));
    text
}

fn refused(error: dossier_redact::Error) -> Failure {
    match error {
        dossier_redact::Error::Binary => Failure::Said(Exit::Denied, format!("UNREDACTABLE_BINARY: {error}")),
        error => Failure::other(error.to_string()),
    }
}
