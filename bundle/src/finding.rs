//! Findings: what a person should know before an agent is launched.

use std::fmt;

use serde::{Serialize, Serializer};

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// No bundle is made.
    Denied,
    /// The bundle stands, and says so.
    Warning,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $severity:ident, $pinned:literal, $fix:literal;)*) => {
        /// What was found. The variants are in alphabetical order of their names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The code as it is written: upper case with underscores.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// How grave it is where nothing else is said.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity),* }
            }

            /// Whether draft and pins decide it, so that it stands in the manifest.
            #[must_use]
            pub const fn is_pinned(self) -> bool {
                match self { $(Self::$variant => $pinned),* }
            }

            /// What to do about it.
            #[must_use]
            pub const fn fix(self) -> &'static str {
                match self { $(Self::$variant => $fix),* }
            }
        }
    };
}

codes! {
    /// An attachment is larger than its limit.
    AttachmentTooLarge, "ATTACHMENT_TOO_LARGE", Denied, false, "attach a smaller part, or upload it as kind log-excerpt or diff, which are cut";
    /// The three messages and all attachments together are larger than the limit, and cutting sources cannot mend it.
    BundleTooLarge, "BUNDLE_TOO_LARGE", Denied, false, "drop or shorten attachments, or use a larger limit class";
    /// A reference to a denied Secret or ConfigMap has no value to look for.
    DenyValueMissing, "DENY_VALUE_MISSING", Warning, false, "send the value in deniedValues, or mount it where the server looks";
    /// A denied value is too short or too common to be masked without shredding the text.
    DenyValueWeak, "DENY_VALUE_WEAK", Denied, false, "use a longer value, or set acceptWeakValues to leave it unmasked knowingly";
    /// Evidence is bound to another head commit than the dispatch.
    EvidenceStale, "EVIDENCE_STALE", Warning, true, "retrieve it again at the head commit";
    /// A diff, review or list of checks is bound to no head commit.
    EvidenceWithoutSha, "EVIDENCE_WITHOUT_SHA", Denied, false, "set headSha to the commit that it describes";
    /// A label does not exist.
    LabelMissing, "LABEL_MISSING", Denied, false, "create and review the label, or drop the reference";
    /// Layers 1 to 6 are larger than their limit. Instructions are never cut.
    PromptTooLarge, "PROMPT_TOO_LARGE", Denied, false, "shorten the prompt's layers, or move text to sources or attachments";
    /// A secret was found that could not be removed.
    RedactionFailed, "REDACTION_FAILED", Denied, false, "remove the secret from the named part and send it again";
    /// The text differs from the digest that the caller saw.
    SourceDigestMismatch, "SOURCE_DIGEST_MISMATCH", Denied, false, "retrieve the text again and send it with its own digest";
    /// A kind of source that the route has by default is not there.
    SourceKindMissing, "SOURCE_KIND_MISSING", Warning, true, "add a source of this kind";
    /// A kind of source that belongs to another route.
    SourceNotAllowed, "SOURCE_NOT_ALLOWED", Warning, true, "use a kind of this route, or another route";
    /// An upload is not there.
    SourceUnavailable, "SOURCE_UNAVAILABLE", Denied, false, "upload it again and use the digest of the answer";
    /// The trigger's template names a field that is not given, or given with words of a stranger's.
    TemplateFieldMissing, "TEMPLATE_FIELD_MISSING", Denied, false, "give the field, or take it out of the template";
    /// The trigger's template cannot be rendered.
    TemplateInvalid, "TEMPLATE_INVALID", Denied, false, "mend the template at the named line";
    /// More attachments than the limit.
    TooManyAttachments, "TOO_MANY_ATTACHMENTS", Denied, false, "drop attachments";
    /// Something was left out.
    Truncated, "TRUNCATED", Warning, true, "read the full original at its uri, or attach it as evidence";
    /// Binary bytes whose media type is not allowed.
    UnredactableBinary, "UNREDACTABLE_BINARY", Denied, false, "send text, or have its media type allowed in the server's configuration";
    /// A media type, layer or version that this version does not know.
    UnsupportedContent, "UNSUPPORTED_CONTENT", Denied, false, "send it in a form that docs/spec.md names";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A finding. Its subject and detail never hold content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was found.
    pub code: Code,
    /// How grave it is here.
    pub severity: Severity,
    /// What it is about: a field path such as `draft.sources[2]`, or the name of a part.
    pub subject: String,
    /// What was found, in words and numbers.
    pub detail: String,
}

impl Finding {
    /// A finding of the code's own severity.
    pub fn new(code: Code, subject: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code, severity: code.severity(), subject: subject.into(), detail: detail.into() }
    }

    /// The same finding with another severity.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}

/// Sorts findings: the denied first, then by code and subject.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        (a.severity, a.code.name(), &a.subject, &a.detail).cmp(&(b.severity, b.code.name(), &b.subject, &b.detail))
    });
}
