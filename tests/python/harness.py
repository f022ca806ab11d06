"""Starts real servers on real stores, and talks to them with a client that grpcio-tools makes from proto/."""

import atexit
import base64
import contextlib
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

import grpc

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _make_client():
    from importlib import resources

    from grpc_tools import protoc

    out = tempfile.mkdtemp(prefix="dossier-client-")
    atexit.register(shutil.rmtree, out, ignore_errors=True)
    proto = ROOT / "proto"
    files = sorted(str(path.relative_to(proto)) for path in (proto / "dossier").rglob("*.proto"))
    well_known = str(resources.files("grpc_tools") / "_proto")
    # Of google/api there are Python modules in googleapis-common-protos.
    arguments = [
        "protoc",
        f"-I{proto}",
        f"-I{proto / 'third_party'}",
        f"-I{well_known}",
        f"--python_out={out}",
        f"--grpc_python_out={out}",
        *files,
    ]
    assert protoc.main(arguments) == 0, "protoc failed"
    sys.path.insert(0, out)


_make_client()

from dossier.v1 import (  # noqa: E402
    attachment_pb2,
    attachment_service_pb2,
    attachment_service_pb2_grpc,
    bundle_pb2,
    bundle_service_pb2,
    bundle_service_pb2_grpc,
    draft_pb2,
    finding_pb2,
    limits_pb2,
    redaction_pb2,
    redaction_service_pb2,
    redaction_service_pb2_grpc,
    review_pb2,
    source_pb2,
    token_service_pb2,
    token_service_pb2_grpc,
)
from google.protobuf import json_format  # noqa: E402
from google.rpc import error_details_pb2  # noqa: E402
from grpc_status import rpc_status  # noqa: E402

MODULES = [
    attachment_pb2,
    attachment_service_pb2,
    bundle_pb2,
    bundle_service_pb2,
    draft_pb2,
    finding_pb2,
    limits_pb2,
    redaction_pb2,
    redaction_service_pb2,
    review_pb2,
    source_pb2,
    token_service_pb2,
]


class _Messages:
    """All messages of dossier.v1 by their short names."""

    def __getattr__(self, name):
        for module in MODULES:
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(name)


pb = _Messages()
ORG = "acme"
TEXT = "text/plain; charset=utf-8"


# --- stores ----------------------------------------------------------------------------------------------------------


class LocalStore:
    """A data directory."""

    kind = "local"

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def flags(self):
        return ["--data-dir", str(self.folder)]

    def environment(self):
        return {}

    def objects(self) -> dict:
        """Every file, those that are not the store's included."""
        found = {}
        for path in self.folder.rglob("*"):
            if path.is_file():
                with contextlib.suppress(FileNotFoundError):
                    found[str(path.relative_to(self.folder))] = path.read_bytes()
        return found

    def names(self) -> list:
        return [str(path.relative_to(self.folder)) for path in self.folder.rglob("*")]

    def read(self, key):
        return (self.folder / key).read_bytes()

    def write(self, key, data):
        path = self.folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.chmod(0o600)
        path.write_bytes(data)

    def delete(self, key):
        (self.folder / key).unlink()


class S3Store:
    """A prefix in a bucket."""

    kind = "s3"

    def __init__(self, engine, prefix):
        self.engine, self.prefix = engine, prefix

    def flags(self):
        return [
            "--s3-bucket",
            self.engine["S3_BUCKET"],
            "--s3-endpoint",
            self.engine["S3_ENDPOINT"],
            "--s3-region",
            self.engine["S3_REGION"],
            "--s3-prefix",
            self.prefix,
        ]

    def environment(self):
        return {name: self.engine[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}

    @property
    def client(self):
        if not hasattr(self, "_client"):
            import boto3
            from botocore.config import Config

            self._client = boto3.client(
                "s3",
                endpoint_url=self.engine["S3_ENDPOINT"],
                region_name=self.engine["S3_REGION"],
                aws_access_key_id=self.engine["AWS_ACCESS_KEY_ID"],
                aws_secret_access_key=self.engine["AWS_SECRET_ACCESS_KEY"],
                config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 5}),
            )
        return self._client

    def names(self) -> list:
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.engine["S3_BUCKET"], Prefix=self.prefix.rstrip("/") + "/"
        )
        cut = len(self.prefix.rstrip("/")) + 1
        return [one["Key"][cut:] for page in pages for one in page.get("Contents", [])]

    def objects(self) -> dict:
        found = {}
        for name in self.names():
            with contextlib.suppress(self.client.exceptions.NoSuchKey):
                found[name] = self.read(name)
        return found

    def _key(self, key):
        return {"Bucket": self.engine["S3_BUCKET"], "Key": f"{self.prefix.rstrip('/')}/{key}"}

    def read(self, key):
        return self.client.get_object(**self._key(key))["Body"].read()

    def write(self, key, data):
        self.client.put_object(**self._key(key), Body=data)

    def delete(self, key):
        self.client.delete_object(**self._key(key))


def start_s3(folder: pathlib.Path) -> dict:
    """Starts the S3 engine for as long as this process lives."""
    script = ROOT / "scripts" / "s3-start"
    for _ in range(8):
        port = random.randrange(20000, 44000, 10)
        data = folder / f"s3-{port}"
        done = subprocess.run(
            [str(script), "--scratch-for", str(os.getpid()), str(data), str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
        if done.returncode == 0:
            return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        if done.returncode != 3:
            break
    raise RuntimeError(f"the S3 engine did not start: {done.stderr[-2000:]}")


# --- the server ------------------------------------------------------------------------------------------------------


def binary() -> str:
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    path = os.environ.get("DOSSIERD") or str(target / "debug" / "dossierd")
    assert os.path.exists(path), f"{path} is not built; set DOSSIERD or run cargo build"
    return path


class Server:
    """One `dossierd` process; `start` may be called again after `stop` or `kill`."""

    def __init__(self, store, folder: pathlib.Path, flags=(), environment=None):
        self.store, self.folder = store, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "server.log"
        self.token_file = folder / "token"
        self.home = folder / "home"
        self.home.mkdir(exist_ok=True)
        self.more, self.extra = list(flags), dict(environment or {})
        self.process = self.address = None

    def environment(self):
        mine = {"PATH": os.environ["PATH"], "HOME": str(self.home), "RUST_BACKTRACE": "1"}
        return {**mine, **self.store.environment(), **self.extra}

    def start(self):
        command = [
            binary(),
            *self.store.flags(),
            "--listen",
            "127.0.0.1:0",
            "--token-file",
            str(self.token_file),
            "--log",
            "trace",
            *self.more,
        ]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=self.environment())
        timer = threading.Timer(60, self.process.kill)
        timer.start()
        line = self.process.stdout.readline()
        timer.cancel()
        if not line:
            self.process.wait()
            raise RuntimeError(f"dossierd did not start: {self.log.read_text(errors='replace')[-2000:]}")
        self.address = json.loads(line)["listening"]
        self.token = self.token_file.read_text().strip()
        return self

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(40)
            except subprocess.TimeoutExpired:
                self.kill()
                raise AssertionError("dossierd does not stop on SIGTERM") from None
        if self.process:
            self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def run(self, *arguments, timeout=120):
        """Another `dossierd` on the same store."""
        return subprocess.run(
            [binary(), *self.store.flags(), "--log", "info", *self.more, *arguments],
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=timeout,
        )

    def api(self, token=None, **options):
        return Api(self.address, self.token if token is None else token, **options)


# --- the client ------------------------------------------------------------------------------------------------------


class _Recording:
    """A channel that adds the credential and keeps every reply's bytes."""

    def __init__(self, channel, metadata, replies):
        self._channel, self._metadata, self._replies = channel, metadata, replies

    def _wrap(self, make):
        def build(method, request_serializer=None, response_deserializer=None, _registered_method=False, **_):
            def read(data):
                if self._replies is not None:
                    self._replies.append(data)
                return response_deserializer(data)

            call = make(method, request_serializer=request_serializer, response_deserializer=read)

            def invoke(request, **options):
                options.setdefault("metadata", self._metadata)
                options.setdefault("timeout", 60)
                return call(request, **options)

            def start(request, **options):
                options.setdefault("metadata", self._metadata)
                return call.future(request, **options)

            invoke.future = start
            return invoke

        return build

    @property
    def unary_unary(self):
        return self._wrap(self._channel.unary_unary)

    @property
    def unary_stream(self):
        return self._wrap(self._channel.unary_stream)

    @property
    def stream_unary(self):
        return self._wrap(self._channel.stream_unary)

    @property
    def stream_stream(self):
        return self._wrap(self._channel.stream_stream)


class Api:
    """All services with one credential; over TLS where the certificates to trust are given."""

    def __init__(self, address, token, replies=None, roots=None, **options):
        limits = [
            ("grpc.max_receive_message_length", 64 << 20),
            ("grpc.max_send_message_length", 64 << 20),
            ("grpc.enable_retries", 0),
            ("grpc.use_local_subchannel_pool", 1),
        ]
        if roots is None:
            self.channel = grpc.insecure_channel(address, options=limits, **options)
        else:
            self.channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(roots), options=limits, **options)
        metadata = [("authorization", f"Bearer {token}")] if token else []
        wrapped = _Recording(self.channel, metadata, replies)
        self.bundles = bundle_service_pb2_grpc.BundleServiceStub(wrapped)
        self.attachments = attachment_service_pb2_grpc.AttachmentServiceStub(wrapped)
        self.redaction = redaction_service_pb2_grpc.RedactionServiceStub(wrapped)
        self.tokens = token_service_pb2_grpc.TokenServiceStub(wrapped)

    def close(self):
        self.channel.close()

    # The everyday calls, short.

    def preview(self, draft, run="run-1", org=ORG):
        return self.bundles.PreviewBundle(pb.PreviewBundleRequest(parent=f"orgs/{org}/runs/{run}", draft=draft))

    def create(self, draft, run="run-1", org=ORG, timeout=60, **names):
        request = pb.CreateBundleRequest(parent=f"orgs/{org}/runs/{run}", draft=draft, **names)
        return self.bundles.CreateBundle(request, timeout=timeout)

    def get(self, name):
        return self.bundles.GetBundle(pb.GetBundleRequest(name=name)).bundle

    def verify(self, name):
        return self.bundles.VerifyBundle(pb.VerifyBundleRequest(name=name))

    def list(self, parent=f"orgs/{ORG}", **fields):
        found, token = [], ""
        while True:
            page = self.bundles.ListBundles(pb.ListBundlesRequest(parent=parent, page_token=token, **fields))
            found += page.bundles
            token = page.next_page_token
            if not token:
                return found

    def fetch(self, name, have=()):
        """The header, and the blobs' bytes by digest; the manifest is the header's first."""
        header, blobs = None, {}
        for message in self.bundles.FetchBundle(pb.FetchBundleRequest(name=name, have_digests=have)):
            if message.WhichOneof("payload") == "header":
                assert header is None and not blobs
                header = message.header
            else:
                chunk = message.chunk
                assert len(chunk.data) <= 1 << 20
                held = blobs.setdefault(chunk.digest, b"")
                assert chunk.offset == len(held)
                blobs[chunk.digest] = held + chunk.data
        assert [one.digest for one in header.blobs if one.digest not in have] == list(blobs)
        assert all(one.bytes == len(blobs[one.digest]) for one in header.blobs if one.digest in blobs)
        return header, blobs

    def upload(self, data, id="log", kind="log-excerpt", title="The log", chunk=1 << 16, timeout=60, **header):
        entry = header.pop("attachment", None) or pb.Attachment(id=id, kind=kind, title=title)
        for member in ("media_type", "source_url", "head_sha", "base_sha", "retrieved_at"):
            if member in header:
                value = header.pop(member)
                getattr(entry, member).CopyFrom(value) if member == "retrieved_at" else setattr(entry, member, value)
        header.setdefault("parent", f"orgs/{ORG}")

        def messages():
            yield pb.UploadAttachmentRequest(header=pb.UploadAttachmentHeader(attachment=entry, **header))
            for at in range(0, len(data), chunk):
                yield pb.UploadAttachmentRequest(data=data[at : at + chunk])

        return self.attachments.UploadAttachment(messages(), timeout=timeout)

    def read(self, bundle, attachment, offset=0, limit=0):
        header, data = None, b""
        request = pb.ReadAttachmentRequest(name=f"{bundle}/attachments/{attachment}", offset=offset, limit=limit)
        for message in self.attachments.ReadAttachment(request):
            if message.WhichOneof("payload") == "header":
                assert header is None
                header = message.header
            else:
                assert message.chunk.offset == header.offset + len(data)
                data += message.chunk.data
        assert len(data) == header.length
        return header, data

    def redact(self, data, chunks=None, context=None, timeout=60, parent=f"orgs/{ORG}"):
        pieces = chunks if chunks is not None else [data]

        def messages():
            yield pb.RedactRequest(header=pb.RedactHeader(parent=parent, redaction=context))
            for piece in pieces:
                yield pb.RedactRequest(data=piece)

        out, summary = b"", None
        for message in self.redaction.Redact(messages(), timeout=timeout):
            if message.WhichOneof("payload") == "summary":
                assert summary is None
                summary = message.summary
            else:
                assert summary is None
                out += message.data
        return out, summary

    def new_token(self, principal, role, orgs=(ORG,), **fields):
        request = pb.CreateTokenRequest(principal=principal, role=role, orgs=orgs, **fields)
        return self.tokens.CreateToken(request)


# --- errors ----------------------------------------------------------------------------------------------------------


class Refusal:
    """An error, decoded as a client would."""

    def __init__(self, error):
        self.code, self.message = error.code(), error.details()
        self.trailers = list(error.trailing_metadata() or ())
        status = rpc_status.from_call(error)
        self.info = self.bad = self.failure = self.resource = self.retry = self.quota = None
        for detail in status.details if status else ():
            for member, kind in (
                ("info", error_details_pb2.ErrorInfo),
                ("bad", error_details_pb2.BadRequest),
                ("failure", error_details_pb2.PreconditionFailure),
                ("resource", error_details_pb2.ResourceInfo),
                ("retry", error_details_pb2.RetryInfo),
                ("quota", error_details_pb2.QuotaFailure),
            ):
                if detail.Is(kind.DESCRIPTOR):
                    value = kind()
                    detail.Unpack(value)
                    setattr(self, member, value)

    @property
    def reason(self):
        return self.info.reason if self.info else None

    @property
    def fields(self):
        return [one.field for one in self.bad.field_violations] if self.bad else []

    def bytes(self) -> bytes:
        """All that arrived, trailers in the base64 of the wire's and decoded."""
        parts = [self.message.encode(), repr(self.code).encode()]
        for key, value in self.trailers:
            parts += [key.encode(), value if isinstance(value, bytes) else value.encode()]
        return b"\n".join(parts)

    def trailer_bytes(self) -> int:
        size = 0
        for key, value in self.trailers:
            sent = len(base64.b64encode(value)) if isinstance(value, bytes) else len(value)
            size += len(key) + sent + 32
        return size + len(urllib.parse.quote(self.message)) + len("grpc-message")

    def __repr__(self):
        return f"{self.code} {self.reason}: {self.message} {self.fields}"


def refused(call, *arguments, **options) -> Refusal:
    """The error that a call must end in."""
    try:
        answer = call(*arguments, **options)
        if hasattr(answer, "__next__"):
            list(answer)
    except grpc.RpcError as error:
        refusal = Refusal(error)
        assert refusal.info is not None and refusal.info.domain == "dossier.dev", refusal
        assert refusal.info.metadata["action"] in ("retry", "fix", "fatal"), refusal
        return refusal
    raise AssertionError("the call was not refused")


# --- drafts ----------------------------------------------------------------------------------------------------------


def sha(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


HEAD = "0123456789abcdef0123456789abcdef01234567"


def draft(**changes):
    """A small draft that is accepted."""
    made = json_format.ParseDict(
        {
            "project": "shop",
            "route": "issues",
            "launch": {"model": "model-1", "stack": {"name": "stack", "generation": 3, "digest": sha(b"stack")}},
            "sourceRefs": {"repository": "group/shop", "issue": "12", "headSha": HEAD},
            "system": {"text": "You are careful.", "provenance": {"origin": "operator"}},
            "developer": {"text": "Write tests."},
            "skills": [{"name": "review", "version": "1.2", "text": "Read twice."}],
            "trigger": {
                "template": "Work on {{ kind }} #{{ number }}.",
                "fields": {"kind": {"value": "issue", "trust": "TRUST_TRUSTED"}, "number": {"value": "12"}},
            },
            "user": {"text": "Keep it small."},
            "sources": [
                {
                    "kind": "issue",
                    "name": "issue 12",
                    "uri": "https://forge.example/shop/issues/12",
                    "retrievedAt": "2026-07-12T12:10:00Z",
                    "text": 'The build <fails> since "main" & it is red.\n',
                },
                {"kind": "context-labels", "name": "labels", "text": "bug, ci\n", "headSha": HEAD[:12]},
                {"kind": "linked-work", "name": "links", "text": "none", "ref": "main", "path": "docs/links.md"},
            ],
            "tools": [{"name": "read_file", "description": "Reads.", "schema": {"type": "object", "n": 1.5}}],
            "permissionReview": {"grantedTools": ["read_file"], "reviewer": "eve", "notes": "fine"},
        },
        pb.BundleDraft(),
    )
    for name, value in changes.items():
        if isinstance(value, (list, tuple)):
            made.ClearField(name)
            getattr(made, name).extend(value)
        elif isinstance(value, str):
            setattr(made, name, value)
        else:
            getattr(made, name).CopyFrom(value)
    return made


def source(text, name="log", kind="logs", **fields):
    return pb.Source(kind=kind, name=name, text=text, **fields)


# --- searching for what must not be there ------------------------------------------------------------------------------


def encodings(secret: bytes) -> dict:
    """The forms in which a secret would still be one. Those under 8 bytes say too little."""
    forms = {"raw": secret, "hex": secret.hex().encode(), "HEX": secret.hex().upper().encode()}
    forms["percent"] = urllib.parse.quote(secret, safe="").encode()
    forms["form"] = urllib.parse.quote_plus(secret).encode()
    forms["json"] = json.dumps(secret.decode("utf-8", "replace"))[1:-1].encode()
    forms["json-utf8"] = json.dumps(secret.decode("utf-8", "replace"), ensure_ascii=False)[1:-1].encode()
    for pad in range(3):
        # The characters that depend on the secret alone, whatever stands around it.
        encoded = base64.b64encode(b"\0" * pad + secret + b"\0" * 3)
        first = -(-pad * 8 // 6)
        last = (pad + len(secret)) * 8 // 6
        forms[f"base64+{pad}"] = encoded[first:last]
        forms[f"base64url+{pad}"] = base64.urlsafe_b64encode(b"\0" * pad + secret + b"\0" * 3)[first:last]
    unlike = {form: name for name, form in reversed(forms.items()) if len(form) >= 8}
    return {name: form for form, name in unlike.items()}


def leaks(haystacks: dict, secrets: dict) -> list:
    """Where which secret stands: (place, secret, form)."""
    found = []
    for name, secret in secrets.items():
        for form, needle in encodings(secret).items():
            for place, data in haystacks.items():
                if needle in data:
                    found.append((place, name, form))
    return found
