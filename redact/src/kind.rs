//! The seven stages, their names, and the markers that stand where something was taken.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// What a span was taken for. Ordered by stage: where spans overlap, the earliest stage names the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Stage 1: a value of a denied Secret or ConfigMap, or such an object's own manifest.
    DeniedSecret,
    /// Stage 2: a value beside a secret-like key, or a generic secret.
    SecretPattern,
    /// Stage 3: a provider's credential or an OAuth token.
    ProviderToken,
    /// Stage 4: a private key, or a kubeconfig's credential.
    PrivateKey,
    /// Stage 5: a webhook signature or an authentication header.
    AuthHeader,
    /// Stage 6: a pattern of the repository's policy.
    PolicyPattern,
    /// Stage 7: a pattern or literal that the user gave.
    UserPattern,
}

impl Kind {
    /// All kinds in stage order.
    pub const ALL: [Kind; 7] = [
        Kind::DeniedSecret,
        Kind::SecretPattern,
        Kind::ProviderToken,
        Kind::PrivateKey,
        Kind::AuthHeader,
        Kind::PolicyPattern,
        Kind::UserPattern,
    ];

    /// The name used in manifests, records and counts.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::DeniedSecret => "denied-secret",
            Kind::SecretPattern => "secret-pattern",
            Kind::ProviderToken => "provider-token",
            Kind::PrivateKey => "private-key",
            Kind::AuthHeader => "auth-header",
            Kind::PolicyPattern => "policy-pattern",
            Kind::UserPattern => "user-pattern",
        }
    }

    /// The text that replaces a span of this kind. One length per kind, whatever was taken.
    pub const fn marker(self) -> &'static str {
        match self {
            Kind::DeniedSecret => "[REDACTED:denied-secret]",
            Kind::SecretPattern => "[REDACTED:secret]",
            Kind::ProviderToken => "[REDACTED:provider-token]",
            Kind::PrivateKey => "[REDACTED:private-key]",
            Kind::AuthHeader => "[REDACTED:auth-header]",
            Kind::PolicyPattern => "[REDACTED:policy]",
            Kind::UserPattern => "[REDACTED:user]",
        }
    }

    /// The stage's number, 1 to 7.
    pub const fn stage(self) -> u8 {
        match self {
            Kind::DeniedSecret => 1,
            Kind::SecretPattern => 2,
            Kind::ProviderToken => 3,
            Kind::PrivateKey => 4,
            Kind::AuthHeader => 5,
            Kind::PolicyPattern => 6,
            Kind::UserPattern => 7,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What every marker begins with.
pub(crate) const OPENING: &[u8] = b"[REDACTED:";

/// The longest marker's length.
pub(crate) const LONGEST: usize = 25;

/// The length of the marker that begins at `at`, if one does.
pub(crate) fn marker_at(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if !rest.starts_with(OPENING) {
        return None;
    }
    Kind::ALL.iter().map(|kind| kind.marker()).find(|marker| rest.starts_with(marker.as_bytes())).map(str::len)
}

/// The markers in `text`, in order.
pub(crate) fn markers(text: &[u8]) -> Vec<Range<usize>> {
    memchr::memmem::find_iter(text, OPENING).filter_map(|at| marker_at(text, at).map(|len| at..at + len)).collect()
}

/// The marker in whose inside `at` lies (not at either end).
pub(crate) fn marker_around(text: &[u8], at: usize) -> Option<Range<usize>> {
    let from = at.saturating_sub(LONGEST - 1);
    // Most of the time no bracket is near.
    memchr::memrchr_iter(OPENING[0], &text[from..at.min(text.len())]).find_map(|start| {
        let start = from + start;
        let end = start + marker_at(text, start)?;
        (end > at).then_some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_in_order_and_markers_are_found() {
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(kind.stage()), index + 1);
            assert!(kind.marker().len() <= LONGEST);
            assert_eq!(markers(kind.marker().as_bytes()), vec![0..kind.marker().len(); 1]);
        }
        assert!(markers(b"[REDACTED:other] [REDACTED:").is_empty());
    }
}
