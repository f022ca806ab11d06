//! The command line of `dossierd`.

mod serve;
mod stored;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::config::{ConfigError, Dirs, Location, Sources, example, reference};
use crate::identity::Role;
use crate::logging;

pub use serve::serve;

/// Freezes the exact context that an AI agent is dispatched with.
///
/// Without a command it serves: a directory of the user's on loopback, if nothing else is configured. When it is ready it
/// prints one line of JSON to stdout: {"listening":"127.0.0.1:7400","token_file":"…"}.
#[derive(Parser)]
#[command(name = "dossierd", version)]
pub struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What goes over the file and the environment.
#[derive(Args)]
struct Flags {
    /// The configuration file.
    #[arg(long, global = true, value_name = "FILE", env = "DOSSIER_CONFIG")]
    config: Option<PathBuf>,
    /// Where to listen; port 0 takes a free one.
    #[arg(long, global = true, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// The directory that keeps everything.
    #[arg(long, global = true, value_name = "DIR", conflicts_with = "s3_bucket")]
    data_dir: Option<String>,
    /// The bucket that keeps everything.
    #[arg(long, global = true, value_name = "BUCKET")]
    s3_bucket: Option<String>,
    /// The URL of an S3 engine that is not AWS.
    #[arg(long, global = true, value_name = "URL")]
    s3_endpoint: Option<String>,
    /// What stands before every key in the bucket.
    #[arg(long, global = true, value_name = "PREFIX")]
    s3_prefix: Option<String>,
    /// The bucket's region.
    #[arg(long, global = true, value_name = "REGION")]
    s3_region: Option<String>,
    /// The file that keeps the admin token.
    #[arg(long, global = true, value_name = "FILE")]
    token_file: Option<String>,
    /// Where values of denied Secrets and ConfigMaps are mounted.
    #[arg(long, global = true, value_name = "DIR")]
    secrets_dir: Option<String>,
    /// What to log: a level, or directives.
    #[arg(long, global = true, value_name = "FILTER")]
    log: Option<String>,
    /// The form of a log line.
    #[arg(long, global = true, value_name = "text|json")]
    log_format: Option<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Serves, as without a command.
    Serve,
    /// Checks and shows the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Makes, lists and revokes tokens, straight on the store.
    #[command(subcommand)]
    Token(TokenCommand),
    /// Makes the indexes anew from the records.
    Reindex,
    /// Deletes blobs that no record names and that are older than the grace time.
    Gc {
        /// The org; without it, all.
        #[arg(long)]
        org: Option<String>,
    },
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Reads file, variables and flags, and says what is wrong.
    Check,
    /// Prints what is in force, as TOML.
    Print,
    /// Prints the reference page.
    Reference,
    /// Prints a commented file with all defaults.
    Example,
}

#[derive(Subcommand)]
enum TokenCommand {
    /// Makes a token and prints it as JSON; its secret is shown here and nowhere else.
    Create(NewTokenArgs),
    /// Prints all tokens, one JSON object a line, without their secrets.
    List,
    /// Revokes a token. It holds on every replica within 30 seconds.
    Revoke {
        /// The token's id, with or without `tokens/`.
        id: String,
    },
}

#[derive(Args)]
struct NewTokenArgs {
    /// Who it stands for: [a-z0-9._-]{1,63}.
    #[arg(long)]
    principal: String,
    /// admin, controller, agent, reviewer or auditor.
    #[arg(long)]
    role: Role,
    /// An org it may act in; can be given several times. Not for an admin.
    #[arg(long = "org")]
    orgs: Vec<String>,
    /// An agent's run.
    #[arg(long, default_value = "")]
    run: String,
    /// An agent's task.
    #[arg(long, default_value = "")]
    task: String,
    /// How long it lives, in seconds; an agent's at most 604800 (7 days), 86400 if not given. Others: for ever if not given.
    #[arg(long, value_name = "SECONDS")]
    ttl: Option<i64>,
}

impl Cli {
    /// Does what the command line asks for, with the variables of `env`.
    ///
    /// # Errors
    /// Whatever went wrong, for `main` to show.
    pub async fn run(self, env: BTreeMap<String, String>) -> anyhow::Result<()> {
        let dirs = Dirs::from_env(&env);
        match &self.command {
            Some(Command::Config(ConfigCommand::Reference)) => return print(&reference()),
            Some(Command::Config(ConfigCommand::Example)) => return print(&example()),
            _ => {}
        }
        let config = self.flags.sources(env).load()?;
        match self.command {
            None | Some(Command::Serve) => {
                logging::init(&config.log)?;
                serve(config, &dirs).await
            }
            Some(Command::Config(ConfigCommand::Print)) => print(&config.to_toml()?),
            Some(Command::Config(_)) => {
                Location::of(&config, &dirs)?;
                print("the configuration is valid\n")
            }
            Some(Command::Token(command)) => {
                logging::init(&config.log)?;
                stored::token(config, &dirs, command).await
            }
            Some(Command::Reindex) => {
                logging::init(&config.log)?;
                stored::reindex(config, &dirs).await
            }
            Some(Command::Gc { org }) => {
                logging::init(&config.log)?;
                stored::gc(config, &dirs, org).await
            }
        }
    }
}

impl Flags {
    fn sources(&self, env: BTreeMap<String, String>) -> Sources {
        let flags = [
            ("server.listen", &self.listen),
            ("store.data_dir", &self.data_dir),
            ("store.s3.bucket", &self.s3_bucket),
            ("store.s3.endpoint", &self.s3_endpoint),
            ("store.s3.prefix", &self.s3_prefix),
            ("store.s3.region", &self.s3_region),
            ("identity.admin_token_file", &self.token_file),
            ("redaction.secrets_dir", &self.secrets_dir),
            ("log.filter", &self.log),
            ("log.format", &self.log_format),
        ];
        let flags = flags.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect();
        Sources { file: self.config.clone(), env, flags }
    }
}

/// The process's variables that are text.
///
/// # Errors
/// [`ConfigError`] where one of ours is not.
pub fn environment() -> Result<BTreeMap<String, String>, ConfigError> {
    let mut env = BTreeMap::new();
    for (name, value) in std::env::vars_os() {
        match (name.into_string(), value.into_string()) {
            (Ok(name), Ok(value)) => drop(env.insert(name, value)),
            (Ok(name), Err(_)) if name.starts_with("DOSSIER_") => {
                return Err(ConfigError::new(format!("{name} must be UTF-8")));
            }
            _ => {}
        }
    }
    Ok(env)
}

/// Prints to stdout; that nobody reads on is no error.
fn print(text: &str) -> anyhow::Result<()> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_are_keys() {
        let cli = Cli::parse_from(["dossierd", "config", "print", "--listen", "127.0.0.1:0", "--token-file", "/t"]);
        let config = cli.flags.sources(BTreeMap::new()).load().unwrap();
        assert_eq!(config.server.listen.port(), 0);
        assert_eq!(config.identity.admin_token_file, Some("/t".into()));
        assert!(Cli::try_parse_from(["dossierd", "--data-dir", "d", "--s3-bucket", "b"]).is_err());
    }
}
