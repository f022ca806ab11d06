//! Renders a trigger's template: MiniJinja syntax, strictly, with bounded work.

use std::collections::BTreeMap;

use dossier_redact::Clean;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};

/// Instructions of the template engine, at most.
const FUEL: u64 = 100_000;
/// Bytes that a rendered template may have, at most.
const OUTPUT_BYTES: usize = 1 << 20;
/// Bytes that a template may have, at most: layers 1 to 6 have no more in class `standard`.
const TEMPLATE_BYTES: usize = 64 << 10;
/// Bytes that one expression may have, at most.
const EXPRESSION_BYTES: usize = 4 << 10;
/// The stack that a template is parsed and rendered on. The engine recurses for each operator: some hundred bytes a level,
/// and no template has more levels than bytes.
const STACK_BYTES: usize = 256 << 20;

/// A template cannot be rendered. Nothing of it is repeated; a missing field is named by the name that the template has for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A field that the template names is not given.
    #[error("line {line}: a field is missing{}", name.as_ref().map(|name| format!(": {name}")).unwrap_or_default())]
    Missing {
        /// The field, where it is a plain name.
        name: Option<String>,
        /// The line, from 1.
        line: usize,
    },
    /// The template is no template.
    #[error("line {line}: {reason}")]
    Invalid {
        /// The line, from 1; 0 where it is not known.
        line: usize,
        /// Why, in fixed words.
        reason: &'static str,
    },
}

/// Renders `template` with `fields`. The result is text that is to be redacted again: a template can put a secret together.
///
/// It blocks for as long as rendering takes, on a thread of its own that has the stack for it.
///
/// # Errors
/// [`TemplateError`] where a field is missing, the template is malformed, or takes too much work.
pub fn render(template: &Clean, fields: &BTreeMap<String, Clean>) -> Result<String, TemplateError> {
    let invalid = |reason| TemplateError::Invalid { line: 0, reason };
    if template.len() > TEMPLATE_BYTES {
        return Err(invalid("it is longer than 64 KiB"));
    }
    if let Some((line, reason)) = unbounded(template.as_str()) {
        return Err(TemplateError::Invalid { line, reason });
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("template".to_owned()).stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, || render_here(template, fields)) {
            Ok(running) => running.join().unwrap_or(Err(invalid("the engine gave up"))),
            Err(_) => Err(invalid("there is no thread to render it on")),
        }
    })
}

/// The first thing in an expression that makes work of which the engine's fuel sees nothing: `+` or `*`, with which a short
/// template makes lists of any length; or very many operators.
fn unbounded(template: &str) -> Option<(usize, &'static str)> {
    let bytes = template.as_bytes();
    let line = |at: usize| bytes[..at].iter().filter(|b| **b == b'\n').count() + 1;
    let (mut at, mut inside, mut quote, mut start) = (0, false, None, 0);
    while at < bytes.len() {
        if inside && quote.is_none() && at - start > EXPRESSION_BYTES {
            return Some((line(at), "an expression is longer than 4 KiB"));
        }
        let pair = (bytes[at], bytes.get(at + 1).copied());
        match (inside, quote, pair) {
            (false, _, (b'{', Some(b'{' | b'%'))) => {
                (inside, start) = (true, at);
                // White space control behind the delimiter.
                at += if matches!(bytes.get(at + 2), Some(b'+' | b'-')) { 2 } else { 1 };
            }
            (true, Some(_), (b'\\', _)) => at += 1,
            (true, Some(open), (byte, _)) if byte == open => quote = None,
            (true, Some(_), _) => {}
            (true, None, (byte @ (b'"' | b'\''), _)) => quote = Some(byte),
            (true, None, (b'}' | b'%', Some(b'}'))) => {
                inside = false;
                at += 1;
            }
            (true, None, (b'+', Some(b'%' | b'}'))) => {}
            (true, None, (b'+' | b'*', _)) => return Some((line(at), "+ and * are not available; ~ joins texts")),
            _ => {}
        }
        at += 1;
    }
    None
}

fn render_here(template: &Clean, fields: &BTreeMap<String, Clean>) -> Result<String, TemplateError> {
    let mut environment = Environment::new();
    for lazy in ["chain", "zip", "sum"] {
        environment.remove_filter(lazy);
    }
    environment.remove_global("namespace");
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    let mut syntax = SyntaxConfig::builder();
    syntax.keep_trailing_newline(true);
    environment.set_syntax(syntax.build().map_err(|error| translate(&error))?);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    let parsed = environment.template_from_str(template.as_str()).map_err(|error| translate(&error))?;
    let context: BTreeMap<&str, Value> =
        fields.iter().map(|(name, value)| (name.as_str(), Value::from(value.as_str()))).collect();
    let mut out = Bounded(Vec::new());
    match parsed.render_captured_to(context, &mut out) {
        Ok(_) => String::from_utf8(out.0).map_err(|_| TemplateError::Invalid { line: 0, reason: "it is not text" }),
        Err(error) if error.kind() == ErrorKind::UndefinedError => {
            let line = error.line().unwrap_or(0);
            let known =
                |name: &String| fields.contains_key(name) || environment.globals().any(|(global, _)| global == name);
            let mut names: Vec<String> = parsed.undeclared_variables(false).into_iter().collect();
            names.retain(|name| is_field_name(name) && !known(name));
            names.sort();
            // The engine does not tell the name: of those that are missing, it is the one that stands on the line.
            let text = template.as_str().lines().nth(line.saturating_sub(1)).unwrap_or_default();
            let name = names.iter().find(|name| text.contains(name.as_str())).or(names.first()).cloned();
            Err(TemplateError::Missing { name, line })
        }
        Err(error) => Err(translate(&error)),
    }
}

/// A buffer that refuses to grow without end.
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > OUTPUT_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The engine's own words quote the template, so only their meaning is kept.
fn translate(error: &minijinja::Error) -> TemplateError {
    let line = error.line().unwrap_or(0);
    let reason = match error.kind() {
        ErrorKind::SyntaxError => "the syntax is wrong",
        ErrorKind::OutOfFuel => "it takes too much work",
        ErrorKind::UnknownFilter => "it names a filter that is not there",
        ErrorKind::UnknownTest => "it names a test that is not there",
        ErrorKind::UnknownFunction | ErrorKind::UnknownMethod => "it names a function that is not there",
        ErrorKind::TemplateNotFound => "it includes another template, which is not allowed",
        ErrorKind::WriteFailure => "it renders to more than 1 MiB",
        _ => "an operation in it cannot be done",
    };
    TemplateError::Invalid { line, reason }
}

/// Whether `name` can be a field's: `[A-Za-z_][A-Za-z0-9_]{0,63}`.
#[must_use]
pub fn is_field_name(name: &str) -> bool {
    matches!(name.len(), 1..=64)
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !name.as_bytes()[0].is_ascii_digit()
}

/// Whether `value` may stand in the assignment although a stranger wrote it: `[A-Za-z0-9._/#:@-]{1,200}`.
#[must_use]
pub fn is_harmless(value: &str) -> bool {
    matches!(value.len(), 1..=200)
        && value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'/' | b'#' | b':' | b'@' | b'-'))
}

#[cfg(test)]
mod tests {
    use dossier_redact::Redactor;

    use super::*;

    fn clean(text: &str) -> Clean {
        Redactor::builder().build().unwrap().redact(text).unwrap().text
    }

    fn run(template: &str, fields: &[(&str, &str)]) -> Result<String, TemplateError> {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), clean(value))).collect();
        render(&clean(template), &fields)
    }

    #[test]
    fn fields_are_filled_in_and_nothing_is_escaped() {
        assert_eq!(run("Fix {{ number }} <now>\n", &[("number", "#12")]).as_deref(), Ok("Fix #12 <now>\n"));
        assert_eq!(run("{% for n in [1,2] %}{{ n }}{% endfor %}", &[]).as_deref(), Ok("12"));
    }

    #[test]
    fn a_missing_field_is_named() {
        let missing = |name: &str, line| Err(TemplateError::Missing { name: Some(name.to_owned()), line });
        assert_eq!(run("{% if a is defined %}{{ a }}{% endif %}-", &[]).as_deref(), Ok("-"));
        assert_eq!(run("a\n{{ branch }}", &[("other", "x")]), missing("branch", 2));
    }

    #[test]
    fn errors_do_not_repeat_the_template() {
        for template in
            ["{{ hunter2 hunter2 }}", "{% include 'hunter2' %}", "{{ 'hunter2'|hunter2 }}", "{{ 'hunter2' - 1 }}"]
        {
            let error = run(template, &[]).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn deep_templates_do_not_exhaust_the_stack() {
        let chain = format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(5_000));
        let _ = run(&chain, &[]);
        for (open, close) in [("-", "1"), ("not ", "1"), ("1 if 1 else ", "1"), ("1~", "1"), ("(", "1")] {
            let deep = format!("{{{{ {}{close} }}}}", open.repeat(4_000 / open.len()));
            // Whatever comes of it, the process stands.
            let _ = run(&deep, &[]);
        }
        for behind in ["|abs", ".a", "[0]", " and 1", " is defined", "()"] {
            let _ = run(&format!("{{{{ 1{} }}}}", behind.repeat(4_000 / behind.len())), &[]);
        }
    }

    #[test]
    fn lists_do_not_grow_unseen() {
        for template in [
            "{% set a=[1] %}{% set a=a+a %}{{ a|length }}",
            "{% set ns=namespace(a=[1]) %}",
            "{{ ([1] * 99999999)|length }}",
            "{{ [1]|chain([1])|length }}",
            "{{- a +b }}",
        ] {
            assert!(
                matches!(run(template, &[("a", "x"), ("b", "x")]), Err(TemplateError::Invalid { .. })),
                "{template}"
            );
        }
        assert_eq!(run("{%+ if 1 +%}+*{% endif %}{{ '+*' ~ \"*\" }}", &[]).as_deref(), Ok("+*+**"));
    }

    #[test]
    fn work_and_output_are_bounded() {
        let forever = "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}";
        assert!(matches!(run(forever, &[]), Err(TemplateError::Invalid { .. })));
        let huge = "{% for a in range(9999) %}{{ t }}{% endfor %}";
        assert!(matches!(run(huge, &[("t", &"word ".repeat(100))]), Err(TemplateError::Invalid { .. })));
    }
}
