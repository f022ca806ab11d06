//! The store against real engines: a directory, and an S3 server that `scripts/s3-start` installs and starts.
//!
//! - `conformance`: what every engine must do, run on both.
//! - `records`: create-once and compare-and-swap of records, on both.
//! - `lost_reply`: writes that went through and whose answer did not come back.
//! - `collection`: blobs, their grace time, and collections that race creates, on both.
//! - `crash`: writers that are killed, and several processes at once.
//! - `local`: what only a directory has: modes, stale files.
//! - `s3`: what only a bucket has: checksums, conflicts, prefixes.
//! - `probing`: engines that ignore conditions are refused.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test says what it expects by failing")]

/// Runs each of these functions, which take an engine, on a fresh place of both engines.
macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod on_a_directory {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                let place = crate::support::directory();
                super::$name(place.engine()).await;
            })*
        }
        mod on_s3 {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::support::s3()).await;
            })*
        }
    };
}

mod collection;
mod conformance;
mod crash;
mod local;
mod lost_reply;
mod probing;
mod records;
mod s3;
mod support;
