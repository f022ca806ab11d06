//! The admin token that is there from the first start on.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::record::NewToken;
use super::role::Role;
use super::secret::TokenSecret;
use super::tokens::Tokens;
use crate::config::{Config, Dirs, Location};
use crate::status::ApiError;

/// The principal of the token.
const PRINCIPAL: &str = "local-admin";
/// The largest token file that is read.
const MAX_FILE: u64 = 1024;

/// Why there is no admin token. Names the file, never what is in it.
#[derive(Debug, thiserror::Error)]
pub enum BootstrapError {
    /// The environment tells of no folder for it.
    #[error("identity.admin_token_file must be set: neither XDG_CONFIG_HOME nor HOME is")]
    NoFolder,
    /// The file cannot be read or written.
    #[error("the token file {} cannot be {what}: {kind}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What was to be done.
        what: &'static str,
        /// Why not.
        kind: io::ErrorKind,
    },
    /// The file holds another kind of token, which must not be lost.
    #[error("the token file {} holds a token that is no admin's; name another file", .0.display())]
    NotAdmin(PathBuf),
    /// Others than its owner can read the file.
    #[error("the token file {} can be read by others; `chmod 600` it", .0.display())]
    Readable(PathBuf),
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] ApiError),
}

/// The file that keeps the admin token: the one that is configured, or the one for this place.
///
/// # Errors
/// [`BootstrapError::NoFolder`].
pub fn default_token_file(config: &Config, location: &Location, dirs: &Dirs) -> Result<PathBuf, BootstrapError> {
    let configured = config.identity.admin_token_file.clone();
    configured.or_else(|| location.token_file(dirs)).ok_or(BootstrapError::NoFolder)
}

/// Sees to it that `path` holds a live admin token: the one that is there, or a new one.
///
/// # Errors
/// [`BootstrapError`].
pub async fn admin_token(tokens: &Tokens, path: &Path) -> Result<(), BootstrapError> {
    if let Some(text) = read(path)? {
        match tokens.verify(&text).await {
            Ok(principal) if principal.role == Role::Admin => return Ok(()),
            Ok(_) => return Err(BootstrapError::NotAdmin(path.to_owned())),
            Err(ApiError::Unauthenticated) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let (record, secret) = tokens.create(NewToken::admin(PRINCIPAL), PRINCIPAL).await?;
    write(path, &secret)?;
    tracing::info!(token = %record.id(), file = %path.display(), "made an admin token");
    Ok(())
}

fn failed(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> BootstrapError {
    let path = path.to_owned();
    move |error| BootstrapError::File { path, what, kind: error.kind() }
}

fn read(path: &Path) -> Result<Option<Zeroizing<String>>, BootstrapError> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path, "read")(error)),
    };
    let mode = file.metadata().map_err(failed(path, "read"))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(BootstrapError::Readable(path.to_owned()));
    }
    let mut text = Zeroizing::new(String::with_capacity(64));
    file.take(MAX_FILE).read_to_string(&mut text).map_err(failed(path, "read"))?;
    Ok(Some(text.trim().to_owned().into()))
}

/// Writes beside and renames, so that nobody reads half a token.
fn write(path: &Path, secret: &TokenSecret) -> Result<(), BootstrapError> {
    let write = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
        name.push(format!(".{}", std::process::id()));
        let beside = folder.join(name);
        let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside).and_then(|mut file| {
            file.write_all(secret.expose().as_bytes())?;
            file.write_all(b"\n")?;
            file.sync_all()
        });
        let renamed = written.and_then(|()| fs::rename(&beside, path));
        if renamed.is_err() {
            let _ = fs::remove_file(&beside);
        }
        renamed
    };
    write().map_err(failed(path, "written"))
}
