use std::sync::mpsc;
use std::time::Duration;

use dossier_client::{Client, Upload, UploadSource};
use dossier_proto::v1;
use dossier_tests::{Lines, ORG, Paused, Server, Setup, small};

fn upload(source: UploadSource) -> Upload {
    let header = v1::UploadAttachmentHeader {
        parent: format!("orgs/{ORG}"),
        project: "shop".to_owned(),
        attachment: Some(v1::Attachment {
            id: "log".to_owned(),
            kind: "log-excerpt".to_owned(),
            title: "a log".to_owned(),
            ..v1::Attachment::default()
        }),
        ..v1::UploadAttachmentHeader::default()
    };
    Upload { header, source, progress: None }
}

/// An upload that takes what is sent to it.
fn begin(
    client: Client,
) -> (mpsc::Sender<Vec<u8>>, tokio::task::JoinHandle<Result<v1::UploadAttachmentResponse, dossier_client::Error>>) {
    let (send, parts) = mpsc::channel();
    let source = UploadSource::Reader(Box::new(Paused::new(parts)));
    (send, tokio::spawn(async move { client.upload(upload(source)).await }))
}

async fn create(client: &Client, id: &str) -> Result<v1::CreateBundleResponse, dossier_client::Error> {
    let request = v1::CreateBundleRequest {
        parent: format!("orgs/{ORG}/runs/run-1"),
        draft: Some(small("run-1", id)),
        bundle_id: id.to_owned(),
        ..v1::CreateBundleRequest::default()
    };
    client.create(request).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn draining_finishes_an_upload_that_is_under_way() {
    let mut server = Server::scratch();
    let (send, uploading) = begin(server.client());
    send.send(b"the first line\n".to_vec()).unwrap();
    // The connection stands and the call is open when this one has been answered.
    let other = server.client();
    create(&other, "before").await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.terminate();
    server.wait_for_log("draining").await;
    let refused = create(&other, "after").await.err().expect("nothing new is taken");
    assert!(refused.rpc().is_some_and(|error| error.code == tonic::Code::Unavailable), "{refused}");
    send.send(b"the last line\n".to_vec()).unwrap();
    drop(send);
    let answer = uploading.await.unwrap().expect("what was under way is finished");
    let attachment = answer.attachment.unwrap();
    assert_eq!(attachment.bytes, 29);
    assert!(server.ended().await.success());
    // And kept.
    let server = server.setup().start();
    let mut draft = small("run-1", "with it");
    draft.attachments.push(attachment);
    let request = v1::CreateBundleRequest {
        parent: format!("orgs/{ORG}/runs/run-1"),
        draft: Some(draft),
        bundle_id: "later".to_owned(),
        ..v1::CreateBundleRequest::default()
    };
    server.client().create(request).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_work_of_a_caller_that_goes_away_ends_and_nothing_of_it_is_stored() {
    let server = Setup::scratch().with("DOSSIER_MAX_CONCURRENT_REQUESTS", "1").start();
    let client = server.client();
    // Whether the server hears of it while it waits for bytes or while it works on some is chance.
    for round in 0..12_u64 {
        let endless = {
            let (client, lines) = (client.clone(), Lines::new(4 << 30, round + 1));
            tokio::spawn(async move { client.upload(upload(UploadSource::Reader(Box::new(lines)))).await })
        };
        tokio::time::sleep(Duration::from_millis(150 + 37 * round)).await;
        assert!(!endless.is_finished(), "it goes on");
        endless.abort();
        // The one place is free again, and the half is not stored.
        create(&client, &format!("next-{round}")).await.unwrap();
        let marks = server.setup().data().join(format!("orgs/{ORG}/uploads"));
        assert!(!marks.exists(), "round {round}\n{}", server.log());
    }
    assert!(!server.log().contains("took an upload"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_whose_input_breaks_is_not_stored() {
    struct Broken(bool);
    impl std::io::Read for Broken {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(std::io::ErrorKind::ConnectionReset.into());
            }
            out[..5].copy_from_slice(b"half\n");
            Ok(5)
        }
    }
    let server = Server::scratch();
    let client = server.client();
    let failed = client.upload(upload(UploadSource::Reader(Box::new(Broken(false))))).await;
    assert!(matches!(failed, Err(dossier_client::Error::Io { .. })));
    create(&client, "next").await.unwrap();
    let half = dossier_bundle::Digest::of(b"half\n").hex();
    let blob = server.setup().data().join(format!("orgs/{ORG}/blobs/sha256/{}/{half}", &half[..2]));
    assert!(!blob.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_upload_leaves_nothing_that_a_reader_sees() {
    let mut server = Server::scratch();
    let (send, uploading) = begin(server.client());
    send.send(vec![b'a'; 200_000]).unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.kill();
    drop(send);
    assert!(uploading.await.unwrap().is_err());
    let server = server.setup().start();
    create(&server.client(), "next").await.unwrap();
    assert!(!server.setup().data().join(format!("orgs/{ORG}/uploads")).exists());
}
