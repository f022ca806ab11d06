//! What excerpts promise, whatever the log.

use proptest::prelude::*;

use super::*;

fn excerpt(text: &str, room: usize, piece: usize) -> Excerpted<String> {
    let mut excerpt: Excerpt<String> = Excerpt::new(room, Measure::Raw);
    let mut from = 0;
    while from < text.len() {
        let to = text.ceil_char_boundary((from + piece).min(text.len()));
        excerpt.push(&text[from..to].to_owned(), &[]);
        from = to;
    }
    excerpt.finish()
}

fn log(lines: usize) -> String {
    (0..lines).map(|n| format!("{n:06} step {} of the job went on as usual\n", ["one", "two", "six"][n % 3])).collect()
}

#[test]
fn a_log_that_fits_is_whole_and_tells_its_error() {
    let text = "$ cargo test\nerror[E0308]: mismatched types\n --> src/a.rs:3:5\n##[error]Process completed with exit code 1.\n";
    let out = excerpt(text, 4096, 7);
    assert_eq!((out.text.as_str(), out.missing), (text, None));
    assert_eq!(out.first_error, Some(FirstError { line: 2, class: Class::Compile }));
    assert_eq!(out.first_line, "error[E0308]: mismatched types");
    assert_eq!(out.kept, [(1, 4)]);
}

#[test]
fn the_error_stays_and_every_line_is_accounted_for() {
    let mut text = log(3_000);
    text += "error[E0308]: mismatched types\n --> src/a.rs:3:5\n  |\n3 |     1\n  |     ^ expected `String`\n\n";
    text += &log(8_000);
    for room in [2_000, 16_000, 100_000] {
        let out = excerpt(&text, room, 10_000);
        assert!(out.text.len() <= room && out.text.len() > room / 2, "{room}: {}", out.text.len());
        assert!(out.text.contains("error[E0308]: mismatched types\n --> src/a.rs:3:5\n"), "{room}");
        assert!(
            out.text.starts_with("000000 step one")
                && out.text.ends_with("007999 step two of the job went on as usual\n")
        );
        assert_eq!(out.first_error.unwrap().line, 3_001);
        let missing = out.missing.unwrap();
        let kept: u64 = out.kept.iter().map(|(from, to)| to - from + 1).sum();
        assert_eq!(kept as usize + missing.items, 11_006);
        let notices: usize = out.text.lines().filter(|line| line.starts_with("[... ")).map(|line| line.len() + 1).sum();
        assert_eq!(out.text.len() - notices + missing.bytes, text.len());
    }
}

proptest! {
    #[test]
    fn pieces_make_no_difference_and_the_room_is_kept(
        seed in prop::collection::vec((0..9_usize, 1..400_usize), 1..40),
        room in 600..40_000_usize,
        piece in 1..90_000_usize,
    ) {
        let mut text = String::new();
        for (kind, count) in seed {
            match kind {
                0..=2 => text += &log(count),
                3 => text += "make: *** [all] Error 2\n",
                4 => text += &format!("src/a{count}.c:3:5: error: x\n  3 | y\n    | ^\n"),
                5 => text += &format!("{}\n", "a long line \u{e9} ".repeat(count * 30)),
                6 => text += &"10%\r20%\r".repeat(count),
                7 => text += &"Error: the same thing again\n".repeat(count),
                _ => text += "The command \"make\" exited with 2.\r\n",
            }
        }
        let whole = excerpt(&text, room, usize::MAX / 2);
        let parts = excerpt(&text, room, piece);
        prop_assert_eq!(&whole, &parts);
        prop_assert!(whole.text.len() <= room);
        if text.len() <= room {
            prop_assert_eq!(whole.text, text);
        }
    }
}
