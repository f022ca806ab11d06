//! Objects of Kubernetes in JSON, at any level of escaping.

use super::Object;
use crate::value::Quote;

/// The JSON object whose member at `at` (behind its quote) holds data.
pub(super) fn object(text: &[u8], at: usize, braces: &mut Braces, work: &mut usize) -> Option<Object> {
    let quote = {
        let slashes = text[..at - 1].iter().rev().take(8).take_while(|byte| **byte == b'\\').count();
        Quote { mark: text[at - 1], slashes }
    };
    if quote.mark != b'"' {
        return None;
    }
    let len = text[at..].iter().take(12).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let mut open = at + len + quote.len();
    open += text[open.min(text.len())..]
        .iter()
        .take(16)
        .take_while(|byte| byte.is_ascii_whitespace() || **byte == b':')
        .count();
    if text.get(open) != Some(&b'{') {
        return None;
    }
    if *work == 0 {
        let end = memchr::memchr(b'}', &text[open..]).map_or(text.len(), |len| open + len);
        return Some(Object { start: at, whole: at..end, data: open..end, json: Some(quote), depth: 0, open: false });
    }
    let Some(start) = backward(text, at - 1 - quote.slashes) else {
        *work = work.saturating_sub(at.min(64 * 1024));
        return None;
    };
    let (data, whole) = braces.ends(text, start, open, quote);
    let end = whole.unwrap_or(text.len());
    *work = work.saturating_sub(end - start);
    Some(Object {
        start,
        whole: start..end,
        data: open..data.unwrap_or(text.len()),
        json: Some(quote),
        depth: 0,
        open: whole.is_none(),
    })
}

/// The brace that opens the object in which `at` stands.
fn backward(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    let mut inside = false;
    let from = at.saturating_sub(64 * 1024);
    for index in memchr::memrchr3_iter(b'"', b'{', b'}', &text[from..at]).map(|index| from + index) {
        match text[index] {
            b'"' => inside = !inside,
            b'}' if !inside => depth += 1,
            b'{' if !inside && depth == 0 => return Some(index),
            b'{' if !inside => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The braces of a text from one on that no string holds, up to where that one is closed.
#[derive(Default)]
pub(super) struct Braces {
    quote: Option<Quote>,
    all: Vec<Brace>,
}

/// Of these there may be very many.
struct Brace {
    open: u32,
    /// Behind the one that closes it, or 0.
    close: u32,
    /// Which of them it stands in; the first in itself.
    around: u32,
}

impl Brace {
    fn end(&self) -> Option<usize> {
        (self.close > 0).then_some(self.close as usize)
    }
}

impl Braces {
    /// Where the object that begins at `open` ends, and where the one around it does, which begins at `start`. Braces that
    /// were followed once are not followed again, since many may be open to the text's end.
    fn ends(&mut self, text: &[u8], start: usize, open: usize, quote: Quote) -> (Option<usize>, Option<usize>) {
        if self.quote != Some(quote) || self.find(open).is_none() {
            self.follow(text, start, quote);
        }
        if let Some(brace) = self.find(open) {
            return (brace.end(), brace.end().and(self.all[brace.around as usize].end()));
        }
        let data = forward(text, open + 1, quote);
        (data, data.and_then(|end| forward(text, end, quote)))
    }

    /// The brace at `open`, if the one around it is known too.
    fn find(&self, open: usize) -> Option<&Brace> {
        let index = self.all.binary_search_by_key(&open, |brace| brace.open as usize).ok()?;
        self.all.get(index).filter(|_| index > 0)
    }

    fn follow(&mut self, text: &[u8], start: usize, quote: Quote) {
        self.quote = Some(quote);
        self.all.clear();
        self.all.push(Brace { open: start as u32, close: 0, around: 0 });
        let mut inner = 0_u32;
        walk(text, start + 1, quote, |at, opens| {
            if opens {
                let around = std::mem::replace(&mut inner, self.all.len() as u32);
                self.all.push(Brace { open: at as u32, close: 0, around });
                return true;
            }
            let brace = &mut self.all[inner as usize];
            brace.close = at as u32 + 1;
            std::mem::replace(&mut inner, brace.around) > 0
        });
    }
}

/// Where the object ends in which `from` stands.
fn forward(text: &[u8], from: usize, quote: Quote) -> Option<usize> {
    let (mut depth, mut end) = (1, None);
    walk(text, from, quote, |at, opens| {
        depth = if opens { depth + 1 } else { depth - 1 };
        end = (depth == 0).then_some(at + 1);
        depth > 0
    });
    end
}

/// How far a quote or brace is near.
const NEAR: usize = 16;

/// Gives `each` the braces behind `from` that no string holds, and whether they open, as long as it wants more.
fn walk(text: &[u8], from: usize, quote: Quote, mut each: impl FnMut(usize, bool) -> bool) {
    let mut inside = false;
    let rest = text.get(from..).unwrap_or_default();
    let sign = |byte: u8| matches!(byte, b'"' | b'{' | b'}');
    let mut at = 0;
    // Where one stands others stand near, so that to set out for each would take longer.
    while let Some(index) = match rest[at..].iter().take(NEAR).position(|byte| sign(*byte)) {
        Some(len) => Some(at + len),
        None => {
            let from = rest.len().min(at + NEAR);
            memchr::memchr3(b'"', b'{', b'}', &rest[from..]).map(|len| from + len)
        }
    } {
        at = index + 1;
        match rest[index] {
            b'"' => {
                let slashes = rest[..index].iter().rev().take_while(|byte| **byte == b'\\').count();
                if slashes == quote.slashes || (quote.slashes == 0 && slashes % 2 == 0) {
                    inside = !inside;
                }
            }
            byte if !inside && !each(from + index, byte == b'{') => return,
            _ => {}
        }
    }
}
