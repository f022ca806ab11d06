//! What is found is the same wherever a case stands in a long text.

use dossier_redact::{Redactor, Span};

use super::{Case, forms, headers, keys};

/// Lines of a log; behind `escaped` of them follows one with escapes, so that some lines are read in more ways than one.
fn lines(escaped: usize) -> String {
    let line = "2024-05-06T07:08:09.123Z INFO worker-7 handled path=/api/v1/items status=200 bytes=5123\n";
    line.repeat(escaped) + "said \\\"a\\nb\\\" 100%25 &amp; \u{1b}[32mok\u{1b}[0m\n"
}

/// So many bytes at least of `unit` again and again, with empty lines before to have more of them.
fn filler(unit: &str, len: usize) -> String {
    "\n".repeat(len % unit.len()) + &unit.repeat(len / unit.len())
}

/// What is found in `middle` that stands behind so many bytes of filler, by its place in `middle`.
fn found(redactor: &Redactor, unit: &str, before: usize, middle: &str) -> Vec<(isize, isize, String)> {
    let before = filler(unit, before);
    let text = format!("{before}\n{middle}\n{}", filler(unit, 24 * 1024));
    let place = |at: usize| at as isize - before.len() as isize;
    let named = |span: Span| (place(span.range.start), place(span.range.end), span.rule);
    redactor.search(&text).into_iter().map(named).collect()
}

/// A window's commit lies up to 24 KiB before a step's end; sizes wander over all of that, from case to case.
#[test]
fn a_case_is_found_the_same_behind_any_filler() {
    let redactor = Redactor::builder().build().unwrap();
    let units = [lines(3), lines(60)];
    let cases: Vec<Case> = [forms::cases(), headers::cases(), keys::cases()].into_iter().flatten().collect();
    // Of forms that differ in the value alone a few are enough.
    for (number, case) in cases.iter().step_by(5).enumerate() {
        let unit = &units[number % 2];
        let alone = found(&redactor, unit, 16 * 1024, &case.text);
        let before = (1 + number / 2 % 2) * 128 * 1024 + 16 * 1024 - number * 389 % (40 * 1024);
        assert_eq!(
            found(&redactor, unit, before, &case.text),
            alone,
            "behind {before} bytes, {}: {}",
            case.group,
            case.text
        );
    }
}

/// Lines that a view shows one below the other stand far apart: none goes on in the next.
#[test]
fn what_is_far_apart_is_not_read_as_one() {
    let redactor = Redactor::builder().build().unwrap();
    let (one, two) = ("xoxb-1234567890-JQ1n74Mn0Op1899xMWe6uyib", "ghp_dJTcY6GjHEDjmIQAHS2qeiv2sJAtnZTP6iJr");
    let body = "MIIEq7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0fGkQzX7Mn2Vr9Tb4Wc8Ny3Hj6Pl5Ds1";
    let pairs = [
        (format!("password={one}\n    ///\n"), format!("password={two}\n        //\n")),
        (format!("%3D%3D password={one}\n"), format!("%3D%3D {two}\n")),
        ("%22password%22:\n".to_owned(), "  %22Zx81-made-up-q7%22\n".to_owned()),
        ("{%22password%22: |\n".to_owned(), "  a%3Db\n".to_owned()),
        (format!("-----BEGIN RSA PRIVATE KEY-----%3D {body}\n"), format!("{body} %3D -----END RSA PRIVATE KEY-----\n")),
    ];
    for (number, (first, second)) in pairs.iter().enumerate() {
        for apart in [30, 60, 100, 130, 140, 200] {
            let unit = &lines(3)[..lines(3).len() - lines(0).len()];
            let between = filler(unit, apart * 1024);
            let pair = format!("{first}{between}{second}");
            let start = first.len() as isize + 1;
            let (gap, end) = (start..start + between.len() as isize, pair.len() as isize + 1);
            let alone: Vec<_> = found(&redactor, unit, 16 * 1024, first);
            for before in [0, 16, 60, 100, 118, 127, 136, 250].map(|size| size * 1024 + 8) {
                let spans = found(&redactor, unit, before, &pair);
                let spilled = spans.iter().any(|(from, to, _)| *from < gap.end && *to > gap.start + 1 || *to > end);
                assert!(!spilled, "{number}: {apart} KiB apart, behind {before} bytes: {spans:?}, {gap:?}");
                let heads = spans.iter().filter(|(from, ..)| *from < gap.start).count();
                assert_eq!(
                    heads,
                    alone.len(),
                    "{number}: {apart} KiB apart, behind {before} bytes: {spans:?}, {alone:?}"
                );
            }
        }
    }
}
