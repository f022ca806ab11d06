use dossier_client::{Upload, UploadSource};
use dossier_proto::v1;
use dossier_tests::{Lines, ORG, Server, program};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_of_any_size_takes_a_bounded_part_of_memory() {
    // Without optimisation a log takes ten times as long, and not more memory.
    let debug = program("dossierd").parent().is_some_and(|folder| folder.ends_with("debug"));
    let size: u64 = if debug { 64 << 20 } else { 256 << 20 };
    let server = Server::scratch();
    let before = server.memory_kib("VmHWM");
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
    let source = UploadSource::Reader(Box::new(Lines::new(size, 1)));
    let answer = server.client().upload(Upload { header, source, progress: None }).await.unwrap();
    let attachment = answer.attachment.unwrap();
    assert!(attachment.truncated && attachment.bytes > 200_000, "{} bytes", attachment.bytes);
    let peak = server.memory_kib("VmHWM");
    println!("{} MiB uploaded: peak {} MiB, {} MiB before", size >> 20, peak >> 10, before >> 10);
    assert!(peak < 100 << 10, "{peak} KiB");
}
