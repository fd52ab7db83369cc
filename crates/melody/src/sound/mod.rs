//! What judges hear: one voice, one tempo rule, one loudness.
//!
//! Judges compare melodies, so nothing else may differ between two clips (Urbano et al. 2010,
//! section 4.1): rests before the first note and after the last are left out, every note has the same
//! timbre and force, and all clips are equally loud (ITU-R BS.1770).
//!
//! ```
//! use partita_melody::sound::{Sound, Voice};
//! use partita_melody::{Beats, Melody, Note, Pitch};
//!
//! let a4 = Pitch::new(69).expect("a key of a piano");
//! let melody = Melody::new(vec![Note::new(a4, Beats::from_integer(8), Beats::from_integer(1))])?;
//! let clip = Sound::default().render(&melody, &Voice)?;
//! // The rest of eight quarter notes is not heard.
//! assert_eq!(clip.notes[0].start, clip.lead);
//! assert!(clip.seconds() < 0.7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clip;
mod flac;
mod level;
mod recording;
mod rendering;
mod resample;
mod soundfont;
mod voice;
mod wav;

use num_traits::ToPrimitive;

use crate::melody::Melody;
use crate::note::Beats;

pub use clip::{AudioFormat, Clip, NotWritten, SoundedNote, sha256};
pub use level::LOUDEST_PEAK;
pub use recording::NotRecorded;
pub use rendering::{
    Keep, RenderError, RenderRequest, RenderedClip, Rendering, Tempo, USUAL_TEMPO, render,
};
pub use soundfont::{BadSoundfont, Soundfont};
pub use voice::Voice;

/// How long it is silent before the first note, in seconds: time for a player to start, the same in
/// all clips.
pub const LEAD: f64 = 0.02;

/// The longest clip, in seconds: nobody can be asked to listen longer, and memory has an end.
pub const LONGEST_CLIP: f64 = 600.0;

/// How melodies become sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sound {
    /// Samples per second.
    pub rate: u32,
    /// Quarter notes per minute.
    pub tempo: f64,
    /// How loud clips are, in LUFS (ITU-R BS.1770).
    pub loudness: f64,
}

impl Default for Sound {
    /// 44,100 samples per second, 120 quarter notes per minute, -20 LUFS.
    fn default() -> Self {
        Self {
            rate: 44_100,
            tempo: 120.0,
            loudness: -20.0,
        }
    }
}

/// A note that is to sound, in samples from the begin of the clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its MIDI number.
    pub key: u8,
    /// The sample at which it begins.
    pub start: usize,
    /// The sample at which it ends.
    pub end: usize,
}

/// Something that sounds: the built-in voice, or a soundfont.
pub trait Timbre {
    /// How long a note may sound on after its end, in seconds.
    fn release(&self) -> f64;

    /// Whether it can sound this key.
    fn has(&self, key: u8) -> bool {
        let _ = key;
        true
    }

    /// These notes in so many samples; whatever level.
    fn play(&self, notes: &[Played], samples: usize, rate: u32) -> Vec<f64>;
}

/// Why there is no clip.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NotRendered {
    /// The rate is out of range.
    #[error("{0} samples per second are not from 8,000 to 192,000")]
    Rate(u32),
    /// The tempo is out of range.
    #[error("a tempo of {0} quarter notes per minute is not from 1 to 1,000")]
    Tempo(f64),
    /// The loudness is out of range.
    #[error("a loudness of {0} LUFS is not from -60 to -5")]
    Loudness(f64),
    /// It would take too long to listen to.
    #[error("it lasts {0:.0} seconds; at most {LONGEST_CLIP} can be rendered")]
    TooLong(f64),
    /// The timbre has no sound for a pitch.
    #[error("the instrument has no sound for the pitch {0}")]
    NoSound(u8),
    /// It is silent.
    #[error("nothing can be heard: it never rises above -60 dBFS")]
    Silent,
}

impl Sound {
    fn check(&self) -> Result<(), NotRendered> {
        if !(8_000..=192_000).contains(&self.rate) {
            return Err(NotRendered::Rate(self.rate));
        }
        if !(1.0..=1_000.0).contains(&self.tempo) {
            return Err(NotRendered::Tempo(self.tempo));
        }
        if !(-60.0..=-5.0).contains(&self.loudness) {
            return Err(NotRendered::Loudness(self.loudness));
        }
        Ok(())
    }

    /// When something happens, in seconds from the first note.
    fn seconds(&self, beats: Beats) -> f64 {
        let quarters = beats.to_f64().expect("a fraction of two whole numbers");
        quarters * 60.0 / self.tempo
    }

    /// A melody as it is heard.
    pub fn render(&self, melody: &Melody, timbre: &dyn Timbre) -> Result<Clip, NotRendered> {
        self.check()?;
        let rate = f64::from(self.rate);
        let length = LEAD + self.seconds(melody.length()) + timbre.release() + LEAD;
        if length > LONGEST_CLIP {
            return Err(NotRendered::TooLong(length));
        }
        let mut pitches = melody.notes().iter().map(|note| note.pitch.number());
        if let Some(pitch) = pitches.find(|&pitch| !timbre.has(pitch)) {
            return Err(NotRendered::NoSound(pitch));
        }
        let at = |beats: Beats| LEAD + self.seconds(beats - melody.start());
        let notes = melody.notes().iter().map(|note| SoundedNote {
            pitch: note.pitch.number(),
            start: at(note.onset),
            end: at(note.end()),
        });
        let notes: Vec<SoundedNote> = notes.collect();
        let sample = |seconds: f64| (seconds * rate).round() as usize;
        let played = notes.iter().map(|note| Played {
            key: note.pitch,
            start: sample(note.start),
            end: sample(note.end),
        });
        let samples = timbre.play(&played.collect::<Vec<Played>>(), sample(length), self.rate);
        self.levelled(samples, notes)
    }
}
