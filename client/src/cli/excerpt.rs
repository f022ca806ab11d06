//! `dossier excerpt`: the part of a log or diff that matters, without a server.

use std::fs::File;
use std::io::{Read, Write};
use std::ops::Range;
use std::path::PathBuf;

use dossier_bundle::cut::Measure;
use dossier_bundle::diff;
use dossier_bundle::excerpt::{Body, Builder, Excerpt, Excerpted};
use dossier_client::Error;
use dossier_redact::{Clean, Stream, Swallowed};
use serde_json::{Value, json};

use super::context::Files;
use super::failure::{Exit, Failure};
use super::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file, or - for standard input
    #[arg(default_value = "-", value_name = "FILE")]
    file: PathBuf,
    /// What it is
    #[arg(long, value_enum, default_value = "log")]
    kind: Kind,
    /// The most that the excerpt may take, in bytes
    #[arg(long, value_name = "N", default_value_t = 262_144, value_parser = clap::value_parser!(u32).range(512..=67_108_864))]
    max_bytes: u32,
    /// Print one JSON object: excerpt, firstError {line, text, class, recognizer} or null, keptLines, omissions. Lines are those
    /// of the input, from 1
    #[arg(long)]
    json: bool,
    /// Redact first; else the text is taken as it is
    #[arg(long)]
    redact: bool,
    #[command(flatten)]
    context: Files,
}

/// Kinds of text.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// The output of a job: keeps the first actionable error
    Log,
    /// Changes: keeps whole hunks and a summary of all files
    Diff,
}

/// How much is read at once.
const READ: usize = 256 * 1024;

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    if !args.redact && args.context.is_given() {
        return Err(Failure::usage("--deny-values, --policy and --accept-weak-values go with --redact"));
    }
    let unreadable = |source| Failure::Client(Error::Io { path: args.file.clone(), source });
    let mut input: Box<dyn Read> = if args.file.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(&args.file).map_err(unreadable)?)
    };
    let room = args.max_bytes as usize;
    let out = if args.redact {
        let mut source = Redacted(Some(args.context.redactor()?.stream()));
        taken(&mut source, input.as_mut(), args.kind, room)
    } else {
        taken(&mut Plain::default(), input.as_mut(), args.kind, room)
    };
    let out = out.map_err(|error| match error {
        Trouble::Read(error) => unreadable(error),
        Trouble::Refused(failure) => failure,
    })?;
    let mut stdout = output::stdout();
    if args.json {
        writeln!(stdout, "{}", out.json())?;
    } else {
        stdout.write_all(out.text.as_bytes())?;
    }
    stdout.flush()?;
    Ok(Exit::Ok)
}

enum Trouble {
    Read(std::io::Error),
    Refused(Failure),
}

/// What makes text of bytes.
trait Source<B> {
    /// The next text, and where line feeds of the input are lacking in it; `None` for `bytes` ends the input.
    fn text(&mut self, bytes: Option<&[u8]>) -> Result<(B, Vec<Swallowed>), Failure>;
}

/// Text as it is; what is not UTF-8 is shown as U+FFFD.
#[derive(Default)]
struct Plain {
    /// The beginning of a character whose rest is to come.
    held: Vec<u8>,
}

impl Source<String> for Plain {
    fn text(&mut self, bytes: Option<&[u8]>) -> Result<(String, Vec<Swallowed>), Failure> {
        self.held.extend_from_slice(bytes.unwrap_or_default());
        let whole = match std::str::from_utf8(&self.held) {
            // At the end nothing more comes.
            Err(error) if error.error_len().is_none() && bytes.is_some() => error.valid_up_to(),
            Err(_) if bytes.is_some() => {
                let tail = self.held.len().saturating_sub(3);
                let open = |at: &usize| {
                    std::str::from_utf8(&self.held[*at..])
                        .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
                };
                (tail..self.held.len()).find(open).unwrap_or(self.held.len())
            }
            _ => self.held.len(),
        };
        let text = String::from_utf8_lossy(&self.held[..whole]).into_owned();
        self.held.drain(..whole);
        Ok((text, Vec::new()))
    }
}

/// Redacted text.
struct Redacted(Option<Stream>);

impl Source<Clean> for Redacted {
    fn text(&mut self, bytes: Option<&[u8]>) -> Result<(Clean, Vec<Swallowed>), Failure> {
        let refused = |error: dossier_redact::Error| Failure::Said(Exit::Denied, error.to_string());
        let chunk = match (bytes, &mut self.0) {
            (Some(bytes), Some(stream)) => stream.push(bytes).map_err(refused)?,
            (None, stream) => match stream.take() {
                Some(stream) => stream.finish().map_err(refused)?.0,
                None => return Ok(Default::default()),
            },
            (Some(_), None) => return Ok(Default::default()),
        };
        Ok((chunk.text, chunk.swallowed))
    }
}

/// An excerpt as it is printed.
struct Out {
    text: String,
    first_error: Value,
    kept: Vec<(u64, u64)>,
    omissions: Vec<Value>,
}

impl Out {
    fn json(&self) -> Value {
        json!({
            "firstError": self.first_error,
            "keptLines": self.kept.iter().map(|(from, to)| [from, to]).collect::<Vec<_>>(),
            "omissions": self.omissions,
            "excerpt": self.text,
        })
    }
}

fn taken<B: Body + AsRef<str>>(
    source: &mut dyn Source<B>,
    input: &mut dyn Read,
    kind: Kind,
    room: usize,
) -> Result<Out, Trouble> {
    let mut excerpt: Excerpt<B> = Excerpt::new(room, Measure::Raw);
    let mut whole = B::Builder::default();
    let mut swallowed: Vec<Swallowed> = Vec::new();
    let mut buffer = vec![0; READ];
    let mut done = false;
    while !done {
        let read = match input.read(&mut buffer) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            read => read.map_err(Trouble::Read)?,
        };
        done = read == 0;
        let (text, lacking) = source.text((!done).then_some(&buffer[..read])).map_err(Trouble::Refused)?;
        if kind == Kind::Log {
            excerpt.push(&text, &lacking);
        } else {
            let base = whole.len();
            swallowed.extend(lacking.iter().map(|one| Swallowed { at: base + one.at, ..*one }));
            whole.push_slice(&text, 0..text.as_ref().len());
        }
    }
    if kind == Kind::Log {
        return Ok(of_log(excerpt.finish()));
    }
    let whole = whole.finish();
    if let Some(cut) = diff::cut(&whole, room, Measure::Raw) {
        let lines = Lines { text: whole.as_ref(), swallowed: &swallowed };
        let omission = json!({"bytes": cut.missing.bytes, "hunks": cut.missing.items, "reason": "room"});
        return Ok(Out {
            text: cut.text.as_str().to_owned(),
            first_error: Value::Null,
            kept: lines.of(&cut.kept),
            omissions: vec![omission],
        });
    }
    // It fits, or is no diff.
    let mut excerpt: Excerpt<B> = Excerpt::new(room, Measure::Raw);
    excerpt.push(&whole, &swallowed);
    Ok(Out { first_error: Value::Null, ..of_log(excerpt.finish()) })
}

fn of_log<B: Body>(excerpt: Excerpted<B>) -> Out {
    let first = excerpt.first_error.map(|error| {
        json!({
            "line": error.line,
            "text": excerpt.first_line,
            "class": error.class.name(),
            "recognizer": excerpt.recognizer,
        })
    });
    let omission = |one: &dossier_bundle::excerpt::Omission| {
        let reason = if one.folded { "repeats" } else { "room" };
        json!({"lines": [one.lines.0, one.lines.1], "bytes": one.bytes, "reason": reason})
    };
    Out {
        text: excerpt.text.as_str().to_owned(),
        first_error: first.unwrap_or_default(),
        omissions: excerpt.omissions.iter().map(omission).collect(),
        kept: excerpt.kept,
    }
}

/// The lines of a whole text.
struct Lines<'t> {
    text: &'t str,
    swallowed: &'t [Swallowed],
}

impl Lines<'_> {
    /// The lines of the input that ranges of bytes cover, as first and last of each stretch. The ranges are in order.
    fn of(&self, ranges: &[Range<usize>]) -> Vec<(u64, u64)> {
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        for range in ranges.iter().filter(|range| !range.is_empty()) {
            let (from, to) = (self.number(range.start), self.number(range.end - 1));
            match stretches.last_mut() {
                Some(last) if last.1 + 1 >= from => last.1 = last.1.max(to),
                _ => stretches.push((from, to)),
            }
        }
        stretches
    }

    fn number(&self, at: usize) -> u64 {
        let lacking: u64 = self.swallowed.iter().filter(|one| one.at <= at).map(|one| one.lines).sum();
        1 + memchr::memchr_iter(b'\n', &self.text.as_bytes()[..at]).count() as u64 + lacking
    }
}
