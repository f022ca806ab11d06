//! `dossier preview`.

use std::io::Write;
use std::path::PathBuf;

use dossier_client::draft;
use dossier_proto::v1;

use super::failure::{Exit, Failure};
use super::global::{Format, Global};
use super::output::{self, row};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The draft: YAML or JSON, or - for standard input
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    file: PathBuf,
    /// The run, where the draft does not name it
    #[arg(long)]
    run: Option<String>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let draft = draft::read(&args.file)?;
    let parent = global.run_parent(args.run.as_deref(), &draft)?;
    let answer = global.client()?.preview(&parent, draft).await?;
    let mut out = output::stdout();
    match global.format(Format::Table) {
        Format::Name => writeln!(out, "{}", answer.digest)?,
        Format::Table => print(&mut out, &answer)?,
        format => output::value(&mut out, &output::to_json(&answer)?, format)?,
    }
    out.flush()?;
    Ok(if answer.denied { Exit::Denied } else { Exit::Ok })
}

/// Prints a preview for people: what blocks comes first, the digest last.
pub(crate) fn print(out: &mut dyn Write, answer: &v1::PreviewBundleResponse) -> Result<(), Failure> {
    let denied = answer.findings.iter().filter(|one| one.severity() == v1::finding::Severity::Denied).count();
    match (answer.denied, answer.findings.len()) {
        (true, _) => writeln!(out, "DENIED: {denied} of {} findings must be fixed first", answer.findings.len())?,
        (false, 0) => writeln!(out, "Ready: no findings")?,
        (false, warnings) => writeln!(out, "Ready: {warnings} warnings")?,
    }
    output::findings(out, &answer.findings)?;
    if let Some(spec) = &answer.spec {
        let tasks = spec.layers.iter().filter(|layer| matches!(layer.name.as_str(), "user" | "trigger"));
        // The heading and the standing line are always there.
        if tasks.flat_map(|layer| &layer.fragments).all(|fragment| fragment.kind == "builtin") {
            writeln!(out, "Note: no user prompt and no trigger: the agent is given no task")?;
        }
        layers(out, spec)?;
        sources(out, spec)?;
        left_out(out, spec)?;
        writeln!(out, "\nRedactions:{}", if spec.redactions.is_empty() { " none" } else { "" })?;
        for count in &spec.redactions {
            writeln!(out, "  {} × {} ({})", count.count, count.kind, count.replacement)?;
        }
    }
    if !answer.digest.is_empty() {
        writeln!(out, "\nDigest: {}", answer.digest)?;
    }
    Ok(())
}

fn layers(out: &mut dyn Write, spec: &v1::BundleSpec) -> Result<(), Failure> {
    let mut rows = vec![row(["LAYER", "MESSAGE", "BYTES", "FRAGMENTS"])];
    for layer in &spec.layers {
        let (bytes, fragments) = (layer.bytes.to_string(), layer.fragments.len().to_string());
        rows.push(row([&layer.name, &layer.message, &bytes, &fragments]));
    }
    let total: i64 = spec.layers.iter().map(|layer| i64::from(layer.bytes)).sum();
    rows.push(row(["total", "", &total.to_string()]));
    writeln!(out)?;
    Ok(output::table(out, &rows)?)
}

fn sources(out: &mut dyn Write, spec: &v1::BundleSpec) -> Result<(), Failure> {
    let rendered = |name: &str| {
        let fragments = spec.layers.iter().flat_map(|layer| &layer.fragments);
        let mut fragments = fragments.filter(|fragment| fragment.kind == "source" && fragment.name == name);
        fragments.next().map_or_else(|| "-".to_owned(), |fragment| fragment.bytes.to_string())
    };
    let cut = |truncated: bool| if truncated { "cut" } else { "whole" };
    let mut rows = vec![row(["PART", "KIND", "BYTES", "STATUS", "EXTENT"])];
    for source in &spec.sources {
        let name = format!("sources/{}", source.name);
        let bytes = rendered(&name);
        rows.push(row([&name, &source.kind, &bytes, &source.redaction_status, cut(source.truncated)]));
    }
    for item in &spec.attachments {
        let (name, bytes) = (format!("attachments/{}", item.id), item.bytes.to_string());
        rows.push(row([&name, &item.kind, &bytes, &item.redaction_status, cut(item.truncated)]));
    }
    if rows.len() > 1 {
        writeln!(out)?;
        output::table(out, &rows)?;
    }
    Ok(())
}

fn left_out(out: &mut dyn Write, spec: &v1::BundleSpec) -> Result<(), Failure> {
    let omissions = spec.limits.as_ref().map(|limits| limits.omissions.as_slice()).unwrap_or_default();
    writeln!(out, "\nLeft out:{}", if omissions.is_empty() { " nothing" } else { "" })?;
    for one in omissions {
        writeln!(out, "  {}: {} {}, {} bytes ({})", one.part, one.items, one.what, one.bytes, one.reason)?;
    }
    Ok(())
}
