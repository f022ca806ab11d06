//! Listing a directory: depth first, names of a folder in byte order, and a token that is the last key given.

use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::engine::{Entry, Page, PageToken};
use crate::error::{Error, Result};
use crate::key::{InvalidKey, Key, is_prefix};

/// What a call asks for.
pub(super) struct Query {
    prefix: String,
    after: Option<Vec<String>>,
    limit: usize,
}

/// What a walk has found, with whether there may be more.
#[derive(Default)]
pub(super) struct Found {
    entries: Vec<(String, u64, SystemTime)>,
    more: bool,
}

impl Query {
    pub(super) fn new(prefix: &str, token: Option<&PageToken>, limit: usize) -> Result<Self> {
        if !is_prefix(prefix) {
            return Err(Error::InvalidKey(InvalidKey));
        }
        let after = match token {
            Some(token) => {
                let key = Key::parse(token.as_str()).map_err(|_| Error::InvalidPageToken)?;
                if !key.as_str().starts_with(prefix) {
                    return Err(Error::InvalidPageToken);
                }
                Some(key.segments().map(str::to_owned).collect())
            }
            None => None,
        };
        Ok(Self { prefix: prefix.to_owned(), after, limit: limit.clamp(1, 1000) })
    }

    pub(super) fn run(&self, root: &Path) -> io::Result<Found> {
        let mut found = Found::default();
        // Everything above the prefix's last `/` is one folder, and the walk starts in it.
        let folder = self.prefix.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut path: Vec<String> = folder.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        self.walk(&root.join(folder), &mut path, &mut found)?;
        Ok(found)
    }

    fn walk(&self, folder: &Path, path: &mut Vec<String>, found: &mut Found) -> io::Result<()> {
        let Some(names) = super::present(fs::read_dir(folder))? else { return Ok(()) };
        let mut names: Vec<(String, bool)> = names
            .filter_map(|entry| {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) => return Some(Err(error)),
                };
                // A name that no key can have is not ours.
                let name = entry.file_name().into_string().ok()?;
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() || kind.is_file() => Some(Ok((name, kind.is_dir()))),
                    Ok(_) => None,
                    Err(error) => super::present(Err(error)).transpose(),
                }
            })
            .collect::<io::Result<_>>()?;
        names.sort_unstable();
        for (name, is_dir) in names {
            path.push(name);
            let step = self.step(folder, path, is_dir, found);
            path.pop();
            step?;
            if found.more {
                break;
            }
        }
        Ok(())
    }

    fn step(&self, folder: &Path, path: &mut Vec<String>, is_dir: bool, found: &mut Found) -> io::Result<()> {
        let text = path.join("/");
        let place = folder.join(path.last().map_or("", String::as_str));
        if is_dir {
            let whole = format!("{text}/");
            let inside = whole.starts_with(&self.prefix) || self.prefix.starts_with(&whole);
            if inside && text != ".dossier" && !self.is_past(path, true) {
                self.walk(&place, path, found)?;
            }
        } else if text.starts_with(&self.prefix) && !self.is_past(path, false) && Key::parse(&text).is_ok() {
            if found.entries.len() == self.limit {
                found.more = true;
            } else if let Some(meta) = super::present(fs::metadata(&place))? {
                found.entries.push((text, meta.len(), meta.modified()?));
            }
        }
        Ok(())
    }

    /// Whether an earlier page has gone past this file, or past all of this folder.
    fn is_past(&self, path: &[String], is_dir: bool) -> bool {
        let Some(after) = &self.after else { return false };
        if is_dir && after.starts_with(path) {
            return false;
        }
        path.cmp(after.as_slice()) != Ordering::Greater
    }
}

pub(super) fn page(found: Found) -> Result<Page> {
    let mut page = Page::default();
    for (text, size, modified) in found.entries {
        page.entries.push(Entry { key: Key::parse(&text)?, size, modified });
    }
    if found.more
        && let Some(last) = page.entries.last()
    {
        page.next = Some(PageToken::parse(last.key.as_str())?);
    }
    Ok(page)
}
