//! The Dossier service.
//!
//! [`serve::run`] serves an [`App`] on a listener until it is told to stop. An `App` is made of settings ([`config`]) and
//! of components ([`clock`], the store, [`identity`], [`secrets`]) that whoever starts it injects. [`services`] are thin
//! handlers: decode, authorize, call one function of the domain, encode. Every error becomes a gRPC status in [`status`]
//! and nowhere else.

pub mod app;
mod assemble;
pub mod bundles;
pub mod cli;
pub mod clock;
pub mod config;
pub mod identity;
pub mod logging;
pub mod secrets;
pub mod serve;
pub mod services;
pub mod status;

pub use app::App;
pub use clock::{Clock, Ids};
pub use config::Config;
pub use identity::{Principal, Role};
pub use status::{ApiError, Violation};
