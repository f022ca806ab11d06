use std::fmt::Write as _;

use super::settings::SETTINGS;
use super::*;

fn load(file: &str, env: &[(&str, &str)], flags: &[(&'static str, &str)]) -> Result<Config, ConfigError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("dossierd.toml");
    std::fs::write(&path, file).unwrap();
    let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let flags = flags.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    Sources { file: Some(path), env, flags }.load()
}

fn problem(result: Result<Config, ConfigError>) -> String {
    result.expect_err("it is refused").to_string()
}

#[test]
fn nothing_gives_the_defaults() {
    assert_eq!(Sources::default().load(), Ok(Config::default()));
    assert_eq!(load("", &[], &[]), Ok(Config::default()));
    assert_eq!(load("[limits.large]\nmax_bytes = 4194304", &[], &[]).unwrap().limits.len(), 2);
}

#[test]
fn the_committed_example_is_the_defaults() {
    let committed = include_str!("../../../examples/dossierd.toml");
    assert_eq!(committed, example(), "run `dossierd config example > examples/dossierd.toml`");
    assert_eq!(load(committed, &[], &[]), Ok(Config::default()));
}

#[test]
fn the_committed_page_is_the_reference() {
    let committed = include_str!("../../../docs/config.md");
    assert_eq!(committed, reference(), "run `dossierd config reference > docs/config.md`");
}

#[test]
fn what_the_example_comments_out_is_valid() {
    // A directory and a bucket exclude each other, so each has its own file.
    let all = example().replace("\n#[", "\n[");
    let lines: String = all.lines().fold(String::new(), |mut text, line| {
        let key = line.strip_prefix('#').filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
        let _ = writeln!(text, "{}", key.unwrap_or(line));
        text
    });
    let bucket = lines.replace("data_dir =", "#data_dir =");
    assert!(load(&bucket, &[], &[]).unwrap().store.s3.is_some_and(|s3| s3.sse == SseKind::Kms));
    assert!(problem(load(&lines, &[], &[])).contains("exclude each other"));
}

#[test]
fn later_layers_win() {
    let file = "[server]\nlisten = \"127.0.0.1:1\"\nmax_connections = 1\n[log]\nfilter = \"error\"";
    let config =
        load(file, &[("DOSSIER_LISTEN", "127.0.0.1:2"), ("DOSSIER_LOG", "debug")], &[("server.listen", "127.0.0.1:3")]);
    let config = config.unwrap();
    assert_eq!(config.server.listen.port(), 3);
    assert_eq!(config.log.filter, "debug");
    assert_eq!(config.server.max_connections, 1);
}

#[test]
fn a_later_place_replaces_an_earlier_one() {
    let bucket = "[store.s3]\nbucket = \"b\"\nprefix = \"p\"";
    let config = load(bucket, &[], &[("store.data_dir", "/d")]).unwrap();
    assert_eq!((config.store.data_dir, config.store.s3), (Some("/d".into()), None));
    let config = load("[store]\ndata_dir = \"/d\"", &[("DOSSIER_S3_BUCKET", "b")], &[]).unwrap();
    assert_eq!(config.store.data_dir, None);
    let config = load(bucket, &[("DOSSIER_S3_BUCKET", "c")], &[]).unwrap();
    assert_eq!(config.store.s3.map(|s3| (s3.bucket, s3.prefix)), Some(("c".to_owned(), "p".to_owned())));
    assert!(load("", &[("DOSSIER_S3_BUCKET", "b"), ("DOSSIER_DATA_DIR", "/d")], &[]).is_err());
}

#[test]
fn unknown_keys_and_variables_are_refused() {
    for file in [
        "nothing = 1",
        "[server]\nnothing = 1",
        "[limits.x]\nnothing = 1",
        "[limits.\"a b\"]\nmax_bytes = 1",
        "[server.listen]\nx = 1",
    ] {
        assert!(load(file, &[], &[]).is_err(), "{file}");
    }
    assert!(problem(load("[server]\nlisen = 1", &[], &[])).contains("server.lisen is not a key"));
    assert!(problem(load("", &[("DOSSIER_LISTN", "x")], &[])).contains("DOSSIER_LISTN is not known"));
    for ours in [
        "DOSSIER_SERVER",
        "DOSSIER_TOOLS",
        "DOSSIER_SERVICE_HOST",
        "DOSSIER_PORT",
        "DOSSIER_PORT_7400_TCP_ADDR",
        "OTHER",
    ] {
        assert!(load("", &[(ours, "x")], &[]).is_ok(), "{ours}");
    }
}

#[test]
fn errors_never_repeat_a_value() {
    const PLANTED: &str = "hunter2-planted-value";
    for file in [
        format!("[server]\nlisten = \"{PLANTED}\""),
        format!("[server]\nlisten = {PLANTED}"),
        format!("[server]\nmax_connections = \"{PLANTED}\""),
        format!("[log]\nformat = \"{PLANTED}\""),
        format!("[log]\nfilter = \"a={PLANTED}=\""),
        format!("[store.s3]\nbucket = \"b\"\nendpoint = \"https://key:{PLANTED}@host\""),
        format!("[redaction]\nallowed_media_types = [\"{PLANTED}\"]"),
        format!("\"password {PLANTED}\" = 1"),
        format!("x = '{PLANTED}"),
        format!("[server]\nlisten = \"127.0.0.1:0\"\nlisten = \"{PLANTED}\""),
    ] {
        let text = problem(load(&file, &[], &[]));
        assert!(!text.contains(PLANTED), "{text}");
    }
    for name in ["DOSSIER_LISTEN", "DOSSIER_MAX_CONNECTIONS", "DOSSIER_LOG_FORMAT", "DOSSIER_ADMIN_TOKEN"] {
        let text = problem(load("", &[(name, PLANTED)], &[]));
        assert!(!text.contains(PLANTED), "{text}");
    }
    assert!(problem(load("a = 1\n\nb = 'x", &[], &[])).contains("line 3"));
}

#[test]
fn all_problems_are_named_at_once() {
    let error = load("[server]\nmax_connections = 0\nkeepalive_seconds = \"x\"\n[log]\nformat = \"xml\"", &[], &[]);
    assert_eq!(error.unwrap_err().problems().len(), 3);
}

#[test]
fn without_tls_only_loopback() {
    assert!(problem(load("", &[], &[("server.listen", "0.0.0.0:7400")])).contains("loopback"));
    assert!(problem(load("[server]\ntls_cert = \"c\"", &[], &[])).contains("need each other"));
    let tls = "[server]\nlisten = \"0.0.0.0:7400\"\ntls_cert = \"c\"\ntls_key = \"k\"";
    assert!(load(tls, &[], &[]).is_ok());
    assert!(load("", &[], &[("server.listen", "[::1]:0")]).is_ok());
}

#[test]
fn what_is_in_force_can_be_read_again() {
    let file =
        "[store.s3]\nbucket = \"b\"\npath_style = true\n[limits.large]\nmax_bytes = 4194304\n[log]\nformat = \"json\"";
    let config = load(file, &[], &[]).unwrap();
    assert_eq!(load(&config.to_toml().unwrap(), &[], &[]), Ok(config));
}

#[test]
fn every_key_has_a_variable_of_its_own_and_a_field() {
    let names: std::collections::BTreeSet<_> = SETTINGS.iter().map(|setting| setting.env).collect();
    assert_eq!(names.len(), SETTINGS.len());
    for setting in SETTINGS {
        let value = if setting.default.is_empty() { setting.sample } else { setting.default };
        let (section, name) = setting.key.rsplit_once('.').unwrap();
        let mut file = format!("[{section}]\n{name} = {value}\n");
        // What a key needs beside it.
        match setting.key {
            "server.tls_cert" => file.push_str("tls_key = \"k\"\n"),
            "server.tls_key" => file.push_str("tls_cert = \"c\"\n"),
            "store.s3.bucket" => {}
            "store.s3.kms_key_id" => file.push_str("bucket = \"b\"\nsse = \"aws:kms\"\n"),
            key if key.starts_with("store.s3.") => file.push_str("bucket = \"b\"\n"),
            _ => {}
        }
        assert!(load(&file, &[], &[]).is_ok(), "{}", setting.key);
    }
}

#[test]
fn deadlines_are_capped() {
    let server = ServerConfig::default();
    assert_eq!(server.deadline(None, false), Duration::from_secs(60));
    assert_eq!(server.deadline(None, true), Duration::from_secs(3600));
    assert_eq!(server.deadline(Some(Duration::from_secs(5)), true), Duration::from_secs(5));
    assert_eq!(server.deadline(Some(Duration::from_secs(9999)), false), Duration::from_secs(3600));
}

#[test]
fn token_files_follow_the_place() {
    let env = BTreeMap::from([("HOME".to_owned(), "/home/u".to_owned())]);
    let dirs = Dirs::from_env(&env);
    let file = |config: &Config| Location::of(config, &dirs).unwrap().token_file(&dirs).unwrap();
    assert_eq!(file(&Config::default()), PathBuf::from("/home/u/.config/dossier/token"));
    let explicit = load("", &[], &[("store.data_dir", "/home/u/.local/share/dossier")]).unwrap();
    assert_eq!(file(&explicit), PathBuf::from("/home/u/.config/dossier/token"));
    let other = file(&load("", &[], &[("store.data_dir", "/d")]).unwrap());
    let bucket = file(&load("", &[("DOSSIER_S3_BUCKET", "b")], &[]).unwrap());
    assert!(other != bucket && bucket.file_name().unwrap().to_str().unwrap().starts_with("token-"));
    assert!(Location::of(&Config::default(), &Dirs::from_env(&BTreeMap::new())).is_err());
}

#[test]
fn an_endpoint_has_a_region() {
    let config = load("[store.s3]\nbucket = \"b\"\nendpoint = \"http://127.0.0.1:1\"", &[], &[]).unwrap();
    let region = |env: &[(&str, &str)]| {
        let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        match Location::of(&config, &Dirs::from_env(&env)).unwrap() {
            Location::Bucket(s3) => (s3.region, s3.path_style),
            Location::Directory(_) => (None, false),
        }
    };
    assert_eq!(region(&[]), (Some("us-east-1".to_owned()), true));
    assert_eq!(region(&[("AWS_REGION", "x")]), (None, true), "the store's own chain finds it");
}
