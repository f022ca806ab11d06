//! `dossier list`.

use std::io::Write;
use std::pin::pin;

use dossier_client::Listed;
use serde_json::{Map, Value, json};
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
    let (mut items, mut unreadable) = (Vec::new(), Vec::new());
    let mut left = args.limit.unwrap_or(usize::MAX);
    while left > 0
        && let Some(listed) = bundles.next().await
    {
        let bundle = match listed? {
            Listed::Bundle(bundle) => bundle,
            Listed::Unreadable(name) => {
                unreadable.push(name);
                continue;
            }
        };
        left -= 1;
        match format {
            Format::Name => writeln!(out, "{}", bundle.name)?,
            Format::Table => {
                let created = bundle.create_time.as_ref().map(ToString::to_string).unwrap_or_default();
                let phase = output::phase_name(&bundle);
                rows.push(row([&bundle.name, &bundle.digest, phase, &created, &bundle.creator]));
            }
            Format::Yaml | Format::Json => items.push(output::resource(&bundle)?),
        }
    }
    match format {
        Format::Name => {}
        Format::Table => output::table(&mut out, &rows)?,
        Format::Yaml | Format::Json => {
            let mut answer = Map::from_iter([("bundles".to_owned(), Value::Array(items))]);
            if !unreadable.is_empty() {
                answer.insert("unreadable".to_owned(), json!(unreadable));
            }
            output::value(&mut out, &Value::Object(answer), format)?;
        }
    }
    out.flush()?;
    if matches!(format, Format::Name | Format::Table) {
        for name in &unreadable {
            // Where not even this can be written, the exit code must do.
            let _ = writeln!(std::io::stderr(), "unreadable: {name} (`dossier get` tells why)");
        }
    }
    // What could be read has been shown; the exit code says that it is not all.
    Ok(if unreadable.is_empty() { Exit::Ok } else { Exit::NotVerified })
}
