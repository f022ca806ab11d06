//! What can go wrong between a caller and a server, with all that the server said about it.

use std::path::PathBuf;
use std::time::Duration;

use dossier_bundle::{Code as FindingCode, Digest};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::draft::DraftError;
use crate::lost::Lost;

/// Why a call, a read or a write failed. No variant holds content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server refused or failed. Look at its code and reason; [`RpcError::is_transient`] says whether to try again.
    #[error("{0}")]
    Rpc(Box<RpcError>),
    /// An address, token or certificate cannot be used. Fix it.
    #[error("{0}")]
    Config(String),
    /// A draft is not of its form. Fix the named fields.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// What arrived, or lies on disk, is not what its digest says. Do not use it.
    #[error("{digest}: {detail}")]
    Corrupt {
        /// The digest it should have.
        digest: Digest,
        /// What is wrong with it.
        detail: &'static str,
    },
    /// The server's answer breaks the protocol. A bug, or another version.
    #[error("the server's answer is not as the API says: {0}")]
    Protocol(&'static str),
    /// A file of a fetched bundle is missing, malformed, or no regular file. Fetch the bundle again.
    #[error("{}: {detail}", path.display())]
    Damaged {
        /// The file, relative to the directory.
        path: PathBuf,
        /// What is wrong with it.
        detail: &'static str,
    },
    /// A file of a fetched bundle is of a version that this one cannot read. Take a later one.
    #[error("{}: {detail}", path.display())]
    Unsupported {
        /// The file, relative to the directory.
        path: PathBuf,
        /// What is not known.
        detail: &'static str,
    },
    /// A directory cannot be written as a bundle, or a manifest is none that this version can read.
    #[error("{0}")]
    Layout(String),
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// Says of a lost connection which address was tried, and of one that was late how long was waited.
    pub(crate) fn at(self, address: &str, timeout: Duration) -> Self {
        match self {
            Self::Rpc(mut rpc) => {
                match rpc.lost {
                    Some(Lost::Late) => rpc.message = format!("{address}: no answer within {timeout:?}"),
                    Some(lost) => rpc.message = format!("{address}: {lost}"),
                    None => {}
                }
                Self::Rpc(rpc)
            }
            other => other,
        }
    }

    /// The server's answer, where it is one.
    #[must_use]
    pub fn rpc(&self) -> Option<&RpcError> {
        match self {
            Self::Rpc(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        Self::Rpc(Box::new(RpcError::from(status)))
    }
}

/// One field of a request that is not as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldViolation {
    /// The field's path.
    pub field: String,
    /// What it must be.
    pub description: String,
}

/// One finding that denied a request, or one precondition that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The code, such as `PROMPT_TOO_LARGE`.
    pub code: String,
    /// What it is about.
    pub subject: String,
    /// What was found.
    pub detail: String,
}

impl Denial {
    /// What to do about it, where this version knows the code.
    #[must_use]
    pub fn fix(&self) -> Option<&'static str> {
        FindingCode::ALL.iter().find(|code| code.name() == self.code).map(|code| code.fix())
    }
}

/// A server's error with its details (google.rpc) unpacked.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code:?}: {message}")]
pub struct RpcError {
    /// The gRPC code.
    pub code: Code,
    /// The message, for people.
    pub message: String,
    /// The reason of the `ErrorInfo`, for programs; empty where there is none.
    pub reason: String,
    /// The metadata of the `ErrorInfo`, sorted by key.
    pub metadata: Vec<(String, String)>,
    /// The malformed fields.
    pub violations: Vec<FieldViolation>,
    /// The findings that denied it: the first few, if there are many.
    pub denials: Vec<Denial>,
    /// The resource that it is about, if the details name one.
    pub resource: Option<String>,
    /// When to try again.
    pub retry_after: Option<Duration>,
    /// Why the connection could not be made, or broke; absent where this is the server's own word.
    pub lost: Option<Lost>,
}

impl RpcError {
    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self.code {
            _ if self.lost.is_some_and(|lost| !lost.may_pass()) => false,
            Code::Unavailable => true,
            Code::ResourceExhausted => self.retry_after.is_some(),
            Code::Unknown | Code::Internal => self.lost.is_some(),
            _ => false,
        }
    }

    /// Whether findings denied it.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        self.code == Code::FailedPrecondition && !self.denials.is_empty()
    }
}

impl From<Status> for RpcError {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let (mut reason, mut metadata) = (String::new(), Vec::new());
        if let Some(info) = details.error_info() {
            reason.clone_from(&info.reason);
            metadata = info.metadata.clone().into_iter().collect();
            metadata.sort();
        }
        let fields = details.bad_request().map(|bad| bad.field_violations.as_slice()).unwrap_or_default();
        let preconditions = details.precondition_failure().map(|fail| fail.violations.as_slice()).unwrap_or_default();
        // What the server sent has no source; what this side made of a broken connection has.
        let lost = Lost::of(&status);
        Self {
            code: status.code(),
            message: lost.map_or_else(|| status.message().to_owned(), |lost| lost.to_string()),
            reason,
            metadata,
            violations: fields
                .iter()
                .map(|one| FieldViolation { field: one.field.clone(), description: one.description.clone() })
                .collect(),
            denials: preconditions
                .iter()
                .map(|one| Denial {
                    code: one.r#type.clone(),
                    subject: one.subject.clone(),
                    detail: one.description.clone(),
                })
                .collect(),
            resource: details.resource_info().map(|info| info.resource_name.clone()).filter(|name| !name.is_empty()),
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
            lost,
        }
    }
}
