//! One note.

use num_rational::Ratio;
use num_traits::CheckedAdd;

use super::pitch::{Pitch, Spelling};

/// A time in quarter notes, exactly.
pub type Beats = Ratio<i64>;

/// The finest division of a quarter note that a melody can have. Beyond it fractions would outgrow
/// their numbers; no notation and no MIDI file divides so finely.
pub const MAX_DIVISIONS: i64 = 1 << 20;

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
        checked_sum(self.onset, self.duration).unwrap_or_else(|| self.onset + self.duration)
    }

    /// Its name with the octave, spelled as in the source or, where that does not spell, plainly:
    /// `G4`, `F#5`, `Bb3`.
    pub fn name(&self) -> String {
        let spelling = self.spelling.unwrap_or(self.pitch.default_spelling());
        format!("{spelling}{}", self.pitch.octave(spelling))
    }
}

/// The latest time of a melody, in quarter notes: a million takes six days at an ordinary tempo.
pub const MAX_BEATS: i64 = 1_000_000;

/// Whether a melody may have this time.
pub(crate) fn in_range(time: Beats) -> bool {
    let (numer, denom) = (*time.numer(), *time.denom());
    (0..=MAX_DIVISIONS).contains(&denom) && (0..=MAX_BEATS * denom).contains(&numer)
}

/// The sum of two times in range, if it is in range.
///
/// Nearly all notes divide a quarter by a power of two: then a shift does what takes a greatest common
/// divisor elsewhere.
pub(crate) fn checked_sum(a: Beats, b: Beats) -> Option<Beats> {
    let (left, right) = (*a.denom(), *b.denom());
    let total = if left & (left - 1) == 0 && right & (right - 1) == 0 {
        let parts = left.trailing_zeros().max(right.trailing_zeros());
        let scaled = |time: Beats, denom: i64| {
            time.numer()
                .checked_mul(1 << (parts - denom.trailing_zeros()))
        };
        let numer = scaled(a, left)?.checked_add(scaled(b, right)?)?;
        beats_from_halvings(numer, parts)
    } else {
        a.checked_add(&b)?
    };
    in_range(total).then_some(total)
}

/// A number of the parts that so many halvings of a quarter note make.
pub(crate) fn beats_from_halvings(numer: i64, halvings: u32) -> Beats {
    let common = numer.trailing_zeros().min(halvings);
    Beats::new_raw(numer >> common, 1 << (halvings - common))
}

/// Returns a time as the nearest floating-point number.
pub(crate) fn beats_to_f64(time: Beats) -> f64 {
    *time.numer() as f64 / *time.denom() as f64
}

/// Returns the greatest common divisor.
pub(crate) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns the least common multiple, unless it overflows.
pub(crate) fn lcm(a: i64, b: i64) -> Option<i64> {
    (a / gcd(a, b)).checked_mul(b)
}
