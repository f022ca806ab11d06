use dossier_bundle::{Code as FindingCode, Digest};
use tonic_types::StatusExt as _;

use super::*;

fn all() -> Vec<ApiError> {
    let text = || "x".to_owned();
    let second = Duration::from_secs(1);
    vec![
        ApiError::invalid("draft.run", "must match [a-z]"),
        ApiError::Denied(vec![Finding::new(FindingCode::PromptTooLarge, "prompt", "70000 bytes, limit 65536")]),
        ApiError::FailedPrecondition { reason: "BUNDLE_PURGED", subject: text(), detail: text() },
        ApiError::aborted("DIGEST_DIFFERS", "expected_digest", "it would be another"),
        ApiError::AlreadyExists { kind: "bundle", name: text() },
        ApiError::not_found("bundle", "orgs/o/runs/r/bundles/b"),
        ApiError::OutOfRange { field: "offset", detail: text() },
        ApiError::DataLoss { subject: text(), detail: text() },
        ApiError::Unavailable { reason: "DRAINING", detail: "draining", retry_after: second },
        ApiError::ResourceExhausted { reason: "R", subject: text(), detail: text(), retry_after: Some(second) },
        ApiError::Unimplemented { reason: "UNSUPPORTED", subject: text(), detail: text() },
        ApiError::PermissionDenied("the role may not"),
        ApiError::Unauthenticated,
        ApiError::DeadlineExceeded,
        ApiError::Internal { id: text() },
    ]
}

#[test]
fn every_error_says_what_to_do() {
    for error in all() {
        let (code, action) = (error.code(), error.action());
        let status = Status::from(error);
        assert_eq!(status.code(), code);
        let info = status.get_details_error_info().unwrap();
        assert_eq!(info.domain, DOMAIN);
        assert_eq!(info.metadata.get("action").map(String::as_str), Some(action.name()));
        assert!(info.reason.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'), "{}", info.reason);
        assert!(!status.message().is_empty());
    }
}

#[test]
fn every_reason_and_code_is_in_the_table_for_users() {
    let page = include_str!("../../../docs/errors.md");
    for error in all() {
        let code = format!("{:?}", error.code());
        let shown: String = code
            .char_indices()
            .flat_map(|(i, c)| (i > 0 && c.is_uppercase()).then_some('_').into_iter().chain(c.to_uppercase()))
            .collect();
        assert!(page.contains(&format!("`{shown}`")), "{shown}");
    }
}

#[test]
fn sixty_four_long_findings_stay_small() {
    let long = "a part with a long name ".repeat(60);
    let findings: Vec<_> =
        (0..64).map(|n| Finding::new(FindingCode::AttachmentTooLarge, format!("{n} {long}"), long.clone())).collect();
    let status = Status::from(ApiError::Denied(findings));
    assert!(status.details().len() <= bounded::DETAILS, "{}", status.details().len());
    assert!(status.message().contains("64 findings") && status.message().contains("PreviewBundle shows all"));
    assert!(!status.get_details_precondition_failure().unwrap().violations.is_empty());
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.metadata.get("findings").map(String::as_str), Some("64"));
}

#[test]
fn many_violations_stay_small_and_are_counted() {
    let violations = (0..2000).map(|n| Violation::new(format!("draft.sources[{n}].ürl"), "ä".repeat(300))).collect();
    let status = Status::from(ApiError::InvalidArgument(violations));
    assert!(status.details().len() <= bounded::DETAILS, "{}", status.details().len());
    assert!(status.message().starts_with("2000 of the request's fields"));
    let few = Status::from(ApiError::InvalidArgument(vec![Violation::new("a", "b"), Violation::new("c", "d")]));
    assert_eq!(few.get_details_bad_request().unwrap().field_violations.len(), 2);
}

#[test]
fn all_texts_at_their_limit_stay_small() {
    let long = "ß".repeat(5000);
    for error in [
        ApiError::FailedPrecondition { reason: "R", subject: long.clone(), detail: long.clone() },
        ApiError::aborted("R", long.clone(), long.clone()),
        ApiError::NotFound { kind: "attachment", name: long.clone(), detail: long.clone() },
        ApiError::ResourceExhausted { reason: "R", subject: long.clone(), detail: long, retry_after: None },
    ] {
        let status = Status::from(error);
        assert!(status.details().len() <= bounded::DETAILS);
        assert!(status.message().len() <= 512);
    }
}

#[test]
fn what_the_store_says_of_itself_stays_in_the_log() {
    let reason = "AccessDenied from 10.0.0.7".to_owned();
    let status = Status::from(ApiError::from(dossier_store::Error::Unavailable { operation: "get", reason }));
    assert_eq!(status.code(), Code::Unavailable);
    assert!(!status.message().contains("10.0.0.7"));
    assert!(status.get_details_retry_info().unwrap().retry_delay.is_some());
    let lost = ApiError::from(dossier_store::Error::BlobMissing { digest: Digest::of(b"x") });
    assert_eq!((lost.code(), lost.action()), (Code::DataLoss, Action::Fatal));
}
