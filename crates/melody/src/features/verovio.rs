//! The lists of Verovio's `getDescriptiveFeatures`, in its words, so that what reads them reads ours.

use crate::{Melody, Note, Spelling, Step};

pub(super) struct VerovioFeatures {
    pub(super) pitches_chromatic: Vec<String>,
    pub(super) pitches_diatonic: Vec<String>,
    pub(super) intervals_chromatic: Vec<String>,
    pub(super) intervals_diatonic: Vec<String>,
    pub(super) gross_contour: Vec<String>,
    pub(super) refined_contour: Vec<String>,
}

/// The largest interval that the refined contour calls small, in semitones.
const SMALL: u32 = 2;

fn spelling(note: &Note) -> Spelling {
    note.spelling.unwrap_or(note.pitch.default_spelling())
}

/// A pitch as Plaine & Easie writes it: octave, accidental, letter.
fn pitch(note: &Note) -> String {
    let spelling = spelling(note);
    let octave = match note.pitch.octave(spelling) {
        high @ 4.. => "'".repeat((high - 3).unsigned_abs() as usize),
        low => ",".repeat((4 - low).unsigned_abs() as usize),
    };
    let sign = if spelling.alteration < 0 { "b" } else { "x" };
    let accidental = sign.repeat(spelling.alteration.unsigned_abs().into());
    format!("{octave}{accidental}{}", spelling.step.letter())
}

/// How many steps of the staff a note lies above the C of octave 0.
fn place(note: &Note) -> i32 {
    let spelling = spelling(note);
    let steps = Step::ALL.len() as i32;
    note.pitch.octave(spelling) * steps + spelling.step as i32
}

impl VerovioFeatures {
    pub(super) fn from_melody(melody: &Melody) -> Self {
        let notes = melody.notes();
        let letter = |note: &Note| spelling(note).step.letter().to_string();
        let gross = |interval: i32| match interval {
            1.. => "U",
            0 => "s",
            _ => "D",
        };
        let refined = |interval: i32| match interval.unsigned_abs() {
            1..=SMALL => gross(interval).to_lowercase(),
            _ => gross(interval).to_owned(),
        };
        let steps = notes.windows(2).map(|two| place(&two[1]) - place(&two[0]));
        Self {
            pitches_chromatic: notes.iter().map(pitch).collect(),
            pitches_diatonic: notes.iter().map(letter).collect(),
            intervals_chromatic: melody.intervals().map(|one| one.to_string()).collect(),
            intervals_diatonic: steps.map(|one| one.to_string()).collect(),
            gross_contour: melody
                .intervals()
                .map(|one| gross(one).to_owned())
                .collect(),
            refined_contour: melody.intervals().map(refined).collect(),
        }
    }
}
