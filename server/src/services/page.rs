//! Pages of lists.

use dossier_store::PageToken;

use crate::status::{ApiError, Violation};

/// The page size where none is asked for.
const PAGE: i32 = 100;
/// The largest page.
const MAX_PAGE: i32 = 1000;

/// The size and the beginning of the page that is asked for.
///
/// # Errors
/// [`ApiError::InvalidArgument`] for a size out of 0 to 1,000, or a token that no page has given.
pub(super) fn page(size: i32, token: &str) -> Result<(usize, Option<PageToken>), ApiError> {
    let mut violations = Vec::new();
    if !(0..=MAX_PAGE).contains(&size) {
        violations.push(Violation::new("page_size", format!("must be 0 to {MAX_PAGE}")));
    }
    let after = if token.is_empty() { None } else { Some(PageToken::parse(token)) };
    let after = after.and_then(|parsed| {
        parsed
            .map_err(|_| violations.push(Violation::new("page_token", "must be one that this listing has given")))
            .ok()
    });
    if !violations.is_empty() {
        return Err(ApiError::InvalidArgument(violations));
    }
    let size = if size == 0 { PAGE } else { size };
    Ok((usize::try_from(size).unwrap_or(1), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_bounded() {
        assert_eq!(page(0, "").map(|(limit, _)| limit), Ok(100));
        assert_eq!(page(1000, "abc").map(|(limit, _)| limit), Ok(1000));
        assert!(matches!(page(1001, "\n"), Err(ApiError::InvalidArgument(wrong)) if wrong.len() == 2));
        assert!(page(-1, "").is_err());
    }
}
