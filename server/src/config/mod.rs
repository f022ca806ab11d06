//! The configuration: one typed TOML file, then `DOSSIER_*` variables, then flags, each over the one before.
//!
//! [`settings`] is the table of all keys: from it come the names of the variables, the reference page, the commented
//! example, and the check of what a file holds. The types here are what the server works with. No key holds a secret:
//! the store's credentials come from its own chain.

mod check;
mod error;
mod layers;
mod location;
mod reference;
mod settings;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use error::ConfigError;
pub use layers::Sources;
pub use location::{Dirs, Location};
pub use reference::{example, reference};

/// The name of the limit class that a draft has when it names none.
pub const STANDARD: &str = "standard";

/// The whole configuration. Its default is what the server does without any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How it serves.
    pub server: ServerConfig,
    /// Where it keeps what it froze.
    pub store: StoreConfig,
    /// The limit classes by name; `standard` is always there.
    pub limits: BTreeMap<String, LimitClass>,
    /// What must not be seen.
    pub redaction: RedactionConfig,
    /// Who calls.
    pub identity: IdentityConfig,
    /// What it logs.
    pub log: LogConfig,
}

/// How the server serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    /// Where it listens. Port 0 takes a free one. Without TLS, loopback only.
    pub listen: SocketAddr,
    /// The PEM file of the certificate chain; with it, `tls_key` is needed.
    pub tls_cert: Option<PathBuf>,
    /// The PEM file of the private key.
    pub tls_key: Option<PathBuf>,
    /// The largest message, in bytes, in both directions.
    pub max_message_bytes: u32,
    /// How many connections are served at once; more wait to be accepted.
    pub max_connections: u32,
    /// How many RPCs one connection may have open.
    pub max_streams_per_connection: u32,
    /// How many RPCs are served at once; more wait within their deadline.
    pub max_concurrent_requests: u32,
    /// How often an idle connection is pinged, in seconds.
    pub keepalive_seconds: u32,
    /// How long the answer to a ping may take, in seconds, before the connection is closed.
    pub keepalive_timeout_seconds: u32,
    /// How long a unary RPC may last whose caller sets no deadline, in seconds.
    pub request_timeout_seconds: u32,
    /// How long any RPC may last, whatever deadline its caller sets, in seconds; streams without a deadline too.
    pub max_request_timeout_seconds: u32,
    /// How long the stream of a caller may bring nothing before its RPC is ended, in seconds.
    pub stream_idle_seconds: u32,
    /// How long open RPCs may go on after the server was told to stop, in seconds.
    pub drain_seconds: u32,
}

/// Where the server keeps what it froze: a directory or a bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoreConfig {
    /// A directory of this machine. Neither this nor `s3`: the user's data directory.
    pub data_dir: Option<PathBuf>,
    /// A bucket.
    pub s3: Option<S3Section>,
    /// How old a blob that no record names must be before it is collected, in seconds. The bucket keeps the value of its
    /// first writer.
    pub gc_grace_seconds: u32,
}

/// A bucket, and how to reach it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct S3Section {
    /// The bucket's name.
    pub bucket: String,
    /// What stands before every key.
    pub prefix: String,
    /// The URL of an engine that is not AWS.
    pub endpoint: Option<String>,
    /// The region.
    pub region: Option<String>,
    /// Whether the bucket stands in the path; without a value, if an endpoint is set.
    pub path_style: Option<bool>,
    /// The encryption at rest that each write asks for.
    pub sse: SseKind,
    /// The key's id or ARN for `aws:kms`.
    pub kms_key_id: Option<String>,
}

/// Encryption at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum SseKind {
    /// Whatever the bucket does by itself.
    #[default]
    #[serde(rename = "bucket")]
    Bucket,
    /// Keys of the engine.
    #[serde(rename = "AES256")]
    Aes256,
    /// Keys of a key service.
    #[serde(rename = "aws:kms")]
    Kms,
}

/// The limits of a class, in bytes of UTF-8 but for `max_attachments`, which is a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitClass {
    /// Layers 1 to 6, rendered.
    pub max_prompt_bytes: u32,
    /// Each log source.
    pub max_log_bytes: u32,
    /// All diffs together.
    pub max_diff_bytes: u32,
    /// The elements of the task context.
    pub max_task_bytes: u32,
    /// Selected memory records and excerpts.
    pub max_memory_bytes: u32,
    /// Each other source.
    pub max_source_bytes: u32,
    /// Each attachment.
    pub max_attachment_bytes: u32,
    /// The number of attachments.
    pub max_attachments: u32,
    /// The three messages and all attachments.
    pub max_bytes: u32,
}

/// What must not be seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RedactionConfig {
    /// Where the values of denied Secrets and ConfigMaps are mounted: `{secrets|configmaps}/{namespace}/{name}/{key}`.
    pub secrets_dir: Option<PathBuf>,
    /// Media types of binary attachments that are allowed: they are searched, not masked.
    pub allowed_media_types: Vec<String>,
    /// The most that one upload or redacted stream may bring, raw, in bytes.
    pub max_upload_bytes: u64,
    /// The most that is stored of one upload, in bytes.
    pub max_stored_upload_bytes: u32,
}

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdentityConfig {
    /// Whether an admin token is made at start and kept in a file.
    pub admin_token: bool,
    /// That file; without a value, one in the user's configuration folder.
    pub admin_token_file: Option<PathBuf>,
    /// How long a token that was found valid is not looked up again, in seconds.
    pub cache_seconds: u32,
}

/// What the server logs, to stderr.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// A level, or directives such as `info,dossier_server::serve=debug`. Other crates log warnings and errors at most.
    pub filter: String,
    /// The lines' form.
    pub format: LogFormat,
}

/// The form of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            server: ServerConfig::default(),
            store: StoreConfig::default(),
            limits: BTreeMap::from([(STANDARD.to_owned(), LimitClass::default())]),
            redaction: RedactionConfig::default(),
            identity: IdentityConfig::default(),
            log: LogConfig::default(),
        }
    }
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7400),
            tls_cert: None,
            tls_key: None,
            max_message_bytes: 4 << 20,
            max_connections: 1024,
            max_streams_per_connection: 256,
            max_concurrent_requests: 256,
            keepalive_seconds: 30,
            keepalive_timeout_seconds: 20,
            request_timeout_seconds: 60,
            max_request_timeout_seconds: 3600,
            stream_idle_seconds: 60,
            drain_seconds: 25,
        }
    }
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self { data_dir: None, s3: None, gc_grace_seconds: 24 * 3600 }
    }
}

impl Default for LimitClass {
    fn default() -> Self {
        Self {
            max_prompt_bytes: 65_536,
            max_log_bytes: 262_144,
            max_diff_bytes: 262_144,
            max_task_bytes: 400_000,
            max_memory_bytes: 128_000,
            max_source_bytes: 65_536,
            max_attachment_bytes: 262_144,
            max_attachments: 32,
            max_bytes: 768_000,
        }
    }
}

impl Default for RedactionConfig {
    fn default() -> Self {
        Self {
            secrets_dir: None,
            allowed_media_types: Vec::new(),
            max_upload_bytes: 4 << 30,
            max_stored_upload_bytes: 64 << 20,
        }
    }
}

impl Default for IdentityConfig {
    fn default() -> Self {
        Self { admin_token: true, admin_token_file: None, cache_seconds: 15 }
    }
}

impl Default for LogConfig {
    fn default() -> Self {
        Self { filter: "info".to_owned(), format: LogFormat::Text }
    }
}

impl ServerConfig {
    /// How long an RPC may last whose caller allows `asked`.
    #[must_use]
    pub fn deadline(&self, asked: Option<Duration>, streams: bool) -> Duration {
        let most = Duration::from_secs(self.max_request_timeout_seconds.into());
        let usual = if streams { most } else { Duration::from_secs(self.request_timeout_seconds.into()) };
        asked.unwrap_or(usual).min(most)
    }
}

impl Config {
    /// The limits of a class; an empty name is the standard's.
    #[must_use]
    pub fn limit_class(&self, name: &str) -> Option<&LimitClass> {
        self.limits.get(if name.is_empty() { STANDARD } else { name })
    }

    /// The configuration as TOML.
    ///
    /// # Errors
    /// [`ConfigError`] where it has no such form, which is a bug.
    pub fn to_toml(&self) -> Result<String, ConfigError> {
        toml::to_string(self).map_err(|_| ConfigError::new("the configuration has no TOML form"))
    }
}

#[cfg(test)]
mod tests;
