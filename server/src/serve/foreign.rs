//! Statuses that the transport makes by itself, before or beside a handler. They carry no details, and some have another
//! code than the API's table says.

use tonic::codegen::http::HeaderMap;
use tonic::{Code, Status};

use crate::status::ApiError;

/// Our own error in place of the transport's, where headers or trailers carry one of the transport's.
pub(super) fn replaced(headers: &HeaderMap) -> Option<ApiError> {
    let status = Status::from_header_map(headers)?;
    if !status.details().is_empty() {
        return None;
    }
    match status.code() {
        Code::Internal if status.message().starts_with("Error ") && !status.message().contains("decompress") => {
            Some(ApiError::internal("a reply cannot be encoded"))
        }
        Code::Internal => Some(ApiError::invalid("", "must be well-formed messages of this method")),
        Code::OutOfRange | Code::ResourceExhausted => Some(ApiError::ResourceExhausted {
            reason: "MESSAGE_TOO_LARGE",
            subject: "message".to_owned(),
            detail: "a message is over the server's limit (server.max_message_bytes)".to_owned(),
            retry_after: None,
        }),
        Code::Unimplemented => Some(ApiError::Unimplemented {
            reason: "UNSUPPORTED",
            subject: "method".to_owned(),
            detail: "the server knows no such method, or not this compression (it knows gzip)".to_owned(),
        }),
        // Nobody reads this: it is for the log.
        Code::Unknown => Some(ApiError::Unavailable {
            reason: "CONNECTION_LOST",
            detail: "the connection broke while the request was read",
            retry_after: std::time::Duration::from_secs(1),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(status: Status) -> Option<Code> {
        replaced(status.into_http::<()>().headers()).map(|error| error.code())
    }

    #[test]
    fn the_transports_words_become_ours() {
        assert_eq!(code(Status::internal("failed to decode Protobuf message: x")), Some(Code::InvalidArgument));
        assert_eq!(code(Status::internal("Error encoding: x")), Some(Code::Internal));
        assert_eq!(
            code(Status::out_of_range("Error, decoded message length too large")),
            Some(Code::ResourceExhausted)
        );
        assert_eq!(code(Status::unimplemented("")), Some(Code::Unimplemented));
        assert_eq!(code(Status::not_found("")), None);
        assert_eq!(code(ApiError::OutOfRange { field: "offset", detail: String::new() }.into()), None);
        assert_eq!(replaced(&HeaderMap::new()), None);
    }
}
