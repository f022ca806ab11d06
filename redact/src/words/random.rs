//! How random a word looks: whether chance made it, or somebody who meant something.

/// Shannon entropy in bits a byte.
pub(crate) fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value {
        counts[usize::from(*byte)] += 1;
    }
    let total = value.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total).map(|p| -p * p.log2()).sum()
}

/// Whether letters are mixed as only chance mixes them: a digit among them, or capitals that begin no words.
pub(crate) fn is_mixed(value: &[u8]) -> bool {
    let pairs = value.windows(2).filter(|pair| pair.iter().all(u8::is_ascii_uppercase)).count();
    value.iter().any(u8::is_ascii_digit) || pairs >= 2 && humps(value) >= 3
}

/// How often a capital follows a small letter.
fn humps(value: &[u8]) -> usize {
    value.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count()
}

/// Whether `value`, letters and digits, changes between kinds of characters as names do not.
pub(crate) fn is_random(value: &[u8]) -> bool {
    if value.len() < 8 {
        return false;
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let borders = value
        .windows(2)
        .filter(|pair| {
            pair.iter().all(u8::is_ascii_alphanumeric) && pair[0].is_ascii_digit() != pair[1].is_ascii_digit()
        })
        .count();
    jumps(value) || digits >= 3 && borders >= 4 || digits > 0 && is_shuffled(value) || is_mute(value)
}

/// Whether the kind of character changes every other time, or capitals stand in several runs among small letters.
fn is_shuffled(value: &[u8]) -> bool {
    let kind = |byte: u8| (byte.is_ascii_uppercase(), byte.is_ascii_digit());
    let changes = value.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
    let runs = value.split(|byte| !byte.is_ascii_uppercase()).filter(|run| run.len() > 1).count();
    value.len() >= 16
        && value.iter().any(u8::is_ascii_lowercase)
        && value.iter().all(u8::is_ascii_alphanumeric)
        && (changes * 2 >= value.len() && runs > 0 || runs >= 2 && humps(value) >= 2)
}

/// Whether upper and lower case change as they do in random text.
pub(crate) fn jumps(value: &[u8]) -> bool {
    let humps = humps(value);
    value.len() >= 20 && humps * 4 >= value.len() || value.len() >= 12 && humps >= 3 && mute_pieces(value) >= 3
}

/// How many of the pieces between humps, digits and marks have several letters and no vowel.
fn mute_pieces(value: &[u8]) -> usize {
    let (mut mute, mut letters, mut vowel) = (0, 0, false);
    for (index, byte) in value.iter().enumerate() {
        let hump = byte.is_ascii_uppercase() && index > 0 && value[index - 1].is_ascii_lowercase();
        if !byte.is_ascii_alphabetic() || hump {
            mute += usize::from(letters > 1 && !vowel);
            (letters, vowel) = (0, false);
        }
        if byte.is_ascii_alphabetic() {
            letters += 1;
            vowel |= is_vowel(*byte);
        }
    }
    mute + usize::from(letters > 1 && !vowel)
}

/// Whether a run of small letters cannot be spoken.
fn is_mute(value: &[u8]) -> bool {
    if !value.iter().all(u8::is_ascii_lowercase) {
        return false;
    }
    let vowels = value.iter().filter(|byte| is_vowel(**byte)).count();
    let longest = value.split(|byte| is_vowel(*byte)).map(<[u8]>::len).max().unwrap_or(0);
    longest >= 7 || vowels * 7 < value.len()
}

fn is_vowel(byte: u8) -> bool {
    b"aeiouyAEIOUY".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_look_random() {
        for text in [
            "getAccessTokenFromHeader",
            "isInDbOrNot",
            "HTTP_TLS_SSL_MODE",
            "http-proxy-grpc",
            "lengthscale",
            "x509cert",
        ] {
            assert!(!is_random(text.as_bytes()), "{text}");
        }
        for text in ["YXNkZmZmZmZm_HARDcoded", "a1b2c3d4e5", "kxqzpltrvb", "qJzXbWmKpRtVnLsDfGhC"] {
            assert!(is_random(text.as_bytes()), "{text}");
        }
    }
}
