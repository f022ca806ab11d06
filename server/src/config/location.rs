//! Where the state is, and which folders are the user's.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use dossier_bundle::Digest;
use dossier_store::{S3Config, Sse};

use super::{Config, ConfigError, SseKind};

/// The region of an engine that is not AWS, where nothing names another.
const REGION: &str = "us-east-1";

/// The user's folders, after the XDG base directory specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirs {
    config: Option<PathBuf>,
    data: Option<PathBuf>,
    /// Whether the environment tells of a region, by itself or through a profile.
    region: bool,
}

impl Dirs {
    /// The folders that the environment names. A relative path counts as none, as the specification wants it.
    #[must_use]
    pub fn from_env(env: &BTreeMap<String, String>) -> Self {
        let absolute = |name: &str| env.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let below = |name: &str, home: &str| absolute(name).or_else(|| absolute("HOME").map(|dir| dir.join(home)));
        Self {
            config: below("XDG_CONFIG_HOME", ".config").map(|dir| dir.join("dossier")),
            data: below("XDG_DATA_HOME", ".local/share").map(|dir| dir.join("dossier")),
            region: ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"].iter().any(|name| env.contains_key(*name)),
        }
    }

    /// The folder for what the user configures.
    #[must_use]
    pub fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The folder of the default store.
    #[must_use]
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }
}

/// Where the state is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A directory of this machine.
    Directory(PathBuf),
    /// A bucket.
    Bucket(S3Config),
}

impl Location {
    /// The place that a configuration names, or the default one.
    ///
    /// # Errors
    /// [`ConfigError`] where none is named and the environment tells of no home.
    pub fn of(config: &Config, dirs: &Dirs) -> Result<Self, ConfigError> {
        if let Some(s3) = &config.store.s3 {
            let sse = match s3.sse {
                SseKind::Bucket => Sse::Bucket,
                SseKind::Aes256 => Sse::Aes256,
                SseKind::Kms => Sse::Kms { key_id: s3.kms_key_id.clone() },
            };
            // Beside AWS nobody else is asked: the instance's metadata service may not be there, and takes its time to say so.
            let region = s3.region.clone().or((s3.endpoint.is_some() && !dirs.region).then(|| REGION.to_owned()));
            return Ok(Self::Bucket(S3Config {
                bucket: s3.bucket.clone(),
                prefix: s3.prefix.clone(),
                endpoint: s3.endpoint.clone(),
                region,
                path_style: s3.path_style.unwrap_or(s3.endpoint.is_some()),
                sse,
            }));
        }
        let named = config.store.data_dir.as_deref().or(dirs.data());
        named
            .map(|dir| Self::Directory(dir.to_owned()))
            .ok_or_else(|| ConfigError::new("store.data_dir must be set: neither XDG_DATA_HOME nor HOME is"))
    }

    /// The file in the user's configuration folder that keeps the admin token of this place: `token` for the default
    /// directory, else `token-` and 16 hexadecimal digits of a hash of the place.
    #[must_use]
    pub fn token_file(&self, dirs: &Dirs) -> Option<PathBuf> {
        let place = match self {
            Self::Directory(dir) => {
                let real = canonical(dir);
                if dirs.data().is_some_and(|data| canonical(data) == real) {
                    return dirs.config().map(|folder| folder.join("token"));
                }
                format!("directory {}", real.display())
            }
            Self::Bucket(s3) => {
                let endpoint = s3.endpoint.as_deref().unwrap_or("aws").trim_end_matches('/');
                format!("bucket {endpoint} {} {}", s3.bucket, s3.prefix.trim_matches('/'))
            }
        };
        let hash = Digest::of(place.as_bytes()).hex();
        dirs.config().map(|folder| folder.join(format!("token-{}", hash.get(..16).unwrap_or_default())))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(dir) => write!(f, "directory {}", dir.display()),
            Self::Bucket(s3) => write!(f, "bucket {}", s3.bucket),
        }
    }
}

/// The path without links; as it is where it is not there.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
