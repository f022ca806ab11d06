//! Drafts.

use dossier_client::{Client, Upload, UploadSource};
use dossier_proto::v1;

use crate::input::words;
use crate::server::ORG;

/// A source with text.
#[must_use]
pub fn source(kind: &str, name: &str, text: &str) -> v1::Source {
    v1::Source {
        kind: kind.to_owned(),
        name: name.to_owned(),
        content: Some(v1::source::Content::Text(text.to_owned())),
        ..v1::Source::default()
    }
}

/// A small draft of the route `runs`, told apart by `note`.
#[must_use]
pub fn small(run: &str, note: &str) -> v1::BundleDraft {
    let prompt = |text: &str| Some(v1::PromptText { text: text.to_owned(), ..v1::PromptText::default() });
    v1::BundleDraft {
        run: run.to_owned(),
        project: "shop".to_owned(),
        route: "runs".to_owned(),
        system: prompt("You mend builds."),
        developer: prompt("Keep changes small."),
        user: prompt(note),
        sources: vec![source("logs", "ci", "step 1 done\nerror: it broke\n")],
        ..v1::BundleDraft::default()
    }
}

/// A draft that fills a bundle of 750 KiB: prompts, a log, a diff and two attachments, which are uploaded. `seed` tells one
/// from another in every blob.
pub async fn full(client: &Client, run: &str, seed: u64) -> v1::BundleDraft {
    let mut draft = small(run, &words(4_000, seed));
    let system = draft.system.as_mut().expect("it has one");
    system.text = words(20_000, seed + 1);
    draft.sources = vec![
        source("logs", "ci", &words(100_000, seed + 2)),
        source("artifacts", "report", &words(50_000, seed + 3)),
        source("failed-step", "step", &words(30_000, seed + 4)),
    ];
    for n in 0..2 {
        let text = words(250_000, seed * 10 + n + 5);
        let header = v1::UploadAttachmentHeader {
            parent: format!("orgs/{ORG}"),
            project: "shop".to_owned(),
            attachment: Some(v1::Attachment {
                id: format!("part-{n}"),
                kind: "log-excerpt".to_owned(),
                title: format!("part {n}"),
                ..v1::Attachment::default()
            }),
            ..v1::UploadAttachmentHeader::default()
        };
        let source = UploadSource::Reader(Box::new(std::io::Cursor::new(text.into_bytes())));
        let answer = client.upload(Upload { header, source, progress: None }).await.expect("an upload");
        draft.attachments.extend(answer.attachment);
    }
    draft
}
