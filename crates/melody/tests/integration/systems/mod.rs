//! Tests of the retrieval systems.

mod align;
mod invariance;
mod melodyshape;
mod registry;
mod search;
mod transportation;

use partita_melody::{Beats, Melody, Note, Pitch};
use proptest::prelude::*;

/// Notes of a melody, each given by MIDI note number, rest before the note and duration. Rests and
/// durations are in twelfths of a quarter note.
pub(crate) type NoteList = Vec<(u8, i64, i64)>;

/// Creates a melody from a list of notes.
pub(crate) fn melody(notes: &NoteList) -> Melody {
    let mut at = Beats::from_integer(0);
    let notes = notes.iter().map(|&(pitch, rest, lasts)| {
        at += Beats::new(rest, 12);
        let pitch = Pitch::new(pitch).expect("test pitches are below 128");
        let note = Note::new(pitch, at, Beats::new(lasts, 12));
        at = note.end();
        note
    });
    Melody::new(notes.collect()).expect("the notes do not overlap")
}

/// Strategy for melodies that resemble songs: mostly small intervals, few different durations and
/// occasional rests.
pub(crate) fn any_melody(notes: std::ops::Range<usize>) -> impl Strategy<Value = NoteList> {
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
            // An interval that would leave the range from 45 to 84 is reversed.
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

/// Strategy for collections of 1 to 11 melodies.
pub(crate) fn any_collection() -> impl Strategy<Value = Vec<NoteList>> {
    prop::collection::vec(any_melody(2..24), 1..12)
}
