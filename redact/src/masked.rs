//! A part of a text as it will stand, with the markers in place, and where each of its bytes comes from.

use std::ops::Range;

use crate::hit::Hit;

/// A part of a text with its hits replaced.
pub(crate) struct Masked {
    pub(crate) text: Vec<u8>,
    /// Where in `text` the pieces between markers begin, and what they are of the original; in order.
    pieces: Vec<(usize, Range<usize>)>,
}

impl Masked {
    /// `part` of `text`. The hits are in order, apart from each other, and none begins behind the part.
    pub(crate) fn new(text: &[u8], part: Range<usize>, hits: &[Hit]) -> Masked {
        let mut masked = Masked { text: Vec::with_capacity(part.len()), pieces: Vec::with_capacity(hits.len() + 1) };
        let mut at = part.start;
        for hit in hits {
            masked.piece(text, at..hit.range.start.max(at));
            masked.text.extend_from_slice(hit.kind.marker().as_bytes());
            at = hit.range.end;
        }
        masked.piece(text, at.min(part.end)..part.end.max(at));
        masked
    }

    fn piece(&mut self, text: &[u8], range: Range<usize>) {
        self.pieces.push((self.text.len(), range.clone()));
        self.text.extend_from_slice(&text[range]);
    }

    /// What a range of the masked text is of the original, without what lies in markers.
    pub(crate) fn origins(&self, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = self.pieces.partition_point(|(offset, piece)| offset + piece.len() <= range.start);
        let (start, end) = (range.start, range.end);
        self.pieces[first..].iter().take_while(move |(offset, _)| *offset < end).filter_map(move |(offset, piece)| {
            let (low, high) = (start.max(*offset), end.min(offset + piece.len()));
            (low < high).then(|| piece.start + low - offset..piece.start + high - offset)
        })
    }

    /// Hits in the masked text as hits of the original; `len` is the original's length.
    pub(crate) fn bring_back(&self, hits: Vec<Hit>, len: usize) -> Vec<Hit> {
        let mut back = Vec::with_capacity(hits.len());
        for hit in hits {
            for range in self.origins(&hit.range) {
                let open = hit.open.filter(|_| range.end == len);
                back.push(Hit { range, kind: hit.kind, rule: hit.rule.clone(), open });
            }
        }
        back
    }
}
