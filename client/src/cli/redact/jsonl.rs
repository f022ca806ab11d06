//! One text a line, one answer a line. A line that cannot be answered gets an error in its place, so that a peer never loses
//! count; and before waiting for input all answers are written, so that a peer that waits for one is not left waiting.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read, Write};

use dossier_redact::Redactor;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Allowance, Args, Redaction, allowances, explained, redactions, unreadable};
use crate::cli::failure::{Exit, Failure};
use crate::cli::output;

/// The longest line that is read; what is longer is answered with an error and passed over.
const LONGEST: usize = 16 * 1024 * 1024;

#[derive(Deserialize)]
struct Question<'l> {
    #[serde(borrow)]
    text: Cow<'l, str>,
    #[serde(borrow, default)]
    path: Option<Cow<'l, str>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer<'a> {
    Redacted {
        text: &'a str,
        redactions: Vec<Redaction<'a>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        allowances: Vec<Allowance<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        spans: Option<Vec<Value>>,
    },
    Refused {
        error: Refusal<'a>,
    },
}

#[derive(Serialize)]
struct Refusal<'a> {
    reason: &'static str,
    message: &'a str,
}

enum Line {
    End,
    Whole,
    TooLong,
}

pub(super) fn run(redactor: &Redactor, input: &mut BufReader<Box<dyn Read>>, args: &Args) -> Result<Exit, Failure> {
    let mut out = output::stdout();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = next_line(input, &mut line, &mut || out.flush());
        let read = read.map_err(|trouble| match trouble {
            Trouble::Input(error) => unreadable(args, error),
            Trouble::Output(error) => Failure::Output(error),
        })?;
        match read {
            Line::End => break,
            Line::Whole => answer(redactor, &line, args.explain.is_some(), &mut out)?,
            Line::TooLong => refuse(&mut out, "LINE_TOO_LONG", "the line is over 16 MiB")?,
        }
    }
    out.flush()?;
    Ok(Exit::Ok)
}

fn answer(redactor: &Redactor, line: &[u8], explain: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let Ok(question) = serde_json::from_slice::<Question<'_>>(line) else {
        return refuse(out, "INVALID_LINE", "the line must be a JSON object with a text: {\"text\": …}");
    };
    let redacted = match &question.path {
        Some(path) => redactor.at(path).redact(&question.text),
        None => redactor.redact(&question.text),
    };
    match redacted {
        Ok(redacted) => {
            let spans = explain.then(|| redacted.spans.iter().map(explained).collect());
            let redactions = redactions(&redacted.counts);
            let allowances = allowances(&redacted.counts);
            write(out, &Answer::Redacted { text: redacted.text.as_str(), redactions, allowances, spans })
        }
        Err(error) => refuse(out, "REDACTION_FAILED", &error.to_string()),
    }
}

fn refuse(out: &mut dyn Write, reason: &'static str, message: &str) -> Result<(), Failure> {
    write(out, &Answer::Refused { error: Refusal { reason, message } })
}

fn write(out: &mut dyn Write, answer: &Answer<'_>) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, answer).map_err(io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}

enum Trouble {
    Input(io::Error),
    Output(io::Error),
}

/// Reads a line without its end into `line`; `before_waiting` runs before each read that may wait.
fn next_line(
    input: &mut BufReader<Box<dyn Read>>,
    line: &mut Vec<u8>,
    before_waiting: &mut dyn FnMut() -> io::Result<()>,
) -> Result<Line, Trouble> {
    let (mut any, mut too_long) = (false, false);
    loop {
        if input.buffer().is_empty() {
            before_waiting().map_err(Trouble::Output)?;
        }
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Trouble::Input(error)),
        };
        if bytes.is_empty() {
            return Ok(if too_long {
                Line::TooLong
            } else if any {
                Line::Whole
            } else {
                Line::End
            });
        }
        any = true;
        let end = memchr::memchr(b'\n', bytes);
        let (part, used) = end.map_or((bytes, bytes.len()), |at| (bytes.get(..at).unwrap_or(bytes), at + 1));
        too_long |= line.len() + part.len() > LONGEST;
        if !too_long {
            line.extend_from_slice(part);
        }
        input.consume(used);
        if end.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}
