//! Pins: everything that could move between a preview and a create.

use dossier_bundle::limits::Limits;
use dossier_bundle::{Digest, builtin, kinds};
use dossier_proto::v1;
use dossier_redact::rule_set_digest;
use serde::{Deserialize, Serialize};

use super::reader::Reader;
use super::wire;
use crate::status::ApiError;

/// What a bundle was made with. Stands in the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pins {
    /// The renderer's version.
    pub(crate) renderer_version: String,
    /// The digest of the built-in redaction rules.
    pub(crate) rule_set_digest: Digest,
    /// The digest of the tables of routes and kinds.
    pub(crate) route_table_digest: Digest,
    /// The project's generation; 0 while it has no settings of its own.
    pub(crate) project_generation: u32,
    /// The digest of the project's settings.
    pub(crate) project_settings_digest: Digest,
    /// The limits in force.
    pub(crate) limits: Limits,
}

impl Pins {
    /// What is in force now, under `limits`.
    pub(crate) fn now(limits: &Limits) -> Self {
        Self {
            renderer_version: builtin::RENDERER_VERSION.to_owned(),
            rule_set_digest: Digest::from_bytes(rule_set_digest()),
            route_table_digest: kinds::table_digest(),
            project_generation: 0,
            // Projects have no service yet: each has the defaults, whose canonical form is an empty object.
            project_settings_digest: Digest::of(b"{}"),
            limits: limits.clone(),
        }
    }

    /// Whether a draft that was redacted under these could be compared with one redacted under `other`.
    pub(crate) fn redact_alike(&self, other: &Self) -> bool {
        self.rule_set_digest == other.rule_set_digest
            && self.project_generation == other.project_generation
            && self.project_settings_digest == other.project_settings_digest
    }

    /// As the wire has it.
    pub(crate) fn to_wire(&self) -> v1::Pins {
        v1::Pins {
            renderer_version: self.renderer_version.clone(),
            rule_set_digest: self.rule_set_digest.to_string(),
            route_table_digest: self.route_table_digest.to_string(),
            project_generation: i32::try_from(self.project_generation).unwrap_or(i32::MAX),
            project_settings_digest: self.project_settings_digest.to_string(),
            limits: Some(wire::limits(&self.limits)),
            ..v1::Pins::default()
        }
    }
}

/// The pins that a draft asks for.
#[derive(Default)]
pub(super) struct WantedPins {
    renderer_version: Option<String>,
    rule_set_digest: Option<Digest>,
    route_table_digest: Option<Digest>,
    project_generation: Option<u32>,
    project_settings_digest: Option<Digest>,
    limits: Option<v1::Limits>,
    /// A pin of something that this version has not.
    foreign: Option<&'static str>,
}

impl WantedPins {
    /// Reads the pins of a draft.
    pub(super) fn read(r: &mut Reader<'_>, wire: Option<&v1::Pins>) -> Self {
        let Some(wire) = wire else { return Self::default() };
        let at = "draft.pins";
        if wire.renderer_version.len() > 64 {
            r.violation(format!("{at}.renderer_version"), "must be at most 64 bytes");
        }
        let foreign =
            [("labels", !wire.labels.is_empty()), ("commits", !wire.commits.is_empty()), ("task", wire.task.is_some())];
        if wire.project_generation < 0 {
            r.violation(format!("{at}.project_generation"), "must not be negative");
        }
        Self {
            renderer_version: Some(wire.renderer_version.clone()).filter(|text| !text.is_empty()),
            rule_set_digest: r.digest(format!("{at}.rule_set_digest"), &wire.rule_set_digest),
            route_table_digest: r.digest(format!("{at}.route_table_digest"), &wire.route_table_digest),
            project_generation: u32::try_from(wire.project_generation).ok().filter(|n| *n > 0),
            project_settings_digest: r.digest(format!("{at}.project_settings_digest"), &wire.project_settings_digest),
            limits: wire.limits.clone(),
            foreign: foreign.into_iter().find(|(_, set)| *set).map(|(name, _)| name),
        }
    }

    /// Holds the pins against what is in force.
    ///
    /// # Errors
    /// [`ApiError::Aborted`] naming the first pin that cannot be honoured.
    pub(super) fn honour(&self, now: &Pins) -> Result<(), ApiError> {
        let differs = [
            ("renderer_version", self.renderer_version.as_ref().is_some_and(|pin| *pin != now.renderer_version)),
            ("rule_set_digest", self.rule_set_digest.is_some_and(|pin| pin != now.rule_set_digest)),
            ("route_table_digest", self.route_table_digest.is_some_and(|pin| pin != now.route_table_digest)),
            ("project_generation", self.project_generation.is_some_and(|pin| pin != now.project_generation)),
            (
                "project_settings_digest",
                self.project_settings_digest.is_some_and(|pin| pin != now.project_settings_digest),
            ),
            ("limits", self.limits.as_ref().is_some_and(|pin| *pin != wire::limits(&now.limits))),
        ];
        let first = differs.into_iter().find(|(_, differs)| *differs).map(|(name, _)| name);
        match first.or(self.foreign) {
            Some(name) => {
                let detail = "it cannot be honoured: what it pins has changed since, or is not there; preview again";
                Err(ApiError::aborted("PIN_DIFFERS", format!("draft.pins.{name}"), detail))
            }
            None => Ok(()),
        }
    }
}
