//! Readers of melodies: one file per format, all over bytes in memory. Nothing in this module opens
//! a file or knows collections.
//!
//! A reader returns a [`Transcript`] for each melody of a source, or a [`FormatError`] if it cannot
//! be read. The reader counts what it left out or corrected ([`DiagnosticCounts`]).

mod builder;
mod format;
mod kern;
mod mei;
mod midi;
mod musicxml;
mod other_format;
pub mod pae;
mod voice;
mod xml;

use partita_formats::{Diagnostic, DiagnosticCode, FormatError, diagnostic};
use serde::Deserialize;

use crate::Melody;
pub use format::MelodyFormat;

partita_named::named_enum! {
    /// Policy for notes that sound at the same time, which a melody cannot contain.
    pub enum ChordPolicy: "way with chords" = Skip {
        /// The melody is not read
        Skip = "skip",
        /// The highest note is kept
        Highest = "highest",
    }
}

/// Options for reading melodies, which are read from JSON by the names of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MelodyReadOptions {
    /// Number of the voice to read, from 1. It is required if several voices have notes.
    pub voice: Option<usize>,
    /// Policy for notes that sound at the same time.
    pub chords: ChordPolicy,
    /// Largest number of notes of a melody that is read; longer ones are an error.
    pub max_notes: usize,
    /// Largest size of a file after decompression, in bytes.
    pub max_size: u64,
}

impl Default for MelodyReadOptions {
    fn default() -> Self {
        Self {
            voice: None,
            chords: ChordPolicy::Skip,
            max_notes: 100_000,
            max_size: 256 << 20,
        }
    }
}

impl MelodyReadOptions {
    /// Returns the largest number of notes in all voices of a file together (in MusicXML, in each
    /// part), which bounds the memory. It is a multiple of `max_notes`, because a melody may have
    /// accompaniment.
    fn max_notes_of_all_voices(&self) -> usize {
        self.max_notes.saturating_mul(16)
    }
}

/// Content of one melody as read from a file: notes, clef, key, metre and tempo.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// Notes of the melody.
    pub melody: Melody,
    /// First clef in Plaine & Easie notation, for example `G-2`.
    pub clef: Option<String>,
    /// First key signature in Plaine & Easie notation, for example `xFC` or `bB`; `n` for none.
    pub key: Option<String>,
    /// First metre, for example `3/4`.
    pub time: Option<String>,
    /// First tempo that the file states, in quarter notes per minute.
    pub tempo: Option<f64>,
    /// Counts of what the reader left out or corrected.
    pub diagnostic_counts: DiagnosticCounts,
}

/// Counts of what a reader left out or corrected, by [`DiagnosticCode`].
///
/// Most melodies have none; then the list is empty and needs no heap memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiagnosticCounts(Vec<(DiagnosticCode, u32)>);

impl DiagnosticCounts {
    /// Adds one to the count of a diagnostic code.
    pub fn add(&mut self, code: DiagnosticCode) {
        self.add_many(code, 1);
    }

    /// Adds `count` to the count of a diagnostic code.
    pub fn add_many(&mut self, code: DiagnosticCode, count: u32) {
        if count == 0 {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == code) {
            Some((_, counted)) => *counted = counted.saturating_add(count),
            None => self.0.push((code, count)),
        }
    }

    /// Returns how often a diagnostic code was counted.
    pub fn count(&self, code: DiagnosticCode) -> u32 {
        let found = self.0.iter().find(|(known, _)| *known == code);
        found.map_or(0, |&(_, count)| count)
    }

    /// Iterates over the diagnostic codes that were counted, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (DiagnosticCode, u32)> {
        self.0.iter().copied()
    }
}

/// Diagnostic with its line and column, for functions that do not know the file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocatedProblem {
    problem: Diagnostic,
    line: Option<u64>,
    column: Option<u64>,
}

impl From<Diagnostic> for LocatedProblem {
    fn from(problem: Diagnostic) -> Self {
        Self {
            problem,
            line: None,
            column: None,
        }
    }
}

impl LocatedProblem {
    /// Adds a line number, from 1, to a diagnostic.
    fn on_line(problem: Diagnostic, line: u64) -> Self {
        Self::from(problem).or_line(line)
    }

    /// Sets the line number, unless the problem already has one: that of an inner element is more
    /// precise.
    fn or_line(self, line: u64) -> Self {
        let line = self.line.or(Some(line));
        Self { line, ..self }
    }

    /// Converts the problem to an error in the file with this name.
    pub(crate) fn in_file(self, file: &str) -> FormatError {
        FormatError {
            line: self.line,
            column: self.column,
            ..FormatError::in_file(file, self.problem)
        }
    }
}

/// One melody of a file with several melodies, or the reason why it could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct MelodyEntry {
    /// Id of the melody in the file, if it has one.
    pub id: Option<String>,
    /// Line of the melody in the file, from 1; `None` if unknown.
    pub line: Option<u64>,
    /// Content of the melody, or the error.
    pub result: Result<Transcript, FormatError>,
}

/// Returns the diagnostic for an empty file.
pub(crate) fn empty_file_diagnostic() -> Diagnostic {
    diagnostic!(EmptyFile: "there is nothing in this file")
}

/// Returns the diagnostic for content that does not follow the rules of its format.
fn syntax_diagnostic(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticCode::Syntax, message)
}
