use std::collections::BTreeSet;

use super::*;
use crate::Redactor;

/// Fills in the made-up parts of an example.
pub(crate) fn expand(template: &str) -> String {
    const FILL: &[u8] = b"q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb4Wc8Ny3Hj6Pl5Ds1Fg0aUeIoA";
    let mut out = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}') else { break };
        let inner = &rest[open + 1..open + close];
        let count = inner.get(1..).and_then(|count| count.parse::<usize>().ok());
        out.push_str(&rest[..open]);
        match count {
            Some(count) => out.extend((0..count).map(|index| {
                let byte = FILL[(index * 7 + index / FILL.len()) % FILL.len()];
                char::from(match inner.as_bytes()[0] {
                    b'a' => byte.to_ascii_lowercase(),
                    b'U' => {
                        if byte.is_ascii_digit() {
                            b'2' + byte % 6
                        } else {
                            byte.to_ascii_uppercase()
                        }
                    }
                    b'x' => b"0123456789abcdef"[usize::from(byte) * 5 % 16],
                    b'd' => b'0' + byte % 10,
                    _ => byte,
                })
            })),
            None => out.push_str(&rest[open..=open + close]),
        }
        rest = &rest[open + close + 1..];
    }
    out.push_str(rest);
    out
}

#[test]
fn every_rule_takes_its_examples_and_leaves_its_counter_examples() {
    let redactor = Redactor::builder().build().unwrap();
    let mut ids = BTreeSet::new();
    let mut wrong = Vec::new();
    for compiled in all() {
        let rule = compiled.rule;
        if !ids.insert(rule.id) {
            wrong.push(format!("{}: id twice", rule.id));
        }
        if rule.takes.is_empty() || rule.leaves.is_empty() {
            wrong.push(format!("{}: no examples", rule.id));
        }
        if !rule.doc.starts_with("https://") {
            wrong.push(format!("{}: no doc", rule.id));
        }
        for example in rule.takes {
            let text = expand(example);
            let spans = redactor.search(&text);
            if !spans.iter().any(|span| span.kind <= rule.kind) {
                wrong.push(format!("{}: missed {text}", rule.id));
            }
            let by_rule = rule.prefixes.iter().any(|prefix| {
                memchr::memmem::find_iter(text.as_bytes(), prefix)
                    .any(|at| matches!(compiled.take(text.as_bytes(), at), Ok(Take::Taken(_))))
            });
            if !by_rule {
                wrong.push(format!("{}: not itself: {text}", rule.id));
            }
        }
        for example in rule.leaves {
            let text = expand(example);
            let spans = redactor.search(&text);
            if let Some(span) = spans.first() {
                wrong.push(format!("{}: took {} of {text}", rule.id, span.rule));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
