//! Secrets at cuts, through a server: what is stored, and what is answered.

use dossier_client::{Error, Upload, UploadSource};
use dossier_proto::v1;
use dossier_tests::{ORG, Server, small, source, words};
use prost::Message as _;

use crate::straddle::{DENIED, holds_piece, secrets};

fn context() -> v1::RedactionContext {
    v1::RedactionContext {
        denied_values: vec![v1::DeniedValue {
            name: "prod/db/password".to_owned(),
            value: DENIED.into(),
            kind: v1::object_reference::Kind::Secret.into(),
        }],
        ..v1::RedactionContext::default()
    }
}

/// Looks for pieces of all secrets in each file of the store and in the log.
fn search(server: &Server) {
    let mut folders = vec![server.setup().data().to_owned()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            files += 1;
            let bytes = std::fs::read(&entry).unwrap();
            for (name, secret) in secrets() {
                assert!(!holds_piece(&bytes, &secret), "{name} in {}", entry.display());
            }
        }
    }
    assert!(files > 10, "{files} files");
    for (name, secret) in secrets() {
        assert!(!holds_piece(server.log().as_bytes(), &secret), "{name} in the log");
    }
}

#[tokio::test]
async fn nothing_of_a_straddling_secret_is_stored() {
    let server = dossier_tests::Setup::scratch().with("DOSSIER_LOG", "trace").start();
    let client = server.client();
    let text = words(9_000, 11);
    for (index, (name, secret)) in secrets().into_iter().enumerate() {
        for offset in [0, 1_900, 1_990, 2_001, 4_400, 8_999] {
            let planted = format!("{} {secret} {}", &text[..offset], &text[offset..]);
            let mut draft = small("run-1", &format!("{name} {offset}"));
            draft.redaction = Some(context());
            draft.limits = Some(v1::Limits { max_log_bytes: 4_000, max_source_bytes: 4_000, ..v1::Limits::default() });
            draft.sources = vec![source("logs", "ci", &planted), source("artifacts", "report", &planted)];
            let id = format!("b-{index}-{offset}");
            let request = v1::CreateBundleRequest {
                parent: format!("orgs/{ORG}/runs/run-1"),
                draft: Some(draft.clone()),
                bundle_id: id.clone(),
                ..v1::CreateBundleRequest::default()
            };
            let preview = client.preview(&request.parent, draft).await.unwrap();
            assert!(!holds_piece(&preview.encode_to_vec(), &secret), "{name} {offset}: previewed");
            let created = client.create(request).await.unwrap();
            assert_eq!(created.bundle.unwrap().digest, preview.digest);
            let name_of = format!("orgs/{ORG}/runs/run-1/bundles/{id}");
            assert!(client.verify(&name_of).await.unwrap().verified);
        }
    }
    search(&server);
}

#[tokio::test]
async fn nothing_of_a_secret_that_a_template_puts_together_is_stored() {
    let server = Server::scratch();
    let client = server.client();
    for cut in [1, 4, 9, 20, 28] {
        let (first, second) = DENIED.split_at(cut);
        let field = |value: &str| v1::TemplateField {
            value: value.to_owned(),
            trust: v1::template_field::Trust::Trusted.into(),
        };
        let mut draft = small("run-1", &format!("cut at {cut}"));
        draft.redaction = Some(context());
        draft.trigger = Some(v1::TriggerTemplate {
            template: "Use {{ first }}{{ second }} with care.".to_owned(),
            fields: [("first".to_owned(), field(first)), ("second".to_owned(), field(second))].into(),
            ..v1::TriggerTemplate::default()
        });
        let request = v1::CreateBundleRequest {
            parent: format!("orgs/{ORG}/runs/run-1"),
            draft: Some(draft),
            bundle_id: format!("b-{cut}"),
            ..v1::CreateBundleRequest::default()
        };
        match client.create(request).await {
            Ok(_) => {}
            // To refuse it is right too.
            Err(Error::Rpc(error)) => assert!(error.is_denied(), "{error}"),
            Err(error) => panic!("{error}"),
        }
    }
    search(&server);
}

#[tokio::test]
async fn nothing_of_a_secret_in_an_upload_is_stored() {
    let server = Server::scratch();
    let client = server.client();
    let text = words(700_000, 12);
    for (name, secret) in secrets() {
        // The borders of the client's messages, of the engine's steps, and of what is kept.
        for border in [131_072, 262_144, 524_288, 700_000 - 131_072] {
            let at = border - secret.len() / 2;
            let planted = format!("{} {secret} {}", &text[..at], &text[at..]);
            let header = v1::UploadAttachmentHeader {
                parent: format!("orgs/{ORG}"),
                project: "shop".to_owned(),
                redaction: Some(context()),
                attachment: Some(v1::Attachment {
                    id: "log".to_owned(),
                    kind: "log-excerpt".to_owned(),
                    title: format!("{name} {border}"),
                    ..v1::Attachment::default()
                }),
                ..v1::UploadAttachmentHeader::default()
            };
            let source = UploadSource::Reader(Box::new(std::io::Cursor::new(planted.into_bytes())));
            let answer = client.upload(Upload { header, source, progress: None }).await.unwrap();
            assert!(answer.attachment.unwrap().truncated);
        }
    }
    search(&server);
}
