//! What a shell sees: help, version, completions, exit codes.

use std::process::Stdio;

use crate::{dossier, run, text};

#[test]
fn help_and_version_say_what_they_should() {
    let output = run(&["--version"], b"");
    assert_eq!(text(&output.stdout), concat!("dossier ", env!("CARGO_PKG_VERSION"), "\n"));
    let help = text(&run(&["--help"], b"").stdout);
    for word in ["Exit codes:", "verification failed", "--token-file", "DOSSIER_SERVER", "preview", "completions"] {
        assert!(help.contains(word), "{word}");
    }
    assert_eq!(run(&["nonsense"], b"").status.code(), Some(2));
    assert_eq!(run(&["create", "-f", "x", "--request-id", "a", "--bundle-id", "b"], b"").status.code(), Some(2));
}

#[test]
fn completions_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell], b"");
        assert_eq!(output.status.code(), Some(0), "{shell}");
        let script = text(&output.stdout);
        assert!(script.contains("render") && script.contains("dossier"), "{shell}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    for args in [&["completions", "zsh"][..], &["--help"], &["help", "attach"]] {
        let mut child = dossier(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(text(&output.stderr), "", "{args:?}");
    }
}

#[test]
fn names_and_servers_that_cannot_be_are_told_apart() {
    assert_eq!(run(&["get", "no-name"], b"").status.code(), Some(2));
    assert_eq!(run(&["--org", "No", "list"], b"").status.code(), Some(2));
    let server = ["--server", "127.0.0.1:1", "--timeout", "500ms"];
    let output = run(&[&server[..], &["get", "runs/r/bundles/b"]].concat(), b"");
    assert_eq!(output.status.code(), Some(6));
    assert!(text(&output.stderr).contains("is the server running?"));
    let output = run(&["--server", "ftp://x", "list"], b"");
    assert_eq!(output.status.code(), Some(2));
    let output = run(&["--token-file", "/nonexistent/token", "list"], b"");
    assert_eq!(output.status.code(), Some(7));
}
