"""Several servers on one store: any of them serves what any of them acknowledged."""

import concurrent.futures
import threading
import time

import grpc
import pytest

import dossier_verify as dv
from harness import ORG, Refusal, draft, pb, refused

Code = grpc.StatusCode


@pytest.fixture(scope="module")
def replicas(servers, engine):
    first = servers(engine)
    return [first, servers(engine, store=first.store)]


def test_a_race_between_replicas_has_one_winner(replicas):
    clients = [replicas[number % 2].api() for number in range(12)]
    for round in range(3):
        gate = threading.Barrier(len(clients))

        def create(number):
            gate.wait()
            sent = draft(user=pb.PromptText(text="same" if round < 2 else f"not the same {number}"))
            try:
                return clients[number].create(sent, run="race", request_id=f"round-{round}")
            except grpc.RpcError as error:
                return Refusal(error)

        with concurrent.futures.ThreadPoolExecutor(len(clients)) as pool:
            answers = list(pool.map(create, range(len(clients))))
        made = [one for one in answers if not isinstance(one, Refusal)]
        assert len({one.bundle.uid for one in made}) == 1 and sum(not one.existed for one in made) == 1
        assert len(made) == (len(clients) if round < 2 else 1), answers
        assert all(one.code == Code.ALREADY_EXISTS for one in answers if isinstance(one, Refusal))
    assert len(clients[0].list(f"orgs/{ORG}/runs/race")) == 3


def test_what_one_acknowledges_the_other_serves_at_once(replicas):
    one, other = (server.api() for server in replicas)
    for number in range(10):
        note = one.upload(b"note %d" % number, id="note", kind="note", title="t").attachment
        made = other.create(draft(attachments=[note]), run="both", request_id=f"r{number}").bundle
        assert one.get(made.name) == made
        header, blobs = one.fetch(made.name)
        assert dv.verify(blobs[made.digest], blobs, made.digest).verified
        assert one.create(draft(attachments=[note]), run="both", request_id=f"r{number}").existed
        assert [bundle.name for bundle in one.list(f"orgs/{ORG}/runs/both")][0] == made.name
        one, other = other, one


def test_a_token_holds_everywhere_and_ends_everywhere(replicas):
    one, other = (server.api() for server in replicas)
    made = one.new_token("both", 5)
    there = replicas[1].api(made.secret)
    there.list()
    one.tokens.RevokeToken(pb.RevokeTokenRequest(name=made.token.name))
    deadline = time.monotonic() + 30
    while True:
        try:
            there.list()
        except grpc.RpcError as error:
            assert Refusal(error).code == Code.UNAUTHENTICATED
            break
        assert time.monotonic() < deadline
        time.sleep(0.5)


def test_an_upload_that_one_refused_is_refused_by_the_other(replicas):
    one, other = (server.api() for server in replicas)
    secret = b"a-value-that-is-found-too-late"
    entry = one.upload(b"it says " + secret, id="a", kind="note", title="t").attachment
    context = pb.RedactionContext(denied_values=[pb.DeniedValue(name="k", value=secret)])
    assert refused(one.create, draft(redaction=context, attachments=[entry])).code == Code.FAILED_PRECONDITION
    assert refused(other.create, draft(attachments=[entry])).code == Code.FAILED_PRECONDITION
