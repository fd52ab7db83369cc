//! Clips and their encoding as audio files.

use schemars::JsonSchema;
use serde::Serialize;

use super::{flac, wav};

partita_named::named_enum! {
    /// Format of an audio file.
    pub enum AudioFormat: "audio format" = Flac {
        /// Without loss in half the space; every current browser plays it
        Flac = "flac",
        /// Plain samples
        Wav = "wav",
    }
}

/// Onset and end of a note in a clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NoteTiming {
    /// MIDI note number.
    pub pitch: u8,
    /// Onset, in seconds from the start of the clip.
    pub start: f64,
    /// End, in seconds from the start of the clip.
    pub end: f64,
}

/// Audio clip for assessors: one channel of 16-bit samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Sample rate in Hz.
    pub rate: u32,
    /// Samples.
    pub samples: Vec<i16>,
    /// Time before the first note, in seconds.
    pub lead_seconds: f64,
    /// Peak level, in dB relative to full scale.
    pub peak_dbfs: f64,
    /// Loudness, in LUFS.
    pub loudness_lufs: f64,
    /// Notes with their times; empty for a recording.
    pub notes: Vec<NoteTiming>,
}

/// Error for a clip that cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sound cannot be written as {format}: {reason}")]
pub struct ClipWriteError {
    /// Audio format.
    pub format: AudioFormat,
    /// Reason, for the message.
    pub reason: String,
}

impl Clip {
    /// Returns the duration of the clip, in seconds.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate)
    }

    /// Encodes the clip as an audio file.
    pub fn encode(&self, format: AudioFormat) -> Result<Vec<u8>, ClipWriteError> {
        match format {
            AudioFormat::Flac => flac::write(self),
            AudioFormat::Wav => wav::write(self),
        }
    }
}
