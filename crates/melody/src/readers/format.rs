//! File formats of melodies, and their detection.

use partita_formats::{Diagnostic, FormatError, diagnostic};

use super::other_format::other_format_name;
use super::{LocatedProblem, MelodyReadOptions, Transcript, kern, mei, midi, musicxml, pae, xml};

partita_named::named_enum! {
    /// File format of melodies and recordings.
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
    /// Detects the format of a file: by its first bytes if they identify a format, or else by the
    /// extension of its name, or else by the form of its text. Returns `None` if the format is
    /// unknown or cannot be read.
    pub fn detect(bytes: &[u8], name: &str) -> Option<Self> {
        if midi::is_midi(bytes) {
            return Some(Self::Midi);
        }
        if kern::is_humdrum(bytes) {
            return Some(Self::Kern);
        }
        match xml::root_name(bytes).as_deref() {
            Some("score-partwise" | "score-timewise" | "opus") => return Some(Self::Musicxml),
            Some("mei" | "meiCorpus") => return Some(Self::Mei),
            Some(root) if pae::is_marcxml_root(root) => return Some(Self::Pae),
            _ => {}
        }
        if crate::audio::decoder::is_recording(bytes) {
            return Some(Self::Audio);
        }
        if musicxml::is_compressed_score(bytes) {
            return Some(Self::Musicxml);
        }
        match extension_of(name).as_str() {
            "pae" => Some(Self::Pae),
            "mid" | "midi" => Some(Self::Midi),
            "krn" | "kern" => Some(Self::Kern),
            "musicxml" | "mxl" => Some(Self::Musicxml),
            "mei" => Some(Self::Mei),
            "wav" | "flac" | "mp3" | "ogg" | "oga" => Some(Self::Audio),
            extension if other_format_name(bytes, extension).is_some() => None,
            _ => pae::is_pae(bytes).then_some(Self::Pae),
        }
    }

    /// Returns the diagnostic for a file whose format [`MelodyFormat::detect`] does not return. It
    /// names the format if it is a known one.
    pub(crate) fn unsupported_diagnostic(bytes: &[u8], name: &str) -> Diagnostic {
        match other_format_name(bytes, &extension_of(name)) {
            Some(found) => {
                diagnostic!(Unsupported { found }: "this is {found}, which is not read here")
            }
            None => diagnostic!(Unsupported: "its format is none that is read here"),
        }
    }

    /// Unpacks a compressed MusicXML score (`.mxl`). Returns the bytes of all other files
    /// unchanged.
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
            Self::Musicxml if musicxml::is_zip_archive(&bytes) => {
                musicxml::unpack_score(&bytes, options).map_err(|problem| problem.in_file(file))
            }
            _ => Ok(bytes),
        }
    }

    /// Reads a file of this format that contains one melody. `file` is its name in error messages.
    ///
    /// # Errors
    /// Returns [`FormatError`] if the melody cannot be read, and for Plaine & Easie and recordings.
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

/// Returns the extension of a file name in lower case; empty if it has none.
fn extension_of(name: &str) -> String {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.to_ascii_lowercase()
}
