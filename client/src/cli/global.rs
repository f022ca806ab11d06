//! Flags that every subcommand takes: where the server is, who calls, how to print.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use dossier_bundle::names::{BundlePath, OrgName, RunName};
use dossier_client::draft::{self, Problem};
use dossier_client::{Client, Options, Token};
use dossier_proto::v1::BundleDraft;

use super::failure::{Exit, Failure};

/// How an answer is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// YAML.
    Yaml,
    /// JSON.
    Json,
    /// Only the name.
    Name,
    /// For people.
    Table,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The server: http://host:port, https://host:port or host:port
    #[arg(long, global = true, env = "DOSSIER_SERVER", default_value = "http://127.0.0.1:7400", value_name = "URL")]
    server: String,
    /// A file with the bearer token; before DOSSIER_TOKEN. Else $XDG_CONFIG_HOME/dossier/token or ~/.config/dossier/token
    #[arg(long, global = true, env = "DOSSIER_TOKEN_FILE", value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The org
    #[arg(long, global = true, env = "DOSSIER_ORG", default_value = "local", value_name = "ORG")]
    org: OrgName,
    /// How to print the answer
    #[arg(short, long, global = true, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
    /// Certificates (PEM) to trust for https, instead of the system's
    #[arg(long, global = true, env = "DOSSIER_CA_FILE", value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// How long a call may last, with retries: 500ms, 30s, 5m, 1h. Default 60s, and 1h for what streams
    #[arg(long, global = true, env = "DOSSIER_TIMEOUT", value_parser = duration, value_name = "TIME")]
    timeout: Option<Duration>,
    /// Compress what is sent and received, for slow networks; uploads go as they are
    #[arg(long, global = true, env = "DOSSIER_GZIP")]
    gzip: bool,
}

impl Global {
    pub(crate) fn format(&self, default: Format) -> Format {
        self.output.unwrap_or(default)
    }

    /// `orgs/{org}`.
    pub(crate) fn parent(&self) -> String {
        format!("orgs/{}", self.org)
    }

    /// `orgs/{org}/runs/{run}`, of a draft's own run or the flag's. The server would know a run that is none only as a part of
    /// the parent: it is told here by the draft's own field, with all else that this side can tell.
    pub(crate) fn run_parent(&self, run: Option<&str>, draft: &BundleDraft) -> Result<String, Failure> {
        let name = run.unwrap_or(&draft.run);
        let Err(error) = name.parse::<RunName>() else { return Ok(format!("{}/runs/{name}", self.parent())) };
        let at = if run.is_some() { "--run" } else { "draft.run" };
        let required = if name.is_empty() { "is required (or --run), and " } else { "" };
        let mut problems = vec![Problem::new(at, format!("{required}must match {}", error.form))];
        problems.extend(draft::names(draft));
        Err(draft::DraftError::Fields(problems).into())
    }

    /// A bundle's full name; `runs/…` is taken to be of this org.
    pub(crate) fn bundle(&self, name: &str) -> Result<BundlePath, Failure> {
        let full = if name.starts_with("runs/") { format!("{}/{name}", self.parent()) } else { name.to_owned() };
        full.parse().map_err(|error| Failure::usage(format!("NAME: {error}")))
    }

    pub(crate) fn client(&self) -> Result<Client, Failure> {
        let default = Options::default();
        let options = Options {
            ca_file: self.ca_file.clone(),
            timeout: self.timeout.unwrap_or(default.timeout),
            stream_timeout: self.timeout.unwrap_or(default.stream_timeout),
            gzip: self.gzip,
        };
        Ok(Client::connect(&self.server, &self.token()?, &options)?)
    }

    /// The token, or an empty one where none is found: the server then says what it thinks of that.
    fn token(&self) -> Result<Token, Failure> {
        if let Some(path) = &self.token_file {
            let text = std::fs::read_to_string(path);
            return match text {
                Ok(text) if text.trim().is_empty() => {
                    Err(Failure::Said(Exit::NotAllowed, format!("{}: the token file is empty", path.display())))
                }
                Ok(text) => Ok(Token::new(&text)),
                Err(error) => {
                    Err(Failure::Said(Exit::NotAllowed, format!("{}: the token file: {error}", path.display())))
                }
            };
        }
        if let Ok(text) = std::env::var("DOSSIER_TOKEN") {
            return Ok(Token::new(&text));
        }
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let config = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")));
        let text = config.and_then(|config| std::fs::read_to_string(config.join("dossier").join("token")).ok());
        Ok(Token::new(&text.unwrap_or_default()))
    }
}

/// A time as people write it.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| "must begin with a whole number".to_owned())?;
    let milliseconds = match unit {
        "ms" => 1,
        "" | "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err("must end with ms, s, m, h or d".to_owned()),
    };
    number.checked_mul(milliseconds).map(Duration::from_millis).ok_or_else(|| "is too long".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("7d"), Ok(Duration::from_secs(604_800)));
        assert!(duration("1y").is_err() && duration("").is_err() && duration("99999999999999999h").is_err());
    }
}
