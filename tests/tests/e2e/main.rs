//! The whole, from outside: real server processes, the real command line, and secrets that lie where texts are cut.

#![expect(clippy::unwrap_used, reason = "a helper of tests that cannot go on has failed")]

/// Secrets that straddle a cut, at any offset, through redaction and freezing alone.
mod straddle;

/// The same through a server.
mod straddle_server;

/// Two servers on one directory, and writers that ask for the same.
mod race;

/// What becomes of uploads when servers stop and callers go.
mod uploads;

/// How much memory an upload takes.
mod memory;

/// Drafts that are made to take all there is.
mod hostile;

/// Lists, and indexes made anew.
mod lists;

/// The command line against a server.
mod commands;
