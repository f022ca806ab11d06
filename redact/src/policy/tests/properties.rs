use proptest::prelude::*;

use super::super::lines;
use super::super::pattern::{Part, Pattern};
use super::super::syntax::{Subject, translate};
use super::*;

/// Patterns of a few letters: words, classes, groups, choices, repetitions.
fn patterns() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => "[abK]{1,4}",
        1 => Just("[ab]".to_owned()),
        1 => Just("[^a\\s]".to_owned()),
        1 => Just("\\w".to_owned()),
        1 => Just("\\s".to_owned()),
        1 => Just("\\b".to_owned()),
        1 => Just("=".to_owned()),
        1 => Just("^".to_owned()),
        1 => Just("$".to_owned()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            2 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("({})", parts.join("|"))),
            1 => (inner.clone(), "[?+*]|\\{1,3\\}").prop_map(|(part, times)| format!("(?:{part}){times}")),
            1 => inner.prop_map(|part| format!("(?i:{part})")),
        ]
    })
}

/// So many cases, and more where `PROPTEST_CASES` asks for more than proptest's own 256.
fn cases(count: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse::<u32>().ok());
    ProptestConfig::with_cases(count * (asked.unwrap_or_default() / 256).max(1))
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn waiting_for_words_changes_nothing(pattern in patterns(), text in "[abkABK=\\n ]{0,200}") {
        let Ok(judged) = Pattern::line(&pattern) else { return Ok(()) };
        let mut wanted = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let line = lines::line(text.as_bytes(), at);
            at = line.end + 1;
            let found = lines::search(text.as_bytes(), &line, &judged, Part::All, |found| wanted.push(found.secret));
            prop_assert!(found.is_ok());
        }
        let patterns = Patterns::new(None, vec![judged]);
        let (mut hits, mut allowed) = (Vec::new(), Vec::new());
        patterns.find(text.as_bytes(), &mut hits, &mut allowed).unwrap();
        let mut found: Vec<_> = hits.into_iter().map(|hit| hit.range).collect();
        found.sort_by_key(|range| (range.start, range.end));
        wanted.sort_by_key(|range| (range.start, range.end));
        found.dedup();
        wanted.dedup();
        prop_assert_eq!(found, wanted, "{}", pattern);
    }

    #[test]
    fn any_pattern_is_taken_or_refused(pattern in "\\PC{0,40}", text in "\\PC{0,80}") {
        for subject in [Subject::Line, Subject::Whole] {
            if let Ok(translated) = translate(&pattern, subject) {
                let _ = regex::bytes::RegexBuilder::new(&translated).unicode(false).build();
            }
        }
        if let Ok(redactor) = Redactor::builder().user_regex(&pattern).build() {
            redactor.redact(&text).unwrap();
        }
    }

    #[test]
    fn any_document_is_taken_or_refused(
        lines in prop::collection::vec(
            prop_oneof![
                Just("[[rules]]".to_owned()),
                Just("[allowlist]".to_owned()),
                Just("[[rules.allowlists]]".to_owned()),
                Just("[[rules.required]]".to_owned()),
                Just("[[allow]]".to_owned()),
                Just("[extend]".to_owned()),
                "(id|regex|path|keywords|entropy|paths|regexes|stopwords|rules|condition|secretGroup) = ('[a-z(.*]{0,5}'|\\['[a-z]{0,3}'\\]|[0-9]|true)",
                "\\PC{0,20}",
            ],
            0..12,
        ),
    ) {
        if let Ok(policy) = Policy::parse(&lines.join("\n")) {
            let redactor = Redactor::builder().policy(policy).build().unwrap();
            redactor.at("a/b").redact("password = 'Zx81-q-made-up!' abc").unwrap();
        }
    }
}

#[test]
fn a_pattern_is_tried_where_its_word_begins_with_a_break_or_ends_at_a_border() {
    for (pattern, text, wanted) in [
        (r"\skey77", "\nkey77\n", "\n[REDACTED:user]\n"),
        (r"key(\b|[^a\s])=77", "key=77\n", "[REDACTED:user]\n"),
        (r"[^a\s]7\s$", "b7\na", "b7\na"),
    ] {
        let redactor = Redactor::builder().user_regex(pattern).build().unwrap();
        assert_eq!(redactor.redact(text).unwrap().text.as_str(), wanted, "{pattern}");
    }
}
