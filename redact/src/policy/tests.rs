use super::*;

fn refused(toml: &str) -> (usize, PolicyReason) {
    match Policy::parse(toml) {
        Ok(_) => panic!("taken"),
        Err(error) => {
            assert!(!error.to_string().contains("hunter2"), "echoes");
            assert!(!format!("{error:?}").contains("hunter2"), "echoes");
            (error.line, error.reason)
        }
    }
}

#[test]
fn a_gitleaks_file_is_read() {
    let policy = Policy::parse(
        r#"
title = "ours"
[extend]
useDefault = true
disabledRules = ["old"]
[[rules]]
id = "acme"
description = "x"
regex = '''(?i)acme-([a-z0-9]{8})'''
secretGroup = 1
entropy = 2.5
keywords = ["ACME"]
[[rules.allowlists]]
condition = "AND"
regexes = ['''^0+$''']
stopwords = ["test"]
[[rules]]
id = "old"
regex = 'x+'
[allowlist]
paths = ['''\.md$''']
stopwords = ["example"]
"#,
    )
    .unwrap();
    assert_eq!(policy.rules().len(), 1);
    assert_eq!(policy.rules()[0].keywords, ["acme"]);
}

#[test]
fn refusals_name_the_line_and_never_echo() {
    use PatternReason::*;
    assert_eq!(refused("a = hunter2").1, PolicyReason::Toml);
    assert_eq!(refused("\nhunter2 = 1"), (2, PolicyReason::Unsupported));
    assert_eq!(refused("[extend]\npath = 'hunter2'"), (2, PolicyReason::Unsupported));
    assert_eq!(refused("[allowlist]\ncommits = ['hunter2']"), (2, PolicyReason::Unsupported));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'hunter2('").1, PolicyReason::Pattern(Syntax));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'hunter2(?=x)'"), (3, PolicyReason::Pattern(Syntax)));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = '(hunter2)?'").1, PolicyReason::Pattern(MatchesEmpty));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = '''hunter2\\n+'''").1, PolicyReason::Pattern(SeveralLines));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = '(\\w{900}hunter2){900}'").1, PolicyReason::Pattern(TooLarge));
    assert_eq!(refused("[[rules]]\nregex = 'hunter2'").1, PolicyReason::Incomplete);
    assert_eq!(refused("[[rules]]\nid = 'hunter2'").1, PolicyReason::Incomplete);
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 'x'\nsecretGroup = 1"), (4, PolicyReason::NoSuchGroup));
    assert_eq!(refused("[[rules]]\nid = 'a'\nregex = 7").1, PolicyReason::Type);
}
