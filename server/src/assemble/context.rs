//! The redaction context of a request: from what a caller sends and the server has mounted to a redactor.

use std::sync::LazyLock;

use dossier_bundle::{Code, Finding, Severity};
use dossier_proto::v1;
use dossier_redact::{
    DeniedValue, Error, ObjectKind, ObjectRef, Policy, Redactor, RedactorBuilder, Secret, WeakReason, WeakValue,
};

use crate::app::App;
use crate::status::{ApiError, Violation};

/// The most references to objects.
const MAX_OBJECTS: usize = 1_024;
/// The longest policy, in bytes.
const MAX_POLICY: usize = 256 << 10;
/// The longest pattern of a user's, in bytes.
const MAX_PATTERN: usize = 1_024;

/// The built-in rules alone.
///
/// # Errors
/// None but for a bug.
pub(crate) fn redactor() -> Result<&'static Redactor, ApiError> {
    static BARE: LazyLock<Option<Redactor>> = LazyLock::new(|| Redactor::builder().build().ok());
    BARE.as_ref().ok_or_else(|| ApiError::internal("the built-in rules cannot be made"))
}

/// A redactor, with what there is to say about its context.
pub(crate) struct Context {
    /// The redactor.
    pub(crate) redactor: Redactor,
    /// Values that are missing or weak.
    pub(crate) findings: Vec<Finding>,
    /// What of the context counts for whether two requests are the same: references, policy and regexes, never values.
    pub(crate) fingerprint: Vec<u8>,
}

impl Context {
    /// Refuses a context whose findings deny it: for requests that have no findings of their own to answer with.
    ///
    /// # Errors
    /// [`ApiError::Denied`].
    pub(crate) fn admitted(self) -> Result<Self, ApiError> {
        let denied: Vec<Finding> = self.findings.iter().filter(|f| f.severity == Severity::Denied).cloned().collect();
        if denied.is_empty() { Ok(self) } else { Err(ApiError::Denied(denied)) }
    }
}

/// Makes the redactor that `wanted` asks for, with what a permission review denies. `path` is where it stands in the request.
///
/// # Errors
/// [`ApiError::InvalidArgument`] with all violations; [`ApiError::FailedPrecondition`] where a mounted value cannot be read.
pub(crate) async fn build(
    app: &App,
    path: &str,
    wanted: v1::RedactionContext,
    reviewed: &[v1::ObjectReference],
) -> Result<Context, ApiError> {
    let mut violations = Vec::new();
    let mut findings = Vec::new();
    let accept = wanted.accept_weak_values;
    let bare = redactor()?;
    let mut objects = objects(&format!("{path}.denied"), &wanted.denied, bare, &mut violations);
    objects.extend(self::objects("draft.permission_review.denied", reviewed, bare, &mut violations));
    objects.sort();
    objects.dedup();
    let policy = policy(path, &wanted.policy, &mut violations);
    let fingerprint = fingerprint(&objects, &wanted);
    let mut brought = Vec::new();
    if wanted.denied_values.len() > MAX_OBJECTS || wanted.user_patterns.len() > MAX_OBJECTS {
        violations.push(Violation::new(path, format!("must have at most {MAX_OBJECTS} values and 64 patterns")));
        return Err(ApiError::InvalidArgument(violations));
    }
    let mut builder = Redactor::builder();
    builder = values(path, wanted.denied_values, bare, builder, &mut violations, &mut brought);
    builder = patterns(path, wanted.user_patterns, builder, &mut violations);
    if let Some(policy) = policy {
        builder = builder.policy(policy);
    }
    if violations.is_empty() {
        let found = app.secrets.values(objects.clone()).await?;
        for missing in found.missing.iter().filter(|missing| !brought.iter().any(|name| names(name, missing))) {
            let detail = "no value was sent or is mounted; only its own manifest is blanked";
            findings.push(Finding::new(Code::DenyValueMissing, describe(missing), detail));
        }
        builder = found.values.into_iter().fold(builder, RedactorBuilder::denied_value);
        builder = objects.into_iter().fold(builder, RedactorBuilder::denied_object);
    }
    let built = tokio::task::spawn_blocking(move || builder.build()).await;
    let redactor = match built.map_err(|_| ApiError::internal("making a redactor panicked"))? {
        Ok(redactor) if violations.is_empty() => redactor,
        Ok(_) => return Err(ApiError::InvalidArgument(violations)),
        Err(error) => {
            violations.push(refusal(path, &error));
            return Err(ApiError::InvalidArgument(violations));
        }
    };
    findings.extend(redactor.weak_values().iter().map(|weak| weakness(weak, accept)));
    // A name that is a denied value itself stands in a finding, and is no less secret there.
    for finding in &mut findings {
        let clean = redactor.redact(&finding.subject).map_err(|_| ApiError::internal("a rule could not run"))?;
        finding.subject = clean.text.into_string();
    }
    Ok(Context { redactor, findings, fingerprint })
}

fn weakness(weak: &WeakValue, accept: bool) -> Finding {
    let why = match weak.reason {
        WeakReason::Short => "it has under 6 bytes",
        WeakReason::CommonWord => "it is a common word",
        WeakReason::Digits => "it is a short number",
    };
    let warn = accept || weak.kind == ObjectKind::ConfigMap;
    let severity = if warn { Severity::Warning } else { Severity::Denied };
    let detail = format!("{why}; masking it would shred the text, so it is left");
    Finding::new(Code::DenyValueWeak, format!("{} {}", weak.kind.name(), weak.name), detail).with_severity(severity)
}

/// Adds the values that a caller brings; their names go to `brought`.
fn values(
    path: &str,
    wire: Vec<v1::DeniedValue>,
    bare: &Redactor,
    mut builder: RedactorBuilder,
    violations: &mut Vec<Violation>,
    brought: &mut Vec<String>,
) -> RedactorBuilder {
    for (index, value) in wire.into_iter().enumerate() {
        let at = format!("{path}.denied_values[{index}]");
        let before = violations.len();
        if value.name.is_empty() || value.name.len() > 255 || value.name.chars().any(char::is_control) {
            violations.push(Violation::new(format!("{at}.name"), "must be 1 to 255 bytes on one line"));
        } else if !bare.search(&value.name).is_empty() || value.value == value.name.as_bytes() {
            violations.push(Violation::new(format!("{at}.name"), "must not hold a secret itself"));
        }
        if value.value.is_empty() {
            violations.push(Violation::new(format!("{at}.value"), "must not be empty"));
        }
        let kind = match v1::object_reference::Kind::try_from(value.kind) {
            Ok(v1::object_reference::Kind::ConfigMap) => ObjectKind::ConfigMap,
            Ok(_) => ObjectKind::Secret,
            Err(_) => {
                violations.push(Violation::new(format!("{at}.kind"), "must be KIND_SECRET or KIND_CONFIG_MAP"));
                ObjectKind::Secret
            }
        };
        if violations.len() == before {
            brought.push(value.name.clone());
            builder = builder.denied_value(DeniedValue::new(value.name, kind, value.value));
        }
    }
    builder
}

/// Adds the patterns of a user.
fn patterns(
    path: &str,
    wire: Vec<v1::UserPattern>,
    mut builder: RedactorBuilder,
    violations: &mut Vec<Violation>,
) -> RedactorBuilder {
    use v1::user_pattern::Pattern;
    for (index, pattern) in wire.into_iter().enumerate() {
        let at = format!("{path}.user_patterns[{index}]");
        match pattern.pattern {
            Some(Pattern::Literal(text) | Pattern::Regex(text)) if text.is_empty() || text.len() > MAX_PATTERN => {
                violations.push(Violation::new(at, format!("must be 1 to {MAX_PATTERN} bytes")));
            }
            Some(Pattern::Literal(text)) => builder = builder.user_literal(Secret::from(text)),
            Some(Pattern::Regex(text)) => {
                // Tried by itself, so that the error has the index that the caller knows.
                match Redactor::builder().user_regex(&text).build() {
                    Err(Error::UserRegex { reason, .. }) => violations.push(Violation::new(at, reason.to_string())),
                    _ => builder = builder.user_regex(&text),
                }
            }
            None => violations.push(Violation::new(at, "must have a literal or a regex")),
        }
    }
    builder
}

fn objects(
    path: &str,
    wanted: &[v1::ObjectReference],
    bare: &Redactor,
    violations: &mut Vec<Violation>,
) -> Vec<ObjectRef> {
    if wanted.len() > MAX_OBJECTS {
        violations.push(Violation::new(path, format!("must be at most {MAX_OBJECTS}")));
        return Vec::new();
    }
    let mut objects = Vec::with_capacity(wanted.len());
    for (index, object) in wanted.iter().enumerate() {
        let at = format!("{path}[{index}]");
        let kind = match v1::object_reference::Kind::try_from(object.kind) {
            Ok(v1::object_reference::Kind::Secret) => ObjectKind::Secret,
            Ok(v1::object_reference::Kind::ConfigMap) => ObjectKind::ConfigMap,
            _ => {
                violations.push(Violation::new(format!("{at}.kind"), "must be KIND_SECRET or KIND_CONFIG_MAP"));
                continue;
            }
        };
        let named = |text: &str, longest: usize| {
            text.len() <= longest
                && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'))
                && !text.starts_with("..")
        };
        if object.name.is_empty() || !named(&object.name, 253) {
            violations.push(Violation::new(format!("{at}.name"), "must match [A-Za-z0-9._-]{1,253}"));
        }
        if !named(&object.namespace, 63) {
            violations.push(Violation::new(format!("{at}.namespace"), "must match [A-Za-z0-9._-]{0,63}"));
        }
        if !named(&object.key, 253) {
            violations.push(Violation::new(format!("{at}.key"), "must match [A-Za-z0-9._-]{0,253}"));
        }
        if [&object.name, &object.namespace, &object.key].iter().any(|text| !bare.search(text).is_empty()) {
            violations.push(Violation::new(at, "must not hold what redaction would take"));
            continue;
        }
        objects.push(ObjectRef {
            kind,
            namespace: object.namespace.clone(),
            name: object.name.clone(),
            key: Some(object.key.clone()).filter(|key| !key.is_empty()),
        });
    }
    objects
}

fn policy(path: &str, text: &str, violations: &mut Vec<Violation>) -> Option<Policy> {
    if text.is_empty() {
        return None;
    }
    if text.len() > MAX_POLICY {
        violations.push(Violation::new(format!("{path}.policy"), format!("must be at most {MAX_POLICY} bytes")));
        return None;
    }
    match Policy::parse(text) {
        Ok(policy) => Some(policy),
        Err(error) => {
            violations.push(Violation::new(format!("{path}.policy"), format!("line {}: {}", error.line, error.reason)));
            None
        }
    }
}

/// What of the context tells requests apart, in one form.
fn fingerprint(objects: &[ObjectRef], wanted: &v1::RedactionContext) -> Vec<u8> {
    let mut kept = v1::RedactionContext {
        denied: Vec::new(),
        denied_values: Vec::new(),
        policy: wanted.policy.clone(),
        user_patterns: wanted.user_patterns.clone(),
        accept_weak_values: wanted.accept_weak_values,
    };
    kept.user_patterns.retain(|pattern| matches!(pattern.pattern, Some(v1::user_pattern::Pattern::Regex(_))));
    let objects: Vec<String> = objects.iter().map(describe).collect();
    let mut bytes = prost::Message::encode_to_vec(&kept);
    bytes.extend_from_slice(objects.join("\n").as_bytes());
    bytes
}

/// Whether a value of this name, `namespace/name/key` or the end of it, is one of `object`.
fn names(value: &str, object: &ObjectRef) -> bool {
    let parts: Vec<&str> = value.split('/').collect();
    let (namespace, name, key) = match parts[..] {
        [namespace, name, key] => (Some(namespace), name, Some(key)),
        [name, key] => (None, name, Some(key)),
        [name] => (None, name, None),
        _ => return false,
    };
    name == object.name
        && namespace.is_none_or(|namespace| object.namespace.is_empty() || namespace == object.namespace)
        && key.is_none_or(|key| object.key.as_deref().is_none_or(|wanted| wanted == key))
}

fn describe(object: &ObjectRef) -> String {
    let key = object.key.as_ref().map(|key| format!("/{key}")).unwrap_or_default();
    format!("{} {}/{}{key}", object.kind.name(), object.namespace, object.name)
}

fn refusal(path: &str, error: &Error) -> Violation {
    let field = match error {
        Error::UserRegex { .. } | Error::WeakLiteral { .. } => format!("{path}.user_patterns"),
        _ => path.to_owned(),
    };
    Violation::new(field, error.to_string())
}
