//! The load client: what creating and getting costs through a server, against the very same puts and gets straight at the
//! store, and how much memory an upload of 1 GiB takes.
//!
//!     cargo run --release --bin load -- [--rounds N] [--batch N] [--writers N] [--upload-mib N] [--only local|s3|upload]
//!
//! Rounds alternate between the server and the store, so that both meet the same disk and the same neighbours. A figure is the
//! median over the rounds; only ratios within one run mean something.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that cannot go on has failed")]

mod create;
mod direct;
mod read;
mod report;
mod upload;

use std::process::ExitCode;

use clap::Parser;
use dossier_tests::{Engine, Place, Setup};

/// What to measure.
#[derive(Parser, Clone)]
struct Args {
    /// How often each batch is measured, on each side
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// How many bundles a batch has
    #[arg(long, default_value_t = 12)]
    batch: usize,
    /// How many of them are under way at once
    #[arg(long, default_value_t = 4)]
    writers: usize,
    /// The size of the upload
    #[arg(long, default_value_t = 1024)]
    upload_mib: u64,
    /// local, s3 or upload; without it, all
    #[arg(long)]
    only: Option<String>,
}

impl Args {
    fn wants(&self, what: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == what)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let scratch = tempfile::tempdir().expect("a folder");
    if args.wants("s3") && Engine::named().is_none() {
        // The store finds its credentials in the environment, and a process cannot change its own: a second one measures.
        let engine = Engine::start(scratch.path());
        let mut again = std::process::Command::new(std::env::current_exe().expect("this program"));
        let status = again.args(std::env::args_os().skip(1)).envs(engine.environment()).status().expect("it runs");
        return ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(Box::pin(measure(&args, scratch.path())));
    ExitCode::SUCCESS
}

async fn measure(args: &Args, scratch: &std::path::Path) {
    let mut places = Vec::new();
    if args.wants("local") {
        places.push(Place::Local(scratch.join("data")));
    }
    if args.wants("s3") {
        let engine = Engine::named().expect("main has named one");
        places.push(Place::S3(engine, format!("load-{}", std::process::id())));
    }
    println!("{}", report::HEAD);
    for (index, place) in places.into_iter().enumerate() {
        let folder = scratch.join(format!("server-{index}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let server = Setup::new(&folder, place.clone()).start();
        let store = place.store().await;
        for writers in [1, args.writers] {
            let made = Box::pin(create::measure(args, &place, &server, &store, writers)).await;
            Box::pin(read::measure(args, &place, &server, &store, writers, &made)).await;
        }
    }
    if args.wants("upload") {
        upload::measure(args.upload_mib).await;
    }
}
