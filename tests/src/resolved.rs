//! Drafts of redacted texts, ready to be frozen without a server.

use dossier_bundle::Digest;
use dossier_bundle::draft::{CallerDigest, Draft, Prompt, Source};
use dossier_bundle::limits::Limits;
use dossier_bundle::redactions::Redactions;
use dossier_redact::{Clean, Redactor};

/// Makes the parts of drafts of texts that a redactor has gone over.
#[derive(Clone, Copy)]
pub struct Resolved<'r>(pub &'r Redactor);

impl Resolved<'_> {
    /// A text and what was replaced in it.
    pub fn clean(self, text: &str) -> (Clean, Redactions) {
        let redacted = self.0.redact(text).unwrap();
        (redacted.text, Redactions::from(&redacted.counts))
    }

    /// A prompt without provenance.
    pub fn prompt(self, text: &str) -> Option<Prompt<Clean>> {
        let (text, redactions) = self.clean(text);
        Some(Prompt { text, provenance: None, redactions })
    }

    /// A source with nothing but its text.
    pub fn source(self, kind: &str, name: &str, text: &str) -> Source<Clean> {
        let (text, redactions) = self.clean(text);
        Source {
            kind: kind.to_owned(),
            name: self.clean(name).0,
            uri: None,
            reference: None,
            commit: None,
            path: None,
            retrieved_at: None,
            head_sha: None,
            text,
            caller_digest: CallerDigest::Absent,
            first_error: None,
            omissions: Vec::new(),
            redactions,
        }
    }

    /// A draft with a short prompt in each layer that has one, and these sources.
    pub fn draft(self, sources: Vec<Source<Clean>>) -> Draft<Clean> {
        Draft {
            dispatch_run: "run-1".parse().unwrap(),
            project: "shop".parse().unwrap(),
            route: "runs".to_owned(),
            launch: None,
            source_refs: None,
            system: self.prompt("You are careful."),
            developer: self.prompt("Use the house style."),
            skills: Vec::new(),
            trigger: self.prompt("Mend the build."),
            user: self.prompt("Thank you."),
            sources,
            tools: Vec::new(),
            attachments: Vec::new(),
            permission_review: None,
            limits: Limits::standard(),
            redaction_policy_digest: Digest::of(b"policy"),
        }
    }
}
