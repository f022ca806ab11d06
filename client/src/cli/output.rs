//! Printing: values as YAML or JSON, tables, and findings.

use std::io::{self, BufWriter, StdoutLock, Write};

use dossier_proto::json;
use dossier_proto::v1;
use prost::{Message, Name};
use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::global::Format;

/// Standard output, buffered. What is not flushed is lost: each command flushes at its end.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(64 * 1024, io::stdout().lock())
}

/// A message's JSON form.
pub(crate) fn to_json<M: Message + Name>(message: &M) -> Result<Value, Failure> {
    json::to_value(message).map_err(|_| Failure::other("the answer has no JSON form"))
}

/// Prints a value as JSON or (whatever else is asked) as YAML.
pub(crate) fn value(out: &mut dyn Write, value: &Value, format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        let text = serde_json::to_string_pretty(value).map_err(|_| Failure::other("the answer has no JSON form"))?;
        writeln!(out, "{text}")?;
    } else {
        let text = serde_saphyr::to_string(value).map_err(|_| Failure::other("the answer has no YAML form"))?;
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// Prints rows in aligned columns; the last column is not padded.
pub(crate) fn table(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:width$}  "));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A row of a table.
pub(crate) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// A bundle as the resource that users know: `apiVersion`, `kind`, `metadata`, `spec`, `status`.
pub(crate) fn resource(bundle: &v1::Bundle) -> Result<Value, Failure> {
    let Value::Object(mut members) = to_json(bundle)? else {
        return Err(Failure::other("the answer has no JSON form"));
    };
    let mut take = |names: &[&str]| {
        let found = names.iter().filter_map(|name| members.remove(*name).map(|value| ((*name).to_owned(), value)));
        found.collect::<Map<_, _>>()
    };
    let metadata = take(&["name", "uid", "createTime", "creator", "requestId"]);
    let spec = take(&["spec"]).remove("spec").unwrap_or_else(|| json!({}));
    let mut status = take(&["phase", "digest", "manifestBytes", "pins"]);
    if let Some(phase) = status.get_mut("phase") {
        *phase = json!(phase_name(bundle));
    }
    Ok(json!({
        "apiVersion": "dossier.dev/v1",
        "kind": "AgentContextBundle",
        "metadata": metadata,
        "spec": spec,
        "status": status,
    }))
}

/// A bundle's phase as people write it.
pub(crate) fn phase_name(bundle: &v1::Bundle) -> &'static str {
    match bundle.phase() {
        v1::bundle::Phase::Ready => "Ready",
        v1::bundle::Phase::Unspecified => "Unknown",
    }
}

/// Prints findings, the grave first, each with its fix.
pub(crate) fn findings(out: &mut dyn Write, findings: &[v1::Finding]) -> io::Result<()> {
    let denied = |finding: &v1::Finding| finding.severity() == v1::finding::Severity::Denied;
    let mut sorted: Vec<&v1::Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| !denied(finding));
    for finding in sorted {
        let severity = if denied(finding) { "DENIED " } else { "warning" };
        writeln!(out, "  {severity}  {}  {}: {}", finding.code, finding.subject, finding.detail)?;
        if !finding.fix.is_empty() {
            writeln!(out, "           fix: {}", finding.fix)?;
        }
    }
    Ok(())
}
