//! The table of all keys.

use super::LimitClass;

/// The type of a key's value, with its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A path of a file or directory.
    Path,
    /// An integer from, to.
    Integer(u64, u64),
    /// `true` or `false`.
    Flag,
    /// A list of texts; in a variable separated by commas.
    List,
}

/// A key.
pub(super) struct Setting {
    /// The path in the file, such as `store.s3.bucket`.
    pub(super) key: &'static str,
    /// The variable.
    pub(super) env: &'static str,
    /// The flag of `dossierd`, or empty.
    pub(super) flag: &'static str,
    /// The type.
    pub(super) kind: Kind,
    /// The default as TOML; empty where the key has none.
    pub(super) default: &'static str,
    /// A value to show where there is no default, as TOML.
    pub(super) sample: &'static str,
    /// What it means.
    pub(super) doc: &'static str,
}

/// A section: the name, what it is about.
pub(super) const SECTIONS: &[(&str, &str)] = &[
    ("server", "How the server serves."),
    ("store", "Where it keeps what it froze: a directory of this machine, or a bucket. Not both."),
    (
        "store.s3",
        "A bucket. Credentials come from the usual chain: environment, shared files, web identity, container, instance.",
    ),
    ("redaction", "What must not be seen."),
    ("identity", "Who calls."),
    ("log", "What it logs, to stderr."),
];

const SECONDS: u64 = 31 * 24 * 3600;

const fn setting(
    key: &'static str,
    env: &'static str,
    kind: Kind,
    default: &'static str,
    doc: &'static str,
) -> Setting {
    Setting { key, env, flag: "", kind, default, sample: "", doc }
}

impl Setting {
    const fn flag(mut self, flag: &'static str) -> Self {
        self.flag = flag;
        self
    }

    const fn sample(mut self, sample: &'static str) -> Self {
        self.sample = sample;
        self
    }
}

/// All keys but those of the limit classes, in the order of the sections.
pub(super) const SETTINGS: &[Setting] = &[
    setting("server.listen", "DOSSIER_LISTEN", Kind::Text, "\"127.0.0.1:7400\"", "Address and port; port 0 takes a free one. Without TLS, loopback only.").flag("--listen"),
    setting("server.tls_cert", "DOSSIER_TLS_CERT", Kind::Path, "", "PEM file of the certificate chain. Needs `tls_key`.").sample("\"/etc/dossier/tls.crt\""),
    setting("server.tls_key", "DOSSIER_TLS_KEY", Kind::Path, "", "PEM file of the private key.").sample("\"/etc/dossier/tls.key\""),
    setting("server.max_message_bytes", "DOSSIER_MAX_MESSAGE_BYTES", Kind::Integer(2 << 20, 64 << 20), "4194304", "The largest message in either direction. Chunks of a stream take 1 MiB."),
    setting("server.max_connections", "DOSSIER_MAX_CONNECTIONS", Kind::Integer(1, 1 << 20), "1024", "Connections served at once; more wait to be accepted."),
    setting("server.max_streams_per_connection", "DOSSIER_MAX_STREAMS_PER_CONNECTION", Kind::Integer(1, 1 << 16), "256", "RPCs that one connection may have open."),
    setting("server.max_concurrent_requests", "DOSSIER_MAX_CONCURRENT_REQUESTS", Kind::Integer(1, 1 << 20), "256", "RPCs served at once; more wait within their deadline."),
    setting("server.keepalive_seconds", "DOSSIER_KEEPALIVE_SECONDS", Kind::Integer(1, SECONDS), "30", "How often a connection is pinged."),
    setting("server.keepalive_timeout_seconds", "DOSSIER_KEEPALIVE_TIMEOUT_SECONDS", Kind::Integer(1, SECONDS), "20", "How long the answer to a ping may take before the connection is closed."),
    setting("server.request_timeout_seconds", "DOSSIER_REQUEST_TIMEOUT_SECONDS", Kind::Integer(1, SECONDS), "60", "How long a unary RPC may last whose caller sets no deadline."),
    setting("server.max_request_timeout_seconds", "DOSSIER_MAX_REQUEST_TIMEOUT_SECONDS", Kind::Integer(1, SECONDS), "3600", "How long any RPC may last, whatever deadline its caller sets; and a stream whose caller sets none."),
    setting("server.stream_idle_seconds", "DOSSIER_STREAM_IDLE_SECONDS", Kind::Integer(1, SECONDS), "60", "How long the stream of a caller may bring nothing before its RPC is ended: it holds one of the places of `max_concurrent_requests`."),
    setting("server.drain_seconds", "DOSSIER_DRAIN_SECONDS", Kind::Integer(0, SECONDS), "25", "How long open RPCs may go on after SIGTERM or SIGINT."),
    setting("store.data_dir", "DOSSIER_DATA_DIR", Kind::Path, "", "A directory of this machine, no network file system. Neither this nor a bucket: `$XDG_DATA_HOME/dossier`, or `~/.local/share/dossier`.").flag("--data-dir").sample("\"/var/lib/dossier\""),
    setting("store.gc_grace_seconds", "DOSSIER_GC_GRACE_SECONDS", Kind::Integer(60, SECONDS), "86400", "How old a blob that no record names must be before `dossierd gc` takes it. The bucket keeps the value of its first writer."),
    setting("store.s3.bucket", "DOSSIER_S3_BUCKET", Kind::Text, "", "The bucket's name. It must exist.").flag("--s3-bucket").sample("\"dossier\""),
    setting("store.s3.prefix", "DOSSIER_S3_PREFIX", Kind::Text, "", "What stands before every key, so that a bucket can be shared.").flag("--s3-prefix").sample("\"prod\""),
    setting("store.s3.endpoint", "DOSSIER_S3_ENDPOINT", Kind::Text, "", "The URL of an engine that is not AWS, without credentials.").flag("--s3-endpoint").sample("\"https://s3.example.com\""),
    setting("store.s3.region", "DOSSIER_S3_REGION", Kind::Text, "", "The region. Without it: from the environment or profile, else `us-east-1`.").flag("--s3-region").sample("\"eu-central-1\""),
    setting("store.s3.path_style", "DOSSIER_S3_PATH_STYLE", Kind::Flag, "", "Whether the bucket stands in the path of a URL and not in its host name. Without it: yes where an endpoint is set.").sample("true"),
    setting("store.s3.sse", "DOSSIER_S3_SSE", Kind::Choice(&["bucket", "AES256", "aws:kms"]), "", "Encryption at rest that each write asks for. `bucket`, as without it: whatever the bucket does by itself.").sample("\"aws:kms\""),
    setting("store.s3.kms_key_id", "DOSSIER_S3_KMS_KEY_ID", Kind::Text, "", "The key's id or ARN for `aws:kms`; without it the bucket's default key.").sample("\"alias/dossier\""),
    setting("redaction.secrets_dir", "DOSSIER_SECRETS_DIR", Kind::Path, "", "Where the values of denied Secrets and ConfigMaps are mounted, as `{secrets|configmaps}/{namespace}/{name}/{key}`.").flag("--secrets-dir").sample("\"/var/run/dossier\""),
    setting("redaction.allowed_media_types", "DOSSIER_ALLOWED_MEDIA_TYPES", Kind::List, "[]", "Media types of binary attachments that are allowed, such as `image/png`. They are searched for secrets and not masked: a hit denies them."),
    setting("redaction.max_upload_bytes", "DOSSIER_MAX_UPLOAD_BYTES", Kind::Integer(1, 1 << 40), "4294967296", "The most that one upload or redacted stream may bring, raw."),
    setting("redaction.max_stored_upload_bytes", "DOSSIER_MAX_STORED_UPLOAD_BYTES", Kind::Integer(1, 64 << 20), "67108864", "The most that is stored of one upload."),
    setting("identity.admin_token", "DOSSIER_ADMIN_TOKEN", Kind::Flag, "true", "Whether an admin token is made at start and kept in a file that only this user can read. Turn it off where replicas come and go, and make tokens with `dossierd token create`."),
    setting("identity.admin_token_file", "DOSSIER_ADMIN_TOKEN_FILE", Kind::Path, "", "That file. Without it: `$XDG_CONFIG_HOME/dossier/token` (or `~/.config/dossier/token`) for the default data directory, where the command line looks, and `token-` and a hash of its place for any other store.").flag("--token-file").sample("\"/var/run/dossier/admin-token\""),
    setting("identity.cache_seconds", "DOSSIER_CACHE_SECONDS", Kind::Integer(0, 25), "15", "How long a token that was found valid is not looked up again. A revocation holds everywhere after that."),
    setting("log.filter", "DOSSIER_LOG", Kind::Text, "\"info\"", "A level, or directives such as `info,dossier_server::serve=debug`. Other crates log warnings and errors at most, whatever it says.").flag("--log"),
    setting("log.format", "DOSSIER_LOG_FORMAT", Kind::Choice(&["text", "json"]), "\"text\"", "The form of a line.").flag("--log-format"),
];

/// A key of a limit class.
pub(super) struct Limit {
    /// The last part of the key.
    pub(super) name: &'static str,
    /// The largest value.
    pub(super) most: u32,
    /// The value in a class.
    pub(super) get: fn(&LimitClass) -> u32,
    /// What it means.
    pub(super) doc: &'static str,
}

const MOST: u32 = 64 << 20;

/// The keys of each limit class, `limits.{class}.{name}`.
pub(super) const LIMITS: &[Limit] = &[
    Limit { name: "max_prompt_bytes", most: MOST, get: |c| c.max_prompt_bytes, doc: "Layers 1 to 6, rendered." },
    Limit { name: "max_log_bytes", most: MOST, get: |c| c.max_log_bytes, doc: "Each log source." },
    Limit { name: "max_diff_bytes", most: MOST, get: |c| c.max_diff_bytes, doc: "All diffs together." },
    Limit { name: "max_task_bytes", most: MOST, get: |c| c.max_task_bytes, doc: "The elements of the task context." },
    Limit {
        name: "max_memory_bytes",
        most: MOST,
        get: |c| c.max_memory_bytes,
        doc: "Selected memory records and excerpts.",
    },
    Limit { name: "max_source_bytes", most: MOST, get: |c| c.max_source_bytes, doc: "Each other source." },
    Limit { name: "max_attachment_bytes", most: MOST, get: |c| c.max_attachment_bytes, doc: "Each attachment." },
    Limit { name: "max_attachments", most: 1024, get: |c| c.max_attachments, doc: "The number of attachments." },
    Limit { name: "max_bytes", most: MOST, get: |c| c.max_bytes, doc: "The three messages and all attachments." },
];
