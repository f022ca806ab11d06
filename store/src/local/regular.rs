//! Opening files that are regular ones, and nothing that only stands where one should.
//!
//! Whoever can write into the directory may put anything there. To open a FIFO waits for its writer, and a device may do
//! whatever it likes; neither is a value. A folder is none either, but it stands there by right: below it are other keys.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

/// Why what stands under a key cannot be read although its folder can.
#[derive(Debug)]
pub(super) struct Unreadable(&'static str);

impl Unreadable {
    /// What an error of this module says.
    pub(super) fn of(error: &io::Error) -> Option<&'static str> {
        Some(error.get_ref()?.downcast_ref::<Self>()?.0)
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unreadable {}

/// Opens a value for reading; `None` where there is none.
pub(super) fn open(path: &Path) -> io::Result<Option<File>> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let opened = OpenOptions::new().read(true).custom_flags(flags).open(path);
    match opened {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && fs::metadata(path).is_ok() => {
            Err(io::Error::other(Unreadable("its mode forbids it")))
        }
        // A socket cannot even be opened.
        Err(_) if fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) => Err(no_file()),
        opened => {
            let Some(file) = super::present(opened)? else { return Ok(None) };
            Ok(if check(&file.metadata()?)? { Some(file) } else { None })
        }
    }
}

/// Whether this is a value; a folder is none.
pub(super) fn check(meta: &Metadata) -> io::Result<bool> {
    if meta.is_file() || meta.is_dir() { Ok(meta.is_file()) } else { Err(no_file()) }
}

fn no_file() -> io::Error {
    io::Error::other(Unreadable("it is no regular file"))
}
