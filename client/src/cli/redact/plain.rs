//! A whole text: redacted as it is read, its counts at the end.

use std::io::{BufRead, BufReader, Read, Write};

use dossier_redact::{Chunk, Redactor};
use serde_json::json;

use super::{Args, explained, redactions, unreadable};
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
    let totals = json!({
        "redactions": redactions(&counts),
        "preexisting": counts.preexisting,
        "replacedBytes": counts.replaced_bytes,
        "allowed": counts.allowed,
    });
    notes.end(&totals.to_string())?;
    Ok(Exit::Ok)
}

/// One JSON object on standard error. Spans are written as they come: there may be any number of them.
struct Notes {
    open: bool,
    explain: bool,
}

impl Notes {
    fn spans(&mut self, chunk: &Chunk) -> std::io::Result<()> {
        if !self.explain || chunk.spans.is_empty() {
            return Ok(());
        }
        let mut text = String::new();
        for span in &chunk.spans {
            text.push_str(if self.open { ",\n" } else { "{\"spans\":[\n" });
            self.open = true;
            text.push_str(&explained(span).to_string());
        }
        std::io::stderr().lock().write_all(text.as_bytes())
    }

    fn end(self, totals: &str) -> std::io::Result<()> {
        let mut err = std::io::stderr().lock();
        match (self.explain, self.open) {
            (false, _) => writeln!(err, "{totals}"),
            (true, true) => writeln!(err, "\n],{}", totals.trim_start_matches('{')),
            (true, false) => writeln!(err, "{{\"spans\":[],{}", totals.trim_start_matches('{')),
        }
    }
}

fn refused(error: dossier_redact::Error) -> Failure {
    match error {
        dossier_redact::Error::Binary => Failure::Said(Exit::Denied, format!("UNREDACTABLE_BINARY: {error}")),
        error => Failure::other(error.to_string()),
    }
}
