//! How much was redacted, as a manifest says it: by kind, never a value or a length of one.

use std::collections::BTreeMap;

use dossier_redact::{Counts, Kind};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Counts of replaced spans by kind, in the order of the stages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redactions(BTreeMap<Kind, u32>);

/// One row of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactionCount {
    /// The kind's name.
    pub kind: String,
    /// How many spans.
    pub count: u32,
    /// The marker in their place.
    pub replacement: String,
}

impl Redactions {
    /// Adds one more.
    pub fn add(&mut self, kind: Kind) {
        self.add_many(kind, 1);
    }

    /// Adds all of another.
    pub fn merge(&mut self, other: &Self) {
        for (kind, count) in &other.0 {
            self.add_many(*kind, *count);
        }
    }

    /// A count that a manifest claims may be anything: it is clamped, not wrapped.
    fn add_many(&mut self, kind: Kind, count: u32) {
        let sum = self.0.entry(kind).or_default();
        *sum = sum.saturating_add(count);
    }

    /// Whether nothing was redacted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows, in the order of the stages.
    #[must_use]
    pub fn rows(&self) -> Vec<RedactionCount> {
        self.0
            .iter()
            .map(|(kind, count)| RedactionCount {
                kind: kind.name().to_owned(),
                count: *count,
                replacement: kind.marker().to_owned(),
            })
            .collect()
    }

    /// Counts the markers that stand in `text`: what an upload was redacted of before.
    #[must_use]
    pub fn of_markers(text: &str) -> Self {
        let mut redactions = Self::default();
        let mut rest = text;
        while let Some(at) = rest.find("[REDACTED:") {
            rest = &rest[at..];
            match Kind::ALL.iter().find(|kind| rest.starts_with(kind.marker())) {
                Some(kind) => {
                    redactions.add(*kind);
                    rest = &rest[kind.marker().len()..];
                }
                None => rest = &rest["[REDACTED:".len()..],
            }
        }
        redactions
    }
}

impl From<&Counts> for Redactions {
    fn from(counts: &Counts) -> Self {
        let clamp = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Self(counts.by_kind().into_iter().filter(|(_, n)| *n > 0).map(|(kind, n)| (kind, clamp(n))).collect())
    }
}

impl Serialize for Redactions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Redactions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut redactions = Self::default();
        for row in Vec::<RedactionCount>::deserialize(deserializer)? {
            let kind = Kind::ALL.iter().find(|kind| kind.name() == row.kind);
            let kind = kind.ok_or_else(|| D::Error::custom("unknown kind of redaction"))?;
            redactions.add_many(*kind, row.count);
        }
        Ok(redactions)
    }
}
