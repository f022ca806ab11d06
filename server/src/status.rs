//! What an RPC can fail with, and the one place where it becomes a [`tonic::Status`].
//!
//! Each status carries an `ErrorInfo` whose metadata says under `action` what the caller should do: `retry` the same
//! request, `fix` it first, or take it as `fatal`. No text here holds content: it names fields, resources, rules and
//! digests. `docs/errors.md` is the table for users.

use std::collections::HashMap;
use std::time::Duration;

use dossier_bundle::Finding;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, PreconditionViolation, StatusExt};

use crate::clock::NoEntropy;
use crate::serve::request_id;

mod bounded;
mod store;

use bounded::{clip, fitting};

/// The domain of every `ErrorInfo`.
pub const DOMAIN: &str = "dossier.dev";

/// What a caller should do about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Send the same request again, after the time that `RetryInfo` names where there is one.
    Retry,
    /// Change the request, or what it is about, and send it again.
    Fix,
    /// Nothing that a caller can do helps.
    Fatal,
}

impl Action {
    /// The word in the details.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Fix => "fix",
            Self::Fatal => "fatal",
        }
    }
}

/// One field that is not as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The field's path, such as `draft.sources[2].path`.
    pub field: String,
    /// What it must be. Never what it is.
    pub description: String,
}

impl Violation {
    /// A violation of a field.
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self { field: field.into(), description: description.into() }
    }
}

/// Why an RPC fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// The request is malformed. *Fix* all of these fields.
    #[error("{} of the request's fields are malformed", .0.len())]
    InvalidArgument(Vec<Violation>),
    /// Findings deny it. *Fix* the draft; a preview shows all findings.
    #[error("{} findings deny it", .0.len())]
    Denied(Vec<Finding>),
    /// The state of something is not as it must be. *Fix* that first.
    #[error("{subject}: {detail}")]
    FailedPrecondition {
        /// `UPPER_SNAKE`, for programs.
        reason: &'static str,
        /// What is not as it must be.
        subject: String,
        /// Why, for people.
        detail: String,
    },
    /// Something changed under the request: an expected digest or a pin differs (*fix*), or a race was lost (*retry*).
    #[error("{subject}: {detail}")]
    Aborted {
        /// `UPPER_SNAKE`, for programs.
        reason: &'static str,
        /// What changed.
        subject: String,
        /// How, for people.
        detail: String,
        /// Whether to retry, or to fix first.
        action: Action,
    },
    /// A name or request id is taken by other content. *Fix*: choose another.
    #[error("{name} exists with other content")]
    AlreadyExists {
        /// The kind of resource, such as `bundle`.
        kind: &'static str,
        /// The resource that stands.
        name: String,
    },
    /// There is no such thing, or it is not the caller's to see. *Fix* the name.
    #[error("{kind} not found")]
    NotFound {
        /// The kind of resource, such as `bundle`.
        kind: &'static str,
        /// The name as it was asked for, parsed; empty where naming it would tell something.
        name: String,
        /// What exists instead, or empty.
        detail: String,
    },
    /// An offset lies behind the end. *Fix* it.
    #[error("{field} is out of range: {detail}")]
    OutOfRange {
        /// The field's path.
        field: &'static str,
        /// What range there is.
        detail: String,
    },
    /// What is stored is gone or changed. *Fatal* for the caller; an operator must look.
    #[error("{subject}: {detail}")]
    DataLoss {
        /// The digest, key or resource.
        subject: String,
        /// Which check failed.
        detail: String,
    },
    /// The server cannot serve just now. *Retry* after the time given.
    #[error("{detail}")]
    Unavailable {
        /// `UPPER_SNAKE`, for programs.
        reason: &'static str,
        /// What is unavailable, for people.
        detail: &'static str,
        /// When to try again.
        retry_after: Duration,
    },
    /// A cap is reached. *Retry* after the time given; without one, *fix* the request.
    #[error("{subject}: {detail}")]
    ResourceExhausted {
        /// `UPPER_SNAKE`, for programs.
        reason: &'static str,
        /// What is exhausted.
        subject: String,
        /// The cap, for people.
        detail: String,
        /// When to try again, where that helps.
        retry_after: Option<Duration>,
    },
    /// This version does not know or do it. *Fatal* for this version.
    #[error("{subject}: {detail}")]
    Unimplemented {
        /// `UPPER_SNAKE`, for programs.
        reason: &'static str,
        /// What is not known.
        subject: String,
        /// What would be, for people.
        detail: String,
    },
    /// The caller is known and may see the resource, but its role may not do this. *Fix* the credential.
    #[error("{0}")]
    PermissionDenied(&'static str),
    /// There is no valid credential. *Fix* it.
    #[error("a valid bearer token is needed in the `authorization` header")]
    Unauthenticated,
    /// The time that the caller or the server gave has passed. *Retry* with more time.
    #[error("the deadline has passed")]
    DeadlineExceeded,
    /// A bug. *Fatal*; the id finds it in the server's log.
    #[error("an internal error{}", if id.is_empty() { String::new() } else { format!(" ({id})") })]
    Internal {
        /// The request's id, as the log has it.
        id: String,
    },
}

impl ApiError {
    /// One malformed field.
    pub fn invalid(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self::InvalidArgument(vec![Violation::new(field, description)])
    }

    /// Something that is not there, or not the caller's to see: the two must look the same.
    pub fn not_found(kind: &'static str, name: impl Into<String>) -> Self {
        Self::NotFound { kind, name: name.into(), detail: String::new() }
    }

    /// A pin or an expected digest or generation that does not hold any more.
    pub fn aborted(reason: &'static str, subject: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Aborted { reason, subject: subject.into(), detail: detail.into(), action: Action::Fix }
    }

    /// A bug: logs `what` and gives an error that has the request's id and nothing else. `what` must hold no content.
    pub fn internal(what: impl AsRef<str>) -> Self {
        let id = request_id().unwrap_or_default();
        tracing::error!(request = %id, what = what.as_ref(), "internal error");
        Self::Internal { id }
    }

    /// The gRPC code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::InvalidArgument(_) => Code::InvalidArgument,
            Self::Denied(_) | Self::FailedPrecondition { .. } => Code::FailedPrecondition,
            Self::Aborted { .. } => Code::Aborted,
            Self::AlreadyExists { .. } => Code::AlreadyExists,
            Self::NotFound { .. } => Code::NotFound,
            Self::OutOfRange { .. } => Code::OutOfRange,
            Self::DataLoss { .. } => Code::DataLoss,
            Self::Unavailable { .. } => Code::Unavailable,
            Self::ResourceExhausted { .. } => Code::ResourceExhausted,
            Self::Unimplemented { .. } => Code::Unimplemented,
            Self::PermissionDenied(_) => Code::PermissionDenied,
            Self::Unauthenticated => Code::Unauthenticated,
            Self::DeadlineExceeded => Code::DeadlineExceeded,
            Self::Internal { .. } => Code::Internal,
        }
    }

    /// The reason of the `ErrorInfo`.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::InvalidArgument(_) => "FIELD_VIOLATIONS",
            Self::Denied(_) => "DENIED",
            Self::FailedPrecondition { reason, .. }
            | Self::Aborted { reason, .. }
            | Self::Unavailable { reason, .. }
            | Self::ResourceExhausted { reason, .. }
            | Self::Unimplemented { reason, .. } => reason,
            Self::AlreadyExists { .. } => "TAKEN",
            Self::NotFound { .. } => "NOT_FOUND",
            Self::OutOfRange { .. } => "OUT_OF_RANGE",
            Self::DataLoss { .. } => "DATA_LOSS",
            Self::PermissionDenied(_) => "ROLE_NOT_ALLOWED",
            Self::Unauthenticated => "CREDENTIAL_INVALID",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::Internal { .. } => "INTERNAL",
        }
    }

    /// What the caller should do.
    #[must_use]
    pub fn action(&self) -> Action {
        match self {
            Self::Aborted { action, .. } => *action,
            Self::Unavailable { .. } | Self::DeadlineExceeded => Action::Retry,
            Self::ResourceExhausted { retry_after, .. } if retry_after.is_some() => Action::Retry,
            Self::DataLoss { .. } | Self::Unimplemented { .. } | Self::Internal { .. } => Action::Fatal,
            _ => Action::Fix,
        }
    }
}

impl From<ApiError> for Status {
    fn from(error: ApiError) -> Self {
        let mut message = error.to_string();
        let mut metadata = HashMap::from([("action".to_owned(), error.action().name().to_owned())]);
        let mut details = ErrorDetails::new();
        match &error {
            ApiError::InvalidArgument(violations) => {
                let shown = fitting(violations, |violation| violation.field.len() + violation.description.len());
                let all = shown.len() == violations.len();
                let fields = shown.iter().map(|v| FieldViolation::new(clip(&v.field), clip(&v.description)));
                details.set_bad_request(fields.collect::<Vec<_>>());
                metadata.insert("violations".to_owned(), violations.len().to_string());
                message = match violations.first() {
                    Some(first) if violations.len() == 1 => {
                        format!("{} {}", clip(&first.field), clip(&first.description))
                    }
                    _ if all => message,
                    _ => format!("{message}; the details name the first {}", shown.len()),
                };
            }
            ApiError::Denied(findings) => {
                let shown = fitting(findings, |f| f.code.name().len() + f.subject.len() + f.detail.len());
                let violations = shown.iter();
                let violations =
                    violations.map(|f| PreconditionViolation::new(f.code.name(), clip(&f.subject), clip(&f.detail)));
                details.set_precondition_failure(violations.collect::<Vec<_>>());
                metadata.insert("findings".to_owned(), findings.len().to_string());
                metadata.insert("shown".to_owned(), shown.len().to_string());
                let codes: std::collections::BTreeSet<&str> = findings.iter().map(|f| f.code.name()).collect();
                let codes: Vec<&str> = codes.into_iter().collect();
                message = format!("denied: {}", codes.join(", "));
                if shown.len() < findings.len() {
                    message = format!(
                        "{message}; {} findings, of which the details name {}: PreviewBundle shows all",
                        findings.len(),
                        shown.len()
                    );
                }
            }
            ApiError::FailedPrecondition { reason, subject, detail } => {
                details.add_precondition_failure_violation(*reason, clip(subject), clip(detail));
            }
            ApiError::Aborted { subject, .. }
            | ApiError::DataLoss { subject, .. }
            | ApiError::Unimplemented { subject, .. } => {
                metadata.insert("subject".to_owned(), clip(subject));
            }
            ApiError::AlreadyExists { kind, name } => {
                details.set_resource_info(*kind, clip(name), "", "exists with other content");
            }
            ApiError::NotFound { kind, name, detail } => {
                details.set_resource_info(*kind, clip(name), "", clip(detail));
                if !detail.is_empty() {
                    message = format!("{message}: {detail}");
                }
            }
            ApiError::OutOfRange { field, detail } => {
                details.add_bad_request_violation(*field, clip(detail));
            }
            ApiError::Unavailable { retry_after, .. } => {
                details.set_retry_info(Some(*retry_after));
            }
            ApiError::ResourceExhausted { subject, detail, retry_after, .. } => {
                details.add_quota_failure_violation(clip(subject), clip(detail));
                if retry_after.is_some() {
                    details.set_retry_info(*retry_after);
                }
            }
            ApiError::Internal { id } => {
                metadata.insert("request".to_owned(), id.clone());
            }
            ApiError::PermissionDenied(_) | ApiError::Unauthenticated | ApiError::DeadlineExceeded => {}
        }
        details.set_error_info(error.reason(), DOMAIN, metadata);
        Self::with_error_details(error.code(), bounded::message(&message), details)
    }
}

impl From<NoEntropy> for ApiError {
    fn from(error: NoEntropy) -> Self {
        Self::internal(error.to_string())
    }
}

#[cfg(test)]
mod tests;
