//! The handlers. Each is thin: decode, authorize, call one function of the domain, encode.
//!
//! A handler takes its caller by [`Principal::of`](crate::Principal::of) and enters the org or the run that the request
//! names before it does anything else; that the caller's role may call it at all has been seen to already.

mod attachment;
mod bundle;
mod page;
mod patience;
mod redaction;
mod token;

use dossier_proto::v1::attachment_service_server::AttachmentServiceServer;
use dossier_proto::v1::bundle_service_server::BundleServiceServer;
use dossier_proto::v1::redaction_service_server::RedactionServiceServer;
use dossier_proto::v1::token_service_server::TokenServiceServer;
use tonic::codec::CompressionEncoding;
use tonic::service::{Routes, RoutesBuilder};
use tonic_health::pb::health_server::{Health, HealthServer};

use crate::app::App;

/// Gives a service the server's limit on messages, and gzip both ways.
macro_rules! bounded {
    ($service:expr, $app:expr) => {{
        let limit = usize::try_from($app.config.server.max_message_bytes).unwrap_or(usize::MAX);
        $service
            .max_decoding_message_size(limit)
            .max_encoding_message_size(limit)
            .accept_compressed(CompressionEncoding::Gzip)
            .send_compressed(CompressionEncoding::Gzip)
    }};
}

/// Everything that is served.
///
/// # Errors
/// Where the descriptors cannot be read, which is a bug.
pub(crate) fn routes(app: &App, health: HealthServer<impl Health>) -> Result<Routes, tonic_reflection::server::Error> {
    let mut routes = RoutesBuilder::default();
    routes.add_service(bounded!(BundleServiceServer::new(bundle::Service::new(app.clone())), app));
    routes.add_service(bounded!(AttachmentServiceServer::new(attachment::Service::new(app.clone())), app));
    routes.add_service(bounded!(RedactionServiceServer::new(redaction::Service::new(app.clone())), app));
    routes.add_service(bounded!(TokenServiceServer::new(token::Service::new(app.clone())), app));
    routes.add_service(health);
    routes.add_service(reflection().build_v1()?);
    routes.add_service(reflection().build_v1alpha()?);
    Ok(routes.routes())
}

fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(dossier_proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}
