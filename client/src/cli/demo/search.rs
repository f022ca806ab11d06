//! Looking for planted secrets: in answers, in files, and in file names. A secret is named by its number, never shown.

use std::fs;
use std::path::Path;

use dossier_client::Error;

use crate::cli::failure::Failure;

/// The secrets of an example, and where they were seen.
pub(super) struct Planted {
    secrets: Vec<String>,
    hits: Vec<String>,
    files: usize,
    answers: usize,
}

impl Planted {
    /// Reads the secrets; no file means none.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(Failure::Client(Error::Io { path: path.to_owned(), source })),
        };
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Self { secrets: lines.map(str::to_owned).collect(), hits: Vec::new(), files: 0, answers: 0 })
    }

    /// Looks through an answer.
    pub(super) fn look(&mut self, place: &str, bytes: &[u8]) {
        self.answers += 1;
        self.scan(place, bytes);
    }

    /// Looks through all files below a directory.
    pub(super) fn search(&mut self, dir: &Path) -> Result<(), Failure> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| Failure::Client(Error::Io { path, source })
        };
        for entry in fs::read_dir(dir).map_err(io(dir))? {
            let path = entry.map_err(io(dir))?.path();
            self.scan("a file's name", path.as_os_str().as_encoded_bytes());
            let about = fs::symlink_metadata(&path).map_err(io(&path))?;
            if about.is_dir() {
                self.search(&path)?;
            } else if about.is_file() {
                let bytes = fs::read(&path).map_err(io(&path))?;
                self.files += 1;
                self.scan(&path.display().to_string(), &bytes);
            }
        }
        Ok(())
    }

    fn scan(&mut self, place: &str, bytes: &[u8]) {
        for (index, secret) in self.secrets.iter().enumerate() {
            if memchr::memmem::find(bytes, secret.as_bytes()).is_some() {
                self.hits.push(format!("planted secret {} FOUND in {place}", index + 1));
            }
        }
    }

    /// Whether one was seen.
    pub(super) fn found(&self) -> bool {
        !self.hits.is_empty()
    }

    /// What was seen, in lines.
    pub(super) fn report(&self) -> Vec<String> {
        if self.found() {
            return self.hits.clone();
        }
        let (secrets, files, answers) = (self.secrets.len(), self.files, self.answers);
        vec![format!("{secrets} planted secrets: none in {files} files and {answers} answers")]
    }
}
