//! Lines, and the parts of very long ones.

use std::ops::Range;

use super::needles;
use super::pattern::{Broken, Part, Pattern};

/// A line that is longer is searched in windows of this many bytes.
pub(crate) const WINDOW: usize = 64 * 1024;
/// How far windows overlap: the longest match that is found for certain.
pub(crate) const LONGEST: usize = 4 * 1024;

/// What a pattern found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// What of the match goes.
    pub(crate) secret: Range<usize>,
    /// The match.
    pub(crate) whole: Range<usize>,
}

/// The line of `text` that `at` stands in, without the newline that ends it; a newline belongs to the line it ends.
pub(crate) fn line(text: &[u8], at: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |len| at + len);
    start..end
}

/// The line around `at`, unless it is longer than 4 KiB on one side.
pub(crate) fn short_line(text: &[u8], at: usize) -> Option<Range<usize>> {
    let from = at.saturating_sub(LONGEST);
    let to = text.len().min(at + LONGEST);
    let start =
        memchr::memrchr(b'\n', &text[from..at]).map(|newline| from + newline + 1).or((from == 0).then_some(0))?;
    let end = memchr::memchr(b'\n', &text[at..to]).map(|len| at + len).or((to == text.len()).then_some(to))?;
    let end = if text[start..end].ends_with(b"\r") { end - 1 } else { end };
    Some(start..end)
}

/// How far a line must be searched that holds something at `at`, from where it was searched up to `done`: what to search now,
/// and up to where it is searched then.
pub(crate) fn part(line: &Range<usize>, at: usize, done: usize) -> Option<(Range<usize>, usize)> {
    if at < done {
        return None;
    }
    if line.len() <= WINDOW {
        return Some((line.clone(), line.end + 1));
    }
    // Words come about in order, so that one may stand a little before this one.
    let from = at.saturating_sub(LONGEST + needles::LONGEST).max(line.start);
    let to = line.end.min(at + WINDOW);
    let done = if to == line.end { line.end + 1 } else { to - LONGEST };
    Some((from..to, done))
}

/// Matches of `pattern` in `part` of a line. What stands before the part is seen, and the breaks on both sides of the line
/// are: a blank that a pattern asks for may be one. They are never claimed.
pub(crate) fn search(
    text: &[u8],
    part: &Range<usize>,
    pattern: &Pattern,
    goes: Part,
    mut claim: impl FnMut(Found),
) -> Result<(), Broken> {
    let regex = pattern.regex()?;
    let leading = part.start > 0 && text[part.start - 1] == b'\n';
    let mut at = part.start - usize::from(leading);
    let end = part.end + usize::from(text.get(part.end) == Some(&b'\n'));
    // A match that ends here must hold with what follows too: the end of a part is no end of a line.
    let beyond = &text[..text.len().min(end + LONGEST)];
    let text = &text[..end];
    while at < end {
        let Some(found) = regex.find_at(text, at) else { break };
        let ends = found.end() == end && beyond.len() > end;
        if ends && regex.find_at(beyond, found.start()).is_none_or(|again| again.start() != found.start()) {
            at = found.start() + 1;
            continue;
        }
        let whole = trim(text, found.range());
        let goes = if pattern.groups == 0 { Part::All } else { goes };
        let secret = match goes {
            Part::All => whole.clone(),
            _ => regex.captures_at(text, found.start()).map_or(whole.clone(), |groups| trim(text, goes.of(&groups))),
        };
        if !whole.is_empty() {
            claim(Found { secret: if secret.is_empty() { whole.clone() } else { secret }, whole });
        }
        at = found.end().max(at + 1);
    }
    Ok(())
}

/// The range without line breaks at its ends.
fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let breaks = |byte: &&u8| matches!(**byte, b'\n' | b'\r');
    let head = inside.iter().take_while(breaks).count();
    let tail = inside[head..].iter().rev().take_while(breaks).count();
    range.start + head..range.end - tail
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pattern: &str, text: &str, goes: Part) -> Vec<String> {
        let pattern = Pattern::line(pattern).unwrap();
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let line = line(text.as_bytes(), at);
            at = line.end + 1;
            search(text.as_bytes(), &line, &pattern, goes, |hit| found.push(text[hit.secret].to_owned())).ok().unwrap();
        }
        found
    }

    #[test]
    fn breaks_are_blanks_and_are_not_claimed() {
        let text = "key abc\nkey def \r\n\nkey ghi";
        assert_eq!(all(r"\skey (\w+)\s", text, Part::First), ["def"]);
        assert_eq!(all(r"key \w+\s*", text, Part::All), ["key abc", "key def ", "key ghi"]);
        assert_eq!(all(r"^key (\w+)$", text, Part::First), ["abc", "ghi"]);
        assert_eq!(all(r"key (x)?(\w+)", text, Part::First), ["abc", "def", "ghi"]);
        assert_eq!(all(r"key (x)?(\w+)", text, Part::Group(1)), ["key abc", "key def", "key ghi"]);
        assert_eq!(all(r"key (x)?(\w+)", text, Part::Group(2)), ["abc", "def", "ghi"]);
        assert_eq!(all(r"[^k]{12,}", text, Part::All), Vec::<String>::new());
        assert_eq!(all(r"[^a\s]\s$", "=\na\n=\n\n", Part::All), ["="], "behind its break a line is not at its end");
    }

    #[test]
    fn a_long_line_is_searched_once_and_whole() {
        let line = 10..400_000;
        let (mut done, mut seen, mut total) = (0, 10, 0);
        for at in (10..400_000).step_by(7) {
            let Some((part, next)) = part(&line, at, done) else { continue };
            assert!(part.start <= seen.max(14) && part.end > at);
            total += part.len();
            (seen, done) = (part.end, next);
        }
        assert!(seen == line.end && total < 450_000, "{seen} {total}");
    }
}
