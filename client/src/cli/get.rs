//! `dossier get`.

use std::io::Write;

use super::failure::{Exit, Failure};
use super::global::{Format, Global};
use super::output::{self, row};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// orgs/{org}/runs/{run}/bundles/{bundle}; without orgs/{org}/, of --org
    name: String,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let name = global.bundle(&args.name)?;
    let bundle = global.client()?.get(&name.to_string()).await?;
    let mut out = output::stdout();
    match global.format(Format::Yaml) {
        Format::Name => writeln!(out, "{}", bundle.name)?,
        Format::Table => {
            let phase = output::phase_name(&bundle);
            let created = bundle.create_time.as_ref().map(ToString::to_string).unwrap_or_default();
            let head = row(["NAME", "DIGEST", "PHASE", "CREATED", "CREATOR"]);
            output::table(&mut out, &[head, row([&bundle.name, &bundle.digest, phase, &created, &bundle.creator])])?;
        }
        format => output::value(&mut out, &output::resource(&bundle)?, format)?,
    }
    out.flush()?;
    Ok(Exit::Ok)
}
