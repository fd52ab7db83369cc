//! Tests of Align with scores that are calculated by hand.

use partita_melody::systems;

use super::{NoteList, melody};

/// Returns the score of a document for a query. Notes are given by pitch and duration in twelfths
/// of a quarter note.
fn score(system: &str, query: &[(u8, i64)], document: &[(u8, i64)]) -> f64 {
    let note_list = |notes: &[(u8, i64)]| -> NoteList {
        notes
            .iter()
            .map(|&(pitch, lasts)| (pitch, 0, lasts))
            .collect()
    };
    let system = systems::parse(system).unwrap();
    let collection = system.prepare(&mut [melody(&note_list(document))].into_iter());
    collection.score(&melody(&note_list(query)), 0).unwrap()
}

#[test]
fn gap_cost_is_proportional_to_the_duration_of_the_skipped_note() {
    let pitch_only = "Align(interval=0,duration=0,position=0,offset=0,open=0.8,longer=0";
    let query = [(60, 12), (62, 12), (64, 12), (65, 12)];
    let with = |lasts| [(60, 12), (62, 12), (67, lasts), (64, 12), (65, 12)];
    // All durations are equal: four pairs add 1 each, the gap subtracts 0.8, and the score is
    // divided by the four notes of the shorter melody.
    let equal = score(&format!("{pitch_only})"), &query, &with(12));
    assert_eq!(equal, 0.8);
    // The mean time between onsets of the document is 0.9 quarter notes. Each pair has the weight
    // sqrt(1 / 0.9), and the skipped note of half a quarter note has the weight 0.5 / 0.9.
    let short = score(&format!("{pitch_only})"), &query, &with(6));
    let expected = (4.0 * (1.0 / 0.9_f64).sqrt() - 0.8 * 0.5 / 0.9) / 4.0;
    assert!((short - expected).abs() < 1e-9, "{short} {expected}");
    // With `weight=0` all notes have the same weight, so the gap over the short note costs 0.8.
    let unweighted = score(&format!("{pitch_only},weight=0)"), &query, &with(6));
    assert_eq!(unweighted, 0.8);
}

#[test]
fn a_different_pitch_costs_more_on_a_longer_note() {
    // The second note starts as long after the beginning as the fourth note ends before the end, so
    // the two notes differ only in their durations.
    let query = [(60, 24), (62, 12), (64, 24), (65, 36), (67, 24)];
    let with = |at: usize| {
        let mut other = query;
        other[at].0 = 71;
        other
    };
    let (short, long) = (with(1), with(3));
    let system = "Align(interval=0,position=0)";
    assert!(score(system, &query, &short) > score(system, &query, &long));
    let unweighted = "Align(interval=0,position=0,weight=0)";
    let (short, long) = (
        score(unweighted, &query, &short),
        score(unweighted, &query, &long),
    );
    assert!((short - long).abs() < 1e-9, "{short} {long}");
}

#[test]
fn duration_of_a_note_extends_to_the_next_onset() {
    // The second note lasts half a quarter note, and a rest of the same duration follows it.
    let query: NoteList = vec![(60, 0, 12), (62, 0, 6), (64, 6, 12), (65, 0, 12)];
    let full: NoteList = vec![(60, 0, 12), (62, 0, 12), (64, 0, 12), (65, 0, 12)];
    let system = systems::parse("Align").unwrap();
    let collection = system.prepare(&mut [melody(&full)].into_iter());
    let same = collection.score(&melody(&full), 0);
    assert_eq!(collection.score(&melody(&query), 0), same);
}
