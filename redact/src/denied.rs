//! Stage 1: denied values (and user literals) in every form they are likely to stand in.
//!
//! Values are masked raw, line by line, and in base64 (three alignments), hex and escaped forms. All forms are literals: the
//! rarest few bytes of each are looked for together, and a comparison settles the rest.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

use crate::error::Error;
use crate::grams::Grams;
use crate::hash::Words;
use crate::hit::Hit;
use crate::kind::Kind;
use crate::secret::{Secret, WeakReason};

/// The words of which a denied value may not consist.
const COMMON: &str = include_str!("common.txt");
/// A value's line, or leaf, counts from here.
const PIECE: usize = 12;
/// Encoded forms are searched from here.
const ENCODED: usize = 8;
/// What the automaton sees of a form.
const ANCHOR: usize = 16;
/// A form that is longer than this is compared with care.
const LONG: usize = 1024;
/// A run of an encoding that is longer than this does not go whole.
const RUN: usize = 64 * 1024;

/// Why a value is too weak to mask, if it is. Judged on the whole value.
pub(crate) fn weakness(value: &[u8]) -> Option<WeakReason> {
    let value = value.trim_ascii();
    if value.len() < 6 {
        return Some(WeakReason::Short);
    }
    if value.len() < 10 && value.iter().all(u8::is_ascii_digit) {
        return Some(WeakReason::Digits);
    }
    is_common(value).then_some(WeakReason::CommonWord)
}

/// Whether `value` is one of the committed common words, in any letter case.
pub(crate) fn is_common(value: &[u8]) -> bool {
    static WORDS: OnceLock<(Words, usize)> = OnceLock::new();
    let (words, longest) = WORDS.get_or_init(|| {
        let words: Words = COMMON.lines().map(str::as_bytes).collect();
        let longest = words.iter().map(|word| word.len()).max().unwrap_or_default();
        (words, longest)
    });
    value.len() <= *longest && words.contains(value.to_ascii_lowercase().as_slice())
}

/// A form of a value.
struct Form {
    bytes: Secret,
    /// Where in it its anchor stands.
    offset: usize,
    literal: bool,
    run: Run,
    /// The value of several lines that it is a line of, or 0.
    group: usize,
}

impl Form {
    /// What is looked for: the rarest bytes of it.
    fn anchor(&self) -> &[u8] {
        let bytes = &self.bytes.bytes()[self.offset..];
        &bytes[..bytes.len().min(ANCHOR)]
    }
}

/// What goes along with a form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    /// Only itself.
    Exact,
    /// The base64 run around it.
    Base64,
    /// The hex run around it.
    Hex,
}

/// The forms of all denied values and user literals, ready to be searched.
pub(crate) struct DeniedSet {
    anchors: Option<Grams>,
    /// By anchor: the forms that have it.
    forms: Vec<Vec<Form>>,
    /// By group: the lines of its value that are too short to be searched for alone.
    short: Vec<BTreeSet<Secret>>,
}

impl DeniedSet {
    pub(crate) fn builder() -> DeniedBuilder {
        DeniedBuilder::default()
    }

    /// All occurrences in `text`, overlapping ones too. The second value is where a form may begin that the text's end cuts.
    pub(crate) fn find(&self, text: &[u8], hits: &mut Vec<Hit>) -> Option<usize> {
        let anchors = self.anchors.as_ref()?;
        let mut cut = None;
        let mut lines: Vec<(usize, Range<usize>)> = Vec::new();
        // For long forms the last occurrence and the distance from the one before it: where occurrences overlap at an even
        // distance, only what is new of each is compared.
        let mut last: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
        anchors.find(text, |anchor, at| {
            let forms = &self.forms[anchor];
            let same = |form: &Form| text[at..].starts_with(form.anchor());
            for (index, form) in forms.iter().enumerate().filter(|_| forms.first().is_some_and(same)) {
                let Some(start) = at.checked_sub(form.offset) else { continue };
                let bytes = form.bytes.bytes();
                let rest = &text[start..];
                if rest.len() < bytes.len() {
                    if bytes.starts_with(rest) {
                        cut = Some(cut.map_or(start, |cut: usize| cut.min(start)));
                    }
                    continue;
                }
                if bytes.len() <= LONG {
                    if !rest.starts_with(bytes) {
                        continue;
                    }
                } else {
                    let before = last.get(&(anchor, index)).copied();
                    let shift = before.map_or(0, |(before, _)| start - before);
                    let same = match before {
                        Some((_, period)) if period == shift => {
                            rest[bytes.len() - shift..].starts_with(&bytes[bytes.len() - shift..])
                        }
                        _ => rest.starts_with(bytes),
                    };
                    if !same {
                        continue;
                    }
                    last.insert((anchor, index), (start, if shift <= bytes.len() { shift } else { 0 }));
                }
                let range = form.run.around(text, start..start + bytes.len());
                if form.group > 0 {
                    lines.push((form.group, range.clone()));
                }
                let (kind, rule) = match form.literal {
                    true => (Kind::UserPattern, "user-literal"),
                    false => (Kind::DeniedSecret, "denied-value"),
                };
                hits.push(Hit { range, kind, rule: Cow::Borrowed(rule), open: None });
            }
        });
        for form in self.forms.iter().flatten().filter(|form| form.offset > LONG) {
            let begun = begun(text, form.bytes.bytes());
            cut = cut.into_iter().chain(begun).min();
        }
        // What separates two lines of one value goes with them.
        lines.sort_unstable_by_key(|(_, range)| range.start);
        for pair in lines.windows(2) {
            let [(group, line), (other, next)] = pair else { continue };
            if group == other && line.end < next.start && self.joins(*group, &text[line.end..next.start]) {
                hits.push(Hit::new(line.end..next.start, Kind::DeniedSecret, "denied-value"));
            }
        }
        cut
    }
}

/// Where a form may begin that `text` cuts before its anchor is reached.
fn begun(text: &[u8], form: &[u8]) -> Option<usize> {
    /// How many beginnings are compared; of more of them the next one is taken for true.
    const TRIES: usize = 64;
    let from = text.len().saturating_sub(form.len() - 1);
    let tail = &text[from..];
    let begins = memchr::memmem::find_iter(tail, &form[..ANCHOR]).enumerate();
    let mut begins = begins.filter(|(tries, at)| *tries >= TRIES || form.starts_with(&tail[*at..]));
    begins.next().map(|(_, at)| from + at)
}

/// How often each sequence of an anchor's length occurs in all forms; others may be counted with it.
struct Rarity(Vec<u32>);

impl Rarity {
    const BITS: u32 = 18;

    fn of<'f>(forms: impl Iterator<Item = &'f Secret>) -> Rarity {
        let mut counts = vec![0_u32; 1 << Rarity::BITS];
        for window in forms.flat_map(|form| form.bytes().windows(ANCHOR)) {
            let count = &mut counts[Rarity::slot(window)];
            *count = count.saturating_add(1);
        }
        Rarity(counts)
    }

    fn slot(window: &[u8]) -> usize {
        let half = |bytes: &[u8]| bytes.iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        let mixed = half(&window[..8]).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ half(&window[8..]);
        (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (64 - Rarity::BITS)) as usize
    }

    /// Where the rarest window of a form begins.
    fn rarest(&self, form: &[u8]) -> usize {
        let windows = form.windows(ANCHOR).enumerate();
        windows.min_by_key(|(_, window)| self.0[Rarity::slot(window)]).map_or(0, |(at, _)| at)
    }
}

/// The longest gap between two lines of a value that may go with them.
const GAP: usize = 4 * 1024;

impl DeniedSet {
    /// Whether between two lines of a group's value only line breaks (real or escaped), what stands before lines, and
    /// short lines of the same value stand.
    fn joins(&self, group: usize, gap: &[u8]) -> bool {
        let escaped = memchr::memmem::find(gap, b"\\n").is_some();
        if gap.len() > GAP || !(gap.contains(&b'\n') || escaped) {
            return false;
        }
        if is_separator(gap) {
            return true;
        }
        let Some(short) = self.short.get(group - 1) else { return false };
        let is_short = |line: &[u8]| {
            let line = bare(line);
            line.is_empty() || short.iter().any(|short| short.bytes() == line)
        };
        gap.split(|byte| *byte == b'\n').all(|line| {
            // An escaped break ends a line too.
            let mut rest = line;
            while let Some(at) = memchr::memmem::find(rest, b"\\n") {
                if !is_short(rest[..at].strip_suffix(b"\\r").unwrap_or(&rest[..at])) {
                    return false;
                }
                rest = &rest[at + 2..];
            }
            is_short(rest)
        })
    }
}

/// A line break, real or escaped, with its indentation.
fn is_separator(gap: &[u8]) -> bool {
    gap.len() <= 64
        && gap.iter().all(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'n' | b'r' | b't' | b'|' | b'>' | b'+' | b'-')
        })
}

/// A line without what a quotation or a diff puts before it.
fn bare(line: &[u8]) -> &[u8] {
    let from = line.iter().position(|byte| !(byte.is_ascii_whitespace() || matches!(byte, b'+' | b'-' | b'|' | b'>')));
    line[from.unwrap_or(line.len())..].trim_ascii_end()
}

impl Run {
    fn around(self, text: &[u8], range: Range<usize>) -> Range<usize> {
        let belongs: fn(u8) -> bool = match self {
            Run::Exact => return range,
            Run::Base64 => is_base64,
            Run::Hex => |byte| byte.is_ascii_hexdigit(),
        };
        let left = text[range.start.saturating_sub(RUN)..range.start].iter().rev().take_while(|b| belongs(**b)).count();
        let right = text[range.end..text.len().min(range.end + RUN)].iter().take_while(|b| belongs(**b)).count();
        // Beyond the bound only the groups that hold a bit of the value go.
        let (left, right) = if left + range.len() + right > RUN { (left.min(4), right.min(4)) } else { (left, right) };
        let mut end = range.end + right;
        if self == Run::Base64 {
            end += text[end..].iter().take(2).take_while(|byte| **byte == b'=').count();
        }
        range.start - left..end
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Collects values and derives their forms.
#[derive(Default)]
pub(crate) struct DeniedBuilder {
    forms: BTreeMap<Secret, (bool, Run, usize)>,
    groups: usize,
    group: usize,
    short: Vec<BTreeSet<Secret>>,
}

impl DeniedBuilder {
    /// Adds a denied value.
    pub(crate) fn denied(&mut self, value: &[u8]) {
        self.value(value, false);
    }

    /// Adds a user's literal.
    pub(crate) fn literal(&mut self, value: &[u8]) {
        self.value(value, true);
    }

    fn value(&mut self, value: &[u8], literal: bool) {
        // One final newline is optional, as a mounted file has it.
        let value = value.strip_suffix(b"\n").map_or(value, |rest| rest.strip_suffix(b"\r").unwrap_or(rest));
        self.text(value, literal);
        // As shells, YAML, SQL and tables write a quote within quotes.
        const QUOTES: [(&str, &str); 4] = [("'", "'\\''"), ("'", "'\"'\"'"), ("'", "''"), ("\"", "\"\"")];
        if let Ok(said) = std::str::from_utf8(value) {
            for (mark, written) in QUOTES.iter().filter(|(mark, _)| said.contains(mark)) {
                self.form(said.replace(mark, written).into_bytes(), literal, Run::Exact);
            }
        }
        let mut pieces: BTreeSet<Secret> = BTreeSet::new();
        for line in value.split(|byte| matches!(byte, b'\n' | b'\r')) {
            piece(line, &mut pieces);
        }
        if let Ok(json) = serde_json::from_slice::<serde_json::Value>(value) {
            leaves(&json, &mut pieces);
        }
        if !literal && value.contains(&b'\n') {
            self.groups += 1;
            self.group = self.groups;
            let lines = value.split(|byte| matches!(byte, b'\n' | b'\r')).map(bare);
            let short = lines.filter(|line| (1..PIECE).contains(&line.len()));
            self.short.push(short.map(|line| Secret::new(line.to_vec())).collect());
        }
        for piece in pieces {
            if piece.bytes() != value {
                self.text(piece.bytes(), literal);
            }
        }
        self.group = 0;
    }

    /// Adds a text raw and encoded.
    fn text(&mut self, text: &[u8], literal: bool) {
        self.form(text.to_vec(), literal, Run::Exact);
        if let Cow::Owned(lossy) = String::from_utf8_lossy(text) {
            self.form(lossy.into_bytes(), literal, Run::Exact);
        }
        if text.contains(&0) {
            let shown = String::from_utf8_lossy(text).replace('\0', "\u{2400}");
            self.form(shown.into_bytes(), literal, Run::Exact);
        }
        // As forms are sent: what else is escaped there is undone by a view.
        if text.contains(&b' ') {
            let plus = text.iter().map(|byte| if *byte == b' ' { b'+' } else { *byte }).collect();
            self.form(plus, literal, Run::Exact);
        }
        if text.len() < ENCODED {
            return;
        }
        let hex: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
        self.form(hex.to_uppercase().into_bytes(), literal, Run::Hex);
        self.form(hex.into_bytes(), literal, Run::Hex);
        for shift in 0..3 {
            let mut shifted = Zeroizing::new(vec![0; shift]);
            shifted.extend_from_slice(text);
            // The characters that mix in a neighbour's bits are cut off; the run around takes them along.
            let skip = [0, 2, 3][shift];
            let keep = shifted.len() * 8 / 6;
            for encoded in [STANDARD_NO_PAD.encode(&*shifted), URL_SAFE_NO_PAD.encode(&*shifted)] {
                self.form(encoded.as_bytes()[skip..keep].to_vec(), literal, Run::Base64);
            }
        }
    }

    fn form(&mut self, bytes: Vec<u8>, literal: bool, run: Run) {
        if bytes.is_empty() {
            return;
        }
        let entry = self.forms.entry(Secret::new(bytes)).or_insert((literal, run, self.group));
        entry.0 &= literal;
        entry.1 = entry.1.max(run);
    }

    pub(crate) fn build(self) -> Result<DeniedSet, Error> {
        let mut anchors: BTreeMap<Vec<u8>, Vec<Form>> = BTreeMap::new();
        let rarity = Rarity::of(self.forms.keys());
        for (bytes, (literal, run, group)) in self.forms {
            let offset = rarity.rarest(bytes.bytes());
            let anchor = bytes.bytes()[offset..].iter().copied().take(ANCHOR).collect();
            anchors.entry(anchor).or_default().push(Form { bytes, offset, literal, run, group });
        }
        if anchors.is_empty() {
            return Ok(DeniedSet { anchors: None, forms: Vec::new(), short: Vec::new() });
        }
        let (anchors, forms): (Vec<_>, Vec<_>) = anchors.into_iter().unzip();
        let grams = Grams::new(&anchors).ok_or_else(|| Error::Rule { rule: "denied-value".to_owned() })?;
        for anchor in anchors {
            drop(Zeroizing::new(anchor));
        }
        Ok(DeniedSet { anchors: Some(grams), forms, short: self.short })
    }
}

/// Takes a line or leaf if it is long and odd enough to count.
fn piece(text: &[u8], pieces: &mut BTreeSet<Secret>) {
    let text = text.trim_ascii();
    let plain_url = (text.starts_with(b"http://") || text.starts_with(b"https://")) && !text.contains(&b'@');
    let number = text.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b','));
    let common_line = text.starts_with(b"-----") || text.iter().collect::<BTreeSet<_>>().len() < 4;
    if text.len() >= PIECE && !plain_url && !number && !common_line && !is_common(text) && !is_prose(text) {
        pieces.insert(Secret::new(text.to_vec()));
        // The value of a `key: value` or `key=value` line is a leaf of its own.
        if let Some(at) = text.iter().position(|byte| matches!(byte, b':' | b'='))
            && text[..at].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'"'))
        {
            piece(text[at + 1..].trim_ascii().trim_matching_quotes(), pieces);
        }
    }
}

/// A comment, or words: lines that stand in many files.
fn is_prose(text: &[u8]) -> bool {
    text.starts_with(b"#") || text.starts_with(b"//")
}

trait TrimQuotes {
    fn trim_matching_quotes(&self) -> &[u8];
}

impl TrimQuotes for [u8] {
    fn trim_matching_quotes(&self) -> &[u8] {
        match self {
            [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
            _ => self,
        }
    }
}

fn leaves(json: &serde_json::Value, pieces: &mut BTreeSet<Secret>) {
    match json {
        serde_json::Value::String(text) => piece(text.as_bytes(), pieces),
        serde_json::Value::Array(items) => items.iter().for_each(|item| leaves(item, pieces)),
        serde_json::Value::Object(fields) => fields.values().for_each(|item| leaves(item, pieces)),
        _ => {}
    }
}
