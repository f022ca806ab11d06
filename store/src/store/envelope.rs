//! The bytes of a record: canonical JSON that carries its own digest.
//!
//! ```json
//! {"apiVersion":"dossier.dev/v1","blobs":["sha256:…"],"body":{…},"digest":"sha256:…","generation":7,
//!  "kind":"BundleRecord","nonce":"…","previous":["…"]}
//! ```
//!
//! `digest` is over the canonical bytes (RFC 8785) of all other members. `previous` are the nonces of the generations
//! before, newest first: with them a writer whose reply was lost finds itself although others have written since.

use std::fmt;
use std::time::SystemTime;

use bytes::Bytes;
use dossier_bundle::Digest;
use serde_json::{Map, Value};

use crate::engine::Version;
use crate::error::{Error, Result};
use crate::key::Key;

const API_VERSION: &str = "dossier.dev/v1";
/// How many earlier nonces a record keeps.
const PREVIOUS: usize = 16;

/// What a caller stores: a kind, the blobs it keeps alive, and a body.
#[derive(Clone, PartialEq)]
pub struct Record {
    /// What the body is, such as `BundleRecord`.
    pub kind: String,
    /// Every blob that must live as long as the record. Any order; stored sorted and each once.
    pub blobs: Vec<Digest>,
    /// A JSON object. Integers beyond 2^53 must be strings in it.
    pub body: Value,
}

/// A record as it stands in the store.
#[derive(Clone, PartialEq)]
pub struct Stored {
    /// What was stored.
    pub record: Record,
    /// 1 for a new record, one more for each update.
    pub generation: u64,
    /// The engine's version, for compare-and-swap.
    pub version: Version,
    /// When it was written, by the store's clock; `None` where this call has just written it.
    pub modified: Option<SystemTime>,
    pub(super) nonce: String,
    pub(super) previous: Vec<String>,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("kind", &self.kind).field("blobs", &self.blobs.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stored")
            .field("record", &self.record)
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}

impl Stored {
    /// Whether the write with this nonce is this record, or is known to have come before it; `None`: cannot be told.
    pub(super) fn includes(&self, nonce: &str, generation: u64) -> Option<bool> {
        if self.generation < generation {
            return Some(false);
        }
        let back = usize::try_from(self.generation - generation).ok()?;
        let at = if back == 0 { Some(&self.nonce) } else { self.previous.get(back - 1) };
        at.map(|at| at == nonce)
    }
}

/// What a write is about to store.
pub(super) struct Draft {
    pub(super) bytes: Bytes,
    pub(super) generation: u64,
    pub(super) nonce: String,
    previous: Vec<String>,
    record: Record,
}

impl Draft {
    /// The bytes of `record` as the successor of `base`, or as a new record.
    pub(super) fn new(mut record: Record, base: Option<&Stored>, nonce: String) -> Result<Self> {
        record.blobs.sort_unstable();
        record.blobs.dedup();
        let (generation, previous) = match base {
            Some(base) => {
                let earlier = base.previous.iter().take(PREVIOUS - 1).cloned();
                (base.generation + 1, std::iter::once(base.nonce.clone()).chain(earlier).collect())
            }
            None => (1, Vec::new()),
        };
        let bytes = encode(&record, generation, &nonce, &previous)?;
        Ok(Self { bytes, generation, nonce, previous, record })
    }

    pub(super) fn stored(self, version: Version) -> Stored {
        let Self { generation, nonce, previous, record, .. } = self;
        Stored { record, generation, version, modified: None, nonce, previous }
    }
}

/// The bytes of a record. Writers go through a [`Store`](crate::Store); this is for tools that check or make vectors.
///
/// # Errors
/// [`Error::InvalidRecord`] where the body is no object or holds a number that canonical JSON would round.
pub fn encode(record: &Record, generation: u64, nonce: &str, previous: &[String]) -> Result<Bytes> {
    if !record.body.is_object() {
        return Err(Error::InvalidRecord { what: "the body must be an object" });
    }
    let mut blobs = record.blobs.clone();
    blobs.sort_unstable();
    blobs.dedup();
    let mut envelope = Map::new();
    envelope.insert("apiVersion".to_owned(), API_VERSION.into());
    envelope.insert("kind".to_owned(), record.kind.as_str().into());
    envelope.insert("generation".to_owned(), generation.into());
    envelope.insert("nonce".to_owned(), nonce.into());
    if !previous.is_empty() {
        envelope.insert("previous".to_owned(), previous.to_vec().into());
    }
    envelope.insert("blobs".to_owned(), blobs.iter().map(Digest::to_string).collect::<Vec<_>>().into());
    envelope.insert("body".to_owned(), record.body.clone());
    let digest = Digest::of(&canonical(&envelope)?);
    envelope.insert("digest".to_owned(), digest.to_string().into());
    Ok(canonical(&envelope)?.into())
}

/// Reads a record's bytes, checking its digest. `key` is for the error, `version` and `modified` go into the result.
///
/// # Errors
/// [`Error::Corrupt`] where a byte is not as written, [`Error::Unsupported`] where a later version wrote it.
pub fn decode(key: &Key, bytes: &[u8], version: Version, modified: SystemTime) -> Result<Stored> {
    let corrupt = |what| Error::Corrupt { key: key.clone(), what };
    let mut envelope: Map<String, Value> = serde_json::from_slice(bytes).map_err(|_| corrupt("it is not JSON"))?;
    match envelope.get("apiVersion").and_then(Value::as_str) {
        Some(API_VERSION) => {}
        Some(other) if other.starts_with("dossier.dev/") => return Err(Error::Unsupported { key: key.clone() }),
        _ => return Err(corrupt("it has no apiVersion")),
    }
    // The whole of it: bytes that a reader would pass over, such as blanks or a member given twice, are a change too.
    if canonical(&envelope).map_err(|_| corrupt("it is not canonical"))? != bytes {
        return Err(corrupt("its bytes are not canonical"));
    }
    let digest = envelope.shift_remove("digest").and_then(|digest| digest.as_str()?.parse::<Digest>().ok());
    let actual = canonical(&envelope).map_err(|_| corrupt("it is not canonical"))?;
    if digest != Some(Digest::of(&actual)) {
        return Err(corrupt("its bytes do not match its digest"));
    }
    // What follows cannot fail on bytes that a writer made; the digest is not a signature, though.
    let text = |name: &str| envelope.get(name).and_then(Value::as_str).map(str::to_owned);
    let list = |name: &str| match envelope.get(name) {
        Some(Value::Array(items)) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        None => Some(Vec::new()),
        Some(_) => None,
    };
    let kind = text("kind").ok_or_else(|| corrupt("it has no kind"))?;
    let nonce = text("nonce").ok_or_else(|| corrupt("it has no nonce"))?;
    let generation = envelope.get("generation").and_then(Value::as_u64).ok_or_else(|| corrupt("no generation"))?;
    let blobs: Option<Vec<Digest>> =
        list("blobs").and_then(|blobs| blobs.iter().map(|blob| blob.parse().ok()).collect());
    let blobs = blobs.ok_or_else(|| corrupt("its blobs are not digests"))?;
    let previous = list("previous").ok_or_else(|| corrupt("its history is not a list"))?;
    let body = envelope.shift_remove("body").filter(Value::is_object).ok_or_else(|| corrupt("it has no body"))?;
    let record = Record { kind, blobs, body };
    Ok(Stored { record, generation, version, modified: Some(modified), nonce, previous })
}

/// RFC 8785 bytes; a number that would be rounded is refused.
fn canonical(envelope: &Map<String, Value>) -> Result<Vec<u8>> {
    if !envelope.values().all(is_exact) {
        return Err(Error::InvalidRecord { what: "an integer beyond 2^53 must be a string" });
    }
    serde_json_canonicalizer::to_vec(envelope).map_err(|_| Error::InvalidRecord { what: "it has no canonical form" })
}

fn is_exact(value: &Value) -> bool {
    const LIMIT: u64 = 1 << 53;
    match value {
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number <= LIMIT,
            (None, Some(number)) => number.unsigned_abs() <= LIMIT,
            (None, None) => number.as_f64().is_some_and(f64::is_finite),
        },
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(members) => members.values().all(is_exact),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let blobs = vec![Digest::of(b"b"), Digest::of(b"a"), Digest::of(b"b")];
        Record { kind: "Example".to_owned(), blobs, body: serde_json::json!({"z": 1, "a": ["x"]}) }
    }

    fn read(bytes: &[u8]) -> Result<Stored> {
        decode(&Key::parse("k.json").unwrap(), bytes, Version::new("v"), SystemTime::UNIX_EPOCH)
    }

    #[test]
    fn a_record_on_disk() {
        let bytes = encode(&record(), 1, "n1", &[]).unwrap();
        let text = std::str::from_utf8(&bytes).unwrap();
        assert_eq!(
            text,
            "{\"apiVersion\":\"dossier.dev/v1\",\"blobs\":[\
             \"sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d\",\
             \"sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\"],\
             \"body\":{\"a\":[\"x\"],\"z\":1},\
             \"digest\":\"sha256:DIGEST\",\"generation\":1,\"kind\":\"Example\",\"nonce\":\"n1\"}"
                .replace("DIGEST", text.split("\"digest\":\"sha256:").nth(1).unwrap().get(..64).unwrap())
        );
        let back = read(&bytes).unwrap();
        assert_eq!(back.record.body, record().body);
        assert_eq!(back.record.blobs.len(), 2);
        assert_eq!(back.generation, 1);
    }

    #[test]
    fn every_changed_byte_is_found() {
        let bytes = encode(&record(), 1, "n1", &[]).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.to_vec();
            changed[at] ^= 1;
            assert!(read(&changed).is_err(), "byte {at}");
        }
        assert!(read(&bytes[..bytes.len() - 1]).is_err());
        assert!(read(b"").is_err());
    }

    #[test]
    fn a_later_version_is_not_corruption() {
        let error = read(b"{\"apiVersion\":\"dossier.dev/v2\"}").unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }));
    }

    #[test]
    fn what_would_be_rounded_is_refused() {
        let big = Record { body: serde_json::json!({"n": [(1u64 << 53) + 1]}), ..record() };
        assert!(matches!(encode(&big, 1, "n", &[]), Err(Error::InvalidRecord { .. })));
        let bare = Record { body: serde_json::json!([]), ..record() };
        assert!(matches!(encode(&bare, 1, "n", &[]), Err(Error::InvalidRecord { .. })));
    }

    #[test]
    fn the_history_tells_who_wrote() {
        let mut stored = Draft::new(record(), None, "n1".to_owned()).unwrap().stored(Version::new("1"));
        for n in 2..=30 {
            let draft = Draft::new(record(), Some(&stored), format!("n{n}")).unwrap();
            stored = draft.stored(Version::new("v"));
        }
        assert_eq!(stored.includes("n30", 30), Some(true));
        assert_eq!(stored.includes("n29", 29), Some(true));
        assert_eq!(stored.includes("x", 29), Some(false));
        assert_eq!(stored.includes("n14", 14), Some(true));
        assert_eq!(stored.includes("n13", 13), None);
        assert_eq!(stored.includes("n31", 31), Some(false));
    }
}
