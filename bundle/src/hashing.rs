//! Digests of blobs and of ranges in them, for a verifier: no byte is hashed more often than need be, and large bundles on
//! several threads.
//!
//! SHA-256 has no shorter way to the digest of a range than to hash it; but ranges that begin at one byte share a beginning,
//! and a copy of the hasher at the end of the shorter one gives both.

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
pub(crate) struct Hashed<B> {
    bytes: B,
    chains: Vec<Chain>,
}

/// Ranges that begin at one byte, and so are hashed in one go.
struct Chain {
    start: usize,
    /// Ascending; the last is the longest.
    ends: Vec<usize>,
    digests: OnceLock<Vec<Digest>>,
}

impl Chain {
    fn len(&self) -> usize {
        self.ends.last().map_or(0, |end| end - self.start)
    }

    fn digests(&self, bytes: &[u8]) -> &[Digest] {
        self.digests.get_or_init(|| {
            let (mut hasher, mut at) = (Hasher::new(), self.start);
            let mut next = |end: &usize| {
                hasher.update(bytes.get(at..*end).unwrap_or_default());
                at = *end;
                hasher.clone().finish()
            };
            self.ends.iter().map(&mut next).collect()
        })
    }
}

impl<B: AsRef<[u8]>> Hashed<B> {
    /// `bytes`, of which the digests of `ranges` will be asked for. A range that is none of the bytes is left out.
    pub(crate) fn new(bytes: B, ranges: impl Iterator<Item = Range<usize>>) -> Self {
        let size = bytes.as_ref().len();
        let ranges = ranges.map(|range| (range.start, range.end)).chain([(0, size)]);
        let mut ranges: Vec<_> = ranges.filter(|(start, end)| start <= end && *end <= size).collect();
        ranges.sort_unstable();
        ranges.dedup();
        let chains = ranges.chunk_by(|(one, _), (other, _)| one == other).map(|chain| Chain {
            start: chain.first().map_or(0, |(start, _)| *start),
            ends: chain.iter().map(|(_, end)| *end).collect(),
            digests: OnceLock::new(),
        });
        Self { chains: chains.collect(), bytes }
    }

    /// The bytes themselves.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The digest of all bytes.
    pub(crate) fn digest(&self) -> Digest {
        self.of(0..self.bytes().len()).unwrap_or_else(|| Digest::of(self.bytes()))
    }

    /// The digest of a range; `None` where it reaches past the end.
    pub(crate) fn of(&self, range: Range<usize>) -> Option<Digest> {
        let bytes = self.bytes().get(range.clone())?;
        let named = || {
            let chain = &self.chains[self.chains.binary_search_by_key(&range.start, |chain| chain.start).ok()?];
            let place = chain.ends.binary_search(&range.end).ok()?;
            chain.digests(self.bytes()).get(place).copied()
        };
        Some(named().unwrap_or_else(|| Digest::of(bytes)))
    }

    /// All ranges that were named, with their digests.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&[u8], Digest)> {
        self.chains.iter().flat_map(|chain| {
            let digests = chain.digests(self.bytes());
            chain
                .ends
                .iter()
                .zip(digests)
                .filter_map(|(end, digest)| Some((self.bytes().get(chain.start..*end)?, *digest)))
        })
    }
}

/// Hashes all of `blobs`, and does `meanwhile` beside it.
pub(crate) fn hash<B: AsRef<[u8]> + Sync, R>(blobs: &[&Hashed<B>], meanwhile: impl FnOnce() -> R) -> R {
    let total: usize = blobs.iter().map(|blob| blob.bytes().len()).sum();
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    let mut chains: Vec<(&Chain, &[u8])> =
        blobs.iter().flat_map(|blob| blob.chains.iter().map(|chain| (chain, blob.bytes()))).collect();
    // The long ones first, so that no thread is left alone with one at the end.
    chains.sort_by_key(|(chain, _)| std::cmp::Reverse(chain.len()));
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((chain, bytes)) = chains.get(next.fetch_add(1, Ordering::Relaxed)) {
            chain.digests(bytes);
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
        let blobs: Vec<Hashed<Vec<u8>>> =
            (0..5_u8).map(|n| Hashed::new(vec![n; 100_000], std::iter::empty())).collect();
        assert_eq!(hash(&blobs.iter().collect::<Vec<_>>(), || 7), 7);
        assert!(blobs.iter().all(|blob| blob.digest() == Digest::of(blob.bytes())));
        assert!(blobs.iter().all(|blob| blob.chains.iter().all(|chain| chain.digests.get().is_some())));
    }
}
