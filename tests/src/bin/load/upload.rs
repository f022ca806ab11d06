//! The memory and the time of a large upload, against redacting the same text in this process.

use std::io::Read as _;
use std::time::Instant;

use dossier_bundle::cut::Measure;
use dossier_bundle::excerpt::Excerpt;
use dossier_client::{Upload, UploadSource};
use dossier_proto::v1;
use dossier_redact::Redactor;
use dossier_tests::{Lines, ORG, Server};

/// Uploads a log of `mib` MiB.
pub(crate) async fn measure(mib: u64) {
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
    let begun = Instant::now();
    let source = UploadSource::Reader(Box::new(Lines::new(mib << 20, 1)));
    let answer = server.client().upload(Upload { header, source, progress: None }).await.unwrap();
    let uploaded = begun.elapsed();
    assert!(answer.attachment.unwrap().truncated);
    let peak = server.memory_kib("VmHWM");

    let begun = Instant::now();
    let (mut stream, mut excerpt) =
        (Redactor::builder().build().unwrap().stream(), Excerpt::new(262_144, Measure::Raw));
    let (mut lines, mut part) = (Lines::new(mib << 20, 1), vec![0; 256 << 10]);
    loop {
        let read = lines.read(&mut part).unwrap();
        if read == 0 {
            break;
        }
        let chunk = stream.push(&part[..read]).unwrap();
        excerpt.push(&chunk.text, &chunk.swallowed);
    }
    let chunk = stream.finish().unwrap().0;
    excerpt.push(&chunk.text, &chunk.swallowed);
    assert!(excerpt.finish().missing.is_some());
    let alone = begun.elapsed();
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let rate = |time: std::time::Duration| mib as f64 / time.as_secs_f64();
    println!("\nupload of a log of {mib} MiB: peak {} MiB resident ({} MiB before it)", peak >> 10, before >> 10);
    println!(
        "upload: {:.0} MiB/s; generated, redacted and excerpted in one thread of this process: {:.0} MiB/s",
        rate(uploaded),
        rate(alone)
    );
}
