//! The redaction context that files bring: deny values and a policy.

use std::fs;
use std::path::Path;

use dossier_client::Error;
use dossier_proto::v1;
use dossier_redact::{DeniedValue, ObjectKind, Policy, Redactor};
use serde::Deserialize;

use super::failure::{Exit, Failure};

/// Files that say what must not be seen.
#[derive(clap::Args)]
pub(crate) struct Files {
    /// Values to deny: JSON, [{"name", "value", "kind": "Secret" or "ConfigMap" (optional)}]
    #[arg(long, value_name = "FILE")]
    deny_values: Option<std::path::PathBuf>,
    /// A repository policy: gitleaks' configuration, or ours (docs/policy.md)
    #[arg(long, value_name = "FILE")]
    policy: Option<std::path::PathBuf>,
    /// Go on although a denied Secret's value is too short or common to mask; it then stays unmasked
    #[arg(long)]
    accept_weak_values: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deny {
    name: String,
    value: String,
    #[serde(default)]
    kind: DenyKind,
}

#[derive(Deserialize, Default, Clone, Copy)]
enum DenyKind {
    #[default]
    Secret,
    ConfigMap,
}

impl Files {
    /// Whether anything is given.
    pub(crate) fn is_given(&self) -> bool {
        self.deny_values.is_some() || self.policy.is_some() || self.accept_weak_values
    }

    fn denied(&self) -> Result<Vec<Deny>, Failure> {
        let Some(path) = &self.deny_values else {
            return Ok(Vec::new());
        };
        // The parser's own words quote what they stumble over.
        serde_json::from_str(&text(path)?).map_err(|error| {
            Failure::usage(format!(
                "{}: must be [{{\"name\", \"value\"}}]; line {}, column {} is not",
                path.display(),
                error.line(),
                error.column()
            ))
        })
    }

    /// The context as a request carries it.
    pub(crate) fn message(&self) -> Result<v1::RedactionContext, Failure> {
        let denied_values = self.denied()?.into_iter().map(|deny| {
            let kind = match deny.kind {
                DenyKind::Secret => v1::object_reference::Kind::Secret,
                DenyKind::ConfigMap => v1::object_reference::Kind::ConfigMap,
            };
            v1::DeniedValue { name: deny.name, value: deny.value.into_bytes(), kind: kind.into() }
        });
        Ok(v1::RedactionContext {
            denied_values: denied_values.collect(),
            policy: self.policy.as_deref().map(text).transpose()?.unwrap_or_default(),
            accept_weak_values: self.accept_weak_values,
            ..v1::RedactionContext::default()
        })
    }

    /// The context as a redactor of this process.
    pub(crate) fn redactor(&self) -> Result<Redactor, Failure> {
        let mut builder = Redactor::builder();
        for deny in self.denied()? {
            let kind = match deny.kind {
                DenyKind::Secret => ObjectKind::Secret,
                DenyKind::ConfigMap => ObjectKind::ConfigMap,
            };
            builder = builder.denied_value(DeniedValue::new(deny.name, kind, deny.value.into_bytes()));
        }
        if let Some(path) = &self.policy {
            let policy = Policy::parse(&text(path)?);
            builder = builder.policy(policy.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?);
        }
        let redactor = builder.build().map_err(|error| Failure::usage(error.to_string()))?;
        for weak in redactor.weak_values() {
            if weak.kind == ObjectKind::Secret && !self.accept_weak_values {
                let why = format!(
                    "DENY_VALUE_WEAK {}: too short or too common to mask; use a longer value, or --accept-weak-values",
                    weak.name
                );
                return Err(Failure::Said(Exit::Denied, why));
            }
            eprintln!("warning: DENY_VALUE_WEAK {}: it stays unmasked", weak.name);
        }
        Ok(redactor)
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|source| Failure::Client(Error::Io { path: path.to_owned(), source }))
}
