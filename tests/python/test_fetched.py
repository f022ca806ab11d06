"""What `dossier fetch` writes, and `dossier verify` against the verifier that knows only the page."""

import copy
import json
import os
import random
import shutil
import subprocess

import pytest

import dossier_verify as dv
from harness import binary, sha
from test_api import rich

SOAK = os.environ.get("DOSSIER_SOAK") == "1"


def dossier(*arguments, home, code=0):
    """The command line; its output."""
    path = os.environ.get("DOSSIER_BIN") or os.path.join(os.path.dirname(binary()), "dossier")
    if not os.path.exists(path):
        pytest.skip(f"{path} is not built")
    done = subprocess.run(
        [path, *map(str, arguments)],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    assert code is None or done.returncode == code, (arguments, done)
    return done


@pytest.fixture(scope="module")
def fetched(server, api, tmp_path_factory):
    home = tmp_path_factory.mktemp("fetched")
    bundle = api.create(rich(api, "fetched"), run="fetched").bundle
    at = ("--server", server.address, "--token-file", server.token_file)
    dossier(*at, "fetch", bundle.name, "--out", home / "one", home=home)
    dossier(*at, "fetch", bundle.name, "--out", home / "two", home=home)
    return home, bundle


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_fetched_directory_verifies(fetched):
    home, bundle = fetched
    assert tree(home / "one") == tree(home / "two"), "the same bundle gives the same directory"
    assert dv.main([str(home / "one"), "--digest", bundle.digest]) == 0
    assert dv.main([str(home / "one"), "--digest", sha(b"another")]) == 1
    dossier("verify", home / "one", home=home)
    done = subprocess.run(
        ["sh", "-c", '(cd blobs/sha256 && for f in *; do echo "$f  $f"; done | sha256sum -c --quiet)'], cwd=home / "one"
    )
    assert done.returncode == 0
    assert (home / "one" / "blobs" / "sha256" / bundle.digest[7:]).exists()
    assert (home / "one" / "attachments" / "note").read_bytes() == b"all of it\n"


def test_whatever_changes_in_a_fetched_directory_is_reported(fetched, tmp_path):
    """By both verifiers: each file changed, lengthened, removed, or a link to itself; paths added."""
    home, _ = fetched
    files = tree(home / "one")
    folder = tmp_path / "copy"
    for name, data in files.items():
        for change in (data[:-1] + bytes([data[-1] ^ 1]) if data else None, data + b" ", None):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(home / "one", folder)
            (folder / name).unlink()
            if change is not None:
                (folder / name).write_bytes(change)
            assert dv.main([str(folder)]) in (1, 3), (name, change is None)
            assert dossier("verify", folder, home=home, code=None).returncode != 0, (name, change is None)
        shutil.rmtree(folder)
        shutil.copytree(home / "one", folder)
        (folder / name).unlink()
        (folder / name).symlink_to(home / "one" / name)
        assert dv.main([str(folder)]) in (1, 3), (name, "a link")
        dossier("verify", folder, home=home, code=4)
    for name in ("attachments/more", "evil.txt", ".hidden", "blobs/more", "blobs/sha256/more", "more/more"):
        for add in (lambda path: path.write_bytes(b"x"), os.mkfifo, os.mkdir, lambda path: path.symlink_to("/")):
            shutil.rmtree(folder)
            shutil.copytree(home / "one", folder)
            (folder / name).parent.mkdir(exist_ok=True)
            add(folder / name)
            assert dv.main([str(folder)]) == 1, name
            dossier("verify", folder, home=home, code=4)


# --- the two verifiers against each other -------------------------------------------------------------------------------


def places(value, way=()):
    yield way
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*way, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*way, index))


def mutate(value, dice):
    """A JSON value that differs in one place."""
    made = copy.deepcopy(value)
    way = dice.choice([one for one in places(value) if one])
    parent = made
    for step in way[:-1]:
        parent = parent[step]
    old = parent[way[-1]]
    kind = dice.randrange(10)
    if kind == 0:
        del parent[way[-1]]
    elif kind == 1:
        parent[way[-1]] = dice.choice(
            [0, 1, "x", True, False, [], {}, 1.5, -1, 2**31, 2**53 - 1, "sha256:" + "0" * 64, ["x"], {"x": 1}]
        )
    elif kind == 2 and isinstance(parent, dict):
        parent["later"] = dice.choice([1, "x", {"a": [None]}, []])
    elif kind == 3 and isinstance(parent, list):
        parent.insert(way[-1], copy.deepcopy(old))
    elif kind == 4 and isinstance(parent, list) and len(parent) > 1:
        other = dice.randrange(len(parent))
        parent[way[-1]], parent[other] = parent[other], parent[way[-1]]
    elif isinstance(old, bool):
        parent[way[-1]] = not old
    elif isinstance(old, int):
        parent[way[-1]] = dice.choice([old + 1, max(0, old - 1), 0, 2**31 - 1])
    elif isinstance(old, str):
        at = dice.randrange(len(old) + 1)
        parent[way[-1]] = dice.choice([old[:at] + dice.choice("xA0\n\u202e<") + old[at:], old[:-1], old.upper(), old * 2])
    elif isinstance(old, list):
        parent[way[-1]] = old[::-1] if len(old) > 1 else old * 2
    else:
        parent[way[-1]] = {**old, "later": 1}
    return way, made


def lay(folder, manifest, blobs):
    """The least of an OCI layout that holds these bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "blobs" / "sha256").mkdir(parents=True)

    def put(data, name=None):
        (folder / "blobs" / "sha256" / (name or sha(data))[7:]).write_bytes(data)
        return {"mediaType": "application/octet-stream", "digest": name or sha(data), "size": len(data)}

    layers = [put(data, name) for name, data in blobs.items()]
    config = {**put(manifest), "mediaType": "application/vnd.dossier.bundle.manifest.v1+json"}
    image = dv.canonical(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "artifactType": "application/vnd.dossier.bundle.v1",
            "config": config,
            "layers": layers,
        }
    )
    entry = {
        **put(image),
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "artifactType": "application/vnd.dossier.bundle.v1",
        "annotations": {"org.opencontainers.image.ref.name": "bundle"},
    }
    (folder / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    (folder / "index.json").write_bytes(dv.canonical(index))


@pytest.mark.parametrize("seed", range(40 if SOAK else 4))
def test_two_verifiers_find_the_same(fetched, tmp_path, seed):
    """Bundles with one thing wrong and all digests right: both name the same steps."""
    home, bundle = fetched
    dice = random.Random(seed)
    blobs = {path: data for path, data in tree(home / "one" / "blobs" / "sha256").items()}
    manifest = json.loads(blobs[bundle.digest[7:]])
    held = {name: blobs[name[7:]] for name in dv.blobs_of(manifest)}
    draft = json.loads(held[manifest["spec"]["draftDigest"]])
    differ = []
    for _ in range(60):
        changed, parts = copy.deepcopy(manifest), dict(held)
        if dice.random() < 0.5:
            way, changed = mutate(manifest, dice)
        else:
            way, other = mutate(draft, dice)
            data = dv.canonical(other)
            del parts[manifest["spec"]["draftDigest"]]
            parts[sha(data)] = data
            changed["spec"]["draftDigest"] = sha(data)
            way = ("draft", *way)
            if dice.random() < 0.6:
                # The manifest follows the draft as far as it can.
                try:
                    messages, changed = dv.derive(dv.known(other, dv.DRAFT_FORM, drop_nulls=True))
                    changed["spec"]["draftDigest"] = sha(data)
                    parts.update({sha(text): text for text in messages.values()})
                except (KeyError, TypeError, AttributeError, ValueError, dv.NotCanonical):
                    pass
        try:
            written = dv.canonical(changed)
        except dv.NotCanonical:
            continue
        mine = dv.verify(written, parts, sha(written))
        lay(tmp_path / "bundle", written, parts)
        done = dossier("verify", tmp_path / "bundle", "-o", "json", home=home, code=None)
        try:
            steps = json.loads(done.stdout)["steps"]
        except (ValueError, KeyError):
            differ.append((way, "no answer", done.returncode, done.stderr[-300:], mine.problems[:3]))
            continue
        failed = sorted({step["number"] for step in steps if step["outcome"] == "failed" and step["number"]})
        unsupported = sorted({step["number"] for step in steps if step["outcome"] == "unsupported"})
        theirs = [
            (step["number"], step["subject"], step["detail"])
            for step in steps
            if step["outcome"] == "failed" and step["number"]
        ]
        if any(" is no object" in what for _, what in mine.problems) and failed:
            continue  # a list where an object belongs: the command may read it by places, and finds it later
        if failed != mine.failed_steps or unsupported != [step for step, _ in mine.unsupported_steps]:
            differ.append((way, "page", mine.problems[:4], mine.unsupported_steps, "command", theirs[:4], unsupported))
    assert not differ, "\n".join(map(str, differ))
