//! What goes and what stays, text by text: «…» stands around what must go, and nothing else may change.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use dossier_redact::{DeniedValue, Kind, ObjectKind, Redactor};

/// Made-up runs, so that no text of this file looks like a live credential to whoever scans it.
fn fill(text: &str) -> String {
    const MIX: &str = "q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb4Wc8Ny3Hj6Pl5Ds1Fg0aUeIoA";
    text.replace("@A16@", &MIX[..16])
        .replace("@A36@", &MIX[..36])
        .replace("@A64@", &MIX[..64])
        .replace("@x40@", "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c")
        .replace("@x64@", "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0")
        .replace("@PEM@", "-----BEGIN RSA PRIVATE KEY-----")
        .replace("@END@", "-----END RSA PRIVATE KEY-----")
        .replace("@U16@", "QQ7ZX2MKRT4BWNHJ")
}

/// Replaces any marker by `«»` and each expected part likewise.
fn shown(text: &str) -> String {
    Kind::ALL.iter().fold(text.to_owned(), |text, kind| text.replace(kind.marker(), "«»"))
}

fn expected(text: &str) -> (String, String) {
    let (mut plain, mut masked, mut rest) = (String::new(), String::new(), text);
    while let Some((before, after)) = rest.split_once('«') {
        let (secret, tail) = after.split_once('»').unwrap();
        plain += before;
        plain += secret;
        masked += before;
        masked += "«»";
        rest = tail;
    }
    (plain + rest, masked + rest)
}

fn check(texts: &[&str]) {
    let redactor = Redactor::builder().build().unwrap();
    let mut wrong = Vec::new();
    for text in texts {
        let (plain, masked) = expected(&fill(text));
        for (before, after) in [("", ""), ("first line\n", "\nlast line\n")] {
            let out = redactor.redact(&format!("{before}{plain}{after}")).unwrap();
            if shown(out.text.as_str()) != shown(&format!("{before}{masked}{after}")) {
                wrong.push(format!("{plain}\n   is {}", out.text));
                break;
            }
            let again = redactor.redact(out.text.as_str()).unwrap();
            if again.text != out.text {
                wrong.push(format!("{plain}\n   is {}\n   then {}", out.text, again.text));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn assigned_values_go() {
    check(&[
        "DB_PASSWORD=«hunter2made»",
        "DB_PASS=«hunter2made»",
        "GITHUB_PAT=«a1b2c3d4e5f6g7h8»",
        "password=«None8Zx81»",
        "export API_TOKEN=«a1b2c3d4e5f6»",
        "password: «Zx81-made-up»",
        "password: «correcthorse»",
        "  - password: '«Zx81 made 9»'",
        "\"client_secret\": \"«a1b2c3d4e5f6g7»\",",
        "{\"user\":\"a\",\"password\":\"«p4ss!w0rd»\",\"port\":1}",
        "{\"body\":\"{\\\"password\\\":\\\"«p4ss!w0rd»\\\"}\"}",
        "body: {\\\"accessToken\\\":\\\"«a1b2c3d4e5f6»\\\",\\\"x\\\":1}",
        "let api_key = \"«a1b2c3d4e5f6»\";",
        "const string password = \"«Zx81-made-up»\";",
        "password: str = \"«Zx81-made-up»\"",
        "config['secret_key'] = '«a1b2c3d4e5f6»'",
        "spring.datasource.password=«Zx81made»",
        "secret_key = \"«a1b2c3d4e5f6»\"",
        "<password>«Zx81made»</password>",
        "<add key=\"DbPassword\" value=\"«Zx81made»\"/>",
        "Server=db;User Id=sa;Password=«Zx81made»;Encrypt=true",
        "mysql --user=root --password=«Zx81made» db",
        "tool --token «a1b2c3d4e5f6» --verbose",
        "machine example.org login joe password «Zx81made»",
        "//registry.npmjs.org/:_authToken=«a1b2c3d4-made-up-value»",
        "{\"auths\":{\"r.example\":{\"auth\":\"«am9lOlp4ODFtYWRlLXVw»\"}}}",
        "grant_type=password&client_secret=«a1b2c3d4e5f6»&scope=x",
        "- name: DB_PASSWORD\n  value: «Zx81made»",
        "{\"name\": \"DB_PASSWORD\", \"value\": \"«Zx81made»\"}",
        "password => '«Zx81made»',",
        "+    password: \"«Zx81made»\"",
        "2024-01-02T03:04:05Z INFO login password=«Zx81made» ok",
        "password: |\n  «first line 1\n  second»\nuser: x",
        "aws_secret_access_key = «@A36@abcd»",
        "token: «@x40@»",
        "secret: «3f2b8a6e-1c4d-4e5f-8a9b-0c1d2e3f4a5b»",
        "access_token=«ya29.@A36@»",
        "password = «ghp_@A36@», next",
    ]);
}

#[test]
fn urls_lose_only_their_secret() {
    check(&[
        "postgres://app:«Zx81made»@db.example:5432/app?sslmode=require",
        "redis://:«Zx81made»@cache:6379/0",
        "mongodb+srv://app:«Zx8/1made»@cluster.example/db",
        "https://«@A36@»@github.com/acme/x.git",
        "DATABASE_URL=mysql://root:«Zx81made»@localhost/db",
        "remote: https://x-access-token:«ghs_@A36@»@github.com/acme/x",
        "https://b.s3.amazonaws.com/k?X-Amz-Date=20240101T000000Z&X-Amz-Signature=«@x64@»&x=1",
    ]);
}

#[test]
fn headers_go() {
    check(&[
        "Authorization: Bearer «@A36@»",
        "authorization: Basic «dXNlcjptYWRlLXVwLTEyMzQ1»",
        "curl -H \"Authorization: token «@x40@»\" https://x",
        "curl -H 'X-Api-Key: «a1b2c3d4e5f6»' https://x",
        "> Authorization: Bearer «@A36@»",
        "{\"Authorization\": \"Bearer «@A36@»\", \"Accept\": \"*/*\"}",
        "map[Accept:[*/*] Authorization:[Bearer «@A36@»]]",
        "headers.set(\"Authorization\", \"Bearer «@A36@»\")",
        "{'Authorization': 'Bearer «@A36@»'}",
        "Cookie: «session=a1b2c3; theme=dark»",
        "Set-Cookie: «sid=a1b2c3d4; Path=/; HttpOnly»",
        "X-Hub-Signature-256: «sha256=@x64@»",
        "X-Gitlab-Token: «a1b2c3d4»",
        "Stripe-Signature: «t=1492774577,v1=@x64@»",
        "Authorization: AWS4-HMAC-SHA256 «Credential=AKIA@U16@/20240101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=@x64@»",
        "Proxy-Authorization: Basic «dXNlcjptYWRlLXVwLTEyMzQ1»",
        "{\"name\":\"Authorization\",\"value\":\"Bearer «@A36@»\"}",
    ]);
}

#[test]
fn keys_go() {
    check(&[
        "«@PEM@\n@A64@\n@A64@\n@A36@==\n@END@»",
        "key: \"«@PEM@\\n@A64@\\n@A64@\\n@END@»\\n\"",
        "tls.key: |\n  «@PEM@\n  @A64@\n  @A64@\n  @END@»\nx: 1",
        "«@PEM@\n@A64@\n@A64@\n@A36@»",
        "«@A64@\n@A64@\n@A36@==\n@END@»",
        "12:00 | «@PEM@\n12:00 | @A64@\n12:00 | @A64@\n12:00 | @END@»",
        "client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo@A36@»",
        "PuTTY-User-Key-File-3: x\nPrivate-Lines: 2\n«@A64@\n@A36@==»\nPrivate-MAC: 0",
        "{\"kty\":\"EC\",\"x\":\"@A36@\",\"d\":\"«@A36@»\"}",
        "{\"d\": \"«@A36@»\", \"kty\": \"OKP\"}",
        "x «AGE-SECRET-KEY-1@U16@@U16@@U16@QQQQQQQQQQ» y",
    ]);
}

#[test]
fn manifests_are_blanked() {
    check(&[
        "apiVersion: v1\ndata:\n  user: «am9l»\n  cert: «bWFkZS11cA==»\nkind: Secret\nmetadata:\n  name: db",
        "kind: Secret\nmetadata:\n  name: db\nstringData:\n  a: |\n    «plain\n    words»\n  b: «x»\n---\nkind: ConfigMap\ndata:\n  a: stays",
        "{\"apiVersion\":\"v1\",\"data\":{\"a\":\"«am9l»\",\"b\":\"«bWFk»\"},\"kind\":\"Secret\",\"metadata\":{\"name\":\"x\"}}",
        "items:\n- apiVersion: v1\n  data:\n    a: «am9l»\n  kind: Secret\n- apiVersion: v1\n  data:\n    a: stays\n  kind: ConfigMap",
    ]);
}

#[test]
fn encoded_and_broken_tokens_go() {
    check(&[
        "x \u{1b}[32m«ghp_q7Zx2mK9vR4tB8wN\u{1b}[0m\u{1b}[31m3cY6hJ5pL1sD0fGkQzX7»\u{1b}[0m y",
        "«ghp_q7Zx2mK9vR4tB8wN\u{200b}3cY6hJ5pL1sD0fGkQzX7»",
        "url?next=x%3Fk%3D«ghp%5F@A36@»",
        "blob «Z2hwX3E3WngybUs5dlI0dEI4d04zY1k2aEo1cEwxc0QwZkdrUXpYNw==» end",
        "\\u003d«ghp_@A36@»",
    ]);
}

#[test]
fn what_is_no_secret_stays() {
    check(&[
        "commit @x40@",
        "pub const USER_PASSWORD: Id = 153i32;",
        "const E_PASSWORD: HRESULT = 0x8004170B_u32;",
        "fn set_password(&mut self, password: &[u8]) {",
        "sha256:@x64@",
        "\"integrity\": \"sha512-q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb4Wc8Ny3Hj6Pl5Ds1Fg0aUeIoAq7Zx2mK9vR4t==\"",
        "id 3f2b8a6e-1c4d-4e5f-8a9b-0c1d2e3f4a5b",
        "password: ${DB_PASSWORD}",
        "PASSWORD=$DB_PASSWORD",
        "password: {{ .Values.password }}",
        "token = os.getenv(\"API_TOKEN\")",
        "const token = process.env.API_TOKEN;",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "api_key = <your-token>",
        "password = changeme",
        "password: xxxxxxxx",
        "password: ********",
        "password: string",
        "password?: string;",
        "token_count: 512",
        "max_tokens: 4096",
        "public_key = a1b2c3d4e5f6",
        "tokenizer = \"bpe-v2-large9\"",
        "password:\nuser: x",
        "password: \"\"",
        "password=\nUSER=joe1234",
        "Passwords must have at least 12 characters.",
        "the password: required for login",
        "if (password === confirmPassword) {",
        "let token = self.next_token();",
        "token = get_token(user)",
        "fn new(password: &str, token: String) -> Self {",
        "secretName: db-credentials",
        "secretKeyRef:\n  name: db\n  key: password",
        "POSTGRES_PASSWORD_FILE=/run/secrets/db_password",
        "password_file: /run/secrets/db",
        "http://user:${PASSWORD}@host/",
        "http://localhost:8080/a@b",
        "https://github.com/acme/x/commit/@x40@",
        "Authorization: Bearer ${TOKEN}",
        "Authorization: Bearer <token>",
        "Authorization: required",
        "-----BEGIN CERTIFICATE-----\n@A64@\n@A64@\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\n@A64@\n-----END PUBLIC KEY-----",
        "if strings.Contains(s, \"@PEM@\") {",
        "kind: ConfigMap\ndata:\n  a: b",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
        "key: value",
        "mkdir -p build && tar -p 8080",
        "nextPageToken: a1b2c3d4e5f6",
        "version = \"1.2.3-rc4+build5678901234\"",
        "target/debug/deps/libserde-0f1e2d3c4b5a6978.rlib",
        "error[E0382]: use of moved value: `token`",
        "Invalid token: unexpected end of input",
        "password [REDACTED:secret] and password=[REDACTED:secret]",
        "def f(x, password=None):",
        "def f(x, pwd=None):",
        "f(passwd=None)",
        "f(password=null, y)",
        "the --username and --password options instead",
        "or pass 'ignore' to ignore",
        "Pass 'parameters' and/or",
        "needless_pass_by_value = \"warn\"",
        "first_pass: 2024-01-02T03:04:05Z",
        "pass_rate: 98.76",
        "IPV4_PAT = r\"(?:\\d{1,3}\\.){3}\\d{1,3}\"",
        "HEX_PAT = r\"[0-9a-fA-F]{4,16}\"",
        "token = token[:-1]",
        "let token = &tokens[i1];",
        "let secret = &text[range.clone()];",
        "password = auth[2]",
        "password: Optional[HiddenText]",
        "raw_private_key: Curve25519SeedBin<'_>",
        "TOKEN: &str = \"$serde_json::private::Number\"",
        "private_key = $dir/private/cakey.pem",
        "Secret: db-creds-v2",
        "token: my-service-v2",
        "storage_key = 'theme-preference-v1'",
        "app_key: base-app-1",
        "service_key: frontend-v2",
    ]);
}

#[test]
fn what_a_reader_does_not_see_breaks_no_secret() {
    let sequences = [
        format!("\u{1b}[{}m", "1;".repeat(200)),
        "\u{1b}[?25 q".to_owned(),
        format!("\u{1b}]8;;{}\u{7}", "x".repeat(2000)),
        "\u{1b}]0;title\u{1b}\\".to_owned(),
        "\u{1b}Pq1\u{1b}\\".to_owned(),
        "\u{1b}Xq\u{7}".to_owned(),
        "\u{1b}^q\u{7}".to_owned(),
        "\u{1b}_q\u{1b}\\".to_owned(),
        "\u{9b}31m".to_owned(),
        "\u{9b}m".to_owned(),
    ];
    let short = [
        "\u{1b}(B",
        "\u{1b}#8",
        "\u{1b} F",
        "\u{1b}7",
        "\u{1b}c",
        "\u{1b}=",
        "\u{ad}",
        "\u{2066}",
        "\u{2069}",
        "\u{61c}",
        "\u{180e}",
        "\u{34f}",
        "\u{fe0f}",
        "\u{e0041}",
        "\u{e007f}",
        "\u{200b}",
        "\u{200f}",
        "\u{2060}",
        "\u{feff}",
        "\u{202a}",
        "\u{202e}",
        "\u{85}",
        "\u{9b}",
        "\u{9d}",
    ];
    let redactor = Redactor::builder()
        .denied_value(DeniedValue::new("d".to_owned(), ObjectKind::Secret, b"made-up denied".to_vec()))
        .build()
        .unwrap();
    for between in sequences.iter().map(String::as_str).chain(short) {
        for secret in [fill("ghp_@A36@"), "made-up denied".to_owned()] {
            let (head, tail) = secret.split_at(9);
            let out = redactor.redact(&format!("x {head}{between}{tail} y")).unwrap();
            assert_eq!(shown(out.text.as_str()), "x «» y", "{between:?}");
        }
    }
}

#[test]
fn other_forms_of_assignment_go() {
    check(&[
        "password: [«Kx9-qq81zzPw»]",
        "passwords: [\"«Kx9-qq81zzPw»\"]",
        "passwords:\n  - «Kx9-qq81zzPw»",
        "tokens = [\"«@A36@»\"]",
        "password:\n  «Kx9-qq81zzPw»",
        "password =\n  \"«Kx9-qq81zzPw»\"",
        "password = (\"«Kx9-qq81zzPw»\")",
        "password: !!str «Kx9-qq81zzPw»",
        "{\"value\":\"«Kx9-qq81zzPw»\",\"name\":\"DB_PASSWORD\"}",
        "<entry key=\"db.password\">«Kx9-qq81zzPw»</entry>",
        "**Password:** «Kx9-qq81zzPw»",
        "| password | «Kx9-qq81zzPw» |",
        "API key: «@A36@»",
        "apikey «@A36@»",
        "pw=«Kx9-qq81zzPw»",
        "ADMIN_PW=«Kx9-qq81zzPw»",
        "ENV DB_PASSWORD «Kx9-qq81zzPw»",
        "mysql -p«Kx9-qq81zzPw»",
        "mysql -u root -p«Kx9-qq81zzPw» db",
        "curl -u admin:«Kx9-qq81zzPw» https://x",
        "sshpass -p «Kx9-qq81zzPw» ssh x",
        "docker login -u x -p «Kx9-qq81zzPw»",
        "redis-cli -a «Kx9-qq81zzPw»",
        "requirepass «Kx9-qq81zzPw»",
        "IDENTIFIED BY '«Kx9-qq81zzPw»'",
        "PresharedKey = «@A36@»",
        "auth=(\"admin\",\"«Kx9-qq81zzPw»\")",
        "JSESSIONID=«@A36@»",
        "sessionid=«@A36@»",
        "password !== \"«Kx9-qq81zzPw»\"",
        "{\"pass\\u0077ord\":\"«Kx9-qq81zzPw»\"}",
        "x «ZGJfcGFzc3dvcmQ9S3g5LXFxODF6elB3LXhZCg==» y",
    ]);
}
