use super::*;
use crate::error::PatternReason::{self, MatchesEmpty, SeveralLines, Syntax, TooLong};
use crate::error::PolicyReason::{self, *};

/// The line and the reason; nothing of the document may be in what is said.
fn refused(toml: &str) -> (usize, PolicyReason) {
    match Policy::parse(toml) {
        Ok(_) => panic!("taken: {toml}"),
        Err(error) => {
            assert!(!error.to_string().contains("hunter2"), "echoes");
            assert!(!format!("{error:?}").contains("hunter2"), "echoes");
            (error.line, error.reason)
        }
    }
}

#[test]
fn what_is_not_known_is_refused_with_its_line() {
    assert_eq!(refused("a = hunter2").1, Toml);
    assert_eq!(refused("title = 'x'\nhunter2 = 1"), (2, Unknown));
    assert_eq!(refused("[extend]\nhunter2 = true"), (2, Unknown));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'abc'\nhunter2 = 1"), (4, Unknown));
    assert_eq!(
        refused("[[rules]]\nid = 'a'\nregex = 'abc'\n[[rules.allowlists]]\npaths = ['a']\nhunter2 = 1"),
        (6, Unknown)
    );
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'abc'\n[[rules.required]]\nid = 'a'\nhunter2 = 1"), (6, Unknown));
    assert_eq!(
        refused("[[rules]]\nid = 'a'\nregex = 'abc'\n[[rules.allowlists]]\npaths = ['a']\ntargetRules = []"),
        (6, Unknown)
    );
    assert_eq!(refused("[[allow]]\nid = 'a'\npaths = ['a']\ncondition = 'AND'"), (4, Unknown));
    assert_eq!(refused("[allowlist]\nfiles = ['a']"), (2, Unknown));
}

#[test]
fn what_cannot_be_done_here_is_refused_with_its_line() {
    let unsupported = |toml: &str| match refused(toml) {
        (line, Unsupported(_)) => line,
        (line, other) => panic!("{line} {other:?}"),
    };
    assert_eq!(unsupported("[extend]\nuseDefault = true\npath = 'hunter2'"), 3);
    assert_eq!(unsupported("[extend]\nurl = 'https://hunter2'"), 2);
    assert_eq!(unsupported("[allowlist]\ncommits = ['hunter2']"), 2);
    assert_eq!(unsupported("[[allowlists]]\npaths = ['a']\n\ncommits = []"), 4);
    assert_eq!(unsupported("[[rules]]\nid = 'a'\nregex = 'abc'\n[rules.allowlist]\ncommits = ['hunter2']"), 5);
    assert_eq!(unsupported("[[rules]]\nid = 'a'\npath = 'abc'\nkeywords = ['a']"), 4);
    let required = "[[rules]]\nid = 'a'\nregex = 'abc'\n[[rules.required]]\nid = 'b'\n[[rules]]\nid = 'b'\npath = 'x'";
    assert_eq!(unsupported(required), 5);
    assert_eq!(unsupported("[extend]\nuseDefault = true\n[[rules]]\nid = 'github-token'\nentropy = 3"), 5);
}

#[test]
fn patterns_are_refused_with_their_line() {
    let pattern = |pattern: &str| match refused(&format!("[[rules]]\nid = 'a'\nregex = '''{pattern}'''")) {
        (3, Pattern(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(pattern("hunter2("), Syntax);
    assert_eq!(pattern("hunter2(?=x)"), Syntax);
    assert_eq!(pattern("(hunter2)\\1"), Syntax);
    assert_eq!(pattern("\\p{Hunter2}"), Syntax);
    assert_eq!(pattern("(hunter2)?"), MatchesEmpty);
    assert_eq!(pattern("^$"), MatchesEmpty);
    assert_eq!(pattern("hunter2\\n+"), SeveralLines);
    assert_eq!(pattern("a\\nb|c[\\n]"), SeveralLines);
    assert_eq!(pattern("(\\w{900}hunter2){900}"), PatternReason::TooLarge);
    assert_eq!(pattern(&"hunter2".repeat(1000)), TooLong);
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'abc'\npath = 'hunter2('"), (4, Pattern(Syntax)));
    let list = "[allowlist]\nregexes = [\n  'a',\n  'hunter2(',\n]";
    assert_eq!(refused(list), (4, Pattern(Syntax)));
    assert_eq!(refused("[allowlist]\npaths = [\n  'a',\n  'b', '*',\n]"), (4, Pattern(Syntax)));
    assert_eq!(refused("[allowlist]\nstopwords = [\n  'a',\n  '',\n]"), (4, Pattern(MatchesEmpty)));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'abc'\nkeywords = ['']"), (4, Pattern(MatchesEmpty)));
}

#[test]
fn impossible_values_are_refused_with_their_line() {
    assert_eq!(refused("[[rules]]\nregex = 'hunter2'"), (1, Incomplete));
    assert_eq!(refused("title = 'x'\n\n[[rules]]\nid = 'hunter2'"), (3, Incomplete));
    assert_eq!(refused("[[rules]]\nid = 'hunter2!'\nregex = 'abc'"), (2, Id));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'x'\n[[rules]]\nid = 'a'\nregex = 'y'"), (5, DuplicateId));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'x'\nsecretGroup = 1"), (4, NoSuchGroup));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'x'\nsecretGroup = -1"), (4, Type));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 7"), (3, Type));
    for entropy in ["'3'", "-1", "9.5", "nan", "true"] {
        assert_eq!(refused(&format!("[[rules]]\nid = 'a'\nregex = 'x'\nentropy = {entropy}")), (4, Type));
    }
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'x'\nkeywords = 'hunter2'"), (4, Type));
    assert_eq!(refused("[allowlist]\npaths = ['a']\nregexTarget = 'commit'"), (3, Type));
    assert_eq!(refused("[allowlist]\npaths = ['a']\ncondition = 'xor'"), (3, Type));
    assert_eq!(refused("[[allowlists]]\ndescription = 'hunter2'"), (1, NoCondition));
    assert_eq!(refused("[[allow]]\nid = 'a'"), (1, NoCondition));
    assert_eq!(refused("[[allow]]\nid = 'a'\nrules = []"), (3, NoCondition));
    assert_eq!(refused("[[allow]]\npaths = ['a']"), (1, Incomplete));
    assert_eq!(refused("[[allow]]\nid = 'a'\npaths = ['a']\n[[allow]]\nid = 'a'\npaths = ['b']").1, DuplicateId);
    assert_eq!(refused("[allowlist]\npaths = ['a']\n[[allowlists]]\npaths = ['b']"), (3, Conflict));
    assert_eq!(refused("title = 'a'\nTitle = 'hunter2'"), (2, Conflict));
    assert_eq!(
        refused("[[allowlists]]\npaths = ['a']\ntargetRules = [\n 'github-pat',\n 'hunter2',\n]"),
        (5, NoSuchRule)
    );
    assert_eq!(refused("[[allow]]\nid = 'a'\nrules = ['hunter2']"), (3, NoSuchRule));
    assert_eq!(refused("[extend]\nuseDefault = true\n[[rules]]\nid = 'hunter2'"), (4, NoSuchRule));
    let required = "[[rules]]\nid = 'a'\nregex = 'abc'\n[[rules.required]]\nid = 'hunter2'";
    assert_eq!(refused(required), (5, NoSuchRule));
    let many: String = (0..513).map(|n| format!("[[rules]]\nid = 'r{n}'\nregex = 'x'\n")).collect();
    assert_eq!(refused(&many), (512 * 3 + 2, TooLarge));
    assert_eq!(refused(&"# a comment\n".repeat(50_000)), (1, TooLarge));
}
