//! Stage 2: passwords in the userinfo of URLs.

use crate::hit::Hit;
use crate::kind::{Kind, OPENING};
use crate::words::{entropy, is_stand_in};

/// The longest authority that is looked at.
const AUTHORITY: usize = 512;
/// How far behind a `/`, `?` or `#` of a password an `@` is looked for.
const BEHIND: usize = 96;

/// Judges the authority behind the `://` at `at`; returns where it was looked at up to.
pub(crate) fn userinfo(text: &[u8], at: usize, hits: &mut Vec<Hit>) -> usize {
    let start = at + 3;
    let rest = &text[start.min(text.len())..text.len().min(start + AUTHORITY)];
    // A password may hold `/`, `?` or `#` unescaped: the last `@` before a blank decides, if no `@` stands before them.
    let soft = rest.iter().position(|byte| ENDS[usize::from(*byte)]).unwrap_or(rest.len());
    let head = &rest[..soft];
    if memchr::memchr(b'@', &rest[..rest.len().min(soft + BEHIND)]).is_none() {
        return start + soft;
    }
    let end = match memchr::memrchr(b'@', head) {
        Some(end) => end,
        None => {
            // `scheme://user:pa/ss@host`: only where a user and a colon stand before, and it is no port.
            let colon = memchr::memchr(b':', head);
            let port = colon.is_none_or(|colon| head[colon + 1..].iter().all(u8::is_ascii_digit));
            if port {
                return start + soft;
            }
            let behind = &rest[soft..rest.len().min(soft + BEHIND)];
            let hard = soft + behind.iter().position(|byte| is_hard(*byte)).unwrap_or(behind.len());
            match memchr::memrchr(b'@', &rest[..hard]) {
                Some(end) => end,
                None => return start + soft,
            }
        }
    };
    let info = &rest[..end];
    if memchr::memmem::find(info, OPENING).is_some() {
        return start + end;
    }
    let (from, rule) = match memchr::memchr(b':', info) {
        Some(colon) => (colon + 1, "url-password"),
        // A token alone before the `@`.
        None if info.len() >= 16 && info.iter().any(u8::is_ascii_digit) && entropy(info) > 3.0 => (0, "url-token"),
        None => return start + end,
    };
    let secret = &info[from..];
    let oauth = secret == b"x-oauth-basic" || secret == b"x-access-token";
    if oauth {
        let user = &info[..from - 1];
        if user.len() >= 16 && !is_stand_in(user) {
            hits.push(Hit::new(start..start + user.len(), Kind::SecretPattern, "url-token"));
        }
    } else if !secret.is_empty() && !is_stand_in(secret) && !secret.starts_with(b"$") && !secret.starts_with(b"%s") {
        hits.push(Hit::new(start + from..start + end, Kind::SecretPattern, rule));
    }
    start + end
}

/// What ends an authority even where a password is not escaped.
const fn is_hard(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'(' | b')' | b'|')
}

/// What ends an authority.
const ENDS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_hard(byte as u8) || matches!(byte as u8, b'/' | b'?' | b'#');
        byte += 1;
    }
    table
};
