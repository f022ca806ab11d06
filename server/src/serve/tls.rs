//! TLS, where the configuration names a certificate.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tonic::transport::{Identity, Server, ServerTlsConfig};
use zeroize::Zeroizing;

use crate::config::ServerConfig;

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// The certificate or its key cannot be used. *Fix* the files. What stands in them is not repeated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{} cannot be read: {kind}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        kind: std::io::ErrorKind,
    },
    /// The files are not what they must be.
    #[error("{} and {} must be a certificate and its private key, in PEM", cert.display(), key.display())]
    Unusable {
        /// The file of the certificate.
        cert: PathBuf,
        /// The file of the key.
        key: PathBuf,
    },
}

/// A server that speaks TLS where `server` names a certificate.
///
/// # Errors
/// [`TlsError`].
pub(super) fn builder(server: &ServerConfig) -> Result<Server, TlsError> {
    let (Some(cert), Some(key)) = (&server.tls_cert, &server.tls_key) else { return Ok(Server::builder()) };
    let secret = Zeroizing::new(read(key)?);
    let identity = Identity::from_pem(read(cert)?, secret.as_slice());
    let config = ServerTlsConfig::new().identity(identity).timeout(HANDSHAKE);
    let unusable = |_| TlsError::Unusable { cert: cert.clone(), key: key.clone() };
    Server::builder().tls_config(config).map_err(unusable)
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|error| TlsError::Unreadable { path: path.to_owned(), kind: error.kind() })
}
