//! Reads the fields of a request: redacts each text as it is read and collects all violations.
//!
//! A text is redacted in its place in the request too, so that what is left of the request afterwards is clean.

use dossier_bundle::cut::Measure;
use dossier_bundle::draft::Provenance;
use dossier_bundle::excerpt::{Excerpt, FirstError};
use dossier_bundle::names::CommitId;
use dossier_bundle::redactions::Redactions;
use dossier_bundle::time::Moment;
use dossier_bundle::{Code, Digest, Finding};
use dossier_proto::v1;
use dossier_redact::{Clean, Error, Redacted, Redactor};

use crate::status::Violation;

/// The longest provenance field, link and reference, in bytes.
pub(super) const MAX_LINK: usize = 2_000;
/// The longest name, title or version, in bytes.
pub(super) const MAX_LINE: usize = 255;

/// How many violations are kept.
const MAX_VIOLATIONS: usize = 256;

/// Collects what is wrong with a request while it is read.
pub(super) struct Reader<'r> {
    pub(super) redactor: &'r Redactor,
    pub(super) violations: Vec<Violation>,
    pub(super) findings: Vec<Finding>,
}

impl<'r> Reader<'r> {
    pub(super) fn new(redactor: &'r Redactor) -> Self {
        Self { redactor, violations: Vec::new(), findings: Vec::new() }
    }

    /// Notes a violation. Only so many are kept: an answer shows a few dozen at the most.
    pub(super) fn violation(&mut self, field: impl Into<String>, description: impl Into<String>) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation::new(field, description));
        }
    }

    /// Redacts a text of any length. `key` is the name that it stands under, which may tell that it is a secret.
    pub(super) fn text(&mut self, at: &str, key: &str, text: &mut String, redactions: &mut Redactions) -> Clean {
        let redacted = if key.is_empty() { self.redactor.redact(text) } else { self.redactor.redact_value(key, text) };
        self.redacted(at, redacted, text, redactions)
    }

    /// Redacts a text that stands at `path` in its repository, for rules and allowances of the policy that name paths.
    pub(super) fn text_at(&mut self, path: &str, at: &str, text: &mut String, redactions: &mut Redactions) -> Clean {
        let redacted = self.redactor.at(path).redact(text);
        self.redacted(at, redacted, text, redactions)
    }

    /// The first error of a log, by its line in the text as it was received; `clean` is what redaction made of it. `None` where
    /// no line went away with a secret: then it is the line in `clean`, which is looked at later.
    pub(super) fn first_error(&self, path: &str, received: &str, clean: &Clean) -> Option<FirstError> {
        let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
        if lines(received) == lines(clean.as_str()) {
            return None;
        }
        let mut excerpt = Excerpt::new(clean.len(), Measure::Raw);
        let mut stream = self.redactor.at(path).stream();
        let first = stream.push(received.as_bytes()).ok()?;
        excerpt.push(&first.text, &first.swallowed);
        let (rest, _) = stream.finish().ok()?;
        excerpt.push(&rest.text, &rest.swallowed);
        excerpt.finish().first_error
    }

    fn redacted(
        &mut self,
        at: &str,
        redacted: Result<Redacted, Error>,
        text: &mut String,
        redactions: &mut Redactions,
    ) -> Clean {
        match redacted {
            Ok(redacted) => {
                redactions.merge(&Redactions::from(&redacted.counts));
                redacted.text.as_str().clone_into(text);
                redacted.text
            }
            Err(error) => {
                text.clear();
                self.findings.push(Finding::new(Code::RedactionFailed, at, error.to_string()));
                Clean::default()
            }
        }
    }

    /// A text on one line without control characters, of at most `longest` bytes; empty is absent.
    pub(super) fn line(
        &mut self,
        at: String,
        key: &str,
        text: &mut String,
        longest: usize,
        redactions: &mut Redactions,
    ) -> Option<Clean> {
        if text.is_empty() {
            return None;
        }
        if text.len() > longest || text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
            self.violation(at, format!("must be at most {longest} bytes on one line, without control characters"));
            text.clear();
            return None;
        }
        Some(self.text(&at, key, text, redactions))
    }

    /// As [`Reader::line`], but it must be there.
    pub(super) fn required_line(
        &mut self,
        at: String,
        key: &str,
        text: &mut String,
        redactions: &mut Redactions,
    ) -> Clean {
        if text.is_empty() {
            self.violation(at, format!("is required: 1 to {MAX_LINE} bytes on one line"));
            return Clean::default();
        }
        self.line(at, key, text, MAX_LINE, redactions).unwrap_or_default()
    }

    /// A name that must have its form, and hold no secret.
    pub(super) fn name<N: std::str::FromStr<Err = dossier_bundle::names::ParseNameError>>(
        &mut self,
        at: &str,
        text: &str,
    ) -> Option<N> {
        match text.parse() {
            Ok(_) if !self.redactor.search(text).is_empty() => {
                self.violation(at, "must not hold what redaction would take");
                None
            }
            Ok(name) => Some(name),
            Err(error) => {
                let required = if text.is_empty() { "is required, and " } else { "" };
                self.violation(at, format!("{required}must match {}", error.form));
                None
            }
        }
    }

    /// A commit; empty is absent.
    pub(super) fn commit(&mut self, at: String, text: &str) -> Option<CommitId> {
        if text.is_empty() { None } else { self.name(&at, text) }
    }

    /// A digest; empty is absent.
    pub(super) fn digest(&mut self, at: String, text: &str) -> Option<Digest> {
        if text.is_empty() {
            return None;
        }
        let digest = text.parse().ok();
        if digest.is_none() {
            self.violation(at, "must be `sha256:` and 64 lower-case hexadecimal digits");
        } else if !self.redactor.search(text).is_empty() {
            self.violation(at, "must not hold what redaction would take");
            return None;
        }
        digest
    }

    /// Compares the digest that the caller saw with the text as it came. Whether it gave one.
    pub(super) fn check_digest(&mut self, at: &str, digest: &mut String, received: &[u8]) -> bool {
        let Some(wanted) = self.digest(format!("{at}.digest"), digest) else { return false };
        if wanted != Digest::of(received) {
            let detail = "the text as received has another digest";
            self.findings.push(Finding::new(Code::SourceDigestMismatch, at, detail));
        }
        // It may be a hash of unredacted text: only the verdict is kept.
        "given".clone_into(digest);
        true
    }

    /// A moment; absent stays absent.
    pub(super) fn moment(&mut self, at: String, time: Option<&prost_types::Timestamp>) -> Option<Moment> {
        let moment = Moment::from_seconds(time?.seconds).ok();
        if moment.is_none() {
            self.violation(at, "must be within the years 1 to 9999");
        }
        moment
    }

    pub(super) fn provenance(
        &mut self,
        at: &str,
        wire: &mut Option<v1::Provenance>,
        redactions: &mut Redactions,
    ) -> Option<Provenance<Clean>> {
        let wire = wire.as_mut()?;
        let provenance = Provenance {
            origin: self.line(format!("{at}.origin"), "origin", &mut wire.origin, MAX_LINE, redactions),
            uri: self.line(format!("{at}.uri"), "uri", &mut wire.uri, MAX_LINK, redactions),
            reference: self.line(format!("{at}.ref"), "ref", &mut wire.r#ref, MAX_LINK, redactions),
            commit: self.line(format!("{at}.commit"), "commit", &mut wire.commit, MAX_LINK, redactions),
            path: self.line(format!("{at}.path"), "path", &mut wire.path, MAX_LINK, redactions),
        };
        if provenance.origin.as_ref().is_some_and(|origin| origin.as_str() == dossier_bundle::builtin::ORIGIN) {
            self.violation(format!("{at}.origin"), "must not claim to be built in");
        }
        let known = [&provenance.origin, &provenance.uri, &provenance.reference, &provenance.commit, &provenance.path];
        known.iter().any(|field| field.is_some()).then_some(provenance)
    }

    /// At most `most` of a list.
    pub(super) fn at_most(&mut self, at: &str, count: usize, most: usize) {
        if count > most {
            self.violation(at, format!("must be at most {most}"));
        }
    }
}

/// Whether a path stays where it begins: relative, without empty, `.` and `..` parts, and on one line.
pub(super) fn is_relative(path: &str) -> bool {
    !path.starts_with('/') && !path.contains('\\') && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Whether a link is http or https with a host, at most 2,000 characters and without white space.
pub(super) fn is_web_link(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
        && url.chars().count() <= MAX_LINK
        && !url.chars().any(|c| c.is_whitespace() || c.is_control())
}
