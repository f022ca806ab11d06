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

#[test]
fn a_giant_line_is_counted_and_pieces_make_no_difference() {
    for (room, giant) in [(512, 700_000), (512, 1_300_000), (262_144, 1_300_000)] {
        let noise = "a\n".repeat(300);
        let text =
            format!("{noise}error: foo bar broke\n{}\n{noise}error: something broke here\n{noise}", "x".repeat(giant));
        let whole = excerpt(&text, room, usize::MAX / 2);
        for piece in [777, 300_001] {
            assert_eq!(whole, excerpt(&text, room, piece), "{room} {giant}");
        }
        let notices: usize = whole.omissions.iter().map(|one| one.bytes).sum();
        assert_eq!(whole.missing.map_or(0, |missing| missing.bytes), notices);
        assert!(notices < text.len() && whole.text.len() <= room);
    }
}

#[test]
fn the_first_error_stands_in_the_excerpt_however_often_it_was_said_before() {
    let noise = |lines: usize| log(lines);
    let mut text = (0..14).map(|n| format!("error: connection refused by host {n}\n{}", noise(60))).collect::<String>();
    text += &format!("{}##[group]Run b\nerror: connection refused by host 99\n{}", noise(20_000), noise(20_000));
    text += &format!("##[error]Process completed with exit code 1.\n{}", noise(20_000));
    for room in [512, 2_000, 262_144] {
        let out = excerpt(&text, room, 100_000);
        let line = u64::from(out.first_error.unwrap().line);
        assert!(out.first_line.ends_with("host 99"), "{room}: {}", out.first_line);
        assert!(out.kept.iter().any(|(from, to)| (*from..=*to).contains(&line)), "{room}");
    }
}

#[test]
fn a_verdict_does_not_depend_on_the_lines_before() {
    let text = "##[group]Run a\nchild killed by signal 6\n##[group]Run b\nchild killed by signal 9\n##[error]Process completed with exit code 1.\n";
    assert_eq!(excerpt(text, 4096, 9).first_error, Some(FirstError { line: 4, class: Class::OutOfMemory }));
    let text = "container worker-1 terminated: exit code 137\n";
    assert_eq!(excerpt(text, 4096, 9).first_error.unwrap().class, Class::OutOfMemory);
}

#[test]
fn hostile_lines_take_no_more_than_their_length() {
    // Each of these took minutes when work was done anew for each sequence.
    let erased = format!("{}{}\n{}", "\u{1b}[2Kx".repeat(30_000), " ".repeat(200_000), log(30_000));
    assert!(excerpt(&erased, 4096, 100_000).text.len() <= 4096);
}
