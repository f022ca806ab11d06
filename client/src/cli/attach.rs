//! `dossier attach`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use dossier_bundle::names::EvidenceId;
use dossier_client::{Upload, UploadSource};
use dossier_proto::v1;
use prost_types::Timestamp;
use serde_json::{Map, Value, json};

use super::context::Files;
use super::failure::{Exit, Failure};
use super::fetch::progress;
use super::global::{Format, Global};
use super::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file, or - for standard input; of any size
    file: PathBuf,
    /// issue, pr, diff, review, checks, note, log-excerpt, artifact or other
    #[arg(long)]
    kind: String,
    /// Unique in its bundle; for a source's text, the source's name
    #[arg(long)]
    id: EvidenceId,
    /// One line of 1 to 200 characters
    #[arg(long)]
    title: String,
    /// Where it can be read in full
    #[arg(long, value_name = "URL")]
    source_url: Option<String>,
    /// The head commit that it is bound to
    #[arg(long, value_name = "SHA")]
    head_sha: Option<String>,
    /// The base commit that it is bound to
    #[arg(long, value_name = "SHA")]
    base_sha: Option<String>,
    /// When it was retrieved, such as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    retrieved_at: Option<Timestamp>,
    /// Default: text/plain; charset=utf-8
    #[arg(long, value_name = "TYPE")]
    media_type: Option<String>,
    /// The project whose denied values and policy apply
    #[arg(long)]
    project: Option<String>,
    /// It is the text of a source of this kind, whose limit and cut apply; the entry printed is a source's
    #[arg(long, value_name = "KIND")]
    source_kind: Option<String>,
    /// Cut or refuse at this many bytes
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_bytes: i32,
    #[command(flatten)]
    context: Files,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let attachment = v1::Attachment {
        id: args.id.to_string(),
        kind: args.kind.clone(),
        title: args.title.clone(),
        media_type: text(&args.media_type),
        source_url: text(&args.source_url),
        retrieved_at: args.retrieved_at,
        base_sha: text(&args.base_sha),
        head_sha: text(&args.head_sha),
        ..v1::Attachment::default()
    };
    let header = v1::UploadAttachmentHeader {
        parent: global.parent(),
        project: text(&args.project),
        attachment: Some(attachment),
        redaction: Some(args.context.message()?),
        max_bytes: args.max_bytes,
        source_kind: text(&args.source_kind),
    };
    let length = std::fs::metadata(&args.file).ok().filter(|about| about.is_file()).map(|about| about.len());
    let bar = progress(length);
    let moved = bar.clone();
    let source = if args.file.as_os_str() == "-" {
        UploadSource::Reader(Box::new(std::io::stdin()))
    } else {
        UploadSource::File(args.file.clone())
    };
    let upload = Upload { header, source, progress: Some(Arc::new(move |bytes| moved.inc(bytes))) };
    let answer = global.client()?.upload(upload).await?;
    bar.finish_and_clear();
    let attachment = answer.attachment.ok_or_else(|| Failure::other("the server's answer names no attachment"))?;
    let mut notes = std::io::stderr().lock();
    for rule in answer.redaction.iter().flat_map(|summary| &summary.rules) {
        writeln!(notes, "redacted: {} × {} ({})", rule.count, rule.kind, rule.rule)?;
    }
    for omission in &answer.omissions {
        writeln!(notes, "left out: {omission}")?;
    }
    let mut out = output::stdout();
    let entry = match &args.source_kind {
        Some(kind) => source_entry(kind, &attachment),
        None => output::to_json(&attachment)?,
    };
    match global.format(Format::Yaml) {
        Format::Name => writeln!(out, "{}", attachment.digest)?,
        Format::Json => output::value(&mut out, &entry, Format::Json)?,
        // As an item of a list: it can be pasted under `attachments:` or `sources:`.
        _ => output::value(&mut out, &json!([entry]), Format::Yaml)?,
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// The entry of a draft's `sources` for text that was uploaded.
pub(crate) fn source_entry(kind: &str, attachment: &v1::Attachment) -> Value {
    let mut entry = Map::new();
    let mut set = |name: &str, value: String| {
        if !value.is_empty() {
            entry.insert(name.to_owned(), Value::String(value));
        }
    };
    set("kind", kind.to_owned());
    set("name", attachment.id.clone());
    set("uri", attachment.source_url.clone());
    set("retrievedAt", attachment.retrieved_at.as_ref().map(ToString::to_string).unwrap_or_default());
    set("headSha", attachment.head_sha.clone());
    set("upload", attachment.digest.clone());
    Value::Object(entry)
}

fn timestamp(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "must be a time such as 2026-01-31T12:00:00Z".to_owned())
}
