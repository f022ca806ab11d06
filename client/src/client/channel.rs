//! Address, transport security and credential of a connection.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Uri};
use tonic::{Request, Status};

use crate::error::Error;

/// Where systems keep the certificates that they trust, tried in this order.
const SYSTEM_ROOTS: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// A bearer token. It is not shown by `Debug`.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Takes a token; blanks and the newline that a file ends with are dropped.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// How to connect.
#[derive(Debug, Clone)]
pub struct Options {
    /// The certificates (PEM) to trust for `https`; absent means the system's.
    pub ca_file: Option<PathBuf>,
    /// How long one call may last, with its retries. Default 60 s.
    pub timeout: Duration,
    /// How long a call that streams may last. Default 1 h.
    pub stream_timeout: Duration,
    /// Whether messages travel compressed, both ways but for uploads. It saves bytes and costs time. Default no.
    pub gzip: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { ca_file: None, timeout: Duration::from_secs(60), stream_timeout: Duration::from_secs(3600), gzip: false }
    }
}

/// A channel, and its address as it may be shown.
pub(super) fn open(address: &str, options: &Options) -> Result<(Channel, String), Error> {
    let scheme = if options.ca_file.is_some() { "https" } else { "http" };
    let url = if address.contains("://") { address.to_owned() } else { format!("{scheme}://{address}") };
    let bad = || Error::Config("the server's address must be http://host:port, https://host:port or host:port".into());
    let endpoint = Endpoint::from_shared(url.clone()).map_err(|_| bad())?;
    if endpoint.uri().host().is_none() {
        return Err(bad());
    }
    let mut endpoint = endpoint
        .user_agent(concat!("dossier/", env!("CARGO_PKG_VERSION")))
        .map_err(|_| bad())?
        .connect_timeout(Duration::from_secs(10).min(options.timeout))
        .http2_keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(20));
    match endpoint.uri().scheme_str() {
        Some("http") => {}
        Some("https") => {
            let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(roots(options)?));
            endpoint = endpoint.tls_config(tls).map_err(|_| Error::Config("the certificates cannot be used".into()))?;
        }
        _ => return Err(bad()),
    }
    let shown = format!("{}://{}", endpoint.uri().scheme_str().unwrap_or("http"), authority(endpoint.uri()));
    Ok((endpoint.connect_lazy(), shown))
}

/// Host and port: what stands before an `@` may be a secret.
fn authority(uri: &Uri) -> &str {
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

fn roots(options: &Options) -> Result<Vec<u8>, Error> {
    if let Some(path) = &options.ca_file {
        return std::fs::read(path).map_err(Error::io(path));
    }
    let named = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
    let mut files = named.into_iter().chain(SYSTEM_ROOTS.iter().map(PathBuf::from));
    let found = files.find_map(|path| std::fs::read(path).ok());
    found.ok_or_else(|| Error::Config("no certificates of this system are known; name them with --ca-file".into()))
}

/// Adds the credential to each call.
#[derive(Clone)]
pub(super) struct Auth(Option<MetadataValue<Ascii>>);

impl Auth {
    pub(super) fn new(token: &Token) -> Result<Self, Error> {
        if token.0.is_empty() {
            return Ok(Self(None));
        }
        let mut value: MetadataValue<Ascii> = format!("Bearer {}", token.0)
            .parse()
            .map_err(|_| Error::Config("the token holds characters that no token has".into()))?;
        value.set_sensitive(true);
        Ok(Self(Some(value)))
    }
}

impl Interceptor for Auth {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert("authorization", value.clone());
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn addresses_are_taken_with_and_without_scheme() {
        for good in ["127.0.0.1:7400", "http://localhost:1", "http://[::1]:7400", "[::1]:7400"] {
            assert!(open(good, &Options::default()).is_ok(), "{good}");
        }
        for bad in ["", "ftp://host:1", "http://", "a b:1"] {
            assert!(open(bad, &Options::default()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_token_is_not_shown() {
        let token = Token::new("dsr_planted\n");
        assert!(!format!("{token:?}").contains("planted"));
        assert!(!format!("{:?}", Auth::new(&token).unwrap().0).contains("planted"));
        assert!(Auth::new(&Token::new("a\nb")).is_err());
    }
}
