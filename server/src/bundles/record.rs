//! A bundle's record: what is known of it that its manifest does not say.

use chrono::{DateTime, Utc};
use dossier_bundle::names::BundlePath;
use dossier_bundle::{Code, Digest, Finding, Severity};
use dossier_proto::v1;
use dossier_store::{Record, Stored};
use prost_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::assemble::{Pins, wire};
use crate::status::ApiError;

/// The kind in the envelope.
pub(super) const KIND: &str = "BundleRecord";

/// The record of a bundle. Created once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BundleRecord {
    /// The resource's name.
    pub(crate) name: String,
    /// Unique for ever.
    pub(crate) uid: String,
    /// When it was made, to the millisecond.
    pub(crate) create_time: DateTime<Utc>,
    /// Who made it.
    pub(crate) creator: String,
    /// The request that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) request_id: Option<String>,
    /// The digest of the manifest's bytes.
    pub(crate) digest: Digest,
    /// The number of the manifest's bytes.
    pub(crate) manifest_bytes: u32,
    /// The digest of the redacted draft as sent.
    pub(crate) fingerprint: Digest,
    /// What it was made with.
    pub(crate) pins: Pins,
    /// All findings that it was made with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) findings: Vec<FoundThen>,
}

/// A finding in a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FoundThen {
    code: String,
    subject: String,
    detail: String,
}

impl FoundThen {
    /// A finding, to be kept.
    pub(crate) fn new(finding: &Finding) -> Self {
        let (code, subject, detail) = (finding.code.name().to_owned(), finding.subject.clone(), finding.detail.clone());
        Self { code, subject, detail }
    }

    fn to_wire(&self) -> v1::Finding {
        let code = Code::ALL.iter().find(|code| code.name() == self.code);
        match code {
            Some(code) => {
                let finding = Finding::new(*code, self.subject.clone(), self.detail.clone());
                // What is in a record did not deny it.
                wire::finding(&finding.with_severity(Severity::Warning))
            }
            None => v1::Finding {
                code: self.code.clone(),
                severity: v1::finding::Severity::Warning as i32,
                subject: self.subject.clone(),
                detail: self.detail.clone(),
                fix: String::new(),
            },
        }
    }
}

impl BundleRecord {
    /// The record as the store keeps it, naming all blobs of the bundle.
    ///
    /// # Errors
    /// None but for a bug.
    pub(crate) fn to_record(&self, blobs: Vec<Digest>) -> Result<Record, ApiError> {
        let body = serde_json::to_value(self).map_err(|_| ApiError::internal("a record has no JSON form"))?;
        Ok(Record { kind: KIND.to_owned(), blobs, body })
    }

    /// Reads a record.
    ///
    /// # Errors
    /// [`ApiError::DataLoss`] where it is not one.
    pub(crate) fn read(name: &BundlePath, stored: &Stored) -> Result<Self, ApiError> {
        let lost = || ApiError::DataLoss { subject: name.to_string(), detail: "its record is not one".to_owned() };
        if stored.record.kind != KIND {
            return Err(lost());
        }
        let record: Self = serde_json::from_value(stored.record.body.clone()).map_err(|_| lost())?;
        // A whole record in another's place is no less a change.
        if record.name == name.to_string() { Ok(record) } else { Err(lost()) }
    }

    /// The findings, for an answer.
    pub(crate) fn findings(&self) -> Vec<v1::Finding> {
        self.findings.iter().map(FoundThen::to_wire).collect()
    }

    /// The resource without its spec and pins.
    pub(crate) fn summary(&self) -> v1::Bundle {
        v1::Bundle {
            name: self.name.clone(),
            uid: self.uid.clone(),
            create_time: Some(Timestamp {
                seconds: self.create_time.timestamp(),
                nanos: i32::try_from(self.create_time.timestamp_subsec_millis() * 1_000_000).unwrap_or_default(),
            }),
            creator: self.creator.clone(),
            request_id: self.request_id.clone().unwrap_or_default(),
            digest: self.digest.to_string(),
            manifest_bytes: i32::try_from(self.manifest_bytes).unwrap_or(i32::MAX),
            phase: v1::bundle::Phase::Ready as i32,
            spec: None,
            pins: None,
        }
    }

    /// The resource with its spec and pins.
    ///
    /// # Errors
    /// [`ApiError::DataLoss`] where `manifest` is none.
    pub(crate) fn resource(&self, manifest: &[u8]) -> Result<v1::Bundle, ApiError> {
        let mut bundle = self.summary();
        bundle.spec = Some(wire::spec(manifest)?);
        bundle.pins = Some(self.pins.to_wire());
        Ok(bundle)
    }
}
