//! Stage 4: private keys of every kind, whole, truncated at either end, and in what logs and files make of them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::{Case, hold};

const KINDS: [&str; 7] = [
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
];

/// Lines of a key that nobody uses.
fn body(lines: usize, width: usize) -> Vec<String> {
    const MIX: &[u8] = b"q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb4Wc8Ny3Hj6Pl5Ds1Fg0aUeIoA+/";
    let byte = |index: usize| char::from(MIX[(index * 31 + index / 7) % MIX.len()]);
    let mut lines: Vec<String> =
        (0..lines).map(|line| (0..width).map(|column| byte(line * width + column)).collect()).collect();
    if let Some(last) = lines.last_mut() {
        last.truncate(width / 2);
        last.push_str("==");
    }
    lines
}

fn begin(kind: &str) -> String {
    format!("-----BEGIN {kind}-----")
}

fn end(kind: &str) -> String {
    format!("-----END {kind}-----")
}

/// Each kind of key in each form.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in KINDS {
        for width in [64, 70, 76] {
            let lines = body(20, width);
            let all: Vec<String> =
                std::iter::once(begin(kind)).chain(lines.iter().cloned()).chain(std::iter::once(end(kind))).collect();
            let mut case = |group: &str, marked: String| cases.push(Case::new(group, &marked));
            let each =
                |before: &str, after: &str| all.iter().map(|line| format!("{before}{line}{after}")).collect::<Vec<_>>();
            case("whole", format!("x\n«{}»\ny\n", all.join("\n")));
            case("crlf", format!("x\r\n«{}»\r\ny\r\n", all.join("\r\n")));
            case("no-end", format!("x\n«{}»\n", all[..12].join("\n")));
            case("no-begin", format!("x\n«{}»\ny\n", all[9..].join("\n")));
            case("escaped", format!("{{\"key\": \"«{}»\\n\"}}\n", all.join("\\n")));
            case("escaped-crlf", format!("{{\"key\": \"«{}»\\r\\n\"}}\n", all.join("\\r\\n")));
            case("escaped-twice", format!("\"{{\\\"key\\\": \\\"«{}»\\\\n\\\"}}\"\n", all.join("\\\\n")));
            case("escaped-no-end", format!("KEY=\"«{}»\n", all[..12].join("\\n")));
            case("yaml", format!("tls:\n  key: |\n    «{}»\n  x: 1\n", all.join("\n    ")));
            case("repr", format!("b'«{}»\\n'\n", all.join("\\n")));
            case("spaces", format!("KEY=\"«{}»\"\n", all.join(" ")));
            case("quoted-lines", format!("key = (\n    \"«{}»\\n\"\n)\n", all.join("\\n\"\n    \"")));
            case("plus-lines", format!("key = \"«{}»\";\n", all.join("\" +\n    \"")));
            case("comment", format!("# «{}»\n# y\n", all.join("\n# ")));
            case("diff", format!("+«{}»\n+y\n", all.join("\n+")));
            case("bars", format!("web | «{}»\nweb | y\n", all.join("\nweb | ")));
            case(
                "times",
                format!(
                    "2024-05-06T07:08:09.123Z «{}»\n2024-05-06T07:08:09.124Z done\n",
                    all.join("\n2024-05-06T07:08:09.123Z ")
                ),
            );
            case(
                "log-levels",
                format!(
                    "[2024-05-06 07:08:09] INFO: «{}»\n[2024-05-06 07:08:09] INFO: done\n",
                    all.join("\n[2024-05-06 07:08:09] INFO: ")
                ),
            );
            case("colours", format!("\u{1b}[32m«{}»\u{1b}[0m\n", all.join("\u{1b}[0m\n\u{1b}[32m")));
            case("base64", format!("key: «{}»\n", STANDARD.encode(all.join("\n") + "\n")));
            let wrapped = STANDARD.encode(all.join("\n") + "\n");
            let wrapped: Vec<&str> =
                (0..wrapped.len()).step_by(76).map(|at| &wrapped[at..wrapped.len().min(at + 76)]).collect();
            case("base64-wrapped", format!("key: |\n  «{}»\nx: 1\n", wrapped.join("\n  ")));
            case(
                "percent",
                format!("key=«{}»&x=1\n", all.join("%0A").replace('+', "%2B").replace('=', "%3D").replace(' ', "%20")),
            );
            case("xml", format!("<key>«{}»</key>\n", all.join("\n")));
            case("xml-entities", format!("<key>«{}»</key>\n", all.join("&#10;")));
            let _ = each;
        }
    }
    let secret = "q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb";
    for (group, marked) in [
        (
            "kubeconfig",
            format!(
                "users:\n- name: x\n  user:\n    client-certificate-data: LS0tLS1CRUdJTiBDRVJU\n    client-key-data: «{secret}»\n"
            ),
        ),
        ("kubeconfig", format!("- name: x\n  user:\n    token: «{secret}»\n")),
        ("kubeconfig", format!("- name: x\n  user:\n    username: joe\n    password: «{secret}»\n")),
        ("kubeconfig", format!("{{\"user\":{{\"client-key-data\":\"«{secret}»\",\"token\":\"«{secret}»\"}}}}\n")),
        (
            "jwk",
            format!(
                "{{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"{secret}\",\"y\":\"{secret}\",\"d\":\"«{secret}»\"}}\n"
            ),
        ),
        (
            "jwk",
            format!(
                "{{\"kty\":\"RSA\",\"n\":\"{secret}\",\"e\":\"AQAB\",\"d\":\"«{secret}»\",\"p\":\"«{secret}»\",\"q\":\"«{secret}»\",\"dp\":\"«{secret}»\",\"dq\":\"«{secret}»\",\"qi\":\"«{secret}»\"}}\n"
            ),
        ),
        ("jwk", format!("{{\"kty\": \"oct\", \"k\": \"«{secret}»\"}}\n")),
        (
            "jwk-escaped",
            format!(
                "{{\"jwk\": \"{{\\\"kty\\\":\\\"EC\\\",\\\"x\\\":\\\"{secret}\\\",\\\"d\\\":\\\"«{secret}»\\\"}}\"}}\n"
            ),
        ),
        (
            "age",
            format!(
                "# created: 2024\n«AGE-SECRET-KEY-1{}»\n",
                &"QQ7ZX2MKRT4BWNHJQQ7ZX2MKRT4BWNHJQQ7ZX2MKRT4BWNHJQQ7ZX2MKRT4BWNHJ"[..58]
            ),
        ),
        (
            "putty",
            format!(
                "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\nAAAAC3NzaC1lZDI1NTE5\nPrivate-Lines: 1\n«{secret}»\nPrivate-MAC: 0\n"
            ),
        ),
    ] {
        cases.push(Case::new(group, &marked));
    }
    cases
}

#[test]
fn private_keys_go() {
    hold(&cases(), 15);
}

#[test]
fn certificates_and_public_keys_stay() {
    let redactor = dossier_redact::Redactor::builder().build().unwrap();
    for kind in [
        "CERTIFICATE",
        "PUBLIC KEY",
        "RSA PUBLIC KEY",
        "CERTIFICATE REQUEST",
        "PGP PUBLIC KEY BLOCK",
        "PGP SIGNATURE",
        "X509 CRL",
        "DH PARAMETERS",
        "SSH SIGNATURE",
        "TRUSTED CERTIFICATE",
    ] {
        let text = format!("x\n{}\n{}\n{}\ny\n", begin(kind), body(20, 64).join("\n"), end(kind));
        for text in [text.clone(), text.replace('\n', "\\n"), STANDARD.encode(&text), text.replace('\n', "\n    ")] {
            assert_eq!(redactor.redact(&text).unwrap().text.as_str(), text, "{kind}");
        }
    }
}
