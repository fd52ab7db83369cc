//! Notes and exact times in quarter notes.

use num_rational::Ratio;
use num_traits::CheckedAdd;

use super::pitch::{Pitch, Spelling};

/// Exact time or duration in quarter notes, as a fraction.
pub type Beats = Ratio<i64>;

/// Largest denominator of a time in quarter notes. The limit keeps sums of fractions within 64
/// bits.
pub const MAX_DIVISIONS: i64 = 1 << 20;

/// Note with pitch, onset and duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// Pitch of the note as a MIDI note number.
    pub pitch: Pitch,
    /// Spelling of the pitch in the source, for example F sharp instead of G flat; `None` if
    /// unknown.
    pub spelling: Option<Spelling>,
    /// Onset, in quarter notes from the start of the source.
    pub onset: Beats,
    /// Duration in quarter notes, including the notes that are tied to it.
    pub duration: Beats,
}

impl Note {
    /// Creates a note without a spelling.
    pub fn new(pitch: Pitch, onset: Beats, duration: Beats) -> Self {
        Self {
            pitch,
            spelling: None,
            onset,
            duration,
        }
    }

    /// Returns the end of the note, in quarter notes from the start of the source.
    pub fn end(&self) -> Beats {
        checked_sum(self.onset, self.duration).unwrap_or_else(|| self.onset + self.duration)
    }

    /// Returns the note name with octave, for example `G4`, `F#5` or `Bb3`. A note without a
    /// spelling gets the default spelling.
    pub fn name(&self) -> String {
        let spelling = self.spelling.unwrap_or(self.pitch.default_spelling());
        format!("{spelling}{}", self.pitch.octave(spelling))
    }
}

/// Latest time in a melody, in quarter notes. A million quarter notes take about six days at an
/// ordinary tempo.
pub const MAX_BEATS: i64 = 1_000_000;

/// Returns true if a time is from 0 to [`MAX_BEATS`] with a denominator of at most
/// [`MAX_DIVISIONS`].
pub(crate) fn is_valid_time(time: Beats) -> bool {
    let (numer, denom) = (*time.numer(), *time.denom());
    (0..=MAX_DIVISIONS).contains(&denom) && (0..=MAX_BEATS * denom).contains(&numer)
}

/// Adds two times for which [`is_valid_time`] is true. Returns `None` if it is false for the sum.
///
/// Nearly all notes divide a quarter note by a power of two. For these a shift replaces the
/// greatest common divisor.
pub(crate) fn checked_sum(a: Beats, b: Beats) -> Option<Beats> {
    let (left, right) = (*a.denom(), *b.denom());
    let total = if left & (left - 1) == 0 && right & (right - 1) == 0 {
        let halvings = left.trailing_zeros().max(right.trailing_zeros());
        let scaled = |time: Beats, denom: i64| {
            time.numer()
                .checked_mul(1 << (halvings - denom.trailing_zeros()))
        };
        let numer = scaled(a, left)?.checked_add(scaled(b, right)?)?;
        beats_from_halvings(numer, halvings)
    } else {
        a.checked_add(&b)?
    };
    is_valid_time(total).then_some(total)
}

/// Returns `numer` / 2^`halvings` quarter notes as a fraction in lowest terms.
pub(crate) fn beats_from_halvings(numer: i64, halvings: u32) -> Beats {
    let common = numer.trailing_zeros().min(halvings);
    Beats::new_raw(numer >> common, 1 << (halvings - common))
}

/// Returns a time in quarter notes as the nearest floating-point number.
pub(crate) fn beats_to_f64(time: Beats) -> f64 {
    *time.numer() as f64 / *time.denom() as f64
}

/// Returns the greatest common divisor of two numbers.
pub(crate) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns the least common multiple of two numbers, or `None` if it overflows.
pub(crate) fn lcm(a: i64, b: i64) -> Option<i64> {
    (a / gcd(a, b)).checked_mul(b)
}
