//! Properties of comparisons that hold for every test, and the errors of comparisons.

use partita_core::ScoreMatrix;
use partita_core::comparison::{
    ComparisonError, ComparisonOptions, ComparisonPreset, MeanRankOrder, compare,
};
use partita_core::significance::{
    ComparedQuantity, SignificanceTest, SystemTest, TestOption, system_tests,
};
use partita_core::truth::{Alpha, Tails};
use partita_core::work::{SequentialWork, Work};
use partita_stats::adjustment::Adjustment;
use partita_stats::random::{shuffle, stream};
use proptest::prelude::*;

use crate::comparison_support::{
    coarse_scores, draw_scores, names, pairs_by_name, quick_options, run,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_queries_and_systems_changes_no_result(scores in coarse_scores(), seed: u64) {
        let (k, n) = (scores.systems().len(), scores.queries().len());
        let mut rng = stream(seed, &[]);
        let (mut columns, mut rows): (Vec<usize>, Vec<usize>) = ((0..k).collect(), (0..n).collect());
        shuffle(&mut rng, &mut columns);
        shuffle(&mut rng, &mut rows);
        let values = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
        let values = values.map(|(row, column)| scores.row(row)[column]).collect();
        let shuffled = ScoreMatrix::new(
            "AP",
            columns.iter().map(|&column| scores.systems()[column].clone()),
            rows.iter().map(|&row| scores.queries()[row].clone()),
            values,
        ).expect("scores");
        for (test, _) in system_tests() {
            let settings = quick_options(test.name);
            let (one, other) = (run(&scores, test.name, &settings), run(&shuffled, test.name, &settings));
            prop_assert_eq!(pairs_by_name(&one), pairs_by_name(&other), "{}", test.name);
            prop_assert_eq!(&one.systems, &other.systems);
        }
    }

    #[test]
    fn negating_all_scores_reverses_all_pairs(scores in coarse_scores()) {
        let negated = ScoreMatrix::new(
            "AP",
            scores.systems().to_vec(),
            scores.queries().to_vec(),
            scores.rows().flatten().map(|score| -score).collect(),
        ).expect("scores");
        for (test, _) in system_tests() {
            // This test shuffles systems in the order of their means, which negation reverses, so
            // that other random numbers are drawn.
            if test.name == "randomised-tukey" {
                continue;
            }
            let settings = quick_options(test.name);
            let (one, other) = (run(&scores, test.name, &settings), run(&negated, test.name, &settings));
            for pair in &one.pairs {
                let names = [&pair.a, &pair.b];
                let mirrored = other.pairs.iter().find(|pair| {
                    let other = [&pair.a, &pair.b];
                    other == names || other == [names[1], names[0]]
                }).expect("the pair");
                prop_assert_eq!(pair.p.is_some(), mirrored.p.is_some());
                if let (Some(p), Some(mirrored)) = (pair.p, mirrored.p) {
                    prop_assert!((p - mirrored).abs() < 1e-12, "{}: {p} {mirrored}", test.name);
                }
                prop_assert!((pair.difference - mirrored.difference).abs() < 1e-12
                    || (pair.difference + mirrored.difference).abs() < 1e-12);
                if let (Some(better), Some(negated)) = (&pair.better, &mirrored.better) {
                    prop_assert_ne!(better, negated);
                }
                prop_assert_eq!(pair.better.is_some(), mirrored.better.is_some());
            }
        }
    }

    #[test]
    fn results_are_in_bounds_and_consistent(scores in coarse_scores()) {
        for (test, _) in system_tests() {
            let found = run(&scores, test.name, &quick_options(test.name));
            let k = found.systems.len();
            prop_assert_eq!(found.pairs.len(), k * (k - 1) / 2);
            let ranks: f64 = found.systems.iter().map(|system| system.mean_rank).sum();
            prop_assert!((ranks - (k * (k + 1)) as f64 / 2.0).abs() < 1e-9);
            for pair in &found.pairs {
                prop_assert_eq!(pair.p.is_some(), pair.p_adjusted.is_some());
                prop_assert!(pair.p.is_none_or(|p| (0.0..=1.0).contains(&p)));
                prop_assert!(pair.p_adjusted >= pair.p);
                prop_assert!(pair.difference >= -1e-9);
                prop_assert!((0.0..=1.0).contains(&pair.a12));
                prop_assert_eq!(pair.significant, pair.p_adjusted.is_some_and(|p| p < 0.05));
                prop_assert_eq!(pair.wins + pair.ties + pair.losses, found.queries);
                if let (Some(low), Some(high)) = (pair.lower, pair.upper) {
                    prop_assert!(low < high && low <= pair.difference && pair.difference <= high);
                }
                if found.untested_pairs().next().is_some() {
                    prop_assert!(["t", "bootstrap"].contains(&test.name));
                    prop_assert!(found.groups.is_none() && found.hasse.is_none());
                    continue;
                }
                // Systems share a letter exactly if they do not differ significantly.
                let letters = |name: &str| {
                    let system = found.systems.iter().find(|system| &*system.name == name);
                    system.expect("a system").group.clone().expect("letters")
                };
                let shared = letters(&pair.a).chars().any(|l| letters(&pair.b).contains(l));
                prop_assert_eq!(shared, pair.significant == (test.name == "equivalence"));
            }
        }
    }
}

#[test]
fn the_order_of_execution_changes_no_result() {
    /// Executor that runs the pieces in reverse order.
    struct ReverseExecutor;
    impl Work for ReverseExecutor {
        fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
            (0..pieces).rev().for_each(work);
        }
    }
    let scores = draw_scores(5, 30, 0.2, &[1]);
    for (test, _) in system_tests() {
        let settings = ComparisonOptions {
            samples: Some(1000),
            ..quick_options(test.name)
        };
        let one = compare(&scores, test.name, &settings, &SequentialWork).expect("a comparison");
        let other = compare(&scores, test.name, &settings, &ReverseExecutor).expect("a comparison");
        assert_eq!(one.pairs, other.pairs, "{}", test.name);
    }
}

#[test]
fn exactly_the_differences_above_the_critical_one_are_significant() {
    let scores = draw_scores(6, 30, 0.2, &[6]);
    for test in ["friedman-tukey", "randomised-tukey"] {
        let found = run(&scores, test, &quick_options(test));
        for pair in &found.pairs {
            let critical = found.critical_difference.expect("a critical difference");
            let beyond = match critical.of {
                ComparedQuantity::MeanRank => pair.mean_rank_difference.abs() > critical.value,
                ComparedQuantity::Mean => pair.difference > critical.value,
            };
            assert_eq!(beyond, pair.significant, "{test}");
            if test == "randomised-tukey" {
                let (low, high) = pair.lower.zip(pair.upper).expect("an interval");
                assert_eq!(low > 0.0 || high < 0.0, pair.significant);
            }
        }
    }
}

#[test]
fn rank_1_is_the_best_except_in_the_mirex_preset() {
    let values = [0.9, 0.5, 0.1, 0.8, 0.4, 0.2, 0.7, 0.6, 0.3].to_vec();
    let scores =
        ScoreMatrix::new("AP", ["best", "b", "worst"], names("q", 3), values).expect("scores");
    let ranks = |settings: &ComparisonOptions| {
        let found = run(&scores, "friedman-tukey", settings);
        assert_eq!(&*found.pairs[0].a, "best");
        let ranks: Vec<f64> = found
            .systems
            .iter()
            .map(|system| system.mean_rank)
            .collect();
        (ranks, found.pairs[0].mean_rank_difference)
    };
    let default = ranks(&ComparisonOptions::default());
    assert_eq!(default, (vec![1.0, 2.0, 3.0], -1.0));
    let mirex = ComparisonPreset::Mirex.options();
    assert_eq!(mirex.ranks, MeanRankOrder::HighestIsBest);
    assert_eq!(ranks(&mirex), (vec![3.0, 2.0, 1.0], 1.0));
}

/// Returns the p-value of a test for two systems with equal scores: `None` if the test needs
/// differences that vary.
fn p_without_variance(test: &str) -> Option<f64> {
    (!["t", "bootstrap"].contains(&test)).then_some(1.0)
}

#[test]
fn systems_that_tie_on_every_query_do_not_differ() {
    let values = [0.1, 0.1, 0.1, 0.5, 0.5, 0.5, 0.3, 0.3, 0.3, 0.9, 0.9, 0.9].to_vec();
    let scores = ScoreMatrix::new("AP", names("s", 3), names("q", 4), values).expect("scores");
    for (test, _) in system_tests().filter(|(test, _)| test.name != "equivalence") {
        let found = run(&scores, test.name, &quick_options(test.name));
        assert_eq!(found.significant, 0, "{}", test.name);
        assert!(
            found
                .pairs
                .iter()
                .all(|pair| pair.p == p_without_variance(test.name)),
            "{}",
            test.name
        );
    }
    let found = run(&scores, "equivalence", &quick_options("equivalence"));
    assert_eq!(found.significant, 3);
}

#[test]
fn numbers_w3_differences_that_do_not_vary_are_not_tested() {
    // s000 is better than s001 by 0.15 on every query; s002 varies.
    let rows = [
        [0.55, 0.4, 0.1],
        [0.75, 0.6, 0.3],
        [0.35, 0.2, 0.1],
        [0.95, 0.8, 0.2],
    ];
    let scores = ScoreMatrix::new("P@1", names("s", 3), names("q", 4), rows.concat());
    let scores = scores.expect("scores");
    let settings = ComparisonOptions {
        correction: Some(Adjustment::Bonferroni),
        ..ComparisonOptions::default()
    };
    for test in ["t", "bootstrap"] {
        let found = run(&scores, test, &settings);
        let untested = Vec::from_iter(found.untested_pairs());
        assert_eq!(untested.len(), 1, "{test}");
        assert_eq!((&*untested[0].a, &*untested[0].b), ("s000", "s001"));
        assert_eq!(
            (untested[0].p_adjusted, untested[0].lower, untested[0].upper),
            (None, None, None)
        );
        assert!(!untested[0].significant && untested[0].better.is_none());
        assert!(found.groups.is_none() && found.hasse.is_none());
        assert!(found.systems.iter().all(|system| system.group.is_none()));
        // The correction counts the two tested pairs.
        assert_eq!(found.error_rates.comparisons, 2);
        for pair in found.pairs.iter().filter(|pair| pair.p.is_some()) {
            assert_eq!(
                pair.p_adjusted,
                pair.p.map(|p| (2.0 * p).min(1.0)),
                "{test}"
            );
            // Bootstrap intervals of so few queries can have infinite ends, and are then left out.
            let interval = pair.lower.zip(pair.upper);
            assert!(test == "bootstrap" || interval.is_some());
            assert!(interval.is_none_or(|(lower, upper)| {
                lower <= pair.difference && pair.difference <= upper && lower < upper
            }));
        }
    }
    // Tests that need no variance decide the pair, without an interval of no width.
    let found = run(&scores, "permutation", &settings);
    assert_eq!(
        (found.pairs[0].p, found.pairs[0].lower),
        (Some(2.0 / 16.0), None)
    );
    assert!(found.groups.is_some());
}

#[test]
fn numbers_w5_only_corrected_intervals_are_simultaneous() {
    let scores = draw_scores(4, 9, 0.5, &[8]);
    let found = |test: &str| run(&scores, test, &quick_options(test));
    for (test, _) in system_tests() {
        assert_eq!(
            found(test.name).simultaneous,
            test.name == "randomised-tukey",
            "{}",
            test.name
        );
    }
    assert!(found("friedman-tukey").simultaneous_p && !found("t").simultaneous_p);
    // With so few shuffles no critical difference exists at this level, hence no interval.
    let settings = ComparisonOptions {
        samples: Some(5),
        ..ComparisonOptions::default()
    };
    let found = run(&scores, "randomised-tukey", &settings);
    assert!(found.simultaneous && found.pairs.iter().all(|pair| pair.lower.is_none()));
}

#[test]
fn enough_resamples_are_drawn_for_adjusted_p_values_to_reach_alpha() {
    let scores = draw_scores(4, 22, 0.0, &[9]);
    for (test, alpha) in [("permutation", 1e-5), ("randomised-tukey", 1e-6)] {
        let settings = ComparisonOptions {
            alpha: Alpha::new(alpha).expect("a level"),
            ..ComparisonOptions::default()
        };
        let found = run(&scores, test, &settings);
        assert!(
            found.samples > Some(1_000_000),
            "{test}: {:?}",
            found.samples
        );
        assert_eq!(
            (found.smallest_possible_p, found.samples_wanted),
            (None, None),
            "{test}"
        );
    }
}

#[test]
fn scores_that_differ_only_by_floating_point_error_tie() {
    // 0.1 + 0.2 differs from 0.3 in a double.
    let values: Vec<f64> = (0..10)
        .flat_map(|i| [f64::from(i) + 0.3, f64::from(i) + (0.1 + 0.2)])
        .collect();
    let scores = ScoreMatrix::new("AP", names("s", 2), names("q", 10), values).expect("scores");
    for (test, _) in system_tests().filter(|(test, _)| test.name != "equivalence") {
        let found = run(&scores, test.name, &quick_options(test.name));
        assert_eq!(
            found.pairs[0].p,
            p_without_variance(test.name),
            "{}",
            test.name
        );
    }
}

#[test]
fn invalid_comparisons_are_rejected() {
    let error = |scores: &ScoreMatrix, test: &str, settings: &ComparisonOptions| {
        compare(scores, test, settings, &SequentialWork).expect_err("an error")
    };
    let of = |k: usize, n: usize, value: f64| {
        let mut values = vec![value; k * n];
        values[0] = 0.25;
        ScoreMatrix::new("AP", names("s", k), names("q", n), values).expect("scores")
    };
    let settings = ComparisonOptions::default();
    assert_eq!(
        error(&of(1, 5, 0.5), "t", &settings),
        ComparisonError::OneSystem {
            system: "s000".to_owned()
        }
    );
    assert_eq!(
        error(&of(2, 2, 0.5), "t", &settings),
        ComparisonError::FewQueries { queries: 2 }
    );
    assert_eq!(
        error(&of(2, 5, 0.25), "t", &settings),
        ComparisonError::Constant { value: 0.25 }
    );
    assert!(matches!(
        error(&of(2, 5, 1e200), "t", &settings),
        ComparisonError::TooLarge { .. }
    ));
    let fine = of(3, 5, 0.5);
    assert_eq!(
        error(&fine, "equivalence", &settings),
        ComparisonError::NoMargin
    );
    let with = |change: fn(&mut ComparisonOptions)| {
        let mut settings = ComparisonOptions::default();
        change(&mut settings);
        settings
    };
    let corrected = with(|s| s.correction = Some(Adjustment::default()));
    for test in ["friedman-tukey", "randomised-tukey"] {
        assert_eq!(
            error(&fine, test, &corrected),
            ComparisonError::AlreadyCorrected { test }
        );
    }
    let one_tailed = with(|s| s.tails = Tails::One);
    let without_tails = |(_, on_systems): &(&SignificanceTest, &SystemTest)| {
        !on_systems.options.contains(&TestOption::Tails)
    };
    for (test, _) in system_tests().filter(without_tails) {
        let found = error(&fine, test.name, &one_tailed);
        assert_eq!(found, ComparisonError::NotOneTailed { test: test.name });
    }
    for wrong in [
        with(|s| s.baselines = vec!["nobody".to_owned()]),
        with(|s| s.threshold = -0.1),
        with(|s| s.threshold = f64::NAN),
        with(|s| s.margin = Some(0.0)),
        with(|s| s.samples = Some(0)),
        with(|s| {
            s.tails = Tails::One;
            s.alpha = Alpha::new(0.5).expect("a level");
        }),
    ] {
        error(&fine, "t", &wrong);
    }
}

#[test]
fn the_smallest_possible_p_value_is_reported_if_it_is_not_below_alpha() {
    // With 5 queries the smallest two-tailed p of the sign test is 2/32.
    let options = ComparisonOptions::default();
    let found = run(&draw_scores(2, 5, 3.0, &[9]), "sign", &options);
    assert_eq!(found.smallest_possible_p, Some(2.0 / 32.0));
    let found = run(&draw_scores(2, 6, 3.0, &[9]), "sign", &options);
    assert_eq!(found.smallest_possible_p, None);
    // With Holm's correction for three comparisons, six queries are too few.
    let found = run(&draw_scores(3, 6, 3.0, &[9]), "wilcoxon", &options);
    assert_eq!(found.smallest_possible_p, Some(3.0 * 2.0 / 64.0));
    assert_eq!(found.significant, 0);
}
