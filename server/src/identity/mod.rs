//! Who calls, and what they may do.
//!
//! A caller is a [`Principal`] with one role within named orgs, made from its credential and from nothing else: no field
//! of a request names its caller. [`access`] is the one table of RPCs and roles, [`authenticate`](Authenticator) reads
//! credentials, [`Tokens`] keeps their hashes. Handlers call [`Principal::enter_org`] or [`Principal::enter_run`] before
//! they touch anything.

mod access;
mod authenticator;
mod bootstrap;
mod principal;
mod record;
mod role;
mod secret;
mod tokens;

pub(crate) use access::services;
pub use access::{Access, Rpc, rpc};
pub use authenticator::Authenticator;
pub use bootstrap::{BootstrapError, admin_token, default_token_file};
pub use principal::Principal;
pub use record::{NewToken, TokenRecord};
pub use role::Role;
pub use secret::{TokenId, TokenSecret};
pub use tokens::{TokenPage, Tokens};
