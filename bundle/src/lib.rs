//! The domain core of Dossier.

pub mod digest;
pub mod finding;
pub mod names;

pub use digest::{Digest, Hasher};
pub use finding::{Code, Finding, Severity};
