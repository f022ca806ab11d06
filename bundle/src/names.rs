//! Names and ids as parsed types, and the resource names made of them.
//!
//! A name is what stands in a storage key and in a resource name: it is short, has no case, and no character that means
//! something to a path, a shell or a URL.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A name or id is not of its form. The message says which form; it never repeats the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what} must match {form}")]
pub struct ParseNameError {
    /// What was to be named, such as "a run".
    pub what: &'static str,
    /// The form, as a regular expression or a resource name's pattern.
    pub form: &'static str,
}

const NAME: &str = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let word = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    matches!(bytes.len(), 1..=63)
        && bytes.first().is_some_and(word)
        && bytes.last().is_some_and(word)
        && bytes.iter().all(|b| word(b) || *b == b'-')
}

fn is_request_id(text: &str) -> bool {
    matches!(text.len(), 1..=64)
        && !matches!(text, "." | "..")
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

fn is_evidence_id(text: &str) -> bool {
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    matches!(text.len(), 1..=40) && text.bytes().next().is_some_and(word) && text.bytes().all(|b| word(b) || b == b'-')
}

fn is_commit_id(text: &str) -> bool {
    matches!(text.len(), 7..=64) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

macro_rules! names {
    ($($(#[$doc:meta])* $type:ident, $what:literal, $form:expr, $test:path;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(String);

        impl $type {
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $type {
            type Err = ParseNameError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                if $test(text) { Ok(Self(text.to_owned())) } else { Err(ParseNameError { what: $what, form: $form }) }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

names! {
    /// An org: the wall that nothing crosses.
    OrgName, "an org", NAME, is_name;
    /// A project.
    ProjectName, "a project", NAME, is_name;
    /// A dispatch run.
    RunName, "a run", NAME, is_name;
    /// A task.
    TaskName, "a task", NAME, is_name;
    /// A label.
    LabelName, "a label", NAME, is_name;
    /// A bundle's id inside of its run.
    BundleId, "a bundle id", NAME, is_name;
    /// The name a caller gives a request, so that a retry is known as one.
    RequestId, "a request id", "[A-Za-z0-9._-]{1,64}", is_request_id;
    /// An attachment's id inside of its bundle.
    EvidenceId, "an evidence id", "[a-z0-9][a-z0-9-]{0,39}", is_evidence_id;
    /// A git commit id, whole or shortened.
    CommitId, "a commit", "[0-9a-f]{7,64}", is_commit_id;
}

impl CommitId {
    /// Whether two ids may name the same commit: one is the beginning of the other.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0) || other.0.starts_with(&self.0)
    }
}

/// The segments of `text` where it matches `pattern`, in which `*` stands for one segment.
fn segments<'t>(text: &'t str, pattern: &[&str]) -> Option<Vec<&'t str>> {
    let parts: Vec<&str> = text.split('/').collect();
    let matches =
        parts.len() == pattern.len() && parts.iter().zip(pattern).all(|(part, want)| *want == "*" || part == want);
    matches.then(|| parts.into_iter().zip(pattern).filter(|(_, want)| **want == "*").map(|(part, _)| part).collect())
}

fn resource(what: &'static str, form: &'static str) -> ParseNameError {
    ParseNameError { what, form }
}

/// `orgs/{org}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrgParent {
    /// The org.
    pub org: OrgName,
}

impl FromStr for OrgParent {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match segments(text, &["orgs", "*"]).as_deref() {
            Some([org]) => Ok(Self { org: org.parse()? }),
            _ => Err(resource("the parent", "orgs/{org}")),
        }
    }
}

/// `orgs/{org}/runs/{run}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPath {
    /// The org.
    pub org: OrgName,
    /// The run.
    pub run: RunName,
}

impl FromStr for RunPath {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match segments(text, &["orgs", "*", "runs", "*"]).as_deref() {
            Some([org, run]) => Ok(Self { org: org.parse()?, run: run.parse()? }),
            _ => Err(resource("the parent", "orgs/{org}/runs/{run}")),
        }
    }
}

impl fmt::Display for RunPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "orgs/{}/runs/{}", self.org, self.run)
    }
}

/// `orgs/{org}/runs/{run}/bundles/{bundle}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundlePath {
    /// The org.
    pub org: OrgName,
    /// The run.
    pub run: RunName,
    /// The bundle.
    pub bundle: BundleId,
}

impl FromStr for BundlePath {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match segments(text, &["orgs", "*", "runs", "*", "bundles", "*"]).as_deref() {
            Some([org, run, bundle]) => Ok(Self { org: org.parse()?, run: run.parse()?, bundle: bundle.parse()? }),
            _ => Err(resource("the name", "orgs/{org}/runs/{run}/bundles/{bundle}")),
        }
    }
}

impl fmt::Display for BundlePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "orgs/{}/runs/{}/bundles/{}", self.org, self.run, self.bundle)
    }
}

/// `orgs/{org}/runs/{run}/bundles/{bundle}/attachments/{id}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachmentPath {
    /// The bundle.
    pub bundle: BundlePath,
    /// The attachment's id.
    pub id: EvidenceId,
}

impl FromStr for AttachmentPath {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.rsplit_once("/attachments/") {
            Some((bundle, id)) => Ok(Self { bundle: bundle.parse()?, id: id.parse()? }),
            None => Err(resource("the name", "orgs/{org}/runs/{run}/bundles/{bundle}/attachments/{id}")),
        }
    }
}

impl fmt::Display for AttachmentPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/attachments/{}", self.bundle, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_one_form() {
        for good in ["a", "a-b", "0", &"x".repeat(63)] {
            assert!(good.parse::<RunName>().is_ok(), "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a.b", "a/b", "..", "a\0", "ä", &"x".repeat(64)] {
            assert!(bad.parse::<RunName>().is_err(), "{bad:?}");
        }
        for bad in ["", ".", "..", "a/b", "a b", &"x".repeat(65)] {
            assert!(bad.parse::<RequestId>().is_err(), "{bad:?}");
        }
        for bad in ["", "-a", "A", "a_b", &"x".repeat(41)] {
            assert!(bad.parse::<EvidenceId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn resource_names_round_trip() {
        let name = "orgs/o/runs/r/bundles/b/attachments/a-1";
        assert_eq!(name.parse::<AttachmentPath>().map(|path| path.to_string()), Ok(name.to_owned()));
        for bad in ["orgs/o/runs/r/bundles/b/", "orgs/o/runs/../bundles/b", "/orgs/o/runs/r/bundles/b", "orgs/o/runs/r"]
        {
            assert!(bad.parse::<BundlePath>().is_err(), "{bad}");
        }
    }
}
