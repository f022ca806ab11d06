"""The vectors of docs/vectors, through a verifier that knows only docs/spec.md."""

import json
import pathlib
import re

import pytest

import dossier_verify as dv

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
VECTORS = DOCS / "vectors"


def named(*folders):
    found = [path.parent for folder in folders for path in sorted((VECTORS / folder).glob("*/vector.json"))]
    assert found, "there are no vectors"
    return [pytest.param(path, id=f"{path.parent.name}/{path.name}") for path in found]


def read(path):
    return json.loads((path / "vector.json").read_bytes())


@pytest.mark.parametrize("path", named("valid", "broken"))
def test_a_vector_gives_what_it_says(path):
    vector, report = read(path), dv.verify_vector(str(path))
    assert report.failed_steps == vector["failedSteps"], report.problems
    assert (report.verified, report.unsupported) == (vector["verified"], vector["unsupported"])


@pytest.mark.parametrize("path", named("valid"))
def test_a_valid_bundle_is_made_again_byte_for_byte(path):
    vector = read(path)
    manifest_bytes = (path / "manifest.json").read_bytes()
    manifest = json.loads(manifest_bytes)
    blobs = VECTORS / vector["blobs"]
    blob = lambda digest: (blobs / digest[len("sha256:") :]).read_bytes()  # noqa: E731
    messages, derived = dv.derive(json.loads(blob(manifest["spec"]["draftDigest"])))
    for message, member in dv.RENDERED.items():
        assert messages[message] == blob(manifest["spec"]["prompt"][member])
    if path.name != "unknown-members":
        assert dv.canonical(derived) == manifest_bytes
    assert dv.canonical(dv.known(manifest, dv.MANIFEST_FORM)) == dv.canonical(derived)


@pytest.mark.parametrize("path", named("valid"))
def test_every_changed_byte_of_a_blob_is_found(path):
    vector = read(path)
    manifest_bytes = (path / "manifest.json").read_bytes()
    blobs = {"sha256:" + file.name: file.read_bytes() for file in (VECTORS / vector["blobs"]).iterdir()}
    assert set(blobs) == set(dv.blobs_of(json.loads(manifest_bytes))), "a vector has the blobs it names and no others"
    for name, data in blobs.items():
        for change in (data + b"\n", data[:-1], data[:-1] + bytes([data[-1] ^ 1]) if data else b"\0"):
            if change != data:
                report = dv.verify(manifest_bytes, {**blobs, name: change}, vector["digest"])
                assert 4 in report.failed_steps and not report.verified


@pytest.mark.parametrize("path", named("valid"))
def test_no_changed_byte_of_a_manifest_goes_unseen(path):
    vector = read(path)
    blobs = dv.folder_loader(str(VECTORS / vector["blobs"]))
    data = (path / "manifest.json").read_bytes()
    step = max(1, len(data) // 97)
    for at in range(0, len(data), step):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        assert 1 in dv.verify(changed, blobs, vector["digest"]).failed_steps
        if path.name != "unknown-members":
            # Also where nobody knows the digest: whatever the byte is of, it follows from the draft.
            assert not dv.verify(changed, blobs).verified


@pytest.mark.parametrize("row", json.loads((VECTORS / "escape.json").read_bytes()), ids=lambda row: ascii(row["text"])[:40])
def test_escaping(row):
    assert dv.escape_text(row["text"]) == row["asText"]
    assert dv.escape_attribute(row["text"]) == row["asAttribute"]


@pytest.mark.parametrize(
    "row", json.loads((VECTORS / "canonical.json").read_bytes()), ids=lambda row: row["input"][:24].replace("\n", " ")
)
def test_canonical_json(row):
    if row["canonical"] is None:
        with pytest.raises(dv.NotCanonical):
            dv.canonical_text(row["input"])
    else:
        assert dv.canonical_text(row["input"]) == row["canonical"]


def test_the_command_tells_by_its_exit_code(tmp_path, capsys):
    assert dv.main([str(VECTORS / "valid" / "full")]) == 0
    assert dv.main([str(VECTORS / "broken" / "forged")]) == 1
    assert dv.main([str(VECTORS / "broken" / "later-renderer")]) == 2
    assert dv.main([str(tmp_path)]) == 3
    assert "step 10 failed" in capsys.readouterr().out


def test_built_in_texts_are_those_of_the_page():
    page = (DOCS / "spec.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"```text builtin (\S+)\n(.*?)\n```", page, re.S))
    assert shown == {
        "assignment": dv.ASSIGNMENT,
        "evidence-rules": dv.EVIDENCE_RULES,
        "standing-line": dv.STANDING_LINE,
        "standing-line-with-sources": dv.STANDING_LINE_WITH_SOURCES,
    }
