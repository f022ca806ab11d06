"""Secrets to plant: invented, of valid form, and put together here so that no scanner takes this file for a leak."""

import base64
import hashlib
import json
import urllib.parse
from dataclasses import dataclass

from harness import pb

_ALL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_HEX = "0123456789abcdef"
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def made_up(seed: str, length: int, letters: str = _ALL) -> str:
    """Text that looks random and is always the same."""
    out, number = [], 0
    while len(out) < length:
        block = hashlib.sha256(f"{seed}/{number}".encode()).digest()
        out += [letters[byte % len(letters)] for byte in block]
        number += 1
    return "".join(out[:length])


def _base64_json(value) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


# --- what the context denies -----------------------------------------------------------------------------------------

DENIED = 'Zq7!kV"9x/L+2 mN#pW&ä=u5'
DENIED_NAME = "qz7kfd83mwpl0x"  # also fits where a name must stand
DENIED_HEX = made_up("denied-hex", 64, _HEX)  # also fits where a digest must stand
DENIED_COMMIT = made_up("denied-commit", 40, _HEX)
DENIED_LINES = "first-half-of-it-7Gk2\n\nother-half-of-it-9Pw4"
DENIED_NUMBER = "4929123456781"
USER_LITERAL = "Projekt Nachtigall 77"
POLICY_SECRET = "ACME-" + made_up("policy", 12, "0123456789ABCDEF")
USER_SECRET = "TICKET-" + made_up("user", 9, "0123456789")

POLICY = """
title = "house rules"
[[rules]]
id = "acme-key"
description = "keys of the house"
regex = '''ACME-[0-9A-F]{12}'''
keywords = ["ACME-"]
"""


def context():
    return pb.RedactionContext(
        denied_values=[
            pb.DeniedValue(name="first", value=DENIED.encode()),
            pb.DeniedValue(name="second", value=DENIED_NAME.encode()),
            pb.DeniedValue(name="third", value=DENIED_HEX.encode()),
            pb.DeniedValue(name="fourth", value=DENIED_COMMIT.encode()),
            pb.DeniedValue(name="fifth", value=DENIED_LINES.encode()),
            pb.DeniedValue(name="sixth", value=DENIED_NUMBER.encode()),
        ],
        policy=POLICY,
        user_patterns=[pb.UserPattern(literal=USER_LITERAL), pb.UserPattern(regex=r"TICKET-\d{9}")],
    )


@dataclass(frozen=True)
class Planted:
    name: str
    text: str  # as it is planted
    secret: str  # what must not be seen again


def _plain(name, secret):
    return Planted(name, secret, secret)


def _beside(name, before, secret, after=""):
    return Planted(name, before + secret + after, secret)


def _denied():
    raw = DENIED.encode()
    yield _plain("denied", DENIED)
    yield _plain("denied-name", DENIED_NAME)
    yield _plain("denied-hex", DENIED_HEX)
    yield _plain("denied-commit", DENIED_COMMIT)
    yield _plain("denied-number", DENIED_NUMBER)
    yield _plain("denied-lines", DENIED_LINES)
    for pad, before in enumerate(("", "a", "ab")):
        encoded = base64.b64encode(before.encode() + raw + b"xyz"[pad:]).decode()
        yield Planted(f"denied-base64-{pad}", encoded, DENIED)
        encoded = base64.urlsafe_b64encode(before.encode() + raw).decode().rstrip("=")
        yield Planted(f"denied-base64url-{pad}", encoded, DENIED)
    yield Planted("denied-percent", urllib.parse.quote(DENIED, safe=""), DENIED)
    yield Planted("denied-form", urllib.parse.quote_plus(DENIED), DENIED)
    yield Planted("denied-json", json.dumps(DENIED), DENIED)
    yield Planted("denied-json-utf8", json.dumps(DENIED, ensure_ascii=False), DENIED)
    yield Planted("denied-hexadecimal", raw.hex(), DENIED)
    yield Planted("denied-HEXADECIMAL", raw.hex().upper(), DENIED)


def _assigned():
    for name, before, after in (
        ("password", "password = ", ""),
        ("password-colon", "db_password: ", ""),
        ("password-quoted", 'PASSWORD="', '"'),
        ("api-key", "api_key=", ""),
        ("secret-json", '{"client_secret": "', '"}'),
        ("flag", "--token ", ""),
        ("environment", "export AUTH_SECRET=", ""),
    ):
        yield _beside(f"assigned-{name}", before, made_up(name, 24), after)


def _tokens():
    def token(name, *parts):
        return _plain(f"token-{name}", "".join(parts))

    yield token("github", "gh", "p_", made_up("gh", 36))
    yield token("github-fine", "github", "_pat_", made_up("ghf", 22), "_", made_up("ghf2", 59))
    yield token("gitlab", "gl", "pat-", made_up("gl", 20))
    yield token("aws", "AK", "IA", made_up("aws", 16, _UPPER))
    yield _beside("token-aws-secret", "aws_secret_access_key = ", made_up("aws2", 40))
    yield token(
        "slack", "xo", "xb-", made_up("s1", 12, "123456789"), "-", made_up("s2", 12, "123456789"), "-", made_up("s3", 24)
    )
    yield token("stripe", "sk", "_live_", made_up("stripe", 24))
    yield token("npm", "np", "m_", made_up("npm", 36))
    yield token("pypi", "pyp", "i-AgEIcHlwaS5vcmc", made_up("pypi", 70))
    yield token("openai", "sk", "-proj-", made_up("openai", 74))
    yield token("anthropic", "sk", "-ant-api03-", made_up("anthropic", 93), "AA")
    yield token("google", "AI", "za", made_up("google", 35))
    yield token("sendgrid", "SG", ".", made_up("sg", 22), ".", made_up("sg2", 43))
    yield token("huggingface", "h", "f_", made_up("hf", 34))
    yield token("docker", "dckr", "_pat_", made_up("docker", 27))
    jwt = [
        _base64_json({"alg": "HS256", "typ": "JWT"}),
        _base64_json({"sub": "1234567890", "iat": 1516239022}),
        made_up("jwt", 43),
    ]
    yield Planted("token-jwt", ".".join(jwt), jwt[2])
    password = made_up("database", 18)
    yield _beside("url-postgres", "postgres://app:", password, "@db.example:5432/shop")
    yield _beside("url-https", "https://bot:", made_up("https", 20), "@forge.example/x")


def _keys():
    lines = [made_up(f"pem-{n}", 64, _ALL + "+/") for n in range(12)]
    for kind in ("RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY"):
        head, foot = f"-----BEGIN {kind}-----", f"-----END {kind}-----"
        yield Planted(f"pem-{kind.split()[0]}", "\n".join([head, *lines, foot]), lines[5])
    head, foot = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
    yield Planted("pem-escaped", "\\n".join([head, *lines[:3], foot]), lines[1])
    yield Planted("pem-truncated", "\n".join([head, *lines[:4]]), lines[2])


def _headers():
    yield _beside("header-bearer", "Authorization: Bearer ", made_up("bearer", 40))
    basic = base64.b64encode(f"robot:{made_up('basic', 20)}".encode()).decode()
    yield _beside("header-basic", "Authorization: Basic ", basic)
    yield _beside("header-gitlab", "X-Gitlab-Token: ", made_up("gitlab-hook", 32))
    yield _beside("header-signature", "X-Hub-Signature-256: sha256=", made_up("hub", 64, _HEX))
    yield _beside("header-cookie", "Cookie: session=", made_up("cookie", 40))
    yield _beside("header-key", "X-Api-Key: ", made_up("x-api", 32))


def _patterns():
    yield _plain("policy", POLICY_SECRET)
    yield _plain("user-literal", USER_LITERAL)
    yield _plain("user-regex", USER_SECRET)


PLANTED = [*_denied(), *_assigned(), *_tokens(), *_keys(), *_headers(), *_patterns()]
# Each once, under the first name that it was planted as.
SECRETS = {name: secret for secret, name in {one.secret.encode(): one.name for one in reversed(PLANTED)}.items()}
