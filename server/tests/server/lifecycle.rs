use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use dossier_proto::v1::ListTokensRequest;

use crate::harness::{Server, dossierd, files, output};

#[tokio::test]
async fn it_starts_says_so_and_stops() {
    let mut server = Server::start(&[]);
    assert!(server.address.starts_with("127.0.0.1:") && !server.address.ends_with(":0"));
    let mode = std::fs::metadata(&server.token_file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(server.token_file.starts_with(server.home.path().join(".config/dossier")));
    let mut tokens = server.tokens(&server.secret()).await;
    let listed = tokens.list_tokens(ListTokensRequest { page_size: 0, page_token: String::new() }).await.unwrap();
    assert_eq!(listed.into_inner().tokens.len(), 1);
    server.terminate();
    let (status, took) = server.wait(Duration::from_secs(10)).await;
    assert!(status.success(), "{status}");
    assert!(took < Duration::from_secs(5), "an idle connection holds nothing up: {took:?}");
}

#[tokio::test]
async fn the_admin_token_outlives_the_server() {
    let first = Server::start(&[]);
    let (home, secret) = (Arc::clone(&first.home), first.secret());
    drop(first);
    let second = Server::start_in(home, &[]);
    assert_eq!(second.secret(), secret);
    let mut tokens = second.tokens(&secret).await;
    let listed = tokens.list_tokens(ListTokensRequest { page_size: 0, page_token: String::new() }).await.unwrap();
    assert_eq!(listed.into_inner().tokens.len(), 1, "no second one was made");
}

#[test]
fn the_secret_is_not_in_the_store_and_not_in_the_log() {
    let server = Server::start(&[("DOSSIER_LOG", "trace")]);
    let secret = server.secret();
    let (head, body) = secret.split_at(4);
    assert_eq!((head, body.len()), ("dsr_", 43));
    for (path, bytes) in files(&server.home.path().join("data")) {
        assert!(!bytes.windows(body.len()).any(|window| window == body.as_bytes()), "{}", path.display());
    }
    assert!(!server.log().contains(body));
}

#[test]
fn a_dead_token_is_replaced_and_a_foreign_one_is_not() {
    let server = Server::start(&[]);
    let (home, file) = (Arc::clone(&server.home), server.token_file.clone());
    drop(server);
    let dead = format!("dsr_{}", "A".repeat(43));
    std::fs::write(&file, &dead).unwrap();
    let server = Server::start_in(Arc::clone(&home), &[]);
    assert_ne!(server.secret(), dead);
    drop(server);

    let data = home.path().join("data");
    let auditor = ["token", "create", "--principal", "a", "--role", "auditor", "--org", "a", "--data-dir"];
    let made = crate::harness::stdout(dossierd(home.path()).args(auditor).arg(&data));
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    std::fs::write(&file, made["secret"].as_str().unwrap()).unwrap();
    let refused = output(dossierd(home.path()).args(["--listen", "127.0.0.1:0", "--data-dir"]).arg(&data));
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no admin's"));

    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let refused = output(dossierd(home.path()).args(["--listen", "127.0.0.1:0", "--data-dir"]).arg(&data));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("chmod 600"));
}

#[test]
fn the_default_store_is_the_users_and_its_token_is_where_clients_look() {
    let home = tempfile::tempdir().unwrap();
    // No place is named; only the port, which another test may have.
    let mut command = dossierd(home.path());
    command.args(["--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(home.path().join(".local/share/dossier/tokens").is_dir());
    let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(ready["token_file"].as_str().unwrap(), home.path().join(".config/dossier/token").to_str().unwrap());
}
