//! The secret of a token and the id that is made of it.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dossier_bundle::Digest;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::clock::{Ids, NoEntropy};

const PREFIX: &str = "dsr_";
/// 32 bytes in base64url without padding.
const BODY: usize = 43;

/// A bearer secret: `dsr_` and 43 characters of base64url, which are 32 random bytes. It has no `Debug` or `Display`.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct TokenSecret(String);

/// A text is not of a token's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a token: it must be `dsr_` and 43 characters of base64url")]
pub struct ParseTokenError;

impl TokenSecret {
    /// A new secret.
    ///
    /// # Errors
    /// [`NoEntropy`] where there is no randomness to make it of.
    pub fn generate(ids: &dyn Ids) -> Result<Self, NoEntropy> {
        let mut bytes = Zeroizing::new([0; 32]);
        ids.fill(bytes.as_mut_slice())?;
        let mut text = String::with_capacity(PREFIX.len() + BODY);
        text.push_str(PREFIX);
        URL_SAFE_NO_PAD.encode_string(bytes.as_slice(), &mut text);
        Ok(Self(text))
    }

    /// The secret itself, to be handed to its owner and to nobody else.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The token's id, so that checking a secret is one read.
    #[must_use]
    pub fn id(&self) -> TokenId {
        TokenId::of(&self.digest())
    }
}

impl FromStr for TokenSecret {
    type Err = ParseTokenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let body = text.strip_prefix(PREFIX).ok_or(ParseTokenError)?;
        if body.len() != BODY || !body.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) {
            return Err(ParseTokenError);
        }
        Ok(Self(text.to_owned()))
    }
}

/// A token's id: the first 32 hexadecimal digits of its secret's SHA-256.
///
/// Half of the hash of 32 random bytes helps nobody to find them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(String);

/// A text is not of a token id's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a token's id: it must be 32 lower-case hexadecimal digits")]
pub struct ParseTokenIdError;

impl TokenId {
    /// The id of the token whose secret has this digest.
    #[must_use]
    pub fn of(digest: &Digest) -> Self {
        let mut hex = digest.hex();
        hex.truncate(32);
        Self(hex)
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The resource name, `tokens/{id}`.
    #[must_use]
    pub fn resource(&self) -> String {
        format!("tokens/{}", self.0)
    }
}

impl FromStr for TokenId {
    type Err = ParseTokenIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseTokenIdError)
        }
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemIds;

    #[test]
    fn a_secret_has_one_form() {
        let secret = TokenSecret::generate(&SystemIds).unwrap();
        assert_eq!(secret.expose().len(), 47);
        assert_eq!(secret.expose().parse::<TokenSecret>().unwrap().id(), secret.id());
        assert_eq!(secret.id().as_str().parse(), Ok(secret.id()));
        let body = "A".repeat(43);
        for bad in ["", "dsr_", &body, &format!("dsr_{body}A"), &format!("dsr_{}=", &body[1..]), &format!("DSR_{body}")]
        {
            assert!(bad.parse::<TokenSecret>().is_err(), "{bad}");
        }
        for bad in ["", "../tokens", &"A".repeat(32), &"a".repeat(31)] {
            assert!(bad.parse::<TokenId>().is_err(), "{bad}");
        }
    }
}
