//! Manifests of Secrets (any), and of Secrets and ConfigMaps that are denied: their data are blanked, keys stay readable.

mod json;

use std::ops::Range;

use crate::hit::{Hit, Until};
use crate::kind::{self, Kind};
use crate::redactor::Core;
use crate::secret::{ObjectKind, ObjectRef};
use crate::value::{Quote, dedent, indent};
use crate::words::is_template;
use json::Braces;

const DATA: [&[u8]; 3] = [b"data", b"stringData", b"binaryData"];

/// How many times a window's length may be walked to match braces.
const WORK: usize = 8;

/// Blanks what must be in `text`, where what may be the ends of keys stands at `ends`. The result is where an object begins whose end, or kind, is not yet in sight.
pub(crate) fn manifests(
    core: &Core,
    text: &[u8],
    ends: impl Iterator<Item = usize>,
    full: bool,
    hits: &mut Vec<Hit>,
) -> Option<usize> {
    let mut hold: Option<usize> = None;
    let mut done = 0;
    let keys = data_keys(text, ends);
    if keys.is_empty() {
        return None;
    }
    let mut work = text.len() * WORK;
    let mut braces = Braces::default();
    let possible = !core.objects.is_empty() || memchr::memmem::find(text, b"ecret").is_some();
    let mut known: Option<(Object, Option<Verdict>)> = None;
    for at in keys {
        if at < done {
            continue;
        }
        let is_json = at > 0 && text[at - 1] == b'"';
        if is_json && work == 0 && !possible {
            continue;
        }
        let line = line_start(text, at);
        // Several data keys of one YAML object share its borders and its kind.
        let same = known.as_ref().filter(|(object, _)| {
            !is_json && object.json.is_none() && object.depth == at - line && object.whole.contains(&at)
        });
        if same.is_some_and(|(object, verdict)| verdict.is_none() && !(object.open && full)) {
            continue;
        }
        let (object, verdict) = match same {
            Some((object, verdict)) => {
                let Some(data) = yaml_data(text, at, object.depth) else { continue };
                (Object { data, json: None, whole: object.whole.clone(), ..*object }, *verdict)
            }
            None => {
                let object = if is_json {
                    json::object(text, at, &mut braces, &mut work)
                } else if text[line..at].iter().all(|byte| matches!(byte, b' ' | b'-')) {
                    yaml(text, line, at)
                } else {
                    None
                };
                let Some(object) = object else { continue };
                let verdict = object.verdict(core, text);
                (object, verdict)
            }
        };
        let unknown = (object.open && full).then_some((Kind::DeniedSecret, "kubernetes-object"));
        // Braces nested beyond reason: what cannot be judged goes, where a manifest can be at all.
        let tangled = (is_json && work == 0 && possible).then_some((Kind::SecretPattern, "kubernetes-secret"));
        if object.open && !full && work > 0 {
            hold = Some(hold.map_or(object.start, |held| held.min(object.start)));
        }
        if let Some((kind, rule)) = verdict.or(unknown).or(tangled) {
            done = object.data.end;
            object.blank(core, text, kind, rule, hits);
            if full && object.data.end == text.len() {
                // Too long to be held: the rest of the data goes as it comes.
                hits.push(object.rest(text, kind, rule));
            }
        }
        known = Some((object, verdict));
    }
    hold
}

/// The kind and rule under which data go.
type Verdict = (Kind, &'static str);

/// The start of the line on which a key stands at `at`; keys stand near it, or not on a line of YAML.
fn line_start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(256);
    memchr::memrchr(b'\n', &text[from..at]).map_or(from, |newline| from + newline + 1)
}

/// Where `data`, `stringData` and `binaryData` stand as keys, of those whose last three letters stand at `ends`.
fn data_keys(text: &[u8], ends: impl Iterator<Item = usize>) -> Vec<usize> {
    let key = |end: usize| {
        let key = DATA.iter().find(|key| {
            text[..end].ends_with(key)
                && !text[..end - key.len()].last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        });
        key.map(|key| end - key.len())
    };
    ends.filter_map(|start| key(start + 3)).collect()
}

struct Object {
    start: usize,
    whole: Range<usize>,
    data: Range<usize>,
    json: Option<Quote>,
    /// The depth of a YAML object's keys.
    depth: usize,
    /// The text ends before the object does.
    open: bool,
}

/// The block below the key at `at`, if there is nothing behind it on its line.
fn yaml_data(text: &[u8], at: usize, depth: usize) -> Option<Range<usize>> {
    let colon = at + text[at..].iter().take(16).position(|byte| *byte == b':')?;
    let Some(len) = memchr::memchr(b'\n', &text[colon..]) else {
        return text[colon + 1..].trim_ascii().is_empty().then_some(text.len()..text.len());
    };
    let start = colon + len + 1;
    if !text[colon + 1..start].trim_ascii().is_empty() {
        return None;
    }
    Some(start..dedent(&text[start..], depth).map_or(text.len(), |len| start + len))
}

/// The YAML object whose key at `at` (on the line at `line`) opens a block of data.
fn yaml(text: &[u8], line: usize, at: usize) -> Option<Object> {
    let depth = at - line;
    let first_data = yaml_data(text, at, depth)?;
    let colon = at + text[at..].iter().position(|byte| *byte == b':')?;
    let eol = memchr::memchr(b'\n', &text[colon..]).map(|len| colon + len);
    let Some(eol) = eol else {
        return Some(Object {
            start: line,
            whole: line..text.len(),
            data: text.len()..text.len(),
            json: None,
            depth,
            open: true,
        });
    };
    let data = eol + 1;
    let (mut end, mut open) = (data, true);
    while end < text.len() {
        let stop = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |len| end + len);
        let row = &text[end..stop];
        if !row.trim_ascii().is_empty() {
            let deep = indent(row);
            if deep < depth || (deep == depth && !is_yaml_key(&row[deep..])) {
                open = false;
                break;
            }
        }
        end = (stop + 1).min(text.len());
    }
    // Keys before it at the same depth belong to the object; `- ` begins it.
    let mut start = line;
    let mut first = text[line..at].contains(&b'-');
    while start > 0 && !first && line - start < 64 * 1024 {
        let previous = memchr::memrchr(b'\n', &text[..start - 1]).map_or(0, |newline| newline + 1);
        let row = &text[previous..start - 1];
        if !row.trim_ascii().is_empty() {
            let dashes = row.iter().take_while(|byte| matches!(byte, b' ' | b'-')).count();
            first = dashes == depth && row[..depth.min(row.len())].contains(&b'-');
            if !first && (indent(row) < depth || (indent(row) == depth && !is_yaml_key(&row[depth..]))) {
                break;
            }
        }
        start = previous;
    }
    Some(Object { start: line, whole: start..end, data: first_data, json: None, depth, open })
}

fn is_yaml_key(row: &[u8]) -> bool {
    let name = row.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(byte)).count();
    name > 0 && row.get(name) == Some(&b':') && !row.starts_with(b"---")
}

impl Object {
    /// The kind and rule under which its data go, if they do.
    fn verdict(&self, core: &Core, text: &[u8]) -> Option<Verdict> {
        let kind = self.field(text, b"kind")?;
        let kind = if kind.eq_ignore_ascii_case(b"Secret") {
            ObjectKind::Secret
        } else if kind == b"ConfigMap" {
            ObjectKind::ConfigMap
        } else {
            return None;
        };
        if core.objects.iter().any(|object| self.names(object, kind, text)) {
            return Some((Kind::DeniedSecret, "kubernetes-object"));
        }
        (kind == ObjectKind::Secret).then_some((Kind::SecretPattern, "kubernetes-secret"))
    }

    fn names(&self, object: &ObjectRef, kind: ObjectKind, text: &[u8]) -> bool {
        let namespace = self.field(text, b"namespace");
        object.kind == kind
            && self.all(text, b"name").any(|name| name == object.name.as_bytes())
            && (object.namespace.is_empty()
                || namespace.is_none_or(|namespace| namespace == object.namespace.as_bytes()))
    }

    fn field<'t>(&self, text: &'t [u8], name: &'t [u8]) -> Option<&'t [u8]> {
        self.all(text, name).next()
    }

    /// The scalars of all fields of this name outside the data.
    fn all<'t>(&self, text: &'t [u8], name: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        let (whole, data, json) = (self.whole.clone(), self.data.clone(), self.json.is_some());
        // The kind stands at the object's own depth; names stand in its metadata.
        let depth = (name == b"kind").then_some(self.depth);
        memchr::memmem::find_iter(&text[whole.clone()], name).filter_map(move |found| {
            let at = whole.start + found;
            let mut end = at + name.len();
            let before = text[..at].last().copied().unwrap_or(b'\n');
            if data.contains(&at) || if json { before != b'"' } else { !matches!(before, b' ' | b'\n') } {
                return None;
            }
            if let (Some(depth), false) = (depth, json) {
                let line = line_start(text, at);
                if at - line != depth {
                    return None;
                }
            }
            let junk = |byte: &u8| matches!(byte, b' ' | b':' | b'"' | b'\'' | b'\\' | b'\t');
            let gap = text[end..].iter().take(16).take_while(|byte| junk(byte)).count();
            if !text[end..end + gap].contains(&b':') {
                return None;
            }
            end += gap;
            let len = text[end..]
                .iter()
                .take(256)
                .take_while(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(byte))
                .count();
            Some(&text[end..end + len])
        })
    }

    fn blank(&self, core: &Core, text: &[u8], kind: Kind, rule: &'static str, hits: &mut Vec<Hit>) {
        // With single keys denied, the others of a ConfigMap stay.
        let object_kind =
            if self.field(text, b"kind") == Some(b"ConfigMap") { ObjectKind::ConfigMap } else { ObjectKind::Secret };
        let refs: Vec<_> = core.objects.iter().filter(|object| self.names(object, object_kind, text)).collect();
        let denied = |key: &[u8]| {
            refs.is_empty() || refs.iter().any(|object| object.key.as_ref().is_none_or(|only| only.as_bytes() == key))
        };
        let mut take = |key: &[u8], range: Range<usize>, open: Option<Until>| {
            let value = &text[range.clone()];
            let (kind, rule) = match (denied(key), object_kind) {
                (true, _) => (kind, rule),
                (false, ObjectKind::Secret) => (Kind::SecretPattern, "kubernetes-secret"),
                (false, ObjectKind::ConfigMap) => return,
            };
            let stays = value.trim_ascii().is_empty() || (is_template(value) && kind != Kind::DeniedSecret);
            if !stays {
                let mut hit = Hit::new(range, kind, rule);
                hit.open = open;
                hits.push(hit);
            }
        };
        match self.json {
            Some(quote) => self.members(text, quote, &mut take),
            None => self.rows(text, &mut take),
        }
    }

    /// What is left of the data at the text's end, to go on behind it.
    fn rest(&self, text: &[u8], kind: Kind, rule: &'static str) -> Hit {
        let data = &text[self.data.clone()];
        let (last, until) = match self.json {
            Some(_) => (memchr::memrchr2(b',', b'{', data), Until::Brace),
            None => (memchr::memrchr(b'\n', data), Until::Indent(self.depth)),
        };
        let mut hit = Hit::new(self.data.start + last.map_or(0, |last| last + 1)..text.len(), kind, rule);
        hit.open = Some(until);
        hit
    }

    fn members(&self, text: &[u8], quote: Quote, take: &mut impl FnMut(&[u8], Range<usize>, Option<Until>)) {
        let mut at = self.data.start;
        let mut strings: Vec<Range<usize>> = Vec::new();
        let mut key: Option<Range<usize>> = None;
        while let Some(string) = next_string(text, at, self.data.end, quote) {
            at = string.end + quote.len();
            let is_key = text[at.min(text.len())..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
            if is_key && key.is_none() {
                key = Some(string);
            } else if let Some(key) = key.take() {
                let open = (string.end == text.len()).then_some(Until::Quote(quote.mark));
                take(&text[key], string.clone(), open);
                strings.push(string);
            }
        }
    }

    fn rows(&self, text: &[u8], take: &mut impl FnMut(&[u8], Range<usize>, Option<Until>)) {
        let mut at = self.data.start;
        let mut current: Option<(Range<usize>, Range<usize>, usize)> = None;
        while at < self.data.end {
            let stop = memchr::memchr(b'\n', &text[at..self.data.end]).map_or(self.data.end, |len| at + len);
            let row = &text[at..stop];
            let deep = indent(row);
            let blank = row.trim_ascii().is_empty()
                || row[deep..].starts_with(b"#") && current.as_ref().is_none_or(|(_, _, depth)| deep <= *depth);
            let nested = current.as_ref().is_some_and(|(_, _, depth)| deep > *depth);
            if let Some((_, value, _)) = current.as_mut().filter(|_| nested && !blank) {
                // A block, or a folded scalar.
                if value.start == value.end {
                    value.start = at + deep;
                }
                value.end = at + row.trim_ascii_end().len();
            } else if !blank {
                if let Some((key, value, _)) = current.take() {
                    take(&text[key], value, None);
                }
                // A marker's colon ends no key.
                let mut colons =
                    memchr::memchr_iter(b':', row).filter(|colon| kind::marker_around(row, *colon).is_none());
                if let Some(colon) = colons.next() {
                    let mut start = at + colon + 1;
                    let end = at + row.trim_ascii_end().len();
                    start += text[start.min(end)..end].iter().take_while(|byte| **byte == b' ').count();
                    // A block's mark stays, so that the YAML does.
                    let mark = matches!(text.get(start), Some(b'|' | b'>')) && end - start <= 3;
                    let range = if mark { end..end } else { unquoted(text, start.min(end)..end) };
                    current = Some((at + deep..at + colon, range, deep));
                }
            }
            at = stop + 1;
        }
        if let Some((key, value, depth)) = current {
            let open = (value.end == text.len() && self.open).then_some(Until::Indent(depth.min(self.depth)));
            take(&text[key], value, open);
        }
    }
}

/// A scalar without the quotes around it.
fn unquoted(text: &[u8], range: Range<usize>) -> Range<usize> {
    match &text[range.clone()] {
        [b'"', .., b'"'] | [b'\'', .., b'\''] => range.start + 1..range.end - 1,
        _ => range,
    }
}

/// The next string between `at` and `end`, without its quotes.
fn next_string(text: &[u8], at: usize, end: usize, quote: Quote) -> Option<Range<usize>> {
    let start = at + memchr::memchr(b'"', text.get(at..end)?)? + 1;
    let mut from = start;
    while let Some(len) = memchr::memchr(b'"', &text[from..end]) {
        let close = from + len;
        let slashes = text[start..close].iter().rev().take_while(|byte| **byte == b'\\').count();
        if slashes == quote.slashes || (quote.slashes == 0 && slashes % 2 == 0) {
            return Some(start..close - slashes.min(quote.slashes));
        }
        from = close + 1;
    }
    (end > start).then_some(start..end)
}
