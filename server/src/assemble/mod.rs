//! The road from a caller's draft to a bundle: redact, resolve, freeze, store.
//!
//! [`context`] makes the redactor of a request; [`reader`] and [`decode`] turn the wire's draft into clean text, collecting
//! every field violation; [`resolve`] fetches what the draft names and pins it; `dossier_bundle::freeze` bounds, renders,
//! searches and seals; [`create`] writes. A preview stops before that.

pub(crate) mod context;
pub(crate) mod create;
mod decode;
mod parts;
mod pins;
mod reader;
mod resolve;
pub(crate) mod upload;
pub(crate) mod wire;

use dossier_bundle::names::RunPath;
use dossier_bundle::{Finding, Frozen, Severity, finding, freeze};
use dossier_proto::v1;
use dossier_redact::Redactor;

use crate::app::App;
use crate::status::{ApiError, Violation};

pub(crate) use decode::{Sent, class_limits};
pub(crate) use pins::Pins;
pub(crate) use resolve::Shelf;

/// A draft that has been read: redacted, and with its fingerprint taken.
pub(crate) struct Read {
    /// The draft as sent, clean.
    pub(crate) sent: Sent,
    /// What redacts what is resolved later.
    pub(crate) redactor: Redactor,
    /// Findings of the redaction context.
    findings: Vec<Finding>,
}

/// What came of a draft.
pub(crate) struct Assembled {
    /// All findings, denied ones first.
    pub(crate) findings: Vec<Finding>,
    /// The bundle as it would be.
    pub(crate) frozen: Frozen,
    /// Blobs that are stored beside those of the bundle: tools and the permission review.
    pub(crate) blobs: Vec<dossier_bundle::Blob>,
    /// What was pinned.
    pub(crate) pins: Pins,
}

impl Assembled {
    /// The findings that deny it.
    pub(crate) fn denials(&self) -> Vec<Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Denied).cloned().collect()
    }
}

/// Reads a draft: makes its redactor, redacts it, and takes its fingerprint.
///
/// # Errors
/// [`ApiError::InvalidArgument`] with all violations.
pub(crate) async fn read(app: &App, run: &RunPath, mut draft: v1::BundleDraft) -> Result<Read, ApiError> {
    let wanted = draft.redaction.take().unwrap_or_default();
    let reviewed = draft.permission_review.as_ref().map(|review| review.denied.clone()).unwrap_or_default();
    let context = match context::build(app, "draft.redaction", wanted, &reviewed).await {
        Ok(context) => context,
        Err(ApiError::InvalidArgument(violations)) => return Err(with_the_others(app, run, draft, violations).await),
        Err(error) => return Err(error),
    };
    let config = app.config.clone();
    let run = run.clone();
    let redactor = context.redactor.clone();
    let fingerprint = context.fingerprint.clone();
    let work = move || decode::decode(draft, &run, &config, &redactor, &fingerprint);
    let sent =
        tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::internal("reading a draft panicked"))??;
    Ok(Read { sent, redactor: context.redactor, findings: context.findings })
}

/// The violations of a redaction context together with those of the rest of its draft. Without a context names cannot be
/// searched for what it denies, so that fields are told without the names that the caller gave them.
async fn with_the_others(app: &App, run: &RunPath, draft: v1::BundleDraft, mut all: Vec<Violation>) -> ApiError {
    let (config, run) = (app.config.clone(), run.clone());
    let work = move || context::redactor().and_then(|bare| decode::decode(draft, &run, &config, bare, &[]));
    if let Ok(Err(ApiError::InvalidArgument(others))) = tokio::task::spawn_blocking(work).await {
        all.extend(others.into_iter().map(|mut one| {
            if one.field.starts_with("draft.trigger.fields") {
                "draft.trigger.fields".clone_into(&mut one.field);
            }
            one
        }));
    }
    ApiError::InvalidArgument(all)
}

/// Resolves what a draft names, and freezes it. Nothing is stored but the age of blobs that are renewed by `shelf`.
///
/// # Errors
/// [`ApiError::Aborted`] where a pin cannot be honoured, [`ApiError::Unimplemented`] for contents of a later version, those of
/// the store.
pub(crate) async fn assemble(app: &App, shelf: &Shelf<'_>, read: Read) -> Result<Assembled, ApiError> {
    let Read { sent, redactor, mut findings } = read;
    let resolved = resolve::resolve(app, shelf, sent, &redactor).await?;
    findings.extend(resolved.findings);
    let (draft, blobs, pins) = (resolved.draft, resolved.blobs, resolved.pins);
    let work = move || freeze(draft, &redactor);
    let frozen =
        tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::internal("freezing a draft panicked"))?;
    findings.extend(frozen.findings.iter().cloned());
    finding::sort(&mut findings);
    findings.dedup();
    Ok(Assembled { findings, frozen, blobs, pins })
}
