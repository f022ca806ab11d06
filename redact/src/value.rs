//! Reading what stands behind a key: separators, quotes of any escaping, and where a value ends.

use std::ops::Range;

use crate::hit::Until;

/// A bare value that is longer than this at the end of a window may go on behind it.
const MARGIN: usize = 8 * 1024;

/// Where a value that began in an earlier window ends.
pub(crate) struct Stop {
    pub(crate) end: usize,
    pub(crate) open: bool,
}

/// Finds the end of a value that was cut by its window's end, from `at` on.
pub(crate) fn resume(text: &[u8], at: usize, until: Until) -> Stop {
    let rest = text.get(at..).unwrap_or_default();
    let len = match until {
        Until::Blank => rest.iter().position(|byte| ends_bare(*byte)),
        Until::Quote(quote) => memchr::memchr2(quote, b'\n', rest),
        Until::Line => memchr::memchr2(b'\n', b'\r', rest),
        Until::Base64 => rest.iter().position(|byte| !is_body(*byte)),
        Until::End => None,
        Until::Brace => memchr::memchr(b'}', rest),
        // The rest of the line that was cut goes along, whatever it begins with.
        Until::Indent(depth) => {
            let cut = at > 0 && text.get(at - 1) != Some(&b'\n');
            let next = if cut { memchr::memchr(b'\n', rest).map(|len| len + 1) } else { Some(0) };
            next.and_then(|next| dedent(&rest[next..], depth).map(|len| next + len))
        }
    };
    Stop { end: at + len.unwrap_or(rest.len()), open: len.is_none() }
}

/// Where the first line begins that stands no deeper than `depth`.
pub(crate) fn dedent(text: &[u8], depth: usize) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |len| at + len);
        let line = &text[at..end];
        if !line.trim_ascii().is_empty() && indent(line) <= depth {
            return Some(at);
        }
        at = end + 1;
    }
    None
}

/// How many blanks a line begins with.
pub(crate) fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Whether an unquoted value ends before this byte.
pub(crate) fn ends_bare(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'<' | b'>')
}

/// How long the unquoted value at the start of `rest` is. A `>` within a word ends none.
fn bare_run(rest: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let end = from + rest[from..].iter().position(|byte| ends_bare(*byte))?;
        let goes_on = rest[end] == b'>'
            && end > 0
            && !matches!(rest[end - 1], b'-' | b'=' | b'/')
            && rest.get(end + 1).is_some_and(|next| next.is_ascii_graphic() && !ends_bare(*next) && *next != b'&');
        if !goes_on {
            return Some(end);
        }
        from = end + 1;
    }
}

pub(crate) fn is_body(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\n' | b'\r' | b' ' | b'\t' | b'\\')
}

/// Skips blanks of one line, at most 64 of them.
pub(crate) fn skip_blanks(text: &[u8], at: usize) -> usize {
    at + text[at.min(text.len())..].iter().take(64).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// A quote with the backslashes before it, which are its level of escaping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    pub(crate) mark: u8,
    pub(crate) slashes: usize,
}

impl Quote {
    /// The quote at `at`, if one stands there.
    pub(crate) fn read(text: &[u8], at: usize) -> Option<Quote> {
        let slashes = text[at.min(text.len())..].iter().take(8).take_while(|byte| **byte == b'\\').count();
        let mark = *text.get(at + slashes)?;
        matches!(mark, b'"' | b'\'' | b'`').then_some(Quote { mark, slashes })
    }

    pub(crate) fn len(self) -> usize {
        self.slashes + 1
    }
}

/// A value that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) range: Range<usize>,
    pub(crate) quote: Option<Quote>,
    /// Set where the text ended before the value did.
    pub(crate) open: Option<Until>,
}

/// Quotes as XML and HTML write them.
const ENTITIES: [&[u8]; 4] = [b"&quot;", b"&apos;", b"&#34;", b"&#39;"];

/// Reads values of one text; remembers where bare ones end, so that many keys before one long value stay linear.
#[derive(Default)]
pub(crate) struct Reader {
    bare: Range<usize>,
}

impl Reader {
    /// The value at `at`: quoted, or bare up to a blank, a quote or an angle bracket.
    pub(crate) fn read(&mut self, text: &[u8], at: usize) -> Option<Value> {
        if let Some(quote) = Quote::read(text, at)
            && let Some(value) = quoted(text, at, quote)
        {
            return Some(value);
        }
        let mut start = at + Quote::read(text, at).map_or(0, Quote::len);
        // A quote as XML writes it.
        let entity = ENTITIES.iter().find(|entity| text[start.min(text.len())..].starts_with(entity));
        start += entity.map_or(0, |entity| entity.len());
        let end = self.bare_end(text, start);
        // What is shorter than a window's margin is whole, or will be looked at again with more text.
        let open = (end == text.len() && end - start >= MARGIN).then_some(Until::Blank);
        let end = if open.is_some() { end } else { start + bare_len(&text[start..end]) };
        (end > start).then_some(Value { range: start..end, quote: None, open })
    }

    pub(crate) fn bare_end(&mut self, text: &[u8], start: usize) -> usize {
        if !(self.bare.start <= start && start <= self.bare.end) {
            let len = bare_run(&text[start..]).unwrap_or(text.len() - start);
            self.bare = start..start + len;
        }
        self.bare.end
    }
}

fn quoted(text: &[u8], at: usize, quote: Quote) -> Option<Value> {
    let mut start = at + quote.len();
    // Three quotes are one.
    let triple = quote.slashes == 0 && text[start..].starts_with(&[quote.mark, quote.mark]);
    if triple
        && text.get(start + 2).is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b',' && *byte != quote.mark)
    {
        start += 2;
    }
    let mut from = start;
    let open = Value { range: start..text.len(), quote: Some(quote), open: Some(Until::Quote(quote.mark)) };
    loop {
        let Some(len) = memchr::memchr2(quote.mark, b'\n', &text[from..]) else {
            return (text.len() > start).then_some(open);
        };
        let end = from + len;
        if text[end] == b'\n' {
            return None;
        }
        let slashes = text[start..end].iter().rev().take_while(|byte| **byte == b'\\').count();
        // As many backslashes as at the opening close it; in a plain string an even number does.
        if slashes == quote.slashes || (quote.slashes == 0 && slashes % 2 == 0) || slashes < quote.slashes {
            let end = end - slashes.min(quote.slashes);
            return Some(Value { range: start..end, quote: Some(quote), open: None });
        }
        from = end + 1;
    }
}

/// How much of a bare word is the value: not the punctuation behind it, and not the next pair.
fn bare_len(word: &[u8]) -> usize {
    // A link's end in Markdown.
    let word = &word[..memchr::memmem::find(&word[..word.len().min(4096)], b")](").unwrap_or(word.len())];
    let mut end = word.len();
    for (at, byte) in word.iter().enumerate().take(4096) {
        // A line break that is written out, and what a next line begins with.
        if *byte == b'\\' && matches!(word.get(at + 1), Some(b'n' | b'r')) && at > 0 {
            let rest = &word[at + 2..];
            let name = rest.iter().take(64).take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte));
            let name = name.count();
            if rest.len() <= 2
                || b"\\-*#[{\"'".contains(&rest[0])
                || name > 1 && matches!(rest.get(name), Some(b'=' | b':'))
            {
                end = at;
                break;
            }
        }
        // What closes a list of pairs.
        if *byte == b')'
            && matches!(word.get(at + 1), Some(b',' | b';' | b']' | b')'))
            && unbalanced(&word[..=at], b'(', b')')
        {
            end = at;
            break;
        }
        if matches!(byte, b'&' | b';' | b',' | b'|') && at > 0 {
            let rest = &word[at + 1..];
            let name = rest
                .iter()
                .take(64)
                .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'%'))
                .count();
            if *byte == b'&' && (1..8).contains(&name) && rest.get(name) == Some(&b';')
                || name == rest.len() && name < 4
                || *byte == b';' && name == rest.len() && rest.first().is_some_and(u8::is_ascii_uppercase)
                || (name > 0 && matches!(rest.get(name), Some(b'=' | b':')))
            {
                end = at;
                break;
            }
        }
    }
    while end > 0 {
        let trimmed = match word[end - 1] {
            b',' | b';' | b'\\' | b'|' => true,
            // `token: Kind):`
            b':' => end > 1 && word[end - 2] == b')',
            b')' => unbalanced(&word[..end], b'(', b')'),
            b']' => unbalanced(&word[..end], b'[', b']'),
            b'}' => unbalanced(&word[..end], b'{', b'}'),
            _ => false,
        };
        if !trimmed {
            break;
        }
        end -= 1;
    }
    end
}

fn unbalanced(word: &[u8], open: u8, close: u8) -> bool {
    let word = &word[word.len().saturating_sub(1024)..];
    memchr::memchr_iter(close, word).count() > memchr::memchr_iter(open, word).count()
}
