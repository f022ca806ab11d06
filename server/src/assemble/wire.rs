//! From the domain's types to the wire's.

use dossier_bundle::limits::Limits;
use dossier_bundle::manifest::{Descriptor, FirstError, Manifest};
use dossier_bundle::verify::{Outcome, Report};
use dossier_bundle::{Finding, Severity};
use dossier_proto::json::{self, Unknown};
use dossier_proto::v1;
use prost_types::Timestamp;

use crate::status::ApiError;

/// Limits.
pub(crate) fn limits(limits: &Limits) -> v1::Limits {
    let number = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    v1::Limits {
        class: limits.class.clone(),
        max_prompt_bytes: number(limits.max_prompt_bytes),
        max_log_bytes: number(limits.max_log_bytes),
        max_diff_bytes: number(limits.max_diff_bytes),
        max_task_bytes: number(limits.max_task_bytes),
        max_memory_bytes: number(limits.max_memory_bytes),
        max_source_bytes: number(limits.max_source_bytes),
        max_attachment_bytes: number(limits.max_attachment_bytes),
        max_attachments: number(limits.max_attachments),
        max_bytes: number(limits.max_bytes),
    }
}

/// The first error of a log.
pub(crate) fn first_error(error: FirstError) -> v1::FirstError {
    v1::FirstError { line: i32::try_from(error.line).unwrap_or(i32::MAX), class: error.class }
}

/// A finding, with what to do about it.
pub(crate) fn finding(finding: &Finding) -> v1::Finding {
    let severity = match finding.severity {
        Severity::Denied => v1::finding::Severity::Denied,
        Severity::Warning => v1::finding::Severity::Warning,
    };
    v1::Finding {
        code: finding.code.name().to_owned(),
        severity: severity as i32,
        subject: finding.subject.clone(),
        detail: finding.detail.clone(),
        fix: finding.code.fix().to_owned(),
    }
}

/// A manifest's spec: its JSON is the ProtoJSON of the message. Members of a later version are passed over.
///
/// # Errors
/// [`ApiError::Unimplemented`] for a version, layer or message that is not known here; [`ApiError::DataLoss`] where the
/// manifest is not of the form that it claims.
pub(crate) fn spec(manifest: &[u8]) -> Result<v1::BundleSpec, ApiError> {
    let mut value = known(manifest)?;
    json::from_value(value["spec"].take(), Unknown::Ignore).map_err(|_| no_manifest())
}

/// A typed manifest.
///
/// # Errors
/// As [`spec`].
pub(crate) fn manifest(bytes: &[u8]) -> Result<Manifest, ApiError> {
    serde_json::from_value(known(bytes)?).map_err(|_| no_manifest())
}

/// A manifest that may be served: what this version does not know it must not hand on as if it did.
fn known(bytes: &[u8]) -> Result<serde_json::Value, ApiError> {
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|_| no_manifest())?;
    Manifest::check_known(&value).map_err(|why| ApiError::Unimplemented {
        reason: "UNSUPPORTED",
        subject: "manifest".to_owned(),
        detail: why.to_owned(),
    })?;
    Ok(value)
}

fn no_manifest() -> ApiError {
    ApiError::DataLoss { subject: "manifest".to_owned(), detail: "it is not a manifest".to_owned() }
}

/// A descriptor with its size.
pub(crate) fn descriptor(descriptor: &Descriptor, bytes: u64) -> v1::BlobDescriptor {
    v1::BlobDescriptor {
        media_type: descriptor.media_type.clone(),
        digest: descriptor.digest.to_string(),
        bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
    }
}

/// A verification.
pub(crate) fn report(report: &Report) -> v1::VerifyBundleResponse {
    let step = |step: &dossier_bundle::verify::Step| {
        let (outcome, detail) = match &step.outcome {
            Outcome::Holds => (v1::verify_step::Outcome::Holds, String::new()),
            Outcome::Failed(why) => (v1::verify_step::Outcome::Failed, why.clone()),
            Outcome::Unsupported(why) => (v1::verify_step::Outcome::Unsupported, why.clone()),
        };
        v1::VerifyStep {
            number: i32::from(step.number),
            subject: step.subject.clone(),
            outcome: outcome as i32,
            detail,
        }
    };
    v1::VerifyBundleResponse {
        verified: report.verified(),
        digest: report.digest.to_string(),
        steps: report.steps.iter().map(step).collect(),
    }
}

/// A moment in whole seconds.
pub(crate) fn seconds(seconds: i64) -> Timestamp {
    Timestamp { seconds, nanos: 0 }
}
