//! Text to feed a server with: repeatable, of any size, and made while it is read.

use std::io::{self, Read};
use std::sync::mpsc::Receiver;

/// The next number of a xorshift generator: repeatable, and good enough to choose with.
pub fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

const WORDS: [&str; 16] = [
    "compiling",
    "the",
    "crate",
    "warning",
    "unused",
    "variable",
    "in",
    "module",
    "finished",
    "step",
    "cache",
    "hit",
    "for",
    "layer",
    "running",
    "test",
];

/// About `bytes` bytes of lines like those of a build.
#[must_use]
pub fn words(bytes: usize, seed: u64) -> String {
    let mut text = String::with_capacity(bytes + 128);
    let mut lines = Lines::new(bytes as u64, seed);
    lines.read_to_string(&mut text).unwrap();
    text
}

/// The log of a long build, made while it is read: exactly so many bytes.
pub struct Lines {
    left: u64,
    number: u64,
    state: u64,
    line: Vec<u8>,
    at: usize,
}

impl Lines {
    /// A log of `bytes` bytes.
    #[must_use]
    pub fn new(bytes: u64, seed: u64) -> Self {
        Self { left: bytes, number: 0, state: seed.wrapping_mul(2) + 1, line: Vec::new(), at: 0 }
    }

    fn next_line(&mut self) {
        self.line.clear();
        self.at = 0;
        let number = self.number;
        self.number += 1;
        let (hours, minutes, seconds) = (number / 3600 % 24, number / 60 % 60, number % 60);
        let start = format!("2026-07-12T{hours:02}:{minutes:02}:{seconds:02}Z [{:5}]", number % 100_000);
        self.line.extend_from_slice(start.as_bytes());
        for _ in 0..6 + random(&mut self.state) % 8 {
            let word = WORDS[usize::try_from(random(&mut self.state) % 16).unwrap()];
            self.line.push(b' ');
            self.line.extend_from_slice(word.as_bytes());
        }
        self.line.push(b'\n');
    }
}

impl Read for Lines {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < out.len() && self.left > 0 {
            if self.at == self.line.len() {
                self.next_line();
            }
            let room = (out.len() - done).min(usize::try_from(self.left).unwrap_or(usize::MAX));
            let part = &self.line[self.at..];
            let part = &part[..part.len().min(room)];
            out[done..done + part.len()].copy_from_slice(part);
            self.at += part.len();
            self.left -= part.len() as u64;
            done += part.len();
        }
        Ok(done)
    }
}

/// Input that comes when the test says so, and ends when it drops the sender.
pub struct Paused {
    parts: Receiver<Vec<u8>>,
}

impl Paused {
    /// Input that a sender feeds.
    #[must_use]
    pub fn new(parts: Receiver<Vec<u8>>) -> Self {
        Self { parts }
    }
}

impl Read for Paused {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Ok(part) = self.parts.recv() else { return Ok(0) };
        let room = out.get_mut(..part.len()).ok_or(io::ErrorKind::InvalidInput)?;
        room.copy_from_slice(&part);
        Ok(part.len())
    }
}
