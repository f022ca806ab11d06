//! Commands that work straight on the store, without a server.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use dossier_bundle::names::OrgName;
use dossier_store::Store;
use futures::TryStreamExt as _;
use serde_json::{Value, json};

use super::{NewTokenArgs, TokenCommand, print};
use crate::app::{App, open_store};
use crate::clock::{SystemClock, SystemIds};
use crate::config::{Config, Dirs, Location};
use crate::identity::{NewToken, TokenId, TokenRecord};
use crate::status::ApiError;

/// Who makes a token here.
const CREATOR: &str = "dossierd";
/// How many tokens are listed at once.
const PAGE: usize = 1000;

async fn app(config: Config, dirs: &Dirs) -> anyhow::Result<App> {
    let location = Location::of(&config, dirs)?;
    let store = open_store(&config, &location).await.with_context(|| format!("opening the {location}"))?;
    Ok(App::new(store, Arc::new(SystemClock), Arc::new(SystemIds), config))
}

pub(super) async fn token(config: Config, dirs: &Dirs, command: TokenCommand) -> anyhow::Result<()> {
    let tokens = app(config, dirs).await?.tokens;
    match command {
        TokenCommand::Create(args) => {
            let NewTokenArgs { principal, role, orgs, run, task, ttl } = args;
            let token = NewToken::parse(&principal, Some(role), &orgs, &run, &task, ttl).map_err(explained)?;
            let (record, secret) = tokens.create(token, CREATOR).await?;
            let mut shown = shown(&record);
            shown["secret"] = secret.expose().into();
            print(&format!("{shown}\n"))
        }
        TokenCommand::List => {
            let mut after = None;
            loop {
                let page = tokens.list(after.as_ref(), PAGE).await?;
                for record in &page.tokens {
                    print(&format!("{}\n", shown(record)))?;
                }
                after = page.next;
                if after.is_none() {
                    return Ok(());
                }
            }
        }
        TokenCommand::Revoke { id } => {
            let id: TokenId = id.strip_prefix("tokens/").unwrap_or(&id).parse()?;
            let record = tokens.revoke(&id, |_| true).await?;
            print(&format!("{}\n", shown(&record)))
        }
    }
}

pub(super) async fn gc(config: Config, dirs: &Dirs, org: Option<String>) -> anyhow::Result<()> {
    let app = app(config, dirs).await?;
    let grace = Duration::from_secs(app.config.store.gc_grace_seconds.into());
    let orgs = match org {
        Some(org) => BTreeSet::from([org.parse()?]),
        None => orgs(&app.store).await?,
    };
    for org in orgs {
        let report = app.store.gc(org.as_str(), grace).await.with_context(|| format!("collecting in {org}"))?;
        let line = json!({
            "org": org.as_str(),
            "scanned": report.scanned,
            "records": report.records,
            "collected": report.collected,
            "bytes": report.bytes,
        });
        print(&format!("{line}\n"))?;
    }
    Ok(())
}

pub(super) async fn reindex(config: Config, dirs: &Dirs) -> anyhow::Result<()> {
    let app = app(config, dirs).await?;
    let done = crate::bundles::reindex(&app.store).await?;
    print(&format!("{}\n", json!({ "bundles": done.bundles, "stale": done.stale })))
}

/// Every org that the store has something of.
async fn orgs(store: &Store) -> anyhow::Result<BTreeSet<OrgName>> {
    let mut orgs = BTreeSet::new();
    let mut entries = std::pin::pin!(store.list_all("orgs/"));
    while let Some(entry) = entries.try_next().await? {
        if let Some(Ok(org)) = entry.key.segments().nth(1).map(str::parse::<OrgName>) {
            orgs.insert(org);
        }
    }
    Ok(orgs)
}

fn shown(record: &TokenRecord) -> Value {
    let mut shown = json!({
        "name": record.id().resource(),
        "principal": record.principal,
        "role": record.role.name(),
        "orgs": record.orgs,
        "createTime": record.create_time,
        "creator": record.creator,
    });
    let times = [("expireTime", record.expire_time), ("revokeTime", record.revoke_time)];
    for (name, time) in times {
        if let Some(time) = time {
            shown[name] = json!(time);
        }
    }
    for (name, text) in [("run", &record.run), ("task", &record.task)] {
        if let Some(text) = text {
            shown[name] = json!(text);
        }
    }
    shown
}

/// All that is wrong with what was asked for, for a person to read.
fn explained(error: ApiError) -> anyhow::Error {
    match &error {
        ApiError::InvalidArgument(wrong) => {
            let lines: Vec<String> = wrong.iter().map(|v| format!("{} {}", v.field, v.description)).collect();
            anyhow::anyhow!(lines.join("; "))
        }
        _ => error.into(),
    }
}
