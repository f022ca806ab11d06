//! Where a server keeps what it froze: a directory, or a bucket of a real S3 engine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use dossier_store::{LocalEngine, RandomNonces, S3Config, S3Engine, Sse, Store, StoreOptions};

/// An S3 engine that runs as long as this process.
#[derive(Debug, Clone)]
pub struct Engine {
    settings: BTreeMap<String, String>,
}

impl Engine {
    /// The engine that the environment names (`S3_ENDPOINT`, `S3_BUCKET`, `S3_REGION` and the usual credentials), if it does.
    #[must_use]
    pub fn named() -> Option<Self> {
        let names = ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
        let settings = names.iter().map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
        Some(Self { settings: settings.collect::<Option<_>>()? })
    }

    /// Starts one with `scripts/s3-start`, with its data below `folder`. It goes when this process has gone.
    ///
    /// # Panics
    /// Where it does not start.
    #[must_use]
    pub fn start(folder: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/s3-start");
        let mut port = 20_000 + u32::from(std::process::id().to_le_bytes()[0]) * 90;
        for _ in 0..8 {
            port += 10;
            let mut command = Command::new(&script);
            command.arg("--scratch-for").arg(std::process::id().to_string());
            let out =
                command.arg(folder.join(format!("s3-{port}"))).arg(port.to_string()).output().expect("the script");
            if out.status.code() == Some(3) {
                continue;
            }
            assert!(out.status.success(), "the S3 engine does not start: {}", String::from_utf8_lossy(&out.stderr));
            let lines = String::from_utf8(out.stdout).expect("UTF-8");
            let pairs = lines.lines().filter_map(|line| line.split_once('='));
            return Self { settings: pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect() };
        }
        panic!("no ports are free for the S3 engine");
    }

    /// What a process needs in its environment to be told of this engine.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn get(&self, name: &str) -> String {
        self.settings[name].clone()
    }
}

/// A store's place.
#[derive(Debug, Clone)]
pub enum Place {
    /// A directory.
    Local(PathBuf),
    /// A prefix of a bucket.
    S3(Engine, String),
}

impl Place {
    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Local(_) => "local directory",
            Self::S3(..) => "S3 (SeaweedFS)",
        }
    }

    /// The flags that name it to `dossierd`.
    #[must_use]
    pub fn flags(&self) -> Vec<String> {
        match self {
            Self::Local(dir) => vec!["--data-dir".to_owned(), dir.display().to_string()],
            Self::S3(engine, prefix) => {
                let pairs = [
                    ("--s3-bucket", engine.get("S3_BUCKET")),
                    ("--s3-endpoint", engine.get("S3_ENDPOINT")),
                    ("--s3-region", engine.get("S3_REGION")),
                    ("--s3-prefix", prefix.clone()),
                ];
                pairs.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value]).collect()
            }
        }
    }

    /// The credentials, as variables.
    #[must_use]
    pub fn environment(&self) -> Vec<(String, String)> {
        match self {
            Self::Local(_) => Vec::new(),
            Self::S3(engine, _) => {
                let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
                names.map(|name| (name.to_owned(), engine.get(name))).into()
            }
        }
    }

    /// The store itself, opened in this process as the server opens it. For a bucket the credentials must stand in this
    /// process's environment.
    pub async fn store(&self) -> Store {
        let engine: Arc<dyn dossier_store::Engine> = match self {
            Self::Local(dir) => Arc::new(LocalEngine::open(dir).expect("a directory")),
            Self::S3(engine, prefix) => {
                let config = S3Config {
                    bucket: engine.get("S3_BUCKET"),
                    prefix: prefix.clone(),
                    endpoint: Some(engine.get("S3_ENDPOINT")),
                    region: Some(engine.get("S3_REGION")),
                    path_style: true,
                    sse: Sse::Bucket,
                };
                Arc::new(S3Engine::connect(config).await.expect("a bucket"))
            }
        };
        Store::new(engine, StoreOptions::default(), Arc::new(RandomNonces))
    }
}
