//! Layout of piano rolls.

use partita_melody::{Beats, Melody, Note, Pitch};
use partita_report::{MAX_ROLL_BEATS, MAX_ROLL_NOTES, piano_roll_figure};
use proptest::prelude::*;

use super::{assert_well_laid_out, elements};
use crate::svg::{assert_self_contained, words};

/// Creates a melody of consecutive notes, given as (MIDI pitch, duration in sixteenth notes).
fn melody(notes: &[(u8, i64)]) -> Melody {
    let mut onset = Beats::from_integer(3);
    let note = |&(pitch, sixteenths): &(u8, i64)| {
        let pitch = Pitch::new(pitch).expect("a pitch of the test");
        let note = Note::new(pitch, onset, Beats::new(sixteenths, 4));
        onset = note.end();
        note
    };
    Melody::new(notes.iter().map(note).collect()).expect("a melody of the test")
}

#[test]
fn each_note_is_a_bar_at_its_pitch_with_the_length_of_its_duration() {
    let figure = piano_roll_figure("tune", &melody(&[(60, 4), (64, 8), (62, 4)])).expect("short");
    let elements = elements(&figure);
    let bars: Vec<_> = elements.iter().filter(|element| element.is_round).collect();
    let [first, second, third] = &bars[..] else {
        panic!("{} bars for 3 notes", bars.len());
    };
    let width = |bar: &super::Element| bar.area.right - bar.area.left;
    assert!((width(second) - 2.0 * width(first)).abs() < 0.05);
    assert!((first.area.right - second.area.left).abs() < 0.05);
    // The second note is four semitones above the first, and two above the third.
    let (up, down) = (
        first.area.top - second.area.top,
        third.area.top - second.area.top,
    );
    assert!(up > 0.0 && (up - 2.0 * down).abs() < 0.05);
    assert!(words(&figure).contains(&"E4".to_owned()));
    assert!(figure.description.contains("E4 at 1 for 2"));
}

#[test]
fn a_long_melody_is_wrapped_into_rows_and_a_too_long_one_is_refused() {
    // A note of 40 quarter notes is drawn as two bars in two rows.
    let long =
        piano_roll_figure("long", &melody(&[(60, 4), (61, 160), (62, 4)])).expect("two rows");
    assert_eq!(elements(&long).iter().filter(|one| one.is_round).count(), 4);
    assert_well_laid_out(&long);
    let endless = melody(&[(60, 4 * (MAX_ROLL_BEATS as i64 + 1))]);
    assert!(piano_roll_figure("endless", &endless).is_err());
    let many = piano_roll_figure("many", &melody(&vec![(60, 1); MAX_ROLL_NOTES + 1]));
    let refused = many.expect_err("too many notes").to_string();
    assert!(
        refused.contains("2000 notes") && refused.contains("2001"),
        "{refused}"
    );
    let most =
        piano_roll_figure("most", &melody(&vec![(60, 1); MAX_ROLL_NOTES])).expect("in range");
    assert!(most.to_svg().len() < 1 << 20);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn piano_rolls_are_well_laid_out(
        name in "\\PC{1,60}",
        notes in proptest::collection::vec((0_u8..128, 1_i64..40), 1..30),
    ) {
        let figure = piano_roll_figure(&name, &melody(&notes)).expect("short");
        assert_well_laid_out(&figure);
        assert_self_contained(&figure);
    }
}
