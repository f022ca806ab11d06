//! Receiving a bundle: blob after blob, each checked while it arrives.

use dossier_bundle::{Digest, Hasher};
use dossier_proto::v1::{self, fetch_bundle_response::Payload};
use tonic::Streaming;

use crate::error::Error;

/// No stored blob is larger.
const MAX_BLOB: i64 = 64 * 1024 * 1024;

/// The bytes of a bundle, as they come.
pub struct Fetch {
    stream: Streaming<v1::FetchBundleResponse>,
    bundle: v1::Bundle,
    digest: Digest,
    blobs: Vec<FetchedBlob>,
    next: usize,
    have: Vec<Digest>,
}

/// A blob, with bytes that were checked against its digest.
#[derive(Clone)]
pub struct FetchedBlob {
    /// What the bytes are.
    pub media_type: String,
    /// Their digest.
    pub digest: Digest,
    /// Their number.
    pub size: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Fetch {
    pub(super) async fn begin(mut stream: Streaming<v1::FetchBundleResponse>, have: &[Digest]) -> Result<Self, Error> {
        let header = match stream.message().await?.and_then(|message| message.payload) {
            Some(Payload::Header(header)) => header,
            _ => return Err(Error::Protocol("a fetch must begin with its header")),
        };
        let bundle = header.bundle.ok_or(Error::Protocol("a fetch's header must name the bundle"))?;
        let digest: Digest = bundle.digest.parse().map_err(|_| Error::Protocol("the bundle's digest is malformed"))?;
        let blobs = header.blobs.into_iter().map(descriptor).collect::<Result<Vec<_>, _>>()?;
        if blobs.first().is_none_or(|blob| blob.digest != digest) && !have.contains(&digest) {
            return Err(Error::Protocol("a fetch must begin with the manifest that the bundle's digest names"));
        }
        Ok(Self { stream, bundle, digest, blobs, next: 0, have: have.to_vec() })
    }

    /// The bundle, without its spec and pins.
    #[must_use]
    pub fn bundle(&self) -> &v1::Bundle {
        &self.bundle
    }

    /// The bundle's digest, which is that of the manifest.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How many bytes are still to come.
    #[must_use]
    pub fn bytes_left(&self) -> u64 {
        self.blobs.iter().skip(self.next).map(|blob| blob.size).sum()
    }

    /// The next blob, the manifest first; `None` when all are received.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where bytes do not have the size or digest that the header names; [`Error::Rpc`] with DATA_LOSS
    /// where the server found that first.
    pub async fn next_blob(&mut self) -> Result<Option<FetchedBlob>, Error> {
        let Some(mut blob) = self.blobs.get(self.next).cloned() else {
            return match self.stream.message().await? {
                None => Ok(None),
                Some(_) => Err(Error::Protocol("a fetch sends more than its header names")),
            };
        };
        self.next += 1;
        if self.have.contains(&blob.digest) {
            return Box::pin(self.next_blob()).await;
        }
        let corrupt = |detail| Error::Corrupt { digest: blob.digest, detail };
        let mut hasher = Hasher::new();
        loop {
            let chunk = match self.stream.message().await?.map(|message| message.payload) {
                Some(Some(Payload::Chunk(chunk))) => chunk,
                Some(_) => return Err(Error::Protocol("a fetch sends chunks after its header")),
                None => return Err(corrupt("the stream ended before all of its bytes came")),
            };
            if chunk.digest.parse() != Ok(blob.digest) {
                return Err(corrupt("another blob began before all of its bytes came"));
            }
            let received = blob.bytes.len() as u64;
            if u64::try_from(chunk.offset) != Ok(received) {
                return Err(corrupt("a chunk is out of order"));
            }
            // The size comes first: nothing is kept, or hashed, past the end.
            if received + chunk.data.len() as u64 > blob.size {
                return Err(corrupt("more bytes came than its size says"));
            }
            hasher.update(&chunk.data);
            blob.bytes.extend_from_slice(&chunk.data);
            if blob.bytes.len() as u64 == blob.size {
                break;
            }
            if chunk.data.is_empty() {
                return Err(corrupt("an empty chunk came before the end"));
            }
        }
        if hasher.finish() != blob.digest {
            return Err(corrupt("the bytes have another digest"));
        }
        Ok(Some(blob))
    }
}

fn descriptor(blob: v1::BlobDescriptor) -> Result<FetchedBlob, Error> {
    let digest = blob.digest.parse().map_err(|_| Error::Protocol("a blob's digest is malformed"))?;
    if !(0..=MAX_BLOB).contains(&blob.bytes) {
        return Err(Error::Corrupt { digest, detail: "its size is out of bounds" });
    }
    Ok(FetchedBlob { media_type: blob.media_type, digest, size: blob.bytes.unsigned_abs(), bytes: Vec::new() })
}
