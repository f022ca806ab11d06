//! The domain core of Dossier.

pub mod digest;

pub use digest::{Digest, Hasher};
