//! How often each test errs.

use partita_core::comparison::ComparisonOptions;
use partita_core::truth::{Alpha, Tails};

use crate::comparison_support::{drawn, run};

#[test]
fn the_error_rates_of_paper_003_are_printed_right() {
    // 15 systems: .9954 and .5123 at .05, .6519 and .1313 at .01.
    let scores = drawn(15, 10, 0.1, &[7]);
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

/// The share of experiments in which a test claims something false must lie in the 99.9% interval of
/// a binomial of probability alpha.
fn holds_its_level(test: &str, trials: u64, mut errs: impl FnMut(u64) -> bool) {
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
fn every_test_holds_its_level_where_two_systems_do_not_differ() {
    for (number, test) in ["permutation", "t", "bootstrap", "wilcoxon", "sign"]
        .iter()
        .enumerate()
    {
        let settings = ComparisonOptions {
            samples: Some(199),
            ..ComparisonOptions::default()
        };
        // Of 35 signs, the two-tailed test at 0.05 errs in 4.1%.
        holds_its_level(test, 800, |trial| {
            let scores = drawn(2, 35, 0.0, &[100 + number as u64, trial]);
            let settings = ComparisonOptions {
                seed: trial,
                ..settings.clone()
            };
            run(&scores, test, &settings).significant > 0
        });
    }
}

#[test]
fn simultaneous_tests_hold_their_level_for_the_whole_experiment() {
    for (number, test) in ["friedman-tukey", "randomised-tukey"].iter().enumerate() {
        holds_its_level(test, 500, |trial| {
            let scores = drawn(4, 30, 0.0, &[200 + number as u64, trial]);
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
fn one_tailed_tests_err_as_often_in_either_direction() {
    let settings = ComparisonOptions {
        tails: Tails::One,
        ..ComparisonOptions::default()
    };
    for (number, wanted) in ["s000", "s001"].iter().enumerate() {
        holds_its_level(wanted, 1500, |trial| {
            let scores = drawn(2, 30, 0.0, &[300 + number as u64, trial]);
            let found = run(&scores, "t", &settings);
            found.pairs[0].better.as_deref() == Some(*wanted)
        });
    }
}

#[test]
fn the_equivalence_test_errs_as_it_should_at_the_margin() {
    // The systems differ by exactly the margin, which is far from the other margin.
    let settings = ComparisonOptions {
        margin: Some(2.0),
        ..ComparisonOptions::default()
    };
    holds_its_level("equivalence", 1500, |trial| {
        let scores = drawn(2, 30, 2.0, &[400, trial]);
        run(&scores, "equivalence", &settings).significant > 0
    });
}
