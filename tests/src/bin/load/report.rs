//! Medians and ratios.

use std::time::Duration;

/// The table's head.
pub(crate) const HEAD: &str = "| engine | what | at once | through the server | straight at the store | ratio |\n\
                               | --- | --- | --- | --- | --- | --- |";

/// Times of one side.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Takes a time note.
    pub(crate) fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The middle one.
    pub(crate) fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

/// Prints a line: the median time of one item on each side, and their ratio.
pub(crate) fn line(engine: &str, what: &str, writers: usize, batch: usize, server: &Times, store: &Times) {
    let each = |times: &Times| times.median().as_secs_f64() * 1e3 / f64::from(u32::try_from(batch).unwrap_or(1));
    let (through, straight) = (each(server), each(store));
    println!("| {engine} | {what} | {writers} | {through:.2} ms | {straight:.2} ms | {:.2} × |", through / straight);
}
