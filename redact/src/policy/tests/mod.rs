//! What policies are read, what they take and what they let through.

mod allowances;
mod properties;
mod refusals;

use super::*;
use crate::redactor::Redactor;

fn redactor(toml: &str) -> Redactor {
    Redactor::builder().policy(Policy::parse(toml).unwrap()).build().unwrap()
}

/// What `toml` makes of `text`, which has no path.
fn redacted(toml: &str, text: &str) -> String {
    redactor(toml).redact(text).unwrap().text.into_string()
}

/// The same, with the text at `path`.
fn redacted_at(toml: &str, path: &str, text: &str) -> String {
    redactor(toml).at(path).redact(text).unwrap().text.into_string()
}

/// The allowances that were used: name, rule, how often.
fn allowances(redactor: &Redactor, text: &str) -> Vec<(String, String, u64)> {
    let counts = redactor.redact(text).unwrap().counts;
    let all: Vec<_> = counts.allowances().map(|(name, rule, n)| (name.to_owned(), rule.to_owned(), n)).collect();
    assert_eq!(counts.allowed, all.iter().map(|(_, _, n)| n).sum::<u64>());
    all
}

fn rule(fields: &str) -> String {
    format!("[[rules]]\nid = 'r'\n{fields}\n")
}

#[test]
fn a_match_or_its_group_goes() {
    let text = "a k=abcd1 b";
    assert_eq!(redacted(&rule("regex = 'k=[a-z]+[0-9]'"), text), "a [REDACTED:policy] b");
    assert_eq!(redacted(&rule("regex = 'k=([a-z]+)[0-9]'"), text), "a k=[REDACTED:policy]1 b");
    assert_eq!(redacted(&rule("regex = 'k=([a-z]+)([0-9])'\nsecretGroup = 2"), text), "a k=abcd[REDACTED:policy] b");
    assert_eq!(
        redacted(&rule("regex = 'k=(?:(x)|([a-z]+))[0-9]'"), text),
        "a k=[REDACTED:policy]1 b",
        "the first that holds something"
    );
    assert_eq!(
        redacted(&rule("regex = 'k=(x?)[a-z]+[0-9]'"), text),
        "a [REDACTED:policy] b",
        "no group holds anything"
    );
    assert_eq!(redacted(&rule("regex = 'k=(x)?[a-z]+[0-9]'\nsecretGroup = 1"), text), "a [REDACTED:policy] b");
}

#[test]
fn entropy_must_be_greater() {
    let with = |least: &str| redacted(&rule(&format!("regex = 'k=([a-d]+)'\nentropy = {least}")), "k=abcd");
    assert_eq!(with("2.0"), "k=abcd");
    assert_eq!(with("2"), "k=abcd");
    assert_eq!(with("1.99"), "k=[REDACTED:policy]");
    assert_eq!(with("0"), "k=[REDACTED:policy]");
}

#[test]
fn keywords_stand_near_in_any_case() {
    let toml = rule("regex = '[0-9]{12}'\nkeywords = ['Acme', 'ПАРОЛЬ']");
    let number = "123456789012";
    let gone = "[REDACTED:policy]";
    assert_eq!(redacted(&toml, number), number);
    for near in ["ACME", "xacmex\n\n", "пароль: ", "Пароль "] {
        if near.starts_with('П') {
            // Beyond ASCII a keyword is found in one case throughout.
            assert_eq!(redacted(&toml, &format!("{near} {number}")), format!("{near} {number}"));
            continue;
        }
        assert_eq!(redacted(&toml, &format!("{near} {number}")), format!("{near} {gone}"), "{near}");
        assert_eq!(redacted(&toml, &format!("{number} {near}")), format!("{gone} {near}"), "{near}");
    }
    let apart = |len: usize| redacted(&toml, &format!("acme{}{number}{}", "\n".repeat(len), "\n.".repeat(40_000)));
    assert!(apart(2044).contains(gone));
    assert!(!apart(2045).contains(gone));
    let behind = |len: usize| redacted(&toml, &format!("{number}{}acme", "\n".repeat(len)));
    assert!(behind(2048).contains(gone));
    assert!(!behind(2049).contains(gone));
}

#[test]
fn words_of_the_pattern_itself_stand_in_for_keywords() {
    let toml = rule("regex = '(?i)(?:acme|emca)[-_]([0-9]{6})'\nkeywords = ['ACME', 'emca']");
    assert_eq!(
        redacted(&toml, "ACME-123456 Emca_654321 acme-1"),
        "ACME-[REDACTED:policy] Emca_[REDACTED:policy] acme-1"
    );
    // A keyword that is not in the match still has to be there.
    let toml = rule("regex = 'acme-([0-9]{6})'\nkeywords = ['other']");
    assert_eq!(redacted(&toml, "acme-123456"), "acme-123456");
    assert_eq!(redacted(&toml, "acme-123456\n\nOther"), "acme-[REDACTED:policy]\n\nOther");
}

#[test]
fn rules_with_a_path_hold_there() {
    let toml = rule("regex = 'k=([a-z]+)'\npath = '''(?i)\\.yaml$'''");
    assert_eq!(redacted(&toml, "k=abc"), "k=abc");
    assert_eq!(redacted_at(&toml, "x.txt", "k=abc"), "k=abc");
    for path in ["a/b.YAML", "./b.yaml", "a\\b.yaml"] {
        assert_eq!(redacted_at(&toml, path, "k=abc"), "k=[REDACTED:policy]");
    }
    let toml = rule("regex = 'k=([a-z]+)'\npath = '^src/'");
    assert_eq!(redacted_at(&toml, "././src/x", "k=abc"), "k=[REDACTED:policy]");
    assert_eq!(redacted_at(&toml, "a/src/x", "k=abc"), "k=abc");
    // An empty path is none.
    assert_eq!(redacted_at(&rule("regex = 'k=([a-z]+)'\npath = '.*'"), "", "k=abc"), "k=abc");
}

#[test]
fn what_is_required_must_stand_near_and_goes_along() {
    let toml = |limits: &str| {
        format!(
            "[[rules]]\nid = 'pair'\nregex = 'id=([a-z]+)'\n[[rules.required]]\nid = 'part'\n{limits}\n\
             [[rules]]\nid = 'part'\nregex = 'part=([0-9]+)'\nskipReport = true\n"
        )
    };
    let both = "id=[REDACTED:policy] part=[REDACTED:policy]";
    assert_eq!(redacted(&toml(""), "id=abc part=12"), both);
    assert_eq!(redacted(&toml(""), "id=abc"), "id=abc");
    assert_eq!(redacted(&toml(""), "part=12"), "part=12", "it is only for others to require");
    let lines = |count: usize| format!("id=abc{}part=12", "\n".repeat(count));
    assert_eq!(
        redacted(&toml("withinLines = 2"), &lines(2)),
        lines(2).replace("abc", "[REDACTED:policy]").replace("12", "[REDACTED:policy]")
    );
    assert_eq!(redacted(&toml("withinLines = 2"), &lines(3)), lines(3));
    assert_eq!(redacted(&toml("withinLines = 0"), "part=12 id=abc"), "part=[REDACTED:policy] id=[REDACTED:policy]");
    assert_eq!(redacted(&toml("withinColumns = 7"), "id=abc part=12"), both);
    assert_eq!(redacted(&toml("withinColumns = 6"), "id=abc part=12"), "id=abc part=12");
    assert!(redacted(&toml("withinColumns = 0"), "id=abc\npart=12").contains("policy"));
    assert!(redacted(&toml(""), &lines(2000)).contains("policy"));
    assert_eq!(redacted(&toml(""), &lines(2100)), lines(2100), "beyond what is near");
    let twice = toml("").replace("skipReport = true\n", "entropy = 1.5\n");
    assert_eq!(redacted(&twice, "id=abc part=11"), "id=abc part=11", "what is required must count itself");
    assert_eq!(redacted(&twice, "id=abc part=1234"), both);
}

#[test]
fn disabled_rules_are_built_in_ones_of_either_name() {
    let token = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let text = format!("see {token} there");
    assert_ne!(redacted("title = 'x'", &text), text, "on though nothing says so");
    assert_ne!(redacted("[extend]\nuseDefault = true", &text), text);
    for id in ["github-token", "github-pat"] {
        let toml = format!("[extend]\nuseDefault = true\ndisabledRules = ['{id}', 'nothing-like-it']");
        assert_eq!(redacted(&toml, &text), text, "{id}");
        let used = allowances(&redactor(&toml), &text);
        assert_eq!(used, [("extend.disabledRules".to_owned(), "github-token".to_owned(), 1)]);
    }
    let secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  color: Ymx1ZQ==\n";
    assert_ne!(redacted("", secret), secret);
    assert_eq!(redacted("[extend]\ndisabledRules = ['kubernetes-secret-yaml']", secret), secret);
    // A rule of the policy's own is another one, and replaces what is disabled.
    let toml = "[extend]\ndisabledRules = ['r']\n[[rules]]\nid = 'r'\nregex = 'k=([a-z]+)'";
    assert_eq!(redacted(toml, "k=abc"), "k=[REDACTED:policy]");
}

#[test]
fn files_of_a_path_go_whole() {
    let toml = "[[rules]]\nid = 'p12'\npath = '\\.p12$'\n";
    assert_eq!(redacted(toml, "abc"), "abc");
    assert_eq!(redacted_at(toml, "x.txt", "abc"), "abc");
    assert_eq!(redacted_at(toml, "a/x.p12", "abc\ndef\n"), "[REDACTED:policy]");
    assert_eq!(redacted_at(toml, "a/x.p12", ""), "");
    assert_eq!(redacted_at(toml, "a/x.p12", "[REDACTED:policy]"), "[REDACTED:policy]");
    assert_eq!(redacted_at(toml, "a/x.p12", &"some words and\n".repeat(100_000)), "[REDACTED:policy]");
    let redactor = redactor(&format!("{toml}[[allow]]\nid = 'docs'\npaths = ['^docs/']")).at("docs/x.p12");
    assert_eq!(redactor.redact("abc").unwrap().text.as_str(), "abc");
    assert_eq!(allowances(&redactor, &"abc\n".repeat(200_000)), [("docs".to_owned(), "p12".to_owned(), 1)]);
}

#[test]
fn long_lines_are_searched_in_windows() {
    let secret = format!("tok_{}", "a1".repeat(1000));
    let toml = rule("regex = 'tok_[a-z0-9]{2000}'");
    let user = Redactor::builder().user_regex("tok_[a-z0-9]{2000}").build().unwrap();
    let every = rule("regex = '[xt]o[k]_[a1]{2000}|[0-9][A-Z]{12}[0-9]'");
    for before in [0, 1, 60_000, 65_000, 65_536, 66_000, 123_000, 300_000] {
        let text = format!("{} {secret} {}", "x ".repeat(before / 2), "y ".repeat(100_000));
        let goes = |mark: &str| text.replace(&secret, mark);
        assert!(redacted(&toml, &text) == goes("[REDACTED:policy]"), "{before}");
        assert!(redacted(&every, &text) == goes("[REDACTED:policy]"), "{before}");
        assert!(user.redact(&text).unwrap().text.as_str() == goes("[REDACTED:user]"), "{before}");
    }
}

#[test]
fn patterns_without_words_are_tried_on_every_line() {
    let toml = rule("regex = '(^|[^0-9])([0-9]{3}-[0-9]{4})($|[^0-9])'\nsecretGroup = 2");
    let line = "12 123-4567 x\r\n555-0000\n1555-0000\n";
    let text = line.repeat(20_000);
    let goes = "12 [REDACTED:policy] x\r\n[REDACTED:policy]\n1555-0000\n".repeat(20_000);
    assert!(redacted(&toml, &text) == goes);
}

#[test]
fn what_is_encoded_or_escaped_is_found() {
    use base64::Engine as _;
    let toml = rule("regex = 'key=\"([a-z]{8})\"'");
    let encode = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let run = encode("some words and key=\"abcdefgh\" here");
    assert_eq!(redacted(&toml, &format!("x {run} y")), "x [REDACTED:policy] y");
    assert_eq!(redacted(&toml, r#"{"a": "key=\"abcdefgh\""}"#), r#"{"a": "key=\"[REDACTED:policy]\""}"#);
    assert_eq!(redacted(&toml, "?q=key%3D%22abcdefgh%22"), "?q=key%3D%22[REDACTED:policy]%22");
    assert_eq!(redacted(&toml, "key=\"abc\u{1b}[1mdefgh\""), "key=\"[REDACTED:policy]\"");
    let user = Redactor::builder().user_regex("abc[d-f]+gh").build().unwrap();
    assert_eq!(user.redact(&format!("x {run} y")).unwrap().text.as_str(), "x [REDACTED:user] y");
    let allowing = format!("{toml}[[rules.allowlists]]\nregexes = ['^abc']\n");
    assert_eq!(redacted(&allowing, &format!("x {run} y")), format!("x {run} y"));
    assert_eq!(allowances(&redactor(&allowing), &format!("x {run} y"))[0].2, 1);
}
