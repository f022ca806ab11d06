//! Drafts with mistakes in them.

use dossier_client::draft::{self, DraftError, parse};

use crate::{run, text};

const PLANTED: &str = "planted-Zx81q7-secret";

fn problems(draft: &str) -> Vec<String> {
    match parse(draft) {
        Err(DraftError::Fields(problems)) => problems.iter().map(ToString::to_string).collect(),
        Err(error) => vec![error.to_string()],
        Ok(_) => Vec::new(),
    }
}

#[test]
fn yaml_and_json_read_alike() {
    let yaml = "run: r1\nproject: shop\nroute: runs\nsystem:\n  text: |\n    Be careful.\nsources:\n- {kind: logs, name: ci, \
                text: \"a\\nb\", retrievedAt: 2026-07-12T12:10:00Z}\nlimits: {maxLogBytes: 10}\n\
                redaction: {deniedValues: [{name: n, value: aGVsbG8=}]}\n\
                trigger: {template: '{{ a }}', fields: {a: {value: x, trust: TRUST_TRUSTED}}}\n";
    let json = r#"{"run": "r1", "project": "shop", "route": "runs", "system": {"text": "Be careful.\n"},
        "sources": [{"kind": "logs", "name": "ci", "text": "a\nb", "retrieved_at": "2026-07-12T12:10:00Z"}],
        "limits": {"maxLogBytes": "10"}, "redaction": {"deniedValues": [{"name": "n", "value": "aGVsbG8="}]},
        "trigger": {"template": "{{ a }}", "fields": {"a": {"value": "x", "trust": 2}}}}"#;
    let yaml = parse(yaml).unwrap_or_else(|error| panic!("{error}"));
    let json = parse(json).unwrap_or_else(|error| panic!("{error}"));
    assert!(yaml == json);
    assert_eq!(yaml.system.as_ref().map(|system| system.text.as_str()), Some("Be careful.\n"));
    assert_eq!(yaml.sources[0].retrieved_at.as_ref().map(ToString::to_string).as_deref(), Some("2026-07-12T12:10:00Z"));
}

#[test]
fn each_mistake_is_named_by_its_path_all_at_once() {
    let draft = "run: 7\nsources:\n- {kind: logs}\n- {pth: x}\n- {text: a, upload: b, retrievedAt: yesterday}\nskills: {}\n\
                 trigger: {fields: {a: {trust: MUCH}}}\nlimits: {maxBytes: 1.5}\nredaction: {deniedValues: [{value: '!'}]}\n\
                 launch: {stack: {generation: 3000000000}}\nsourceRefs: {headSha: 1234567, head_sha: abcdef0}\n";
    let found = problems(draft);
    let expected = [
        "draft.run: must be text, and is a number: put it in quotes",
        "draft.sources[1].pth: unknown field; expected one of kind, name, uri, ref, commit, path, retrievedAt, headSha, \
         digest, text, upload, git, task, memory; did you mean path?",
        "draft.sources[2].retrievedAt: must be a time such as \"2026-01-31T12:00:00Z\"",
        "draft.sources[2]: only one of text, upload may be given",
        "draft.skills: must be a list, and is a mapping",
        "draft.trigger.fields.a.trust: must be one of TRUST_UNSPECIFIED, TRUST_SOURCE, TRUST_TRUSTED",
        "draft.limits.maxBytes: must be a whole number, and is a number",
        "draft.redaction.deniedValues[0].value: must be base64 text",
        "draft.launch.stack.generation: is out of range: at most 2147483647",
        "draft.sourceRefs.headSha: must be text, and is a number: put it in quotes",
        "draft.sourceRefs.headSha: is given twice",
    ];
    assert_eq!(found, expected);
}

#[test]
fn no_mistake_echoes_what_the_draft_holds() {
    let drafts = [
        format!("run: a\n  {PLANTED}: b: c\n"),
        format!("run: [{PLANTED}\n"),
        format!("{{\"run\": \"{PLANTED}\", \"system\": \"\\q{PLANTED}\"}}"),
        format!("{{\"run\": \"{PLANTED}\",}}}}"),
        format!("{PLANTED}: 1\n"),
        format!("run: {{x: {PLANTED}}}\n"),
        format!("sources: {PLANTED}\n"),
        format!("sources: [{PLANTED}]\n"),
        format!("sources: [{{retrievedAt: {PLANTED}}}]\n"),
        format!("trigger: {{fields: {{{PLANTED}: 1}}}}\n"),
        format!("trigger: {{fields: {{a: {{trust: {PLANTED}}}}}}}\n"),
        format!("redaction: {{deniedValues: [{{value: '{PLANTED}!'}}]}}\n"),
        format!("redaction: {{acceptWeakValues: {PLANTED}}}\n"),
        format!("limits: {{maxBytes: {PLANTED}}}\n"),
        format!("a: &{PLANTED} 1\nb: *{PLANTED}x\n"),
        format!("run: !{PLANTED} x\nproject: {PLANTED}\nproject: {PLANTED}\n"),
        format!("run: \"{PLANTED}\\xZZ\"\n"),
        format!("--- {PLANTED}\n--- {PLANTED}\n"),
    ];
    for draft in drafts {
        let found = problems(&draft);
        assert!(!found.is_empty(), "{draft}");
        let output = run(&["preview", "-f", "-"], draft.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{draft}");
        let said = format!("{found:?}{}{}", text(&output.stderr), text(&output.stdout));
        assert!(!said.contains(PLANTED) && !said.contains("planted"), "{draft}\n{said}");
    }
}

#[test]
fn what_is_no_text_is_refused() {
    let output = run(&["preview", "-f", "-"], b"run: \xff\xfe\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "error: the draft is not valid UTF-8\n");
    let output = run(&["create", "-f", "/nonexistent/draft.yaml"], b"");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn names_are_told_by_the_fields_of_the_draft() {
    let draft = parse("run: r\nroute: rums\nsources: [{kind: logs}, {kind: secret-kind}]\n").unwrap();
    let found: Vec<String> = draft::names(&draft).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("draft.project: is required, and must match "), "{found:?}");
    assert!(found[1].starts_with("draft.route: must be one of ") && found[1].contains("runs"), "{found:?}");
    assert!(found[2].starts_with("draft.sources[1].kind: must be one of ") && found[2].contains("logs"), "{found:?}");
    assert!(!found.concat().contains("secret-kind"));
}

#[test]
fn usual_mistakes_of_yaml_have_words() {
    let said = |text: &str| parse(text).err().unwrap().to_string();
    assert!(said("run: a\nrun: b\n").ends_with(": a key is given twice"), "{}", said("run: a\nrun: b\n"));
    let tab = said("system:\n\ttext: a\n");
    assert!(tab.contains("tab"), "{tab}");
}
