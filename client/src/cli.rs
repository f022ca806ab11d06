//! The command line: flags, dispatch, and what the process ends with. One file a subcommand.

mod attach;
mod complete;
mod context;
mod create;
mod demo;
mod excerpt;
mod failure;
mod fetch;
mod get;
mod global;
mod list;
mod output;
mod preview;
mod read;
mod redact;
mod render;
mod token;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::{Exit, Failure};
use global::Global;

const EXIT_CODES: &str = "\
Exit codes:
  0  done; also where the reader of standard output went away
  1  failed in another way: a file, a certificate, TLS, a broken answer, a bug
  2  the command line, the draft or the request is malformed
  3  denied by findings
  4  verification failed: bytes are missing or changed
  5  not found, or not the caller's to see
  6  unavailable or out of time: try again
  7  the credential is missing, cannot be read, is invalid, or may not do this
  8  conflict: the name is taken by other content, or a pin or digest does not hold any more
  9  unsupported: this version cannot tell or do it";

/// Freezes and verifies the exact context that an AI agent is dispatched with.
#[derive(Parser)]
#[command(name = "dossier", version, after_help = EXIT_CODES, max_term_width = 120)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show what a draft would become: findings, bytes, what is left out, redactions, the digest. Stores nothing
    Preview(preview::Args),
    /// Freeze a draft as a bundle; prints its name and digest
    Create(create::Args),
    /// Upload evidence or a source's text, redacted as it arrives; prints the entry for a draft
    Attach(attach::Args),
    /// Show a bundle
    Get(get::Args),
    /// List bundles, newest first; ends with 4 where a record cannot be read, and names it
    List(list::Args),
    /// Fetch a bundle as an OCI image layout with plain copies beside it
    Fetch(fetch::Args),
    /// Print an attachment, or list a bundle's attachments
    Read(read::Args),
    /// Print what the agent is sent
    Render(render::Args),
    /// Verify a bundle by the numbered steps of docs/spec.md, on the server or in a fetched directory
    Verify(verify::Args),
    /// Redact text without a server: text to standard output, counts as JSON to standard error
    Redact(redact::Args),
    /// Keep of a log its first actionable error and what belongs to it, of a diff whole hunks; without a server
    Excerpt(excerpt::Args),
    /// Make, list and revoke tokens
    Token(token::Args),
    /// Print a shell's completion script
    Completions(complete::Args),
    /// Walk through the main job on the examples, step by step
    Demo(demo::Args),
}

/// Runs the command line.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is no error here either.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Ok.into() };
        }
    };
    match run(cli) {
        Ok(exit) => exit.into(),
        Err(failure) => failure.report().into(),
    }
}

fn run(cli: Cli) -> Result<Exit, Failure> {
    let Cli { global, command } = cli;
    match command {
        Command::Redact(args) => redact::run(&args),
        Command::Excerpt(args) => excerpt::run(&args),
        Command::Completions(args) => complete::run(&args),
        Command::Verify(args) if !args.is_online() => verify::offline(&global, &args),
        command => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|_| Failure::other("the runtime cannot be started"))?;
            let answer = runtime.block_on(Box::pin(online(&global, command)));
            // A thread may still wait for input that nobody wants any more.
            runtime.shutdown_background();
            answer
        }
    }
}

async fn online(global: &Global, command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Preview(args) => preview::run(global, &args).await,
        Command::Create(args) => create::run(global, &args).await,
        Command::Attach(args) => attach::run(global, &args).await,
        Command::Get(args) => get::run(global, &args).await,
        Command::List(args) => list::run(global, &args).await,
        Command::Fetch(args) => fetch::run(global, &args).await,
        Command::Read(args) => read::run(global, &args).await,
        Command::Render(args) => render::run(global, &args).await,
        Command::Verify(args) => verify::online(global, &args).await,
        Command::Token(args) => token::run(global, &args).await,
        Command::Demo(args) => demo::run(global, &args).await,
        Command::Redact(args) => redact::run(&args),
        Command::Excerpt(args) => excerpt::run(&args),
        Command::Completions(args) => complete::run(&args),
    }
}
