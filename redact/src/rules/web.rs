//! What the web carries: bearer tokens outside headers, and signed URLs, of which only the signature goes.

use super::Rule;
use super::check::Check;
use crate::kind::Kind;

const AWS: &str = "https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html";

pub(super) const RULES: &[Rule] = &[
    Rule::new("bearer", "Bearer tokens outside headers", &["Bearer ", "bearer ", "BEARER "], r"(?i:bearer) {1,4}([A-Za-z0-9._~+/-]{16,3900}={0,2})")
        .entropy(3.2)
        .random()
        .kind(Kind::AuthHeader)
        .doc("https://www.rfc-editor.org/rfc/rfc6750")
        .takes(&["sent Bearer {A40}", "bearer {x40}"])
        .leaves(&["Bearer token", "bearer authentication-scheme-name"]),
    Rule::new("basic-credentials", "Basic credentials outside headers", &["Basic ", "basic "], r"[Bb]asic ([A-Za-z0-9+/]{16,2048}={0,2})(?:[^A-Za-z0-9+/=]|$)")
        .entropy(3.2)
        .random()
        .check(Check::UserPass)
        .kind(Kind::AuthHeader)
        .doc("https://www.rfc-editor.org/rfc/rfc7617")
        .takes(&["sent Basic dXNlcjptYWRlLXVwLTEyMzQ1", "use basic dXNlcjptYWRlLXVwLTk4NzY1"])
        .leaves(&["Basic authentication", "basic implementation"]),
    Rule::new("signed-url-aws", "Signatures in URLs of AWS", &["X-Amz-Signature=", "x-amz-signature=", "X-Amz-Signature%3D"], r"(?i:x-amz-signature)(?:=|%3D)([A-Fa-f0-9]{16,128})")
        .glued()
        .doc(AWS)
        .takes(&["https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature={x64}", "url%3FX-Amz-Signature%3D{x64}%26"])
        .leaves(&["X-Amz-Signature=<sig>", "X-Amz-Signature=SIGNATURE"]),
    Rule::new("signed-url-aws-token", "Session tokens in URLs of AWS", &["X-Amz-Security-Token=", "x-amz-security-token="], r"(?i:x-amz-security-token)=([A-Za-z0-9%+/=_-]{20,3900})")
        .glued()
        .doc(AWS)
        .takes(&["https://x/?X-Amz-Security-Token={A200}&a=b", "x-amz-security-token={A100}"])
        .leaves(&["X-Amz-Security-Token=<t>", "X-Amz-Security-Token=TOKEN"]),
    Rule::new("signed-url-google", "Signatures in URLs of Google Cloud Storage", &["X-Goog-Signature=", "x-goog-signature="], r"(?i:x-goog-signature)=([A-Fa-f0-9]{16,1024})")
        .glued()
        .doc("https://cloud.google.com/storage/docs/access-control/signed-urls")
        .takes(&["https://storage.googleapis.com/b/k?X-Goog-Signature={x256}", "x-goog-signature={x512}&x=1"])
        .leaves(&["X-Goog-Signature=SIG", "X-Goog-Signature=<signature>"]),
    Rule::new("signed-url-oss", "Signatures in URLs of Alibaba, Tencent, Volcengine and Huawei stores", &["x-oss-signature=", "q-signature=", "X-Tos-Signature=", "X-Obs-Signature="], r"(?:x-oss|q|X-Tos|X-Obs)-[Ss]ignature=([A-Za-z0-9%+/=]{28,128})")
        .doc("https://www.alibabacloud.com/help/en/oss/developer-reference/ddd-signatures-to-urls")
        .takes(&["https://b.oss-cn.aliyuncs.com/k?x-oss-signature={x64}", "?q-sign-algorithm=sha1&q-signature={x40}"])
        .leaves(&["x-oss-signature-version=OSS4", "q-signature=<signature>"]),
    Rule::new("signed-url-signature", "Signatures in URLs of CloudFront, of old S3, GCS and OSS forms, and of others; the policy stays", &["Signature=", "signature="], r"[Ss]ignature=([A-Za-z0-9%+/~_-]{24,1024}={0,2})")
        .entropy(3.0)
        .doc("https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html")
        .takes(&["https://d.cloudfront.net/x?Expires=1&Signature={A120}&Key-Pair-Id=K", "AWS4-HMAC-SHA256 Credential=x, Signature={x64}"])
        .leaves(&["signature=none", "?Expires=1&Signature=<signature>"]),
    Rule::new("signed-url-akamai", "Signatures in URLs of Akamai", &["hdnts=", "hdnea=", "hdntl="], r"(?:hdnts|hdnea|hdntl)=[^\s&\x22']{0,300}?hmac=([A-Fa-f0-9]{40,64})\b")
        .doc("https://techdocs.akamai.com/adaptive-media-delivery/docs/add-token-auth")
        .takes(&["https://a.akamaized.net/x.m3u8?hdnts=exp=1700000000~acl=/*~hmac={x64}", "hdnea=st=1~exp=2~acl=/*~hmac={x64}"])
        .leaves(&["hdnts=exp=1~acl=/*", "hdntl=user"]),
];
