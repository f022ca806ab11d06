//! `dossier demo`: the main job on the examples, step by step, as a transcript that can be read and repeated. The draft that is
//! previewed is written down as it is sent, with what its uploads gave, so that the printed command can be given by hand.
//!
//! Each directory below `--examples` that has a `draft.yaml` is one example:
//!
//! ```text
//! examples/<name>/draft.yaml     a BundleDraft. An entry of `attachments` with the `id` of an upload takes what the upload
//!                                gave; a source whose `upload` is the `id` of an upload takes its digest
//! examples/<name>/uploads.yaml   optional: a list of {file, kind, id, title, sourceUrl, headSha, baseSha, retrievedAt,
//!                                mediaType, sourceKind, maxBytes}; `file` is relative to this directory. They are uploaded
//!                                first, with the draft's own project and redaction context
//! examples/<name>/planted.txt    optional: one planted secret a line; each is searched for in the fetched directory, in all
//!                                answers, and below `--data-dir`. Lines that begin with # are passed over
//! ```

mod example;
mod search;

use std::io::Write;
use std::path::{Path, PathBuf};

use dossier_bundle::Digest;
use dossier_bundle::verify::verify;
use dossier_client::{Client, Error, draft, oci};
use dossier_proto::v1;

use super::failure::{Exit, Failure};
use super::global::Global;
use super::{fetch, output, preview};
use example::Example;
use search::Planted;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The directory of the examples
    #[arg(long, value_name = "DIR", default_value = "examples")]
    examples: PathBuf,
    /// Where the bundles are fetched to; what an earlier demo left there is replaced
    #[arg(long, value_name = "DIR", default_value = "dossier-demo")]
    out: PathBuf,
    /// Where each draft is written as it is sent, with its uploads filled in and its denied values in plain text.
    /// Default: drafts, below --out
    #[arg(long, value_name = "DIR")]
    drafts: Option<PathBuf>,
    /// A directory that the server keeps its data in: planted secrets are searched for in it. May be given again
    #[arg(long, value_name = "DIR")]
    data_dir: Vec<PathBuf>,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let client = global.client()?;
    let examples = Example::all(&args.examples)?;
    let mut worst = Exit::Ok;
    for example in &examples {
        let exit = Box::pin(walk(global, args, &client, example)).await?;
        if exit != Exit::Ok {
            worst = exit;
        }
    }
    say(&format!(
        "\n{} examples done: {}",
        examples.len(),
        if worst == Exit::Ok { "all is well" } else { "NOT WELL" }
    ))?;
    Ok(worst)
}

fn say(line: &str) -> Result<(), Failure> {
    let mut out = output::stdout();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

async fn walk(global: &Global, args: &Args, client: &Client, example: &Example) -> Result<Exit, Failure> {
    say(&format!("\n━━ {} ━━", example.name))?;
    let mut seen = Planted::read(&example.dir.join("planted.txt"))?;

    let mut value = example.draft()?;
    for upload in example.uploads()? {
        let answer = client.upload(upload.request(&global.parent(), &example.dir, &value)?).await?;
        let attachment = answer.attachment.clone().unwrap_or_default();
        let redacted: i64 = answer.redaction.iter().flat_map(|summary| &summary.rules).map(|rule| rule.count).sum();
        say(&format!(
            "upload   {} → {} bytes, {redacted} redacted, {}",
            upload.file, attachment.bytes, attachment.digest
        ))?;
        for omission in &answer.omissions {
            say(&format!("         left out: {omission}"))?;
        }
        seen.look("the upload's answer", output::to_json(&answer)?.to_string().as_bytes());
        example::substitute(&mut value, &upload.id, &output::to_json(&attachment)?);
    }

    let draft = draft::from_value(value.clone())?;
    let parent = global.run_parent(None, &draft)?;
    let written = args.drafts.clone().unwrap_or_else(|| args.out.join("drafts")).join(format!("{}.json", example.name));
    write_draft(&written, &value)?;
    say(&format!("preview  dossier preview -f {}", written.display()))?;
    let preview = client.preview(&parent, draft.clone()).await?;
    let mut text = Vec::new();
    preview::print(&mut text, &preview)?;
    say(&indented(&String::from_utf8_lossy(&text)))?;
    seen.look("the preview", output::to_json(&preview)?.to_string().as_bytes());
    if preview.denied {
        return Ok(Exit::Denied);
    }

    // The request's id follows from the draft, so that the demo can be run again.
    let hex = Digest::of(value.to_string().as_bytes()).hex();
    let request = v1::CreateBundleRequest {
        parent,
        draft: Some(v1::BundleDraft { expected_digest: preview.digest.clone(), pins: preview.pins.clone(), ..draft }),
        request_id: format!("demo-{}", hex.get(..16).unwrap_or(&hex)),
        bundle_id: String::new(),
    };
    let first = create(client, request.clone(), "create  ").await?;
    let again = create(client, request, "retry   ").await?;
    seen.look("the bundle", output::to_json(&first)?.to_string().as_bytes());
    let mut exit = Exit::Ok;
    if first.name != again.name || first.digest != again.digest || first.digest != preview.digest {
        say("         NOT THE SAME bundle as was previewed and acknowledged")?;
        exit = Exit::Failed;
    }

    let out = args.out.join(&example.name);
    clear(&out)?;
    let digest = fetch::layout(client, &first.name, &out).await?;
    say(&format!("fetch    {} → {}", first.name, out.display()))?;
    if !verified(client, &first.name, &out, &digest).await? {
        exit = Exit::NotVerified;
    }
    let hex = digest.trim_start_matches("sha256:");
    say(&format!("digest   {digest}"))?;
    say(&format!("         sha256sum {}", out.join("blobs/sha256").join(hex).display()))?;

    seen.search(&out)?;
    for dir in &args.data_dir {
        seen.search(dir)?;
    }
    for line in seen.report() {
        say(&format!("search   {line}"))?;
    }
    Ok(if seen.found() { Exit::Failed } else { exit })
}

async fn create(client: &Client, request: v1::CreateBundleRequest, step: &str) -> Result<v1::Bundle, Failure> {
    let id = request.request_id.clone();
    let answer = client.create(request).await?;
    let bundle = answer.bundle.ok_or_else(|| Failure::other("the server's answer names no bundle"))?;
    let stood = if answer.existed { "stood already" } else { "made" };
    say(&format!("{step} {} with request id {id}: {stood}", bundle.name))?;
    Ok(bundle)
}

/// Writes down a draft for its owner alone: it is raw, and may hold the values that are denied.
fn write_draft(path: &Path, value: &serde_json::Value) -> Result<(), Failure> {
    let io = |source| Failure::Client(Error::Io { path: path.to_owned(), source });
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(io)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(io)?;
    writeln!(file, "{value:#}").map_err(io)
}

/// What an earlier demo fetched makes room; anything else is left, and the fetch refuses it.
fn clear(out: &Path) -> Result<(), Failure> {
    let io = |source| Failure::Client(Error::Io { path: out.to_owned(), source });
    if out.join("oci-layout").exists() {
        std::fs::remove_dir_all(out).map_err(io)?;
    }
    match out.parent() {
        Some(parent) => std::fs::create_dir_all(parent).map_err(io),
        None => Ok(()),
    }
}

async fn verified(client: &Client, name: &str, out: &Path, digest: &str) -> Result<bool, Failure> {
    let server = client.verify(name).await?;
    let layout = oci::read(out)?;
    let expected = digest.parse().map_err(|_| Failure::other("the bundle's digest is malformed"))?;
    let report = verify(&layout.manifest, Some(&expected), &mut |digest| layout.blob(digest));
    let well = server.verified && report.verified() && layout.flaws().is_empty();
    let verdict = if well { "all hold" } else { "DO NOT ALL HOLD" };
    say(&format!(
        "verify   {} steps on the server, {} steps offline: {verdict}",
        server.steps.len(),
        report.steps.len()
    ))?;
    Ok(well)
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("         {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
