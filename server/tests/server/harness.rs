//! Starts `dossierd` and talks to it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use dossier_proto::v1::token_service_client::TokenServiceClient;
use dossier_proto::v1::{CreateTokenRequest, CreateTokenResponse, Role};
use tempfile::TempDir;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

/// A `dossierd` with nothing of the caller's environment, and folders below `home`.
pub(crate) fn dossierd(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dossierd"));
    command.env_clear().env("HOME", home).stdin(Stdio::null());
    command
}

/// Runs a command of `dossierd` to its end.
pub(crate) fn output(command: &mut Command) -> Output {
    command.output().expect("dossierd runs")
}

/// What a command printed, if it succeeded.
pub(crate) fn stdout(command: &mut Command) -> String {
    let output = output(command);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A server that runs until it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) token_file: PathBuf,
    pub(crate) home: Arc<TempDir>,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Server {
    /// A server with a home of its own.
    pub(crate) fn start(env: &[(&str, &str)]) -> Self {
        Self::start_in(Arc::new(tempfile::tempdir().expect("a directory")), env)
    }

    /// A server on the directory `data` in `home`.
    pub(crate) fn start_in(home: Arc<TempDir>, env: &[(&str, &str)]) -> Self {
        let data = home.path().join("data");
        let mut command = dossierd(home.path());
        command.args(["--listen", "127.0.0.1:0", "--data-dir"]).arg(&data).envs(env.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("dossierd starts");
        let log = Arc::new(Mutex::new(String::new()));
        let stderr = BufReader::new(child.stderr.take().expect("stderr"));
        let sink = Arc::clone(&log);
        let reader = std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let mut log = sink.lock().unwrap();
                log.push_str(&line);
                log.push('\n');
            }
        });
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("its line");
        let ready: serde_json::Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("no ready line: {line:?}\n{}", log.lock().unwrap()));
        let text = |name: &str| ready[name].as_str().unwrap_or_default().to_owned();
        Self {
            child,
            address: text("listening"),
            token_file: text("token_file").into(),
            home,
            log,
            reader: Some(reader),
        }
    }

    /// A connection.
    pub(crate) async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address)).expect("an address");
        endpoint.connect().await.expect("a connection")
    }

    /// The admin's secret.
    pub(crate) fn secret(&self) -> String {
        std::fs::read_to_string(&self.token_file).expect("the token file").trim().to_owned()
    }

    /// The token service, as the holder of `secret`.
    pub(crate) async fn tokens(&self, secret: &str) -> TokenServiceClient<InterceptedService<Channel, Bearer>> {
        TokenServiceClient::with_interceptor(self.channel().await, Bearer::new(secret))
    }

    /// A token that the admin makes.
    pub(crate) async fn token(&self, principal: &str, role: Role, orgs: &[&str], run: &str) -> CreateTokenResponse {
        let mut tokens = self.tokens(&self.secret()).await;
        tokens.create_token(token(principal, role, orgs, run)).await.expect("a token").into_inner()
    }

    /// What it has logged.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is there");
    }

    /// Waits for its end, and says how long that took.
    pub(crate) async fn wait(&mut self, most: Duration) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                if let Some(reader) = self.reader.take() {
                    reader.join().expect("the log is read");
                }
                return (status, begun.elapsed());
            }
            assert!(begun.elapsed() < most, "it does not stop\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(10)).await;
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

/// A request for a token.
pub(crate) fn token(principal: &str, role: Role, orgs: &[&str], run: &str) -> CreateTokenRequest {
    CreateTokenRequest {
        principal: principal.to_owned(),
        role: role.into(),
        orgs: orgs.iter().map(|org| (*org).to_owned()).collect(),
        run: run.to_owned(),
        task: String::new(),
        ttl: None,
    }
}

/// Puts a bearer secret on each request.
#[derive(Clone)]
pub(crate) struct Bearer(MetadataValue<Ascii>);

impl Bearer {
    pub(crate) fn new(secret: &str) -> Self {
        Self(format!("Bearer {secret}").parse().expect("ASCII"))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

/// All files below `dir`, read whole.
pub(crate) fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            all.extend(files(&entry));
        } else {
            let mut bytes = Vec::new();
            std::fs::File::open(&entry).and_then(|mut file| file.read_to_end(&mut bytes)).expect("a file");
            all.push((entry, bytes));
        }
    }
    all
}
