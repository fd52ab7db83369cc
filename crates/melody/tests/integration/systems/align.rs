//! Align by hand.

use partita_melody::systems;

use super::{Plain, melody};

/// What a system scores two melodies, which have pitches and durations in twelfths of a beat.
fn score(system: &str, query: &[(u8, i64)], document: &[(u8, i64)]) -> f64 {
    let plain = |notes: &[(u8, i64)]| -> Plain {
        notes
            .iter()
            .map(|&(pitch, lasts)| (pitch, 0, lasts))
            .collect()
    };
    let system = systems::parse(system).unwrap();
    let collection = system.prepare(&mut [melody(&plain(document))].into_iter());
    collection.score(&melody(&plain(query)), 0).unwrap()
}

#[test]
fn a_gap_costs_as_long_as_the_note_lasts_that_is_left_out() {
    let pitches = "Align(interval=0,duration=0,position=0,offset=0,open=0.8,longer=0";
    let query = [(60, 12), (62, 12), (64, 12), (65, 12)];
    let with = |lasts| [(60, 12), (62, 12), (67, lasts), (64, 12), (65, 12)];
    // All last as long: four pairs add 1, and the gap takes 0.8, over the length of the shorter.
    let even = score(&format!("{pitches})"), &query, &with(12));
    assert_eq!(even, 0.8);
    // The mean time is 0.9: pairs count the root of 1 / 0.9, and the gap 0.5 / 0.9.
    let short = score(&format!("{pitches})"), &query, &with(6));
    let expected = (4.0 * (1.0 / 0.9_f64).sqrt() - 0.8 * 0.5 / 0.9) / 4.0;
    assert!((short - expected).abs() < 1e-9, "{short} {expected}");
    // Where all count alike the gap costs the same, however short its note is.
    let alike = score(&format!("{pitches},weight=0)"), &query, &with(6));
    assert_eq!(alike, 0.8);
}

#[test]
fn another_pitch_costs_more_where_it_lasts_longer() {
    // The second note is as far from the beginning as the fourth is from the end.
    let query = [(60, 24), (62, 12), (64, 24), (65, 36), (67, 24)];
    let with = |at: usize| {
        let mut other = query;
        other[at].0 = 71;
        other
    };
    let (short, long) = (with(1), with(3));
    let system = "Align(interval=0,position=0)";
    assert!(score(system, &query, &short) > score(system, &query, &long));
    let alike = "Align(interval=0,position=0,weight=0)";
    let (short, long) = (score(alike, &query, &short), score(alike, &query, &long));
    assert!((short - long).abs() < 1e-9, "{short} {long}");
}

#[test]
fn a_note_lasts_until_the_next_begins() {
    // The second note sounds for half a beat, and half a beat of silence follows.
    let query: Plain = vec![(60, 0, 12), (62, 0, 6), (64, 6, 12), (65, 0, 12)];
    let full: Plain = vec![(60, 0, 12), (62, 0, 12), (64, 0, 12), (65, 0, 12)];
    let system = systems::parse("Align").unwrap();
    let collection = system.prepare(&mut [melody(&full)].into_iter());
    let same = collection.score(&melody(&full), 0);
    assert_eq!(collection.score(&melody(&query), 0), same);
}
