//! Error rates of the tests in simulations.

use partita_core::ScoreMatrix;
use partita_core::comparison::ComparisonOptions;
use partita_core::truth::{Alpha, Tails};
use partita_stats::random::{standard_normal, stream};

use crate::comparison_support::{draw_scores, names, run};

#[test]
fn family_wise_error_rates_equal_the_published_values() {
    // Urbano, Martín, Marrero and Morato (2011) give, for 15 systems, the rates .9954 of the
    // experiment and .5123 per participant at alpha .05, and .6519 and .1313 at .01.
    let scores = draw_scores(15, 10, 0.1, &[7]);
    for (alpha, whole, one) in [(0.05, 0.9954, 0.5123), (0.01, 0.6519, 0.1313)] {
        let settings = ComparisonOptions {
            alpha: Alpha::new(alpha).expect("a level"),
            ..ComparisonOptions::default()
        };
        let rates = run(&scores, "t", &settings).error_rates;
        assert_eq!(
            (rates.comparisons, rates.comparisons_per_participant),
            (105, 14)
        );
        assert!((rates.experiment_wide - whole).abs() < 5e-5);
        assert!((rates.per_participant - one).abs() < 5e-5);
    }
}

/// Fails unless the number of false claims lies in the 99.9% interval of a binomial distribution with
/// probability 0.05.
fn assert_keeps_level(test: &str, trials: u64, mut errs: impl FnMut(u64) -> bool) {
    let alpha = 0.05;
    let errors = (0..trials).filter(|&trial| errs(trial)).count() as f64;
    let (expected, spread) = (
        alpha * trials as f64,
        (alpha * (1.0 - alpha) * trials as f64).sqrt(),
    );
    assert!(
        (errors - expected).abs() < 3.2905 * spread + 0.5,
        "{test}: {errors} of {trials} false claims"
    );
}

#[test]
fn every_test_keeps_its_level_for_two_equal_systems() {
    let tests = ["permutation", "t", "bootstrap", "wilcoxon", "sign"];
    for (number, test) in tests.iter().enumerate() {
        // The two-tailed sign test at 0.05 errs in 4.1% of samples of 35 signs.
        assert_keeps_level(test, 800, |trial| {
            let scores = draw_scores(2, 35, 0.0, &[100 + number as u64, trial]);
            let settings = ComparisonOptions {
                samples: Some(199),
                seed: trial,
                ..ComparisonOptions::default()
            };
            run(&scores, test, &settings).significant > 0
        });
    }
}

#[test]
fn simultaneous_tests_keep_their_level_for_all_pairs_together() {
    for (number, test) in ["friedman-tukey", "randomised-tukey"].iter().enumerate() {
        assert_keeps_level(test, 500, |trial| {
            let scores = draw_scores(4, 30, 0.0, &[200 + number as u64, trial]);
            let settings = ComparisonOptions {
                samples: Some(199),
                seed: trial,
                ..ComparisonOptions::default()
            };
            run(&scores, test, &settings).significant > 0
        });
    }
}

#[test]
fn one_tailed_tests_keep_their_level_in_each_direction() {
    let settings = ComparisonOptions {
        tails: Tails::One,
        ..ComparisonOptions::default()
    };
    for (number, wanted) in ["s000", "s001"].iter().enumerate() {
        assert_keeps_level(wanted, 1500, |trial| {
            let scores = draw_scores(2, 30, 0.0, &[300 + number as u64, trial]);
            let found = run(&scores, "t", &settings);
            found.pairs[0].better.as_deref() == Some(*wanted)
        });
    }
}

#[test]
fn the_equivalence_test_keeps_its_level_at_the_margin() {
    // The systems differ by exactly the margin, which is far from the other margin.
    let settings = ComparisonOptions {
        margin: Some(2.0),
        ..ComparisonOptions::default()
    };
    assert_keeps_level("equivalence", 1500, |trial| {
        let scores = draw_scores(2, 30, 2.0, &[400, trial]);
        run(&scores, "equivalence", &settings).significant > 0
    });
}

#[test]
fn numbers_c1_all_tests_of_means_err_with_skewed_differences_the_bootstrap_least() {
    // Log-normal differences of mean 0, as in docs/validation.md.
    const SETS: u64 = 600;
    let rate = |test: &str| {
        let rejects = |set: &u64| {
            let mut rng = stream(23, &[*set]);
            let draw = |_| [standard_normal(&mut rng).exp() - 0.5f64.exp(), 0.0];
            let values = (0..15).flat_map(draw).collect();
            let scores = ScoreMatrix::new("score", ["a", "b"], names("q", 15), values);
            let settings = ComparisonOptions {
                alpha: Alpha::new(0.1).expect("a level"),
                samples: Some(199),
                seed: *set,
                ..ComparisonOptions::default()
            };
            run(&scores.expect("scores"), test, &settings).significant > 0
        };
        (0..SETS).filter(rejects).count() as f64 / SETS as f64
    };
    // The standard error of a rate of 0.1 is 0.012.
    let [bootstrap, t, permutation] = ["bootstrap", "t", "permutation"].map(rate);
    assert!(t > 0.14 && permutation > 0.14, "{t} {permutation}");
    assert!(
        bootstrap < t && bootstrap < permutation,
        "{bootstrap} {t} {permutation}"
    );
}
