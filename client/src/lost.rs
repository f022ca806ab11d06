//! Why a connection could not be made or broke, in words. Only kinds of errors go on: a peer's own words could be anything.

use std::error::Error;
use std::fmt;
use std::io;

use tonic::{Code, Status};

/// What kept a call from getting the server's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lost {
    /// Nobody listens at the address.
    Refused,
    /// The name of the host is not known.
    UnknownHost,
    /// The certificate is not trusted, for this reason.
    Untrusted(&'static str),
    /// It was called without TLS, and speaks it.
    SpeaksTls,
    /// It was called with TLS, and does not speak it.
    SpeaksNoTls,
    /// The time for it was over.
    Late,
    /// Anything else: the connection broke, the network is away.
    Broken,
}

impl Lost {
    /// What the status of a call tells; `None` where the server itself sent it.
    pub(crate) fn of(status: &Status) -> Option<Self> {
        let mut next = status.source();
        next?;
        let mut lost =
            if matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled) { Self::Late } else { Self::Broken };
        while let Some(error) = next {
            if let Some(kind) = kind(error) {
                lost = kind;
            }
            next = error.source();
        }
        Some(lost)
    }

    /// Whether the same call may succeed later.
    #[must_use]
    pub const fn may_pass(self) -> bool {
        matches!(self, Self::Refused | Self::Late | Self::Broken)
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused => f.write_str("connection refused"),
            Self::UnknownHost => f.write_str("no host of this name is known"),
            Self::Untrusted(why) => write!(f, "the certificate is not trusted: {why}"),
            Self::SpeaksTls => f.write_str("the server speaks TLS; use https://"),
            Self::SpeaksNoTls => f.write_str("the server does not speak TLS; use http://"),
            Self::Late => f.write_str("no answer in time"),
            Self::Broken => f.write_str("the connection broke or could not be made"),
        }
    }
}

/// What rustls calls the reasons, by what its messages begin with after "invalid peer certificate: ".
const REASONS: [(&str, &str); 9] = [
    ("UnknownIssuer", "UnknownIssuer"),
    ("certificate not valid for name", "NotValidForName: its names do not have this host"),
    ("NotValidForName", "NotValidForName: its names do not have this host"),
    ("certificate expired", "Expired"),
    ("Expired", "Expired"),
    ("certificate not valid yet", "NotValidYet"),
    ("NotValidYet", "NotValidYet"),
    ("BadSignature", "BadSignature"),
    ("Other(OtherError(CaUsedAsEndEntity))", "CaUsedAsEndEntity: an authority's own certificate"),
];

fn kind(error: &(dyn Error + 'static)) -> Option<Lost> {
    let text = error.to_string();
    if let Some(reason) = text.strip_prefix("invalid peer certificate: ") {
        let known = REASONS.iter().find(|(begin, _)| reason.starts_with(begin));
        return Some(Lost::Untrusted(known.map_or("it cannot be used", |(_, why)| why)));
    }
    if text.contains("received corrupt message of type InvalidContentType") {
        return Some(Lost::SpeaksNoTls);
    }
    // The server's alert, read as a frame of HTTP/2, is far too long.
    if text.contains("frame with invalid size") {
        return Some(Lost::SpeaksTls);
    }
    if text.contains("Name or service not known") || text.contains("No address associated with hostname") {
        return Some(Lost::UnknownHost);
    }
    if text.contains("deadline has elapsed") || text == "Timeout expired" {
        return Some(Lost::Late);
    }
    match error.downcast_ref::<io::Error>()?.kind() {
        io::ErrorKind::ConnectionRefused => Some(Lost::Refused),
        io::ErrorKind::TimedOut => Some(Lost::Late),
        _ => None,
    }
}
