//! TLS, where the configuration names a certificate.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tonic::transport::{Identity, ServerTlsConfig};
use zeroize::Zeroizing;

use crate::config::ServerConfig;

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// A file of the certificate or its key cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read: {kind}", path.display())]
pub struct TlsError {
    path: PathBuf,
    kind: std::io::ErrorKind,
}

pub(super) fn config(server: &ServerConfig) -> Result<Option<ServerTlsConfig>, TlsError> {
    let (Some(cert), Some(key)) = (&server.tls_cert, &server.tls_key) else { return Ok(None) };
    let key = Zeroizing::new(read(key)?);
    let identity = Identity::from_pem(read(cert)?, key.as_slice());
    Ok(Some(ServerTlsConfig::new().identity(identity).timeout(HANDSHAKE)))
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|error| TlsError { path: path.to_owned(), kind: error.kind() })
}
