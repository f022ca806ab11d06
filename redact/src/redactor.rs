//! The redactor: one context, any number of texts.

use std::sync::{Arc, OnceLock};

use sha2::{Digest as _, Sha256};

use crate::builder::RedactorBuilder;
use crate::clean::Clean;
use crate::counts::{Counts, Redacted, Span};
use crate::decode::Decoder;
use crate::denied::DeniedSet;
use crate::error::Error;
use crate::hit::Hit;
use crate::kind::Kind;
use crate::policy::Patterns;
use crate::scan;
use crate::secret::{ObjectRef, WeakValue};
use crate::stream::Stream;

/// The context that all clones of a redactor share. Cloning is cheap.
#[derive(Clone)]
pub(crate) struct Core {
    pub(crate) denied: Arc<DeniedSet>,
    pub(crate) objects: Arc<[ObjectRef]>,
    pub(crate) patterns: Patterns,
    pub(crate) weak: Arc<[WeakValue]>,
    pub(crate) policy_digest: [u8; 32],
}

/// Redacts texts in one context of denied values, policy and user patterns. Cloning is cheap.
///
/// It has no `Debug`: its context holds secrets.
#[derive(Clone)]
pub struct Redactor {
    core: Arc<Core>,
}

impl Redactor {
    /// A context to fill; an empty one has the built-in rules.
    pub fn builder() -> RedactorBuilder {
        RedactorBuilder::default()
    }

    pub(crate) fn new(core: Core) -> Redactor {
        Redactor { core: Arc::new(core) }
    }

    /// The same context for texts that stand at `path`: rules and allowances of the policy that name paths hold there.
    /// Without a path none of them does. The path is as the repository has it, relative and with `/` between its parts.
    pub fn at(&self, path: &str) -> Redactor {
        let mut core = Core::clone(&self.core);
        core.patterns = core.patterns.at(path);
        Redactor::new(core)
    }

    /// Redacts a text. A NUL in it is shown as U+2400; what is typed as text is never binary.
    ///
    /// # Errors
    /// [`Error::Rule`] where a rule could not run.
    pub fn redact(&self, text: &str) -> Result<Redacted, Error> {
        self.whole(text.as_bytes(), Decoder::lenient())
    }

    /// Redacts bytes; what is not UTF-8 is shown as U+FFFD and counted.
    ///
    /// # Errors
    /// [`Error::Binary`] for a NUL within the first 8 KiB or over 10 % not UTF-8; [`Error::Rule`] where a rule could not run.
    pub fn redact_bytes(&self, bytes: &[u8]) -> Result<Redacted, Error> {
        self.whole(bytes, Decoder::default())
    }

    /// Redacts the value of a structured pair with its key as context: a header and its value, a field and its content. Under
    /// a secret-like key the value goes whole unless it is a placeholder or a reference. Spans are in the value's output.
    ///
    /// # Errors
    /// As [`Redactor::redact`].
    pub fn redact_value(&self, key: &str, value: &str) -> Result<Redacted, Error> {
        let plain = self.redact(value)?;
        let Some((from, kind, rule)) = scan::keyed(key, value, plain.counts.total() > 0) else {
            return Ok(plain);
        };
        let Some((head, _)) = value.split_at_checked(from) else {
            return Ok(plain);
        };
        let mut counts = Counts::default();
        let mut hits = vec![Hit::new(from..value.len(), kind, rule)];
        let mut allowed = Vec::new();
        self.core.patterns.permit(value.as_bytes(), &mut hits, &mut allowed)?;
        if hits.is_empty() {
            let mut plain = plain;
            allowed.iter().for_each(|allowed| plain.counts.allow(&allowed.allowance, &allowed.rule));
            return Ok(plain);
        }
        // The head is a scheme word of ours; what is claimed within the value names the result if its stage is earlier.
        let first = plain.counts.iter().next().map(|(kind, rule, _)| (kind, rule.to_owned()));
        let (kind, rule) = match first {
            Some((earlier, rule)) if earlier < kind => (earlier, rule),
            _ => (kind, rule.to_owned()),
        };
        counts.replaced_bytes = plain.counts.replaced_bytes;
        counts.bump(kind, &rule);
        let text = format!("{head}{}", kind.marker());
        let spans = vec![Span { range: head.len()..text.len(), kind, rule }];
        Ok(Redacted { text: Clean::seal(text), counts, spans })
    }

    /// Redacts a text that arrives in pieces.
    pub fn stream(&self) -> Stream {
        Stream::new(Arc::clone(&self.core), Decoder::default(), false)
    }

    /// Only searches: what redaction would claim, as ranges of `text`. Markers are opaque. A rule that cannot run claims
    /// the whole text, so that searching fails closed too.
    pub fn search(&self, text: &str) -> Vec<Span> {
        let mut stream = Stream::new(Arc::clone(&self.core), Decoder::verbatim(), true);
        let found = stream.push(text.as_bytes()).and_then(|first| {
            let (rest, _) = stream.finish()?;
            Ok(first.spans.into_iter().chain(rest.spans).collect())
        });
        found.unwrap_or_else(|_| {
            vec![Span { range: 0..text.len(), kind: Kind::SecretPattern, rule: "failed".to_owned() }]
        })
    }

    /// Searches the raw bytes of an allowed binary for denied values and provider tokens.
    pub fn search_bytes(&self, bytes: &[u8]) -> Vec<Span> {
        let hits = self.core.scan_binary(bytes);
        hits.into_iter().map(|hit| Span { range: hit.range, kind: hit.kind, rule: hit.rule.into_owned() }).collect()
    }

    /// The digest of rule set, repository policy and user regexes. Denied values and user literals are not in it: no hash of a
    /// secret leaves this crate.
    pub fn policy_digest(&self) -> [u8; 32] {
        self.core.policy_digest
    }

    /// Denied values that are too short or too common to mask. They are not masked; what that means is the caller's decision.
    pub fn weak_values(&self) -> &[WeakValue] {
        &self.core.weak
    }

    fn whole(&self, bytes: &[u8], decoder: Decoder) -> Result<Redacted, Error> {
        let mut stream = Stream::new(Arc::clone(&self.core), decoder, false);
        let first = stream.push(bytes)?;
        let (rest, counts) = stream.finish()?;
        let mut spans = first.spans;
        spans.extend(rest.spans);
        let mut text = first.text.into_string();
        text.push_str(rest.text.as_str());
        Ok(Redacted { text: Clean::seal(text), counts, spans })
    }
}

/// The digest of the built-in rules: it changes whenever one of them does.
pub fn rule_set_digest() -> [u8; 32] {
    static DIGEST: OnceLock<[u8; 32]> = OnceLock::new();
    *DIGEST.get_or_init(|| {
        let mut hash = Sha256::new();
        hash.update(b"dossier rule set 1\n");
        for line in scan::rule_lines() {
            hash.update((line.len() as u64).to_be_bytes());
            hash.update(line.as_bytes());
        }
        hash.finalize().into()
    })
}
