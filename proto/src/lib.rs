//! The types of the API, generated from `proto/dossier/v1`, and their JSON form.
//!
//! Nothing here decides anything. Server and client convert between these types and those of `dossier-bundle`; no other
//! crate sees them. No generated message implements `Debug`: requests hold raw text, and what cannot be printed cannot
//! be logged.

pub mod json;

/// Package `dossier.v1`. The .proto files are the documentation.
#[expect(clippy::all, clippy::allow_attributes, unused_qualifications, reason = "generated")]
#[cfg_attr(
    doc,
    expect(rustdoc::broken_intra_doc_links, reason = "patterns in the comments of the .proto files look like links")
)]
pub mod v1 {
    tonic::include_proto!("dossier.v1");
}

/// The encoded `FileDescriptorSet` of the whole API and what it imports, for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/dossier.v1.bin"));
