//! The command line as a user meets it, without a server.
//!
//! - `draft`: what a person gets wrong is named by its path, and never quoted
//! - `layout`: a bundle on disk, whole and tampered with
//! - `redact`: text and lines through a process
//! - `shell`: help, versions, completions, closed pipes

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod draft;
mod layout;
mod redact;
mod shell;

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The command, cut off from the environment's settings and credentials.
fn dossier(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dossier"));
    for name in ["DOSSIER_SERVER", "DOSSIER_TOKEN", "DOSSIER_TOKEN_FILE", "DOSSIER_ORG", "HOME", "XDG_CONFIG_HOME"] {
        command.env_remove(name);
    }
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs it with an input, and gives what came out.
fn run(args: &[&str], input: &[u8]) -> Output {
    let mut command = dossier(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A process that refuses its input closes it.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
