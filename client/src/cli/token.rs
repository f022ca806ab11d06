//! `dossier token create|list|revoke`.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};
use dossier_client::Error;
use dossier_proto::v1;
use serde_json::{Value, json};

use super::failure::{Exit, Failure};
use super::global::{Format, Global, duration};
use super::output::{self, row};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a token; its secret is shown once
    Create(Create),
    /// List tokens, without their secrets
    List,
    /// Revoke a token
    Revoke {
        /// tokens/{id}, or {id}
        name: String,
    },
}

#[derive(clap::Args)]
struct Create {
    /// Who it stands for: 1 to 63 of [a-z0-9._-]
    #[arg(long)]
    principal: String,
    /// What it may do
    #[arg(long, value_enum)]
    role: Role,
    /// An org it may act in, again for more; default: --org, and for an admin all
    #[arg(long = "in-org", value_name = "ORG")]
    orgs: Vec<String>,
    /// An agent's run
    #[arg(long)]
    run: Option<String>,
    /// An agent's task
    #[arg(long)]
    task: Option<String>,
    /// How long it lives: 30m, 24h, 7d
    #[arg(long, value_parser = duration, value_name = "TIME")]
    ttl: Option<Duration>,
    /// Write the secret to this new file (mode 0600) instead of showing it
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Role {
    Admin,
    Controller,
    Agent,
    Reviewer,
    Auditor,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<Exit, Failure> {
    match &args.command {
        Command::Create(args) => create(global, args).await?,
        Command::List => list(global).await?,
        Command::Revoke { name } => {
            let name = if name.starts_with("tokens/") { name.clone() } else { format!("tokens/{name}") };
            let answer = global.client()?.revoke_token(&name).await?;
            let token = answer.token.unwrap_or_default();
            show(global, &output::to_json(&token)?, &token.name)?;
        }
    }
    Ok(Exit::Ok)
}

async fn create(global: &Global, args: &Create) -> Result<(), Failure> {
    let role = match args.role {
        Role::Admin => v1::Role::Admin,
        Role::Controller => v1::Role::Controller,
        Role::Agent => v1::Role::Agent,
        Role::Reviewer => v1::Role::Reviewer,
        Role::Auditor => v1::Role::Auditor,
    };
    let orgs = match (args.orgs.is_empty(), args.role) {
        (true, Role::Admin) => Vec::new(),
        (true, _) => vec![global.parent().trim_start_matches("orgs/").to_owned()],
        (false, _) => args.orgs.clone(),
    };
    let ttl = args.ttl.map(prost_types::Duration::try_from).transpose();
    let request = v1::CreateTokenRequest {
        principal: args.principal.clone(),
        role: role.into(),
        orgs,
        run: args.run.clone().unwrap_or_default(),
        task: args.task.clone().unwrap_or_default(),
        ttl: ttl.map_err(|_| Failure::usage("--ttl: is too long"))?,
    };
    // The file is made first: a secret that cannot be kept is not asked for.
    let file = args.secret_file.as_ref().map(|path| {
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        opened.map(|file| (path, file)).map_err(|source| Failure::Client(Error::Io { path: path.clone(), source }))
    });
    let file = file.transpose()?;
    let answer = match global.client()?.create_token(request).await {
        Ok(answer) => answer,
        Err(error) => {
            if let Some((path, _)) = &file {
                // What is left is an empty file.
                let _ = std::fs::remove_file(path);
            }
            return Err(error.into());
        }
    };
    let token = answer.token.unwrap_or_default();
    let mut shown = output::to_json(&token)?;
    if let Some((path, mut file)) = file {
        writeln!(file, "{}", answer.secret)
            .map_err(|source| Failure::Client(Error::Io { path: path.clone(), source }))?;
    } else if let Value::Object(members) = &mut shown {
        members.insert("secret".to_owned(), Value::String(answer.secret));
    }
    show(global, &shown, &token.name)
}

async fn list(global: &Global) -> Result<(), Failure> {
    let tokens = global.client()?.all_tokens().await?;
    let mut out = output::stdout();
    match global.format(Format::Table) {
        Format::Name => {
            for token in &tokens {
                writeln!(out, "{}", token.name)?;
            }
        }
        Format::Table => {
            let mut rows = vec![row(["NAME", "PRINCIPAL", "ROLE", "ORGS", "EXPIRES", "REVOKED"])];
            for token in &tokens {
                let role = token.role().as_str_name().trim_start_matches("ROLE_").to_lowercase();
                let orgs = if token.orgs.is_empty() { "all".to_owned() } else { token.orgs.join(",") };
                let time = |time: &Option<prost_types::Timestamp>| {
                    time.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string)
                };
                let (expires, revoked) = (time(&token.expire_time), time(&token.revoke_time));
                rows.push(row([&token.name, &token.principal, &role, &orgs, &expires, &revoked]));
            }
            output::table(&mut out, &rows)?;
        }
        format => {
            let tokens = tokens.iter().map(output::to_json).collect::<Result<Vec<_>, _>>()?;
            output::value(&mut out, &json!(tokens), format)?;
        }
    }
    Ok(out.flush()?)
}

fn show(global: &Global, value: &Value, name: &str) -> Result<(), Failure> {
    let mut out = output::stdout();
    match global.format(Format::Yaml) {
        Format::Name => writeln!(out, "{name}")?,
        format => output::value(&mut out, value, format)?,
    }
    Ok(out.flush()?)
}
