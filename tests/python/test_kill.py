"""Servers that are killed at random moments, and gc that runs all the while.

DOSSIER_SOAK=1 takes the long form.
"""

import os
import random
import subprocess
import threading
import time

import grpc
import pytest

import dossier_verify as dv
from harness import ORG, Refusal, binary, draft, pb, sha

Code = grpc.StatusCode
SOAK = os.environ.get("DOSSIER_SOAK") == "1"
KILLS, CREATES = (100, 1000) if SOAK else (20, 200)
# What a caller sees of a server that has gone, or of one that asks to try again.
GONE = {Code.UNAVAILABLE, Code.CANCELLED, Code.DEADLINE_EXCEEDED, Code.ABORTED, Code.UNKNOWN, Code.INTERNAL}


def age(store, seconds):
    """Makes all blobs of a directory that much older. Only while no server runs: it knows what it wrote itself."""
    then = time.time() - seconds
    for path in (store.folder / "orgs" / ORG / "blobs").rglob("*"):
        if path.is_file():
            os.utime(path, (then, then))


@pytest.mark.kill
def test_what_was_acknowledged_is_whole_after_kills(servers, engine):
    server = servers(engine, environment={"DOSSIER_GC_GRACE_SECONDS": "60"})
    random.seed(20)
    # Uploads that no record names: gc may take those that are old, while creates reach for them.
    first = server.api()
    uploads = [
        first.upload(f"evidence {number}\n".encode() * 50, id=f"e{number}", kind="note", title=f"number {number}").attachment
        for number in range(40)
    ]
    named = first.create(draft(attachments=uploads[:3]), bundle_id="before").bundle
    first.close()
    server.stop()
    if engine == "local":
        age(server.store, 3600)
    elif SOAK:
        time.sleep(61)
    server.start()

    lock, ended = threading.Lock(), threading.Event()
    acknowledged, refused, wrong, state = {}, {}, [], {"kills": 0, "gc": 0, "next": 0}

    def work(worker):
        api, address = None, None
        while True:
            with lock:
                number = state["next"]
                if number >= CREATES and state["kills"] >= KILLS:
                    return
                state["next"] += 1
            sent = draft(
                user=pb.PromptText(text=f"create {number}"),
                attachments=[uploads[number % len(uploads)]] if number % 4 == 0 else [],
                system=pb.PromptText(text=f"system {number % 7}"),
            )
            while not ended.is_set():
                if address != server.address:
                    address = server.address
                    api = server.api()
                try:
                    answer = api.create(sent, run=f"run-{number % 5}", request_id=f"r-{number}", timeout=20)
                except grpc.RpcError as error:
                    if error.code() in GONE:
                        time.sleep(0.02)
                        continue
                    refusal = Refusal(error)
                    kinds = {one.type for one in refusal.failure.violations} if refusal.failure else set()
                    if refusal.code == Code.FAILED_PRECONDITION and kinds == {"SOURCE_UNAVAILABLE"} and sent.attachments:
                        refused[number] = refusal  # gc was faster than the create
                    else:
                        wrong.append((number, repr(refusal)))
                    break
                with lock:
                    acknowledged[number] = answer.bundle
                break

    def sweep():
        while not ended.is_set():
            done = subprocess.run(
                [binary(), *server.store.flags(), "--log", "warn", "gc"],
                env=server.environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=120,
            )
            if done.returncode:
                wrong.append(("gc", done.stderr[-500:]))
            state["gc"] += 1
            time.sleep(0.05)

    workers = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(4)]
    sweeper = threading.Thread(target=sweep, daemon=True)
    for thread in [*workers, sweeper]:
        thread.start()
    try:
        deadline = time.monotonic() + (3600 if SOAK else 300)
        while any(thread.is_alive() for thread in workers):
            time.sleep(random.uniform(0.0, 0.7))
            if state["kills"] < KILLS:
                server.kill()
                server.start()
                with lock:
                    state["kills"] += 1
            assert time.monotonic() < deadline, (state, len(acknowledged))
    finally:
        ended.set()
        sweeper.join(60)
        for thread in workers:
            thread.join(30)
    assert wrong == []
    assert state["kills"] == KILLS and len(acknowledged) + len(refused) >= CREATES and state["gc"] > 0
    assert len(acknowledged) >= CREATES * 3 // 4

    # Once more from the beginning: nothing that a process remembers counts.
    server.kill()
    server.start()
    api = server.api()
    listed = {one.name: one for one in api.list()}
    assert named.name in listed
    for bundle in [named, *acknowledged.values()]:
        assert bundle.name in listed and listed[bundle.name].digest == bundle.digest, "acknowledged, and not listed"
        assert api.get(bundle.name) == bundle
    for name, bundle in listed.items():
        header, blobs = api.fetch(name)
        report = dv.verify(blobs[bundle.digest], blobs, bundle.digest)
        assert report.verified, (name, report.problems)
        answer = api.verify(name)
        assert answer.verified, (name, [step for step in answer.steps if step.outcome != 1])
    # What was asked for is what is there, and asking again changes nothing.
    for number, bundle in list(acknowledged.items())[::7]:
        text = api.fetch(bundle.name)[1][bundle.spec.prompt.rendered_task_digest].decode()
        assert f"\n\ncreate {number}\n\n" in text
        again = api.create(
            draft(
                user=pb.PromptText(text=f"create {number}"),
                attachments=[uploads[number % len(uploads)]] if number % 4 == 0 else [],
                system=pb.PromptText(text=f"system {number % 7}"),
            ),
            run=f"run-{number % 5}",
            request_id=f"r-{number}",
        )
        assert again.existed and again.bundle == bundle
    # Each record has its place in the index, and no place is without a record.
    names = server.store.names()
    records = {
        name for name in names if "/bundles/" in name and name.startswith(f"orgs/{ORG}/runs/") and name.endswith(".json")
    }
    assert records == {f"{name}.json" for name in listed}


@pytest.mark.kill
def test_gc_takes_what_no_record_names_and_nothing_else(servers):
    server = servers("local", environment={"DOSSIER_GC_GRACE_SECONDS": "60"})
    api = server.api()
    bundle = api.create(draft(attachments=[api.upload(b"named", id="a", kind="note", title="t").attachment])).bundle
    loose = api.upload(b"loose", id="b", kind="note", title="t").attachment

    def key(digest):
        return f"orgs/{ORG}/blobs/sha256/{digest[7:9]}/{digest[7:]}"

    assert server.run("gc").returncode == 0
    assert key(loose.digest) in server.store.names(), "it is younger than the grace"
    server.stop()
    age(server.store, 3600)
    done = server.run("gc")
    assert done.returncode == 0, done.stderr
    assert key(loose.digest) not in server.store.names()
    server.start()
    api = server.api()
    header, blobs = api.fetch(bundle.name)
    assert dv.verify(blobs[bundle.digest], blobs, bundle.digest).verified
    # Uploaded again it is there again.
    assert api.upload(b"loose", id="b", kind="note", title="t").attachment.digest == sha(b"loose")
    assert api.create(draft(attachments=[loose])).bundle.name


@pytest.mark.kill
def test_a_server_ends_well_on_sigterm(servers):
    server = servers("local")
    api = server.api()
    done = []

    def slowly():
        entry = pb.Attachment(id="a", kind="log-excerpt", title="t")
        yield pb.UploadAttachmentRequest(header=pb.UploadAttachmentHeader(parent=f"orgs/{ORG}", attachment=entry))
        for number in range(10):
            time.sleep(0.2)
            yield pb.UploadAttachmentRequest(data=b"line %d\n" % number)

    def upload():
        done.append(api.attachments.UploadAttachment(slowly(), timeout=30).attachment)

    thread = threading.Thread(target=upload)
    thread.start()
    time.sleep(0.6)
    server.process.terminate()
    thread.join(30)
    assert server.process.wait(30) == 0
    assert done and done[0].bytes == 70, "what was under way is finished"
