//! `dossierd`, the Dossier server.

use std::process::ExitCode;

use clap::Parser as _;
use dossier_server::cli::{Cli, environment};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match start(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dossierd: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start(cli: Cli) -> anyhow::Result<()> {
    let env = environment()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(cli.run(env));
    // Nothing outlives the server; what blocks on a disk is not waited for.
    runtime.shutdown_background();
    done
}
