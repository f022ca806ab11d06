//! Texts that say the same again and again: what led to nothing leads to nothing where all around it is the same.
//!
//! Without it a text of keys, of beginnings of tokens or of armour would have each of them judged, of which a megabyte holds
//! a hundred thousand.

use std::ops::Range;

use crate::assign::Passed;
use crate::literals::Found;

/// How much of a text must be the same before and behind a place: as far as anything is looked at there.
const BEFORE: usize = 600;
const AFTER: usize = 2600;
/// How far apart the same places may be.
const APART: usize = 1024;
/// How much more than that is compared at once, so that places near to each other need not be compared each.
const MORE: usize = 8 * 1024;
/// How many bytes are compared in one go.
const STEP: usize = 32;
/// How many literals are remembered.
const SLOTS: usize = 8;

/// The last places that led to nothing.
#[derive(Default)]
pub(crate) struct Repeats {
    slots: [Option<Place>; SLOTS],
}

/// A place that led to nothing.
struct Place {
    found: Found,
    /// The value that was let pass there, if one was.
    passed: Option<Passed>,
    /// Where the text is the same as so many bytes before.
    same: Range<usize>,
    shift: usize,
}

impl Repeats {
    /// Whether what stands at `found` has led to nothing before; then the value that was let pass there.
    pub(crate) fn again(&mut self, text: &[u8], found: Found) -> Option<Option<Passed>> {
        let place =
            self.slots[found.number() % SLOTS].as_mut().filter(|place| place.found.number() == found.number())?;
        let shift = found.start().checked_sub(place.found.start()).filter(|shift| (1..=APART).contains(shift))?;
        let needed = found.start().checked_sub(BEFORE)?..found.start() + AFTER;
        if needed.end > text.len() || needed.start < shift {
            return None;
        }
        if place.shift != shift || place.same.start > needed.start || place.same.end < found.start() {
            let same = |from: usize, to: usize| text[from..to] == text[from - shift..to - shift];
            // Mostly the first few bytes differ.
            if !same(found.start(), found.start() + STEP) || !same(needed.start, found.start()) {
                return None;
            }
            (place.shift, place.same) = (shift, needed.start..found.start());
        }
        if place.same.end < needed.end {
            let (from, to) = (place.same.end, text.len().min(needed.end + MORE));
            let steps = text[from..to].chunks(STEP).zip(text[from - shift..to - shift].chunks(STEP));
            place.same.end = to.min(from + steps.take_while(|(there, before)| there == before).count() * STEP);
        }
        if place.same.end < needed.end {
            return None;
        }
        place.found = found;
        if let Some((range, _, _)) = &mut place.passed {
            *range = range.start + shift..range.end + shift;
        }
        Some(place.passed.clone())
    }

    /// Remembers that what stands at `found` led to nothing but, perhaps, a value that was let pass.
    pub(crate) fn nothing(&mut self, found: Found, passed: Option<Passed>) {
        self.slots[found.number() % SLOTS] = Some(Place { found, passed, same: 0..0, shift: 0 });
    }
}

#[cfg(test)]
mod tests {
    use crate::Redactor;

    /// What breaks a repetition is found wherever it stands, as if nothing had been repeated.
    #[test]
    fn what_stands_among_repetitions_is_found() {
        let redactor = Redactor::builder().build().unwrap();
        let token = format!("gh{}_{}", "p", "x8KqT2mWz5RvB7nLc3JdY9sHfG4pAeU6oQ1i");
        for unit in [
            "token=x ",
            "password=\"",
            "Bearer ",
            "Cookie: a ",
            "sk-",
            "key = b\n",
            "://",
            "-----END RSA PRIVATE KEY-----",
        ] {
            for secret in [format!("\npassword='Zx81-q-made-up!' {token} "), format!("\n{token}\n")] {
                let many = unit.repeat(8000 / unit.len());
                let redacted = redactor.redact(&format!("{many}{secret}{many}")).unwrap();
                let shown = redacted.text.as_str();
                assert!(!shown.contains(&token) && !shown.contains("Zx81"), "{unit}");
            }
        }
    }
}
