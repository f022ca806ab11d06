//! What of a manifest has a plain copy: messages, layers, attachments.

use std::path::{Path, PathBuf};

use dossier_bundle::Digest;
use dossier_bundle::layer::{Layer, Message};
use dossier_bundle::manifest::{API_VERSION, KIND, Manifest};
use dossier_bundle::names::EvidenceId;
use serde::Deserialize;

use crate::error::Error;

/// The parts of a bundle that a person reads, as the manifest names them.
pub struct Parts {
    /// The digests of the messages system, developer and task.
    pub messages: [Digest; 3],
    /// All blobs with their media types, each once, in the order of a fetch.
    pub blobs: Vec<(Digest, String)>,
    /// The plain copies, each a range of a blob.
    pub copies: Vec<Copy>,
}

/// A plain copy: a file that holds a range of a blob.
pub struct Copy {
    /// Where it lies, relative to the layout. Made of fixed words and parsed ids only.
    pub path: PathBuf,
    /// The blob.
    pub digest: Digest,
    /// The first byte and the number of bytes; `None` means all.
    pub range: Option<(usize, usize)>,
}

impl Copy {
    /// The copy's bytes, out of the blob's; `None` where the range is not in it.
    #[must_use]
    pub fn of<'b>(&self, blob: &'b [u8]) -> Option<&'b [u8]> {
        match self.range {
            None => Some(blob),
            Some((offset, length)) => blob.get(offset..offset.checked_add(length)?),
        }
    }
}

/// What tells whether the rest can be read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    api_version: String,
    kind: String,
}

impl Parts {
    /// Reads what has a copy out of a manifest. Members that this version does not know are passed over.
    ///
    /// # Errors
    /// [`Error::Layout`] where it is no manifest of this version.
    pub fn of(manifest: &[u8]) -> Result<Self, Error> {
        let bad = |what: &str| Error::Layout(format!("the manifest cannot be read by this version: {what}"));
        let place = |error: serde_json::Error| bad(&format!("line {}, column {}", error.line(), error.column()));
        let version: Version = serde_json::from_slice(manifest).map_err(place)?;
        if version.api_version != API_VERSION || version.kind != KIND {
            return Err(bad("its apiVersion or kind is another"));
        }
        let manifest: Manifest = serde_json::from_slice(manifest).map_err(place)?;
        let blobs = manifest.descriptors().into_iter().map(|one| (one.digest, one.media_type)).collect();
        let spec = manifest.spec;
        let prompt = &spec.prompt;
        let messages = [prompt.rendered_system_digest, prompt.rendered_developer_digest, prompt.rendered_task_digest];
        let mut copies = Vec::new();
        for (message, digest) in Message::ALL.iter().zip(messages) {
            let path = Path::new("messages").join(format!("{}.txt", message.name()));
            copies.push(Copy { path, digest, range: None });
        }
        for (index, layer) in spec.layers.iter().enumerate() {
            let message = Message::ALL.iter().position(|message| message.name() == layer.message);
            let digest =
                message.and_then(|at| messages.get(at)).ok_or_else(|| bad("a layer names an unknown message"))?;
            if Layer::ALL.iter().all(|known| known.name() != layer.name) {
                return Err(bad("it names an unknown layer"));
            }
            if layer.bytes > 0 {
                let file = format!("{:02}-{}.txt", index + 1, layer.name);
                let range = Some((layer.offset as usize, layer.bytes as usize));
                copies.push(Copy { path: Path::new("layers").join(file), digest: *digest, range });
            }
        }
        for attachment in &spec.attachments {
            let id: EvidenceId = attachment.id.parse().map_err(|_| bad("an attachment's id is malformed"))?;
            let path = Path::new("attachments").join(id.as_str());
            copies.push(Copy { path, digest: attachment.digest, range: None });
        }
        Ok(Self { messages, blobs, copies })
    }
}
