//! Tests of the invariances that each system claims: transformations of a query that do not change
//! its scores.

use partita_core::work::SequentialWork;
use partita_melody::systems;
use partita_melody::systems::{Invariance, REGISTRY, SearchOptions};
use partita_melody::{Beats, Melody, Note};
use proptest::prelude::*;

use super::{NoteList, any_collection, any_melody, melody};

/// Returns all systems, and variants with other parameters, with the invariances that they claim.
fn systems_with_invariances() -> Vec<(&'static str, &'static [Invariance])> {
    let mut all: Vec<_> = (REGISTRY.iter())
        .map(|definition| (definition.name, definition.invariant_to))
        .collect();
    for text in [
        "ShapeH(how=local)",
        "ShapeH(how=global)",
        "Time(weight=0)",
        "ShapeTime(depth=3)",
        "Splines(mismatch=domain)",
        "US(n=2)",
        "TWV(distance=emd)",
        "Opti3(unit=quarter)",
    ] {
        let definition = systems::parse_definition(text).expect("the system is valid");
        all.push((text, definition.invariant_to));
    }
    all
}

/// Scales all times by a factor, delays them by a rest and transposes the pitches. Returns `None`
/// if the result is no valid melody.
fn transform(melody: &Melody, factor: Beats, rest: Beats, semitones: i32) -> Option<Melody> {
    let moved = melody.transposed(semitones)?;
    let note = |note: &Note| Note {
        onset: note.onset * factor + rest,
        duration: note.duration * factor,
        ..*note
    };
    Melody::new(moved.notes().iter().map(note).collect()).ok()
}

/// Checks that a system returns the same documents and scores for a query and for a changed query.
fn check_equal_results(text: &str, query: &Melody, changed: &Melody, documents: &[NoteList]) {
    let system = systems::parse(text).expect("the system is valid");
    let collection = system.prepare(&mut documents.iter().map(melody));
    for wanted in [
        SearchOptions::ALL,
        SearchOptions {
            top: 2,
            exhaustive: true,
        },
    ] {
        let found = collection
            .search(query, wanted, &SequentialWork)
            .expect("the search is not cancelled");
        let again = collection
            .search(changed, wanted, &SequentialWork)
            .expect("the search is not cancelled");
        let (Some(found), Some(again)) = (&found, &again) else {
            assert_eq!(found.is_none(), again.is_none(), "{text}");
            continue;
        };
        assert_eq!(found.len(), again.len(), "{text}");
        for (one, other) in found.iter().zip(again) {
            assert_eq!(one.document, other.document, "{text}: {found:?} {again:?}");
            assert!(
                (one.score - other.score).abs() < 1e-9,
                "{text}: {one:?} {other:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn transposing_a_query_does_not_change_its_scores(
        query in any_melody(3..24),
        documents in any_collection(),
        semitones in -40i32..40,
    ) {
        let query = melody(&query);
        let one = Beats::from_integer(1);
        let Some(changed) = transform(&query, one, Beats::from_integer(0), semitones) else {
            return Ok(());
        };
        for (text, claims) in systems_with_invariances() {
            if claims.contains(&Invariance::Transposition) {
                check_equal_results(text, &query, &changed, &documents);
            }
        }
    }

    #[test]
    fn leading_rests_do_not_change_the_scores_of_a_query(
        query in any_melody(3..24),
        documents in any_collection(),
        rest in 1i64..100,
        parts in 1i64..12,
    ) {
        let query = melody(&query);
        let one = Beats::from_integer(1);
        let changed = transform(&query, one, Beats::new(rest, parts), 0).expect("the changed melody is valid");
        for (text, claims) in systems_with_invariances() {
            if claims.contains(&Invariance::Rests) {
                check_equal_results(text, &query, &changed, &documents);
            }
        }
    }

    #[test]
    fn scaling_all_durations_does_not_change_the_scores_of_a_query(
        query in any_melody(3..24),
        documents in any_collection(),
        factor in prop_oneof![Just((2i64, 1i64)), Just((1, 3)), Just((7, 5)), (1i64..12, 1i64..12)],
    ) {
        let query = melody(&query);
        let factor = Beats::new(factor.0, factor.1);
        let changed = transform(&query, factor, Beats::from_integer(0), 0).expect("the changed melody is valid");
        for (text, claims) in systems_with_invariances() {
            if claims.contains(&Invariance::Scaling) {
                check_equal_results(text, &query, &changed, &documents);
            }
        }
    }

    #[test]
    fn all_transpositions_of_a_query_have_the_same_score(
        query in any_melody(4..16),
        semitones in prop::collection::vec(-30i32..30, 1..5),
    ) {
        let original = melody(&query);
        let moved = semitones.iter().filter_map(|&by| original.transposed(by));
        let documents: Vec<Melody> = [original.clone()].into_iter().chain(moved).collect();
        for (text, _) in systems_with_invariances() {
            let system = systems::parse(text).expect("the system is valid");
            let collection = system.prepare(&mut documents.iter().cloned());
            let Some(first) = collection.score(&original, 0) else { continue };
            for (query, number) in documents.iter().zip(0..) {
                prop_assert_eq!(collection.score(&original, number), Some(first), "{}", text);
                prop_assert_eq!(collection.score(query, 0), Some(first), "{}", text);
            }
        }
    }
}

#[test]
fn p3_scores_change_if_the_query_is_scaled() {
    // P3 does not claim invariance to scaling: this query has another score at half the tempo.
    let notes: NoteList = vec![
        (60, 0, 12),
        (62, 0, 12),
        (64, 0, 6),
        (65, 0, 6),
        (67, 0, 24),
    ];
    let query = melody(&notes);
    let slower = transform(&query, Beats::from_integer(2), Beats::from_integer(0), 0);
    let collection = systems::parse("P3")
        .unwrap()
        .prepare(&mut [melody(&notes)].into_iter());
    assert_eq!(collection.score(&query, 0), Some(1.0));
    assert!(collection.score(&slower.unwrap(), 0) < Some(1.0));
}
