use proptest::prelude::*;

use super::*;

fn diff(files: usize, hunks: usize) -> String {
    let mut text = String::new();
    for file in 0..files {
        text += &format!("diff --git a/src/f{file}.rs b/src/f{file}.rs\n--- a/src/f{file}.rs\n+++ b/src/f{file}.rs\n");
        for hunk in 0..hunks {
            text += &format!("@@ -{hunk},2 +{hunk},3 @@ fn x()\n context {hunk}\n-old\n+new\n+--- not a header\n");
        }
    }
    text
}

#[test]
fn whole_hunks_stay_and_every_file_is_named() {
    let text = diff(20, 5);
    for room in [5_000, 6_000, 7_000] {
        let cut = cut(&text, room, Measure::Rendered).unwrap();
        assert!(Measure::Rendered.of(&cut.text) <= room);
        let kept = cut.text.lines().filter(|line| line.starts_with("@@")).count();
        assert_eq!(kept, cut.text.lines().filter(|line| *line == "+--- not a header").count());
        assert_eq!(kept + cut.missing.items, 100);
        let headers = cut.text.lines().filter(|line| line.starts_with("diff --git")).map(|line| line.len() + 1);
        assert_eq!(
            headers.count() * 20,
            (0..20).filter(|n| cut.text.contains(&format!("+++ b/src/f{n}.rs\n"))).count() * 20
        );
    }
    let cut = cut(&text, 6_500, Measure::Raw).unwrap();
    assert!(cut.text.starts_with("[... shortened; changed files: 20 ...]\n[... M src/f0.rs +10 -5"), "{}", cut.text);
    assert!((0..20).all(|n| cut.text.contains(&format!("[... M src/f{n}.rs +10 -5"))));
}

/// Each kind of change, in the forms that git writes, and a plain one.
const KINDS: &str = "diff --git a/new.txt b/new.txt\nnew file mode 100644\nindex 0000000..e69de29\n\
    diff --git a/gone.rs b/gone.rs\ndeleted file mode 100644\nindex 587be6b..0000000\n--- a/gone.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
    diff --git a/old name.rs b/new name.rs\nsimilarity index 90%\nrename from old name.rs\nrename to new name.rs\nindex 1..2 100644\n--- a/old name.rs\t\n+++ b/new name.rs\t\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n\
    diff --git \"a/caf\\303\\251.rs\" \"b/caf\\303\\251.rs\"\nindex 1..2 100644\n--- \"a/caf\\303\\251.rs\"\n+++ \"b/caf\\303\\251.rs\"\n@@ -1 +1,2 @@\r\n a\r\n+b\r\n\
    diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n\
    diff --git a/logo.png b/logo.png\nindex 1..2 100644\nGIT binary patch\nliteral 5\nMcmZ\n\n\
    diff --git a/lib b/lib\nindex 1..2 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n\
    diff --git a/big.bin b/big.bin\nindex 1..2 100644\n--- a/big.bin\n+++ b/big.bin\n@@ -1,3 +1,3 @@\n version https://git-lfs.github.com/spec/v1\n-oid sha256:1\n+oid sha256:2\n size 9\n\
    diff --cc merged.rs\nindex 1,2..3\n--- a/merged.rs\n+++ b/merged.rs\n@@@ -1,3 -1,3 +1,3 @@@\n  a\n +b\n+ c\n--d\n\
    --- plain.c.orig\t2026-01-01 00:00:00\n+++ plain.c\t2026-01-02 00:00:00\n@@ -1 +1 @@\n-x\n+y\n";

#[test]
fn every_kind_of_change_is_told() {
    let filler = format!(
        "diff --git a/src/long.rs b/src/long.rs\n--- a/src/long.rs\n+++ b/src/long.rs\n@@ -0,0 +1,2000 @@\n{}",
        "+filler\n".repeat(2_000)
    );
    let text = KINDS.to_owned() + &filler;
    let cut = cut(&text, 9_000, Measure::Raw).unwrap();
    let summary: Vec<&str> = cut.text.lines().take_while(|line| line.starts_with("[... ")).collect();
    assert_eq!(
        summary,
        [
            "[... shortened; changed files: 11 ...]",
            "[... A new.txt +0 -0 ...]",
            "[... D gone.rs +0 -1 ...]",
            "[... R new name.rs +1 -1 from old name.rs ...]",
            "[... M \"b/caf\\303\\251.rs\" +1 -0 ...]",
            "[... M run.sh +0 -0 mode 100644 to 100755 ...]",
            "[... M logo.png +0 -0 binary ...]",
            "[... M lib +1 -1 submodule ...]",
            "[... M big.bin +1 -1 lfs ...]",
            "[... U merged.rs +2 -1 ...]",
            "[... M plain.c +1 -1 ...]",
            "[... M src/long.rs +2000 -0, 1 of 1 hunks left out ...]",
        ]
    );
    assert_eq!(cut.missing.items, 3, "the long hunk, and two files without hunks");
}

#[test]
fn the_order_is_by_kind_and_size() {
    let file = |path: &str, lines: usize| {
        format!(
            "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -0,0 +1,{lines} @@\n{}",
            "+x\n".repeat(lines)
        )
    };
    let paths = [
        ("Cargo.lock", 40),
        ("README.md", 20),
        ("src/large.rs", 60),
        ("ci.yml", 20),
        ("tests/a.rs", 20),
        ("src/small.rs", 30),
        ("src/huge.rs", 3_000),
    ];
    let text: String = paths.iter().map(|(path, lines)| file(path, *lines)).collect();
    let cut = cut(&text, 5_000, Measure::Raw).unwrap();
    let shown: Vec<&str> = cut.text.lines().filter_map(|line| line.strip_prefix("+++ b/")).collect();
    assert_eq!(shown, ["src/small.rs", "src/large.rs", "tests/a.rs", "ci.yml", "README.md", "Cargo.lock"]);
    assert!(cut.kept.is_sorted_by_key(|range| range.start));
}

#[test]
fn many_files_are_told_by_folders_and_a_giant_hunk_is_cut() {
    let text: String = (0..500)
        .map(|n| {
            format!(
                "diff --git a/pkg/p{}/f{n}.go b/pkg/p{}/f{n}.go\n--- a/x\n+++ b/pkg/p{}/f{n}.go\n@@ -1 +1 @@\n-a\n+b\n",
                n % 7,
                n % 7,
                n % 7
            )
        })
        .collect();
    let several = cut(&text, 8_000, Measure::Raw).unwrap();
    assert!(
        several
            .text
            .starts_with("[... shortened; changed files: 500, told by folders ...]\n[... pkg/p0/ 72 files +72 -72, "),
        "{}",
        several.text
    );
    let giant = format!("--- a/x.c\n+++ b/x.c\n@@ -0,0 +1,9000 @@\n{}", "+line\n".repeat(9_000));
    let part = cut(&giant, 4_000, Measure::Raw).unwrap();
    assert!(
        part.text.contains("@@ -0,0 +1,9000 @@\n+line\n") && part.text.contains(" lines of this hunk left out ...]\n")
    );
    assert!(part.text.len() <= 4_000 && part.text.len() > 3_000);
    assert_eq!(cut(&"just words\n".repeat(500), 100, Measure::Raw), None);
}

proptest! {
    #[test]
    fn the_room_is_kept_whatever_the_text(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "diff --git a/x b/x\n", "--- a/x\n", "+++ b/y z\n", "@@ -1,3 +1,2 @@\n", "@@@ -1 -1 +1 @@@\n", "+a <b>\n", "-c\r\n", " d\n", "\\ No newline\n",
            "Binary files a/x and b/x differ\n", "GIT binary patch\nliteral 3\nabc\n\n", "rename from \u{e9}\n", "Index: q\n", "diff --cc m\n", "words", "\n",
        ]), 0..300),
        room in 600..3_000_usize,
    ) {
        let text: String = pieces.concat();
        if let Some(cut) = cut(&text, room, Measure::Rendered) {
            prop_assert!(Measure::Rendered.of(&cut.text) <= room);
        }
    }
}

#[test]
fn many_notes_do_not_break_the_room_and_deep_paths_take_no_time() {
    let one = |n: usize| {
        format!(
            "diff --git a/old{n}.bin b/new{n}.bin\nold mode 100644\nnew mode 100755\nrename from old{n}.bin\nrename to new{n}.bin\n--- a/old{n}.bin\n\
             +++ b/new{n}.bin\n@@ -1,1000 +1,1000 @@\n+version https://git-lfs.github.com/spec/v1\n{}{}",
            "-a\n".repeat(1_000),
            "+b\n".repeat(999)
        )
    };
    let hunks: String = (0..3_000).map(|n| format!("@@ -{n} +{n} @@\n-a\n+b\n")).collect();
    let text = (0..195).map(one).collect::<String>() + "--- a/x.rs\n+++ b/x.rs\n" + &hunks;
    for room in [65_536, 131_072] {
        let cut = cut(&text, room, Measure::Raw).unwrap();
        assert!(cut.text.len() <= room, "{room}: {}", cut.text.len());
    }
    let deep = format!("diff --git a/x b/x\n--- a/x\n+++ b/{}x\n@@ -1 +1 @@\n-a\n+b\n", "a/".repeat(40_000)).repeat(2);
    assert!(cut(&deep, 1_000, Measure::Raw).is_some());
}

#[test]
fn a_series_of_commits_keeps_each_change_with_its_message() {
    let commit = |name: &str, path: &str| {
        format!(
            "commit {}\nAuthor: a <a@x.example>\n\n    {name}\n\ndiff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+{name}\n\n",
            "0123456789".repeat(4)
        )
    };
    let text = commit("THREE", "Cargo.lock")
        + &commit("TWO", "src/a.rs")
        + &commit("ONE", "README.md")
        + &commit("ZERO", "b.c").replace("+ZERO", &"+ZERO\n".repeat(900));
    let text = text.replace("@@ -1 +1 @@\n-a\n+ZERO", "@@ -1 +1,900 @@\n-a\n+ZERO");
    let cut = cut(&text, 2_000, Measure::Raw).unwrap();
    for name in ["THREE", "TWO", "ONE"] {
        let message = cut.text.find(&format!("    {name}\n")).unwrap();
        assert!(
            cut.text[message..].find("diff --git").unwrap() < cut.text[message..].find(&format!("+{name}\n")).unwrap()
        );
    }
    assert!(cut.text.find("    TWO\n").unwrap() < cut.text.find("    ONE\n").unwrap());
}

#[test]
fn a_merge_of_lists_is_one_file() {
    let hunk = |n: usize| format!("@@@ -{n},2 -{n},2 +{n},2 @@@\n  two\n--- item {n}\n+++ item {n}\n");
    let text = format!(
        "diff --cc list.md\nindex 1,2..3\n--- a/list.md\n+++ b/list.md\n{}",
        (0..59).map(hunk).collect::<String>()
    );
    let cut = cut(&text, 900, Measure::Raw).unwrap();
    assert!(cut.text.starts_with("[... shortened; changed files: 1 ...]\n[... U list.md +59 -59, "), "{}", cut.text);
}
