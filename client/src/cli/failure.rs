//! What a command ends with, and how it says so.

use std::io::{self, Write};
use std::process::ExitCode;

use dossier_client::draft::DraftError;
use dossier_client::{Error, Lost, RpcError};
use tonic::Code;

/// The exit codes; `dossier --help` lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Ok = 0,
    Failed = 1,
    Usage = 2,
    Denied = 3,
    NotVerified = 4,
    NotFound = 5,
    Unavailable = 6,
    NotAllowed = 7,
    Conflict = 8,
    Unsupported = 9,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command did not do what it was asked.
pub(crate) enum Failure {
    /// The library's error.
    Client(Error),
    /// Standard output cannot be written; where its reader went away, that is no error.
    Output(io::Error),
    /// Anything else, with its exit code.
    Said(Exit, String),
}

impl Failure {
    pub(crate) fn other(message: impl Into<String>) -> Self {
        Self::Said(Exit::Failed, message.into())
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Said(Exit::Usage, message.into())
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Said(exit, _) => *exit,
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
            Self::Output(_) => Exit::Failed,
            Self::Client(error) => match error {
                Error::Rpc(rpc) => of_rpc(rpc),
                Error::Draft(DraftError::Read { .. }) => Exit::Failed,
                Error::Config(_) | Error::Draft(_) => Exit::Usage,
                Error::Corrupt { .. } | Error::Damaged { .. } => Exit::NotVerified,
                Error::Unsupported { .. } => Exit::Unsupported,
                _ => Exit::Failed,
            },
        }
    }

    /// Says to standard error what went wrong, and gives the exit code.
    pub(crate) fn report(&self) -> Exit {
        let exit = self.exit();
        if exit != Exit::Ok {
            // Where not even this can be written, the exit code must do.
            let _ = self.write(&mut io::stderr().lock());
        }
        exit
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Said(_, message) => writeln!(out, "error: {message}"),
            Self::Output(error) => writeln!(out, "error: standard output: {error}"),
            Self::Client(Error::Rpc(rpc)) => write_rpc(rpc, out),
            Self::Client(error) => writeln!(out, "error: {error}"),
        }
    }
}

fn of_rpc(rpc: &RpcError) -> Exit {
    match rpc.code {
        _ if let Some(lost) = rpc.lost => {
            if lost.may_pass() {
                Exit::Unavailable
            } else {
                Exit::Failed
            }
        }
        Code::InvalidArgument | Code::OutOfRange => Exit::Usage,
        Code::FailedPrecondition if rpc.is_denied() => Exit::Denied,
        Code::DataLoss => Exit::NotVerified,
        Code::NotFound => Exit::NotFound,
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled => Exit::Unavailable,
        Code::ResourceExhausted if rpc.is_transient() => Exit::Unavailable,
        Code::Unauthenticated | Code::PermissionDenied => Exit::NotAllowed,
        Code::Aborted | Code::AlreadyExists => Exit::Conflict,
        Code::Unimplemented => Exit::Unsupported,
        _ => Exit::Failed,
    }
}

fn write_rpc(rpc: &RpcError, out: &mut dyn Write) -> io::Result<()> {
    let code = rpc.code.description();
    let reason = if rpc.reason.is_empty() { String::new() } else { format!(" ({})", rpc.reason) };
    writeln!(out, "error: {}{reason}", if rpc.message.is_empty() { code } else { &rpc.message })?;
    writeln!(out, "  code: {:?}", rpc.code)?;
    if let Some(resource) = &rpc.resource {
        writeln!(out, "  resource: {resource}")?;
    }
    for (key, value) in rpc.metadata.iter().filter(|(key, _)| key == "subject" || key == "request" || key == "action") {
        writeln!(out, "  {key}: {value}")?;
    }
    for violation in &rpc.violations {
        writeln!(out, "  {}: {}", violation.field, violation.description)?;
    }
    for denial in &rpc.denials {
        writeln!(out, "  {} {}: {}", denial.code, denial.subject, denial.detail)?;
        if let Some(fix) = denial.fix() {
            writeln!(out, "    fix: {fix}")?;
        }
    }
    if let Some(after) = rpc.retry_after {
        writeln!(out, "  try again in {:.1} s", after.as_secs_f64())?;
    }
    match rpc.code {
        Code::Unauthenticated => writeln!(out, "  give a token: --token-file, DOSSIER_TOKEN_FILE or DOSSIER_TOKEN"),
        _ => match rpc.lost {
            Some(Lost::Refused) => writeln!(out, "  is the server running? --server names it"),
            Some(Lost::UnknownHost) => writeln!(out, "  --server names it"),
            Some(Lost::Untrusted(_)) => writeln!(out, "  --ca-file names the certificates to trust"),
            Some(Lost::Late) => writeln!(out, "  --timeout says how long to wait"),
            _ => Ok(()),
        },
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Client(error)
    }
}

impl From<DraftError> for Failure {
    fn from(error: DraftError) -> Self {
        Self::Client(Error::Draft(error))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
