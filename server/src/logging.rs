//! The log: lines on stderr, for people or as JSON.
//!
//! Other crates are capped at warnings whatever the filter says: HTTP and TLS libraries print headers and bytes at their
//! finer levels. A panic's own words are not logged, since they may quote what was being worked on; its place is.

use std::cell::RefCell;
use std::io;

use tracing::Level;
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, LevelFilter, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::{SubscriberInitExt as _, TryInitError};

use crate::config::{LogConfig, LogFormat};

/// Whether a text is a filter: a level, or directives. A word alone that is no level would be taken for a target whose lines are
/// all wanted, and nothing else would be logged: it is refused.
#[must_use]
pub fn is_filter(text: &str) -> bool {
    let mut words = text.split(',').map(str::trim).filter(|part| !part.is_empty() && !part.contains(['=', '[']));
    EnvFilter::try_new(text).is_ok() && words.all(|word| word.parse::<LevelFilter>().is_ok())
}

/// Starts logging, and sees to it that a panic is logged by its place alone.
///
/// # Errors
/// [`TryInitError`] where this process logs already.
pub fn init(config: &LogConfig) -> Result<(), TryInitError> {
    let filter = EnvFilter::try_new(&config.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let filter = filter.and(filter_fn(|meta| *meta.level() <= most(meta.target())));
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
    let lines = match config.format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(lines.with_filter(filter)).try_init()?;
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        tracing::error!(place, "panic");
        PLACE.with_borrow_mut(|last| *last = place);
    }));
    Ok(())
}

/// The finest level that a target has, whatever the filter says. What the AWS SDK warns of comes back to us as errors.
fn most(target: &str) -> Level {
    match target {
        ours if is_ours(ours) => Level::TRACE,
        sdk if sdk.starts_with("aws_") => Level::ERROR,
        _ => Level::WARN,
    }
}

fn is_ours(target: &str) -> bool {
    target == "dossierd" || target.starts_with("dossier_")
}

thread_local! {
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Where this thread panicked last; empty where it did not.
pub(crate) fn last_panic() -> String {
    PLACE.with_borrow_mut(std::mem::take)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_and_others() {
        assert!(is_ours("dossier_server::serve") && is_ours("dossier_store"));
        assert!(!is_ours("h2::codec") && !is_ours("aws_smithy_runtime") && !is_ours("dossier"));
    }

    #[test]
    fn the_sdk_is_capped() {
        assert_eq!(most("aws_config::meta::region"), Level::ERROR);
        assert_eq!((most("h2::codec"), most("dossierd")), (Level::WARN, Level::TRACE));
    }

    #[test]
    fn filters() {
        assert!(is_filter("info,dossier_server=trace") && is_filter("off"));
        assert!(!is_filter("dossier_server=loud") && !is_filter("verbose") && !is_filter("info,verbose"));
    }
}
