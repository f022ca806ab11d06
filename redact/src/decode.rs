//! Bytes to text, visibly: what is not UTF-8 becomes U+FFFD (one a maximal subpart), a NUL becomes U+2400.

use crate::error::Error;

/// A NUL within this many first bytes means binary.
const BINARY_PREFIX: u64 = 8 * 1024;

/// Decodes a stream of bytes piece by piece; where it is cut makes no difference.
#[derive(Default)]
pub(crate) struct Decoder {
    /// The first bytes of a sequence that the next piece may complete; at most three.
    pending: Vec<u8>,
    /// Bytes decoded so far.
    seen: u64,
    invalid_bytes: u64,
    replaced: u64,
    /// Set where the bytes are typed as text already: then nothing is binary.
    lenient: bool,
    /// Set where offsets must stay: then a NUL stays too.
    verbatim: bool,
}

impl Decoder {
    /// A decoder for what is typed as text already.
    pub(crate) fn lenient() -> Decoder {
        Decoder { lenient: true, ..Decoder::default() }
    }

    /// A decoder that leaves all text as it is.
    pub(crate) fn verbatim() -> Decoder {
        Decoder { lenient: true, verbatim: true, ..Decoder::default() }
    }

    /// Sequences and NULs replaced so far.
    pub(crate) fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Appends what `bytes` say to `out`, but for a sequence that they leave open.
    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut String) -> Result<(), Error> {
        if self.pending.is_empty() {
            return self.decode(bytes, out);
        }
        // A few bytes settle what is pending; the rest is decoded in place.
        let take = bytes.len().min(4);
        let mut joined = std::mem::take(&mut self.pending);
        joined.extend_from_slice(&bytes[..take]);
        self.decode(&joined, out)?;
        if take == bytes.len() {
            return Ok(());
        }
        let rest = &bytes[take..];
        if self.pending.is_empty() {
            return self.decode(rest, out);
        }
        let mut joined = std::mem::take(&mut self.pending);
        joined.extend_from_slice(rest);
        self.decode(&joined, out)
    }

    /// Decodes what is still open, and judges the whole.
    pub(crate) fn finish(&mut self, out: &mut String) -> Result<(), Error> {
        let open = std::mem::take(&mut self.pending);
        if !open.is_empty() {
            self.seen += open.len() as u64;
            self.replace(open.len(), out);
        }
        if !self.lenient && self.invalid_bytes * 10 > self.seen {
            return Err(Error::Binary);
        }
        Ok(())
    }

    fn decode(&mut self, mut bytes: &[u8], out: &mut String) -> Result<(), Error> {
        loop {
            let error = match std::str::from_utf8(bytes) {
                Ok(text) => return self.text(text, out),
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            self.text(std::str::from_utf8(valid).unwrap_or_default(), out)?;
            let Some(len) = error.error_len() else {
                self.pending = rest.to_vec();
                return Ok(());
            };
            self.seen += len as u64;
            self.replace(len, out);
            bytes = &rest[len..];
        }
    }

    fn text(&mut self, text: &str, out: &mut String) -> Result<(), Error> {
        let mut copied = 0;
        if self.verbatim {
            out.push_str(text);
            return Ok(());
        }
        for nul in memchr::memchr_iter(0, text.as_bytes()) {
            if !self.lenient && self.seen + (nul as u64) < BINARY_PREFIX {
                return Err(Error::Binary);
            }
            out.push_str(&text[copied..nul]);
            out.push('\u{2400}');
            self.replaced += 1;
            copied = nul + 1;
        }
        out.push_str(&text[copied..]);
        self.seen += text.len() as u64;
        Ok(())
    }

    fn replace(&mut self, bytes: usize, out: &mut String) {
        self.invalid_bytes += bytes as u64;
        self.replaced += 1;
        out.push('\u{FFFD}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(pieces: &[&[u8]]) -> Result<(String, u64), Error> {
        let mut decoder = Decoder::default();
        let mut out = String::new();
        for piece in pieces {
            decoder.push(piece, &mut out)?;
        }
        decoder.finish(&mut out)?;
        Ok((out, decoder.replaced()))
    }

    #[test]
    fn cuts_make_no_difference_and_equal_the_standard_library() {
        let mut bytes = "plain text that is long enough, ü€😀 and so on and on. ".repeat(3).into_bytes();
        bytes.extend_from_slice(b"\xF0\x9F\x98 \xE2\x82x \xFF end \xF0\x9F");
        let whole = decode(&[&bytes]).unwrap();
        assert_eq!(whole.0, String::from_utf8_lossy(&bytes));
        assert_eq!(whole.1, 4);
        for cut in 0..bytes.len() {
            assert_eq!(decode(&[&bytes[..cut], &bytes[cut..]]).unwrap(), whole);
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(&single).unwrap(), whole);
    }

    #[test]
    fn binary_is_told_from_text() {
        assert_eq!(decode(&[b"a\0b"]), Err(Error::Binary));
        assert_eq!(decode(&[b"\xFF\xFF\xFF plain"]), Err(Error::Binary));
        let mut late = vec![b'a'; 8192];
        late.push(0);
        let (text, replaced) = decode(&[&late]).unwrap();
        assert!(text.ends_with("a\u{2400}"));
        assert_eq!(replaced, 1);
    }
}
