//! Tests that melodies have equal notes after they are written and read again.

use partita_melody::ItemMetadata;
use partita_melody::readers::{MelodyFormat, MelodyReadOptions, Transcript, pae};
use partita_melody::writers;
use partita_melody::writers::{MelodyExport, PaeCarrier, file_name_for_id};
use partita_melody::{Beats, Melody, Note, Pitch, Spelling, Step};
use partita_named::NamedEnum;
use proptest::prelude::*;

/// Strategy for melodies with plain and dotted note values, triplets, quintuplets, other multiples
/// of 1/8 quarter note, and rests. Some pitches have a spelling.
fn any_melody() -> impl Strategy<Value = Melody> {
    let value = prop_oneof![
        4 => (0..6_u32, 0..3_u32).prop_map(|(halved, dots)| {
            vec![Beats::new(2, 1 << halved) * Beats::new((2 << dots) - 1, 1 << dots)]
        }),
        1 => Just(vec![Beats::new(1, 3); 3]),
        1 => Just(vec![Beats::new(2, 3), Beats::new(1, 3)]),
        1 => Just(vec![Beats::new(1, 5); 5]),
        1 => (1..40_i64).prop_map(|parts| vec![Beats::new(parts, 8)]),
    ];
    let event = (value, prop::bool::weighted(0.15));
    let pitches = prop::collection::vec((24..104_u8, prop::option::of(-1..=1_i8)), 200);
    (prop::collection::vec(event, 1..30), pitches).prop_map(|(events, pitches)| {
        let mut now = Beats::from_integer(0);
        let mut notes = Vec::new();
        for (values, rest) in events {
            for duration in values {
                let (pitch, alteration) = pitches[notes.len()];
                let pitch = Pitch::new(pitch).unwrap();
                let mut note = Note::new(pitch, now, duration);
                note.spelling =
                    alteration.and_then(|alteration| spelling_with_alteration(pitch, alteration));
                now += duration;
                if !rest || notes.is_empty() {
                    notes.push(note);
                }
            }
        }
        Melody::new(notes).unwrap()
    })
}

/// Returns the spelling of a pitch with this alteration in semitones, or `None` if it has none.
fn spelling_with_alteration(pitch: Pitch, alteration: i8) -> Option<Spelling> {
    let spelling = |step| Spelling { step, alteration };
    Step::ALL.into_iter().map(spelling).find(|&spelling| {
        let octave = pitch.octave(spelling);
        Pitch::from_spelling(spelling, octave) == Some(pitch)
    })
}

/// Returns MIDI note number, onset and duration of each note.
fn sounding_notes(melody: &Melody) -> Vec<(u8, Beats, Beats)> {
    let notes = melody.notes().iter();
    notes
        .map(|note| (note.pitch.number(), note.onset, note.duration))
        .collect()
}

/// Reads a Plaine & Easie file that contains one incipit.
fn read_incipit(text: &str) -> Transcript {
    let mut all = Vec::new();
    pae::read(
        "test",
        text.as_bytes(),
        &MelodyReadOptions::default(),
        &mut |entry| {
            let read = entry
                .result
                .unwrap_or_else(|unread| panic!("{unread:?}: {text}"));
            all.push(read);
        },
    );
    assert_eq!(all.len(), 1);
    all.pop().unwrap()
}

proptest! {
    #[test]
    fn melodies_round_trip_in_every_format(melody in any_melody(), fifths in 0..5_usize) {
        let key = ["n", "xF", "xFC", "bB", "bBEA"][fifths];
        let info = ItemMetadata {
            key: Some(key.to_owned()),
            time: Some("3/4".to_owned()),
            clef: Some("G-2".to_owned()),
            tempo: Some(100.0),
            ..ItemMetadata::default()
        };
        let written = MelodyExport { id: "a b", melody: &melody, info: &info };
        let midi = writers::write_midi(written).unwrap();
        let midi = MelodyFormat::Midi.read_melody("test", &midi, &MelodyReadOptions::default()).unwrap();
        prop_assert_eq!(sounding_notes(&midi.melody), sounding_notes(&melody));
        prop_assert_eq!(midi.melody.checksum(), melody.checksum());
        let text = writers::write_kern(written).unwrap();
        let kern = MelodyFormat::Kern.read_melody("test", text.as_bytes(), &MelodyReadOptions::default()).unwrap();
        prop_assert_eq!(sounding_notes(&kern.melody), sounding_notes(&melody));
        prop_assert_eq!(kern.key.as_deref(), Some(key));
        for &carrier in PaeCarrier::VARIANTS {
            let text = writers::write_pae(written, carrier).unwrap();
            prop_assert_eq!(sounding_notes(&read_incipit(&text).melody), sounding_notes(&melody), "{}", text);
        }
    }
}

#[test]
fn kern_and_pae_keep_the_spelling_of_pitches() {
    let pitch = Pitch::new(66).unwrap();
    let flat = Spelling {
        step: Step::G,
        alteration: -1,
    };
    let mut note = Note::new(pitch, Beats::from_integer(0), Beats::from_integer(1));
    note.spelling = Some(flat);
    let melody = Melody::new(vec![note]).unwrap();
    let info = ItemMetadata::default();
    let written = MelodyExport {
        id: "x",
        melody: &melody,
        info: &info,
    };
    let kern = MelodyFormat::Kern.read_melody(
        "test",
        writers::write_kern(written).unwrap().as_bytes(),
        &MelodyReadOptions::default(),
    );
    assert_eq!(kern.unwrap().melody.notes()[0].spelling, Some(flat));
    assert_eq!(
        read_incipit(&writers::write_pae(written, PaeCarrier::Tags).unwrap())
            .melody
            .notes()[0]
            .spelling,
        Some(flat)
    );
}

#[test]
fn error_names_the_melody_that_a_format_cannot_represent() {
    let line = |pitch, duration| {
        let note = Note::new(Pitch::new(pitch).unwrap(), Beats::from_integer(0), duration);
        Melody::new(vec![note]).unwrap()
    };
    let info = ItemMetadata::default();
    let (low, fine) = (
        line(5, Beats::from_integer(1)),
        line(60, Beats::new(1, 65_537)),
    );
    let low = MelodyExport {
        id: "low",
        melody: &low,
        info: &info,
    };
    let fine = MelodyExport {
        id: "fine",
        melody: &fine,
        info: &info,
    };
    assert!(
        writers::write_pae(low, PaeCarrier::Tags)
            .unwrap_err()
            .to_string()
            .starts_with("low cannot be written as pae")
    );
    assert!(
        writers::write_midi(fine)
            .unwrap_err()
            .to_string()
            .starts_with("fine cannot be written as midi")
    );
    assert!(
        writers::write_midi(low).is_ok()
            && writers::write_kern(low).is_ok()
            && writers::write_kern(fine).is_ok()
    );
    let tab = MelodyExport { id: "a\tb", ..low };
    assert!(writers::write_pae(tab, PaeCarrier::Line).is_err());
}

#[test]
fn pae_splits_notes_and_rests_to_complete_tuplets() {
    let info = ItemMetadata::default();
    let written_and_read = |durations: &[(bool, Beats)]| {
        let mut now = Beats::from_integer(0);
        let mut notes = Vec::new();
        for &(is_note, duration) in durations {
            if is_note {
                notes.push(Note::new(Pitch::new(66).unwrap(), now, duration));
            }
            now += duration;
        }
        let melody = Melody::new(notes).unwrap();
        let melody_export = MelodyExport {
            id: "x",
            melody: &melody,
            info: &info,
        };
        let text = writers::write_pae(melody_export, PaeCarrier::Tags).unwrap();
        assert_eq!(
            sounding_notes(&read_incipit(&text).melody),
            sounding_notes(&melody),
            "{text}"
        );
    };
    let third = Beats::new(1, 3);
    let two_thirds_and_more = Beats::new(2, 3) + Beats::new(7, 64);
    let quarters = [(true, Beats::from_integer(1)); 20];
    // The first durations never add up to a note value.
    for is_note in [false, true] {
        let start = [(true, third), (is_note, two_thirds_and_more)];
        written_and_read(&[&start[..], &quarters].concat());
    }
    // The first note or rest is longer than any tuplet may be.
    let long = Beats::from_integer(20) + Beats::new(2, 3);
    for is_note in [false, true] {
        written_and_read(&[&[(is_note, long), (true, third)][..], &quarters].concat());
    }
}

#[test]
fn file_names_encode_special_characters_of_ids() {
    assert_eq!(file_name_for_id("000.111.706-1.1.1"), "000.111.706-1.1.1");
    assert_eq!(file_name_for_id("a/b c%é"), "a%2Fb%20c%25%C3%A9");
}
