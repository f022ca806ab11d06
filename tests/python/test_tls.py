"""A server with a certificate: the main job over TLS, and nobody served without."""

import datetime
import ipaddress
import json

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from harness import Api, draft, pb
from test_api import verified
from test_fetched import dossier

Code = grpc.StatusCode


def certificate(folder, name):
    """A certificate that signs itself, for this machine alone."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    places = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(places), critical=False)
        # Not one that may sign others: those are refused as a server's own.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    cert, private = folder / f"{name}.crt", folder / f"{name}.key"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(key.private_bytes(*form))
    return cert, private


@pytest.fixture(scope="module")
def secure(servers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    cert, key = certificate(folder, "dossier-test")
    server = servers("local", environment={"DOSSIER_TLS_CERT": str(cert), "DOSSIER_TLS_KEY": str(key)})
    return server, cert, folder


def test_the_main_job_over_tls(secure):
    server, cert, _ = secure
    for address in (server.address, server.address.replace("127.0.0.1", "localhost")):
        api = Api(address, server.token, roots=cert.read_bytes())
        # A text of several chunks, so that streams go both ways.
        log = b"".join(b"line %d of a long build\n" % n for n in range(9000))
        sent = draft(attachments=[api.upload(log, id="log").attachment])
        preview = api.preview(sent)
        bundle = api.create(sent, request_id="over-tls").bundle
        assert bundle.digest == preview.digest
        verified(*api.fetch(bundle.name))
        assert api.verify(bundle.name).verified
        api.close()


def test_the_command_line_over_tls(secure, tmp_path):
    server, cert, _ = secure
    (tmp_path / "job.log").write_text("error: it broke\n")
    (tmp_path / "draft.json").write_text(
        json.dumps({"run": "run-1", "project": "shop", "route": "runs", "user": {"text": "Mend it."}})
    )
    trusted = ("--token-file", server.token_file, "--org", "acme", "--ca-file", cert, "--server")
    for address in (server.address, f"https://{server.address}"):
        at = (*trusted, address)
        dossier(*at, "attach", tmp_path / "job.log", "--kind", "note", "--id", "n", "--title", "t", home=tmp_path)
        done = dossier(*at, "create", "-f", tmp_path / "draft.json", "--request-id", "cli", "-o", "name", home=tmp_path)
        name = done.stdout.decode().strip()
        out = tmp_path / f"out-{len(address)}"
        dossier(*at, "fetch", name, "--out", out, home=tmp_path)
        dossier("verify", out, home=tmp_path)
        dossier(*at, "verify", name, home=tmp_path)


def test_who_speaks_in_plain_text_or_trusts_another_is_refused(secure, tmp_path):
    server, cert, folder = secure
    other, _ = certificate(folder, "another")
    for roots in (None, other.read_bytes()):
        api = Api(server.address, server.token, roots=roots)
        with pytest.raises(grpc.RpcError) as error:
            api.bundles.ListBundles(pb.ListBundlesRequest(parent="orgs/acme"), timeout=10)
        assert error.value.code() == Code.UNAVAILABLE
        api.close()
    at = ("--token-file", server.token_file, "--timeout", "5s", "--server")
    # In plain text, with another's certificate, and with those of the system (of which there may be none).
    dossier(*at, f"http://{server.address}", "list", home=tmp_path, code=1)
    dossier("--ca-file", other, *at, server.address, "list", home=tmp_path, code=1)
    system = dossier(*at, f"https://{server.address}", "list", home=tmp_path, code=None)
    assert system.returncode in (1, 2), system
    # The token was never sent: no call was.
    assert "ListBundles" not in server.log.read_text()


def test_a_server_that_cannot_have_tls_does_not_start_without(servers, tmp_path):
    cert, key = certificate(tmp_path, "halves")
    _, foreign = certificate(tmp_path, "foreign")
    broken = tmp_path / "broken.key"
    broken.write_text("-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n")
    for pair in (
        {"DOSSIER_TLS_CERT": str(cert)},
        {"DOSSIER_TLS_KEY": str(key)},
        {"DOSSIER_TLS_CERT": str(cert), "DOSSIER_TLS_KEY": str(tmp_path / "none")},
        {"DOSSIER_TLS_CERT": str(cert), "DOSSIER_TLS_KEY": str(broken)},
        {"DOSSIER_TLS_CERT": str(cert), "DOSSIER_TLS_KEY": str(foreign)},
    ):
        with pytest.raises(RuntimeError) as error:
            servers("local", environment=pair)
        assert "bm90IGEga2V5" not in str(error.value)
