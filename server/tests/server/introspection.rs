use std::time::Duration;

use dossier_proto::v1::{ListTokensRequest, Role};
use tokio_stream::StreamExt as _;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::harness::Server;

#[tokio::test]
async fn reflection_lists_what_is_served() {
    let server = Server::start(&[]);
    let channel = server.channel().await;
    macro_rules! listed {
        ($version:ident) => {{
            use tonic_reflection::pb::$version::ServerReflectionRequest;
            use tonic_reflection::pb::$version::server_reflection_client::ServerReflectionClient;
            use tonic_reflection::pb::$version::server_reflection_request::MessageRequest;
            use tonic_reflection::pb::$version::server_reflection_response::MessageResponse;
            let ask = |message| ServerReflectionRequest { host: String::new(), message_request: Some(message) };
            let asked = [
                ask(MessageRequest::ListServices(String::new())),
                ask(MessageRequest::FileContainingSymbol("dossier.v1.BundleService".to_owned())),
            ];
            let mut client = ServerReflectionClient::new(channel.clone());
            let mut answers = client.server_reflection_info(tokio_stream::iter(asked)).await.unwrap().into_inner();
            let names: Vec<String> = match answers.next().await.unwrap().unwrap().message_response {
                Some(MessageResponse::ListServicesResponse(list)) => list.service.into_iter().map(|s| s.name).collect(),
                _ => Vec::new(),
            };
            let described = answers.next().await.unwrap().unwrap().message_response;
            assert!(matches!(described, Some(MessageResponse::FileDescriptorResponse(_))));
            names
        }};
    }
    for names in [listed!(v1), listed!(v1alpha)] {
        for name in ["dossier.v1.BundleService", "dossier.v1.TokenService", "grpc.health.v1.Health"] {
            assert!(names.iter().any(|listed| listed == name), "{name} is not in {names:?}");
        }
    }
}

#[tokio::test]
async fn health_needs_no_credential_and_tells_of_draining() {
    let mut server = Server::start(&[]);
    let mut health = HealthClient::new(server.channel().await);
    for service in ["", "dossier.v1.BundleService"] {
        let asked = HealthCheckRequest { service: service.to_owned() };
        let status = health.check(asked).await.unwrap().into_inner().status();
        assert_eq!(status, ServingStatus::Serving);
    }
    let mut watched = health.watch(HealthCheckRequest { service: String::new() }).await.unwrap().into_inner();
    assert_eq!(watched.next().await.unwrap().unwrap().status(), ServingStatus::Serving);
    server.terminate();
    assert_eq!(watched.next().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    assert_eq!(watched.next().await.unwrap().err().unwrap().code(), Code::Unavailable);
    assert!(server.wait(Duration::from_secs(5)).await.0.success(), "who watches does not hold it up");
}

#[tokio::test]
async fn health_tells_that_the_store_is_gone() {
    let server = Server::start(&[]);
    let mut health = HealthClient::new(server.channel().await);
    let mut watched = health.watch(HealthCheckRequest { service: String::new() }).await.unwrap().into_inner();
    assert_eq!(watched.next().await.unwrap().unwrap().status(), ServingStatus::Serving);
    let (data, aside) = (server.home.path().join("data"), server.home.path().join("aside"));
    std::fs::rename(&data, &aside).unwrap();
    let next = tokio::time::timeout(Duration::from_secs(15), watched.next()).await.unwrap();
    assert_eq!(next.unwrap().unwrap().status(), ServingStatus::NotServing);
    std::fs::rename(&aside, &data).unwrap();
    let next = tokio::time::timeout(Duration::from_secs(15), watched.next()).await.unwrap();
    assert_eq!(next.unwrap().unwrap().status(), ServingStatus::Serving);
}

#[tokio::test]
async fn each_rpc_is_one_line_without_its_secrets() {
    let server = Server::start(&[("DOSSIER_LOG", "trace"), ("DOSSIER_LOG_FORMAT", "json")]);
    let made = server.token("ci", Role::Controller, &["a"], "").await;
    let refused = server.tokens(&made.secret).await;
    let _ = { refused }.list_tokens(ListTokensRequest { page_size: 0, page_token: String::new() }).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let log = server.log();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rpcs: Vec<_> = lines.iter().filter(|line| line["message"] == "rpc").collect();
    assert_eq!(rpcs.len(), 2, "{log}");
    assert_eq!(rpcs[0]["method"], "dossier.v1.TokenService/CreateToken");
    assert_eq!((&rpcs[0]["principal"], &rpcs[0]["code"]), (&"local-admin".into(), &"Ok".into()));
    assert_eq!((&rpcs[1]["principal"], &rpcs[1]["code"]), (&"ci".into(), &"PermissionDenied".into()));
    assert!(!log.contains(&made.secret[4..]) && !log.contains(&server.secret()[4..]));
    // Others are capped, whatever the filter says.
    for line in lines.iter().filter(|line| ["TRACE", "DEBUG", "INFO"].contains(&line["level"].as_str().unwrap())) {
        assert!(line["target"].as_str().unwrap().starts_with("dossier"), "{line}");
    }
}
