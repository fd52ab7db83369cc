//! Reading melodies: one file for each format, all over bytes in memory.
//!
//! A reader gives for each melody of a source what it says ([`Transcript`]), or why it cannot be read
//! ([`Unread`]). Nothing is guessed in silence: what was left out or mended is counted ([`Oddity`]).

pub mod audio;
pub mod kern;
mod line;
pub mod mei;
pub mod midi;
mod mpeg;
pub mod musicxml;
pub mod pae;
mod voices;
mod xml;

use schemars::JsonSchema;
use serde::Serialize;

use crate::Melody;

partita_stats::named! {
    /// Why something was not read.
    pub enum Reason: "reason" {
        /// It ends too early
        Truncated = "truncated",
        /// It does not follow the rules of its format
        Syntax = "syntax",
        /// Its characters cannot be told
        Encoding = "encoding",
        /// There is nothing in it
        Empty = "empty",
        /// There are rests and no notes
        NoNotes = "no-notes",
        /// Notes sound at once
        Polyphonic = "polyphonic",
        /// Several voices have notes
        SeveralVoices = "several-voices",
        /// It is in mensural notation, whose durations depend on their neighbours
        Mensural = "mensural",
        /// It is in neumes, which have no durations
        Neume = "neume",
        /// Its clef is none
        UnknownClef = "unknown-clef",
        /// A group is not closed
        OpenGroup = "open-group",
        /// It has too many notes, or lasts too long
        TooLong = "too-long",
        /// It has too many bytes
        TooLarge = "too-large",
        /// It declares entities
        Entities = "entities",
        /// It is something else, or something that is not read here
        Unsupported = "unsupported",
    }
}

partita_stats::named! {
    /// Something odd about a melody that was read all the same.
    pub enum Oddity: "oddity" {
        /// Grace notes were left out
        GraceNotes = "grace-notes",
        /// Ties do not lead to a note of the same pitch, and were left out
        BrokenTies = "broken-ties",
        /// Beams are not closed, or closed without having begun
        OpenBeams = "open-beams",
        /// Measures of rest have no metre that says how long they are; a sign alone was read as usual
        UnclearMetre = "unclear-metre",
        /// Notes do not last, and were left out
        NoDuration = "no-duration",
        /// Notes that reached a tick into the next were cut
        CutNotes = "cut-notes",
        /// Of chords the highest note was kept
        Chords = "chords",
    }
}

partita_stats::named! {
    /// What becomes of notes that sound at once.
    pub enum Chords: "way with chords" = Skip {
        /// The melody is not read
        Skip = "skip",
        /// The highest note is kept
        Highest = "highest",
    }
}

/// How melodies are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Which of several voices is read, from 1.
    pub voice: Option<usize>,
    /// What becomes of notes that sound at once.
    pub chords: Chords,
    /// The most notes of a melody.
    pub max_notes: usize,
    /// The most bytes of a file, unpacked.
    pub max_size: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            voice: None,
            chords: Chords::Skip,
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
    /// What is odd about it.
    pub oddities: Oddities,
}

/// How often each [`Oddity`] was met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddities([u32; 7]);

impl Oddities {
    /// Counts one more.
    pub fn add(&mut self, oddity: Oddity) {
        self.add_many(oddity, 1);
    }

    /// Counts so many more.
    pub fn add_many(&mut self, oddity: Oddity, count: u32) {
        let counted = &mut self.0[oddity as usize];
        *counted = counted.saturating_add(count);
    }

    /// How often it was met.
    pub fn count(&self, oddity: Oddity) -> u32 {
        self.0[oddity as usize]
    }
}

/// Why a melody was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct Unread {
    /// The reason, for programs.
    pub reason: Reason,
    /// The line of the file, from 1, where lines are known.
    pub line: Option<u64>,
    /// Where in the file or in the melody: `byte 93`, `character 7`.
    pub place: Option<String>,
    /// What was found and what was expected.
    pub message: String,
}

impl Unread {
    /// Something that cannot be read, wherever it is.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            line: None,
            place: None,
            message: message.into(),
        }
    }

    /// The same at a place.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        let place = Some(place.into());
        Self { place, ..self }
    }

    /// The same on a line.
    #[must_use]
    pub fn on_line(self, line: u64) -> Self {
        let line = Some(line);
        Self { line, ..self }
    }
}

/// One melody of a file, or why it was not read.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The id that the file gives it.
    pub id: Option<String>,
    /// The line on which it stands, from 1.
    pub line: Option<u64>,
    /// What was read.
    pub read: Result<Transcript, Unread>,
}

partita_stats::named! {
    /// The format of a file of melodies.
    pub enum Format: "format" {
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

impl Format {
    /// The format that a file's content shows, else its ending.
    pub fn of(bytes: &[u8], name: &str) -> Option<Self> {
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
        if audio::looks_like(bytes) {
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

    /// The bytes of a file as they are read: a packed score unpacked, all others as they are.
    ///
    /// # Errors
    /// [`Unread`] where it cannot be unpacked, or to too much.
    pub(crate) fn unpacked(self, bytes: Vec<u8>, options: &ReadOptions) -> Result<Vec<u8>, Unread> {
        match self {
            Self::Musicxml if musicxml::is_archive(&bytes) => musicxml::unpacked(&bytes, options),
            _ => Ok(bytes),
        }
    }

    /// Reads a file that is one melody.
    ///
    /// # Errors
    /// [`Unread`] where it cannot be read.
    pub fn read_one(self, bytes: &[u8], options: &ReadOptions) -> Result<Transcript, Unread> {
        match self {
            Self::Midi => midi::read(bytes, options),
            Self::Kern => kern::read(bytes, options),
            Self::Musicxml => musicxml::read(bytes, options),
            Self::Mei => mei::read(bytes, options),
            Self::Pae | Self::Audio => {
                let message = format!("a file of {self} is not one melody");
                Err(Unread::new(Reason::Unsupported, message))
            }
        }
    }
}
