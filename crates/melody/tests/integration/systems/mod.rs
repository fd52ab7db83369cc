//! The retrieval systems.

mod align;
mod invariance;
mod melodyshape;
mod registry;
mod search;
mod transportation;

use partita_melody::{Beats, Melody, Note, Pitch};
use proptest::prelude::*;

/// Notes of pitch, rest before and duration, in twelfths of a quarter note.
pub(crate) type Plain = Vec<(u8, i64, i64)>;

pub(crate) fn melody(notes: &Plain) -> Melody {
    let mut at = Beats::from_integer(0);
    let notes = notes.iter().map(|&(pitch, rest, lasts)| {
        at += Beats::new(rest, 12);
        let pitch = Pitch::new(pitch).expect("tests have MIDI's pitches");
        let note = Note::new(pitch, at, Beats::new(lasts, 12));
        at = note.end();
        note
    });
    Melody::new(notes.collect()).expect("one note after the other")
}

/// Melodies as songs have them: small steps, few durations, a rest now and then.
pub(crate) fn any_melody(notes: std::ops::Range<usize>) -> impl Strategy<Value = Plain> {
    let step = prop_oneof![
        4 => Just(0i32), 6 => Just(2), 6 => Just(-2), 3 => Just(1), 3 => Just(-1),
        2 => Just(3), 2 => Just(-3), 1 => Just(4), 1 => Just(-4), 2 => Just(5), 2 => Just(-5),
        1 => Just(7), 1 => Just(-7), 1 => Just(12), 1 => Just(-12),
    ];
    let lasts = prop_oneof![
        4 => Just(12i64), 4 => Just(6), 2 => Just(18), 2 => Just(3), 1 => Just(4), 1 => Just(24), 1 => Just(9)
    ];
    let rest = prop_oneof![12 => Just(0i64), 1 => Just(6), 1 => Just(12)];
    let first = 55u8..75;
    (first, prop::collection::vec((step, rest, lasts), notes)).prop_map(|(first, notes)| {
        let mut pitch = i32::from(first);
        let note = |(step, rest, lasts): (i32, i64, i64)| {
            // Back where it would leave what is sung.
            pitch += if (45..85).contains(&(pitch + step)) {
                step
            } else {
                -step
            };
            (pitch as u8, rest, lasts)
        };
        notes.into_iter().map(note).collect()
    })
}

pub(crate) fn any_collection() -> impl Strategy<Value = Vec<Plain>> {
    prop::collection::vec(any_melody(2..24), 1..12)
}
