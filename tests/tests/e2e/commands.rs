//! The command line with its exit codes: 0 done, 2 malformed, 3 denied, 4 not verified, 5 not found, 6 unavailable, 7 not
//! allowed, 8 conflict.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dossier_tests::{ORG, Server, program, scrubbed};
use tempfile::TempDir;

/// A server, and a user of the command line with a folder of its own.
struct User {
    server: Server,
    folder: TempDir,
}

const DRAFT: &str = r#"
run: run-1
project: shop
route: runs
system: {text: "You mend builds."}
user: {text: "Mend it. password = 'hunter2-is-not-it'"}
sources:
  - {kind: logs, name: ci, text: "error: it broke\n"}
"#;

impl User {
    fn new() -> Self {
        Self { server: Server::scratch(), folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = scrubbed(&program("dossier"), self.folder.path());
        command.env("DOSSIER_SERVER", self.server.address()).env("DOSSIER_TOKEN_FILE", self.server.token_file());
        command.env("DOSSIER_ORG", ORG).current_dir(self.folder.path()).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command prints that ends with `exit`.
    fn says(&self, exit: i32, arguments: &[&str]) -> String {
        let out = self.run(arguments);
        let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        assert_eq!(out.status.code(), Some(exit), "{arguments:?}\n{stdout}\n{stderr}");
        stdout.into_owned()
    }

    fn create(&self) -> String {
        self.file("draft.yaml", DRAFT);
        self.says(0, &["create", "-f", "draft.yaml", "-o", "name"]).trim().to_owned()
    }
}

#[test]
fn a_bundle_goes_the_whole_way() {
    let user = User::new();
    user.file("draft.yaml", DRAFT);
    let preview = user.says(0, &["preview", "-f", "draft.yaml"]);
    let preview_json: serde_json::Value =
        serde_json::from_str(&user.says(0, &["preview", "-f", "draft.yaml", "-o", "json"])).unwrap();
    let digest = preview_json["digest"].as_str().unwrap().to_owned();
    assert!(preview.contains(&digest), "{preview}");

    let created = user.says(0, &["create", "-f", "draft.yaml", "--request-id", "one", "--expect", &digest]);
    let (name, shown) = created.trim().split_once('\n').unwrap();
    assert_eq!(shown, digest);
    let again = user.says(0, &["create", "-f", "draft.yaml", "--request-id", "one"]);
    assert_eq!(again, created);

    let got: serde_json::Value = serde_json::from_str(&user.says(0, &["get", name, "-o", "json"])).unwrap();
    assert_eq!(got["status"]["digest"], digest, "{got}");
    assert!(user.says(0, &["get", name, "-o", "yaml"]).contains("kind: AgentContextBundle"));
    assert_eq!(user.says(0, &["list", "-o", "name"]).trim(), name);
    assert_eq!(user.says(0, &["list", "--run", "run-1", "-o", "name"]).trim(), name);
    assert_eq!(user.says(0, &["list", "--run", "run-9", "-o", "name"]).trim(), "");

    let task = user.says(0, &["render", name, "--message", "task"]);
    assert!(task.contains("error: it broke") && task.contains("password = '[REDACTED:secret]'"), "{task}");
    let anthropic: serde_json::Value =
        serde_json::from_str(&user.says(0, &["render", name, "--format", "anthropic"])).unwrap();
    assert_eq!(anthropic["messages"][0]["role"], "user");
    let openai: serde_json::Value =
        serde_json::from_str(&user.says(0, &["render", name, "--format", "openai"])).unwrap();
    let roles: Vec<&str> = openai.as_array().unwrap().iter().filter_map(|one| one["role"].as_str()).collect();
    assert_eq!(roles, ["system", "developer", "user"]);

    assert!(user.says(0, &["verify", name]).contains("VERIFIED"));
    user.says(0, &["fetch", name, "--out", "out"]);
    assert!(user.says(0, &["verify", "out"]).contains("VERIFIED"));
    assert!(user.says(0, &["verify", "out", "--digest", &digest]).contains("VERIFIED"));
    let manifest = user.path("out/blobs/sha256").join(digest.strip_prefix("sha256:").unwrap());
    assert_eq!(dossier_bundle::Digest::of(&std::fs::read(manifest).unwrap()).to_string(), digest);
}

#[test]
fn attachments_are_attached_and_read() {
    let user = User::new();
    user.file("job.log", "first line\ntoken: ghp_q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7\n");
    let entry = user.says(0, &["attach", "job.log", "--kind", "log-excerpt", "--id", "log", "--title", "the log"]);
    assert!(entry.contains("id: log"), "{entry}");
    let entry: String = entry.lines().map(|line| format!("  {line}\n")).collect();
    user.file("draft.yaml", &format!("{DRAFT}attachments:\n{entry}"));
    let name = user.says(0, &["create", "-f", "draft.yaml", "-o", "name"]).trim().to_owned();
    assert!(user.says(0, &["read", &name]).contains("log"));
    let bytes = user.says(0, &["read", &name, "--attachment", "log"]);
    assert!(bytes.starts_with("first line\ntoken: [REDACTED:"), "{bytes}");
    user.says(5, &["read", &name, "--attachment", "none"]);
    let mut piped = user.command(&["attach", "-", "--kind", "note", "--id", "n", "--title", "t", "-o", "name"]);
    let mut child = piped.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"from a pipe\n").unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(out.stdout).unwrap().trim(), dossier_bundle::Digest::of(b"from a pipe\n").to_string());
}

#[test]
fn every_failure_has_its_code() {
    let user = User::new();
    let name = user.create();
    // 2: malformed.
    user.says(2, &["nonsense"]);
    user.file("bad.yaml", "run: run-1\nsurprise: 1\n");
    user.says(2, &["create", "-f", "bad.yaml"]);
    user.says(2, &["get", "not-a-name"]);
    // 3: denied.
    let long = DRAFT.replace("You mend builds.", &"rule. ".repeat(20_000));
    user.file("long.yaml", &long);
    user.says(3, &["create", "-f", "long.yaml"]);
    // 5: not there.
    user.says(5, &["get", &format!("orgs/{ORG}/runs/run-1/bundles/none")]);
    // 6: no server.
    let mut nobody = user.command(&["get", &name, "--server", "127.0.0.1:9", "--timeout", "500ms"]);
    assert_eq!(nobody.output().unwrap().status.code(), Some(6));
    // 7: not allowed.
    let wrong = user.file("wrong-token", "dsr_0000");
    let mut stranger = user.command(&["get", &name]);
    stranger.env("DOSSIER_TOKEN_FILE", wrong);
    assert_eq!(stranger.output().unwrap().status.code(), Some(7));
    // 8: another draft under a taken name, and a digest that does not hold.
    user.says(0, &["create", "-f", "draft.yaml", "--bundle-id", "mine"]);
    user.file("other.yaml", &DRAFT.replace("You mend", "You break"));
    user.says(8, &["create", "-f", "other.yaml", "--bundle-id", "mine"]);
    let digest = dossier_bundle::Digest::of(b"another").to_string();
    user.says(8, &["create", "-f", "draft.yaml", "--expect", &digest]);
}

#[test]
fn a_lost_connection_names_its_address_and_its_cause() {
    let user = User::new();
    let failed = |arguments: &[&str]| {
        let out = user.run(&[&["list"], arguments].concat());
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    let (code, said) = failed(&["--server", "127.0.0.1:9", "--timeout", "500ms"]);
    assert!(code == Some(6) && said.contains("http://127.0.0.1:9: connection refused"), "{said}");
    assert!(said.contains("is the server running?"), "{said}");
    let address = format!("https://{}", user.server.address().trim_start_matches("http://"));
    let (code, said) = failed(&["--server", &address, "--timeout", "5s"]);
    assert!(code == Some(1) && said.contains("the server does not speak TLS; use http://"), "{said}");
    assert!(!said.contains("running?"), "{said}");
    let empty = user.file("empty-token", "\n");
    for file in [empty.to_str().unwrap(), "no-such-token"] {
        let (code, said) = failed(&["--token-file", file]);
        assert!(code == Some(7) && said.contains(file), "{said}");
    }
}

#[test]
fn a_name_that_is_none_is_told_by_its_field_with_the_others() {
    let user = User::new();
    user.file("bad.yaml", "run: First_Run\nroute: runs\nuser: {text: hello}\n");
    let out = user.run(&["preview", "-f", "bad.yaml"]);
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("draft.run: must match") && said.contains("draft.project: is required"), "{said}");
    assert!(!said.contains("parent") && !said.contains("First_Run"), "{said}");
    user.file("idle.yaml", "run: r\nproject: p\nroute: runs\nsystem: {text: You mend builds.}\n");
    assert!(user.says(0, &["preview", "-f", "idle.yaml"]).contains("the agent is given no task"));
}

#[test]
fn a_changed_byte_has_its_code_on_disk_and_on_the_server() {
    let user = User::new();
    let name = user.create();
    user.says(0, &["fetch", &name, "--out", "out"]);
    let change = |folder: &Path| {
        let mut blobs: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        blobs.sort();
        let path = blobs.first().unwrap().clone();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[0] ^= 1;
        // A file is replaced, whatever its mode.
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
    };
    change(&user.path("out/blobs/sha256"));
    user.says(4, &["verify", "out"]);
    let stored = user.server.setup().data().join(format!("orgs/{ORG}/blobs/sha256"));
    for entry in std::fs::read_dir(stored).unwrap() {
        change(&entry.unwrap().path());
    }
    user.says(4, &["verify", &name]);
    user.says(4, &["fetch", &name, "--out", "again"]);
}

#[test]
fn a_list_names_what_cannot_be_read_and_says_so_by_its_code() {
    let user = User::new();
    user.file("draft.yaml", DRAFT);
    let [good, bad] = ["good", "bad"]
        .map(|id| user.says(0, &["create", "-f", "draft.yaml", "--bundle-id", id, "-o", "name"]).trim().to_owned());
    assert!(!user.says(0, &["list", "-o", "json"]).contains("unreadable"));
    let record = user.server.setup().data().join(format!("{bad}.json"));
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::remove_file(&record).unwrap();
    std::fs::write(&record, text.replace("sha256:", "sha256;")).unwrap();

    for format in ["table", "name"] {
        let out = user.run(&["list", "-o", format]);
        let (stdout, stderr) = (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
        assert_eq!(out.status.code(), Some(4), "{stderr}");
        assert!(stdout.contains(&good) && !stdout.contains(&bad), "{stdout}");
        assert_eq!(stderr, format!("unreadable: {bad} (`dossier get` tells why)\n"));
    }
    let listed: serde_json::Value = serde_json::from_str(&user.says(4, &["list", "-o", "json"])).unwrap();
    assert_eq!(listed["bundles"][0]["metadata"]["name"], good.as_str());
    assert_eq!(listed["unreadable"], serde_json::json!([bad]));
    let yaml = user.says(4, &["list", "-o", "yaml"]);
    assert!(yaml.contains("unreadable:") && yaml.contains(&bad), "{yaml}");
    user.says(4, &["get", &bad]);
}

#[test]
fn calls_go_compressed_where_that_is_asked() {
    let user = User::new();
    let plain = user.create();
    user.file("job.log", "first line\n");
    user.says(0, &["attach", "job.log", "--kind", "note", "--id", "n", "--title", "t", "--gzip"]);
    let name = user.says(0, &["create", "-f", "draft.yaml", "-o", "name", "--gzip"]).trim().to_owned();
    let digest = |name: &str| {
        let got: serde_json::Value =
            serde_json::from_str(&user.says(0, &["get", name, "-o", "json", "--gzip"])).unwrap();
        got["status"]["digest"].clone()
    };
    assert_eq!(digest(&name), digest(&plain));
    user.says(0, &["fetch", &name, "--out", "out", "--gzip"]);
    assert!(user.says(0, &["verify", "out"]).contains("VERIFIED"));
}

#[test]
fn a_server_passes_over_the_variables_of_the_command_line() {
    let user = User::new();
    let help = user.says(0, &["--help"]);
    let names: Vec<&str> = help.split("[env: ").skip(1).map(|rest| rest.split('=').next().unwrap()).collect();
    assert!(names.len() >= 6, "{help}");
    let mut command = user.server.setup().command();
    command.args(["config", "check"]).envs(names.iter().map(|name| (name, "x"))).env("DOSSIER_TOKEN", "x");
    let out = command.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn redact_works_without_a_server() {
    let user = User::new();
    user.file("in.txt", "api_key = 'Zx81-q-made-up-of-it'\nplain\n");
    let mut command = user.command(&["redact", "in.txt"]);
    let out = command.env("DOSSIER_SERVER", "127.0.0.1:9").output().unwrap();
    assert!(out.status.success());
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "api_key = '[REDACTED:secret]'\nplain\n");
    assert!(String::from_utf8(out.stderr).unwrap().contains("secret-pattern"));
    user.file("in.jsonl", "{\"text\": \"made-up-denied-value\"}\n{\"no\": 1}\n");
    user.file("deny.json", r#"[{"name": "a", "value": "made-up-denied-value"}]"#);
    let out = user.run(&["redact", "--jsonl", "--deny-values", "deny.json", "in.jsonl"]);
    let lines = String::from_utf8(out.stdout).unwrap();
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["text"], "[REDACTED:denied-secret]");
    assert!(lines[1]["error"].is_object(), "{lines:?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let user = User::new();
    let name = user.create();
    let commands: [&[&str]; 4] = [&["get", &name, "-o", "json"], &["render", &name], &["list"], &["--help"]];
    for arguments in commands {
        let mut child = user.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let out = child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        assert!(out.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    }
    user.file("long.txt", &"a line of text\n".repeat(200_000));
    let mut child = user.command(&["redact", "long.txt"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
