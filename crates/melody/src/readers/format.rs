//! Formats of files of melodies, and their detection.

use partita_formats::{FormatError, diagnostic};

use super::{LocatedProblem, MelodyReadOptions, Transcript, kern, mei, midi, musicxml, pae, xml};

partita_named::named_enum! {
    /// Format of a file of melodies.
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
    /// Detects the format by the content of a file, or by its extension if the content is
    /// inconclusive.
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

    /// Unpacks a compressed score. Returns the bytes of all other files unchanged.
    ///
    /// # Errors
    /// Returns [`FormatError`] if the score cannot be unpacked or exceeds the size limit.
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

    /// Reads a file with one melody. Errors name it `file`.
    ///
    /// # Errors
    /// Returns [`FormatError`] if the melody cannot be read.
    pub fn read_melody(
        self,
        file: &str,
        bytes: &[u8],
        options: &MelodyReadOptions,
    ) -> Result<Transcript, FormatError> {
        let read = match self {
            Self::Midi => midi::read(bytes, options).map_err(LocatedProblem::from),
            Self::Kern => kern::read(bytes, options),
            Self::Musicxml => musicxml::read(bytes, options),
            Self::Mei => mei::read(bytes, options),
            Self::Pae | Self::Audio => Err(diagnostic!(Unsupported { format = self }:
                "a file of {format} is not one melody")
            .into()),
        };
        read.map_err(|problem| problem.in_file(file))
    }
}
