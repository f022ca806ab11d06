//! Tests that make sure of a token where they hold. One that does not hold says nothing: a token may be older than its
//! provider's checksums, or end where nobody looked for its end.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// How a token is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// The last six characters are the CRC-32 of what stands between the prefix's `_` and them, in base 62.
    Base62Crc,
    /// It is base64 of text with a colon inside, as in Basic credentials.
    UserPass,
}

impl Check {
    /// Whether the test of `token`, prefix and all, holds.
    pub(super) fn holds(self, token: &[u8]) -> bool {
        match self {
            Check::Base62Crc => {
                let Some(underscore) = memchr::memrchr(b'_', token) else { return false };
                let body = &token[underscore + 1..];
                let Some(split) = body.len().checked_sub(6).filter(|split| *split >= 20) else { return false };
                let (random, sum) = body.split_at(split);
                base62(sum) == Some(u64::from(crc32(random)))
            }
            Check::UserPass => {
                let bare = token.len() - token.iter().rev().take_while(|byte| **byte == b'=').count();
                let said = STANDARD_NO_PAD.decode(&token[..bare]);
                let text = |said: &[u8]| said.iter().all(|byte| matches!(byte, b' '..=b'~'));
                said.is_ok_and(|said| said.iter().skip(1).any(|byte| *byte == b':') && text(&said))
            }
        }
    }
}

/// The number that base-62 digits (`0-9A-Za-z`) say.
fn base62(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0_u64, |sum, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            _ => return None,
        };
        Some(sum * 62 + u64::from(digit))
    })
}

/// The CRC-32 that Ethernet and zip use.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_holds_or_does_not() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        let random = b"q7Zx2mK9vR4tB8wN3cY6hJ5pL1sD0f";
        let mut sum = u64::from(crc32(random));
        let mut digits = [b'0'; 6];
        for digit in digits.iter_mut().rev() {
            *digit = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[(sum % 62) as usize];
            sum /= 62;
        }
        let token = [&b"ghp_"[..], random, &digits].concat();
        assert!(Check::Base62Crc.holds(&token));
        assert!(!Check::Base62Crc.holds(&token[..token.len() - 1]));
        assert!(!Check::Base62Crc.holds(b"ghp_short"));
        assert!(Check::UserPass.holds(b"dXNlcjptYWRlLXVwLTk4NzY1"));
        assert!(!Check::UserPass.holds(b"implementations") && !Check::UserPass.holds(b"QmFzaWNBdXRoZW50aWNhdGlvbg=="));
    }
}
