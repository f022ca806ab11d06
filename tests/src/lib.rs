//! The harness of the end-to-end tests, the benchmarks and the load client: real server processes on real stores, and drafts
//! and logs to feed them with.
//!
//! Whatever goes wrong here panics: a harness that cannot go on has failed its test.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a harness that cannot go on has failed its test")]

mod draft;
mod input;
mod place;
mod programs;
mod resolved;
mod server;

pub use draft::{full, small, source};
pub use input::{Lines, Paused, random, words};
pub use place::{Engine, Place};
pub use programs::{program, scrubbed};
pub use resolved::Resolved;
pub use server::{ORG, Server, Setup};
