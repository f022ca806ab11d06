//! Stage 5: each header in every form in which tools and languages show it.

use crate::{Case, hold};

const TOKEN: &str = "q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7";
const HEX: &str = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";

/// Names of headers, and values with «…» around what goes.
fn headers() -> Vec<(&'static str, String)> {
    let schemes = ["Bearer", "bearer", "Basic", "Token", "token", "ApiKey", "Negotiate", "Bot", "GenieKey", "JWT"];
    let mut headers: Vec<_> = schemes.map(|scheme| ("Authorization", format!("{scheme} «{TOKEN}»"))).to_vec();
    headers.extend([
        ("authorization", format!("Bearer «{TOKEN}»")),
        ("AUTHORIZATION", format!("Bearer «{TOKEN}»")),
        ("Authorization", format!("«{TOKEN}»")),
        ("Proxy-Authorization", "Basic «dXNlcjptYWRlLXVwLTEyMzQ1»".to_owned()),
        (
            "Authorization",
            format!("AWS4-HMAC-SHA256 «Credential=QQ7ZX2MKRT4BWNHJ/20240101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature={HEX}»"),
        ),
        ("Authorization", format!("Digest «username=\"joe\", realm=\"x\", nonce=\"{HEX}\", uri=\"/\", response=\"{HEX}\"»")),
        ("Cookie", "«session=q7Zx2mK9vR4t; theme=dark»".to_owned()),
        ("Set-Cookie", "«sid=q7Zx2mK9vR4t; Path=/; HttpOnly»".to_owned()),
        ("X-Hub-Signature", format!("«sha1={}»", &HEX[..40])),
        ("X-Hub-Signature-256", format!("«sha256={HEX}»")),
        ("Stripe-Signature", format!("«t=1492774577,v1={HEX}»")),
        ("X-Slack-Signature", format!("«v0={HEX}»")),
    ]);
    let keys = [
        "X-Api-Key",
        "x-api-key",
        "X-Auth-Token",
        "X-Access-Token",
        "X-Gitlab-Token",
        "PRIVATE-TOKEN",
        "Job-Token",
        "X-Vault-Token",
        "X-Amz-Security-Token",
        "X-Goog-Api-Key",
        "Ocp-Apim-Subscription-Key",
        "X-Shopify-Access-Token",
        "X-Auth-Key",
        "Api-Key",
        "apikey",
        "X-Token",
        "X-Secret-Key",
        "X-JFrog-Art-Api",
        "DD-API-KEY",
        "X-Functions-Key",
        "X-Figma-Token",
        "X-Twilio-Signature",
        "X-Shopify-Hmac-Sha256",
        "X-Consul-Token",
        "Fastly-Key",
    ];
    headers.extend(keys.map(|key| (key, format!("«{TOKEN}»"))));
    headers
}

/// How a header stands in a text; `H` is its name, `V` its value.
const FORMS: [(&str, &str); 26] = [
    ("raw", "GET / HTTP/1.1\r\nHost: x.example\r\nH: V\r\nAccept: */*\r\n"),
    ("tight", "H:V\n"),
    ("curl-v", "> GET / HTTP/1.1\n> H: V\n> Accept: */*\n"),
    ("curl-v-reply", "< HTTP/1.1 200 OK\n< H: V\n< Server: x\n"),
    ("curl-H-double", "curl -H \"H: V\" https://x.example\n"),
    ("curl-H-single", "curl -H 'H: V' https://x.example\n"),
    ("wget", "wget --header=\"H: V\" https://x.example\n"),
    ("httpie", "http x.example 'H: V'\n"),
    ("har", "{\"name\": \"H\", \"value\": \"V\"},\n"),
    ("har-tight", "{\"name\":\"H\",\"value\":\"V\"},\n"),
    ("json", "{\"H\": \"V\", \"Accept\": \"*/*\"}\n"),
    ("json-escaped", "{\"log\": \"{\\\"H\\\": \\\"V\\\", \\\"Accept\\\": \\\"*/*\\\"}\"}\n"),
    ("json-list", "{\"H\":[\"V\"],\"Accept\":[\"*/*\"]}\n"),
    ("go-map", "map[Accept:[*/*] H:[V] Host:[x]]\n"),
    ("go-set", "req.Header.Set(\"H\", \"V\")\n"),
    ("python-dict", "{'Accept': '*/*', 'H': 'V'}\n"),
    ("python-tuple", "[('Accept', '*/*'), ('H', 'V')]\n"),
    ("python-index", "headers['H'] = 'V'\n"),
    ("js-object", "headers: { 'H': 'V', accept: '*/*' },\n"),
    ("js-node", "  'H': 'V',\n"),
    ("java", "request.setHeader(\"H\", \"V\");\n"),
    ("csharp", "client.DefaultRequestHeaders.Add(\"H\", \"V\");\n"),
    ("rust-debug", "{\"accept\": \"*/*\", \"H\": \"V\"}\n"),
    ("yaml", "headers:\n  H: V\n"),
    ("log", "2024-05-06T07:08:09Z DEBUG request header H: V\n"),
    ("extraheader", "git -c http.extraheader=\"H: V\" fetch\n"),
];

/// Every header in every form.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, value) in headers() {
        for (form, text) in FORMS {
            // A value with quotes of its own stands where none are around it.
            if value.contains('"') && text.contains('"') || value.contains(", ") && form == "go-map" {
                continue;
            }
            let marked = text.replace('H', "\u{1}").replace('V', "\u{2}");
            let marked = marked.replace("\u{1}TTP", "HTTP").replace("\u{1}ost", "Host").replace("-\u{1} ", "-H ");
            let marked = marked
                .replace(".\u{1}eader", ".Header")
                .replace("set\u{1}", "setH")
                .replace("Request\u{1}", "RequestH");
            cases.push(Case::new(form, &marked.replace('\u{1}', name).replace('\u{2}', &value)));
        }
    }
    cases
}

#[test]
fn credentials_in_headers_go() {
    hold(&cases(), 15);
}
