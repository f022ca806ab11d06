//! Stage 5: which part of a header's value is the credential.

use std::ops::Range;

use super::Assignments;
use crate::hit::{Hit, Until};
use crate::key::Class;
use crate::kind::{self, Kind};
use crate::value::{Quote, skip_blanks};
use crate::words::{is_expression, is_name, is_prose, is_stand_in};

/// How much of a header's value is judged; one that is longer at the end of a window may go on behind it.
const MARGIN: usize = 1024;

impl Assignments {
    /// A header's value: all of it but a scheme's name.
    pub(super) fn header(&mut self, text: &[u8], key: Range<usize>, at: usize, class: Class, hits: &mut Vec<Hit>) {
        let mut at = at;
        // Lists, as Go and Python print headers.
        while matches!(text.get(at), Some(b'[' | b'(')) {
            at = skip_blanks(text, at + 1);
        }
        let (start, end, open) = match Quote::read(text, at) {
            Some(_) => match self.reader.read(text, at) {
                Some(value) => (value.range.start, value.range.end, value.open),
                None => return,
            },
            None => {
                // The quote that is open before the key closes the value.
                let around = text[key.start.saturating_sub(12)..key.start].iter().rev().copied();
                let enclosing =
                    around.take_while(|byte| *byte != b'\n').find(|byte| matches!(byte, b'"' | b'\'' | b'`'));
                let mut end = self.line_end(text, at);
                let line = end < text.len();
                if let Some(mark) = enclosing
                    && let Some(len) = memchr::memchr(mark, &text[at..end])
                {
                    end = at + len;
                    end -= text[at..end].iter().rev().take_while(|byte| **byte == b'\\').count();
                } else if text[..key.start].ends_with(b"[") || text[..at].ends_with(b"[") {
                    end = memchr::memchr(b']', &text[at..end]).map_or(end, |len| at + len);
                }
                let open = (end == text.len() && !line && end - at >= MARGIN).then_some(Until::Line);
                (at, end, open)
            }
        };
        let value = &text[start..end];
        let head = &value[..value.len().min(MARGIN)];
        let Some(part) = credential(head, class, open.is_none()) else { return };
        let ends = if part.end == head.len() { end } else { start + part.end };
        self.claimed = ends;
        let mut hit = Hit::new(
            start + part.start..ends,
            Kind::AuthHeader,
            if class == Class::Cookie { "cookie" } else { "auth-header" },
        );
        hit.open = open.filter(|_| ends == end);
        hits.push(hit);
    }
}

/// Which part of a header's value is the credential, if any.
pub(super) fn credential(value: &[u8], class: Class, whole: bool) -> Option<Range<usize>> {
    let trimmed = value.trim_ascii_end();
    let lead = value.len() - value.trim_ascii_start().len();
    if trimmed.len() <= lead || memchr::memmem::find(trimmed, kind::OPENING).is_some() {
        return None;
    }
    let body = &trimmed[lead..];
    if class == Class::Cookie {
        let pair = memchr::memchr(b'=', body).is_some_and(|at| at > 0 && !body[at - 1].is_ascii_whitespace());
        return (pair && !is_stand_in(body)).then_some(lead..trimmed.len());
    }
    let word = body.iter().position(|byte| *byte == b' ').unwrap_or(body.len());
    let scheme =
        word < body.len() && word <= 24 && body[..word].iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    let from = if scheme { word + body[word..].iter().take_while(|byte| **byte == b' ').count() } else { 0 };
    let secret = &body[from..];
    if secret.is_empty()
        || is_stand_in(secret)
        || secret.iter().any(|byte| matches!(byte, b'{' | b'}')) && secret.contains(&b'$')
    {
        return None;
    }
    // `authorization: *mut AuthorizationRef`
    if matches!(body[0], b'*' | b'&') || is_expression(body) {
        return None;
    }
    let known = [&b"bearer"[..], b"basic", b"token", b"apikey", b"bot", b"negotiate", b"ntlm"]
        .contains(&body[..word].to_ascii_lowercase().as_slice());
    // A scheme of one token ends with it; others (Digest, AWS4-HMAC-SHA256, OAuth, Hawk) have parameters.
    let len = if known && scheme {
        secret
            .iter()
            .position(|b| matches!(b, b' ' | b',' | b'"' | b'\'' | b']' | b'}' | b')' | b'\\' | b'<'))
            .unwrap_or(secret.len())
    } else {
        secret.len()
    };
    let token = &secret[..len];
    let has = |test: fn(&u8) -> bool| token.iter().any(test);
    let random = has(u8::is_ascii_digit)
        || (known && token.len() >= 12 && !is_name(token))
        || token.len() >= 20 && !is_prose(token) && !is_name(token)
        || token.ends_with(b"=");
    let calls =
        !known && (is_prose(token) || token.contains(&b'(')) || token.starts_with(b"{") && token.contains(&b'(');
    (random && !calls && token.len() >= 6 || !whole && token.len() > 20).then_some(lead + from..lead + from + len)
}
