//! The key that fits a melody best.

use std::fmt;

use crate::Melody;
use crate::collection::decimal;

/// Krumhansl and Kessler (1982): how well each pitch class fits a key, from its tonic.
const MAJOR: [f64; 12] = [
    6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88,
];
const MINOR: [f64; 12] = [
    6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17,
];

/// The tonics as they are usually written: with the fewer accidentals in the signature.
const MAJOR_TONICS: [&str; 12] = [
    "C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B",
];
const MINOR_TONICS: [&str; 12] = [
    "C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B",
];

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The pitch class of its tonic: 0 is C.
    pub tonic: usize,
    /// Whether it is minor.
    pub minor: bool,
}

impl fmt::Display for Key {
    /// `G major`, `F# minor`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tonics, mode) = match self.minor {
            false => (MAJOR_TONICS, "major"),
            true => (MINOR_TONICS, "minor"),
        };
        write!(f, "{} {mode}", tonics[self.tonic])
    }
}

/// The key whose profile correlates best with how long each pitch class sounds (Krumhansl 1990, with
/// Schmuckler); of equals the first, major before minor and from C upwards. Nothing where all twelve pitch
/// classes sound equally long.
pub fn of(melody: &Melody) -> Option<Key> {
    let mut durations = [0.0; 12];
    for note in melody.notes() {
        durations[usize::from(note.pitch.number() % 12)] += decimal(note.duration);
    }
    let mut best: Option<(f64, Key)> = None;
    for (minor, profile) in [(false, MAJOR), (true, MINOR)] {
        for tonic in 0..12 {
            let fits: [f64; 12] = std::array::from_fn(|class| profile[(class + 12 - tonic) % 12]);
            let correlation = correlation(&durations, &fits)?;
            if best.is_none_or(|(most, _)| correlation > most) {
                best = Some((correlation, Key { tonic, minor }));
            }
        }
    }
    best.map(|(_, key)| key)
}

/// Pearson's correlation; nothing where all of the first are equal.
fn correlation(a: &[f64; 12], b: &[f64; 12]) -> Option<f64> {
    let mean = |values: &[f64; 12]| values.iter().sum::<f64>() / 12.0;
    let (a_mean, b_mean) = (mean(a), mean(b));
    let (mut both, mut a_squares, mut b_squares) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x - a_mean, y - b_mean);
        both += x * y;
        a_squares += x * x;
        b_squares += y * y;
    }
    (a_squares > 0.0).then(|| both / (a_squares * b_squares).sqrt())
}
