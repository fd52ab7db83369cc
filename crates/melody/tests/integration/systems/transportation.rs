//! TWV: its distances equal the least cost of all assignments.

use partita_core::work::SequentialWork;
use partita_melody::systems;
use partita_melody::systems::SearchOptions;
use proptest::prelude::*;

use super::{Plain, any_melody, melody};

/// Returns a generator of pseudo-random numbers below a bound.
fn random_numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % below
    }
}

/// Returns the distances between the notes of two melodies with equal durations, for `time=40`.
fn costs(one: &Plain, other: &Plain) -> Vec<Vec<f64>> {
    let points = |line: &Plain| -> Vec<(f64, f64)> {
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

/// Returns the least total cost of assigning each row to a column of its own.
fn least(costs: &[Vec<f64>], row: usize, taken: &mut Vec<bool>) -> f64 {
    if row == costs.len() {
        return 0.0;
    }
    let mut best = f64::INFINITY;
    for column in 0..taken.len() {
        if !taken[column] {
            taken[column] = true;
            best = best.min(costs[row][column] + least(costs, row + 1, taken));
            taken[column] = false;
        }
    }
    best
}

#[test]
fn with_equal_durations_the_distance_is_that_of_the_best_assignment() {
    let mut next = random_numbers(7);
    for _ in 0..60 {
        let mut line = || -> Plain { (0..6).map(|_| (50 + next(30) as u8, 0, 12)).collect() };
        let (one, other) = (line(), line());
        let expected = least(&costs(&one, &other), 0, &mut vec![false; 6]) / 6.0;
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
fn the_earth_movers_distance_moves_what_the_lighter_has_to_the_best_places() {
    let mut next = random_numbers(9);
    for _ in 0..60 {
        let mut line =
            |count: u64| -> Plain { (0..count).map(|_| (50 + next(30) as u8, 0, 12)).collect() };
        let (few, many) = (line(4), line(7));
        let expected = least(&costs(&few, &many), 0, &mut vec![false; 7]) / 4.0;
        let system = systems::parse("TWV(distance=emd,time=40)").unwrap();
        for (query, document) in [(&few, &many), (&many, &few)] {
            let collection = system.prepare(&mut [melody(document)].into_iter());
            let score = collection.score(&melody(query), 0).unwrap();
            assert!((score + expected).abs() < 1e-9, "{score} {expected}");
        }
    }
}

#[test]
fn weight_that_must_be_divided_is_divided() {
    // One note of two beats at pitch 0 (its own mean) beside two of one beat at -1 and 1: half goes each way.
    let one: Plain = vec![(60, 0, 24)];
    let other: Plain = vec![(59, 0, 12), (61, 0, 12)];
    let system = systems::parse("TWV(time=2)").unwrap();
    let score = system
        .prepare(&mut [melody(&other)].into_iter())
        .score(&melody(&one), 0);
    // From (0, 0) to (0, -1) and to (1, 1): half of 1 and of the root of 2.
    assert!((score.unwrap() + (1.0 + 2f64.sqrt()) / 2.0).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn bounds_and_prices_spare_problems_and_change_no_result(
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
fn most_problems_are_spared_where_few_melodies_are_near() {
    // A hundred tunes that rise and fall in their own ways, and ten that are nearly the query.
    let line = |steps: &[i32]| -> Plain {
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
