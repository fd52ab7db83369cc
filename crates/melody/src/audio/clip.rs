//! A clip, and the files it is written to.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{flac, wav};

partita_named::named_enum! {
    /// The format of a file of sound.
    pub enum AudioFormat: "audio format" = Flac {
        /// Without loss in half the space; every current browser plays it
        Flac = "flac",
        /// Plain samples
        Wav = "wav",
    }
}

/// A note as it is heard.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NoteTiming {
    /// Its MIDI number.
    pub pitch: u8,
    /// When it begins, in seconds from the begin of the clip.
    pub start: f64,
    /// When it ends.
    pub end: f64,
}

/// Sound that somebody can listen to: one channel of 16 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Samples per second.
    pub rate: u32,
    /// The samples.
    pub samples: Vec<i16>,
    /// When the first note begins, in seconds.
    pub lead_seconds: f64,
    /// The highest sample, in dB below full scale.
    pub peak_dbfs: f64,
    /// How loud it is, in LUFS.
    pub loudness_lufs: f64,
    /// The notes, if it is of a melody.
    pub notes: Vec<NoteTiming>,
}

/// A clip cannot be written as a file of this format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sound cannot be written as {format}: {reason}")]
pub struct ClipWriteError {
    /// The format.
    pub format: AudioFormat,
    /// Why.
    pub reason: String,
}

impl Clip {
    /// How long it takes to listen to it, in seconds.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate)
    }

    /// The bytes of a file.
    pub fn encode(&self, format: AudioFormat) -> Result<Vec<u8>, ClipWriteError> {
        match format {
            AudioFormat::Flac => flac::write(self),
            AudioFormat::Wav => wav::write(self),
        }
    }
}

/// SHA-256 of a file, in hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(digits, "{byte:02x}").expect("a string takes all that is written to it");
    }
    digits
}
