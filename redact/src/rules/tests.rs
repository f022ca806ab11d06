use std::collections::BTreeSet;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::*;
use crate::Redactor;
use crate::survey::TAIL;

/// Fills in the made-up parts of an example.
pub(crate) fn expand(template: &str) -> String {
    const UUID: &str = "{x8}-{x4}-4{x3}-8{x3}-{x12}";
    let template = template.replace("{uuid}", UUID);
    let mut out = String::new();
    let mut parts = template.split('{');
    out.push_str(parts.next().unwrap_or_default());
    // Each run goes on where the one before it ended: no two are alike.
    let mut at = 0;
    for part in parts {
        let filled = part.split_once('}').and_then(|(inner, rest)| {
            let count = inner.get(1..)?.parse::<usize>().ok()?;
            Some((inner.as_bytes()[0], count, rest))
        });
        match filled {
            Some((kind, count, rest)) => {
                out.extend((at..at + count).map(|index| made_up(kind, index)));
                out.push_str(rest);
                at += count;
            }
            None => {
                out.push('{');
                out.push_str(part);
            }
        }
    }
    out
}

/// The character at `index` of a made-up run of a kind.
fn made_up(kind: u8, index: usize) -> char {
    const FILL: &[u8] = b"q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb4Wc8Ny3Hj6Pl5Ds1Fg0aUeIoA";
    let byte = FILL[(index * 7 + index / FILL.len()) % FILL.len()];
    let digit = byte.is_ascii_digit();
    char::from(match kind {
        b'a' => byte.to_ascii_lowercase(),
        b'U' if digit => b'2' + byte % 6,
        b'U' => byte.to_ascii_uppercase(),
        b'i' if digit => b'2' + byte % 6,
        b'i' => byte.to_ascii_lowercase(),
        b'l' if digit => b'a' + byte % 26,
        b'h' if b"0OIl".contains(&byte) => b'4',
        b'x' => b"0123456789abcdef"[usize::from(byte) * 5 % 16],
        b'X' => b"0123456789ABCDEF"[usize::from(byte) * 5 % 16],
        b'd' => b'0' + byte % 10,
        b'b' if index % 11 == 7 => b"+/"[index % 2],
        _ => byte,
    })
}

/// Whether the rule itself takes something of `text`.
fn takes(compiled: &Compiled, text: &str) -> bool {
    let text = text.as_bytes();
    let heads = |at: &usize| {
        let prefixes = compiled.rule.prefixes;
        prefixes.is_empty() || prefixes.iter().any(|prefix| text[*at..].starts_with(prefix.as_bytes()))
    };
    (0..text.len()).filter(heads).any(|at| matches!(compiled.take(text, at), Ok(Take::Taken(_))))
}

#[test]
fn every_rule_takes_its_examples_and_leaves_its_counter_examples() {
    let redactor = Redactor::builder().build().unwrap();
    let mut wrong = Vec::new();
    for compiled in all() {
        let rule = compiled.rule;
        for example in rule.takes {
            let text = expand(example);
            if !redactor.search(&text).iter().any(|span| span.kind <= rule.kind) {
                wrong.push(format!("{}: missed {text}", rule.id));
            }
            if !takes(compiled, &text) {
                wrong.push(format!("{}: not by itself: {text}", rule.id));
            }
        }
        for example in rule.leaves {
            let text = expand(example);
            if let Some(span) = redactor.search(&text).first() {
                wrong.push(format!("{}: took {} of {text}", rule.id, span.rule));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What a token may stand in.
const CARRIERS: [&str; 20] = [
    "@",
    "X=@",
    "export X='@'",
    "{\"x\": \"@\"}",
    "x: @\n",
    "https://example.org/?a=@&b=1",
    "X-Thing: @\r\n",
    "2024-05-06T07:08:09Z INFO got @ ok",
    "+  x = '@',",
    "call(\"@\");",
    "{\"b\":\"{\\\"x\\\":\\\"@\\\"}\"}",
    "`@`",
    "<x>@</x>",
    "[@, 1]",
    "(see @)",
    "It is @.\n",
    "first\\n@\\nlast",
    "x%3D@%26y",
    "x\\u003d@\\u0026y",
    "tool --x @ --y",
];

#[test]
fn a_token_goes_whole_in_whatever_it_stands() {
    let mut wrong = Vec::new();
    for compiled in all().iter().filter(|compiled| !compiled.rule.prefixes.is_empty() && compiled.rule.near.is_empty())
    {
        for example in compiled.rule.takes {
            let token = expand(example);
            let alone = matches!(compiled.take(token.as_bytes(), compiled.rule.back), Ok(Take::Taken(range)) if range == (0..token.len()));
            for carrier in CARRIERS.iter().filter(|_| alone) {
                let text = carrier.replace('@', &token);
                let start = carrier.find('@').unwrap_or_default();
                let taken = compiled.take(text.as_bytes(), start + compiled.rule.back);
                if !matches!(taken, Ok(Take::Taken(range)) if range == (start..start + token.len())) {
                    wrong.push(format!("{}: {text}", compiled.rule.id));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether all bytes that `pattern` matches are such.
fn has_only(pattern: &Hir, is: fn(u8) -> bool) -> bool {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => literal.0.iter().all(|byte| is(*byte)),
        HirKind::Class(Class::Bytes(class)) => class.iter().all(|range| (range.start()..=range.end()).all(is)),
        HirKind::Class(Class::Unicode(_)) => false,
        HirKind::Capture(group) => has_only(&group.sub, is),
        HirKind::Repetition(repeated) => has_only(&repeated.sub, is),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().all(|part| has_only(part, is)),
    }
}

#[test]
fn every_rule_is_whole() {
    let mut ids = BTreeSet::new();
    let mut wrong = Vec::new();
    for compiled in all() {
        let rule = compiled.rule;
        let mut check = |holds: bool, what: &str| {
            if !holds {
                wrong.push(format!("{}: {what}", rule.id));
            }
        };
        check(ids.insert(rule.id), "id twice");
        check(rule.id.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')), "id of odd letters");
        check(rule.takes.len() >= 2 && rule.leaves.len() >= 2, "two examples and two counter-examples are the least");
        check(rule.doc.starts_with("https://"), "no documentation");
        check(!rule.what.is_empty() && !rule.what.ends_with('.'), "does not say what it takes");
        check(!rule.prefixes.is_empty() || !rule.near.is_empty(), "nothing to look for");
        check(rule.prefixes.iter().all(|prefix| prefix.len() >= 2), "a prefix of one byte");
        check(
            !rule.prefixes.is_empty()
                || compiled.parsed().and_then(|all| tail::tail(&all, "", TAIL)).map(|tail| tail.0) == Some(0),
            "does not begin with a run",
        );
        let parts = compiled.parsed().is_some_and(|all| has_only(&all, near::is_part));
        check(
            !rule.prefixes.is_empty() || rule.mixed && rule.check.is_none() && parts,
            "may take what is not looked at",
        );
        check(compiled.take(b"", 0).is_ok(), "its pattern does not compile");
        let widest = ParserBuilder::new().unicode(false).utf8(false).build().parse(rule.pattern);
        let widest = widest.ok().and_then(|hir| hir.properties().maximum_len());
        // A token of parts, each as long as it likes; what is behind the reach goes along.
        let wide = rule.id != "jwt" && widest.is_none_or(|most| most > REACH);
        check(!wide, "its pattern needs more than a rule's reach");
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ids.len() >= 170, "{} rules", ids.len());
}

#[test]
fn what_goes_on_behind_the_reach_goes_too() {
    let redactor = Redactor::builder().build().unwrap();
    let text = expand("t=eyJhbGciOiJIUzI1NiJ9.eyJ{A12000}.{A43} end");
    let spans = redactor.search(&text);
    assert_eq!(spans.len(), 1);
    assert_eq!(spans[0].range, 2..text.len() - 4);
}

#[test]
fn a_checksum_makes_sure() {
    // Its random part reads like a placeholder; its checksum says that it is none.
    let taken = |text: &str| all()[0].take(text.as_bytes(), 0).is_ok_and(|take| matches!(take, Take::Taken(_)));
    assert!(!taken("ghp_exampleexampleexampleexample12345678"));
    assert!(taken(concat!("ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17")));
}

/// Bytes that match `pattern`, each as likely as any other of its class.
fn matching(pattern: &Hir, seed: &mut u64, out: &mut Vec<u8>) {
    let mut below = |most: usize| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % most.max(1)
    };
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.extend_from_slice(&literal.0),
        HirKind::Class(class) => {
            let is_in = |byte: &u8| match class {
                Class::Bytes(class) => class.iter().any(|range| (range.start()..=range.end()).contains(byte)),
                Class::Unicode(class) => {
                    class.iter().any(|range| (range.start()..=range.end()).contains(&char::from(*byte)))
                }
            };
            let all: Vec<u8> = (b' '..=b'~').filter(is_in).collect();
            // Of all but a few bytes, letters and digits.
            let plain: Vec<u8> =
                all.iter().copied().filter(|byte| all.len() < 70 || byte.is_ascii_alphanumeric()).collect();
            out.push(plain[below(plain.len())]);
        }
        HirKind::Repetition(repeated) => {
            let most = repeated.max.unwrap_or(repeated.min + 40).min(repeated.min + 40);
            for _ in 0..repeated.min as usize + below((most - repeated.min + 1) as usize) {
                matching(&repeated.sub, seed, out);
            }
        }
        HirKind::Capture(group) => matching(&group.sub, seed, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| matching(part, seed, out)),
        HirKind::Alternation(parts) => matching(&parts[below(parts.len())], seed, out),
    }
}

#[test]
fn nearly_every_text_of_a_token_s_shape_is_taken() {
    const TIMES: usize = 200;
    let mut wrong = Vec::new();
    let mut seed = 20_240_506;
    for compiled in all() {
        let rule = compiled.rule;
        let pattern = ParserBuilder::new().unicode(false).utf8(false).build().parse(rule.pattern).unwrap();
        let mut missed = Vec::new();
        for _ in 0..TIMES {
            let mut text = rule.near.first().map_or_else(Vec::new, |name| format!("{name} token ").into_bytes());
            if rule.left == rule::Left::Number {
                text.extend_from_slice(b"1234567890");
            }
            let start = text.len();
            matching(&pattern, &mut seed, &mut text);
            text.extend_from_slice(b" \n");
            if !matches!(compiled.take(&text, start + rule.back), Ok(Take::Taken(_))) {
                missed.push(String::from_utf8_lossy(&text).into_owned());
            }
        }
        if missed.len() * 25 > TIMES {
            wrong.push(format!("{}: {} of {TIMES}, as {:?}", rule.id, missed.len(), missed.first()));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
