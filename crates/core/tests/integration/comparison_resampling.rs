//! Resampling tests: their samples, and agreement with exact enumeration.

use partita_core::ScoreMatrix;
use partita_core::comparison::ComparisonOptions;
use partita_core::truth::{Alpha, Tails};
use partita_stats::adjustment::Adjustment;
use partita_stats::random::{Rng, choose, stream};
use partita_stats::t_test::one_sample;

use crate::comparison_support::{draw_scores, names, pairs_by_name, quick_options, run};

#[test]
fn the_samples_of_a_pair_do_not_depend_on_other_systems() {
    let scores = draw_scores(5, 30, 0.2, &[2]);
    let two = ScoreMatrix::new(
        "score",
        ["s000", "s004"],
        scores.queries().to_vec(),
        scores.rows().flat_map(|row| [row[0], row[4]]).collect(),
    )
    .expect("scores");
    for test in ["permutation", "bootstrap", "t", "wilcoxon", "sign"] {
        let p = |scores: &ScoreMatrix| {
            let found = run(scores, test, &quick_options(test));
            let pairs = pairs_by_name(&found);
            let pair = pairs.iter().find(|(a, b, ..)| {
                let names = [a.as_str(), b.as_str()];
                names.contains(&"s000") && names.contains(&"s004")
            });
            pair.expect("the pair").2
        };
        assert_eq!(p(&scores), p(&two), "{test}");
    }
}

#[test]
fn drawn_signs_approximate_all_signs() {
    // With one query more, the test draws signs instead of counting all. All systems have the same
    // score on that query, so it does not change the exact p-values.
    let few = draw_scores(4, 20, 0.3, &[3]);
    let mut values: Vec<f64> = few.rows().flatten().copied().collect();
    values.extend([0.5; 4]);
    let more = ScoreMatrix::new("score", names("s", 4), names("q", 21), values).expect("scores");
    for tails in [Tails::One, Tails::Two] {
        let settings = ComparisonOptions {
            tails,
            samples: Some(100_000),
            ..ComparisonOptions::default()
        };
        let exact = run(&few, "permutation", &settings);
        let drawn = run(&more, "permutation", &settings);
        assert_eq!((exact.samples, drawn.samples), (None, Some(100_000)));
        for (exact, drawn) in exact.pairs.iter().zip(&drawn.pairs) {
            // Tolerance: five standard errors of a share.
            let [exact, drawn] = [exact, drawn].map(|pair| pair.p.expect("a p-value"));
            let error = 5.0 * (exact * (1.0 - exact) / 1e5).sqrt() + 1e-4;
            assert!((exact - drawn).abs() < error, "{exact} {drawn}");
        }
    }
}

/// Returns the two-sided p-value of the studentised bootstrap test of one sample of differences
/// (Davison and Hinkley 1997, chapter 4), with resamples of its own.
fn bootstrap_p_value(differences: &[f64], resamples: usize, random: &mut impl Rng) -> f64 {
    let test = one_sample(differences).expect("two differences or more");
    let mut resample = vec![0.0; differences.len()];
    let extreme = (0..resamples).filter(|_| {
        for value in &mut resample {
            let drawn = choose(random, differences).expect("a difference");
            *value = drawn - test.mean_difference;
        }
        let replicate = one_sample(&resample).expect("as many differences");
        replicate.t.abs() >= test.t.abs() - 1e-9
    });
    (extreme.count() + 1) as f64 / (resamples + 1) as f64
}

#[test]
fn shared_resamples_approximate_those_of_a_single_pair() {
    let scores = draw_scores(3, 25, 0.3, &[4]);
    let settings = ComparisonOptions {
        samples: Some(50_000),
        ..ComparisonOptions::default()
    };
    let found = run(&scores, "bootstrap", &settings);
    for pair in &found.pairs {
        let place = |name: &str| {
            let mut systems = scores.systems().iter();
            systems.position(|system| system == name).expect("a system")
        };
        let differences = scores.differences(place(&pair.a), place(&pair.b));
        let p = bootstrap_p_value(&differences, 50_000, &mut stream(5, &[]));
        let error = 8.0 * (p * (1.0 - p) / 5e4).sqrt() + 1e-4;
        let found = pair.p.expect("a p-value");
        assert!((found - p).abs() < error, "{found} {p}");
    }
}

#[test]
fn with_two_systems_randomised_tukey_is_the_permutation_test() {
    let scores = draw_scores(2, 15, 0.4, &[5]);
    let settings = ComparisonOptions {
        samples: Some(100_000),
        ..ComparisonOptions::default()
    };
    let p = |test: &str| run(&scores, test, &settings).pairs[0].p.expect("a p-value");
    let (exact, drawn) = (p("permutation"), p("randomised-tukey"));
    assert!(
        (exact - drawn).abs() < 5.0 * (exact / 1e5).sqrt() + 1e-4,
        "{exact} {drawn}"
    );
}

#[test]
fn randomised_tukey_approximates_all_shuffles() {
    let rows = [[0.9, 0.4, 0.2], [0.7, 0.5, 0.1], [0.8, 0.2, 0.4]];
    let scores =
        ScoreMatrix::new("AP", names("s", 3), names("q", 3), rows.concat()).expect("scores");
    let settings = ComparisonOptions {
        samples: Some(60_000),
        ..ComparisonOptions::default()
    };
    let found = run(&scores, "randomised-tukey", &settings);
    // All 6³ ways to shuffle three rows of three scores.
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut ranges = Vec::new();
    for a in orders {
        for b in orders {
            for c in orders {
                let sum = |j: usize| rows[0][a[j]] + rows[1][b[j]] + rows[2][c[j]];
                let sums = [sum(0), sum(1), sum(2)];
                let most = sums.into_iter().fold(f64::MIN, f64::max);
                ranges.push((most - sums.into_iter().fold(f64::MAX, f64::min)) / 3.0);
            }
        }
    }
    for pair in &found.pairs {
        let reached = ranges
            .iter()
            .filter(|range| **range >= pair.difference - 1e-9);
        let exact = reached.count() as f64 / 216.0;
        let error = 5.0 * (exact * (1.0 - exact) / 6e4).sqrt() + 1e-4;
        let p = pair.p.expect("a p-value");
        assert!((p - exact).abs() < error, "{p} {exact}");
    }
}

#[test]
fn many_comparisons_draw_enough_samples_to_reach_alpha() {
    let samples = |alpha: f64, correction: Adjustment| {
        let settings = ComparisonOptions {
            alpha: Alpha::new(alpha).expect("a level"),
            correction: Some(correction),
            ..ComparisonOptions::default()
        };
        run(&draw_scores(4, 21, 0.1, &[10]), "permutation", &settings).samples
    };
    assert_eq!(samples(0.05, Adjustment::default()), Some(100_000));
    // With six pairs, p must be below 0.0001/6 for a significant difference.
    assert_eq!(samples(0.0001, Adjustment::default()), Some(120_000));
    assert_eq!(samples(0.0001, Adjustment::None), Some(100_000));
}
