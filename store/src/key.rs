//! Storage keys.

use std::fmt;

/// The longest key, in bytes. S3 allows 1,024; the rest is left to a bucket's prefix.
const MAX_KEY: usize = 900;
/// The longest segment, in bytes. File systems allow 255.
const MAX_SEGMENT: usize = 200;

/// A name under which an engine keeps a value: segments joined by `/`.
///
/// - A segment is 1 to 200 bytes of `[A-Za-z0-9._-]`, and neither `.` nor `..`.
/// - A key is at most 900 bytes.
/// - The first segment is not `.dossier`, where a local directory keeps its locks.
///
/// So a key is a path on any file system and an object name on any S3 engine, and needs no escaping in either.
///
/// ```
/// use dossier_store::Key;
///
/// for good in ["orgs/acme/gc.json", "a", "tokens/t-1.json", "a/..b/.c"] {
///     assert_eq!(Key::parse(good).unwrap().as_str(), good);
/// }
/// for bad in ["", "/a", "a/", "a//b", "a/../b", ".", "a b", "ä", "a\\b", ".dossier/locks/00", &"x".repeat(201)] {
///     assert!(Key::parse(bad).is_err(), "{bad}");
/// }
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

/// A text is not a storage key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a storage key: segments of 1 to 200 bytes of [A-Za-z0-9._-] joined by `/`, 900 bytes at most")]
pub struct InvalidKey;

impl Key {
    /// Reads a key.
    ///
    /// # Errors
    /// [`InvalidKey`] where `text` breaks one of the rules above.
    pub fn parse(text: &str) -> Result<Self, InvalidKey> {
        let reserved = text.split('/').next() == Some(".dossier");
        if text.len() > MAX_KEY || reserved || !text.split('/').all(is_segment) {
            return Err(InvalidKey);
        }
        Ok(Self(text.to_owned()))
    }

    /// A key of these segments; none of them can smuggle in a `/`.
    ///
    /// # Errors
    /// [`InvalidKey`] where a segment, or the whole, breaks one of the rules above.
    pub fn of(segments: &[&str]) -> Result<Self, InvalidKey> {
        if segments.iter().any(|segment| segment.contains('/')) {
            return Err(InvalidKey);
        }
        Self::parse(&segments.join("/"))
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The segments, first to last.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

fn is_segment(text: &str) -> bool {
    (1..=MAX_SEGMENT).contains(&text.len())
        && text != "."
        && text != ".."
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

/// Whether `text` can start a key: nothing, or a key cut off anywhere.
pub(crate) fn is_prefix(text: &str) -> bool {
    text.is_empty() || Key::parse(text).is_ok() || text.strip_suffix('/').is_some_and(|head| Key::parse(head).is_ok())
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_cannot_bring_a_slash() {
        assert_eq!(Key::of(&["orgs", "a/b"]), Err(InvalidKey));
        assert_eq!(Key::of(&["orgs", ".."]), Err(InvalidKey));
        assert_eq!(Key::of(&["orgs", "a"]).unwrap().as_str(), "orgs/a");
        assert_eq!(Key::of(&[]), Err(InvalidKey));
    }

    #[test]
    fn lengths_are_bounded() {
        let long = vec!["x".repeat(200); 4].join("/");
        assert!(Key::parse(&long).is_ok());
        assert!(Key::parse(&format!("{long}/{}", "y".repeat(97))).is_err());
    }

    #[test]
    fn a_prefix_may_end_anywhere() {
        for good in ["", "orgs/", "orgs/a", "orgs/a/runs/r-"] {
            assert!(is_prefix(good), "{good}");
        }
        for bad in ["/", "orgs//", "../", ".dossier/", "a b/"] {
            assert!(!is_prefix(bad), "{bad}");
        }
    }
}
