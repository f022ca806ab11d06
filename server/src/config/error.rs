//! What is wrong with a configuration.

use std::fmt;

/// Everything that is wrong with a configuration, each as where and what. Never a value: a key could hold by mistake what
/// belongs elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    problems: Vec<String>,
}

impl ConfigError {
    /// One thing that is wrong.
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problems: vec![problem.into()] }
    }

    /// All that is wrong; `Ok` where nothing is.
    pub(super) fn all(problems: Vec<String>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems }) }
    }

    /// What is wrong, one thing an entry.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the configuration is not valid: {}", self.problems.join("; "))
    }
}

impl std::error::Error for ConfigError {}
