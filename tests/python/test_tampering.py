"""Stored bytes that changed behind the server's back are found, named, and never handed on."""

import json

import grpc
import pytest

import dossier_verify as dv
from harness import ORG, Refusal, draft, pb, refused, sha

Code = grpc.StatusCode
FAILED, UNSUPPORTED = pb.VerifyStep.OUTCOME_FAILED, pb.VerifyStep.OUTCOME_UNSUPPORTED


def blob_key(digest):
    hexadecimal = digest.removeprefix("sha256:")
    return f"orgs/{ORG}/blobs/sha256/{hexadecimal[:2]}/{hexadecimal}"


def record_key(name):
    return f"{name}.json"


class Made:
    """A bundle of its own blobs, as it was acknowledged."""

    def __init__(self, server, api, run):
        self.server, self.api, self.store = server, api, server.store
        note = api.upload(f"evidence of {run}\n".encode(), id="note", kind="note", title="t").attachment
        sent = draft(
            system=pb.PromptText(text=f"system of {run}"),
            developer=pb.PromptText(text=f"developer of {run}"),
            user=pb.PromptText(text=f"user of {run}"),
            tools=[pb.Tool(name=f"tool-of-{run}")],
            permission_review=pb.PermissionReview(notes=f"review of {run}"),
            attachments=[note],
        )
        self.bundle = api.create(sent, run=run).bundle
        self.name = self.bundle.name
        self.header, self.blobs = api.fetch(self.name)
        self.order = [one.digest for one in self.header.blobs]

    def outcomes(self):
        answer = self.api.verify(self.name)
        assert answer.verified == all(step.outcome == pb.VerifyStep.OUTCOME_HOLDS for step in answer.steps)
        return answer, [(step.number, step.subject) for step in answer.steps if step.outcome == FAILED]


@pytest.fixture(scope="module")
def made(server, api):
    return Made(server, api, "tamper")


CHANGES = {
    "a byte changed": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "the first byte changed": lambda data: bytes([data[0] ^ 0x20]) + data[1:],
    "a byte more": lambda data: data + b"\n",
    "a byte less": lambda data: data[:-1],
    "no bytes": lambda data: b"",
    "much more": lambda data: data + b"x" * (3 << 20),
    "missing": lambda data: None,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_blob_is_named(made, change):
    assert len(made.order) == 8
    for place, digest in enumerate(made.order):
        key = blob_key(digest)
        data = made.store.read(key)
        assert data == made.blobs[digest]
        changed = CHANGES[change](data)
        try:
            made.store.delete(key) if changed is None else made.store.write(key, changed)
            answer, failed = made.outcomes()
            assert not answer.verified
            if place == 0:
                assert failed[0][0] == 1, failed
            else:
                assert (4, f"blob {digest}") in failed, failed
                # The page's verifier says the same of the same bytes.
                held = {**made.blobs, digest: changed}
                report = dv.verify(made.blobs[made.order[0]], held, made.bundle.digest)
                assert sorted({number for number, _ in failed}) == report.failed_steps
            refusal = refused(made.api.fetch, made.name)
            assert refusal.code == Code.DATA_LOSS and refusal.info.metadata["action"] == "fatal", refusal
            assert digest in refusal.info.metadata["subject"], refusal
            # What came before it was whole, and nothing of it was sent.
            have = [one for one in made.order if one != digest]
            assert refused(made.api.fetch, made.name, have).code == Code.DATA_LOSS
            if place == 0:
                assert refused(made.api.get, made.name).code == Code.DATA_LOSS
            if digest == made.bundle.spec.attachments[0].digest:
                assert refused(made.api.read, made.name, "note").code == Code.DATA_LOSS
        finally:
            made.store.write(key, data)
        assert made.api.verify(made.name).verified


def test_swapped_blobs_are_named(made):
    one, other = made.order[1], made.order[3]
    try:
        made.store.write(blob_key(one), made.blobs[other])
        made.store.write(blob_key(other), made.blobs[one])
        failed = made.outcomes()[1]
        assert {(4, f"blob {one}"), (4, f"blob {other}")} <= set(failed)
        assert refused(made.api.fetch, made.name).code == Code.DATA_LOSS
    finally:
        for digest in (one, other):
            made.store.write(blob_key(digest), made.blobs[digest])
    assert made.api.verify(made.name).verified


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_record_is_no_bundle(made, change):
    key = record_key(made.name)
    data = made.store.read(key)
    changed = CHANGES[change](data)
    try:
        made.store.delete(key) if changed is None else made.store.write(key, changed)
        code = Code.NOT_FOUND if changed is None else Code.DATA_LOSS
        for call in (made.api.get, made.api.fetch, made.api.verify):
            assert refused(call, made.name).code == code
        assert refused(made.api.read, made.name, "note").code == code
    finally:
        made.store.write(key, data)
    assert made.api.verify(made.name).verified


def test_a_record_of_another_bundle_is_none_of_this(made, server, api):
    other = Made(server, api, "tamper-other")
    key = record_key(made.name)
    data = made.store.read(key)
    try:
        made.store.write(key, made.store.read(record_key(other.name)))
        for call in (made.api.get, made.api.fetch, made.api.verify):
            assert refused(call, made.name).code == Code.DATA_LOSS
    finally:
        made.store.write(key, data)


def rewrite(made, edit, blobs=None):
    """Stores another manifest, with a record that names it, all digests right."""
    for data in (blobs or {}).values():
        made.store.write(blob_key(sha(data)), data)
    manifest = json.loads(made.blobs[made.order[0]])
    edit(manifest)
    data = dv.canonical(manifest)
    made.store.write(blob_key(sha(data)), data)
    envelope = json.loads(made.store.read(record_key(made.name)))
    envelope["body"]["digest"] = sha(data)
    envelope["body"]["manifestBytes"] = len(data)
    envelope["blobs"] = sorted({*envelope["blobs"], sha(data), *(sha(one) for one in (blobs or {}).values())})
    del envelope["digest"]
    envelope["digest"] = sha(dv.canonical(envelope))
    made.store.write(record_key(made.name), dv.canonical(envelope))
    return data


def _later_layer(manifest):
    manifest["spec"]["layers"][3]["name"] = "moods"


def _later_message(manifest):
    manifest["spec"]["layers"][3]["message"] = "tools"


def _later_version(manifest):
    manifest["apiVersion"] = "dossier.dev/v2"


def _other_kind(manifest):
    manifest["kind"] = "AgentContextBox"


@pytest.mark.parametrize("edit", [_later_layer, _later_message, _later_version, _other_kind])
def test_what_a_later_version_wrote_is_unsupported(server, api, edit):
    made = Made(server, api, f"later{edit.__name__.replace('_', '-')}")
    data = rewrite(made, edit)
    report = dv.verify(data, made.blobs, sha(data))
    assert report.unsupported and not report.problems
    answer, failed = made.outcomes()
    assert not answer.verified and failed == [] and answer.digest == sha(data)
    assert [step.number for step in answer.steps if step.outcome == UNSUPPORTED] == [3]
    # Neither corruption nor something to skip: nobody gets the rest of it.
    served = []
    for what, call in (
        ("fetch", lambda: made.api.fetch(made.name)),
        ("get", lambda: made.api.get(made.name)),
        ("read", lambda: made.api.read(made.name, "note")),
    ):
        try:
            call()
            served.append(what)
        except grpc.RpcError as error:
            refusal = Refusal(error)
            assert (refusal.code, refusal.reason) == (Code.UNIMPLEMENTED, "UNSUPPORTED"), refusal
    assert served == []


def test_a_later_renderer_is_still_checked(server, api):
    made = Made(server, api, "later-renderer")
    data = rewrite(made, lambda manifest: manifest["spec"].update(rendererVersion="2"))
    answer, failed = made.outcomes()
    assert not answer.verified and failed == []
    assert [step.number for step in answer.steps if step.outcome == UNSUPPORTED] == [10]
    # Its bytes are whole and may be read.
    assert made.api.fetch(made.name)[1][sha(data)] == data

    draft = b'{"system":["of another form"]}'
    edit = lambda manifest: manifest["spec"].update(rendererVersion="2", draftDigest=sha(draft))
    data = rewrite(made, edit, {sha(draft): draft})
    answer, failed = made.outcomes()
    assert not answer.verified and failed == []
    assert [step.number for step in answer.steps if step.outcome == UNSUPPORTED] == [8]
    report = dv.verify(data, {**made.blobs, sha(draft): draft}, sha(data))
    assert report.failed_steps == [] and [number for number, _ in report.unsupported_steps] == [8]


def test_a_forged_message_is_found_by_its_draft(server, api):
    made = Made(server, api, "forged")
    spec = made.bundle.spec
    old = made.blobs[spec.prompt.rendered_system_digest]
    new = old.replace(b"system", b"SYSTEM")

    def edit(manifest):
        entry = manifest["spec"]
        entry["prompt"]["renderedSystemDigest"] = entry["layers"][0]["digest"] = sha(new)
        entry["layers"][0]["fragments"][0]["digest"] = sha(new)

    data = rewrite(made, edit, {sha(new): new})
    answer, failed = made.outcomes()
    assert not answer.verified and {number for number, _ in failed} == {10}, failed
    assert dv.verify(data, {**made.blobs, sha(new): new}, sha(data)).failed_steps == [10]


def test_a_manifest_with_members_of_a_later_version_is_read(server, api):
    made = Made(server, api, "more")
    data = rewrite(made, lambda manifest: manifest["spec"].update(mood={"colour": "blue"}))
    assert made.outcomes()[0].verified
    assert made.api.get(made.name).digest == sha(data) and made.api.fetch(made.name)[1][sha(data)] == data


def test_whatever_object_changes_no_wrong_byte_is_served(servers, engine):
    """Each object of a store in turn: what is then served is what was, or an error."""
    server = servers(engine)
    api = server.api()
    made = [Made(server, api, f"any-{number}") for number in range(2)]

    def listed():
        """All names that a list tells: of bundles, and of those whose record cannot be read."""
        answer = api.bundles.ListBundles(pb.ListBundlesRequest(parent="orgs/acme"))
        return [bundle.name for bundle in answer.bundles] + list(answer.unreadable)

    def look():
        seen = []
        for one in made:
            seen.append(api.get(one.name))
            seen.append(api.fetch(one.name))
            seen.append(api.read(one.name, "note")[1])
            seen.append(api.verify(one.name).verified)
        seen.append(sorted(listed()))
        return seen

    before = look()
    codes = set()
    for key, data in server.store.objects().items():
        if not key.startswith("orgs/") or not data:
            continue
        for place in {0, len(data) // 3, len(data) // 2, len(data) - 2}:
            server.store.write(key, data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
            try:
                for call in range(9):
                    try:
                        after = None
                        one = made[min(call // 4, 1)]
                        after = [
                            lambda: api.get(one.name),
                            lambda: api.fetch(one.name),
                            lambda: api.read(one.name, "note")[1],
                            lambda: api.verify(one.name).verified,
                            lambda: sorted(listed()),
                        ][4 if call == 8 else call % 4]()
                    except grpc.RpcError as error:
                        codes.add(error.code())
                        continue
                    if call % 4 == 3 and after is False:
                        continue
                    assert after == before[call], key
            finally:
                server.store.write(key, data)
    assert look() == before
    assert codes <= {Code.DATA_LOSS}, codes


def test_an_upload_that_changed_is_not_used(servers, engine):
    server = servers(engine)
    api = server.api()
    entry = api.upload(b"to be changed\n", id="a", kind="note", title="t").attachment
    key = blob_key(entry.digest)
    data = server.store.read(key)
    server.store.write(key, data.replace(b"changed", b"CHANGED"))
    refusal = refused(api.create, draft(attachments=[entry]))
    assert refusal.code in (Code.DATA_LOSS, Code.FAILED_PRECONDITION), refusal
    # Sent again, it is whole again, if not to the process that just wrote it.
    server.stop()
    api = server.start().api()
    again = api.upload(b"to be changed\n", id="a", kind="note", title="t").attachment
    assert server.store.read(key) == data
    assert api.create(draft(attachments=[again])).bundle.name
