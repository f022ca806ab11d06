//! The files of a layout that name others, byte by byte as they follow from the bundle.

use std::collections::{BTreeMap, HashMap};

use dossier_bundle::Digest;
use serde::Serialize;

use super::{ARTIFACT_TYPE, Descriptor, Image, Index, MANIFEST_TYPE, OCI_INDEX, OCI_MANIFEST, Parts, REF_NAME, TITLE};

/// The bytes of the OCI manifest; `size` gives the size of a blob, and where it gives none there is no such manifest.
pub(super) fn image(
    manifest: (Digest, u64),
    parts: &Parts,
    size: impl Fn(&Digest) -> Option<u64>,
) -> Result<Vec<u8>, Digest> {
    let whole = parts.copies.iter().filter(|copy| copy.range.is_none());
    let titles: HashMap<Digest, String> =
        whole.map(|copy| (copy.digest, copy.path.to_string_lossy().into_owned())).collect();
    let layer = |(digest, media_type): &(Digest, String)| {
        Ok(Descriptor {
            media_type: media_type.clone(),
            digest: digest.to_string(),
            size: size(digest).ok_or(*digest)?,
            artifact_type: None,
            annotations: titles.get(digest).map(|title| BTreeMap::from([(TITLE.into(), title.clone())])),
        })
    };
    let image = Image {
        schema_version: 2,
        media_type: OCI_MANIFEST.into(),
        artifact_type: ARTIFACT_TYPE.into(),
        config: Descriptor {
            media_type: MANIFEST_TYPE.into(),
            digest: manifest.0.to_string(),
            size: manifest.1,
            artifact_type: None,
            annotations: None,
        },
        layers: parts.blobs.iter().map(layer).collect::<Result<_, _>>()?,
    };
    Ok(json(&image))
}

/// The bytes of the index of an OCI manifest.
pub(super) fn index(image: &[u8]) -> Vec<u8> {
    json(&Index {
        schema_version: 2,
        media_type: OCI_INDEX.into(),
        manifests: vec![Descriptor {
            media_type: OCI_MANIFEST.into(),
            digest: Digest::of(image).to_string(),
            size: image.len() as u64,
            artifact_type: Some(ARTIFACT_TYPE.into()),
            annotations: Some(BTreeMap::from([(REF_NAME.into(), "bundle".into())])),
        }],
    })
}

/// Strings and integers alone, under names that are text: there is nothing in it that JSON cannot hold.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
