use crate::harness::{dossierd, output, stdout};

#[test]
fn flags_go_over_variables_over_the_file() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("dossierd.toml");
    std::fs::write(&file, "[server]\nlisten = \"127.0.0.1:1\"\nmax_connections = 7\n[log]\nfilter = \"error\"\n")
        .unwrap();
    let print = |args: &[&str]| {
        let mut command = dossierd(home.path());
        command.env("DOSSIER_CONFIG", &file).env("DOSSIER_LISTEN", "127.0.0.1:2").env("DOSSIER_LOG", "debug");
        command.args(["config", "print"]).args(args);
        stdout(&mut command).parse::<toml::Table>().unwrap()
    };
    let config = print(&[]);
    assert_eq!(config["server"]["listen"].as_str(), Some("127.0.0.1:2"));
    assert_eq!(config["server"]["max_connections"].as_integer(), Some(7));
    assert_eq!(config["log"]["filter"].as_str(), Some("debug"));
    assert_eq!(print(&["--listen", "127.0.0.1:3"])["server"]["listen"].as_str(), Some("127.0.0.1:3"));
}

#[test]
fn what_is_wrong_is_said_without_values() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("dossierd.toml");
    std::fs::write(&file, "[server]\nlisten = \"planted-value\"\n").unwrap();
    let check = |command: &mut std::process::Command| {
        let output = output(command.args(["config", "check", "--config"]).arg(&file));
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (good, text) = check(&mut dossierd(home.path()));
    assert!(!good && text.contains("server.listen") && !text.contains("planted-value"), "{text}");
    std::fs::write(&file, "[log]\nfilter = \"info\"\n").unwrap();
    assert!(check(&mut dossierd(home.path())).0);
    let (good, text) = check(dossierd(home.path()).env("DOSSIER_LISTEM", "planted-value"));
    assert!(!good && text.contains("DOSSIER_LISTEM") && !text.contains("planted-value"), "{text}");
    assert!(check(dossierd(home.path()).env("DOSSIER_SERVER", "http://x").env("DOSSIER_ORG", "a")).0);
}

#[test]
fn nothing_but_loopback_without_tls() {
    let home = tempfile::tempdir().unwrap();
    let refused = output(dossierd(home.path()).args(["--listen", "0.0.0.0:0"]));
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("loopback"));
}

#[test]
fn secrets_of_the_environment_are_not_printed() {
    let home = tempfile::tempdir().unwrap();
    let mut command = dossierd(home.path());
    command.env("AWS_SECRET_ACCESS_KEY", "planted-value").args(["config", "print", "--s3-bucket", "b"]);
    let printed = stdout(&mut command);
    assert!(printed.contains("bucket = \"b\"") && !printed.contains("planted-value"));
}
