//! Digests of blobs and of ranges in them, for a verifier: no byte is hashed more often than need be, and large bundles on
//! several threads.
//!
//! SHA-256 has no shorter way to the digest of a range than to hash it; but ranges that begin at one byte share a beginning,
//! and a copy of the hasher at the end of the shorter one gives both.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::digest::{Digest, Hasher};

/// From so many bytes on a second thread is worth its start.
const LARGE: usize = 128 << 10;
/// No more threads than this help, whatever the machine has.
const THREADS: usize = 4;

/// Bytes to hash, whole and in ranges.
pub(crate) struct Hashed {
    pub(crate) bytes: Vec<u8>,
    ranges: Vec<(usize, usize)>,
    digests: OnceLock<BTreeMap<(usize, usize), Digest>>,
}

impl Hashed {
    /// `bytes`, of which the digests of `ranges` will be asked for. A range that is none of the bytes is left out.
    pub(crate) fn new(bytes: Vec<u8>, ranges: impl Iterator<Item = Range<usize>>) -> Self {
        let ranges = ranges.map(|range| (range.start, range.end)).chain([(0, bytes.len())]);
        let mut ranges: Vec<_> = ranges.filter(|(start, end)| start <= end && *end <= bytes.len()).collect();
        ranges.sort_unstable();
        ranges.dedup();
        Self { bytes, ranges, digests: OnceLock::new() }
    }

    /// The digest of all bytes.
    pub(crate) fn digest(&self) -> Digest {
        self.of(0..self.bytes.len()).unwrap_or_else(|| Digest::of(&self.bytes))
    }

    /// The digest of a range; `None` where it reaches past the end.
    pub(crate) fn of(&self, range: Range<usize>) -> Option<Digest> {
        let bytes = self.bytes.get(range.clone())?;
        Some(self.digests().get(&(range.start, range.end)).copied().unwrap_or_else(|| Digest::of(bytes)))
    }

    /// All ranges that were named, with their digests.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&[u8], Digest)> {
        self.digests().iter().filter_map(|((start, end), digest)| Some((self.bytes.get(*start..*end)?, *digest)))
    }

    fn digests(&self) -> &BTreeMap<(usize, usize), Digest> {
        self.digests.get_or_init(|| {
            let (mut hasher, mut begun, mut at) = (Hasher::new(), 0, 0);
            let mut digests = BTreeMap::new();
            for (start, end) in &self.ranges {
                if *start != begun {
                    (hasher, begun, at) = (Hasher::new(), *start, *start);
                }
                hasher.update(self.bytes.get(at..*end).unwrap_or_default());
                at = *end;
                digests.insert((*start, *end), hasher.clone().finish());
            }
            digests
        })
    }
}

/// Hashes all of `blobs`, and does `meanwhile` beside it.
pub(crate) fn hash<R>(blobs: &[&Hashed], meanwhile: impl FnOnce() -> R) -> R {
    let total: usize = blobs.iter().map(|blob| blob.bytes.len()).sum();
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(blob) = blobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            blob.digests();
        }
    };
    thread::scope(|scope| {
        for _ in 1..if total < LARGE { 1 } else { threads } {
            // Where no thread can be had, this one does the work of all.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        let done = meanwhile();
        work();
        done
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_range_has_the_digest_of_its_bytes(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            ranges in prop::collection::vec((0_usize..300, 0_usize..300), 0..20),
        ) {
            let hashed = Hashed::new(bytes.clone(), ranges.iter().map(|(start, end)| *start..*end));
            hash(&[&hashed], || ());
            prop_assert_eq!(hashed.digest(), Digest::of(&bytes));
            for (start, end) in ranges {
                prop_assert_eq!(hashed.of(start..end), bytes.get(start..end).map(Digest::of));
            }
            prop_assert!(hashed.all().all(|(bytes, digest)| digest == Digest::of(bytes)));
        }
    }

    #[test]
    fn large_blobs_are_hashed_on_threads_as_on_one() {
        let blobs: Vec<Hashed> = (0..5_u8).map(|n| Hashed::new(vec![n; 100_000], std::iter::empty())).collect();
        assert_eq!(hash(&blobs.iter().collect::<Vec<_>>(), || 7), 7);
        assert!(blobs.iter().all(|blob| blob.digests.get().is_some() && blob.digest() == Digest::of(&blob.bytes)));
    }
}
