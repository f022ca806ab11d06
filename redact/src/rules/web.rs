//! What the web carries: JSON web tokens, bearer tokens outside headers, signed URLs.

use super::Rule;
use crate::kind::Kind;

pub(super) const RULES: &[Rule] = &[
    Rule::new("jwt", &["eyJ", "ewog"], r"(?:eyJ|ewog)[A-Za-z0-9_-]{8,}\.(?:eyJ|ewog|[A-Za-z0-9_-]{20})[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+){0,2}").word().entropy(3.0)
        .doc("https://www.rfc-editor.org/rfc/rfc7519").takes(&["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtYWRlLXVwIn0.{A43}"]).leaves(&["eyJhbGciOiJIUzI1NiJ9", "eyJ.a.b"]),
    Rule::new("bearer", &["Bearer ", "bearer ", "BEARER "], r"(?i:bearer) +([A-Za-z0-9._~+/-]{16,4096}={0,2})").word().entropy(3.2).random().kind(Kind::AuthHeader)
        .doc("https://www.rfc-editor.org/rfc/rfc6750").takes(&["sent Bearer {A40}", "bearer {x40}"]).leaves(&["Bearer token", "bearer authentication-scheme-name"]),
    Rule::new("basic-credentials", &["Basic ", "basic "], r"[Bb]asic +([A-Za-z0-9+/]{16,2048}={0,2})(?:[^A-Za-z0-9+/=]|$)").word().entropy(3.2).random().kind(Kind::AuthHeader)
        .doc("https://www.rfc-editor.org/rfc/rfc7617").takes(&["sent Basic dXNlcjptYWRlLXVwLTEyMzQ1"]).leaves(&["Basic authentication", "basic implementation"]),
    Rule::new("signed-url-aws", &["X-Amz-Signature=", "x-amz-signature=", "X-Amz-Signature%3D"], r"(?i:x-amz-signature)(?:=|%3D)([A-Fa-f0-9]{16,128})").kind(Kind::ProviderToken)
        .doc("https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html").takes(&["https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature={x64}"]).leaves(&["X-Amz-Signature=<sig>"]),
    Rule::new("signed-url-aws-token", &["X-Amz-Security-Token=", "x-amz-security-token="], r"(?i:x-amz-security-token)=([A-Za-z0-9%+/=_-]{20,4000})")
        .doc("https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html").takes(&["https://x/?X-Amz-Security-Token={A200}&a=b"]).leaves(&["X-Amz-Security-Token=<t>"]),
    Rule::new("signed-url-google", &["X-Goog-Signature=", "x-goog-signature="], r"(?i:x-goog-signature)=([A-Fa-f0-9]{16,1024})")
        .doc("https://cloud.google.com/storage/docs/access-control/signed-urls").takes(&["https://storage.googleapis.com/b/k?X-Goog-Signature={x256}"]).leaves(&["X-Goog-Signature=SIG"]),
    Rule::new("signed-url-signature", &["Signature=", "signature="], r"[Ss]ignature=([A-Za-z0-9%+/~_-]{24,1024}={0,2})").word().entropy(3.0)
        .doc("https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html").takes(&["https://d.cloudfront.net/x?Expires=1&Signature={A120}&Key-Pair-Id=K", "AWS4-HMAC-SHA256 Credential=x, Signature={x64}"]).leaves(&["signature=none"]),
];
