//! Bundles that do not verify, or that this version cannot judge. Each is a valid one with one stated change.

use dossier_bundle::{Digest, canonical};
use serde_json::{Value, json};

use crate::valid::{self, BINARY, EXCERPT};
use crate::{Expected, Vector};

/// All broken vectors.
pub(crate) fn vectors() -> Vec<Vector> {
    let mut all = bytes_of_the_manifest();
    all.extend(blobs());
    all.extend(ranges());
    all.extend(bounds_and_counts());
    all.extend(drafts());
    all.extend(versions());
    all
}

/// A change that leaves the digest to verify against as it was, or moves it to the changed manifest's.
fn broken(base: &Vector, name: &str, why: &str, failed: &[u8], change: impl FnOnce(&mut Vector)) -> Vector {
    let mut vector = base.clone();
    change(&mut vector);
    vector.path = format!("broken/{name}");
    vector.expected = Expected {
        why: format!("{}: {why}", base.path),
        digest: vector.expected.digest,
        blobs: format!("{}/blobs", if vector.blobs == base.blobs { &base.path } else { &vector.path }),
        verified: false,
        unsupported: failed.is_empty(),
        failed_steps: failed.to_vec(),
    };
    vector
}

/// A manifest that lies, with its own digest: nothing but the steps behind the first can find it.
fn lie(base: &Vector, name: &str, why: &str, failed: &[u8], change: impl FnOnce(&mut Value)) -> Vector {
    broken(base, name, why, failed, |vector| rewrite(vector, change))
}

fn rewrite(vector: &mut Vector, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&vector.manifest).unwrap();
    change(&mut value);
    let manifest = canonical::to_vec(&value).unwrap();
    assert_ne!(manifest, vector.manifest);
    replace(vector, manifest);
}

fn replace(vector: &mut Vector, manifest: Vec<u8>) {
    vector.expected.digest = Digest::of(&manifest);
    vector.manifest = manifest;
}

fn manifest(vector: &Vector) -> Value {
    serde_json::from_slice(&vector.manifest).unwrap()
}

fn digest(value: &Value) -> Digest {
    value.as_str().unwrap().parse().unwrap()
}

/// The digest at a JSON pointer into the spec.
fn at(vector: &Vector, pointer: &str) -> Digest {
    digest(manifest(vector).pointer(&format!("/spec/{pointer}")).unwrap())
}

const SYSTEM: &str = "prompt/renderedSystemDigest";
const DEVELOPER: &str = "prompt/renderedDeveloperDigest";
const TASK: &str = "prompt/renderedTaskDigest";
const DRAFT: &str = "draftDigest";

fn bytes_of_the_manifest() -> Vec<Vector> {
    let base = valid::minimal();
    let text = String::from_utf8(base.manifest.clone()).unwrap();
    let edited = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1).into_bytes()
    };
    vec![
        broken(&base, "manifest-byte", "a byte of the manifest is changed: project shoq", &[1, 10], |vector| {
            vector.manifest = edited("\"shop\"", "\"shoq\"");
        }),
        broken(&base, "manifest-cut", "the manifest's last byte is missing", &[1, 2], |vector| {
            vector.manifest.pop();
        }),
        broken(&base, "manifest-spaced", "a space stands behind a colon, and the digest is right", &[2], |vector| {
            replace(vector, edited("\"kind\":\"AgentContextBundle\"", "\"kind\": \"AgentContextBundle\""));
        }),
        broken(&base, "manifest-twice", "a member stands twice, and the digest is right", &[2], |vector| {
            let project = "\"project\":\"shop\"";
            replace(vector, edited(project, &format!("{project},{project}")));
        }),
    ]
}

fn blobs() -> Vec<Vector> {
    let (base, evidence) = (valid::minimal(), valid::evidence());
    let set = |of: Digest, bytes: Vec<u8>| move |vector: &mut Vector| drop(vector.blobs.insert(of, bytes));
    let flipped = |vector: &Vector, of: Digest| {
        let mut bytes = vector.blobs[&of].clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        set(of, bytes)
    };
    let longer = |vector: &Vector, of: Digest| set(of, [&vector.blobs[&of][..], b"\n"].concat());
    let [tool, _] = valid::objects().map(|bytes| Digest::of(&bytes));
    let (picture, log) = (Digest::of(BINARY), Digest::of(EXCERPT));
    let [system, developer, task, draft] = [SYSTEM, DEVELOPER, TASK, DRAFT].map(|pointer| at(&base, pointer));
    vec![
        broken(&base, "system-byte", "a byte of message system is changed", &[4], flipped(&base, system)),
        broken(&base, "task-byte", "a byte of message task is changed", &[4], flipped(&base, task)),
        broken(&base, "draft-byte", "a byte of the draft is changed", &[4, 8], flipped(&base, draft)),
        broken(&evidence, "tool-byte", "a byte of a tool is changed", &[4], flipped(&evidence, tool)),
        broken(&evidence, "attachment-byte", "a byte of an attachment is changed", &[4], flipped(&evidence, picture)),
        broken(&base, "message-missing", "message task is missing", &[4], |vector| drop(vector.blobs.remove(&task))),
        broken(&base, "draft-missing", "the draft is missing", &[4, 8], |vector| drop(vector.blobs.remove(&draft))),
        broken(&base, "message-oversize", "message developer has a byte more", &[4], longer(&base, developer)),
        broken(&evidence, "attachment-oversize", "an attachment has a byte more", &[4], longer(&evidence, log)),
        broken(&base, "blobs-swapped", "the bytes of messages system and task are swapped", &[4], |vector| {
            let (one, other) = (vector.blobs[&system].clone(), vector.blobs[&task].clone());
            vector.blobs.insert(system, other);
            vector.blobs.insert(task, one);
        }),
    ]
}

fn add(value: &mut Value, by: i64) {
    *value = json!(value.as_i64().unwrap() + by);
}

fn ranges() -> Vec<Vector> {
    let base = valid::minimal();
    let task = base.blobs[&at(&base, TASK)].clone();
    let of = |from: usize, bytes: usize| json!(Digest::of(&task[from..from + bytes]));
    vec![
        lie(&base, "digests-swapped", "the digests of two messages are swapped in the manifest", &[4, 10], |value| {
            let prompt = &mut value["spec"]["prompt"];
            let system = prompt["renderedSystemDigest"].take();
            prompt["renderedSystemDigest"] = prompt["renderedDeveloperDigest"].take();
            prompt["renderedDeveloperDigest"] = system;
        }),
        lie(&base, "layer-offset", "layer trigger is said to begin a byte later", &[5, 6, 10], |value| {
            add(&mut value["spec"]["layers"][4]["offset"], 1);
        }),
        lie(&base, "layer-bytes", "layer user is said to have a byte more", &[4, 10], |value| {
            add(&mut value["spec"]["layers"][5]["bytes"], 1);
        }),
        lie(&base, "layer-digest", "layer sources is said to have the digest of layer user", &[5, 10], |value| {
            value["spec"]["layers"][6]["digest"] = value["spec"]["layers"][5]["digest"].clone();
        }),
        lie(
            &base,
            "layer-border",
            "the border of layers trigger and user is moved by a byte, digests and all",
            &[6, 10],
            |value| {
                let layers = &mut value["spec"]["layers"];
                let (start, bytes) = (layers[4]["offset"].as_u64().unwrap(), layers[4]["bytes"].as_u64().unwrap());
                let (start, bytes) = (start as usize, bytes as usize + 1);
                add(&mut layers[4]["bytes"], 1);
                layers[4]["digest"] = of(start, bytes);
                add(&mut layers[5]["offset"], 1);
                add(&mut layers[5]["bytes"], -1);
                layers[5]["digest"] = of(start + bytes, task.len() - start - bytes);
            },
        ),
        lie(&base, "layers-order", "layers trigger and user have changed places in the list", &[5, 10], |value| {
            value["spec"]["layers"].as_array_mut().unwrap().swap(4, 5);
        }),
        lie(&base, "layer-missing", "layer labels, which is empty, is not listed", &[5, 10], |value| {
            value["spec"]["layers"].as_array_mut().unwrap().remove(3);
        }),
        lie(&base, "layer-elsewhere", "layer labels is said to stand in message task", &[5, 10], |value| {
            value["spec"]["layers"][3]["message"] = json!("task");
        }),
        lie(&base, "fragment-gap", "a byte between two fragments of layer user belongs to none", &[6, 10], |value| {
            let fragment = &mut value["spec"]["layers"][5]["fragments"][1];
            add(&mut fragment["offset"], 1);
            add(&mut fragment["bytes"], -1);
            let from = fragment["offset"].as_u64().unwrap() as usize;
            fragment["digest"] = of(from, task.len() - from);
        }),
        lie(&base, "fragment-beyond", "the last fragment is said to end behind the message", &[6, 10], |value| {
            add(&mut value["spec"]["layers"][5]["fragments"][1]["bytes"], 1);
        }),
        lie(&base, "fragment-digest", "a fragment is said to have the digest of its layer", &[6, 10], |value| {
            let layer = &mut value["spec"]["layers"][4];
            layer["fragments"][0]["digest"] = layer["digest"].clone();
        }),
    ]
}

fn bounds_and_counts() -> Vec<Vector> {
    let (base, evidence, excerpt) = (valid::minimal(), valid::evidence(), valid::excerpt());
    let limit = |name: &'static str, to: u32| move |value: &mut Value| value["spec"]["limits"][name] = json!(to);
    vec![
        lie(
            &base,
            "over-max-bytes",
            "the limit of the whole is below what is there",
            &[7, 10],
            limit("maxBytes", 1_000),
        ),
        lie(
            &base,
            "over-max-prompt-bytes",
            "the limit of layers 1 to 6 is below what is there",
            &[7, 10],
            limit("maxPromptBytes", 500),
        ),
        lie(
            &evidence,
            "over-max-attachment-bytes",
            "an attachment is larger than its limit",
            &[7, 10],
            limit("maxAttachmentBytes", 20),
        ),
        lie(&base, "truncated-lie", "limits.truncated is true, and nothing is listed", &[7, 10], |value| {
            value["spec"]["limits"]["truncated"] = json!(true);
        }),
        lie(
            &base,
            "source-truncated-lie",
            "a source is said to be truncated, and nothing is listed",
            &[7, 10],
            |value| {
                value["spec"]["sources"][0]["truncated"] = json!(true);
            },
        ),
        lie(&excerpt, "whole-lie", "a source that was cut is said to be whole", &[7, 10], |value| {
            value["spec"]["sources"][0]["truncated"] = json!(false);
        }),
        lie(&excerpt, "omission-missing", "an omission is not listed", &[7, 10], |value| {
            value["spec"]["limits"]["omissions"].as_array_mut().unwrap().remove(0);
        }),
        lie(&base, "redactions-total", "the total of redactions is one more than its parts", &[9, 10], |value| {
            add(&mut value["spec"]["redactions"][0]["count"], 1);
        }),
        lie(
            &evidence,
            "redactions-order",
            "the rows of redactions are not in the order of the stages",
            &[9, 10],
            |value| {
                value["spec"]["redactions"].as_array_mut().unwrap().swap(0, 1);
            },
        ),
        lie(&base, "redactions-fragment", "a fragment has more redactions than the bundle", &[9, 10], |value| {
            add(&mut value["spec"]["layers"][6]["fragments"][0]["redactions"][0]["count"], 1);
        }),
        lie(&base, "finding-missing", "a finding is not listed", &[10], |value| {
            value["spec"]["findings"].as_array_mut().unwrap().pop();
        }),
        lie(&base, "provenance-changed", "a fragment is said to come from elsewhere", &[10], |value| {
            value["spec"]["layers"][5]["fragments"][0]["provenance"]["origin"] = json!("dossier/builtin");
        }),
    ]
}

/// Puts another draft in place of the bundle's, under its own digest.
fn redraft(vector: &mut Vector, draft: Vec<u8>) {
    let old = at(vector, DRAFT);
    assert_ne!(vector.blobs.remove(&old).unwrap(), draft);
    let new = Digest::of(&draft);
    vector.blobs.insert(new, draft);
    rewrite(vector, |value| value["spec"]["draftDigest"] = json!(new));
}

fn drafts() -> Vec<Vector> {
    let base = valid::minimal();
    let draft: Value = serde_json::from_slice(&base.blobs[&at(&base, DRAFT)]).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut draft = draft.clone();
        change(&mut draft);
        canonical::to_vec(&draft).unwrap()
    };
    let with = |name: &str, why: &str, failed: &[u8], change: &dyn Fn(&mut Value)| {
        broken(&base, name, why, failed, |vector| redraft(vector, changed(change)))
    };
    vec![
        with(
            "draft-text",
            "the draft has another text of a source, and the manifest names that draft",
            &[8, 10],
            &|draft| {
                draft["sources"][0]["text"] = json!("nothing to see");
            },
        ),
        with(
            "draft-prompt",
            "the draft has another system prompt, and the manifest names that draft",
            &[10],
            &|draft| {
                draft["system"]["text"] = json!("You are careless");
            },
        ),
        with("draft-redactions", "the draft counts one redaction more than the manifest", &[9, 10], &|draft| {
            add(&mut draft["sources"][0]["redactions"][0]["count"], 1);
        }),
        with("draft-unknown-member", "the draft has a member that renderer version 1 does not know", &[10], &|draft| {
            draft["later"] = json!(true);
        }),
        with("draft-null", "the draft has an optional member that is null", &[10], &|draft| {
            draft["developer"] = Value::Null;
        }),
        with("draft-malformed", "the draft names a run that is no name", &[8], &|draft| {
            draft["dispatchRun"] = json!("Run 1");
        }),
        broken(
            &base,
            "draft-spaced",
            "the draft is not canonical, and the manifest names that draft",
            &[8],
            |vector| {
                redraft(vector, serde_json::to_vec_pretty(&draft).unwrap());
            },
        ),
        broken(
            &base,
            "forged",
            "the task message has other words of the user's, all digests and ranges right",
            &[10],
            |vector| {
                let old = at(vector, TASK);
                let text = String::from_utf8(vector.blobs.remove(&old).unwrap()).unwrap();
                let bytes = text.replacen("Keep it small.", "Keep it quiet.", 1).into_bytes();
                let task = Digest::of(&bytes);
                let of = |part: &Value| {
                    let (from, size) =
                        (part["offset"].as_u64().unwrap() as usize, part["bytes"].as_u64().unwrap() as usize);
                    json!(Digest::of(&bytes[from..from + size]))
                };
                rewrite(vector, |value| {
                    let layer = &mut value["spec"]["layers"][5];
                    layer["fragments"][0]["digest"] = of(&layer["fragments"][0]);
                    layer["digest"] = of(layer);
                    value["spec"]["prompt"]["renderedTaskDigest"] = json!(task);
                    value["spec"]["prompt"]["user"] = json!(Digest::of(b"Keep it quiet."));
                });
                vector.blobs.insert(task, bytes);
            },
        ),
    ]
}

fn versions() -> Vec<Vector> {
    let base = valid::minimal();
    let set = |pointer: &'static str, to: Value| move |value: &mut Value| *value.pointer_mut(pointer).unwrap() = to;
    let version = "/spec/rendererVersion";
    vec![
        lie(
            &base,
            "unknown-api-version",
            "apiVersion is a later one",
            &[],
            set("/apiVersion", json!("dossier.dev/v2")),
        ),
        lie(
            &base,
            "unknown-layer",
            "a layer has a name that this version does not know",
            &[],
            set("/spec/layers/3/name", json!("memory")),
        ),
        lie(
            &base,
            "unknown-message",
            "a layer stands in a message that this version does not know",
            &[],
            set("/spec/layers/3/message", json!("assistant")),
        ),
        lie(
            &base,
            "later-renderer",
            "rendererVersion is a later one: all but the derivation is checked",
            &[],
            set(version, json!("2")),
        ),
        broken(
            &base,
            "later-renderer-byte",
            "rendererVersion is a later one, and a byte of message system is changed",
            &[4],
            |vector| {
                rewrite(vector, set(version, json!("2")));
                let system = at(vector, SYSTEM);
                vector.blobs.insert(system, b"You are careful?".to_vec());
            },
        ),
        lie(&base, "member-missing", "draftDigest, which is required, is missing", &[3], |value| {
            value["spec"].as_object_mut().unwrap().remove("draftDigest");
        }),
        lie(&base, "member-type", "an offset is a string", &[3], set("/spec/layers/0/offset", json!("0"))),
    ]
}
