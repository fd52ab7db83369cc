//! Key estimation by the Krumhansl-Schmuckler algorithm.

use std::fmt;

use crate::Melody;
use crate::note::beats_to_f64;

/// Major key profile of Krumhansl and Kessler (1982): rating of how well each of the twelve pitch
/// classes, starting with the tonic, fits a major key.
const MAJOR_PROFILE: [f64; 12] = [
    6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88,
];
/// Minor key profile of Krumhansl and Kessler (1982): rating of how well each of the twelve pitch
/// classes, starting with the tonic, fits a minor key.
const MINOR_PROFILE: [f64; 12] = [
    6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17,
];

/// Names of the tonics of major keys from C upwards, in a spelling with the fewest accidentals in
/// the key signature.
const MAJOR_TONICS: [&str; 12] = [
    "C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B",
];
/// Names of the tonics of minor keys from C upwards, in a spelling with the fewest accidentals in
/// the key signature.
const MINOR_TONICS: [&str; 12] = [
    "C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B",
];

/// Musical key: tonic and mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MusicalKey {
    /// Pitch class of the tonic: semitones above C, from 0 to 11.
    pub tonic: usize,
    /// True for a minor key.
    pub minor: bool,
}

impl fmt::Display for MusicalKey {
    /// Writes the key as `G major` or `F# minor`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tonics, mode) = match self.minor {
            false => (MAJOR_TONICS, "major"),
            true => (MINOR_TONICS, "minor"),
        };
        write!(f, "{} {mode}", tonics[self.tonic])
    }
}

/// Returns the key whose profile has the highest correlation with the total durations of the pitch
/// classes (Krumhansl and Schmuckler, in Krumhansl 1990). Ties go to the first key, major before
/// minor and from C upwards. Returns `None` if all twelve pitch classes sound equally long.
pub fn estimate_key(melody: &Melody) -> Option<MusicalKey> {
    let mut times = [0.0; 12];
    for note in melody.notes() {
        times[usize::from(note.pitch.number() % 12)] += beats_to_f64(note.duration);
    }
    best_fitting_key(&times)
}

/// Estimates the key from `times`, the total durations of the twelve pitch classes from C upwards.
/// Returns `None` if all are equal.
pub(crate) fn best_fitting_key(times: &[f64; 12]) -> Option<MusicalKey> {
    let (times, spread) = deviations_from_mean(times);
    if spread == 0.0 {
        return None;
    }
    let mut best: Option<(f64, MusicalKey)> = None;
    for (minor, profile) in [(false, &MAJOR_PROFILE), (true, &MINOR_PROFILE)] {
        let (profile, profile_spread) = deviations_from_mean(profile);
        for tonic in 0..12 {
            let products = (0..12).map(|class| times[class] * profile[(class + 12 - tonic) % 12]);
            let correlation = products.sum::<f64>() / (spread * profile_spread).sqrt();
            // The margin exceeds rounding errors, so that a transposed melody gets the transposed
            // key.
            if best.is_none_or(|(most, _)| correlation > most + 1e-9) {
                best = Some((correlation, MusicalKey { tonic, minor }));
            }
        }
    }
    best.map(|(_, key)| key)
}

/// Returns the deviation of each value from the mean of all, and the sum of their squares.
fn deviations_from_mean(values: &[f64; 12]) -> ([f64; 12], f64) {
    let mean = values.iter().sum::<f64>() / 12.0;
    let centred = values.map(|value| value - mean);
    (centred, centred.iter().map(|value| value * value).sum())
}
