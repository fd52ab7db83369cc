//! One note.

use num_rational::Ratio;

use super::pitch::{Pitch, Spelling};

/// A time in quarter notes, exactly.
pub type Beats = Ratio<i64>;

/// The finest division of a quarter note that a melody can have. Beyond it fractions would outgrow
/// their numbers; no notation and no MIDI file divides so finely.
pub const FINEST: i64 = 1 << 20;

/// One note: what sounds, from when, for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// What sounds.
    pub pitch: Pitch,
    /// How the source spells it, where it does.
    pub spelling: Option<Spelling>,
    /// When it begins, in quarter notes from where the source begins.
    pub onset: Beats,
    /// How long it sounds, ties joined.
    pub duration: Beats,
}

impl Note {
    /// A note of which no spelling is known.
    pub fn new(pitch: Pitch, onset: Beats, duration: Beats) -> Self {
        Self {
            pitch,
            spelling: None,
            onset,
            duration,
        }
    }

    /// When it ends.
    pub fn end(&self) -> Beats {
        self.onset + self.duration
    }

    /// Its name with the octave, spelled as in the source or, where that does not spell, plainly:
    /// `G4`, `F#5`, `Bb3`.
    pub fn name(&self) -> String {
        let spelling = self.spelling.unwrap_or(self.pitch.plain_spelling());
        format!("{spelling}{}", self.pitch.octave(spelling))
    }
}
