//! The programs under test.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The path of `dossierd` or `dossier`: from the variable `DOSSIERD` or `DOSSIER`, else beside this very program's folder, where
/// cargo puts what it builds.
///
/// # Panics
/// Where there is none: they are built by `cargo build`, not by building a test.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    if let Some(path) = std::env::var_os(name.to_uppercase()) {
        return path.into();
    }
    let this = std::env::current_exe().expect("this program has a path");
    let found = this.ancestors().skip(1).take(3).map(|folder| folder.join(name)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{name} is not built: run cargo build, in the same profile"))
}

/// A command with nothing of the caller's environment but where programs are, and with folders below `home`.
#[must_use]
pub fn scrubbed(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", home).stdin(Stdio::null());
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
}
