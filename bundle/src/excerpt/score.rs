//! Which of the lines that may be a cause is the one to repair first, and how telling the others are.

use super::held::{Cause, Gathered};
use super::recognizer::Table;

/// Causes that score so much less than the best count as good as it: of those the first stands for them, since what follows an
/// error is often its consequence.
const AS_GOOD: i32 = 8;

/// The causes of a failure.
pub(super) struct Ranking {
    /// The first actionable error, by its place in the list of causes.
    pub(super) first: Option<usize>,
    /// All, the most telling first.
    pub(super) order: Vec<usize>,
    /// The line at which the job failed, by its number in the text: what stands behind it cleans up.
    pub(super) exit: u64,
}

/// Ranks the causes that were gathered. A cause scores by
///
/// - what recognized it, which says how sure it is (0 to 100);
/// - whether the next line shows the place in the code;
/// - where it stands: within the step that failed, or else before it or behind the end of it;
/// - how near behind it a tool gives up or the job fails;
/// - how distinct it is: what was said in steps that went well, or many times, is seldom what made the job fail.
pub(super) fn rank<B>(gathered: &Gathered<B>, table: &Table) -> Ranking {
    // Behind a step that may fail others follow that can: then the last failure counts. Elsewhere only cleaning up follows.
    let first = gathered.exits.first().copied();
    let exit = first
        .filter(|first| table.row(first.row).id != "github-exit")
        .or_else(|| gathered.exits.iter().rfind(|exit| table.row(exit.row).id == "github-exit").copied());
    let exit = exit.map_or((gathered.end.ordinal, gathered.step), |exit| (exit.ordinal, exit.step));
    let scores: Vec<i32> = gathered.causes.iter().map(|cause| score(cause, exit, gathered, table)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(scores[*index]), *index));
    let best = order.first().map(|index| scores[*index]);
    let first = best.and_then(|best| scores.iter().position(|score| *score + AS_GOOD >= best));
    Ranking { first, order, exit: exit.0 }
}

fn score<B>(cause: &Cause, (exit, step): (u64, u64), gathered: &Gathered<B>, table: &Table) -> i32 {
    let weight = i32::from(table.row(cause.row).weight);
    let place = if cause.ordinal > exit {
        -40
    } else if cause.ordinal >= step {
        20
    } else {
        0
    };
    let next = gathered.stops.partition_point(|stop| stop.ordinal < cause.ordinal);
    let stop = gathered.stops.get(next).map_or(exit, |stop| stop.ordinal.min(exit));
    let near = match stop.saturating_sub(cause.ordinal) {
        0..=40 => 10,
        41..=200 => 6,
        201..=1000 => 3,
        _ => 0,
    };
    let worn = match cause.before {
        0 => 0,
        1..=3 => -2,
        _ => -8,
    };
    weight + place + near + worn + if cause.shown { 8 } else { 0 }
}
