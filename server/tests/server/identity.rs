use std::sync::Arc;
use std::time::Duration;

use dossier_proto::v1::{ListTokensRequest, RevokeTokenRequest, Role};
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::harness::{Server, dossierd, output, stdout, token};

fn list() -> ListTokensRequest {
    ListTokensRequest { page_size: 0, page_token: String::new() }
}

#[tokio::test]
async fn without_a_good_credential_nothing() {
    let server = Server::start(&[]);
    let bad = format!("dsr_{}", "A".repeat(43));
    for secret in ["", "x", bad.as_str()] {
        let status = server.tokens(secret).await.list_tokens(list()).await.err().unwrap();
        assert_eq!(status.code(), Code::Unauthenticated, "{secret}");
        let info = status.get_details_error_info().unwrap();
        assert_eq!((info.reason.as_str(), info.metadata["action"].as_str()), ("CREDENTIAL_INVALID", "fix"));
        assert!(secret.is_empty() || !format!("{status:?}").contains(&bad));
    }
}

#[tokio::test]
async fn a_controller_makes_agent_tokens_of_its_orgs() {
    let server = Server::start(&[]);
    let controller = server.token("ci", Role::Controller, &["a"], "").await;
    let mut ci = server.tokens(&controller.secret).await;
    let agent = ci.create_token(token("ci.agent", Role::Agent, &["a"], "r1")).await.unwrap().into_inner();
    let made = agent.token.unwrap();
    assert_eq!((made.creator.as_str(), made.run.as_str()), ("ci", "r1"));
    assert!(made.expire_time.is_some(), "an agent's token ends");
    for refused in [
        token("ci.agent", Role::Agent, &["b"], "r1"),
        token("ci.x", Role::Auditor, &["a"], ""),
        // Others' names, whether there are such or not.
        token("local-admin", Role::Agent, &["a"], "r1"),
        token("ci", Role::Agent, &["a"], "r1"),
        token("agent", Role::Agent, &["a"], "r1"),
    ] {
        assert_eq!(ci.create_token(refused).await.err().unwrap().code(), Code::PermissionDenied);
    }
    // What it did not make is not there for it; what it made, it revokes.
    let foreign = server.token("agent-2", Role::Agent, &["a"], "r1").await.token.unwrap();
    let refused = ci.revoke_token(RevokeTokenRequest { name: foreign.name }).await.err().unwrap();
    assert_eq!(refused.code(), Code::NotFound);
    let revoked = ci.revoke_token(RevokeTokenRequest { name: made.name }).await.unwrap().into_inner();
    assert!(revoked.token.unwrap().revoke_time.is_some());
    let gone = server.tokens(&agent.secret).await.list_tokens(list()).await.err().unwrap();
    assert_eq!(gone.code(), Code::Unauthenticated);
}

#[tokio::test]
async fn the_table_of_roles_holds() {
    let server = Server::start(&[]);
    for (role, run) in [(Role::Agent, "r1"), (Role::Auditor, ""), (Role::Reviewer, "")] {
        let made = server.token("x", role, &["a"], run).await;
        let mut client = server.tokens(&made.secret).await;
        let status = client.create_token(token("y", Role::Agent, &["a"], "r1")).await.err().unwrap();
        assert_eq!(status.code(), Code::PermissionDenied, "{}", role.as_str_name());
        assert_eq!(client.list_tokens(list()).await.err().unwrap().code(), Code::PermissionDenied);
    }
}

#[tokio::test]
async fn all_violations_come_at_once() {
    let server = Server::start(&[]);
    let mut tokens = server.tokens(&server.secret()).await;
    let status = tokens.create_token(token("Not A Name", Role::Unspecified, &["A"], "")).await.err().unwrap();
    assert_eq!(status.code(), Code::InvalidArgument);
    let fields: Vec<_> =
        status.get_details_bad_request().unwrap().field_violations.into_iter().map(|v| v.field).collect();
    assert_eq!(fields, ["principal", "orgs[0]", "role"]);
    assert!(!format!("{status:?}").contains("Not A Name"));
    let status = tokens.revoke_token(RevokeTokenRequest { name: "tokens/../x".to_owned() }).await.err().unwrap();
    assert_eq!(status.code(), Code::InvalidArgument);
}

#[tokio::test]
async fn a_revocation_by_another_process_holds_soon() {
    let server = Server::start(&[("DOSSIER_CACHE_SECONDS", "1")]);
    let made = server.token("ci", Role::Controller, &["a"], "").await;
    let mut client = server.tokens(&made.secret).await;
    let denied = |status: tonic::Status| status.code();
    assert_eq!(client.list_tokens(list()).await.map_err(denied).err().unwrap(), Code::PermissionDenied, "it is known");
    let data = server.home.path().join("data");
    let name = made.token.unwrap().name;
    stdout(dossierd(server.home.path()).args(["token", "revoke", &name, "--data-dir"]).arg(&data));
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(client.list_tokens(list()).await.map_err(denied).err().unwrap(), Code::Unauthenticated);
}

#[tokio::test]
async fn tokens_are_made_without_a_server_too() {
    let home = Arc::new(tempfile::tempdir().unwrap());
    let data = home.path().join("data");
    let run = |args: &[&str]| {
        let mut command = dossierd(home.path());
        command.args(args).arg("--data-dir").arg(&data);
        command
    };
    let made = stdout(&mut run(&["token", "create", "--principal", "ci", "--role", "admin", "--ttl", "3600"]));
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    let listed = stdout(&mut run(&["token", "list"]));
    assert!(listed.contains(made["name"].as_str().unwrap()) && !listed.contains(made["secret"].as_str().unwrap()));
    let wrong = output(&mut run(&["token", "create", "--principal", "A", "--role", "agent"]));
    assert!(!wrong.status.success());
    let text = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(text.contains("principal must match") && text.contains("exactly one"), "{text}");
    assert!(!output(&mut run(&["token", "revoke", &"0".repeat(32)])).status.success());

    let server = Server::start_in(home, &[]);
    let mut tokens = server.tokens(made["secret"].as_str().unwrap()).await;
    assert_eq!(tokens.list_tokens(list()).await.unwrap().into_inner().tokens.len(), 2);
}
