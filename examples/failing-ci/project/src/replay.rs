//! Replays a day of postings, as the nightly job does.

/// A posting of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    pub id: u32,
    pub account: u32,
    pub cents: i64,
}

/// A day's postings, always the same ones.
pub fn day() -> impl Iterator<Item = Posting> {
    (1..=640).map(|id: u32| {
        let mixed = id.wrapping_mul(2_654_435_761);
        Posting { id, account: 1000 + mixed % 97, cents: i64::from(mixed % 500_000) - 250_000 }
    })
}

/// The balance of one account after the day.
pub fn balance(account: u32) -> i64 {
    day().filter(|posting| posting.account == account).map(|posting| posting.cents).sum()
}
