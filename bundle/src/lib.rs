//! The domain core of Dossier.

pub mod bound;
pub mod builtin;
pub mod canonical;
pub mod check;
pub mod cut;
pub mod derive;
pub mod diff;
pub mod digest;
pub mod draft;
pub mod ends;
pub mod escape;
pub mod excerpt;
pub mod finding;
pub mod freeze;
mod hashing;
pub mod kinds;
pub mod layer;
pub mod limits;
pub mod manifest;
pub mod names;
pub mod redactions;
pub mod render;
pub mod template;
pub mod time;
pub mod verify;

pub use derive::derive;
pub use digest::{Digest, Hasher};
pub use draft::{Draft, Text};
pub use finding::{Code, Finding, Severity};
pub use freeze::{Blob, Frozen, Sealed, freeze};
