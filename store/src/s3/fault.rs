//! What an S3 engine's refusals mean. Only codes and states go on: an engine's message may quote what it was sent.

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::http::Response;

use crate::engine::MAX_VALUE;
use crate::error::Error;

/// What is said where the credential chain gives nothing.
const NO_CREDENTIALS: &str = "no credentials found";

/// Whether a call was not sent because there are no credentials. The SDK has no kind for it that all its layers keep.
fn lacks_credentials(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        if text.contains("no providers in chain provided credentials")
            || text.contains("the credential provider was not enabled")
            || text.contains("failed to select an identity resolver")
        {
            return true;
        }
        next = error.source();
    }
    false
}

/// One refused or failed call.
#[derive(Debug)]
pub(super) struct Fault {
    /// The HTTP state; 0 where no answer came.
    status: u16,
    /// The engine's code, cut to what a code can be, or the kind of failure.
    code: String,
}

impl Fault {
    pub(super) fn of<E: ProvideErrorMetadata + std::error::Error + 'static>(error: &SdkError<E, Response>) -> Self {
        let status = error.raw_response().map_or(0, |response| response.status().as_u16());
        let code = match error {
            SdkError::ServiceError(service) => service.err().code().map(clean).unwrap_or_default(),
            SdkError::TimeoutError(_) => "timeout".to_owned(),
            error if lacks_credentials(error) => NO_CREDENTIALS.to_owned(),
            SdkError::DispatchFailure(failure) if failure.is_timeout() => "timeout".to_owned(),
            SdkError::DispatchFailure(failure) if failure.is_io() => "connection".to_owned(),
            SdkError::DispatchFailure(_) => "not sent".to_owned(),
            SdkError::ResponseError(_) => "malformed answer".to_owned(),
            _ => "not built".to_owned(),
        };
        Self { status, code }
    }

    /// The value is not there. A bucket that is not there is another matter.
    pub(super) fn is_missing(&self) -> bool {
        self.status == 404 && self.code != "NoSuchBucket"
    }

    /// A condition did not hold.
    pub(super) fn is_condition(&self) -> bool {
        self.status == 412
    }

    /// A conditional write to the same key is under way.
    pub(super) fn is_conflict(&self) -> bool {
        self.status == 409
    }

    /// The range starts past the end.
    pub(super) fn is_past_end(&self) -> bool {
        self.status == 416
    }

    /// The request itself was not understood.
    pub(super) fn is_malformed(&self) -> bool {
        self.status == 400
    }

    pub(super) fn into_error(self, operation: &'static str) -> Error {
        match (self.status, self.code.as_str()) {
            (507, _) | (_, "QuotaExceeded" | "XMinioStorageFull" | "InsufficientStorage") => Error::Full,
            (413, _) | (_, "EntityTooLarge") => Error::TooLarge { size: 0, limit: MAX_VALUE },
            (404, "NoSuchBucket") => Error::Denied { operation, reason: "the bucket does not exist".to_owned() },
            (401 | 403, _) | (0, NO_CREDENTIALS) => Error::Denied { operation, reason: self.text() },
            _ => Error::Unavailable { operation, reason: self.text() },
        }
    }

    fn text(&self) -> String {
        match self.status {
            0 => self.code.clone(),
            status => format!("{status} {}", self.code).trim_end().to_owned(),
        }
    }
}

fn clean(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_codes() {
        let error = |status, code: &str| Fault { status, code: code.to_owned() }.into_error("put");
        assert_eq!(error(507, ""), Error::Full);
        assert!(matches!(error(403, "AccessDenied"), Error::Denied { .. }));
        assert_eq!(error(404, "NoSuchBucket").to_string(), "the store denies access (put: the bucket does not exist)");
        assert_eq!(error(0, NO_CREDENTIALS).to_string(), "the store denies access (put: no credentials found)");
        assert!(lacks_credentials(&std::io::Error::other("no providers in chain provided credentials")));
        assert!(error(503, "SlowDown").is_retryable());
        assert_eq!(error(0, "timeout").to_string(), "the store is unavailable (put: timeout)");
        assert_eq!(clean("<a>\"secret value\"</a>"), "asecretvaluea");
    }
}
