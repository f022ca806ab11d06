//! One S3 server for the whole run. It goes, with its data, when this process has gone, however it ends.

use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

pub(crate) struct Server {
    pub(crate) endpoint: String,
    pub(crate) bucket: String,
    pub(crate) key: String,
    pub(crate) secret: String,
}

pub(crate) fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(start)
}

fn start() -> Server {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/s3-start");
    let pid = std::process::id();
    // Ports below those that the system gives out by itself, ten apart, each run starting elsewhere.
    for attempt in 0..20 {
        let port = 18_000 + (pid + attempt * 37) % 1_000 * 10;
        let data = std::env::temp_dir().join(format!("dossier-s3-{pid}-{attempt}"));
        let output = Command::new(script)
            .args(["--scratch-for", &pid.to_string()])
            .arg(&data)
            .arg(port.to_string())
            .stderr(Stdio::inherit())
            .output()
            .expect("scripts/s3-start runs");
        if output.status.code() == Some(3) {
            continue;
        }
        assert!(output.status.success(), "scripts/s3-start failed; its reason is above");
        let text = String::from_utf8(output.stdout).unwrap();
        let settings: HashMap<&str, &str> = text.lines().filter_map(|line| line.split_once('=')).collect();
        let get = |name: &str| settings.get(name).expect("s3-start prints all settings").to_string();
        return Server {
            endpoint: get("S3_ENDPOINT"),
            bucket: get("S3_BUCKET"),
            key: get("AWS_ACCESS_KEY_ID"),
            secret: get("AWS_SECRET_ACCESS_KEY"),
        };
    }
    panic!("no ten free ports in twenty tries");
}
