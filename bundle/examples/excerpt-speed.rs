//! How fast excerpting is, beside SHA-256 of the same bytes in the same run, and what memory it takes.
//!
//!     cargo run --release -p dossier-bundle --example excerpt-speed -- FILE [MEGABYTES]
//!
//! The file's lines are repeated, with numbers of their own, up to the size; the end of the file stays the end. Times are of the
//! best of three, in pieces of 1 MB, on one thread.

use std::time::{Duration, Instant};

use dossier_bundle::cut::Measure;
use dossier_bundle::excerpt::Excerpt;
use sha2::{Digest as _, Sha256};

fn best(work: impl Fn()) -> Duration {
    let timed = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..3).map(timed).min().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let path = args.first().ok_or("a file is wanted")?;
    let size: usize = args.get(1).map_or(Ok(500), |size| size.parse())?;
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    let end = text.len() - text.len() / 4;
    let end = text[..end].rfind('\n').map_or(0, |at| at + 1);
    let mut long = String::with_capacity(size * 1_000_000 + text.len());
    let mut round = 0;
    while long.len() < size * 1_000_000 {
        round += 1;
        for line in text[..end].split_inclusive('\n') {
            long += line.trim_end_matches('\n');
            long += &format!(" {round}\n");
        }
    }
    long += &text[end..];
    let pieces: Vec<String> =
        long.as_bytes().chunks(1_000_000).map(|piece| String::from_utf8_lossy(piece).into_owned()).collect();
    let hash = best(|| {
        let mut hash = Sha256::new();
        pieces.iter().for_each(|piece| hash.update(piece));
        std::hint::black_box(hash.finalize());
    });
    let excerpt = || {
        let mut excerpt: Excerpt<String> = Excerpt::new(256 * 1024, Measure::Raw);
        pieces.iter().for_each(|piece| excerpt.push(piece, &[]));
        excerpt.finish()
    };
    let taken = best(|| {
        std::hint::black_box(excerpt());
    });
    let rate = |time: Duration| long.len() as f64 / 1e6 / time.as_secs_f64();
    let out = excerpt();
    println!(
        "{} bytes: SHA-256 {:.0} MB/s, excerpt {:.0} MB/s ({:.2} x); first error at line {}: {}",
        long.len(),
        rate(hash),
        rate(taken),
        rate(taken) / rate(hash),
        out.first_error.map_or(0, |error| error.line),
        out.first_line.trim(),
    );
    Ok(())
}
