//! A typed client of Dossier, and what the `dossier` command line is made of.
//!
//! [`Client`] speaks to a server: it previews, creates, uploads, fetches and verifies, retries what may be retried, and
//! checks each byte it fetches against its digest while it arrives. [`draft`] reads a draft that a person wrote and says by
//! path what is wrong with it. [`oci`] writes a fetched bundle as an OCI image layout and reads it again, so that it can be
//! verified on a machine that reaches no server.
//!
//! The command ends with a code that says what came of it: 0 done, 1 failed in another way, 2 malformed, 3 denied by
//! findings, 4 verification failed, 5 not found, 6 unavailable, 7 not allowed, 8 conflict, 9 unsupported. `dossier --help`
//! says more about each. A reader of its output that goes away is no error.
//!
//! Nothing here puts content into an error: a field's path, a digest, a line number, never what stands there.

pub mod client;
pub mod draft;
pub mod error;
mod lost;
pub mod oci;

pub use client::{Client, Fetch, FetchedBlob, Listed, Options, Progress, Token, Upload, UploadSource};
pub use error::{Denial, Error, FieldViolation, RpcError};
pub use lost::Lost;
