"""No planted secret is anywhere: not in the store, not in a log, not in a reply, not in an error."""

import base64
import json
import random

import grpc
import pytest

from harness import ORG, Refusal, draft, encodings, leaks, pb, sha, source
from planted import (
    DENIED,
    DENIED_COMMIT,
    DENIED_HEX,
    DENIED_LINES,
    DENIED_NAME,
    DENIED_NUMBER,
    PLANTED,
    SECRETS,
    context,
    made_up,
)

Code = grpc.StatusCode


def everything(server, replies=()) -> dict:
    """All bytes that a stranger could get at."""
    found = {f"store {name}": data for name, data in server.store.objects().items()}
    found["names in the store"] = "\n".join(server.store.names()).encode()
    found["log"] = server.log.read_bytes()
    found.update({f"reply {number}": data for number, data in enumerate(replies)})
    return found


class Listener:
    """A client that keeps every byte of replies and errors."""

    def __init__(self, server, token=None):
        from harness import Api

        self.heard = []
        self.api = Api(server.address, server.token if token is None else token, replies=self.heard)

    def ask(self, call, *arguments, **options):
        """The answer, or the refusal."""
        try:
            answer = call(*arguments, **options)
            return list(answer) if hasattr(answer, "__next__") else answer
        except grpc.RpcError as error:
            refusal = Refusal(error)
            self.heard.append(refusal.bytes())
            return refusal


# Each place of a draft that takes text: its path, and what puts text there.
def _set(path):
    def put(made, text):
        *way, last = path.split(".")
        for step in way:
            name, _, index = step.partition("[")
            made = getattr(made, name)
            if index:
                made = made[int(index[:-1])]
        name, _, index = last.partition("[")
        if index:
            getattr(made, name)[int(index[:-1])] = text
        else:
            setattr(made, name, text)

    return put


def _field_value(name):
    def put(made, text):
        made.trigger.fields[name].value = text
        made.trigger.fields[name].trust = pb.TemplateField.TRUST_TRUSTED

    return put


def _schema(put_in):
    def put(made, text):
        from google.protobuf import struct_pb2

        schema = struct_pb2.Struct()
        schema.update(put_in(text))
        made.tools[0].schema.MergeFrom(schema)

    return put


PROVENANCE = ("origin", "uri", "ref", "commit", "path")
PLACES = {
    path: _set(path)
    for path in (
        "system.text",
        "developer.text",
        "user.text",
        "trigger.template",
        "skills[0].text",
        "skills[0].name",
        "skills[0].version",
        *(
            f"{part}.provenance.{member}"
            for part in ("system", "developer", "user", "trigger", "skills[0]")
            for member in PROVENANCE
        ),
        "launch.model",
        "launch.runner_pool",
        "launch.service_account",
        "launch.approval_mode",
        "launch.stack.name",
        "source_refs.repository",
        "source_refs.pull_request",
        "source_refs.pipeline",
        "source_refs.job",
        "source_refs.issue",
        "source_refs.path",
        "source_refs.head_sha",
        "sources[0].text",
        "sources[0].name",
        "sources[0].uri",
        "sources[0].ref",
        "sources[0].path",
        "sources[0].commit",
        "sources[0].head_sha",
        "sources[1].text",
        "tools[0].name",
        "tools[0].description",
        "permission_review.granted_tools[0]",
        "permission_review.granted_permissions[0]",
        "permission_review.reviewer",
        "permission_review.policy",
        "permission_review.notes",
        "permission_review.denied[0].name",
        "permission_review.denied[0].namespace",
        "permission_review.denied[0].key",
        "redaction.denied[0].name",
        "redaction.denied[0].namespace",
        "redaction.denied[0].key",
        "redaction.denied_values[0].name",
        "attachments[0].title",
        "attachments[0].source_url",
        "attachments[0].media_type",
        "attachments[0].head_sha",
        "attachments[0].base_sha",
    )
}
PLACES["trigger.fields[a]"] = _field_value("a")
PLACES["tools[0].schema value"] = _schema(lambda text: {"default": text, "enum": ["x", text]})
PLACES["tools[0].schema key"] = _schema(lambda text: {"properties": {text: {"type": "string"}}})
PLACES["tools[0].schema deep"] = _schema(lambda text: {"a": {"b": [{"c": {"description": f"such as {text}, say"}}]}})

# How a caller would write it where only a certain form is taken.
DRESSED = {
    "sources[0].uri": "https://forge.example/{}",
    "attachments[0].source_url": "https://forge.example/?q={}",
    "attachments[0].media_type": "text/plain; x={}",
    "sources[0].path": "src/{}",
    "trigger.template": "Work on {{{{ a }}}} {}",
    "system.text": "Before. {} After.",
    "sources[1].text": "a line\nbefore {} after\na line\n",
}


def planted_draft(client, one, without=()):
    note = client.api.upload(b"plain evidence\n", id="note", kind="note", title="t").attachment
    made = draft(
        attachments=[note],
        redaction=context(),
        permission_review=pb.PermissionReview(
            granted_tools=["x"], granted_permissions=["y"], denied=[pb.ObjectReference(kind=1, name="n")]
        ),
    )
    made.redaction.denied.add(kind=2, name="n")
    for place, put in PLACES.items():
        if place not in without:
            put(made, DRESSED.get(place, "{}").format(one.text))
    return made


def refused_places(refusal, places):
    """The places that a refusal names."""
    named = set()
    for field in refusal.fields:
        for place in places:
            start = "draft." + place.split(" ")[0]
            if field.startswith(start) or start.startswith(field):
                named.add(place)
        if field.startswith("draft.redaction.denied["):
            named |= {place for place in places if place.startswith("permission_review.denied")}
    return named


@pytest.fixture(scope="module")
def watched(servers, engine):
    """A server of its own, since all that it ever stored and said is searched."""
    return servers(engine)


def accepted(client, one, run):
    """Creates a bundle with the secret wherever it is taken."""
    without = set()
    for _ in range(12):
        sent = planted_draft(client, one, without)
        preview = client.ask(client.api.preview, sent, run=run)
        answer = client.ask(client.api.create, sent, run=run)
        if not isinstance(answer, Refusal):
            assert not isinstance(preview, Refusal) and preview.digest == answer.bundle.digest
            return answer, set(PLACES) - without
        if answer.code == Code.INVALID_ARGUMENT:
            assert isinstance(preview, Refusal)
            more = refused_places(answer, set(PLACES) - without)
        else:
            assert answer.code == Code.FAILED_PRECONDITION, answer
            found = {finding.subject for finding in preview.findings if finding.severity == pb.Finding.SEVERITY_DENIED}
            more = {place for place in set(PLACES) - without if any(f"draft.{place}".startswith(at) for at in found)}
        assert more, (one.name, answer, getattr(preview, "findings", None))
        without |= more
    raise AssertionError(f"{one.name}: refused again and again: {answer}")


# Places that take any text on one line, and those that take any text at all.
TEXTS = {
    "system.text",
    "developer.text",
    "user.text",
    "skills[0].text",
    "sources[0].text",
    "sources[1].text",
    "tools[0].description",
    "permission_review.notes",
}


def test_no_planted_secret_is_seen_again(watched):
    client, wrong = Listener(watched), []
    for number, one in enumerate(PLANTED):
        run = f"planted-{number}"
        answer, places = accepted(client, one, run)
        assert TEXTS <= places, (one.name, TEXTS - places)
        name = answer.bundle.name
        client.ask(client.api.get, name)
        client.ask(client.api.bundles.FetchBundle, pb.FetchBundleRequest(name=name))
        verified = client.ask(client.api.verify, name)
        assert verified.verified, [step for step in verified.steps if step.outcome != 1]
        if sum(count.count for count in answer.bundle.spec.redactions) < len(TEXTS):
            wrong.append((one.name, "is not counted"))

        # In the bytes and metadata of an upload, and in a stream.
        for form in (one.text, f"a log\nhere: {one.text} !\nmore\n"):
            header = dict(title="t", kind="log-excerpt", redaction=context())
            upload = client.ask(client.api.upload, form.encode(), **header)
            assert not isinstance(upload, Refusal), (one.name, upload)
            client.ask(client.api.upload, b"x", **{**header, "title": form[:200]}, id="t")
            client.ask(client.api.upload, b"x", **header, source_url=f"https://x.example/{one.text}")
            client.ask(client.api.upload, b"x", **header, media_type=f"text/{one.text}")
            client.ask(client.api.upload, b"x", **header, project=one.text)
            client.ask(client.api.upload, b"x", **header, source_kind=one.text)
            used = draft(
                attachments=[upload.attachment], sources=[pb.Source(kind="issue", name="s", upload=upload.attachment.digest)]
            )
            made = client.ask(client.api.create, used, run=run)
            assert not isinstance(made, Refusal), (one.name, made)
            client.ask(
                client.api.attachments.ReadAttachment, pb.ReadAttachmentRequest(name=f"{made.bundle.name}/attachments/log")
            )
            redacted, summary = client.api.redact(form.encode(), context=context())
            assert sha(redacted) == summary.digest
    client.ask(client.api.list)
    found = leaks(everything(watched, client.heard), SECRETS)
    seen = {}
    for place, name, form in found:
        seen.setdefault((name, form), []).append(place)
    wrong += [(*what, len(places), places[:3]) for what, places in seen.items()]
    assert not wrong, "\n".join(map(str, wrong))


def names_of_secrets():
    """Secrets that have the form of a name, so that they fit where only names do."""
    yield DENIED_NAME
    yield (
        "xo"
        + "xb-"
        + made_up("n1", 12, "123456789")
        + "-"
        + made_up("n2", 12, "123456789")
        + "-"
        + made_up("n3", 24, "abcdefghijk0123456789")
    )
    yield "gl" + "pat-" + made_up("n4", 20, "abcdefghijk0123456789")
    yield "gh" + "p_" + made_up("n5", 36)  # no name, but an identifier


def bad_requests(secret):
    """Requests with the secret in each field, each wrong in some way: (name, method, request)."""
    bad = f"{secret} {{"
    parent, run = f"orgs/{ORG}", f"orgs/{ORG}/runs/run-1"
    bundle = f"{run}/bundles/x"
    for text in (
        secret,
        bad,
        f"orgs/{secret}",
        f"{parent}/runs/{secret}",
        f"{parent}/runs/{secret}/bundles/{secret}",
        f"{bundle}/attachments/{secret}",
    ):
        yield "GetBundle", lambda api: api.bundles.GetBundle, pb.GetBundleRequest(name=text)
        yield "FetchBundle", lambda api: api.bundles.FetchBundle, pb.FetchBundleRequest(name=text, have_digests=[text])
        yield "VerifyBundle", lambda api: api.bundles.VerifyBundle, pb.VerifyBundleRequest(name=text)
        yield (
            "ListBundles",
            lambda api: api.bundles.ListBundles,
            pb.ListBundlesRequest(parent=text, page_token=text, digest=text),
        )
        yield "ListBundles", lambda api: api.bundles.ListBundles, pb.ListBundlesRequest(parent=parent, page_token=text)
        yield "ListBundles", lambda api: api.bundles.ListBundles, pb.ListBundlesRequest(parent=parent, digest=text)
        yield (
            "CreateBundle",
            lambda api: api.bundles.CreateBundle,
            pb.CreateBundleRequest(parent=text, draft=draft(redaction=context()), request_id=text, bundle_id=text),
        )
        yield (
            "CreateBundle",
            lambda api: api.bundles.CreateBundle,
            pb.CreateBundleRequest(parent=run, draft=draft(redaction=context()), request_id=text),
        )
        yield (
            "CreateBundle",
            lambda api: api.bundles.CreateBundle,
            pb.CreateBundleRequest(parent=run, draft=draft(redaction=context()), bundle_id=text),
        )
        yield (
            "CreateBundle",
            lambda api: api.bundles.CreateBundle,
            pb.CreateBundleRequest(parent=text, draft=draft(redaction=context())),
        )
        yield (
            "ListAttachments",
            lambda api: api.attachments.ListAttachments,
            pb.ListAttachmentsRequest(parent=text, page_token=text),
        )
        yield "ReadAttachment", lambda api: api.attachments.ReadAttachment, pb.ReadAttachmentRequest(name=text)
        yield "RevokeToken", lambda api: api.tokens.RevokeToken, pb.RevokeTokenRequest(name=text)
        yield "RevokeToken", lambda api: api.tokens.RevokeToken, pb.RevokeTokenRequest(name=f"tokens/{text}")
        yield "ListTokens", lambda api: api.tokens.ListTokens, pb.ListTokensRequest(page_token=text)
        for fields in (
            {"principal": text},
            {"principal": "p", "orgs": [text]},
            {"principal": "p", "run": text},
            {"principal": "p", "task": text},
        ):
            fields = {"role": 3, "orgs": [ORG], "run": "r" if "task" not in fields else "", **fields}
            yield "CreateToken", lambda api: api.tokens.CreateToken, pb.CreateTokenRequest(**fields)
        header = pb.UploadAttachmentHeader(
            parent=text,
            project=text,
            source_kind=text,
            redaction=context(),
            attachment=pb.Attachment(
                id=text, kind=text, title=text, media_type=text, digest=text, source_url=text, base_sha=text, head_sha=text
            ),
        )
        yield (
            "UploadAttachment",
            lambda api: lambda one: api.attachments.UploadAttachment(iter([pb.UploadAttachmentRequest(header=one)])),
            header,
        )
        header = pb.UploadAttachmentHeader(
            parent=parent, redaction=context(), attachment=pb.Attachment(id=text, kind="note", title="t")
        )
        yield (
            "UploadAttachment",
            lambda api: lambda one: api.attachments.UploadAttachment(iter([pb.UploadAttachmentRequest(header=one)])),
            header,
        )
        yield (
            "Redact",
            lambda api: lambda one: api.redaction.Redact(iter([pb.RedactRequest(header=one)])),
            pb.RedactHeader(parent=text, project=text, redaction=context()),
        )
    for changes in (
        {"run": secret},
        {"project": secret},
        {"project": bad},
        {"route": secret},
        {"expected_digest": secret},
        {"expected_digest": f"sha256:{secret}"},
        {"limits": pb.Limits(**{"class": secret})},
        {"labels": [pb.LabelReference(name=secret, digest=secret)]},
        {"labels": [pb.LabelReference(name=secret)]},
        {"pins": pb.Pins(renderer_version=secret)},
        {"pins": pb.Pins(rule_set_digest=secret)},
        {"pins": pb.Pins(route_table_digest=secret)},
        {"pins": pb.Pins(project_settings_digest=secret)},
        {"pins": pb.Pins(limits=pb.Limits(**{"class": secret}))},
        {"pins": pb.Pins(labels=[pb.LabelReference(name=secret, digest=secret)])},
        {"pins": pb.Pins(commits=[pb.CommitPin(source=secret, commit=secret)])},
        {"pins": pb.Pins(commits=[pb.CommitPin(source=secret, commit="abcdef0")])},
        {"pins": pb.Pins(task=pb.TaskPin(thread_generations={secret: 1}))},
        {"sources": [pb.Source(kind=secret, name="a", text="x")]},
        {
            "sources": [
                pb.Source(
                    kind="issue",
                    name=secret,
                    text="x",
                    commit=secret,
                    head_sha=secret,
                    digest=secret,
                    path=f"../{secret}",
                    uri=f"{secret}\n",
                    ref=f"{secret}\n",
                )
            ]
        },
        {"sources": [pb.Source(kind="issue", name=secret, text="x"), pb.Source(kind="issue", name=secret, text="x")]},
        {"sources": [pb.Source(kind="issue", name="a", upload=secret)]},
        {"sources": [pb.Source(kind="issue", name="a", upload=f"sha256:{secret}")]},
        {"sources": [pb.Source(kind="issue", name="a", git={"repository": secret, "ref": secret, "path": secret})]},
        {"sources": [pb.Source(kind="issue", name="a", task={"task": secret})]},
        {"sources": [pb.Source(kind="issue", name="a", memory={"repository": secret, "ref": secret, "query": secret})]},
        {"skills": [pb.Skill(name=secret, digest=secret), pb.Skill(name=secret)]},
        {"tools": [pb.Tool(name=secret), pb.Tool(name=secret)]},
        {
            "attachments": [
                pb.Attachment(id=secret, kind=secret, title=f"{secret}\n", digest=secret, media_type=secret, source_url=secret)
            ]
        },
        {"attachments": [pb.Attachment(id="a", kind="note", title=secret, digest=sha(secret.encode()))]},
        {"user": pb.PromptText(text="x", digest=secret)},
        {"user": pb.PromptText(text=secret, digest=sha(b"other"))},
    ):
        yield (
            "CreateBundle",
            lambda api: api.bundles.CreateBundle,
            pb.CreateBundleRequest(parent=run, draft=draft(**{"redaction": context(), **changes})),
        )
    word = secret.replace("-", "_")
    for template in (
        f"{{{{ {secret}",
        f"{{% {secret} %}}",
        f"{{{{ {word} }}}}",
        f"{{{{ a.{word} }}}}",
        f"{{{{ 'x'|{word} }}}}",
        f"{{% include '{secret}' %}}",
        f"{{% if '{secret}' %}}",
        f"{{{{ '{secret}'.nothing() }}}}",
        f"{{{{ ['{secret}'][7].x }}}}",
        f"{{{{ 1 + '{secret}' }}}}",
        f"{{{{ 1 is {word} }}}}",
        f"{{{{ fail('{secret}') }}}}",
    ):
        made = draft(redaction=context(), trigger=pb.TriggerTemplate(template=template))
        made.trigger.fields["a"].value = "x"
        yield "CreateBundle", lambda api: api.bundles.CreateBundle, pb.CreateBundleRequest(parent=run, draft=made)
    for name, value in ((secret, "x"), (word, "not harmless!"), ("a", f"{secret} not harmless!")):
        made = draft(redaction=context())
        made.trigger.fields[name].value = value
        yield "CreateBundle", lambda api: api.bundles.CreateBundle, pb.CreateBundleRequest(parent=run, draft=made)
    for wrong in (
        {"policy": f"{secret} = ["},
        {"policy": f"{secret} = 1"},
        {"policy": f'title = "{secret}'},
        {"policy": f'[[rules]]\nid = "{secret}"\nregex = "({secret}"\n'},
        {"policy": f'[[rules]]\nid = "{secret}"\nregex = "x*"\n'},
        {"policy": f'[[rules]]\nid = "a"\nregex = "abcd"\n{word} = "{secret}"\n'},
        {"policy": f'[extend]\npath = "{secret}"\n'},
        {"policy": f'[extend]\ndisabledRules = ["{secret}"]\n'},
        {"user_patterns": [pb.UserPattern(regex=f"({secret}")]},
        {"user_patterns": [pb.UserPattern(regex=f"[{secret}")]},
        {"user_patterns": [pb.UserPattern(regex=f"(?P<{word}>x*)")]},
        {"user_patterns": [pb.UserPattern(regex=f"\\p{{{word}}}")]},
        {"user_patterns": [pb.UserPattern(literal=secret * 40)]},
        {"denied_values": [pb.DeniedValue(name=secret, value=b"")]},
        {"denied_values": [pb.DeniedValue(name=secret, value=b"12")]},
        {"denied_values": [pb.DeniedValue(name="x", value=secret.encode()), pb.DeniedValue(name=secret, value=b"abcdefgh")]},
        {"denied_values": [pb.DeniedValue(name=f"k{n}", value=secret.encode() * 700) for n in range(80)]},
        {"denied": [pb.ObjectReference(name=secret, namespace=secret, key=secret)]},
        {"denied": [pb.ObjectReference(kind=1, name=secret, namespace=f"{secret}/..", key=f"../{secret}")]},
        {"denied": [pb.ObjectReference(kind=1, name=secret, namespace=secret, key=secret)]},
    ):
        redaction = pb.RedactionContext(**wrong)
        if "denied_values" not in wrong:
            redaction.denied_values.add(name="it", value=secret.encode())
        yield (
            "CreateBundle",
            lambda api: api.bundles.CreateBundle,
            pb.CreateBundleRequest(parent=run, draft=draft(redaction=redaction)),
        )
        yield (
            "Redact",
            lambda api: lambda one: api.redaction.Redact(iter([pb.RedactRequest(header=one)])),
            pb.RedactHeader(parent=parent, redaction=redaction),
        )
        header = pb.UploadAttachmentHeader(
            parent=parent, redaction=redaction, attachment=pb.Attachment(id="a", kind="note", title="t")
        )
        yield (
            "UploadAttachment",
            lambda api: lambda one: api.attachments.UploadAttachment(iter([pb.UploadAttachmentRequest(header=one)])),
            header,
        )


@pytest.mark.parametrize("secret", list(names_of_secrets()), ids=["denied", "slack", "gitlab", "github"])
def test_no_error_echoes_what_was_sent(servers, engine, secret):
    server = servers(engine)
    client = Listener(server)
    own = {"it": secret.encode()}
    wrong = []
    for number, (method, bind, request) in enumerate(bad_requests(secret)):
        before = len(client.heard)
        answer = client.ask(bind(client.api), request)
        codes = (Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION, Code.NOT_FOUND, Code.ABORTED, Code.UNIMPLEMENTED)
        if isinstance(answer, Refusal) and answer.code not in codes:
            wrong.append((number, method, repr(answer)))
        # What only a context denies is no secret where that context is not.
        told = "draft" in request.DESCRIPTOR.fields_by_name and any(
            secret.encode() in one.value for one in request.draft.redaction.denied_values
        )
        if secret != DENIED_NAME or told:
            heard = {f"{number} {method} {str(answer)[:200]}": b"\n".join(client.heard[before:])}
            if leaks(heard, own):
                what = str(request)
                wrong.append((number, method, what[:200] if len(what) < 400 else what[-300:], repr(answer)[:300]))
    found = everything(server)
    if secret == DENIED_NAME:
        # Names of things that do not exist are no secret to a server that was not told so.
        found.pop("log")
        tokens = [name for name in found if name.startswith("store tokens/")] + ["names in the store"]
        found = {name: data for name, data in found.items() if name not in tokens}
    places = sorted({place for place, _, _ in leaks(found, own)})
    lines = [line for line in found.get("log", b"").splitlines() if leaks({"": line}, own)]
    assert not (wrong or places), "\n".join(map(str, [*wrong, *places, *lines[:20]]))


def test_no_credential_and_no_metadata_is_logged(servers, engine):
    server = servers(engine)
    secret = "gh" + "p_" + made_up("metadata", 36)
    channel = grpc.insecure_channel(server.address)
    replies = []
    for method, metadata in (
        ("/dossier.v1.BundleService/GetBundle", [("authorization", f"Bearer {secret}")]),
        ("/dossier.v1.BundleService/GetBundle", [("authorization", secret)]),
        (
            "/dossier.v1.BundleService/GetBundle",
            [("authorization", f"Bearer {server.token}"), ("x-request-id", secret), ("x-more", secret), ("cookie", secret)],
        ),
        (f"/dossier.v1.BundleService/{secret}", [("authorization", f"Bearer {server.token}")]),
        (f"/{secret}/GetBundle", [("authorization", f"Bearer {server.token}")]),
    ):
        with pytest.raises(grpc.RpcError) as error:
            channel.unary_unary(method)(pb.GetBundleRequest(name="x").SerializeToString(), metadata=metadata, timeout=10)
        replies.append(error.value.details().encode())
        replies += [str(pair).encode() for pair in error.value.trailing_metadata() or ()]
    channel.close()
    agent = server.api().new_token("agent", 3, run="r")
    server.api(agent.secret).list(f"orgs/{ORG}/runs/r")
    secrets = {
        "sent": secret.encode(),
        "admin": server.token.encode(),
        "agent": agent.secret.encode(),
        "bare": server.token[4:].encode(),
    }
    assert leaks(everything(server, replies), secrets) == []


def test_a_secret_where_only_a_form_is_taken(watched):
    """A denied value can have the form of a digest, a commit or a number: such fields are stored too."""
    client = Listener(watched)

    def send(**changes):
        return client.ask(client.api.create, draft(redaction=context(), **changes), run="forms")

    answers = {
        "stack digest": send(launch=pb.LaunchOptions(stack=pb.Stack(name="s", digest=f"sha256:{DENIED_HEX}"))),
        "source commit": send(sources=[pb.Source(kind="issue", name="a", text="x", commit=DENIED_COMMIT)]),
        "source head": send(sources=[pb.Source(kind="issue", name="a", text="x", head_sha=DENIED_COMMIT)]),
        "refs head": send(source_refs=pb.SourceRefs(head_sha=DENIED_COMMIT)),
        "expected": send(expected_digest=f"sha256:{DENIED_HEX}"),
        "pin": send(pins=pb.Pins(rule_set_digest=f"sha256:{DENIED_HEX}")),
        "upload": send(sources=[pb.Source(kind="issue", name="a", upload=f"sha256:{DENIED_HEX}")]),
        "attachment": send(attachments=[pb.Attachment(id="a", kind="note", title="t", digest=f"sha256:{DENIED_HEX}")]),
        "label": send(labels=[pb.LabelReference(name="l", digest=f"sha256:{DENIED_HEX}")]),
    }
    tool = pb.Tool(name="t")
    tool.schema.update({"maximum": int(DENIED_NUMBER), "list": [int(DENIED_NUMBER)]})
    answers["number in a schema"] = send(tools=[tool])
    found = everything(watched, client.heard)
    secrets = {"hex": DENIED_HEX.encode(), "commit": DENIED_COMMIT.encode(), "number": DENIED_NUMBER.encode()}
    taken = [name for name, answer in answers.items() if not isinstance(answer, Refusal)]
    assert sorted({(place, name) for place, name, _ in leaks(found, secrets)}) == [], taken


def test_a_secret_that_is_put_together(watched):
    """By a template, by two fields, over the border of two fragments, by a tool's JSON."""
    client = Listener(watched)
    one, other = DENIED_LINES.split("\n\n")
    token = "gh" + "p_" + made_up("together", 36)
    trigger = pb.TriggerTemplate(template="{{ a }}{{ b }}")
    trigger.fields["a"].value, trigger.fields["b"].value = DENIED_NAME[:7], DENIED_NAME[7:]
    tokens = pb.TriggerTemplate(template="{% for c in a %}{{ c }}{% endfor %}{{ b }} {{ ['gh', 'p_', c]|join }}")
    tokens.fields["a"].value, tokens.fields["b"].value, tokens.fields["c"].value = token[:9], token[9:], token[4:]
    shouted = pb.TriggerTemplate(template="{{ a|lower }} {{ b|reverse }} {{ b|replace('-', '') }}")
    shouted.fields["a"].value, shouted.fields["b"].value = DENIED_NAME.upper(), DENIED_NAME[::-1]
    for number, changes in enumerate(
        (
            {"trigger": trigger},
            {"trigger": tokens},
            {"trigger": shouted},
            {"skills": [pb.Skill(name="a", text=f"x {one}"), pb.Skill(name="b", text=f"{other} x")]},
            {"user": pb.PromptText(text=f"x {one}\n\n{other}")},
            {"trigger": pb.TriggerTemplate(template=f"x {one}"), "user": pb.PromptText(text=f"{other} x")},
            {"system": pb.PromptText(text=f"x {one}"), "developer": pb.PromptText(text=f"{other} x")},
        )
    ):
        answer = client.ask(client.api.create, draft(redaction=context(), **changes), run="together")
        if isinstance(answer, Refusal):
            assert answer.code == Code.FAILED_PRECONDITION, answer
        else:
            assert client.api.verify(answer.bundle.name).verified
    whole = {"denied": DENIED_NAME.encode(), "lines": DENIED_LINES.encode(), "token": token.encode()}
    assert leaks(everything(watched, client.heard), whole) == []


def test_mounted_values_are_denied_by_reference(servers, engine, tmp_path):
    """The server finds the values of Secrets itself; what it does not find is a warning."""
    value, other, config = made_up("mounted", 30), "line one of it 8Kd\nline two of it 5Rt", made_up("mounted-config", 20)
    for path, text in (
        ("secrets/prod/database/password", value + "\n"),
        ("secrets/prod/database/more", other),
        ("configmaps/prod/settings/key", config),
        ("secrets/dev/database/password", "another-value-of-dev-1"),
    ):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    server = servers(engine, flags=["--secrets-dir", str(tmp_path)])
    client = Listener(server)
    text = f"it is {value}, {base64.b64encode(value.encode()).decode()}, {other} and {config}; another-value-of-dev-1"
    sent = draft(user=pb.PromptText(text=text), sources=[source(text, "s", "issue")])
    sent.redaction.denied.add(kind=1, namespace="prod", name="database")
    sent.permission_review.denied.add(kind=2, namespace="prod", name="settings", key="key")
    sent.redaction.denied.add(kind=1, namespace="prod", name="nowhere")
    sent.redaction.denied.add(kind=1, namespace="..", name="database")
    refusal = client.ask(client.api.create, sent)
    assert refusal.code == Code.INVALID_ARGUMENT, refusal
    del sent.redaction.denied[2]
    answer = client.ask(client.api.create, sent)
    assert [one.code for one in answer.findings if one.code == "DENY_VALUE_MISSING"] == ["DENY_VALUE_MISSING"]
    _, blobs = client.api.fetch(answer.bundle.name)
    task = blobs[answer.bundle.spec.prompt.rendered_task_digest].decode()
    assert "another-value-of-dev-1" in task, "only what is named is denied"
    assert (
        leaks(everything(server, client.heard), {"value": value.encode(), "lines": other.encode(), "config": config.encode()})
        == []
    )


def test_manifests_of_denied_objects_are_blanked(servers):
    server = servers("local")
    client = Listener(server)
    value = made_up("in-a-manifest", 24)
    encoded = base64.b64encode(value.encode()).decode()
    yaml = f"apiVersion: v1\ndata:\n  password: {encoded}\n  plain: {encoded}\nkind: Secret\nmetadata:\n  name: database\n  namespace: prod\n"
    as_json = json.dumps(
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "database", "namespace": "prod"}, "data": {"x": encoded}}
    )
    sent = draft(sources=[source(f"before\n---\n{yaml}---\nafter\n", "yaml", "issue"), source(as_json, "json", "linked-work")])
    sent.redaction.denied.add(kind=1, namespace="prod", name="database")
    answer = client.ask(client.api.create, sent)
    _, blobs = client.api.fetch(answer.bundle.name)
    task = blobs[answer.bundle.spec.prompt.rendered_task_digest].decode()
    assert "before" in task and "after" in task
    assert leaks(everything(server, client.heard), {"value": value.encode(), "encoded": encoded.encode()}) == []


# --- cuts -------------------------------------------------------------------------------------------------------------


def cut_secrets():
    token = "gh" + "p_" + made_up("cut", 36)
    pem = "\n".join(
        ["-----BEGIN RSA PRIVATE KEY-----", *[made_up(f"cut{n}", 64) for n in range(6)], "-----END RSA PRIVATE KEY-----"]
    )
    return {
        "denied": (DENIED, DENIED.encode()),
        "token": (token, token.encode()),
        "base64": (base64.b64encode(b"ab" + DENIED.encode() + b"c").decode(), DENIED.encode()),
        "pem": (pem, pem.encode()),
        "assigned": (f"password={made_up('cut-p', 30)}", made_up("cut-p", 30).encode()),
        "lines": (DENIED_LINES, DENIED_LINES.encode()),
    }


def pieces_of(secret: bytes, size: int = 12) -> set:
    """Parts of a secret, raw and encoded: its ends, and enough of its middle that no longer run of it goes unseen."""
    forms = [*encodings(secret).values(), json.dumps(secret.decode())[1:-1].encode()]
    parts = set()
    for form in forms:
        last = max(0, len(form) - size)
        parts |= {form[at : at + size] for at in {*range(0, last, 6), last}}
    return {part for part in parts if not part.startswith(b"-----")}


def survives(data: bytes, parts: set):
    return [part for part in parts if part in data]


@pytest.mark.parametrize("name", list(cut_secrets()))
def test_no_cut_lets_a_part_of_a_secret_through(servers, name):
    """The limits of a draft cut wherever they will: a secret at any place around the cut is gone, and so is each half."""
    server = servers("local")
    api = server.api()
    text, secret = cut_secrets()[name]
    parts = pieces_of(secret)
    random.seed(name)
    offsets = list(range(-len(text) - 4, 5, max(3, len(text) // 25))) + [random.randrange(-400, 400) for _ in range(10)]
    kinds = [
        ("logs", "max_log_bytes", "runs"),
        ("issue", "max_source_bytes", "issues"),
        ("memory-records", "max_memory_bytes", "issues"),
        ("task-context", "max_task_bytes", "issues"),
    ]
    limit = 2500
    for kind, member, route in kinds:
        for head in (625, 1875):
            sources = []
            for number, offset in enumerate(offsets):
                for line in ("", "\n"):
                    before = ("some words of a text. " * 400)[: max(0, head - 160 + offset)] + line
                    body = before + text + line + " and many more words" * 300
                    sources.append(source(body, f"s{number}{'n' if line else ''}", kind))
            for at in range(0, len(sources), 60):
                sent = draft(
                    route=route, redaction=context(), sources=sources[at : at + 60], limits=pb.Limits(**{member: limit})
                )
                bundle = api.create(sent).bundle
                assert bundle.spec.limits.truncated
                _, blobs = api.fetch(bundle.name)
                assert survives(b"\n".join(blobs.values()), parts) == [], (kind, head)
        # The end that is kept.
        sources = [source("many words " * 600 + text + " end." * (60 + offset), f"e{offset}", kind) for offset in range(0, 60)]
        bundle = api.create(
            draft(route=route, redaction=context(), sources=sources, limits=pb.Limits(**{member: limit}))
        ).bundle
        assert survives(b"\n".join(api.fetch(bundle.name)[1].values()), parts) == []
    # The whole bundle over its limit: cut by worth.
    for offset in range(0, 120, 7):
        sources = [source("w" * offset + " word" * 300 + text + " word" * 2000, f"s{n}", "issue") for n in range(4)]
        bundle = api.create(draft(redaction=context(), sources=sources, limits=pb.Limits(max_bytes=14000 + offset))).bundle
        assert survives(b"\n".join(api.fetch(bundle.name)[1].values()), parts) == []
    assert survives(server.log.read_bytes(), parts) == []


@pytest.mark.parametrize("name", list(cut_secrets()))
def test_no_border_of_an_upload_lets_a_secret_through(servers, name):
    """Chunks end wherever they will, and an excerpt is cut wherever it will."""
    server = servers("local")
    api = server.api()
    text, secret = cut_secrets()[name]
    parts = pieces_of(secret)
    data = f"begin\nx {text} y\nend\n".encode()
    expected = api.upload(data, redaction=context()).attachment.digest
    step = 1 if len(data) < 120 else 7
    for cut in range(1, len(data), step):

        def messages():
            entry = pb.Attachment(id="log", kind="log-excerpt", title="The log")
            yield pb.UploadAttachmentRequest(
                header=pb.UploadAttachmentHeader(parent=f"orgs/{ORG}", attachment=entry, redaction=context())
            )
            yield pb.UploadAttachmentRequest(data=data[:cut])
            yield pb.UploadAttachmentRequest(data=data[cut:])

        assert api.attachments.UploadAttachment(messages()).attachment.digest == expected, cut
    for offset in range(-len(text) - 2, 3, max(3, len(text) // 25)):
        for head in (250, 750):
            body = ("word " * 400)[: max(0, head + offset)].encode() + text.encode() + b" more" * 2000
            for chunk in (97, 1 << 20):
                assert api.upload(body, redaction=context(), max_bytes=1000, chunk=chunk).attachment.truncated
    # Borders of the reader's own blocks.
    for border in (1 << 13, 1 << 15, 1 << 16, 1 << 18, 1 << 20):
        for offset in (-len(text), -len(text) // 2, -1, 0):
            body = (
                b"plain word\n" * ((border + offset) // 11)
                + b"." * ((border + offset) % 11 - 1)
                + b" "
                + text.encode()
                + b"\n"
                + b"tail\n" * 2000
            )
            redacted, summary = api.redact(body, [body[at : at + (1 << 19)] for at in range(0, len(body), 1 << 19)], context())
            assert survives(redacted, parts) == [], (border, offset)
    for place, blob in everything(server).items():
        assert survives(blob, parts) == [], place
