//! Recognizers: what tells a line of a log as the cause of a failure, as its end, or as noise. They are data, as the rules of
//! redaction are, each with examples and counter-examples.

use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::reading::reading;
use super::recognizers;

/// What kind of failure an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A compiler or interpreter refuses source code.
    Compile,
    /// A linker finds no symbol or library.
    Link,
    /// A test fails.
    Test,
    /// A linter, formatter or checker of types refuses what would run.
    Lint,
    /// A package is missing, or versions do not fit.
    Dependency,
    /// A host is not reached or breaks off.
    Network,
    /// Something takes too long.
    Timeout,
    /// Memory is used up.
    OutOfMemory,
    /// A program dies by a signal or an exception that nothing catches.
    Crash,
    /// Something is not allowed.
    Permission,
    /// A file of settings, a flag or a variable is wrong or missing.
    Configuration,
    /// The machine, runner or service fails: a full disk, a lost agent, a missing program.
    Infrastructure,
    /// Something else.
    Unknown,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 13] = [
        Self::Compile,
        Self::Link,
        Self::Test,
        Self::Lint,
        Self::Dependency,
        Self::Network,
        Self::Timeout,
        Self::OutOfMemory,
        Self::Crash,
        Self::Permission,
        Self::Configuration,
        Self::Infrastructure,
        Self::Unknown,
    ];

    /// The name in a manifest.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compile => "compile",
            Self::Link => "link",
            Self::Test => "test",
            Self::Lint => "lint",
            Self::Dependency => "dependency",
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::OutOfMemory => "out-of-memory",
            Self::Crash => "crash",
            Self::Permission => "permission",
            Self::Configuration => "configuration",
            Self::Infrastructure => "infrastructure",
            Self::Unknown => "unknown",
        }
    }

    /// The class of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

/// What a line is to the failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It may be what has to be repaired.
    Cause,
    /// A tool says that it gives up; why stands before it.
    Stop,
    /// The machine that ran the job says that it failed.
    Exit,
    /// A step of the job begins.
    Start,
    /// What was said right before it is no error.
    Retract,
    /// It looks like an error and is none.
    Noise,
}

impl Role {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Cause => "cause",
            Self::Stop => "stop",
            Self::Exit => "exit",
            Self::Start => "start",
            Self::Retract => "retract",
            Self::Noise => "noise",
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Recognizer {
    /// Its name: the tool, and what it says.
    pub(super) id: &'static str,
    pub(super) role: Role,
    pub(super) class: Class,
    /// How sure it is that this line is what has to be repaired, 0 to 100; of noise, up to which weight others yield to it.
    pub(super) weight: u8,
    /// One of these stands in each line that matches, letters in either case.
    pub(super) literals: &'static [&'static str],
    /// A regular expression over the line as [`super::reading::reading`] gives it, in bytes mode.
    pub(super) pattern: &'static str,
    /// Lines that match.
    pub(super) examples: &'static [&'static str],
    /// Lines that do not.
    pub(super) others: &'static [&'static str],
}

/// All recognizers, with what finds them.
pub(super) struct Table {
    rows: Vec<&'static Recognizer>,
    compiled: Vec<OnceLock<Option<Regex>>>,
    literals: Option<AhoCorasick>,
    /// For each literal the rows it stands for.
    owners: Vec<Vec<u16>>,
}

/// The weight from which on a cause outweighs that a tool gives up.
const SURE: u8 = 90;

/// A row of the table, by number.
pub(super) type Row = u16;

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(recognizers::all().collect()));

impl Table {
    /// The table of all recognizers, compiled when first asked for.
    pub(super) fn get() -> &'static Self {
        &TABLE
    }

    fn new(rows: Vec<&'static Recognizer>) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut owners: Vec<Vec<Row>> = Vec::new();
        for (row, recognizer) in (0..).zip(&rows) {
            for literal in recognizer.literals {
                let word = literal.to_ascii_lowercase();
                match words.iter().position(|other| *other == word) {
                    Some(at) => owners[at].push(row),
                    None => {
                        words.push(word);
                        owners.push(vec![row]);
                    }
                }
            }
        }
        let literals =
            AhoCorasick::builder().ascii_case_insensitive(true).match_kind(MatchKind::Standard).build(&words).ok();
        let compiled = rows.iter().map(|_| OnceLock::new()).collect();
        Self { rows, compiled, literals, owners }
    }

    /// The row of what is taken where nothing is recognized.
    pub(super) fn last_word(&self) -> Option<Row> {
        self.rows.iter().position(|row| row.id == "last-word").and_then(|at| Row::try_from(at).ok())
    }

    pub(super) fn row(&self, row: Row) -> &'static Recognizer {
        self.rows[usize::from(row)]
    }

    /// The row that says most of a line as it stands in a log. What the machine says of steps may be overwritten at once.
    pub(super) fn judge_line(&self, line: &str) -> Option<Row> {
        let said = self.judge(&reading(line));
        if !line.contains("section_") && !line.contains("travis_") {
            return said;
        }
        let marks = |row: &Row| matches!(self.row(*row).role, Role::Exit | Role::Start);
        said.filter(marks).or_else(|| self.judge(line).filter(marks)).or(said)
    }

    /// The row that says most of what is read: an exit or start if one matches, then a stop, then the weightiest cause unless noise
    /// outweighs it.
    pub(super) fn judge(&self, reading: &str) -> Option<Row> {
        let mut asked = [0_u64; 8];
        let mut best: Option<Row> = None;
        let (mut noise, mut sure, mut stop) = (0, None, None);
        for found in self.literals.iter().flat_map(|literals| literals.find_overlapping_iter(reading)) {
            for row in &self.owners[found.pattern().as_usize()] {
                let (word, bit) = (usize::from(*row) / 64 % 8, 1 << (row % 64));
                if asked[word] & bit != 0 {
                    continue;
                }
                asked[word] |= bit;
                if !self.matches(*row, reading) {
                    continue;
                }
                let this = self.row(*row);
                match this.role {
                    Role::Exit | Role::Start | Role::Retract => sure = sure.or(Some(*row)),
                    Role::Noise => noise = noise.max(this.weight),
                    Role::Stop => stop = stop.or(Some(*row)),
                    Role::Cause => {
                        let weight = |row: Row| (self.row(row).weight, std::cmp::Reverse(row));
                        if best.is_none_or(|best| weight(*row) > weight(best)) {
                            best = Some(*row);
                        }
                    }
                }
            }
        }
        // A tool that gives up may say why.
        let says = |best: &Row| self.row(*best).weight > noise && (stop.is_none() || self.row(*best).weight >= SURE);
        sure.or(best.filter(says)).or(stop)
    }

    fn matches(&self, row: Row, reading: &str) -> bool {
        let compile = || RegexBuilder::new(self.row(row).pattern).unicode(false).build().ok();
        let regex = self.compiled[usize::from(row)].get_or_init(compile);
        regex.as_ref().is_some_and(|regex| regex.is_match(reading.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::excerpt::trigger;

    #[test]
    fn each_recognizer_matches_its_examples_and_no_counter_example() {
        let table = Table::get();
        assert!(table.literals.is_some());
        assert!(table.rows.len() <= 512);
        let mut wrong = Vec::new();
        for (row, it) in (0..).zip(&table.rows) {
            assert!(!it.examples.is_empty() && !it.others.is_empty(), "{}", it.id);
            assert!(Regex::new(it.pattern).is_ok(), "{}", it.id);
            for line in it.examples {
                let lower = line.to_ascii_lowercase();
                let literal = it.literals.iter().any(|literal| lower.contains(&literal.to_ascii_lowercase()));
                let told = !matches!(it.role, Role::Cause | Role::Stop | Role::Exit) || trigger::strikes(line);
                for (what, holds) in
                    [("literal", literal), ("match", table.matches(row, &reading(line))), ("trigger", told)]
                {
                    if !holds {
                        wrong.push(format!("{}: no {what} in {line:?}", it.id));
                    }
                }
            }
            for line in it.others {
                if table.judge(&reading(line)) == Some(row) {
                    wrong.push(format!("{}: takes {line:?}", it.id));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn names_are_unique() {
        let mut ids: Vec<_> = recognizers::all().map(|it| it.id).collect();
        ids.sort_unstable();
        let before = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), before);
        assert!(Class::ALL.iter().all(|class| Class::named(class.name()) == Some(*class)));
    }
}
