//! `dossier create`.

use std::io::Write;
use std::path::PathBuf;

use dossier_client::draft;
use dossier_proto::v1;

use super::failure::{Exit, Failure};
use super::global::{Format, Global};
use super::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The draft: YAML or JSON, or - for standard input
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    file: PathBuf,
    /// The run, where the draft does not name it
    #[arg(long)]
    run: Option<String>,
    /// Names this request: the same id with the same draft gives the same bundle
    #[arg(long, value_name = "ID", conflicts_with = "bundle_id")]
    request_id: Option<String>,
    /// The bundle's id
    #[arg(long, value_name = "ID")]
    bundle_id: Option<String>,
    /// The digest that a preview gave; another one is refused
    #[arg(long, value_name = "DIGEST")]
    expect: Option<String>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let mut draft = draft::read(&args.file)?;
    if let Some(digest) = &args.expect {
        draft.expected_digest.clone_from(digest);
    }
    let request = v1::CreateBundleRequest {
        parent: global.run_parent(args.run.as_deref(), &draft)?,
        draft: Some(draft),
        request_id: args.request_id.clone().unwrap_or_default(),
        bundle_id: args.bundle_id.clone().unwrap_or_default(),
    };
    let answer = global.client()?.create(request).await?;
    let bundle = answer.bundle.ok_or_else(|| Failure::other("the server's answer names no bundle"))?;
    // Findings go to standard error: a script that wants the name gets nothing else.
    let mut notes = std::io::stderr().lock();
    if answer.existed {
        writeln!(notes, "the bundle stood already")?;
    }
    if answer.unchecked {
        writeln!(notes, "rules or settings have changed since: whether the draft is the same was not compared")?;
    }
    output::findings(&mut notes, &answer.findings)?;
    let mut out = output::stdout();
    match global.format(Format::Table) {
        Format::Name => writeln!(out, "{}", bundle.name)?,
        Format::Table => writeln!(out, "{}\n{}", bundle.name, bundle.digest)?,
        format => output::value(&mut out, &output::resource(&bundle)?, format)?,
    }
    out.flush()?;
    Ok(Exit::Ok)
}
