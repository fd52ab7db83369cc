//! Every claim of every system: what may change in a query without changing its scores.

use partita_core::work::SequentialWork;
use partita_melody::systems;
use partita_melody::systems::{Invariance, REGISTRY, SearchOptions};
use partita_melody::{Beats, Melody, Note};
use proptest::prelude::*;

use super::{Plain, any_collection, any_melody, melody};

/// Ways to write each system that its claims hold for.
fn systems() -> Vec<(&'static str, &'static [Invariance])> {
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
        "FM(unit=quarter)",
    ] {
        let definition = systems::parse_definition(text).expect("it is a system");
        all.push((text, definition.invariant_to));
    }
    all
}

fn scaled(melody: &Melody, factor: Beats, rest: Beats, semitones: i32) -> Option<Melody> {
    let moved = melody.transposed(semitones)?;
    let note = |note: &Note| Note {
        onset: note.onset * factor + rest,
        duration: note.duration * factor,
        ..*note
    };
    Melody::new(moved.notes().iter().map(note).collect()).ok()
}

fn check(text: &str, query: &Melody, changed: &Melody, documents: &[Plain]) {
    let system = systems::parse(text).expect("it is a system");
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
            .expect("nobody stops it");
        let again = collection
            .search(changed, wanted, &SequentialWork)
            .expect("nobody stops it");
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
    fn a_transposed_query_gets_the_scores_of_the_query(
        query in any_melody(3..24),
        documents in any_collection(),
        semitones in -40i32..40,
    ) {
        let query = melody(&query);
        let one = Beats::from_integer(1);
        let Some(changed) = scaled(&query, one, Beats::from_integer(0), semitones) else {
            return Ok(());
        };
        for (text, claims) in systems() {
            if claims.contains(&Invariance::Transposition) {
                check(text, &query, &changed, &documents);
            }
        }
    }

    #[test]
    fn a_query_after_rests_gets_the_scores_of_the_query(
        query in any_melody(3..24),
        documents in any_collection(),
        rest in 1i64..100,
        parts in 1i64..12,
    ) {
        let query = melody(&query);
        let one = Beats::from_integer(1);
        let changed = scaled(&query, one, Beats::new(rest, parts), 0).expect("it stays in range");
        for (text, claims) in systems() {
            if claims.contains(&Invariance::Rests) {
                check(text, &query, &changed, &documents);
            }
        }
    }

    #[test]
    fn a_query_twice_as_slow_or_scaled_by_any_factor_gets_the_scores_of_the_query(
        query in any_melody(3..24),
        documents in any_collection(),
        factor in prop_oneof![Just((2i64, 1i64)), Just((1, 3)), Just((7, 5)), (1i64..12, 1i64..12)],
    ) {
        let query = melody(&query);
        let factor = Beats::new(factor.0, factor.1);
        let changed = scaled(&query, factor, Beats::from_integer(0), 0).expect("it stays in range");
        for (text, claims) in systems() {
            if claims.contains(&Invariance::Scaling) {
                check(text, &query, &changed, &documents);
            }
        }
    }

    #[test]
    fn a_query_that_ties_with_its_own_transpositions_has_one_score_for_all_of_them(
        query in any_melody(4..16),
        semitones in prop::collection::vec(-30i32..30, 1..5),
    ) {
        let original = melody(&query);
        let moved = semitones.iter().filter_map(|&by| original.transposed(by));
        let documents: Vec<Melody> = [original.clone()].into_iter().chain(moved).collect();
        for (text, _) in systems() {
            let system = systems::parse(text).expect("it is a system");
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
fn what_a_system_does_not_claim_it_does_not_have() {
    // P3, GAM and FM do not claim scaling; here is a query that P3 scores otherwise when it is slower.
    let plain: Plain = vec![
        (60, 0, 12),
        (62, 0, 12),
        (64, 0, 6),
        (65, 0, 6),
        (67, 0, 24),
    ];
    let query = melody(&plain);
    let slower = scaled(&query, Beats::from_integer(2), Beats::from_integer(0), 0);
    let collection = systems::parse("P3")
        .unwrap()
        .prepare(&mut [melody(&plain)].into_iter());
    assert_eq!(collection.score(&query, 0), Some(1.0));
    assert!(collection.score(&slower.unwrap(), 0) < Some(1.0));
}
