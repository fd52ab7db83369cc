//! Features that Verovio's `getDescriptiveFeatures` computes, with the same values for
//! compatibility.

use crate::{Melody, Note, Spelling, Step};

/// Largest interval, in semitones, whose direction the refined contour writes in lower case.
const MAX_LOWER_CASE_INTERVAL: u32 = 2;

/// Returns the spelling of a note in its source, or the default spelling of its pitch.
fn spelling_or_default(note: &Note) -> Spelling {
    note.spelling.unwrap_or(note.pitch.default_spelling())
}

/// Returns the pitch of each note in Plaine & Easie notation: octave, accidental, letter.
pub(super) fn pitches_chromatic(melody: &Melody) -> Vec<String> {
    let pitch = |note: &Note| {
        let spelling = spelling_or_default(note);
        let octave = match note.pitch.octave(spelling) {
            high @ 4.. => "'".repeat((high - 3).unsigned_abs() as usize),
            low => ",".repeat((4 - low).unsigned_abs() as usize),
        };
        let sign = if spelling.alteration < 0 { "b" } else { "x" };
        let accidental = sign.repeat(spelling.alteration.unsigned_abs().into());
        format!("{octave}{accidental}{}", spelling.step.letter())
    };
    melody.notes().iter().map(pitch).collect()
}

/// Returns the letter name of the pitch of each note.
pub(super) fn pitches_diatonic(melody: &Melody) -> Vec<String> {
    let letter = |note| spelling_or_default(note).step.letter().to_string();
    melody.notes().iter().map(letter).collect()
}

/// Returns the intervals between successive notes in semitones.
pub(super) fn intervals_chromatic(melody: &Melody) -> Vec<String> {
    let intervals = melody.intervals();
    intervals.map(|interval| interval.to_string()).collect()
}

/// Returns the intervals between successive notes in diatonic steps.
pub(super) fn intervals_diatonic(melody: &Melody) -> Vec<String> {
    // Number of steps above the C of octave 0.
    let height = |note: &Note| {
        let spelling = spelling_or_default(note);
        note.pitch.octave(spelling) * Step::ALL.len() as i32 + spelling.step as i32
    };
    let pairs = melody.notes().windows(2);
    pairs
        .map(|pair| (height(&pair[1]) - height(&pair[0])).to_string())
        .collect()
}

/// Returns the letter for the direction of an interval: up (U), down (D) or same (s).
fn contour_letter(interval: i32) -> &'static str {
    match interval {
        1.. => "U",
        0 => "s",
        _ => "D",
    }
}

/// Returns the direction of each interval: up (U), down (D) or same (s).
pub(super) fn gross_contour(melody: &Melody) -> Vec<String> {
    let intervals = melody.intervals();
    intervals
        .map(|interval| contour_letter(interval).to_owned())
        .collect()
}

/// Returns the direction of each interval, in lower case for intervals of at most two semitones.
pub(super) fn refined_contour(melody: &Melody) -> Vec<String> {
    let refined = |interval: i32| match interval.unsigned_abs() {
        1..=MAX_LOWER_CASE_INTERVAL => contour_letter(interval).to_lowercase(),
        _ => contour_letter(interval).to_owned(),
    };
    melody.intervals().map(refined).collect()
}
