//! The time that a caller allows: the `grpc-timeout` header.

use std::time::Duration;

use tonic::codegen::http::HeaderMap;

/// How much earlier than the caller's deadline ours falls at most, so that the caller still gets our word for it, and not
/// only the transport's. A tenth of a short one.
const EARLY: Duration = Duration::from_millis(50);

/// The time that the header allows: at most 8 digits and a unit. One that is malformed counts as none, as in other
/// implementations.
pub(super) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("grpc-timeout")?.to_str().ok()?;
    let unit = text.chars().next_back()?;
    let digits = text.strip_suffix(unit)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    let time = match unit {
        'H' => Duration::from_secs(number * 3600),
        'M' => Duration::from_secs(number * 60),
        'S' => Duration::from_secs(number),
        'm' => Duration::from_millis(number),
        'u' => Duration::from_micros(number),
        'n' => Duration::from_nanos(number),
        _ => return None,
    };
    Some(time - EARLY.min(time / 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("grpc-timeout", text.parse().unwrap());
            asked(&headers)
        };
        assert_eq!(read("2S"), Some(Duration::from_millis(1950)));
        assert_eq!(read("1H"), Some(Duration::from_secs(3600) - EARLY));
        assert_eq!(read("80m"), Some(Duration::from_millis(72)));
        assert_eq!(read("0n"), Some(Duration::ZERO));
        for bad in ["", "S", "1", "1x", "123456789S", "+1S", "1.5S", "-1S"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        assert_eq!(asked(&HeaderMap::new()), None);
    }
}
