//! Keeps an error small: common clients refuse trailers over 8 KiB, and base64 makes four bytes of three.

/// The most that details may take, in bytes.
pub(super) const DETAILS: usize = 4096;
/// The most that a message may take, in bytes. It stands in the details once more.
const MESSAGE: usize = 400;
/// The most that one text of the details may take, in bytes.
const TEXT: usize = 400;
/// What is left for the entries of a list, after the message and the fixed parts.
const LIST: usize = DETAILS - MESSAGE - 800;
/// What an entry takes beside its texts, in bytes: tags and lengths.
const OVERHEAD: usize = 16;

/// `text`, cut on a character boundary where it is over the limit.
pub(super) fn clip(text: &str) -> String {
    cut(text, TEXT)
}

/// A message, cut on a character boundary where it is over the limit, on one line.
pub(super) fn message(text: &str) -> String {
    cut(&text.replace(['\n', '\r'], " "), MESSAGE)
}

/// The first of `items` that fit in the details, of which `size` gives the bytes of texts. At least one, as texts are cut.
pub(super) fn fitting<T>(items: &[T], size: impl Fn(&T) -> usize) -> &[T] {
    let mut left = LIST;
    let fit = items.iter().take_while(|item| {
        let bytes = size(item).min(2 * TEXT + 64) + OVERHEAD;
        let fits = bytes <= left;
        left = left.saturating_sub(bytes);
        fits
    });
    let count = fit.count();
    items.get(..count).unwrap_or(items)
}

fn cut(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(limit - '…'.len_utf8())])
}
