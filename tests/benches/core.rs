//! What the core costs, beside what nobody can do without: hashing the same bytes with SHA-256.
//!
//!     cargo bench --workspace --bench core
//!
//! Criterion prints times and rates; behind them stands a table of ratios of one run, measured in turns.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on has failed")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use dossier_bundle::draft::{Attachment, Draft, RedactionStatus};
use dossier_bundle::redactions::Redactions;
use dossier_bundle::{Digest, canonical, freeze, verify};
use dossier_redact::{Clean, DeniedValue, ObjectKind, Redactor};
use dossier_tests::{Resolved, words};
use sha2::Digest as _;

/// A full bundle: 250 KiB of messages and 500 KB of attachments.
struct Full {
    redactor: Redactor,
    draft: Draft<Clean>,
    digest: Digest,
    manifest: Vec<u8>,
    blobs: BTreeMap<Digest, Vec<u8>>,
}

impl Full {
    fn new() -> Self {
        let redactor = Redactor::builder().build().unwrap();
        let resolved = Resolved(&redactor);
        let mut blobs = BTreeMap::new();
        let mut attachments = Vec::new();
        for n in 0..2_u32 {
            let text = words(250_000, u64::from(n) + 9);
            let (digest, bytes) = (Digest::of(text.as_bytes()), u32::try_from(text.len()).unwrap());
            attachments.push(Attachment {
                id: format!("part-{n}").parse().unwrap(),
                kind: "log-excerpt".to_owned(),
                title: resolved.clean("a part").0,
                media_type: "text/plain; charset=utf-8".to_owned(),
                digest,
                bytes,
                source_url: None,
                retrieved_at: None,
                base_sha: None,
                head_sha: None,
                redaction_status: RedactionStatus::Clean,
                truncated: false,
                first_error: None,
                omissions: Vec::new(),
                redactions: Redactions::default(),
            });
            blobs.insert(digest, text.into_bytes());
        }
        let draft = Draft {
            system: resolved.prompt(&words(20_000, 1)),
            user: resolved.prompt(&words(4_000, 2)),
            attachments,
            ..resolved.draft(vec![
                resolved.source("logs", "ci", &words(130_000, 3)),
                resolved.source("artifacts", "report", &words(50_000, 4)),
                resolved.source("failed-step", "step", &words(50_000, 5)),
            ])
        };
        let sealed = freeze(draft.clone(), &redactor).sealed.unwrap();
        blobs.extend(sealed.blobs.into_iter().map(|blob| (blob.digest, blob.bytes)));
        Self { redactor, draft, digest: sealed.digest, manifest: sealed.bytes, blobs }
    }

    fn bytes(&self) -> usize {
        self.manifest.len() + self.blobs.values().map(Vec::len).sum::<usize>()
    }

    /// SHA-256 of all bytes that a verifier reads, once.
    fn hash(&self) {
        sha256(&self.manifest);
        self.blobs.values().for_each(|bytes| sha256(bytes));
    }

    fn verify(&self) {
        let report = verify::verify(&self.manifest, Some(&self.digest), &mut |digest| self.blobs.get(digest));
        assert!(report.verified());
    }

    fn freeze(&self) {
        black_box(freeze(self.draft.clone(), &self.redactor));
    }
}

fn sha256(bytes: &[u8]) {
    black_box(sha2::Sha256::digest(bytes));
}

/// The middle of `rounds` times of each, in turns.
fn medians(rounds: usize, works: &mut [&mut dyn FnMut()]) -> Vec<Duration> {
    let mut times = vec![Vec::new(); works.len()];
    for _ in 0..rounds {
        for (work, times) in works.iter_mut().zip(&mut times) {
            let begun = Instant::now();
            work();
            times.push(begun.elapsed());
        }
    }
    let middle = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2]
    };
    times.iter_mut().map(middle).collect()
}

fn line(what: &str, work: Duration, hash: Duration) {
    let (work, hash) = (work.as_secs_f64() * 1e3, hash.as_secs_f64() * 1e3);
    println!("| {what} | {work:.2} ms | {hash:.2} ms | {:.2} × |", hash / work);
}

fn main() {
    let full = Full::new();
    let log = words(4 << 20, 6);
    let redactor = |count: usize| {
        let values = (0..count).map(|n| format!("made-up-{n:04}-denied-value"));
        let values = values.map(|value| DeniedValue::new("a".to_owned(), ObjectKind::Secret, value.into_bytes()));
        values.fold(Redactor::builder(), |builder, value| builder.denied_value(value)).build().unwrap()
    };
    let (plain, denying) = (redactor(0), redactor(100));
    let redact = |redactor: &Redactor| drop(black_box(redactor.redact(&log).unwrap()));
    let text = full.blobs.values().find(|bytes| bytes.starts_with(b"{\"attachments\"")).unwrap();
    let draft: serde_json::Value = serde_json::from_slice(text).unwrap();
    let write = || drop(black_box(canonical::to_vec(&draft).unwrap()));

    let short = (Duration::from_millis(500), Duration::from_secs(3));
    let mut criterion =
        Criterion::default().sample_size(20).warm_up_time(short.0).measurement_time(short.1).configure_from_args();
    for (name, bytes, work) in [
        ("sha256 of a full bundle", full.bytes(), &(|| full.hash()) as &dyn Fn()),
        ("verify a full bundle", full.bytes(), &|| full.verify()),
        ("freeze a full bundle", full.bytes(), &|| full.freeze()),
        ("redact a log", log.len(), &|| redact(&plain)),
        ("redact a log, 100 denied values", log.len(), &|| redact(&denying)),
        ("canonical JSON of a draft", text.len(), &write),
    ] {
        let mut group = criterion.benchmark_group("core");
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |bencher| bencher.iter(work));
        group.finish();
    }
    criterion.final_summary();

    let bundle = medians(60, &mut [&mut || full.hash(), &mut || full.verify(), &mut || full.freeze()]);
    let logs = medians(8, &mut [&mut || sha256(log.as_bytes()), &mut || redact(&plain), &mut || redact(&denying)]);
    let json = medians(60, &mut [&mut || sha256(text), &mut || write()]);
    println!("\n| work | time | SHA-256 of the same bytes | rate against SHA-256 |\n| --- | --- | --- | --- |");
    line("verify a full bundle", bundle[1], bundle[0]);
    line("freeze a full bundle", bundle[2], bundle[0]);
    line("redact a log of 4 MiB", logs[1], logs[0]);
    line("redact it with 100 denied values", logs[2], logs[0]);
    line("canonical JSON of a draft", json[1], json[0]);
}
