//! Tests of melodies, note names and checksums.

use partita_melody::{Beats, Melody, MelodyError, Note, Pitch, Spelling, Step};
use proptest::prelude::*;

/// Creates a note. Onset and duration are fractions of quarter notes, given by numerator and
/// denominator.
fn note(pitch: u8, onset: (i64, i64), duration: (i64, i64)) -> Note {
    let pitch = Pitch::new(pitch).expect("test pitches are below 128");
    Note::new(
        pitch,
        Beats::new(onset.0, onset.1),
        Beats::new(duration.0, duration.1),
    )
}

#[test]
fn invalid_notes_are_rejected_with_their_position() {
    let quarter = (1, 1);
    assert_eq!(Melody::new(Vec::new()), Err(MelodyError::Empty));
    let overlapping = vec![note(60, (0, 1), quarter), note(62, (1, 2), quarter)];
    assert_eq!(Melody::new(overlapping), Err(MelodyError::Overlap(2)));
    let silent = vec![note(60, (0, 1), (0, 1))];
    assert_eq!(Melody::new(silent), Err(MelodyError::NoDuration(1)));
    for invalid in [
        note(60, (-1, 2), quarter),
        note(60, (2_000_000, 1), quarter),
        note(60, (999_999, 1), (2, 1)),
        note(60, (1, 1 << 21), quarter),
        note(60, (1, (1 << 20) - 1), (1, 1 << 20)),
    ] {
        assert_eq!(Melody::new(vec![invalid]), Err(MelodyError::OutOfRange(1)));
    }
}

#[test]
fn note_name_follows_the_spelling() {
    let sharp = Spelling {
        step: Step::B,
        alteration: 1,
    };
    let mut b_sharp = note(60, (0, 1), (1, 1));
    assert_eq!(b_sharp.name(), "C4");
    b_sharp.spelling = Some(sharp);
    assert_eq!(b_sharp.name(), "B#3");
    assert_eq!(Pitch::from_spelling(sharp, 3).map(Pitch::number), Some(60));
    assert_eq!(Pitch::from_spelling(sharp, 9), None);
    assert_eq!(Pitch::from_spelling(sharp, i32::MAX), None);
}

proptest! {
    #[test]
    fn content_checksum_ignores_transposition_and_leading_rests(
        pitches in prop::collection::vec(40_u8..80, 1..12),
        up in -20_i32..20,
        rest in 0_i64..50,
    ) {
        let notes = |rest: i64| {
            let timed = pitches.iter().zip(0..);
            timed.map(|(&pitch, at)| note(pitch, (3 * rest + at, 3), (1, 3))).collect()
        };
        let melody = Melody::new(notes(0)).expect("the notes do not overlap");
        let moved = Melody::new(notes(rest)).expect("the notes do not overlap");
        let moved = moved.transposed(up).expect("transposed pitches stay in the MIDI range");
        prop_assert_eq!(melody.content_checksum(), moved.content_checksum());
        prop_assert_eq!(melody.checksum() == moved.checksum(), up == 0 && rest == 0);
        prop_assert!(melody.intervals().eq(moved.intervals()));
    }

    #[test]
    fn spelling_and_octave_determine_the_pitch(number in 12_u8..116, step in 0_usize..7) {
        let pitch = Pitch::new(number).expect("the number is below 128");
        let semitones = i16::from(Step::ALL[step].semitones());
        let alteration = (i16::from(number) - semitones + 6).rem_euclid(12) - 6;
        let spelling = Spelling {
            step: Step::ALL[step],
            alteration: i8::try_from(alteration).expect("the alteration is at most half an octave"),
        };
        prop_assert_eq!(Pitch::from_spelling(spelling, pitch.octave(spelling)), Some(pitch));
    }
}
