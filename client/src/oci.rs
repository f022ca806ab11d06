//! A fetched bundle as an OCI image layout (image-spec 1.1), with plain copies of what a person wants to read.
//!
//! ```text
//! oci-layout, index.json          → an OCI image manifest
//! blobs/sha256/<hex>              the OCI manifest; its config is the bundle's manifest, its layers are the other blobs
//! layers/01-system.txt …          each layer's exact byte range (not there for an empty layer)
//! messages/{system,developer,task}.txt
//! attachments/<id>
//! ```
//!
//! The bundle's manifest lies at `blobs/sha256/<the bundle's digest>`. All of it follows from the bundle's bytes: the same
//! bundle gives the same directory, and oras and skopeo walk it. Only the bundle's manifest and
//! blobs have digests to hold on to; [`Layout::flaws`] says which other path is not as it follows from them.

mod build;
mod parts;
mod read;
mod tree;
mod write;

use serde::{Deserialize, Serialize};

pub use parts::{Copy, Parts};
pub use read::{Flaw, Layout, read};
pub use write::Writer;

/// The artifact type of the OCI manifest.
pub const ARTIFACT_TYPE: &str = "application/vnd.dossier.bundle.v1";
/// The media type of the bundle's manifest.
pub const MANIFEST_TYPE: &str = dossier_bundle::manifest::media::MANIFEST;

const OCI_MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const OCI_INDEX: &str = "application/vnd.oci.image.index.v1+json";
const LAYOUT_VERSION: &str = "1.0.0";
const LAYOUT: &str = r#"{"imageLayoutVersion":"1.0.0"}"#;
const REF_NAME: &str = "org.opencontainers.image.ref.name";
const TITLE: &str = "org.opencontainers.image.title";

/// The folders that a layout may have.
const FOLDERS: [&str; 5] = ["blobs", "blobs/sha256", "messages", "layers", "attachments"];

/// No file of a layout is larger.
const MAX_BLOB: u64 = 64 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    media_type: String,
    digest: String,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    artifact_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    annotations: Option<std::collections::BTreeMap<String, String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Image {
    schema_version: u8,
    media_type: String,
    artifact_type: String,
    config: Descriptor,
    layers: Vec<Descriptor>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Index {
    schema_version: u8,
    media_type: String,
    manifests: Vec<Descriptor>,
}
