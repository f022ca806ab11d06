//! A whole configuration of gitleaks: what its rules take, what its allowances let through, and that it streams as any other.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use dossier_redact::{Policy, Redactor};

fn redactor() -> Redactor {
    let policy = Policy::parse(include_str!("policy/gitleaks.toml")).unwrap();
    Redactor::builder().policy(policy).build().unwrap()
}

/// Texts, where they stand, and what is left of them.
const CASES: &[(&str, &str, &str)] = &[
    ("", "use lantern-0a1b2c3d4e5f now", "use [REDACTED:policy] now"),
    ("", "use LANTERN-0a1b2c3d4e5f now", "use LANTERN-0a1b2c3d4e5f now"),
    ("", "lantern-0a1b2c3d4e5f in a Fixture", "lantern-0a1b2c3d4e5f in a Fixture"),
    ("", "lantern-0a1b2c3d4e5f\nFixture", "[REDACTED:policy]\nFixture"),
    ("x/docs/a.md", "lantern-0a1b2c3d4e5f kettle=abcd1234", "lantern-0a1b2c3d4e5f kettle=abcd[REDACTED:policy]"),
    ("x/src/a.rs", "lantern-0a1b2c3d4e5f", "[REDACTED:policy]"),
    ("", "orchid=12345678 orchid:abcdefgh", "orchid=[REDACTED:policy] orchid:[REDACTED:policy]"),
    ("", "orchid:changeme orchid:notchngm", "orchid:changeme orchid:[REDACTED:policy]"),
    // Twelve kinds of characters, three of them twice and one three times: 3.5 bits is not reached.
    ("", "saffron a1b2c3d4a1b2c3d4", "saffron a1b2c3d4a1b2c3d4"),
    ("", "saffron a1b2c3d4e5f6g7h8", "saffron [REDACTED:policy]"),
    ("", "cinnamon a1b2c3d4a1b2c3d4", "cinnamon a1b2c3d4a1b2c3d4"),
    ("", "cinnamon a1b2c3d4a1b2c3e4", "cinnamon [REDACTED:policy]"),
    ("", "order 1234567890", "order 1234567890"),
    ("", "order 1234567890\nof NUTMEG", "order [REDACTED:policy]\nof NUTMEG"),
    ("", "Basil-Leaf = '0123456789abcdef01234567'", "Basil-Leaf = '[REDACTED:policy]'"),
    ("", "thyme leaf: 0123456789abcdef01234567\r\nx", "thyme leaf: [REDACTED:policy]\r\nx"),
    ("", "THYMELEAF=0123456789abcdef01234567\\n", "THYMELEAF=[REDACTED:policy]\\n"),
    ("", "thyme leaf: 0123456789abcdef0123456789", "thyme leaf: 0123456789abcdef0123456789"),
    ("", "juniper: abc", "juniper: abc"),
    ("deploy/a.YML", "juniper: abc", "juniper: [REDACTED:policy]"),
    ("deploy/a.txt", "juniper: abc", "juniper: abc"),
    ("x.lantern-bundle", "anything\nat all\n", "[REDACTED:policy]"),
    ("", "clove_id=ABCD1234", "clove_id=ABCD1234"),
    ("", "clove_part=abcdefghij0123456789 clove_region=north", "clove_part=abcdefghij0123456789 clove_region=north"),
    (
        "",
        "clove_id=ABCD1234\nclove_region=north\nclove_part=abcdefghij0123456789\n",
        "clove_id=[REDACTED:policy]\nclove_region=[REDACTED:policy]\nclove_part=[REDACTED:policy]\n",
    ),
    (
        "",
        "clove_id=ABCD1234\nclove_region=north\n\nclove_part=abcdefghij0123456789\n",
        "clove_id=ABCD1234\nclove_region=north\n\nclove_part=abcdefghij0123456789\n",
    ),
    ("", "fennel=publicone fennel=testing fennel=tested", "fennel=publicone fennel=testing fennel=[REDACTED:policy]"),
    ("", "ginger=abc my_ginger=abc", "ginger=[REDACTED:policy] my_ginger=abc"),
    ("", "anise=abc\nanise=abc # harmless\r\n", "anise=[REDACTED:policy]\nanise=abc # harmless\r\n"),
    ("vendor/x", "sorrel=abc", "sorrel=abc"),
    ("a/b_test.go", "sorrel=abc", "sorrel=abc"),
    ("a/vendor/x", "sorrel=abc", "sorrel=[REDACTED:policy]"),
    (
        "",
        "chervil=none chervil=adummyvalue chervil=nonesuch",
        "chervil=none chervil=adummyvalue chervil=[REDACTED:policy]",
    ),
    (
        "",
        "tarragon abc\n tarragon abc\ntarragon abc",
        "tarragon [REDACTED:policy]\n tarragon abc\ntarragon [REDACTED:policy]",
    ),
    (
        "",
        "${cumin:abc} {{cumin abc}} {cumin abc}",
        "${cumin:[REDACTED:policy]} {{cumin [REDACTED:policy]}} {cumin abc}",
    ),
    ("", "dill12éé-! dill12\"x-!", "dill[REDACTED:policy] dill12\"x-!"),
    ("", "mace-ABCDEF\tend mace-abcdef end", "[REDACTED:policy] mace-abcdef end"),
    ("", "caraway(abc)", "caraway([REDACTED:policy])"),
    ("", "piment:äöüß piment:1234", "piment:[REDACTED:policy] piment:1234"),
    ("", "sumac=äöüß; sumac=abc;", "sumac=[REDACTED:policy]; sumac=abc;"),
    ("", "loomi \"a b\" \"c\"", "loomi \"[REDACTED:policy]\" \"c\""),
    // Built-in rules: on, disabled, and with allowances.
    ("", "password = 'Zx81-q-made-up!'", "password = '[REDACTED:secret]'"),
    ("", "password = 'Zx81-lavender-q!'", "password = 'Zx81-lavender-q!'"),
    ("", "password = 'Zx81-q-made-up!' # fixture", "password = 'Zx81-q-made-up!' # fixture"),
    ("", "password = 'Zx81-not-a-secret'", "password = 'Zx81-not-a-secret'"),
];

#[test]
fn a_configuration_of_gitleaks_does_what_it_says() {
    let redactor = redactor();
    for (path, text, left) in CASES {
        let redacted = redactor.at(path).redact(text).unwrap();
        assert_eq!(redacted.text.as_str(), *left, "{path} {text}");
        let again = redactor.at(path).redact(left).unwrap();
        assert_eq!(again.text.as_str(), *left, "again: {path} {text}");
    }
}

#[test]
fn pieces_and_places_in_a_long_text_make_no_difference() {
    let redactor = redactor();
    let mut text = String::new();
    let mut left = String::new();
    // Apart from each other as far as anything that must stand near may be.
    let between = "ordinary words of a log line that nothing is looked for in\n".repeat(80);
    for round in 0..6 {
        for (path, case, gone) in CASES.iter().filter(|(path, ..)| path.is_empty()) {
            let _ = path;
            let pad = ".".repeat(round * 7);
            text.push_str(&format!("{pad}\n{case}\n{between}"));
            left.push_str(&format!("{pad}\n{gone}\n{between}"));
        }
    }
    assert!(redactor.redact(&text).unwrap().text.as_str() == left);
    for size in [1, 4093, 65_536] {
        let mut stream = redactor.stream();
        let mut out = String::new();
        for piece in text.as_bytes().chunks(size) {
            out.push_str(stream.push(piece).unwrap().text.as_str());
        }
        let (last, counts) = stream.finish().unwrap();
        out.push_str(last.text.as_str());
        assert!(out == left, "{size}");
        assert_eq!(counts.allowed, redactor.redact(&text).unwrap().counts.allowed);
    }
}

#[test]
fn uses_of_allowances_are_counted_by_name_and_rule() {
    let text = "fennel=publicone\nfennel=testing\norchid:changeme\npassword = 'Zx81-lavender-q!'\n";
    let counts = redactor().redact(text).unwrap().counts;
    let used: Vec<_> = counts.allowances().collect();
    assert_eq!(
        used,
        [
            ("allowed-secret.allowlists[0]", "allowed-secret", 1),
            ("allowed-secret.allowlists[1]", "allowed-secret", 1),
            ("allowlists[0]", "first-group", 1),
            ("generic-api-key.allowlists[0]", "assigned-password", 1),
        ]
    );
    assert_eq!((counts.total(), counts.allowed), (0, 4));
}
