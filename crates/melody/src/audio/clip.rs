//! Audio clips and their encoding as audio files.

use schemars::JsonSchema;
use serde::Serialize;

use super::{flac, wav};

partita_named::named_enum! {
    /// Format of an audio file.
    pub enum AudioFormat: "audio format" = Flac {
        /// Lossless compression to about half the size; every current browser plays it
        Flac = "flac",
        /// Uncompressed samples
        Wav = "wav",
    }
}

/// Pitch, onset and end of one note in a clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NoteTiming {
    /// MIDI note number.
    pub pitch: u8,
    /// Onset, in seconds from the start of the clip.
    pub start: f64,
    /// End, in seconds from the start of the clip.
    pub end: f64,
}

/// Audio clip that is played to assessors: one channel of 16-bit samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Sample rate in Hz.
    pub rate: u32,
    /// 16-bit samples of the single channel, in time order.
    pub samples: Vec<i16>,
    /// Silence before the first note or, in a recording, before the first sound, in seconds.
    pub lead_seconds: f64,
    /// Largest absolute sample value, in dB relative to full scale.
    pub peak_dbfs: f64,
    /// Integrated loudness (ITU-R BS.1770), in LUFS.
    pub loudness_lufs: f64,
    /// Notes of the melody with their times in the clip; empty for a recording, whose notes are
    /// unknown.
    pub notes: Vec<NoteTiming>,
}

/// Error for a clip that cannot be encoded in an audio format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sound cannot be written as {format}: {reason}")]
pub struct ClipWriteError {
    /// Audio format that was requested.
    pub format: AudioFormat,
    /// Reason why the clip cannot be encoded, as text for the error message.
    pub reason: String,
}

impl Clip {
    /// Returns the duration of the clip, in seconds.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate)
    }

    /// Encodes the clip as the bytes of an audio file.
    pub fn encode(&self, format: AudioFormat) -> Result<Vec<u8>, ClipWriteError> {
        match format {
            AudioFormat::Flac => flac::encode_clip(self),
            AudioFormat::Wav => wav::encode_clip(self),
        }
    }
}
