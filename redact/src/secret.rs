//! Types that hold what must not be seen. None of them has `Debug`, `Display` or serde that shows a value; all zeroize.

use zeroize::{Zeroize, ZeroizeOnDrop};

/// The kinds of Kubernetes objects whose values a permission review can deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    /// A Secret.
    Secret,
    /// A ConfigMap.
    ConfigMap,
}

impl ObjectKind {
    /// The `kind` as a manifest writes it.
    pub const fn name(self) -> &'static str {
        match self {
            ObjectKind::Secret => "Secret",
            ObjectKind::ConfigMap => "ConfigMap",
        }
    }
}

/// Bytes that are zeroized when dropped: a user's literal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Zeroize, ZeroizeOnDrop)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Takes the bytes over.
    pub fn new(bytes: Vec<u8>) -> Secret {
        Secret(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Secret {
        Secret(text.into_bytes())
    }
}

/// A value that the permission review denies, with the name under which it is reported.
#[derive(Clone)]
pub struct DeniedValue {
    pub(crate) name: String,
    pub(crate) kind: ObjectKind,
    pub(crate) value: Secret,
}

impl DeniedValue {
    /// `name` is what findings call it, for example `prod/db/password`; it must not be secret itself.
    pub fn new(name: String, kind: ObjectKind, value: Vec<u8>) -> DeniedValue {
        DeniedValue { name, kind, value: Secret(value) }
    }

    /// The name that findings use.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A reference to a denied object: its manifest is blanked even where its values are not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectRef {
    /// Secret or ConfigMap.
    pub kind: ObjectKind,
    /// The namespace. A manifest that names none is taken to match; empty matches any.
    pub namespace: String,
    /// The object's name.
    pub name: String,
    /// One key of its data, or all of them.
    pub key: Option<String>,
}

/// A denied value that cannot be masked without shredding the text: it is reported and left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakValue {
    /// The value's name.
    pub name: String,
    /// What kind of object it came from: a Secret's weak value denies, a ConfigMap's warns.
    pub kind: ObjectKind,
    /// Why.
    pub reason: WeakReason,
}

/// Why a value is too weak to mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WeakReason {
    /// Under 6 bytes.
    Short,
    /// A common word.
    CommonWord,
    /// Only digits, and under 10 of them.
    Digits,
}
