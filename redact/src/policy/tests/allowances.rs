use super::*;
use crate::secret::{DeniedValue, ObjectKind, Secret};

const GONE: &str = "k=[REDACTED:policy]";

fn with(allowance: &str) -> String {
    format!("{}[[rules.allowlists]]\n{allowance}\n", rule("regex = 'k=([a-z]+)'"))
}

#[test]
fn regexes_look_at_secret_match_or_line() {
    let target = |target: &str, regex: &str, text: &str| {
        redacted(&with(&format!("regexTarget = '{target}'\nregexes = ['{regex}']")), text) == text
    };
    assert!(target("secret", "^abc$", "x k=abc y"));
    assert!(!target("secret", "^k=", "x k=abc y"));
    assert!(target("match", "^k=abc$", "x k=abc y"));
    assert!(!target("match", "^x", "x k=abc y"));
    assert!(target("line", "^x k=abc y$", "before\nx k=abc y\r\nafter"));
    assert!(!target("line", "before", "before\nx k=abc y"));
    assert!(target("line", "yes", &format!("k=abc {} yes", "x".repeat(4000))));
    assert!(!target("line", "yes", &format!("yes k=abc {}", "x".repeat(5000))), "a line that is not seen whole");
    assert_eq!(redacted(&with("regexes = ['^abc$']"), "k=abcd"), GONE);
}

#[test]
fn stopwords_look_at_the_secret_in_any_case() {
    let toml = with("stopwords = ['Example', 'ÄÖ']");
    assert_eq!(redacted(&toml, "k=anexamplehere"), "k=anexamplehere");
    assert_eq!(redacted(&toml, "example k=abc"), "example k=[REDACTED:policy]");
    let toml = format!("{}[rules.allowList]\nstopWords = ['ÄÖ']\n", rule("regex = 'k=(\\S+)'"));
    assert_eq!(redacted(&toml, "k=xäöx"), "k=xäöx");
}

#[test]
fn one_condition_is_enough_unless_all_are_asked_for() {
    let toml = |condition: &str| {
        with(&format!("condition = '{condition}'\nregexes = ['^a']\nstopwords = ['z']\npaths = ['^docs/']"))
    };
    for or in ["OR", "or", "||", ""] {
        assert_eq!(redacted(&toml(or), "k=abc"), "k=abc");
        assert_eq!(redacted(&toml(or), "k=xyz"), "k=xyz");
        assert_eq!(redacted_at(&toml(or), "docs/x", "k=bcd"), "k=bcd");
        assert_eq!(redacted(&toml(or), "k=bcd"), GONE);
    }
    for and in ["AND", "and", "&&"] {
        assert_eq!(redacted_at(&toml(and), "docs/x", "k=abz"), "k=abz");
        assert_eq!(redacted_at(&toml(and), "src/x", "k=abz"), GONE);
        assert_eq!(redacted(&toml(and), "k=abz"), GONE, "without a path");
        assert_eq!(redacted_at(&toml(and), "docs/x", "k=abc"), GONE);
        assert_eq!(redacted_at(&toml(and), "docs/x", "k=bcz"), GONE);
    }
    let only = with("condition = 'AND'\npaths = ['^docs/']");
    assert_eq!(redacted_at(&only, "docs/x", "k=abc"), "k=abc");
}

#[test]
fn allowances_for_all_rules_hold_for_built_in_ones_too() {
    let text = "password = 'Zx81-q-made-up!'\nk=abc\n";
    let toml = format!("{}[[allowlists]]\nregexes = ['made-up', '^abc$']\n", rule("regex = 'k=([a-z]+)'"));
    assert_eq!(redacted(&toml, text), text);
    let used = allowances(&redactor(&toml), text);
    let names: Vec<_> = used.iter().map(|(name, rule, n)| (name.as_str(), rule.as_str(), *n)).collect();
    assert_eq!(names, [("allowlists[0]", "assigned-password", 1), ("allowlists[0]", "r", 1)]);
    let old = toml.replace("[[allowlists]]", "[allowlist]");
    assert_eq!(allowances(&redactor(&old), text)[0].0, "allowlist");
    let line =
        format!("{}[[allowlists]]\nregexTarget = 'line'\nregexes = ['^password']\n", rule("regex = 'k=([a-z]+)'"));
    assert_eq!(redacted(&line, text), text.replace("abc", "[REDACTED:policy]"));
}

#[test]
fn target_rules_are_ones_of_the_policy_or_built_in() {
    let text = "password = 'Zx81-q-made-up!'\nk=abc\n";
    let toml = |targets: &str| {
        format!("{}[[allowlists]]\ntargetRules = [{targets}]\nregexes = ['.']\n", rule("regex = 'k=([a-z]+)'"))
    };
    assert_eq!(redacted(&toml("'r'"), text), text.replace("Zx81-q-made-up!", "[REDACTED:secret]"));
    assert_eq!(redacted(&toml("'assigned-password'"), text), text.replace("abc", "[REDACTED:policy]"));
    assert_eq!(
        redacted(&toml("'generic-api-key'"), text),
        text.replace("abc", "[REDACTED:policy]"),
        "gitleaks' name for it"
    );
    assert_eq!(redacted(&toml("'r', 'assigned-password'"), text), text);
}

#[test]
fn rules_without_a_regex_add_to_built_in_ones() {
    let text = "password = 'Zx81-q-made-up!'\n";
    let toml = "[[rules]]\nid = 'generic-api-key'\ndescription = 'x'\n[[rules.allowlists]]\nstopwords = ['made-up']\n\
                [extend]\nuseDefault = true\n";
    assert_eq!(redacted(toml, text), text);
    let used = allowances(&redactor(toml), text);
    assert_eq!(used, [("generic-api-key.allowlists[0]".to_owned(), "assigned-password".to_owned(), 1)]);
    assert_eq!(redacted(toml, "token = 'Zx81-q-real-one!'"), "token = '[REDACTED:secret]'");
}

#[test]
fn ours_have_names_and_ask_for_all_that_they_say() {
    let text = "password = 'Zx81-q-made-up!'\nk=abc\n";
    let toml = |fields: &str| format!("{}[[allow]]\nid = 'docs'\n{fields}\n", rule("regex = 'k=([a-z]+)'"));
    let by_rule = toml("rules = ['r']");
    assert_eq!(redacted(&by_rule, text), text.replace("Zx81-q-made-up!", "[REDACTED:secret]"));
    assert_eq!(allowances(&redactor(&by_rule), "k=abc k=abc\nk=de"), [("docs".to_owned(), "r".to_owned(), 3)]);
    let by_path = toml("paths = ['^docs/']");
    assert_eq!(redacted_at(&by_path, "docs/a.md", text), text);
    assert_ne!(redacted_at(&by_path, "src/a.rs", text), text);
    let by_both = toml("paths = ['^docs/']\nrules = ['assigned-password']\nstopwords = ['MADE-UP']");
    assert_eq!(redacted_at(&by_both, "docs/a.md", text), text.replace("abc", "[REDACTED:policy]"));
    assert_eq!(redacted(&by_both, text), redacted("", text).replace("abc", "[REDACTED:policy]"));
}

#[test]
fn denied_values_and_user_patterns_stay_gone() {
    let policy = Policy::parse(
        "[allowlist]\nregexes = ['.']\npaths = ['.']\n[extend]\ndisabledRules = ['denied-value', 'user-regex']",
    );
    let value = DeniedValue::new("n".to_owned(), ObjectKind::Secret, b"orchid-lantern-42".to_vec());
    let redactor = Redactor::builder()
        .policy(policy.unwrap())
        .denied_value(value)
        .user_literal(Secret::from("lavender-kettle".to_owned()))
        .user_regex("TICKET-[0-9]+")
        .build()
        .unwrap()
        .at("any/path");
    let out = redactor.redact("orchid-lantern-42 lavender-kettle TICKET-1234 password=Zx81-q-made-up!").unwrap();
    assert_eq!(out.text.as_str(), "[REDACTED:denied-secret] [REDACTED:user] [REDACTED:user] password=Zx81-q-made-up!");
    assert_eq!(out.counts.allowed, 1);
}

#[test]
fn a_pair_is_judged_as_a_text_is() {
    let redactor = redactor("[[allow]]\nid = 'a'\nrules = ['assigned-value', 'auth-header']\nregexes = ['made-up']");
    let out = redactor.redact_value("password", "Zx81-q-made-up!").unwrap();
    assert_eq!((out.text.as_str(), out.counts.allowed), ("Zx81-q-made-up!", 1));
    let out = redactor.redact_value("password", "Zx81-q-real-one!").unwrap();
    assert_eq!((out.text.as_str(), out.counts.allowed), ("[REDACTED:secret]", 0));
}

#[test]
fn what_several_views_show_is_counted_once() {
    let toml = with("regexes = ['^abc$']");
    assert_eq!(
        allowances(&redactor(&toml), "\u{1b}[31mk=abc\u{1b}[0m and k=abc\n").iter().map(|used| used.2).sum::<u64>(),
        2
    );
}
