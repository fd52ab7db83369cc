//! Reading melodies: one file for each format, all over bytes in memory.
//!
//! A reader returns for each melody of a source its [`Transcript`], or a [`FormatError`] that says why it
//! cannot be read. What a reader left out or corrected is counted ([`DiagnosticCounts`]).

mod builder;
pub mod kern;
pub mod mei;
pub mod midi;
pub mod musicxml;
pub mod pae;
pub(crate) mod value;
mod voice;
mod xml;

use partita_formats::{Diagnostic, DiagnosticCode, FormatError, diagnostic};

use crate::Melody;

partita_named::named_enum! {
    /// What becomes of notes that sound at once.
    pub enum ChordPolicy: "way with chords" = Skip {
        /// The melody is not read
        Skip = "skip",
        /// The highest note is kept
        Highest = "highest",
    }
}

/// How melodies are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MelodyReadOptions {
    /// Which of several voices is read, from 1.
    pub voice: Option<usize>,
    /// What becomes of notes that sound at once.
    pub chords: ChordPolicy,
    /// The most notes of a melody.
    pub max_notes: usize,
    /// The most bytes of a file, unpacked.
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

/// What a source says of one melody.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// The notes.
    pub melody: Melody,
    /// The first clef, as Plaine & Easie writes it: `G-2`.
    pub clef: Option<String>,
    /// The first key signature, as Plaine & Easie writes it: `xFC`, `bB`, `n` for none.
    pub key: Option<String>,
    /// The first metre: `3/4`.
    pub time: Option<String>,
    /// The first tempo, in quarter notes per minute.
    pub tempo: Option<f64>,
    /// Counts of what was left out or corrected.
    pub diagnostic_counts: DiagnosticCounts,
}

/// Counts of what a reader left out or corrected, by [`Code`].
///
/// Most melodies have none, so that the list is empty and takes no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiagnosticCounts(Vec<(DiagnosticCode, u32)>);

impl DiagnosticCounts {
    /// Counts one more.
    pub fn add(&mut self, code: DiagnosticCode) {
        self.add_many(code, 1);
    }

    /// Counts `count` more.
    pub fn add_many(&mut self, code: DiagnosticCode, count: u32) {
        if count == 0 {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == code) {
            Some((_, counted)) => *counted = counted.saturating_add(count),
            None => self.0.push((code, count)),
        }
    }

    /// Returns how often the code was counted.
    pub fn count(&self, code: DiagnosticCode) -> u32 {
        let found = self.0.iter().find(|(known, _)| *known == code);
        found.map_or(0, |&(_, count)| count)
    }

    /// Returns the codes that were counted, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (DiagnosticCode, u32)> {
        self.0.iter().copied()
    }
}

/// Diagnostic with its line and column, in a function that does not know the name of the file.
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
    /// Makes a problem on a line.
    fn on_line(problem: Diagnostic, line: u64) -> Self {
        Self::from(problem).or_line(line)
    }

    /// Sets the line unless it is known already: the innermost element is the most precise.
    fn or_line(self, line: u64) -> Self {
        let line = self.line.or(Some(line));
        Self { line, ..self }
    }

    fn column(self, column: u64) -> Self {
        let column = Some(column);
        Self { column, ..self }
    }

    /// Makes the error of a file.
    pub(crate) fn in_file(self, file: &str) -> FormatError {
        FormatError {
            line: self.line,
            column: self.column,
            ..FormatError::in_file(file, self.problem)
        }
    }
}

/// One melody of a file, or why it was not read.
#[derive(Clone, Debug, PartialEq)]
pub struct MelodyEntry {
    /// The id that the file gives it.
    pub id: Option<String>,
    /// The line on which it stands, from 1.
    pub line: Option<u64>,
    /// What was read.
    pub result: Result<Transcript, FormatError>,
}

partita_named::named_enum! {
    /// The format of a file of melodies.
    pub enum MelodyFormat: "format" {
        /// Plaine & Easie: tags, JSON, lines or MARCXML
        Pae = "pae",
        /// Standard MIDI files
        Midi = "midi",
        /// Humdrum's **kern
        Kern = "kern",
        /// MusicXML, plain or .mxl
        Musicxml = "musicxml",
        /// MEI
        Mei = "mei",
        /// Recordings: WAV, FLAC, MP3, Ogg Vorbis
        Audio = "audio",
    }
}

impl MelodyFormat {
    /// The format that a file's content shows, else its ending.
    pub fn detect(bytes: &[u8], name: &str) -> Option<Self> {
        if midi::looks_like(bytes) {
            return Some(Self::Midi);
        }
        if kern::looks_like(bytes) {
            return Some(Self::Kern);
        }
        match xml::root_name(bytes).as_deref() {
            Some("score-partwise" | "score-timewise" | "opus") => return Some(Self::Musicxml),
            Some("mei" | "meiCorpus") => return Some(Self::Mei),
            Some(root) if pae::is_root_of_records(root) => return Some(Self::Pae),
            _ => {}
        }
        if crate::audio::decoder::looks_like(bytes) {
            return Some(Self::Audio);
        }
        if musicxml::is_packed(bytes) {
            return Some(Self::Musicxml);
        }
        if pae::looks_like(bytes) {
            return Some(Self::Pae);
        }
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending.to_ascii_lowercase().as_str() {
            "pae" => Some(Self::Pae),
            "mid" | "midi" => Some(Self::Midi),
            "krn" | "kern" => Some(Self::Kern),
            "musicxml" | "mxl" => Some(Self::Musicxml),
            "mei" => Some(Self::Mei),
            "wav" | "flac" | "mp3" | "ogg" | "oga" => Some(Self::Audio),
            _ => None,
        }
    }

    /// Returns the bytes of a file as they are read: those of a packed score unpacked, all others unchanged.
    ///
    /// # Errors
    /// [`FormatError`] where it cannot be unpacked, or to too much.
    pub(crate) fn unpack(
        self,
        file: &str,
        bytes: Vec<u8>,
        options: &MelodyReadOptions,
    ) -> Result<Vec<u8>, FormatError> {
        match self {
            Self::Musicxml if musicxml::is_archive(&bytes) => {
                musicxml::unpacked(&bytes, options).map_err(|problem| problem.in_file(file))
            }
            _ => Ok(bytes),
        }
    }

    /// Reads a file that is one melody. Errors name it `file`.
    ///
    /// # Errors
    /// [`FormatError`] where it cannot be read.
    pub fn read_melody(
        self,
        file: &str,
        bytes: &[u8],
        options: &MelodyReadOptions,
    ) -> Result<Transcript, FormatError> {
        match self {
            Self::Midi => midi::read(file, bytes, options),
            Self::Kern => kern::read(file, bytes, options),
            Self::Musicxml => musicxml::read(file, bytes, options),
            Self::Mei => mei::read(file, bytes, options),
            Self::Pae | Self::Audio => {
                let problem = diagnostic!(Unsupported { format = self }:
                    "a file of {format} is not one melody");
                Err(FormatError::in_file(file, problem))
            }
        }
    }
}

/// Returns the problem of a file with nothing in it.
pub(crate) fn empty_file() -> Diagnostic {
    diagnostic!(EmptyFile: "there is nothing in this file")
}
