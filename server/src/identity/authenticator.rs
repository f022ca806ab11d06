//! From a request's headers to its caller.

use std::sync::Arc;

use tonic::codegen::http::{HeaderMap, header::AUTHORIZATION};

use super::access::{Access, Rpc};
use super::principal::Principal;
use super::tokens::Tokens;
use crate::status::ApiError;

/// Reads credentials and checks them against the table of RPCs.
#[derive(Clone)]
pub struct Authenticator {
    tokens: Arc<Tokens>,
}

impl Authenticator {
    /// An authenticator for static tokens.
    #[must_use]
    pub fn new(tokens: Arc<Tokens>) -> Self {
        Self { tokens }
    }

    /// Who calls `rpc`, and that it may; `None` where the RPC is open to all. The credential is taken out of the headers,
    /// so that nothing after can log it.
    ///
    /// # Errors
    /// [`ApiError::Unauthenticated`], [`ApiError::PermissionDenied`], or why the credential cannot be checked.
    pub async fn admit(
        &self,
        rpc: &Rpc,
        headers: &mut HeaderMap,
    ) -> Result<Option<Principal>, (Option<Principal>, ApiError)> {
        let credential = bearer(headers);
        headers.remove(AUTHORIZATION);
        if rpc.access == Access::Open {
            return Ok(None);
        }
        let Some(secret) = credential else { return Err((None, ApiError::Unauthenticated)) };
        let principal = self.tokens.verify(&secret).await.map_err(|error| (None, error))?;
        if rpc.allows(principal.role) {
            Ok(Some(principal))
        } else {
            Err((Some(principal), ApiError::PermissionDenied("the credential's role may not call this")))
        }
    }
}

/// The bearer secret of RFC 6750, if there is exactly one credential.
fn bearer(headers: &HeaderMap) -> Option<zeroize::Zeroizing<String>> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (all.next(), all.next()) else { return None };
    let (scheme, secret) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim().to_owned().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_bearer() {
        let read = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, value.parse().unwrap());
            }
            bearer(&headers).map(|secret| secret.to_string())
        };
        assert_eq!(read(&["Bearer x"]), Some("x".to_owned()));
        assert_eq!(read(&["bearer  x "]), Some("x".to_owned()));
        for none in [&[][..], &["x"], &["Basic x"], &["Bearer x", "Bearer x"]] {
            assert_eq!(read(none), None);
        }
    }
}
