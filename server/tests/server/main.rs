//! The real process: started on a free port with a directory of its own, used by real clients, stopped by signals.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod harness;

/// Starting, its line, its token, stopping.
mod lifecycle;

/// Credentials, roles and orgs, over the wire and on the command line.
mod identity;

/// Limits on time, size, connections and concurrency.
mod limits;

/// What tells about the server: health, reflection, the log.
mod introspection;

/// The layers of configuration.
mod configuration;
