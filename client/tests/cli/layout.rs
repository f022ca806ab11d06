//! A bundle on disk: written, read again, verified, and tampered with.

use std::fs;
use std::path::{Path, PathBuf};

use dossier_bundle::draft::{Attachment, CallerDigest, Draft, Prompt, RedactionStatus, Source};
use dossier_bundle::limits::Limits;
use dossier_bundle::redactions::Redactions;
use dossier_bundle::{Digest, freeze};
use dossier_client::{FetchedBlob, oci};
use dossier_redact::{Clean, Redactor};
use serde_json::Value;

use crate::{run, text};

const EVIDENCE: &[u8] = b"the evidence\n";

fn clean(text: &str) -> Clean {
    Redactor::builder().build().unwrap().redact(text).unwrap().text
}

fn prompt(text: &str) -> Option<Prompt<Clean>> {
    Some(Prompt { text: clean(text), provenance: None, redactions: Redactions::default() })
}

/// The blobs of a bundle as a fetch gives them, the manifest first.
fn blobs() -> Vec<FetchedBlob> {
    let source = Source {
        kind: "logs".to_owned(),
        name: clean("ci log"),
        uri: None,
        reference: None,
        commit: None,
        path: None,
        retrieved_at: None,
        head_sha: None,
        text: clean("error: it broke\n"),
        caller_digest: CallerDigest::Absent,
        omissions: Vec::new(),
        redactions: Redactions::default(),
    };
    let attachment = Attachment {
        id: "evidence-1".parse().unwrap(),
        kind: "note".to_owned(),
        title: clean("A note"),
        media_type: "text/plain; charset=utf-8".to_owned(),
        digest: Digest::of(EVIDENCE),
        bytes: u32::try_from(EVIDENCE.len()).unwrap(),
        source_url: None,
        retrieved_at: None,
        base_sha: None,
        head_sha: None,
        redaction_status: RedactionStatus::Clean,
        truncated: false,
        omissions: Vec::new(),
        redactions: Redactions::default(),
    };
    let redactor = Redactor::builder().build().unwrap();
    let draft = Draft {
        dispatch_run: "run-1".parse().unwrap(),
        project: "shop".parse().unwrap(),
        route: "runs".to_owned(),
        launch: None,
        source_refs: None,
        system: prompt("You are careful."),
        developer: prompt("Use the house style."),
        skills: Vec::new(),
        trigger: prompt("Mend the build."),
        user: None,
        sources: vec![source],
        tools: Vec::new(),
        attachments: vec![attachment],
        permission_review: None,
        limits: Limits::standard(),
        redaction_policy_digest: Digest::of(b"policy"),
    };
    let sealed = freeze(draft, &redactor).sealed.unwrap();
    let blob = |media_type: &str, bytes: &[u8]| FetchedBlob {
        media_type: media_type.to_owned(),
        digest: Digest::of(bytes),
        size: bytes.len() as u64,
        bytes: bytes.to_vec(),
    };
    let mut all = vec![blob(oci::MANIFEST_TYPE, &sealed.bytes)];
    all.extend(sealed.blobs.iter().map(|one| blob(one.media_type, &one.bytes)));
    all.push(blob("text/plain; charset=utf-8", EVIDENCE));
    all
}

fn write(out: &Path) -> Digest {
    let mut writer = oci::Writer::begin(out).unwrap();
    let blobs = blobs();
    for blob in &blobs {
        writer.put(blob).unwrap();
    }
    writer.finish().unwrap();
    blobs[0].digest
}

fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push((path.clone(), fs::read(&path).unwrap())) }
    }
    all.sort();
    all
}

fn verify(dir: &Path, more: &[&str]) -> (Option<i32>, String) {
    let output = run(&[&["verify", dir.to_str().unwrap()], more].concat(), b"");
    (output.status.code(), format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

#[test]
fn the_layout_is_what_oci_says_and_always_the_same() {
    let temp = tempfile::tempdir().unwrap();
    let (one, two) = (temp.path().join("one"), temp.path().join("two"));
    let digest = write(&one);
    write(&two);
    let strip = |root: &Path| -> Vec<(PathBuf, Vec<u8>)> {
        files(root).into_iter().map(|(path, bytes)| (path.strip_prefix(root).unwrap().to_owned(), bytes)).collect()
    };
    assert_eq!(strip(&one), strip(&two));
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 2, "no partial directory is left");

    let json = |path: PathBuf| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap();
    let blob = |descriptor: &Value| {
        let hex = descriptor["digest"].as_str().unwrap().trim_start_matches("sha256:").to_owned();
        let path = one.join("blobs/sha256").join(&hex);
        let bytes = fs::read(&path).unwrap();
        assert_eq!(descriptor["size"], bytes.len());
        assert_eq!(Digest::of(&bytes).hex(), hex);
        path
    };
    assert_eq!(json(one.join("oci-layout"))["imageLayoutVersion"], "1.0.0");
    let index = json(one.join("index.json"));
    let image = json(blob(&index["manifests"][0]));
    assert_eq!(image["mediaType"], "application/vnd.oci.image.manifest.v1+json");
    assert_eq!(image["artifactType"], "application/vnd.dossier.bundle.v1");
    assert_eq!(image["config"]["digest"], digest.to_string());
    blob(&image["config"]);
    let layers = image["layers"].as_array().unwrap();
    assert_eq!(layers.len(), blobs().len() - 1);
    layers.iter().for_each(|layer| drop(blob(layer)));
    assert_eq!(layers[0]["annotations"]["org.opencontainers.image.title"], "messages/system.txt");

    assert_eq!(fs::read(one.join("layers/01-system.txt")).unwrap(), b"You are careful.");
    assert_eq!(fs::read(one.join("attachments/evidence-1")).unwrap(), EVIDENCE);
    assert!(!one.join("layers/04-labels.txt").exists());
    assert_eq!(oci::read(&one).unwrap().digest, digest);
}

#[test]
fn a_whole_layout_verifies_and_says_its_steps() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("bundle");
    let digest = write(&dir);
    let (code, said) = verify(&dir, &["--digest", &digest.to_string()]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("offline    1  holds") && said.ends_with(&format!("VERIFIED {digest}\n")), "{said}");
    let (code, said) = verify(&dir, &["-o", "json"]);
    assert_eq!(code, Some(0));
    assert_eq!(serde_json::from_str::<Value>(&said).unwrap()["verified"], true);
    let (code, _) = verify(&dir, &["--digest", &Digest::of(b"other").to_string()]);
    assert_eq!(code, Some(4));
}

#[test]
fn every_changed_cut_or_missing_file_is_found() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("bundle");
    write(&dir);
    for (path, bytes) in files(&dir) {
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        let longer = [bytes.as_slice(), b"x"].concat();
        let shorter = bytes[..bytes.len() - 1].to_vec();
        for tampered in [Some(changed), Some(longer), Some(shorter), None] {
            match &tampered {
                Some(tampered) => fs::write(&path, tampered).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let (code, said) = verify(&dir, &[]);
            // What leads to the bundle is malformed rather than false where it cannot be read any more.
            let leads = path.ends_with("index.json") || path.ends_with("oci-layout");
            assert!(code == Some(4) || (leads && code == Some(1)), "{}: {code:?} {said}", path.display());
            fs::write(&path, &bytes).unwrap();
        }
    }
    assert_eq!(verify(&dir, &[]).0, Some(0));
    fs::write(dir.join("attachments/planted"), "x").unwrap();
    let (code, said) = verify(&dir, &["-q"]);
    assert_eq!(code, Some(4));
    assert!(said.contains("copy attachments/planted"), "{said}");
}

#[test]
fn a_directory_with_something_in_it_is_left_alone() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("bundle");
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("mine"), "x").unwrap();
    assert!(oci::Writer::begin(&dir).is_err());
    assert_eq!(fs::read(dir.join("mine")).unwrap(), b"x");

    // What is not finished leaves nothing.
    let other = temp.path().join("other");
    let mut writer = oci::Writer::begin(&other).unwrap();
    writer.put(&blobs()[0]).unwrap();
    assert!(writer.finish().is_err());
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
    let (code, said) = verify(&other, &[]);
    assert_eq!(code, Some(1), "{said}");
}
