//! Tests of TWV: comparison with the minimum cost of all assignments, and pruning by bounds.

use partita_core::work::SequentialWork;
use partita_melody::systems;
use partita_melody::systems::SearchOptions;
use proptest::prelude::*;

use super::{NoteList, any_melody, melody};

/// Returns a generator of pseudo-random numbers. Its argument is the bound below which the next
/// number is.
fn random_numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % below
    }
}

/// Returns the distances between the notes of two melodies as a matrix, for the parameter `time=40`
/// of TWV. All notes must have the same duration.
fn note_distances(one: &NoteList, other: &NoteList) -> Vec<Vec<f64>> {
    let points = |line: &NoteList| -> Vec<(f64, f64)> {
        let count = line.len() as f64;
        let mean = line.iter().map(|note| f64::from(note.0)).sum::<f64>() / count;
        let point = |(at, note): (usize, &(u8, i64, i64))| {
            (at as f64 / count * 40.0, f64::from(note.0) - mean)
        };
        line.iter().enumerate().map(point).collect()
    };
    let (ours, theirs) = (points(one), points(other));
    let cost = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
    ours.iter()
        .map(|a| theirs.iter().map(|b| cost(a, b)).collect())
        .collect()
}

/// Returns the minimum total cost of assigning each row, from `row` on, to a column that is not
/// `taken`. Each column may be assigned once.
fn minimum_assignment_cost(costs: &[Vec<f64>], row: usize, taken: &mut Vec<bool>) -> f64 {
    if row == costs.len() {
        return 0.0;
    }
    let mut best = f64::INFINITY;
    for column in 0..taken.len() {
        if !taken[column] {
            taken[column] = true;
            best = best.min(costs[row][column] + minimum_assignment_cost(costs, row + 1, taken));
            taken[column] = false;
        }
    }
    best
}

#[test]
fn distance_with_equal_durations_is_that_of_the_best_assignment() {
    let mut next = random_numbers(7);
    for _ in 0..60 {
        let mut line = || -> NoteList { (0..6).map(|_| (50 + next(30) as u8, 0, 12)).collect() };
        let (one, other) = (line(), line());
        let expected =
            minimum_assignment_cost(&note_distances(&one, &other), 0, &mut vec![false; 6]) / 6.0;
        for text in ["TWV(time=40)", "TWV(distance=emd,time=40)"] {
            let system = systems::parse(text).unwrap();
            let score = system
                .prepare(&mut [melody(&other)].into_iter())
                .score(&melody(&one), 0);
            assert!((score.unwrap() + expected).abs() < 1e-9, "{text}");
        }
    }
}

#[test]
fn earth_movers_distance_moves_only_the_weight_of_the_lighter_melody() {
    let mut next = random_numbers(9);
    for _ in 0..60 {
        let mut line =
            |count: u64| -> NoteList { (0..count).map(|_| (50 + next(30) as u8, 0, 12)).collect() };
        let (few, many) = (line(4), line(7));
        let expected =
            minimum_assignment_cost(&note_distances(&few, &many), 0, &mut vec![false; 7]) / 4.0;
        let system = systems::parse("TWV(distance=emd,time=40)").unwrap();
        for (query, document) in [(&few, &many), (&many, &few)] {
            let collection = system.prepare(&mut [melody(document)].into_iter());
            let score = collection.score(&melody(query), 0).unwrap();
            assert!((score + expected).abs() < 1e-9, "{score} {expected}");
        }
    }
}

#[test]
fn weight_of_one_note_is_split_between_two_notes() {
    // Relative to the mean pitches, a note of two quarter notes has pitch 0, and two notes of one
    // quarter note each have the pitches -1 and 1. Half of the weight moves to each of the two.
    let one: NoteList = vec![(60, 0, 24)];
    let other: NoteList = vec![(59, 0, 12), (61, 0, 12)];
    let system = systems::parse("TWV(time=2)").unwrap();
    let score = system
        .prepare(&mut [melody(&other)].into_iter())
        .score(&melody(&one), 0);
    // The distances from (0, 0) to (0, -1) and to (1, 1), in time and pitch, are 1 and sqrt(2).
    assert!((score.unwrap() + (1.0 + 2f64.sqrt()) / 2.0).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pruning_by_bounds_does_not_change_results(
        collection in prop::collection::vec(any_melody(1..30), 150),
        query in any_melody(1..30),
        top in 1usize..12,
        earth_movers in any::<bool>(),
    ) {
        let text = if earth_movers { "TWV(distance=emd)" } else { "TWV" };
        let collection = (systems::parse(text).unwrap()).prepare(&mut collection.iter().map(melody));
        let query = melody(&query);
        let wanted = SearchOptions { top, exhaustive: true };
        let some = collection.search(&query, wanted, &SequentialWork).unwrap().unwrap();
        let all = collection.search(&query, SearchOptions::ALL, &SequentialWork).unwrap().unwrap();
        prop_assert_eq!(&some[..], &all[..top]);
    }
}

#[test]
fn bounds_prune_documents_if_few_are_near_the_query() {
    // Ten melodies are similar to the query, and a hundred have other contours.
    let line = |steps: &[i32]| -> NoteList {
        let mut pitch = 60;
        let note = |step: &i32| {
            pitch += step;
            (pitch as u8, 0, 12)
        };
        steps.iter().map(note).collect()
    };
    let near = (0..10).map(|other| line(&[0, 2, 2, 1, -5, 2, other, -other, 1]));
    let far = (0..100).map(|other| {
        let (up, down) = (2 + other % 9, 1 + other % 7);
        line(&[0, up, up, -down, up, -down, -up, -down, up])
    });
    let collection: Vec<_> = near.chain(far).map(|line| melody(&line)).collect();
    for text in ["TWV", "TWV(distance=emd)"] {
        let searcher = systems::parse(text)
            .unwrap()
            .prepare(&mut collection.iter().cloned());
        let wanted = SearchOptions {
            top: 3,
            exhaustive: true,
        };
        let found = searcher.search(&collection[0], wanted, &SequentialWork);
        assert_eq!(found.unwrap().unwrap()[0].document, 0);
        assert!(
            searcher.scored_count() < 70,
            "{text}: {}",
            searcher.scored_count()
        );
    }
}
