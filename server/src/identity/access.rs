//! The one table of RPCs: who may call which, and what shape it has.
//!
//! An RPC without a row is refused as if it did not exist, and a test walks the descriptors of everything that is served
//! and fails for an RPC without a row, and for a row without an RPC.

use super::role::Role;

/// Who may call an RPC. An admin may call every one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody, without a credential: what tells about the server and nothing of what it keeps.
    Open,
    /// The roles named, and an admin.
    Roles(&'static [Role]),
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rpc {
    /// The path as HTTP/2 carries it: `/package.Service/Method`.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Whether it streams, in either direction: then it may last as long as the longest deadline.
    pub streams: bool,
}

impl Rpc {
    /// Whether a caller of `role` may call it.
    #[must_use]
    pub fn allows(&self, role: Role) -> bool {
        match self.access {
            Access::Open => true,
            Access::Roles(roles) => role == Role::Admin || roles.contains(&role),
        }
    }
}

const OPEN: Access = Access::Open;
const ADMIN: Access = Access::Roles(&[]);
const WRITE: Access = Access::Roles(&[Role::Controller]);
const READ: Access = Access::Roles(&[Role::Controller, Role::Auditor, Role::Agent]);
const REDACT: Access = Access::Roles(&[Role::Controller, Role::Agent]);

const fn unary(path: &'static str, access: Access) -> Rpc {
    Rpc { path, access, streams: false }
}

const fn stream(path: &'static str, access: Access) -> Rpc {
    Rpc { path, access, streams: true }
}

/// All RPCs that are served.
pub(crate) const RPCS: &[Rpc] = &[
    unary("/dossier.v1.BundleService/PreviewBundle", WRITE),
    unary("/dossier.v1.BundleService/CreateBundle", WRITE),
    unary("/dossier.v1.BundleService/GetBundle", READ),
    unary("/dossier.v1.BundleService/ListBundles", READ),
    stream("/dossier.v1.BundleService/FetchBundle", READ),
    unary("/dossier.v1.BundleService/VerifyBundle", READ),
    stream("/dossier.v1.AttachmentService/UploadAttachment", WRITE),
    unary("/dossier.v1.AttachmentService/ListAttachments", READ),
    stream("/dossier.v1.AttachmentService/ReadAttachment", READ),
    stream("/dossier.v1.RedactionService/Redact", REDACT),
    unary("/dossier.v1.TokenService/CreateToken", WRITE),
    unary("/dossier.v1.TokenService/ListTokens", ADMIN),
    unary("/dossier.v1.TokenService/RevokeToken", WRITE),
    unary("/grpc.health.v1.Health/Check", OPEN),
    stream("/grpc.health.v1.Health/Watch", OPEN),
    stream("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", OPEN),
    stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", OPEN),
];

/// The row of an RPC, by its path.
#[must_use]
pub fn rpc(path: &str) -> Option<&'static Rpc> {
    RPCS.iter().find(|row| row.path == path)
}

/// The names of all services, and the empty name, under which health tells of the whole server.
pub(crate) fn services() -> impl Iterator<Item = &'static str> {
    let named = RPCS.iter().filter_map(|row| row.path.trim_start_matches('/').split_once('/')).map(|(name, _)| name);
    let mut last = None;
    std::iter::once("").chain(named.filter(move |name| last.replace(*name) != Some(*name)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use prost::Message as _;
    use prost_types::FileDescriptorSet;

    use super::*;

    /// Path and whether it streams, of every RPC of all that is served.
    fn served() -> BTreeSet<(String, bool)> {
        let sets = [
            dossier_proto::FILE_DESCRIPTOR_SET,
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
        ];
        let mut rpcs = BTreeSet::new();
        for file in sets.iter().flat_map(|set| FileDescriptorSet::decode(*set).unwrap().file) {
            for service in &file.service {
                for method in &service.method {
                    let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                    rpcs.insert((path, method.client_streaming() || method.server_streaming()));
                }
            }
        }
        rpcs
    }

    #[test]
    fn every_rpc_has_a_row_and_every_row_an_rpc() {
        let rows: BTreeSet<_> = RPCS.iter().map(|row| (row.path.to_owned(), row.streams)).collect();
        assert_eq!(rows.len(), RPCS.len(), "a path stands twice");
        assert_eq!(rows, served());
    }

    #[test]
    fn who_may() {
        let may = |path: &str, role| rpc(path).unwrap().allows(role);
        assert!(may("/dossier.v1.BundleService/GetBundle", Role::Agent));
        assert!(!may("/dossier.v1.BundleService/CreateBundle", Role::Agent));
        assert!(!may("/dossier.v1.BundleService/CreateBundle", Role::Auditor));
        assert!(!may("/dossier.v1.BundleService/GetBundle", Role::Reviewer));
        assert!(!may("/dossier.v1.TokenService/ListTokens", Role::Controller));
        assert!(RPCS.iter().all(|row| row.allows(Role::Admin)));
        assert_eq!(rpc("/dossier.v1.BundleService/Nothing"), None);
    }

    #[test]
    fn the_table_for_users_is_this_one() {
        let page = include_str!("../../../docs/identity.md");
        for row in RPCS.iter().filter(|row| row.access != Access::Open) {
            let (service, method) = row.path.trim_start_matches("/dossier.v1.").split_once('/').unwrap();
            let roles: Vec<&str> = Role::ALL.into_iter().filter(|role| row.allows(*role)).map(Role::name).collect();
            let line = format!("| `{service}` | `{method}` | {} |", roles.join(", "));
            assert!(page.contains(&line), "docs/identity.md has no line {line}");
        }
    }

    #[test]
    fn services_are_named_once() {
        let names: Vec<_> = services().collect();
        assert_eq!(names.len(), 8);
        assert_eq!((names[0], names[1]), ("", "dossier.v1.BundleService"));
    }

    #[test]
    fn only_health_and_reflection_are_open() {
        assert!(RPCS.iter().all(|row| (row.access == Access::Open) == row.path.starts_with("/grpc.")));
    }
}
