//! `dossier list`.

use std::io::Write;
use std::pin::pin;

use serde_json::Value;
use tokio_stream::StreamExt;

use super::failure::{Exit, Failure};
use super::global::{Format, Global};
use super::output::{self, row};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only bundles of this run
    #[arg(long)]
    run: Option<String>,
    /// Only bundles with this digest
    #[arg(long)]
    digest: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let parent = match &args.run {
        Some(run) => format!("{}/runs/{run}", global.parent()),
        None => global.parent(),
    };
    let client = global.client()?;
    let mut bundles = pin!(client.list(&parent, args.digest.as_deref().unwrap_or_default()));
    let format = global.format(Format::Table);
    let mut out = output::stdout();
    let mut rows = vec![row(["NAME", "DIGEST", "PHASE", "CREATED", "CREATOR"])];
    let mut items = Vec::new();
    let mut left = args.limit.unwrap_or(usize::MAX);
    while left > 0
        && let Some(bundle) = bundles.next().await
    {
        let bundle = bundle?;
        left -= 1;
        match format {
            Format::Name => writeln!(out, "{}", bundle.name)?,
            Format::Table => {
                let created = bundle.create_time.as_ref().map(ToString::to_string).unwrap_or_default();
                let phase = output::phase_name(&bundle);
                rows.push(row([&bundle.name, &bundle.digest, phase, &created, &bundle.creator]));
            }
            _ => items.push(output::resource(&bundle)?),
        }
    }
    match format {
        Format::Name => {}
        Format::Table => output::table(&mut out, &rows)?,
        format => output::value(&mut out, &Value::Array(items), format)?,
    }
    out.flush()?;
    Ok(Exit::Ok)
}
