//! Excerpts of a whole text, which may be an excerpt already.

use dossier_redact::Clean;

use super::gather::Gatherer;
use super::held::{Cause, End};
use super::page::Page;
use super::{Excerpted, FirstError, finish};
use crate::cut::{Measure, Missing};

/// An excerpt of `text` of at most `room` bytes. `earlier` is what it lacks already, and `known` its first error, if it is an
/// excerpt: what is missing then is missing in all, and lines are counted as in the log as it was received.
#[must_use]
pub fn again(
    text: &Clean,
    earlier: Option<Missing>,
    known: Option<FirstError>,
    room: usize,
    measure: Measure,
) -> Excerpted<Clean> {
    let mut gatherer = Gatherer::new(text.len());
    gatherer.push(text, &[]);
    let mut page = Page::new(gatherer.finish(), room, measure);
    let told = earlier.is_some_and(|earlier| read_notices(&mut page, earlier));
    if let Some(known) = known {
        point(&mut page, known);
    }
    let mut excerpt = if measure.of(text.as_str()) <= room {
        let mut excerpt = finish(page, true);
        // Notices are lines of the text like any other, as long as nothing more is cut.
        excerpt.text = text.clone();
        excerpt
    } else {
        finish(page, false)
    };
    excerpt.first_error = known.or(excerpt.first_error);
    if let Some(earlier) = earlier.filter(|_| !told) {
        excerpt.missing = excerpt.missing.map_or(Some(earlier), |more| Some(more.and(earlier)));
    }
    excerpt
}

/// Takes the notices of an earlier cut for what they stand for, where they say in all what was left out. A log can hold such
/// lines too: then they are text.
fn read_notices(page: &mut Page<Clean>, earlier: Missing) -> bool {
    let notices: Vec<Option<Missing>> = (0..page.lines.len()).map(|index| notice(page.text(index))).collect();
    let whole = notices.iter().flatten().fold(Missing::default(), |sum, one| sum.and(*one));
    let within: usize = (0..page.lines.len()).map(|index| lacking_in_line(page.text(index))).sum();
    if whole.bytes + within != earlier.bytes || whole.items.max(1) != earlier.items {
        return false;
    }
    // The line at which each notice stands becomes the lines that it stands for.
    let mut shift = Missing::default();
    let mut own = 0;
    let mut shifts = Vec::new();
    let mut notices = notices.into_iter();
    page.lines.retain_mut(|line| {
        let ordinal = line.at.ordinal;
        let notice = notices.next().flatten();
        if let Some(missing) = notice {
            shift = shift.and(missing);
            own += line.bytes() as u64;
            shifts.push((ordinal, shift.items as u64, shifts.len() as u64 + 1));
            return false;
        }
        line.at.ordinal += shift.items as u64 - shifts.len() as u64;
        line.at.number += shift.items as u64 - shifts.len() as u64;
        line.at.offset = line.at.offset + shift.bytes as u64 - own;
        true
    });
    let moved = |ordinal: u64| {
        let before = shifts.partition_point(|(at, _, _)| *at < ordinal);
        let (_, items, own) = before.checked_sub(1).map_or((0, 0, 0), |at| shifts[at]);
        ordinal + items - own
    };
    let gathered = &mut page.gathered;
    let is_notice = |ordinal: u64| shifts.binary_search_by_key(&ordinal, |(at, _, _)| *at).is_ok();
    // A notice is no cause.
    let first = page.ranking.first.map(|index| gathered.causes[index].ordinal);
    if first.is_some_and(is_notice) {
        page.ranking.first = None;
    }
    for cause in &mut gathered.causes {
        let by = moved(cause.ordinal) - cause.ordinal;
        *cause = Cause { ordinal: cause.ordinal + by, number: cause.number + by, step: moved(cause.step), ..*cause };
    }
    for end in gathered.stops.iter_mut().chain(&mut gathered.exits) {
        *end = End { ordinal: moved(end.ordinal), step: moved(end.step), ..*end };
    }
    page.ranking.exit = moved(page.ranking.exit);
    let by = moved(gathered.end.ordinal) - gathered.end.ordinal;
    gathered.end.ordinal += by;
    gathered.end.number += by;
    gathered.end.offset = gathered.end.offset + shift.bytes as u64 - own;
    true
}

/// Makes the cause at or next to the line that is known to be the first error the first.
fn point(page: &mut Page<Clean>, known: FirstError) {
    let causes = page.gathered.causes.iter().enumerate();
    let nearest = causes.min_by_key(|(_, cause)| cause.number.abs_diff(u64::from(known.line)));
    if let Some((index, _)) = nearest.filter(|(_, cause)| cause.number.abs_diff(u64::from(known.line)) <= 3) {
        page.ranking.first = Some(index);
    }
}

/// What a notice between lines says is missing.
fn notice(line: &str) -> Option<Missing> {
    let (bytes, rest) = number(line.strip_prefix("[... ")?)?;
    let (items, rest) = number(rest.strip_prefix(" bytes in ")?)?;
    let ends = [" lines left out ...]", " lines like the one above left out ...]"];
    ends.contains(&rest.trim_end_matches('\n')).then_some(Missing { bytes, items })
}

/// How many bytes the notices within a line say are missing.
fn lacking_in_line(line: &str) -> usize {
    line.match_indices("[... ")
        .filter_map(|(at, sign)| number(&line[at + sign.len()..]))
        .filter(|(_, rest)| rest.starts_with(" bytes of this line left out ...]"))
        .map(|(bytes, _)| bytes)
        .sum()
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..end].parse().ok()?, &text[end..]))
}
