//! `dossier verify`: online the server's check and one's own of the fetched bytes; offline of a fetched directory.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use dossier_bundle::Digest;
use dossier_bundle::verify::{Outcome, Report, verify};
use dossier_client::{Client, Error, oci};
use dossier_proto::v1::{self, verify_step};
use serde_json::{Value, json};
use tonic::Code;

use super::failure::{Exit, Failure};
use super::global::{Format, Global};
use super::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A bundle's name (orgs/… or runs/…), or a directory that `dossier fetch` wrote
    #[arg(value_name = "NAME|DIR")]
    subject: String,
    /// The digest that it must have, as known from elsewhere
    #[arg(long, value_name = "DIGEST")]
    digest: Option<Digest>,
    /// Print only steps that do not hold, and the verdict
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    /// Whether the subject is a name. What looks like one is one; `./orgs` is a directory.
    pub(crate) fn is_online(&self) -> bool {
        self.subject.starts_with("orgs/") || self.subject.starts_with("runs/")
    }
}

/// A step of any check, as it is printed.
struct Line {
    by: &'static str,
    number: Option<i32>,
    subject: String,
    outcome: &'static str,
    detail: String,
}

impl Line {
    fn failed(by: &'static str, subject: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { by, number: None, subject: subject.into(), outcome: FAILED, detail: detail.into() }
    }
}

const HOLDS: &str = "holds";
const FAILED: &str = "FAILED";
const UNSUPPORTED: &str = "unsupported";

pub(crate) fn offline(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let dir = PathBuf::from(&args.subject);
    let (mut lines, mut digest) = (Vec::new(), None);
    if !dir.is_dir() {
        return Err(Failure::other(format!("{}: {}", dir.display(), absent(&dir))));
    }
    if !dir.join("oci-layout").exists() && !dir.join("index.json").exists() && !dir.join("blobs").exists() {
        let message = format!("{}: no fetched bundle: no oci-layout, index.json or blobs stands in it", dir.display());
        return Err(Failure::Said(Exit::NotVerified, message));
    }
    match oci::read(&dir) {
        Ok(layout) => {
            let expected = args.digest.unwrap_or(layout.digest);
            let report = verify(&layout.manifest, Some(&expected), &mut |digest| layout.blob(digest));
            digest = Some(report.digest);
            lines.extend(steps("offline", report));
            lines.extend(layout.flaws().iter().map(|flaw| Line::failed("offline", file(&flaw.path), flaw.detail)));
        }
        Err(Error::Damaged { path, detail }) => lines.push(Line::failed("offline", file(&path), detail)),
        Err(Error::Unsupported { path, detail }) => {
            lines.push(Line { outcome: UNSUPPORTED, ..Line::failed("offline", file(&path), detail) });
        }
        Err(error) => return Err(error.into()),
    }
    conclude(global, args, digest, &lines)
}

pub(crate) async fn online(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let name = global.bundle(&args.subject)?.to_string();
    let client = global.client()?;
    let answer = client.verify(&name).await?;
    let mut lines: Vec<Line> = answer.steps.iter().map(line).collect();
    if !answer.verified && lines.iter().all(|line| line.outcome == HOLDS) {
        lines.push(Line::failed("server", "bundle", "the server did not verify it"));
    }
    let mut digest = answer.digest.parse::<Digest>().ok();
    match received(&client, &name, args.digest).await {
        Ok(report) => {
            if digest.is_some_and(|digest| digest != report.digest) {
                lines.push(Line::failed("client", "digest", "the server verified another digest than it sent"));
            }
            digest = Some(report.digest);
            lines.extend(steps("client", report));
        }
        Err(Error::Corrupt { digest, detail }) => lines.push(Line::failed("client", digest.to_string(), detail)),
        Err(Error::Rpc(rpc)) if rpc.code == Code::DataLoss => {
            lines.push(Line::failed("client", "fetch", rpc.message));
        }
        Err(error) => return Err(error.into()),
    }
    conclude(global, args, digest, &lines)
}

/// Why nothing can be verified there.
fn absent(dir: &Path) -> &'static str {
    if dir.exists() { "is no directory" } else { "does not exist; a bundle's name begins with orgs/ or runs/" }
}

/// A path of a layout, as it is printed. Whoever added a file chose its name, so nothing in it may steer a terminal.
fn file(path: &Path) -> String {
    format!("file {}", path.to_string_lossy().escape_debug())
}

/// Fetches all bytes and checks them here.
async fn received(client: &Client, name: &str, expected: Option<Digest>) -> Result<Report, Error> {
    let mut fetch = client.fetch(name, &[]).await?;
    let named = fetch.digest();
    let mut blobs = HashMap::new();
    while let Some(blob) = fetch.next_blob().await? {
        blobs.insert(blob.digest, blob.bytes);
    }
    let manifest = blobs.get(&named).cloned().unwrap_or_default();
    Ok(verify(&manifest, Some(&expected.unwrap_or(named)), &mut |digest| blobs.get(digest)))
}

fn steps(by: &'static str, report: Report) -> impl Iterator<Item = Line> {
    report.steps.into_iter().map(move |step| {
        let (outcome, detail) = match step.outcome {
            Outcome::Holds => (HOLDS, String::new()),
            Outcome::Failed(detail) => (FAILED, detail),
            Outcome::Unsupported(detail) => (UNSUPPORTED, detail),
        };
        Line { by, number: Some(step.number.into()), subject: step.subject, outcome, detail }
    })
}

fn line(step: &v1::VerifyStep) -> Line {
    let outcome = match step.outcome() {
        verify_step::Outcome::Holds => HOLDS,
        verify_step::Outcome::Failed => FAILED,
        verify_step::Outcome::Unsupported | verify_step::Outcome::Unspecified => UNSUPPORTED,
    };
    let (subject, detail) = (step.subject.clone(), step.detail.clone());
    Line { by: "server", number: Some(step.number), subject, outcome, detail }
}

fn conclude(global: &Global, args: &Args, digest: Option<Digest>, lines: &[Line]) -> Result<Exit, Failure> {
    let is = |outcome: &str| lines.iter().any(|line| line.outcome == outcome);
    let (exit, verdict) = match (is(FAILED), is(UNSUPPORTED)) {
        (true, _) => (Exit::NotVerified, "FAILED"),
        (false, true) => (Exit::Unsupported, "UNSUPPORTED"),
        (false, false) => (Exit::Ok, "VERIFIED"),
    };
    let digest = digest.map(|digest| digest.to_string()).unwrap_or_default();
    let mut out = output::stdout();
    match global.format(Format::Table) {
        Format::Name => writeln!(out, "{digest}")?,
        Format::Table => {
            for line in lines.iter().filter(|line| !args.quiet || line.outcome != HOLDS) {
                let number = line.number.map_or_else(|| "-".to_owned(), |number| number.to_string());
                let detail = if line.detail.is_empty() { String::new() } else { format!(": {}", line.detail) };
                writeln!(out, "{:8} {number:>3}  {:11}  {}{detail}", line.by, line.outcome, line.subject)?;
            }
            writeln!(out, "{verdict} {digest}")?;
        }
        format => {
            let steps: Vec<Value> = lines
                .iter()
                .map(|line| {
                    json!({
                        "by": line.by, "number": line.number, "subject": line.subject,
                        "outcome": line.outcome.to_lowercase(), "detail": line.detail,
                    })
                })
                .collect();
            let verified = exit == Exit::Ok;
            output::value(&mut out, &json!({"verified": verified, "digest": digest, "steps": steps}), format)?;
        }
    }
    out.flush()?;
    Ok(exit)
}
