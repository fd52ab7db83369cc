//! Rendering of melodies as clips with one instrument, one tempo rule and one loudness.
//!
//! Assessors compare melodies, so nothing else may differ between two clips (Urbano et al. 2010,
//! section 4.1). Rests before the first note and after the last are left out, every note has the
//! same timbre and velocity, and all clips are equally loud (ITU-R BS.1770).
//!
//! ```
//! use partita_melody::audio::renderer::{BuiltInInstrument, ClipRenderer};
//! use partita_melody::{Beats, Melody, Note, Pitch};
//!
//! let a4 = Pitch::new(69).expect("a key of a piano");
//! let melody = Melody::new(vec![Note::new(a4, Beats::from_integer(8), Beats::from_integer(1))])?;
//! let clip = ClipRenderer::default().render_melody(&melody, &BuiltInInstrument)?;
//! // The initial rest of eight quarter notes is left out.
//! assert_eq!(clip.notes[0].start, clip.lead_seconds);
//! assert!(clip.seconds() < 0.7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::note::beats_to_f64;
use crate::{Beats, Melody, Note};

pub use super::built_in::BuiltInInstrument;
pub use super::clip::{AudioFormat, Clip, ClipWriteError, NoteTiming};
pub use super::collection_clips::{
    ClipSink, DEFAULT_TEMPO, RenderError, RenderReport, RenderRequest, RenderedClip, Tempo,
    render_collection,
};
pub use super::instrument::{Instrument, NoteSpan};
pub use super::loudness::MAX_PEAK_DBFS;
pub use super::recording::RecordingError;
pub use super::soundfont::{Soundfont, SoundfontError};

/// Silence before the first note of every clip (in a recording, before the first sound), in
/// seconds. It gives audio players time to start. The same silence is added at the end.
pub const LEAD_SECONDS: f64 = 0.02;

/// Longest allowed clip, in seconds. The limit bounds listening time and memory.
pub const MAX_CLIP_SECONDS: f64 = 600.0;

/// Settings for rendering melodies and recordings as clips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipRenderer {
    /// Sample rate in Hz.
    pub rate: u32,
    /// Tempo of melodies, in quarter notes per minute. Recordings keep their speed.
    pub tempo: f64,
    /// Target loudness of clips, in LUFS (ITU-R BS.1770).
    pub loudness: f64,
}

impl Default for ClipRenderer {
    /// Returns a renderer with 44,100 Hz, 120 quarter notes per minute and -20 LUFS.
    fn default() -> Self {
        Self {
            rate: 44_100,
            tempo: 120.0,
            loudness: -20.0,
        }
    }
}

/// Error for a clip that cannot be rendered, with the rejected value, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ClipError {
    /// The sample rate, in Hz, is out of range.
    #[error("{0} samples per second are not from 8,000 to 192,000")]
    Rate(u32),
    /// The tempo, in quarter notes per minute, is out of range.
    #[error("a tempo of {0} quarter notes per minute is not from 1 to 1,000")]
    Tempo(f64),
    /// The target loudness, in LUFS, is out of range.
    #[error("a loudness of {0} LUFS is not from -60 to -5")]
    Loudness(f64),
    /// The clip would be longer than [`MAX_CLIP_SECONDS`]; the value is its length in seconds.
    #[error("it lasts {0:.0} seconds; at most {MAX_CLIP_SECONDS} can be rendered")]
    TooLong(f64),
    /// The instrument has no sound for this MIDI note number.
    #[error("the instrument has no sound for the pitch {0}")]
    NoSound(u8),
    /// Nothing can be heard: all samples of a melody are 0, or no sample of a recording is above
    /// -60 dB relative to full scale.
    #[error("nothing can be heard: it never rises above -60 dBFS")]
    Silent,
}

impl ClipRenderer {
    /// Returns an error if sample rate, tempo or loudness is out of range.
    pub(crate) fn check_settings(&self) -> Result<(), ClipError> {
        if !(8_000..=192_000).contains(&self.rate) {
            return Err(ClipError::Rate(self.rate));
        }
        if !(1.0..=1_000.0).contains(&self.tempo) {
            return Err(ClipError::Tempo(self.tempo));
        }
        if !(-60.0..=-5.0).contains(&self.loudness) {
            return Err(ClipError::Loudness(self.loudness));
        }
        Ok(())
    }

    /// Converts a time in quarter notes to seconds at the tempo of the renderer.
    fn beats_to_seconds(&self, beats: Beats) -> f64 {
        beats_to_f64(beats) * 60.0 / self.tempo
    }

    /// Plays a melody with an instrument and returns it as a clip.
    pub fn render_melody(
        &self,
        melody: &Melody,
        instrument: &dyn Instrument,
    ) -> Result<Clip, ClipError> {
        self.check_settings()?;
        let rate = f64::from(self.rate);
        let length = LEAD_SECONDS
            + self.beats_to_seconds(melody.length())
            + instrument.release_seconds()
            + LEAD_SECONDS;
        if length > MAX_CLIP_SECONDS {
            return Err(ClipError::TooLong(length));
        }
        let mut pitches = melody.notes().iter().map(|note| note.pitch.number());
        if let Some(pitch) = pitches.find(|&pitch| !instrument.can_play(pitch)) {
            return Err(ClipError::NoSound(pitch));
        }
        let at = |beats: Beats| LEAD_SECONDS + self.beats_to_seconds(beats - melody.start());
        let timing = |note: &Note| NoteTiming {
            pitch: note.pitch.number(),
            start: at(note.onset),
            end: at(note.end()),
        };
        let notes: Vec<NoteTiming> = melody.notes().iter().map(timing).collect();
        let sample = |seconds: f64| (seconds * rate).round() as usize;
        let span = |note: &NoteTiming| NoteSpan {
            key: note.pitch,
            start: sample(note.start),
            end: sample(note.end),
        };
        let spans: Vec<NoteSpan> = notes.iter().map(span).collect();
        let samples = instrument.play(&spans, sample(length), self.rate);
        self.normalise_loudness(samples, notes)
    }
}
