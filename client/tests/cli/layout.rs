//! A bundle on disk: written, read again, verified, and tampered with.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

use dossier_bundle::draft::{Attachment, CallerDigest, Draft, Prompt, RedactionStatus, Source};
use dossier_bundle::limits::Limits;
use dossier_bundle::redactions::Redactions;
use dossier_bundle::{Digest, freeze};
use dossier_client::{FetchedBlob, oci};
use dossier_redact::{Clean, Redactor};
use serde_json::{Value, json};

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
        first_error: None,
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
        first_error: None,
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
            assert_eq!(code, Some(4), "{}: {said}", path.display());
            fs::write(&path, &bytes).unwrap();
        }
    }
    assert_eq!(verify(&dir, &[]).0, Some(0));
}

/// The verification fails, and names these paths.
fn fails(dir: &Path, paths: &[&str]) {
    let (code, said) = verify(dir, &["-q"]);
    assert_eq!(code, Some(4), "{paths:?}: {said}");
    for path in paths {
        assert!(said.contains(&format!("file {path}: ")), "{path}: {said}");
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The file that a descriptor names.
fn named(descriptor: &Value) -> String {
    format!("blobs/sha256/{}", descriptor["digest"].as_str().unwrap().trim_start_matches("sha256:"))
}

fn put(dir: &Path, descriptor: &mut Value, bytes: &[u8]) {
    descriptor["digest"] = Digest::of(bytes).to_string().into();
    descriptor["size"] = bytes.len().into();
    fs::write(dir.join(named(descriptor)), bytes).unwrap();
}

/// Changes the OCI manifest, with all digests and sizes on the way to it right; gives its path.
fn forge_image(dir: &Path, change: impl FnOnce(&mut Value)) -> String {
    let mut index = json(&dir.join("index.json"));
    let old = dir.join(named(&index["manifests"][0]));
    let mut image = json(&old);
    change(&mut image);
    fs::remove_file(old).unwrap();
    put(dir, &mut index["manifests"][0], &serde_json::to_vec(&image).unwrap());
    fs::write(dir.join("index.json"), serde_json::to_vec(&index).unwrap()).unwrap();
    named(&index["manifests"][0])
}

#[test]
fn whatever_the_oci_manifest_says_beyond_the_bundle_is_found() {
    const NAME: &str = "org.opencontainers.image.title";
    type Change = fn(&mut Value);
    let changes: [Change; 11] = [
        |image| image["layers"][0]["annotations"][NAME] = "../../evil".into(),
        |image| image["layers"][3]["annotations"] = json!({NAME: "messages/task.txt"}),
        |image| image["layers"][0]["size"] = 1.into(),
        |image| image["layers"].as_array_mut().unwrap().reverse(),
        |image| drop(image["layers"].as_array_mut().unwrap().pop()),
        |image| image["layers"][0]["urls"] = json!(["https://evil.example/"]),
        |image| image["layers"][0]["mediaType"] = "text/html".into(),
        |image| image["subject"] = image["config"].clone(),
        |image| image["annotations"] = json!({"a": "b"}),
        |image| image["config"]["size"] = 1.into(),
        |image| image["config"]["mediaType"] = "application/json".into(),
    ];
    let temp = tempfile::tempdir().unwrap();
    for (number, change) in changes.into_iter().enumerate() {
        let dir = temp.path().join(number.to_string());
        write(&dir);
        let image = forge_image(&dir, change);
        fails(&dir, &[&image]);
    }

    // A layer of other bytes, under the name of a message.
    let dir = temp.path().join("retargeted");
    write(&dir);
    let mut planted = Value::Null;
    let image = forge_image(&dir, |image| {
        put(&dir, &mut image["layers"][2], b"Do as I say.");
        planted = image["layers"][2].clone();
    });
    fails(&dir, &[&image, &named(&planted)]);
}

#[test]
fn whatever_the_index_says_beyond_the_bundle_is_found() {
    type Change = fn(&mut Value);
    let changes: [Change; 7] = [
        |index| index["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"] = "latest".into(),
        |index| index["manifests"][0]["mediaType"] = "application/json".into(),
        |index| index["manifests"][0]["artifactType"] = "application/json".into(),
        |index| index["manifests"][0]["size"] = 1.into(),
        |index| index["manifests"][0]["digest"] = "sha256:../../evil".into(),
        |index| index["annotations"] = json!({"a": "b"}),
        |index| index["manifests"].as_array_mut().unwrap().push(json!({"mediaType": "a", "digest": "b", "size": 1})),
    ];
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("bundle");
    write(&dir);
    let whole = fs::read(dir.join("index.json")).unwrap();
    for change in changes {
        let mut index: Value = serde_json::from_slice(&whole).unwrap();
        change(&mut index);
        fs::write(dir.join("index.json"), serde_json::to_vec(&index).unwrap()).unwrap();
        fails(&dir, &["index.json"]);
    }
    // The same JSON in other bytes is another file.
    for name in ["index.json", "oci-layout"] {
        let whole = fs::read(dir.join(name)).unwrap();
        fs::write(dir.join(name), [&whole, b" ".as_slice()].concat()).unwrap();
        fails(&dir, &[name]);
        fs::write(dir.join(name), whole).unwrap();
    }
}

#[test]
fn whatever_was_added_is_named() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("bundle");
    write(&dir);
    let blob = format!("blobs/sha256/{}", Digest::of(b"x").hex());
    let names = ["evil.txt", ".hidden", "attachments/planted", "layers/.x", "blobs/x", "blobs/sha256/x", blob.as_str()];
    for name in names {
        fs::write(dir.join(name), "x").unwrap();
        fails(&dir, &[name]);
        fs::remove_file(dir.join(name)).unwrap();
    }
    for name in ["empty", "blobs/sha512", "messages/more"] {
        fs::create_dir(dir.join(name)).unwrap();
        fails(&dir, &[name]);
        fs::remove_dir(dir.join(name)).unwrap();
    }
    // Its name cannot steer a terminal.
    fs::write(dir.join("a\u{1b}[2J\n"), "x").unwrap();
    fails(&dir, &["a\\u{1b}[2J\\n"]);
    fs::remove_file(dir.join("a\u{1b}[2J\n")).unwrap();
    // A directory where a file belongs.
    fs::remove_file(dir.join("messages/task.txt")).unwrap();
    fs::create_dir(dir.join("messages/task.txt")).unwrap();
    fails(&dir, &["messages/task.txt"]);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_named_and_never_opened() {
    use std::os::unix::fs::symlink;
    let temp = tempfile::tempdir().unwrap();
    let (whole, dir) = (temp.path().join("whole"), temp.path().join("bundle"));
    write(&whole);
    write(&dir);
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());

    for target in [Path::new("/etc/hostname"), Path::new("/"), Path::new("nowhere"), Path::new("index.json")] {
        symlink(target, dir.join("more")).unwrap();
        fails(&dir, &["more"]);
        fs::remove_file(dir.join("more")).unwrap();
    }
    for name in ["more", "attachments/more", "blobs/sha256/more"] {
        pipe(&dir.join(name));
        fails(&dir, &[name]);
        fs::remove_file(dir.join(name)).unwrap();
    }
    // In the place of a file, even with a link to the right bytes.
    let held = dir.join("held");
    for (path, bytes) in files(&dir) {
        let name = path.strip_prefix(&dir).unwrap();
        fs::remove_file(&path).unwrap();
        symlink(whole.join(name), &path).unwrap();
        fails(&dir, &[name.to_str().unwrap()]);
        fs::remove_file(&path).unwrap();
        pipe(&path);
        fails(&dir, &[name.to_str().unwrap()]);
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    // In the place of a directory.
    for name in ["attachments", "messages", "layers"] {
        fs::rename(dir.join(name), &held).unwrap();
        symlink(whole.join(name), dir.join(name)).unwrap();
        fails(&dir, &[name]);
        fs::remove_file(dir.join(name)).unwrap();
        fs::rename(&held, dir.join(name)).unwrap();
    }
    for name in ["blobs", "blobs/sha256"] {
        let away = temp.path().join("away");
        fs::rename(dir.join(name), &away).unwrap();
        symlink(&away, dir.join(name)).unwrap();
        assert_eq!(verify(&dir, &[]).0, Some(4));
        fs::remove_file(dir.join(name)).unwrap();
        fs::rename(&away, dir.join(name)).unwrap();
    }
    assert_eq!(verify(&dir, &[]).0, Some(0));
}

#[test]
fn damaged_unknown_and_absent_end_differently() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("bundle");
    let absent = verify(&dir, &[]);
    assert_eq!(absent.0, Some(1), "{}", absent.1);
    fs::create_dir(&dir).unwrap();
    let (code, said) = verify(&dir, &[]);
    assert!(code == Some(4) && said.contains("oci-layout"), "{said}");
    fs::remove_dir(&dir).unwrap();

    write(&dir);
    let image = named(&json(&dir.join("index.json"))["manifests"][0]);
    for name in ["index.json", "oci-layout", image.as_str()] {
        let whole = fs::read(dir.join(name)).unwrap();
        for bytes in [b"".as_slice(), b"{", b"[]", b"{}", b"null", b"\xff"] {
            fs::write(dir.join(name), bytes).unwrap();
            fails(&dir, &[name]);
        }
        fs::remove_file(dir.join(name)).unwrap();
        fails(&dir, &[name]);
        fs::write(dir.join(name), whole).unwrap();
    }
    let image = forge_image(&dir, |image| *image = json!({"schemaVersion": 2}));
    fails(&dir, &[&image]);

    fs::write(dir.join("oci-layout"), r#"{"imageLayoutVersion":"2.0.0"}"#).unwrap();
    let (code, said) = verify(&dir, &[]);
    assert_eq!(code, Some(9), "{said}");
    assert!(said.contains("unsupported  file oci-layout") && said.contains("UNSUPPORTED"), "{said}");
}

#[test]
fn attachments_whose_ids_are_no_ids_are_damage() {
    let temp = tempfile::tempdir().unwrap();
    for (number, id) in ["../../evil", "/etc/evil", "", "A", "a/b"].into_iter().enumerate() {
        let dir = temp.path().join(number.to_string());
        write(&dir);
        forge_image(&dir, |image| {
            let mut manifest = json(&dir.join(named(&image["config"])));
            manifest["spec"]["attachments"][0]["id"] = id.into();
            // With another renderer, nothing but the id is wrong that this version can tell.
            manifest["spec"]["rendererVersion"] = "later".into();
            fs::remove_file(dir.join(named(&image["config"]))).unwrap();
            put(&dir, &mut image["config"], &serde_json::to_vec(&manifest).unwrap());
        });
        let (code, said) = verify(&dir, &["-q"]);
        assert_eq!(code, Some(4), "{id:?}: {said}");
    }
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
