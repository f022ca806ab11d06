//! Dossier's ordered redaction: text in, [`Clean`] text and a report out.
//!
//! Seven stages claim spans of a text, and each span is replaced by its kind's marker. The earliest stage wins where spans
//! overlap or touch; a marker is opaque, so redacting twice changes nothing. What is reported is how many spans of which kind
//! and rule there were and where they stand in the *output*: never a value, its hash or its length.
//!
//! The result is a function of the whole text. Strings, byte slices and streams take one road ([`Stream`]), which looks at
//! windows at fixed offsets and commits where content says so; the pieces in which a text arrives make no difference, and a
//! stream holds back a bounded part whatever is sent.
//!
//! The crate knows nothing of bundles, gRPC or storage, does no I/O and is not async. It fails closed: an invalid pattern, or
//! a rule that cannot run, is an [`Error`], and errors never echo content.
//!
//! ```
//! let redactor = dossier_redact::Redactor::builder().build()?;
//! let redacted = redactor.redact("password = 'Zx81-q-made-up!'")?;
//! assert_eq!(redacted.text.as_str(), "password = '[REDACTED:secret]'");
//! assert_eq!(redacted.counts.total(), 1);
//! # Ok::<(), dossier_redact::Error>(())
//! ```

mod assign;
mod builder;
mod clean;
mod command;
mod counts;
mod decode;
mod denied;
mod encoded;
mod error;
mod grams;
mod hash;
mod hit;
mod key;
mod kind;
mod kube;
mod literals;
mod masked;
mod pem;
mod policy;
#[cfg(test)]
mod recall;
mod redactor;
mod repeats;
mod rules;
mod scan;
mod secret;
mod stream;
mod survey;
mod url;
mod value;
mod view;
mod words;

pub use builder::RedactorBuilder;
pub use clean::{Clean, CleanBuilder};
pub use counts::{Chunk, Counts, Redacted, Span, Swallowed};
pub use error::{Error, PatternReason, PolicyError, PolicyReason};
pub use kind::Kind;
pub use policy::Policy;
pub use redactor::{Redactor, rule_set_digest};
pub use rules::{RuleEntry, rules};
pub use secret::{DeniedValue, ObjectKind, ObjectRef, Secret, WeakReason, WeakValue};
pub use stream::Stream;
