//! One server process.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dossier_client::{Client, Options, Token};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::place::Place;
use crate::programs::{program, scrubbed};

/// The org that tests act in.
pub const ORG: &str = "acme";

/// How long a server may take to start or to stop.
const PATIENCE: Duration = Duration::from_secs(90);

/// What a server is started with.
#[derive(Clone)]
pub struct Setup {
    /// Its own folder: home, token, log.
    folder: PathBuf,
    place: Place,
    environment: Vec<(String, String)>,
    /// Keeps the folder as long as anything is in it.
    _kept: Option<Arc<TempDir>>,
}

impl Setup {
    /// A server on a directory of its own, in a folder that goes with the last of its setups.
    #[must_use]
    pub fn scratch() -> Self {
        let kept = Arc::new(tempfile::tempdir().expect("a folder"));
        let place = Place::Local(kept.path().join("data"));
        Self { folder: kept.path().to_owned(), place, environment: Vec::new(), _kept: Some(kept) }
    }

    /// A server on `place`, with its files in `folder`.
    #[must_use]
    pub fn new(folder: &Path, place: Place) -> Self {
        Self { folder: folder.to_owned(), place, environment: Vec::new(), _kept: None }
    }

    /// With a variable more.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The directory that it keeps everything in.
    ///
    /// # Panics
    /// Where it is a bucket.
    #[must_use]
    pub fn data(&self) -> &Path {
        match &self.place {
            Place::Local(dir) => dir,
            Place::S3(..) => panic!("a bucket is no directory"),
        }
    }

    /// A command of `dossierd` on the same store.
    #[must_use]
    pub fn command(&self) -> Command {
        let home = self.folder.join("home");
        std::fs::create_dir_all(&home).expect("a home");
        let mut command = scrubbed(&program("dossierd"), &home);
        command.args(self.place.flags()).envs(self.place.environment());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Starts a server and waits until it is ready.
    ///
    /// # Panics
    /// Where it does not become ready.
    #[must_use]
    pub fn start(&self) -> Server {
        let (token_file, log) = (self.folder.join("token"), self.folder.join("server.log"));
        let mut command = self.command();
        command.args(["--listen", "127.0.0.1:0", "--token-file"]).arg(&token_file);
        let stderr = File::options().create(true).append(true).open(&log).expect("a log");
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().expect("dossierd starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("its line");
        let read = || std::fs::read_to_string(&log).unwrap_or_default();
        let ready: serde_json::Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("no ready line: {line:?}\n{}", read()));
        let address = ready["listening"].as_str().expect("an address").to_owned();
        Server { child, address, token_file, log, setup: self.clone(), _stdout: stdout }
    }
}

/// A server that runs until it is dropped.
pub struct Server {
    child: Child,
    address: String,
    token_file: PathBuf,
    log: PathBuf,
    setup: Setup,
    /// Kept open: a server may write to it.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    /// A server on a directory of its own.
    #[must_use]
    pub fn scratch() -> Self {
        Setup::scratch().start()
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The file with the admin's token.
    #[must_use]
    pub fn token_file(&self) -> &Path {
        &self.token_file
    }

    /// What it was started with.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// A client with the admin's token and a connection of its own.
    #[must_use]
    pub fn client(&self) -> Client {
        let secret = std::fs::read_to_string(&self.token_file).expect("the token");
        let options = Options { timeout: Duration::from_secs(120), ..Options::default() };
        Client::connect(&self.address, &Token::new(&secret), &options).expect("a client")
    }

    /// What it has logged so far.
    #[must_use]
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.log).unwrap_or_default()).into_owned()
    }

    /// Waits until its log holds `text`.
    ///
    /// # Panics
    /// Where it does not within [`PATIENCE`].
    pub async fn wait_for_log(&self, text: &str) {
        let begun = Instant::now();
        while !self.log().contains(text) {
            assert!(begun.elapsed() < PATIENCE, "{text:?} is not in the log\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// A line of `/proc/PID/status` in KiB, such as `VmHWM`: the most memory that it ever had resident.
    #[must_use]
    pub fn memory_kib(&self, line: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let found = status.lines().find_map(|one| one.strip_prefix(line)?.strip_prefix(':'));
        found.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse().ok()).expect("a number of KiB")
    }

    /// Whether the kernel could set the peak back to what is resident now.
    pub fn reset_peak(&self) -> bool {
        std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5").is_ok()
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).expect("it runs");
    }

    /// Sends SIGKILL and waits for the end.
    pub fn kill(&mut self) {
        self.child.kill().expect("it is ours");
        self.child.wait().expect("it ends");
    }

    /// Waits until it has ended by itself.
    ///
    /// # Panics
    /// Where it does not within [`PATIENCE`].
    pub async fn ended(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not stop\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
