//! The files and hunks of a diff: git's, plain unified ones, combined ones of merges, those of Subversion and Mercurial.

use std::ops::Range;

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Status {
    Added,
    Deleted,
    #[default]
    Modified,
    Renamed,
    Copied,
    /// Of a merge.
    Merged,
}

impl Status {
    /// The letter that git shows.
    pub(super) const fn letter(self) -> &'static str {
        match self {
            Self::Added => "A",
            Self::Deleted => "D",
            Self::Modified => "M",
            Self::Renamed => "R",
            Self::Copied => "C",
            Self::Merged => "U",
        }
    }
}

/// One file of a diff, as byte ranges.
#[derive(Debug, Clone, Default)]
pub(super) struct File {
    /// Its path as it is written, in quotes where the diff quotes it.
    pub(super) path: Range<usize>,
    pub(super) status: Status,
    /// The path before it was renamed or copied.
    pub(super) from: Option<Range<usize>>,
    pub(super) binary: bool,
    /// The old and the new mode, where it changed.
    pub(super) modes: [Option<Range<usize>>; 2],
    pub(super) submodule: bool,
    pub(super) lfs: bool,
    /// Whether a commit begins with it, whose message is in its header.
    pub(super) begins_commit: bool,
    /// Whether it is told by its log, without a header.
    logged: bool,
    pub(super) header: Range<usize>,
    pub(super) hunks: Vec<Range<usize>>,
    pub(super) added: u64,
    pub(super) removed: u64,
}

/// Lines that the hunk at hand still announces, of each parent and of the result: nothing in them is taken for a header.
#[derive(Clone, Default)]
struct Announced(Vec<u64>);

impl Announced {
    /// The numbers in `@@ -1,2 +3,4 @@`, or of a merge `@@@ -1,2 -3,4 +5,6 @@@`; one each where they are left out.
    fn read(line: &str) -> Self {
        let ranges = line.split(' ').skip(1).take_while(|word| word.starts_with(['-', '+']));
        Self(ranges.map(|word| word.split_once(',').map_or(1, |(_, n)| n.parse().unwrap_or_default())).collect())
    }

    fn is_over(&self) -> bool {
        self.0.iter().all(|left| *left == 0)
    }

    /// Takes a line: those that removed it have it and the result does not; else all that did not add it have it.
    fn take(&mut self, line: &str) {
        let Some((result, parents)) = self.0.split_last_mut() else { return };
        let signs = &line.as_bytes()[..parents.len().min(line.len())];
        if signs.first() == Some(&b'\\') {
            return;
        }
        let removed = signs.contains(&b'-');
        for (index, parent) in parents.iter_mut().enumerate() {
            let sign = signs.get(index).copied().unwrap_or(b' ');
            let has = if removed { sign == b'-' } else { sign != b'+' };
            *parent = parent.saturating_sub(u64::from(has));
        }
        *result = result.saturating_sub(u64::from(!removed));
    }

    fn parents(&self) -> usize {
        self.0.len().saturating_sub(1).max(1)
    }
}

/// Whether a line begins a commit, in what `git log -p` or `git format-patch` writes.
fn is_commit(line: &str) -> bool {
    let name = line.strip_prefix("commit ").or_else(|| line.strip_prefix("From "));
    let name = name.map_or("", |rest| rest.split([' ', '\n', '\r']).next().unwrap_or_default());
    name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The files of a diff. Text before the first file belongs to its header.
pub(super) fn parse(text: &str) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut announced = Announced::default();
    // Where the commit begins whose first file is to come.
    let mut commit: Option<usize> = None;
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let range = at..at + line.len();
        at = range.end;
        if !announced.is_over() && !line.starts_with("diff --") {
            if let Some(file) = files.last_mut() {
                file.take_line(line, &range, &mut announced);
            }
            continue;
        }
        let body = line.trim_end_matches(['\n', '\r']);
        let plain = line.starts_with("--- ") && lines.peek().is_some_and(|next| next.starts_with("+++ "));
        let in_header = files.last().is_some_and(|file| file.hunks.is_empty() && !file.binary && !file.logged);
        let starts =
            ["diff --git ", "diff --cc ", "diff --combined ", "Index: "].iter().any(|sign| line.starts_with(sign));
        let alone = line.starts_with("Submodule ")
            || body.starts_with("Binary files ") && body.ends_with(" differ") && !in_header;
        if starts || alone || (plain && !in_header) {
            announced = Announced::default();
            let begun = commit.take();
            let start = if files.is_empty() { 0 } else { begun.unwrap_or(range.start) };
            let mut file = File { header: start..range.end, begins_commit: begun.is_some(), ..File::default() };
            file.take_header(body, range.start);
            files.push(file);
        } else if commit.is_some() || is_commit(line) {
            commit.get_or_insert(range.start);
        } else if let Some(file) = files.last_mut() {
            if line.starts_with("@@") {
                announced = Announced::read(line);
                file.hunks.push(range);
            } else if let Some(hunk) = file.hunks.last_mut() {
                hunk.end = range.end;
            } else {
                file.take_header(body, range.start);
                file.header.end = range.end;
            }
        }
    }
    // A binary patch is all header; as a hunk it can be left out.
    for file in &mut files {
        if let Some(start) = find_line(&text[file.header.clone()], "GIT binary patch") {
            let start = file.header.start + start;
            file.hunks.insert(0, start..file.header.end);
            file.header.end = start;
        }
        file.lfs = file.hunks.iter().any(|hunk| text[hunk.clone()].contains("git-lfs.github.com/spec/"));
    }
    files
}

impl File {
    /// Takes a line of the header that begins at `at`.
    fn take_header(&mut self, line: &str, at: usize) {
        let rest = |sign: &str| line.strip_prefix(sign).map(|rest| at + sign.len()..at + sign.len() + rest.len());
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.path = last_path(names, at + "diff --git ".len());
        } else if let Some(path) = rest("diff --cc ").or_else(|| rest("diff --combined ")) {
            (self.path, self.status) = (path, Status::Merged);
        } else if let Some(path) = rest("Index: ") {
            self.path = path;
        } else if let Some(path) = rest("rename from ") {
            (self.from, self.status) = (Some(path), Status::Renamed);
        } else if let Some(path) = rest("copy from ") {
            (self.from, self.status) = (Some(path), Status::Copied);
        } else if let Some(path) = rest("rename to ").or_else(|| rest("copy to ")) {
            self.path = path;
        } else if line.starts_with("new file mode ") {
            self.status = Status::Added;
            self.submodule |= line.ends_with("160000");
        } else if line.starts_with("deleted file mode ") {
            self.status = Status::Deleted;
            self.submodule |= line.ends_with("160000");
        } else if let Some(mode) = rest("old mode ") {
            self.modes[0] = Some(mode);
        } else if let Some(mode) = rest("new mode ") {
            self.modes[1] = Some(mode);
        } else if line.starts_with("index ") {
            self.submodule |= line.ends_with(" 160000");
        } else if let Some(name) = rest("Submodule ") {
            (self.submodule, self.logged) = (true, true);
            self.path = name.start..name.start + line[name.start - at..].find(' ').unwrap_or(name.len());
        } else if line.starts_with("GIT binary patch") {
            self.binary = true;
        } else if let Some(names) = line.strip_prefix("Binary files ").and_then(|rest| rest.strip_suffix(" differ")) {
            self.binary = true;
            if self.path.is_empty() {
                let split = names.find(" and ").map_or(0, |split| split + " and ".len());
                let start = at + "Binary files ".len();
                self.path = without_prefix(&names[split..], start + split);
            }
        } else if let Some(name) = line.strip_prefix("--- ") {
            self.take_name(name, at + 4, Status::Added);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            self.take_name(name, at + 4, Status::Deleted);
        }
    }

    /// Takes the name behind `---` or `+++`. `absent` is what happened to the file where there is none.
    fn take_name(&mut self, name: &str, at: usize, absent: Status) {
        // A tab and a time may follow.
        let name = name.split('\t').next().unwrap_or_default();
        if name == "/dev/null" {
            self.status = absent;
        } else if self.status != Status::Renamed && self.status != Status::Merged {
            self.path = without_prefix(name, at);
        }
    }

    fn take_line(&mut self, line: &str, range: &Range<usize>, announced: &mut Announced) {
        if let Some(hunk) = self.hunks.last_mut() {
            hunk.end = range.end;
        }
        // A merge has a column for each parent.
        let signs = &line.as_bytes()[..announced.parents().min(line.len())];
        self.removed += u64::from(signs.contains(&b'-'));
        self.added += u64::from(!signs.contains(&b'-') && signs.contains(&b'+'));
        announced.take(line);
    }
}

/// The last path in `a/path b/path`, each in quotes where it has to be.
fn last_path(names: &str, at: usize) -> Range<usize> {
    if names.ends_with('"')
        && let Some(start) = names[..names.len() - 1].rfind(" \"")
    {
        return without_prefix(&names[start + 1..], at + start + 1);
    }
    // Without quotes both halves are the same, but for the prefix.
    let half = names.len() / 2;
    let start = if names.as_bytes().get(half) == Some(&b' ') { Some(half) } else { names.rfind(" b/") };
    let start = start.or_else(|| names.rfind(' ')).map_or(0, |start| start + 1);
    without_prefix(&names[start..], at + start)
}

/// A path without `a/` or `b/`. One in quotes stays as it is.
fn without_prefix(name: &str, at: usize) -> Range<usize> {
    let skipped = if name.starts_with("a/") || name.starts_with("b/") { 2 } else { 0 };
    at + skipped..at + name.len()
}

fn find_line(text: &str, line: &str) -> Option<usize> {
    text.match_indices(line).map(|(at, _)| at).find(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n')
}
