//! What people report of the maskers of CI systems, each with what must be gone and what must be left.

use dossier_redact::{DeniedValue, ObjectKind, Redactor};

/// The values of a job's secrets, a text it prints, and what must be gone from it and left in it.
struct Fault {
    what: &'static str,
    values: &'static [&'static str],
    text: &'static str,
    gone: &'static [&'static str],
    left: &'static [&'static str],
}

const ODD: &str = "p\"a\\ss&w'rd<1>$x`y%z";
const LINES: &str = "first-odd-line-1x\nsecond-odd-line-2y\nthird-odd-line-3z\n";
const JSON: &str = "{\n  \"id\": 123,\n  \"user\": \"john-doe-made\",\n  \"password\": \"foobar-made-up-9\"\n}";

const FAULTS: &[Fault] = &[
    Fault {
        what: "a secret of several lines is printed line by line",
        values: &[LINES],
        text: "12:00 first-odd-line-1x\n12:01 second-odd-line-2y\n12:02 third-odd-line-3z\n12:03 done\n",
        gone: &["odd-line"],
        left: &["12:00 ", "12:03 done"],
    },
    Fault {
        what: "the lines are joined by blanks",
        values: &[LINES],
        text: "+ echo first-odd-line-1x second-odd-line-2y third-odd-line-3z\n",
        gone: &["odd-line"],
        left: &["+ echo "],
    },
    Fault {
        what: "the lines are joined by written-out breaks",
        values: &[LINES],
        text: "{\"v\": \"first-odd-line-1x\\nsecond-odd-line-2y\\nthird-odd-line-3z\\n\"}\n",
        gone: &["odd-line"],
        left: &["{\"v\": \""],
    },
    Fault {
        what: "the lines end with carriage returns",
        values: &[LINES],
        text: "first-odd-line-1x\r\nsecond-odd-line-2y\r\nthird-odd-line-3z\r\n",
        gone: &["odd-line"],
        left: &[],
    },
    Fault {
        what: "the lines are indented",
        values: &[LINES],
        text: "  v: |\n    first-odd-line-1x\n    second-odd-line-2y\n    third-odd-line-3z\n  n: 1\n",
        gone: &["odd-line"],
        left: &["  v: |", "  n: 1"],
    },
    Fault {
        what: "only one line of the secret is printed",
        values: &[LINES],
        text: "error near 'second-odd-line-2y'\n",
        gone: &["odd-line"],
        left: &["error near '"],
    },
    Fault {
        what: "a secret that is JSON masks every brace",
        values: &[JSON],
        text: "fn f() { if x { y } else { z } }\nid: 123\n",
        gone: &[],
        left: &["fn f() { if x { y } else { z } }\nid: 123\n"],
    },
    Fault {
        what: "a secret that is JSON leaks its leaves",
        values: &[JSON],
        text: "login john-doe-made with foobar-made-up-9\n",
        gone: &["foobar-made-up-9"],
        left: &["login ", " with "],
    },
    Fault {
        what: "a secret that is JSON is printed on one line",
        values: &[JSON],
        text: "{\"id\":123,\"user\":\"john-doe-made\",\"password\":\"foobar-made-up-9\"}\n",
        gone: &["foobar"],
        left: &["\"id\":123"],
    },
    Fault {
        what: "one letter is a secret, and the log is stars",
        values: &["a"],
        text: "transforming active things\n",
        gone: &[],
        left: &["transforming active things\n"],
    },
    Fault {
        what: "a digit, a truth value and an empty value are secrets",
        values: &["1", "true", "", " ", "0", "false", "null"],
        text: "{\"enabled\":true,\"count\":1,\"x\":null,\"y\":false}\n",
        gone: &[],
        left: &["{\"enabled\":true,\"count\":1,\"x\":null,\"y\":false}\n"],
    },
    Fault {
        what: "a common word is a secret",
        values: &["docker", "admin", "production", "localhost", "main", "master", "jenkins", "github", "root"],
        text: "docker build of main for production on localhost by jenkins, github and root\n",
        gone: &[],
        left: &["docker build of main for production on localhost by jenkins, github and root\n"],
    },
    Fault {
        what: "a value is the beginning of another",
        values: &["made-up-android", "made-up-androiddebugkey"],
        text: "x made-up-androiddebugkey y made-up-android z\n",
        gone: &["android", "debugkey"],
        left: &["x ", " y ", " z"],
    },
    Fault {
        what: "two values overlap",
        values: &["made-up-one-two", "one-two-three-four"],
        text: "x made-up-one-two-three-four y\n",
        gone: &["made-up", "three"],
        left: &["x ", " y"],
    },
    Fault {
        what: "a value stands in itself",
        values: &["abcabcabc"],
        text: "x abcabcabcabcabc y\n",
        gone: &["abc"],
        left: &["x ", " y"],
    },
    Fault {
        what: "the stored value ends with a line break",
        values: &["made-up-value-9\n"],
        text: "x made-up-value-9 y\n",
        gone: &["made-up"],
        left: &["x ", " y"],
    },
    Fault {
        what: "colours stand in the value",
        values: &["made-up-value-9"],
        text: "x \u{1b}[31mmade-up\u{1b}[0m\u{1b}[1m-value-9\u{1b}[0m y\n",
        gone: &["made-up", "value-9"],
        left: &["x ", " y"],
    },
    Fault {
        what: "a hidden character stands in the value",
        values: &["made-up-value-9"],
        text: "x made-up\u{200b}-value-9 y\n",
        gone: &["value-9"],
        left: &["x ", " y"],
    },
    Fault {
        what: "the value is Base64",
        values: &["made-up-value-9"],
        text: "x bWFkZS11cC12YWx1ZS05 y\n",
        gone: &["bWFkZS"],
        left: &["x ", " y"],
    },
    Fault {
        what: "echo adds a line break before Base64",
        values: &["made-up-value-9"],
        text: "x bWFkZS11cC12YWx1ZS05Cg== y\n",
        gone: &["bWFkZS"],
        left: &["x ", " y"],
    },
    Fault {
        what: "a user stands before it in Base64",
        values: &["made-up-value-9"],
        text: "auth: am9lOm1hZGUtdXAtdmFsdWUtOQ== y\n",
        gone: &["hZGUtdXAtdmFsdW"],
        left: &[" y"],
    },
    Fault {
        what: "it stands in the middle of Base64",
        values: &["made-up-value-9"],
        text: "x eyJhIjoibWFkZS11cC12YWx1ZS05IiwiYiI6MX0= y\n",
        gone: &["ibWFkZS11cC12YWx1ZS05I"],
        left: &["x ", " y"],
    },
    Fault {
        what: "the value is in a URL",
        values: &["p@ss w/rd+made?up"],
        text: "https://x.example/?v=p%40ss%20w%2Frd%2Bmade%3Fup&n=1\n",
        gone: &["rd%2Bmade"],
        left: &["https://x.example/?v=", "&n=1"],
    },
    Fault {
        what: "with lower-case digits",
        values: &["p@ss w/rd+made?up"],
        text: "v=p%40ss%20w%2frd%2bmade%3fup&n=1\n",
        gone: &["rd%2bmade"],
        left: &["v=", "&n=1"],
    },
    Fault {
        what: "with plus for blank, as forms do",
        values: &["p@ss w/rd+made?up"],
        text: "v=p%40ss+w%2Frd%2Bmade%3Fup&n=1\n",
        gone: &["rd%2Bmade"],
        left: &["v=", "&n=1"],
    },
    Fault {
        what: "encoded twice",
        values: &["p@ss-w/rd-made-up"],
        text: "v=p%2540ss-w%252Frd-made-up&n=1\n",
        gone: &["rd-made"],
        left: &["v=", "&n=1"],
    },
    Fault {
        what: "the value has a percent sign",
        values: &["made%up-value-9"],
        text: "x made%25up-value-9 y made%up-value-9 z\n",
        gone: &["up-value"],
        left: &["x ", " y ", " z"],
    },
    Fault {
        what: "the value is escaped in JSON",
        values: &[ODD],
        text: "{\"v\": \"p\\\"a\\\\ss&w'rd<1>$x`y%z\", \"n\": 1}\n",
        gone: &["rd<1>"],
        left: &["{\"v\": \"", "\", \"n\": 1}"],
    },
    Fault {
        what: "as Go escapes it in JSON",
        values: &[ODD],
        text: "{\"v\":\"p\\\"a\\\\ss\\u0026w'rd\\u003c1\\u003e$x`y%z\",\"n\":1}\n",
        gone: &["u003c1"],
        left: &["{\"v\":\"", "\",\"n\":1}"],
    },
    Fault {
        what: "the value is escaped in XML",
        values: &[ODD],
        text: "<v>p&quot;a\\ss&amp;w&apos;rd&lt;1&gt;$x`y%z</v>\n",
        gone: &["rd&lt;1"],
        left: &["<v>", "</v>"],
    },
    Fault {
        what: "the value is quoted for a shell",
        values: &[ODD],
        text: "+ echo 'p\"a\\ss&w'\\''rd<1>$x`y%z' done\n",
        gone: &["rd<1>"],
        left: &["+ echo ", " done"],
    },
    Fault {
        what: "the value is quoted twice for a shell",
        values: &[ODD],
        text: "+ echo \"p\\\"a\\\\ss&w'rd<1>\\$x\\`y%z\" done\n",
        gone: &["rd<1>"],
        left: &["+ echo ", " done"],
    },
    Fault {
        what: "quotes are doubled, as in YAML and SQL",
        values: &["it's-made-up-9"],
        text: "v: 'it''s-made-up-9'\n",
        gone: &["made-up"],
        left: &["v: "],
    },
    Fault {
        what: "the value has signs of patterns",
        values: &["a.b*c$d^e(f)[g]\\1"],
        text: "x a.b*c$d^e(f)[g]\\1 y aXbbc z\n",
        gone: &["d^e(f)"],
        left: &["x ", " y aXbbc z"],
    },
    Fault {
        what: "the value is hex",
        values: &["made-up-value-9"],
        text: "x 6d6164652d75702d76616c75652d39 y\n",
        gone: &["6d6164652d75"],
        left: &["x ", " y"],
    },
    Fault {
        what: "the value is in a remote's URL",
        values: &["made-up-value-9"],
        text: "fatal: unable to access 'https://bot:made-up-value-9@git.example/x.git/'\n",
        gone: &["made-up"],
        left: &["https://bot:", "@git.example/x.git/'"],
    },
    Fault {
        what: "the value is a path that stands everywhere",
        values: &["/home/runner/work/app"],
        text: "cd /home/runner/work/app/src\n",
        gone: &["runner/work/app"],
        left: &["cd ", "/src"],
    },
    Fault {
        what: "the line is wrapped in the value",
        values: &["made-up-value-that-is-long-enough-to-wrap-9"],
        text: "2024-05-06T07:08:09Z ERROR login of the robot failed with made-up-value-that-is-\nlong-enough-to-wrap-9 y\n",
        gone: &["long-enough"],
        left: &["failed with ", " y"],
    },
    Fault {
        what: "versions and dates look like a short value",
        values: &["2024", "1.2", "3.11"],
        text: "2024-05-06 python 3.11.7 v1.2.3\n",
        gone: &[],
        left: &["2024-05-06 python 3.11.7 v1.2.3\n"],
    },
];

#[test]
fn no_reported_fault_is_ours() {
    let mut wrong = Vec::new();
    for fault in FAULTS {
        let values =
            fault.values.iter().enumerate().map(|(index, value)| {
                DeniedValue::new(format!("v{index}"), ObjectKind::Secret, value.as_bytes().to_vec())
            });
        let builder = values.fold(Redactor::builder(), dossier_redact::RedactorBuilder::denied_value);
        let out = builder.build().unwrap().redact(fault.text).unwrap();
        let out = out.text.as_str();
        let leaks = fault.gone.iter().any(|gone| out.contains(gone));
        let breaks = fault.left.iter().any(|left| !out.contains(left));
        if leaks || breaks {
            wrong.push(format!("{} ({}):\n    {out}", fault.what, if leaks { "leaks" } else { "breaks" }));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), FAULTS.len(), wrong.join("\n"));
}

/// What is structured stays so: strings are masked within their quotes.
#[test]
fn structure_survives() {
    let redactor = Redactor::builder().build().unwrap();
    let text = r#"{"password":"hunter2-made-up","list":["a",{"api_key":"q7Zx2mK9vR4tB8wN3cY6"}],"n":1,"ok":true,"none":null,"log":"token=q7Zx2mK9vR4tB8wN3cY6 \"quoted\"","h":{"Authorization":"Bearer q7Zx2mK9vR4tB8wN3cY6hJ5"},"pem":"-----BEGIN EC PRIVATE KEY-----\nq7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb4Wc8Ny3Hj6Pl5Ds1Fg0a\n-----END EC PRIVATE KEY-----\n","url":"postgres://joe:hunter2made@db/x"}"#;
    let out = redactor.redact(text).unwrap().text;
    let parsed: serde_json::Value = serde_json::from_str(out.as_str()).unwrap();
    assert_eq!(parsed["n"], 1);
    assert_eq!(parsed["ok"], true);
    assert_eq!(parsed["password"], "[REDACTED:secret]");
    assert_eq!(parsed["url"], "postgres://joe:[REDACTED:secret]@db/x");
    for secret in ["hunter2", "q7Zx2mK9"] {
        assert!(!out.as_str().contains(secret), "{out}");
    }
}
