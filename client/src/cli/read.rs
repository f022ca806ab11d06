//! `dossier read`.

use std::io::Write;

use dossier_bundle::names::{AttachmentPath, EvidenceId};
use serde_json::Value;

use super::failure::{Exit, Failure};
use super::global::{Format, Global};
use super::output::{self, row};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// orgs/{org}/runs/{run}/bundles/{bundle}; without orgs/{org}/, of --org
    name: String,
    /// The attachment to print; without it, the attachments are listed
    #[arg(long, value_name = "ID")]
    attachment: Option<EvidenceId>,
    /// The first byte; moved down to a character boundary
    #[arg(long, value_name = "N", default_value_t = 0, requires = "attachment")]
    offset: i64,
    /// How many bytes at most; 0 means to the end
    #[arg(long, value_name = "N", default_value_t = 0, requires = "attachment")]
    limit: i64,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let bundle = global.bundle(&args.name)?;
    let client = global.client()?;
    let mut out = output::stdout();
    let Some(id) = &args.attachment else {
        let items = client.all_attachments(&bundle.to_string()).await?;
        match global.format(Format::Table) {
            Format::Name => {
                for item in &items {
                    writeln!(out, "{}", item.id)?;
                }
            }
            Format::Table => {
                let mut rows = vec![row(["ID", "KIND", "BYTES", "STATUS", "TITLE"])];
                for item in &items {
                    let bytes = item.bytes.to_string();
                    rows.push(row([&item.id, &item.kind, &bytes, &item.redaction_status, &item.title]));
                }
                output::table(&mut out, &rows)?;
            }
            format => {
                let items = items.iter().map(output::to_json).collect::<Result<Vec<_>, _>>()?;
                output::value(&mut out, &Value::Array(items), format)?;
            }
        }
        out.flush()?;
        return Ok(Exit::Ok);
    };
    let path = AttachmentPath { bundle, id: id.clone() };
    let (header, bytes) = client.read_attachment(&path.to_string(), args.offset, args.limit).await?;
    out.write_all(&bytes)?;
    out.flush()?;
    if header.next_offset > 0 {
        writeln!(std::io::stderr(), "next page: --offset {}", header.next_offset)?;
    }
    Ok(Exit::Ok)
}
