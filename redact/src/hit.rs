//! What the detectors hand over, and how overlapping hits become one.

use std::borrow::Cow;
use std::ops::Range;

use crate::kind::Kind;

/// How a hit that ran into the end of its window goes on in the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// To the next byte that cannot stand in an unquoted value.
    Blank,
    /// To this quote, unless it is escaped.
    Quote(u8),
    /// To the end of the line.
    Line,
    /// To the next closing brace.
    Brace,
    /// To the next line that stands no deeper.
    Indent(usize),
    /// As long as lines of base64 follow.
    Base64,
    /// To the end of the text.
    End,
}

/// A claimed range of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
    pub(crate) rule: Cow<'static, str>,
    /// Set where the window ended before the hit did.
    pub(crate) open: Option<Until>,
}

impl Hit {
    pub(crate) fn new(range: Range<usize>, kind: Kind, rule: &'static str) -> Hit {
        Hit { range, kind, rule: Cow::Borrowed(rule), open: None }
    }
}

/// Makes one hit of those that overlap or touch: the earliest stage names it, within a stage the one that begins first.
/// Markers are opaque: what lies in one is given back. Ends are moved outward to character boundaries.
pub(crate) fn merge(text: &[u8], mut hits: Vec<Hit>, markers: &[Range<usize>]) -> Vec<Hit> {
    if hits.is_empty() {
        return hits;
    }
    for hit in &mut hits {
        while hit.range.start > 0 && is_continuation(text, hit.range.start) {
            hit.range.start -= 1;
        }
        while hit.range.end < text.len() && is_continuation(text, hit.range.end) {
            hit.range.end += 1;
        }
    }
    let mut hits = if markers.is_empty() { hits } else { subtract(hits, markers) };
    hits.retain(|hit| !hit.range.is_empty());
    hits.sort_by_key(|hit| (hit.range.start, hit.kind, hit.range.end));
    let mut merged: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match merged.last_mut() {
            Some(last) if hit.range.start <= last.range.end => {
                if hit.range.end >= last.range.end {
                    last.open = hit.open.or(if hit.range.end == last.range.end { last.open } else { None });
                    last.range.end = hit.range.end;
                }
                if hit.kind < last.kind {
                    last.kind = hit.kind;
                    last.rule = hit.rule;
                }
            }
            _ => merged.push(hit),
        }
    }
    merged
}

fn is_continuation(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80)
}

fn subtract(hits: Vec<Hit>, markers: &[Range<usize>]) -> Vec<Hit> {
    let mut pieces = Vec::with_capacity(hits.len());
    for mut hit in hits {
        let first = markers.partition_point(|marker| marker.end <= hit.range.start);
        for marker in &markers[first..] {
            if marker.start >= hit.range.end {
                break;
            }
            if hit.range.start < marker.start {
                let mut piece = hit.clone();
                piece.range.end = marker.start;
                piece.open = None;
                pieces.push(piece);
            }
            hit.range.start = marker.end.min(hit.range.end);
        }
        pieces.push(hit);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_hits_become_one_of_the_earliest_stage() {
        let text = b"0123456789012345678901234567890123456789";
        let hits = vec![
            Hit::new(0..5, Kind::UserPattern, "u"),
            Hit::new(5..9, Kind::ProviderToken, "p"),
            Hit::new(11..14, Kind::AuthHeader, "a"),
        ];
        let merged = merge(text, hits, &[]);
        assert_eq!(merged.len(), 2);
        assert_eq!((merged[0].range.clone(), merged[0].kind), (0..9, Kind::ProviderToken));
    }

    #[test]
    fn markers_are_given_back() {
        let text = b"aaaa[REDACTED:user]bbbb";
        let merged = merge(text, vec![Hit::new(0..23, Kind::PrivateKey, "k")], &crate::kind::markers(text));
        let ranges: Vec<_> = merged.iter().map(|hit| hit.range.clone()).collect();
        assert_eq!(ranges, [0..4, 19..23]);
    }
}
