//! `dossier redact` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::{dossier, run, text};

const SECRET: &str = "Zx81-q-made-up!";

#[test]
fn text_goes_to_stdout_and_counts_to_stderr() {
    let input = format!("a = 1\npassword = '{SECRET}'\n");
    let output = run(&["redact"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "a = 1\npassword = '[REDACTED:secret]'\n");
    let counts: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(counts["redactions"][0]["kind"], "secret-pattern");
    assert_eq!(counts["redactions"][0]["count"], 1);
    assert!(counts.get("spans").is_none());

    let output = run(&["redact", "--explain", "-"], input.as_bytes());
    let counts: Value = serde_json::from_slice(&output.stderr).unwrap();
    let span = &counts["spans"][0];
    assert_eq!((&span["stage"], &span["start"], &span["end"]), (&json!(2), &json!(18), &json!(35)));
    let output = run(&["redact", "--explain"], b"nothing\n");
    assert_eq!(serde_json::from_slice::<Value>(&output.stderr).unwrap()["spans"], json!([]));
}

#[test]
fn large_input_streams_and_nothing_but_secrets_changes() {
    let line = format!("2026-07-12 line of an ordinary log, password={SECRET} and more words\n");
    let input = line.repeat(30_000);
    let output = run(&["redact"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), input.replace(SECRET, "[REDACTED:secret]"));
    let counts: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(counts["redactions"][0]["count"], 30_000);
}

#[test]
fn denied_values_and_policy_come_from_files() {
    let temp = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &str| {
        let path = temp.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let deny = path("deny.json", r#"[{"name": "prod/db", "value": "orchid-lantern-42"}]"#);
    let policy = path("policy.toml", "[[rules]]\nid = \"ticket\"\nregex = '''TICKET-[0-9]{4}'''\n");
    let output =
        run(&["redact", "--deny-values", &deny, "--policy", &policy], b"see orchid-lantern-42 in TICKET-1234\n");
    assert_eq!(text(&output.stdout), "see [REDACTED:denied-secret] in [REDACTED:policy]\n", "{output:?}");

    let broken = path("broken.json", r#"[{"name": "n", "value": planted-value}]"#);
    let output = run(&["redact", "--deny-values", &broken], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output.stderr).contains("planted"), "{}", text(&output.stderr));
    let unknown = path("unknown.json", r#"[{"name": "n", "value": "v", "planted": 1}]"#);
    let output = run(&["redact", "--deny-values", &unknown], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output.stderr).contains("planted"));
    let output = run(&["redact", "--policy", &path("bad.toml", "planted = [")], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output.stderr).contains("planted"));

    let weak = path("weak.json", r#"[{"name": "pin", "value": "1234"}]"#);
    let output = run(&["redact", "--deny-values", &weak], b"pin 1234\n");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
    let output = run(&["redact", "--deny-values", &weak, "--accept-weak-values"], b"pin 1234\n");
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "pin 1234\n".to_owned()));
}

#[test]
fn rules_and_allowances_with_paths_hold_where_a_text_has_one() {
    let temp = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = temp.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let policy = file(
        "policy.toml",
        "[[rules]]\nid = \"ticket\"\nregex = '''TICKET-[0-9]{4}'''\npath = '''\\.md$'''\n\
         [[allow]]\nid = \"docs\"\nrules = [\"assigned-password\"]\npaths = ['''(^|/)docs-''']\n",
    );
    let content = format!("TICKET-1234\npassword = '{SECRET}'\n");
    let out = |args: &[&str], input: &[u8]| {
        let output = run(&[&["redact", "--policy", &policy], args].concat(), input);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (text(&output.stdout), serde_json::from_slice::<Value>(&output.stderr).unwrap())
    };
    let (plain, counts) = out(&[], content.as_bytes());
    assert_eq!(plain, "TICKET-1234\npassword = '[REDACTED:secret]'\n");
    assert_eq!((&counts["allowed"], &counts["allowances"]), (&json!(0), &json!([])));
    let (named, counts) = out(&[&file("docs-a.md", &content)], b"");
    assert_eq!(named, format!("[REDACTED:policy]\npassword = '{SECRET}'\n"));
    assert_eq!(counts["allowed"], 1);
    assert_eq!(counts["allowances"], json!([{"allowance": "docs", "rule": "assigned-password", "count": 1}]));
    assert_eq!(out(&["--path", "docs-a.md"], content.as_bytes()).0, named);
    assert_eq!(out(&["--path", "a.txt", &file("docs-b.md", &content)], b"").0, plain);

    let lines = format!("{}\n{}\n", json!({"text": content}), json!({"text": content, "path": "docs-a.md"}));
    let output = run(&["redact", "--policy", &policy, "--jsonl"], lines.as_bytes());
    let answers: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["text"], &answers[1]["text"]), (&json!(plain), &json!(named)));
    assert!(answers[0].get("allowances").is_none());
    assert_eq!(answers[1]["allowances"][0]["allowance"], "docs");
}

#[test]
fn spans_are_told_to_people_too() {
    let input = format!("a = 1\npassword = '{SECRET}'\n");
    let output = run(&["redact", "--explain=text"], input.as_bytes());
    assert_eq!(
        text(&output.stderr),
        "bytes 18..35: stage 2, secret-pattern, rule assigned-password\n\
         replaced 1: secret-pattern, rule assigned-password\n\
         total: 1 replaced, 0 allowed, 0 markers were there before, 0 sequences were not text\n"
    );
    assert_eq!(text(&output.stdout), "a = 1\npassword = '[REDACTED:secret]'\n");
    let output = run(&["redact", "--explain=json"], input.as_bytes());
    let counts: Value = serde_json::from_slice(&output.stderr).unwrap();
    let span = json!({"stage": 2, "kind": "secret-pattern", "rule": "assigned-password", "start": 18, "end": 35});
    assert_eq!(counts["spans"], json!([span]));
}

#[test]
fn binary_input_is_denied_and_not_passed_through() {
    let output = run(&["redact"], b"\x7fELF\0\0\0secret");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
    assert!(text(&output.stderr).contains("UNREDACTABLE_BINARY"));
}

#[test]
fn each_line_gets_one_answer_in_order() {
    let input = format!(
        "{}\n\nplanted not json\n{}\n{{\"text\": 1}}\n{}",
        json!({"text": format!("password = '{SECRET}'"), "id": 7}),
        json!({"text": "snow ☃ \u{0}\n"}),
        json!({"text": "last, without a newline"}),
    );
    let output = run(&["redact", "--jsonl"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    assert!(!said.contains("planted"));
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 6);
    assert_eq!(answers[0]["text"], "password = '[REDACTED:secret]'");
    assert_eq!(answers[0]["redactions"][0]["count"], 1);
    for refused in [1, 2, 4] {
        assert_eq!(answers[refused]["error"]["reason"], "INVALID_LINE");
    }
    assert_eq!(answers[3], json!({"text": "snow ☃ \u{2400}\n", "redactions": []}));
    assert_eq!(answers[5]["text"], "last, without a newline");
}

#[test]
fn a_line_too_long_is_refused_and_the_next_one_answered() {
    let mut input = vec![b'x'; 17 * 1024 * 1024];
    input.extend_from_slice(b"\n{\"text\": \"next\"}\n");
    let output = run(&["redact", "--jsonl"], &input);
    let said = text(&output.stdout);
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["error"]["reason"], "LINE_TOO_LONG");
    assert_eq!(answers[1]["text"], "next");
}

#[test]
fn a_peer_that_waits_for_each_answer_gets_it() {
    let mut command = dossier(&["redact", "--jsonl"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for number in 0..100 {
        // In two pieces: an answer to a whole line must not wait for the half line behind it.
        write!(stdin, "{}\n{{\"text\":", json!({"text": format!("line {number}")})).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains(&format!("\"line {number}\"")), "{line}");
        stdin.write_all(b" \"half\"}\n").unwrap();
        line.clear();
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains("\"half\""), "{line}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for args in [&["redact"][..], &["redact", "--jsonl"][..]] {
        let mut command = dossier(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let writer = std::thread::spawn(move || {
            let line = b"{\"text\": \"some words of an ordinary line\"}\n".repeat(2000);
            while stdin.write_all(&line).is_ok() {}
        });
        let mut some = [0; 16];
        stdout.read_exact(&mut some).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(text(&output.stderr), "", "{args:?}");
    }
}
