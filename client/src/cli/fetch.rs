//! `dossier fetch`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use dossier_client::{Client, oci};
use indicatif::{ProgressBar, ProgressStyle};

use super::failure::{Exit, Failure};
use super::global::{Format, Global};
use super::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// orgs/{org}/runs/{run}/bundles/{bundle}; without orgs/{org}/, of --org
    name: String,
    /// The directory to write: it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let name = global.bundle(&args.name)?.to_string();
    let digest = layout(&global.client()?, &name, &args.out).await?;
    let mut out = output::stdout();
    match global.format(Format::Table) {
        Format::Name => writeln!(out, "{name}")?,
        _ => writeln!(out, "{digest}")?,
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// Fetches a bundle into a layout and gives its digest. Each blob is checked before it is written.
pub(crate) async fn layout(client: &Client, name: &str, out: &Path) -> Result<String, Failure> {
    // An unusable directory is said before anything is fetched.
    let mut writer = oci::Writer::begin(out)?;
    let mut fetch = client.fetch(name, &[]).await?;
    let digest = fetch.digest();
    let bar = progress(Some(fetch.bytes_left()));
    while let Some(blob) = fetch.next_blob().await? {
        writer.put(&blob)?;
        bar.inc(blob.size);
    }
    bar.finish_and_clear();
    writer.finish()?;
    Ok(digest.to_string())
}

/// A bar (or a count, where the length is not known) on a terminal; nothing elsewhere.
pub(crate) fn progress(length: Option<u64>) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match length {
        Some(length) => (ProgressBar::new(length), "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}"),
        None => (ProgressBar::no_length(), "{spinner} {bytes} {bytes_per_sec}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
