use regex::bytes::RegexBuilder;

use super::*;

fn found<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    let translated = translate(pattern, Subject::Whole).unwrap();
    let regex = RegexBuilder::new(&translated).unicode(false).build().unwrap();
    regex.find(text.as_bytes()).map(|found| &text[found.range()])
}

#[test]
fn what_re2_takes_otherwise_is_taken_so() {
    assert_eq!(found(r"\${(?:[A-Z_]+|[a-z]+)}", "x ${AB}"), Some("${AB}"));
    assert_eq!(found(r"a{,3}|a{ 2 }|a{02}", "aa a{,3}"), Some("a{,3}"));
    assert_eq!(found(r"\<b\>", "<b>"), Some("<b>"));
    assert_eq!(found(r"[[a&&b]+", "x[&&a"), Some("[&&a"));
    assert_eq!(found(r"[]a]+[^]b]", "]ac"), Some("]ac"));
    assert_eq!(found(r"[+--]+", "/+,-."), Some("+,-"));
    assert_eq!(found(r"[\w-.]+", "a-b.c d"), Some("a-b.c"));
    assert_eq!(found(r"[a-c-e]+", "fa-e"), Some("a-e"));
    assert_eq!(found(r"\Qa.b(\E+", "axb( a.b(("), Some("a.b(("));
    assert_eq!(found(r"\x41\x{e9}\101\_\a", "AéA_\x07"), Some("AéA_\x07"));
    assert_eq!(found(r"^.{3}$", "é☃x"), Some("é☃x"));
    assert_eq!(found(r"^[^x]{2,3}$", "é☃"), Some("é☃"));
    assert_eq!(found(r"\d+\D", "٣3é"), Some("3é"));
    assert_eq!(found(r"(?i)\bÉa\b", "éA"), None, "a word is ASCII");
    assert_eq!(found(r"(?i)Éa\b", "éA"), Some("éA"));
    assert_eq!(found(r"\pL+", "1é2"), Some("é"));
    assert_eq!(found(r"[\p{Greek}\d]+", "aα1"), Some("α1"));
    assert_eq!(found(r"\P{^Greek}", "aα"), Some("α"));
    assert_eq!(found(r"[[:^alpha:]x]+", "a1éx"), Some("1éx"));
    assert_eq!(found(r"(?P<n>a)(?<m>b)(?i:C)(?U)d+", "abcdd"), Some("abcd"));
    assert_eq!(found("é+", "aéé"), Some("éé"));
    assert_eq!(found(r"(?m)^b$", "a\nb\nc"), Some("b"));
    assert_eq!(found(r"^*a", "a"), Some("a"));
}

#[test]
fn what_only_one_side_has_is_refused() {
    for pattern in [
        r"a(?=b)",
        r"a(?!b)",
        r"(?<=a)b",
        r"(?<!a)b",
        r"(?>a)",
        r"(a)\1",
        r"\Z",
        r"\C",
        r"\G",
        r"(?x)a",
        r"(?u)a",
        r"a**",
        r"a+*",
        r"a{2}{3}",
        r"*a",
        r"|*",
        r"(?i)*",
        r"a{99999999999}",
        r"a{3,2}",
        r"[b-a]",
        r"[a-\d]",
        r"[",
        r"[]",
        r"(",
        r")",
        r"\",
        r"\8",
        r"\y",
        r"[[:nope:]]",
        r"(?P<a-b>x)",
        r"(?P=a)",
        r"(?",
        r"(?)",
        r"(?i-)",
        r"\x4",
        r"\x{110000}",
        r"\p{",
        r"\p{a=b}",
        r"[\b]",
        r"\é",
    ] {
        assert_eq!(translate(pattern, Subject::Line), Err(PatternReason::Syntax), "{pattern}");
    }
}

#[test]
fn anchors_of_a_line_are_its_edges() {
    assert_eq!(translate(r"(?m)\Aa\z(?m:b)(?i-m)(?-m)", Subject::Line).unwrap(), r"^a$(?:b)(?i)");
    assert_eq!(translate(r"(?m)\Aa\z", Subject::Whole).unwrap(), r"(?m)\Aa\z");
}
