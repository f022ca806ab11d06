//! Reads the layers and lays each over the one before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::check::{check_table, from_text};
use super::settings::{SETTINGS, Setting};
use super::{Config, ConfigError, LimitClass, STANDARD};

/// The largest file that is read.
const MAX_FILE: u64 = 1 << 20;

/// Variables of ours that are not the server's but the command line's, or a script's.
const FOREIGN: &[&str] = &[
    "DOSSIER_CONFIG",
    "DOSSIER_SERVER",
    "DOSSIER_TOKEN_FILE",
    "DOSSIER_TOKEN",
    "DOSSIER_ORG",
    "DOSSIER_CA_FILE",
    "DOSSIER_TIMEOUT",
    "DOSSIER_GZIP",
    "DOSSIER_TOOLS",
];

/// Where a configuration comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// The file, if any.
    pub file: Option<PathBuf>,
    /// The environment's variables; those that do not begin with `DOSSIER_` are ignored.
    pub env: BTreeMap<String, String>,
    /// What the flags say: keys such as `server.listen`, with their values as text.
    pub flags: Vec<(&'static str, String)>,
}

impl Sources {
    /// Reads all layers and checks the result.
    ///
    /// # Errors
    /// [`ConfigError`] with everything that is wrong in the first layer that is.
    pub fn load(&self) -> Result<Config, ConfigError> {
        let mut merged = match &self.file {
            Some(path) => read(path)?,
            None => Table::new(),
        };
        lay_over(&mut merged, self.environment()?)?;
        lay_over(&mut merged, self.flags()?)?;
        // The tables have been checked by type and bounds: what is left to fail is the form of an address or a word.
        let mut config = Config::deserialize_checked(merged)?;
        config.limits.entry(STANDARD.to_owned()).or_insert_with(LimitClass::default);
        config.check()?;
        Ok(config)
    }

    fn environment(&self) -> Result<Table, ConfigError> {
        let mut table = Table::new();
        let mut problems = Vec::new();
        for (name, text) in self.env.iter().filter(|(name, _)| name.starts_with("DOSSIER_")) {
            match SETTINGS.iter().find(|setting| setting.env == name) {
                Some(setting) => put(&mut table, setting, text, name, &mut problems),
                None if FOREIGN.contains(&name.as_str()) || is_injected(name) => {}
                None => problems.push(format!("the variable {name} is not known")),
            }
        }
        ConfigError::all(problems)?;
        Ok(table)
    }

    fn flags(&self) -> Result<Table, ConfigError> {
        let mut table = Table::new();
        let mut problems = Vec::new();
        for (key, text) in &self.flags {
            match SETTINGS.iter().find(|setting| setting.key == *key) {
                Some(setting) => put(&mut table, setting, text, setting.flag, &mut problems),
                None => problems.push(format!("{key} is not a key")),
            }
        }
        ConfigError::all(problems)?;
        Ok(table)
    }
}

/// Kubernetes gives each pod variables for the services it knows; one of them may well be called `dossier`.
fn is_injected(name: &str) -> bool {
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || name.ends_with("_PORT")
        || name.rsplit_once("_PORT_").is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn read(path: &Path) -> Result<Table, ConfigError> {
    let shown = path.display();
    let failed = |error: std::io::Error| ConfigError::new(format!("{shown} cannot be read: {}", error.kind()));
    if std::fs::metadata(path).map_err(failed)?.len() > MAX_FILE {
        return Err(ConfigError::new(format!("{shown} is over {MAX_FILE} bytes")));
    }
    parse(&std::fs::read_to_string(path).map_err(failed)?, &shown.to_string())
}

/// Parses and checks a file. The parser's own messages quote what they do not understand, so only the line is kept.
pub(super) fn parse(text: &str, shown: &str) -> Result<Table, ConfigError> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        ConfigError::new(format!("{shown}, line {}: not TOML", before.matches('\n').count() + 1))
    })?;
    let problems = check_table(&table);
    ConfigError::all(problems.into_iter().map(|problem| format!("{shown}: {problem}")).collect())?;
    one_place(&table)?;
    Ok(table)
}

/// A directory and a bucket in one layer contradict each other.
fn one_place(table: &Table) -> Result<(), ConfigError> {
    let store = table.get("store").and_then(Value::as_table);
    match store.map(|store| (store.contains_key("data_dir"), names_bucket(store))) {
        Some((true, true)) => Err(ConfigError::new("store.data_dir and store.s3.bucket exclude each other")),
        _ => Ok(()),
    }
}

fn names_bucket(store: &Table) -> bool {
    store.get("s3").and_then(Value::as_table).is_some_and(|s3| s3.contains_key("bucket"))
}

/// Lays `over` over `base`. A directory over a bucket replaces it, and a bucket a directory.
fn lay_over(base: &mut Table, over: Table) -> Result<(), ConfigError> {
    one_place(&over)?;
    if let (Some(below), Some(above)) =
        (base.get_mut("store").and_then(Value::as_table_mut), over.get("store").and_then(Value::as_table))
    {
        if above.contains_key("data_dir") {
            below.remove("s3");
        }
        if names_bucket(above) {
            below.remove("data_dir");
        }
    }
    merge(base, over);
    Ok(())
}

fn merge(base: &mut Table, over: Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            (_, value) => drop(base.insert(key, value)),
        }
    }
}

fn put(table: &mut Table, setting: &Setting, text: &str, shown: &str, problems: &mut Vec<String>) {
    match from_text(setting.kind, text) {
        Ok(value) => insert(table, setting.key, value),
        Err(what) => problems.push(format!("{shown} {what}")),
    }
}

fn insert(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        None => drop(table.insert(key.to_owned(), value)),
        Some((section, rest)) => {
            let below = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(below) = below {
                insert(below, rest, value);
            }
        }
    }
}
