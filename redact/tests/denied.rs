//! Denied values in the forms in which they turn up, policies, and structured pairs.

use dossier_redact::{
    DeniedValue, Error, Kind, ObjectKind, ObjectRef, Policy, Redactor, RedactorBuilder, Secret, WeakReason,
};

const VALUE: &str = "Zx81\"&/made up?=ü";

fn denying(value: &str) -> RedactorBuilder {
    Redactor::builder().denied_value(DeniedValue::new(
        "ns/x/k".to_owned(),
        ObjectKind::Secret,
        value.as_bytes().to_vec(),
    ))
}

fn encode(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[test]
fn every_form_goes() {
    let redactor = denying(VALUE).build().unwrap();
    let percent: String = VALUE.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let some =
        VALUE.replace('"', "%22").replace('&', "%26").replace('/', "%2f").replace(' ', "%20").replace('ü', "%c3%bc");
    let mut forms = vec![
        VALUE.to_owned(),
        percent.to_lowercase(),
        some.replace('%', "%25"),
        some,
        percent,
        VALUE.replace('"', "\\\""),
        VALUE.replace('"', "\\\\\\\""),
        VALUE.replace('"', "\\u0022").replace('ü', "\\u00fc"),
        VALUE.replace('&', "&amp;").replace('"', "&quot;"),
        VALUE.replace('&', "&amp;").replace('"', "&#34;"),
        VALUE.bytes().map(|byte| format!("{byte:02x}")).collect(),
        VALUE.bytes().map(|byte| format!("{byte:02X}")).collect(),
        "Zx81%22%26%2Fmade+up%3F%3D%C3%BC".to_owned(),
    ];
    for before in 0..4 {
        for after in 0..4 {
            let around = [&b"~~~~"[..before], VALUE.as_bytes(), &b"~~~~"[..after]].concat();
            forms.push(encode(&around));
            forms.push(encode(&around).trim_end_matches('=').to_owned());
            forms.push(encode(&around).replace('+', "-").replace('/', "_"));
        }
    }
    for form in forms {
        let out = redactor.redact(&format!("x={form} y")).unwrap();
        assert_eq!(out.counts.by_kind().get(&Kind::DeniedSecret), Some(&1), "{form} gave {}", out.text);
        assert!(out.text.as_str().ends_with("[REDACTED:denied-secret] y"), "{form} gave {}", out.text);
    }
    assert_eq!(redactor.search_bytes(format!("\0\u{1}{VALUE}\0").as_bytes()).len(), 1);
}

#[test]
fn lines_and_leaves_of_a_value_go() {
    let redactor = denying("{\"key\": \"made-up-leaf-1234\", \"n\": 1}").build().unwrap();
    assert_eq!(redactor.redact("x made-up-leaf-1234 y").unwrap().text.as_str(), "x [REDACTED:denied-secret] y");
    let redactor = denying("odd first line 17\n  odd second line 18\n").build().unwrap();
    for text in [
        "odd first line 17\nodd second line 18",
        "odd first line 17\r\n\todd second line 18",
        "odd first line 17\\nodd second line 18",
    ] {
        let out = redactor.redact(text).unwrap();
        assert!(!out.text.as_str().contains("line"), "{}", out.text);
        assert_eq!(out.counts.total(), 1, "{}", out.text);
    }
}

#[test]
fn short_lines_of_a_value_go_with_their_neighbours() {
    let redactor =
        denying("odd first line 17\nab: 1\n- pw9\n\nodd second line 18\nxy\nodd third line 19").build().unwrap();
    for (before, end) in
        [("", "\n"), ("+", "\n"), ("| ", "\n"), ("    ", "\n"), ("+  ", "\r\n"), ("", "\\n"), ("> ", "\\r\\n")]
    {
        let lines = ["odd first line 17", "ab: 1", "- pw9", "", "odd second line 18", "xy", "odd third line 19"];
        let text: String = lines.iter().map(|line| format!("{before}{line}{end}")).collect();
        let out = redactor.redact(&text).unwrap();
        assert_eq!(out.counts.total(), 1, "{before:?} {end:?}: {}", out.text);
        assert!(!out.text.as_str().contains("pw9") && !out.text.as_str().contains("xy"), "{}", out.text);
    }
    let other = "odd first line 17\nnot of it\nodd second line 18";
    assert_eq!(redactor.redact(other).unwrap().counts.total(), 2);
}

#[test]
fn long_values_of_one_beginning_are_found_in_linear_time() {
    let values: Vec<String> = (0..16).map(|number| format!("{}<{number}>", "a".repeat(60_000))).collect();
    let mut builder = denying(&"ab".repeat(20_000));
    for value in &values {
        builder =
            builder.denied_value(DeniedValue::new("v".to_owned(), ObjectKind::Secret, value.clone().into_bytes()));
    }
    let redactor = builder.build().unwrap();
    let start = std::time::Instant::now();
    assert_eq!(redactor.redact(&"a".repeat(256 * 1024)).unwrap().counts.total(), 0);
    assert_eq!(redactor.redact(&"ab".repeat(100_000)).unwrap().counts.total(), 1);
    assert!(start.elapsed().as_secs() < 20, "took {:?}", start.elapsed());
    for before in [0, 90_000, 130_000] {
        let text = format!("{}{}\nend", "x\n".repeat(before / 2), values[11]);
        let out = redactor.redact(&text).unwrap();
        assert!(!out.text.as_str().contains("aaaa"), "{before}");
    }
}

#[test]
fn overlaps_and_neighbours_become_one() {
    let redactor = denying("abcabcabc")
        .denied_value(DeniedValue::new("y".to_owned(), ObjectKind::Secret, b"abcabc".to_vec()))
        .build()
        .unwrap();
    for text in ["abcabcabcabc", "abcabcabcabcabcabc", "abcabcab\u{1b}[0mcabc"] {
        let out = redactor.redact(text).unwrap();
        assert_eq!(out.counts.total(), 1, "{}", out.text);
    }
}

#[test]
fn weak_values_are_reported_and_left() {
    let mut builder = Redactor::builder();
    for (name, value) in [("a", "abc"), ("b", "12345678"), ("c", "Password"), ("d", "made-up-1")] {
        builder = builder.denied_value(DeniedValue::new(name.to_owned(), ObjectKind::ConfigMap, value.into()));
    }
    let redactor = builder.build().unwrap();
    let reasons: Vec<_> = redactor.weak_values().iter().map(|weak| weak.reason).collect();
    assert_eq!(reasons, [WeakReason::Short, WeakReason::Digits, WeakReason::CommonWord]);
    assert_eq!(
        redactor.redact("abc 12345678 made-up-1").unwrap().text.as_str(),
        "abc 12345678 [REDACTED:denied-secret]"
    );
}

#[test]
fn caps_hold_and_errors_do_not_echo() {
    let long = denying(&"hunter2".repeat(10_000)).build().err().unwrap();
    assert_eq!(long, Error::TooLong { what: "denied value", index: 0, max: 65_536 });
    let error = Redactor::builder().user_regex("hunter2(").build().err().unwrap();
    assert!(!error.to_string().contains("hunter2") && !format!("{error:?}").contains("hunter2"));
    assert!(Redactor::builder().user_regex("a*").build().is_err());
    assert!(Redactor::builder().user_literal(Secret::from("abc".to_owned())).build().is_err());
}

#[test]
fn denied_objects_are_blanked_without_values() {
    let object =
        ObjectRef { kind: ObjectKind::ConfigMap, namespace: "prod".to_owned(), name: "app".to_owned(), key: None };
    let redactor = Redactor::builder().denied_object(object).build().unwrap();
    let manifest =
        "apiVersion: v1\ndata:\n  a: some plain words\nkind: ConfigMap\nmetadata:\n  name: app\n  namespace: prod\n";
    let out = redactor.redact(manifest).unwrap();
    assert_eq!(out.text.as_str(), manifest.replace("some plain words", "[REDACTED:denied-secret]"));
    let other = manifest.replace("name: app", "name: other");
    assert_eq!(redactor.redact(&other).unwrap().text.as_str(), other);
    let json = "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"app\"},\"data\":{\"a\":\"words\"}}";
    assert_eq!(redactor.redact(json).unwrap().text.as_str(), json.replace("words", "[REDACTED:denied-secret]"));
}

#[test]
fn policy_and_user_patterns_are_taken() {
    let policy = Policy::parse(
        "[[rules]]\nid = 'acme'\nregex = '''acme-([0-9a-f]{8})'''\nsecretGroup = 1\nkeywords = ['acme']\n[allowlist]\nstopwords = ['00000000']\n",
    )
    .unwrap();
    let redactor = Redactor::builder()
        .policy(policy)
        .user_regex("T-[0-9]{4}")
        .user_literal(Secret::from("project falcon".to_owned()))
        .build()
        .unwrap();
    let out = redactor.redact("acme-0123abcd acme-00000000 T-1234 project falcon").unwrap();
    assert_eq!(out.text.as_str(), "acme-[REDACTED:policy] acme-00000000 [REDACTED:user] [REDACTED:user]");
    assert_eq!(out.counts.allowed, 1);
    assert_ne!(redactor.policy_digest(), Redactor::builder().build().unwrap().policy_digest());
    let literal = Redactor::builder().user_literal(Secret::from("project falcon".to_owned())).build().unwrap();
    assert_eq!(literal.policy_digest(), Redactor::builder().build().unwrap().policy_digest());
}

#[test]
fn pairs_are_judged_by_their_key() {
    let redactor = Redactor::builder().build().unwrap();
    let text = |key: &str, value: &str| redactor.redact_value(key, value).unwrap().text.into_string();
    assert_eq!(text("Authorization", "Bearer a1b2c3d4e5f6"), "Bearer [REDACTED:auth-header]");
    assert_eq!(text("X-Api-Key", "short"), "[REDACTED:auth-header]");
    assert_eq!(text("password", "hunter2"), "[REDACTED:secret]");
    assert_eq!(text("password", "${PASSWORD}"), "${PASSWORD}");
    assert_eq!(text("password", "[REDACTED:secret]"), "[REDACTED:secret]");
    assert_eq!(text("title", "A title"), "A title");
    assert_eq!(text("url", "https://u:Zx81made@h/"), "https://u:[REDACTED:secret]@h/");
}

#[test]
fn wrapped_base64_goes() {
    let value = "Zx81 made up in a long line ".repeat(12);
    let token =
        format!("{}ghp_q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7 {}", "some words ".repeat(9), "and more ".repeat(9));
    let redactor = denying(&value).build().unwrap();
    for text in [value.as_str(), &format!("before {value}behind"), &token] {
        let encoded = encode(text.as_bytes());
        for columns in [64, 76] {
            for between in ["\n", "\r\n", "\n    ", "\r\n\t"] {
                let lines: Vec<&str> =
                    encoded.as_bytes().chunks(columns).map(|line| std::str::from_utf8(line).unwrap()).collect();
                for before in ["x\n", "x: ", "x\n  "] {
                    let out = redactor.redact(&format!("{before}{}\nend words", lines.join(between))).unwrap();
                    let left = out.text.as_str().replace(Kind::DeniedSecret.marker(), "«»");
                    let left = left.replace(Kind::ProviderToken.marker(), "«»");
                    assert_eq!(left, format!("{before}«»\nend words"), "{columns} {between:?}");
                }
            }
        }
    }
}
