//! Moments as Dossier writes them: RFC 3339, UTC, whole seconds.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment in whole seconds, from year 1 to year 9999. Fractions are cut, not rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

/// A text is no moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a moment: it must be RFC 3339 with a year from 1 to 9999, such as 2026-07-12T12:10:00Z")]
pub struct ParseMomentError;

impl Moment {
    /// A moment from seconds since 1970-01-01T00:00:00Z.
    ///
    /// # Errors
    /// [`ParseMomentError`] outside of the years 1 to 9999.
    pub fn from_seconds(seconds: i64) -> Result<Self, ParseMomentError> {
        if (-62_135_596_800..253_402_300_800).contains(&seconds) { Ok(Self(seconds)) } else { Err(ParseMomentError) }
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = DateTime::<Utc>::from_timestamp(self.0, 0).unwrap_or_default();
        f.write_str(&text.to_rfc3339_opts(SecondsFormat::Secs, true))
    }
}

impl FromStr for Moment {
    type Err = ParseMomentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time = DateTime::parse_from_rfc3339(text).map_err(|_| ParseMomentError)?;
        Self::from_seconds(time.timestamp())
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_utc_and_fractions_are_cut() {
        let moment: Moment = "2026-07-12T14:10:59.999+02:00".parse().unwrap();
        assert_eq!(moment.to_string(), "2026-07-12T12:10:59Z");
        assert!("2026-07-12 14:10".parse::<Moment>().is_err());
        assert!(Moment::from_seconds(i64::MAX).is_err());
        assert_eq!(Moment::from_seconds(253_402_300_799).map(|m| m.to_string()), Ok("9999-12-31T23:59:59Z".to_owned()));
    }
}
