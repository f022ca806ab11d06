//! What a caller may do.

use std::fmt;
use std::str::FromStr;

use dossier_proto::v1;
use serde::{Deserialize, Serialize};

/// A principal's role. There is one a principal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Holds every role in every org.
    Admin,
    /// Previews, creates and reads bundles, uploads, mints agent tokens.
    Controller,
    /// Reads the bundles of its own run.
    Agent,
    /// Reviews labels.
    Reviewer,
    /// Reads and verifies bundles.
    Auditor,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Admin, Self::Controller, Self::Agent, Self::Reviewer, Self::Auditor];

    /// The role as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Controller => "controller",
            Self::Agent => "agent",
            Self::Reviewer => "reviewer",
            Self::Auditor => "auditor",
        }
    }

    /// The role as the API writes it.
    #[must_use]
    pub const fn to_wire(self) -> v1::Role {
        match self {
            Self::Admin => v1::Role::Admin,
            Self::Controller => v1::Role::Controller,
            Self::Agent => v1::Role::Agent,
            Self::Reviewer => v1::Role::Reviewer,
            Self::Auditor => v1::Role::Auditor,
        }
    }

    /// The role that the API's number names; `None` where it names none.
    #[must_use]
    pub fn from_wire(role: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.to_wire() as i32 == role)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word names no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a role is one of admin, controller, agent, reviewer, auditor")]
pub struct ParseRoleError;

impl FromStr for Role {
    type Err = ParseRoleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|role| role.name() == text).ok_or(ParseRoleError)
    }
}
