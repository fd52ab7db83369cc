//! Comparisons of systems: what must hold for every test, and how often each errs.

use partita_core::Scores;
use partita_core::compare::{
    CompareError, Comparison, Pair, Procedure, RankOrder, Settings, compare,
};
use partita_core::test::{OnSystems, Quantity, Test, TestOption, all_of_systems};
use partita_core::truth::{Alpha, Tails};
use partita_core::work::{InTurn, Work};
use partita_stats::adjust::Adjustment;
use partita_stats::streams::{index_below, shuffle, standard_normal, stream};
use proptest::prelude::*;

/// Settings that every test can use, and quick to compute.
fn quick(test: &str) -> Settings {
    Settings {
        samples: Some(199),
        margin: (test == "equivalence").then_some(0.1),
        ..Settings::default()
    }
}

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{prefix}{i:03}")).collect()
}

/// Scores of `k` systems on `n` queries, of which the queries differ in difficulty and, by
/// `effect`, one system is better than the next.
fn drawn(k: usize, n: usize, effect: f64, path: &[u64]) -> Scores {
    let mut rng = stream(11, path);
    let mut values = Vec::new();
    for _ in 0..n {
        let difficulty = standard_normal(&mut rng);
        for system in 0..k {
            let score = difficulty - effect * system as f64 + standard_normal(&mut rng);
            values.push(score);
        }
    }
    Scores::new("score", names("s", k), names("q", n), values).expect("scores")
}

/// Scores of few values, so that there are ties.
fn coarse() -> impl Strategy<Value = Scores> {
    (2..5usize, 3..24usize, any::<u64>()).prop_map(|(k, n, seed)| {
        let mut rng = stream(seed, &[]);
        let mut values: Vec<f64> = (0..k * n)
            .map(|_| index_below(&mut rng, 6) as f64 / 5.0)
            .collect();
        values[0] = 2.0;
        Scores::new("AP", names("s", k), names("q", n), values).expect("scores")
    })
}

fn run(scores: &Scores, test: &str, settings: &Settings) -> Comparison {
    compare(scores, test, settings, &InTurn).expect("a comparison")
}

/// What is found of each pair, by the names of its systems, from the better mean to the worse.
fn by_name(found: &Comparison) -> Vec<(String, String, f64, f64, Option<String>)> {
    let pairs = found.pairs.iter().map(|pair| {
        let better = pair.better.as_ref().map(ToString::to_string);
        let names = [&pair.a, &pair.b].map(ToString::to_string);
        let [a, b] = names;
        (a, b, pair.p, pair.p_adjusted, better)
    });
    pairs.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_queries_and_systems_changes_nothing(scores in coarse(), seed: u64) {
        let (k, n) = (scores.systems().len(), scores.queries().len());
        let mut rng = stream(seed, &[]);
        let (mut columns, mut rows): (Vec<usize>, Vec<usize>) = ((0..k).collect(), (0..n).collect());
        shuffle(&mut rng, &mut columns);
        shuffle(&mut rng, &mut rows);
        let values = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
        let values = values.map(|(row, column)| scores.row(row)[column]).collect();
        let shuffled = Scores::new(
            "AP",
            columns.iter().map(|&column| scores.systems()[column].clone()),
            rows.iter().map(|&row| scores.queries()[row].clone()),
            values,
        ).expect("scores");
        for (test, _) in all_of_systems() {
            let settings = quick(test.name);
            let (one, other) = (run(&scores, test.name, &settings), run(&shuffled, test.name, &settings));
            prop_assert_eq!(by_name(&one), by_name(&other), "{}", test.name);
            prop_assert_eq!(&one.systems, &other.systems);
        }
    }

    #[test]
    fn turning_all_scores_round_turns_all_pairs_round(scores in coarse()) {
        let turned = Scores::new(
            "AP",
            scores.systems().to_vec(),
            scores.queries().to_vec(),
            scores.rows().flatten().map(|score| -score).collect(),
        ).expect("scores");
        for (test, _) in all_of_systems() {
            // Shuffles are drawn for the systems in their order, which turns round too.
            if test.name == "randomised-tukey" {
                continue;
            }
            let settings = quick(test.name);
            let (one, other) = (run(&scores, test.name, &settings), run(&turned, test.name, &settings));
            for pair in &one.pairs {
                let names = [&pair.a, &pair.b];
                let mirrored = other.pairs.iter().find(|pair| {
                    let other = [&pair.a, &pair.b];
                    other == names || other == [names[1], names[0]]
                }).expect("the pair");
                prop_assert!((pair.p - mirrored.p).abs() < 1e-12, "{}: {} {}", test.name, pair.p, mirrored.p);
                prop_assert!((pair.difference - mirrored.difference).abs() < 1e-12
                    || (pair.difference + mirrored.difference).abs() < 1e-12);
                if let (Some(better), Some(turned)) = (&pair.better, &mirrored.better) {
                    prop_assert_ne!(better, turned);
                }
                prop_assert_eq!(pair.better.is_some(), mirrored.better.is_some());
            }
        }
    }

    #[test]
    fn what_is_found_is_in_bounds_and_consistent(scores in coarse()) {
        for (test, _) in all_of_systems() {
            let found = run(&scores, test.name, &quick(test.name));
            let k = found.systems.len();
            prop_assert_eq!(found.pairs.len(), k * (k - 1) / 2);
            let ranks: f64 = found.systems.iter().map(|system| system.mean_rank).sum();
            prop_assert!((ranks - (k * (k + 1)) as f64 / 2.0).abs() < 1e-9);
            for pair in &found.pairs {
                prop_assert!((0.0..=1.0).contains(&pair.p) && pair.p_adjusted >= pair.p);
                prop_assert!(pair.difference >= -1e-9);
                prop_assert!((0.0..=1.0).contains(&pair.a12));
                prop_assert_eq!(pair.significant, pair.p_adjusted < 0.05);
                prop_assert_eq!(pair.wins + pair.ties + pair.losses, found.queries);
                if let (Some(low), Some(high)) = (pair.lower, pair.upper) {
                    prop_assert!(low <= pair.difference + 1e-9 && pair.difference <= high + 1e-9);
                }
                // Letters and significance say the same.
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
fn who_does_the_work_changes_nothing() {
    /// Backwards.
    struct Backwards;
    impl Work for Backwards {
        fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
            (0..pieces).rev().for_each(work);
        }
    }
    let scores = drawn(5, 30, 0.2, &[1]);
    for (test, _) in all_of_systems() {
        let settings = Settings {
            samples: Some(1000),
            ..quick(test.name)
        };
        let one = compare(&scores, test.name, &settings, &InTurn).expect("a comparison");
        let other = compare(&scores, test.name, &settings, &Backwards).expect("a comparison");
        assert_eq!(one.pairs, other.pairs, "{}", test.name);
    }
}

#[test]
fn a_pair_is_judged_by_the_same_samples_whoever_else_is_there() {
    let scores = drawn(5, 30, 0.2, &[2]);
    let two = Scores::new(
        "score",
        ["s000", "s004"],
        scores.queries().to_vec(),
        scores.rows().flat_map(|row| [row[0], row[4]]).collect(),
    )
    .expect("scores");
    for test in ["permutation", "bootstrap", "t", "wilcoxon", "sign"] {
        let p = |scores: &Scores| {
            let found = run(scores, test, &quick(test));
            let pairs = by_name(&found);
            let pair = pairs.iter().find(|pair| {
                [&pair.0, &pair.1].contains(&&"s000".to_owned())
                    && [&pair.0, &pair.1].contains(&&"s004".to_owned())
            });
            pair.expect("the pair").2
        };
        assert_eq!(p(&scores), p(&two), "{test}");
    }
}

#[test]
fn drawn_signs_come_near_all_signs() {
    // One query more than is counted in full; its scores are equal, so it changes nothing.
    let few = drawn(4, 20, 0.3, &[3]);
    let mut values: Vec<f64> = few.rows().flatten().copied().collect();
    values.extend([0.5; 4]);
    let more = Scores::new("score", names("s", 4), names("q", 21), values).expect("scores");
    for tails in [Tails::One, Tails::Two] {
        let settings = Settings {
            tails,
            samples: Some(100_000),
            ..Settings::default()
        };
        let exact = run(&few, "permutation", &settings);
        let drawn = run(&more, "permutation", &settings);
        assert_eq!((exact.samples, drawn.samples), (None, Some(100_000)));
        for (exact, drawn) in exact.pairs.iter().zip(&drawn.pairs) {
            // Five standard errors of a share.
            let error = 5.0 * (exact.p * (1.0 - exact.p) / 1e5).sqrt() + 1e-4;
            assert!((exact.p - drawn.p).abs() < error, "{} {}", exact.p, drawn.p);
        }
    }
}

#[test]
fn shared_resamples_come_near_those_of_a_pair_alone() {
    let scores = drawn(3, 25, 0.3, &[4]);
    let settings = Settings {
        samples: Some(50_000),
        ..Settings::default()
    };
    let found = run(&scores, "bootstrap", &settings);
    for pair in &found.pairs {
        let place = |name: &str| {
            let mut systems = scores.systems().iter();
            systems.position(|system| system == name).expect("a system")
        };
        let differences = scores.differences(place(&pair.a), place(&pair.b));
        let alone = partita_stats::bootstrap::test_mean(&differences, 50_000, &mut stream(5, &[]))
            .expect("p");
        let p = alone.p.two_sided;
        let error = 8.0 * (p * (1.0 - p) / 5e4).sqrt() + 1e-4;
        assert!((pair.p - p).abs() < error, "{} {p}", pair.p);
    }
}

#[test]
fn with_two_systems_randomised_tukey_is_the_permutation_test() {
    let scores = drawn(2, 15, 0.4, &[5]);
    let settings = Settings {
        samples: Some(100_000),
        ..Settings::default()
    };
    let exact = run(&scores, "permutation", &settings).pairs[0].p;
    let drawn = run(&scores, "randomised-tukey", &settings).pairs[0].p;
    assert!(
        (exact - drawn).abs() < 5.0 * (exact / 1e5).sqrt() + 1e-4,
        "{exact} {drawn}"
    );
}

#[test]
fn randomised_tukey_comes_near_all_shuffles() {
    let rows = [[0.9, 0.4, 0.2], [0.7, 0.5, 0.1], [0.8, 0.2, 0.4]];
    let scores = Scores::new("AP", names("s", 3), names("q", 3), rows.concat()).expect("scores");
    let settings = Settings {
        samples: Some(60_000),
        ..Settings::default()
    };
    let found = run(&scores, "randomised-tukey", &settings);
    // All 6³ ways to shuffle three rows.
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
        assert!((pair.p - exact).abs() < error, "{} {exact}", pair.p);
    }
}

#[test]
fn a_difference_beyond_the_critical_one_is_significant_and_only_such() {
    let scores = drawn(6, 30, 0.2, &[6]);
    for test in ["friedman-tukey", "randomised-tukey"] {
        let found = run(&scores, test, &quick(test));
        for pair in &found.pairs {
            let critical = found.critical_difference.expect("a critical difference");
            let beyond = match critical.of {
                Quantity::MeanRank => pair.mean_rank_difference.abs() > critical.value,
                Quantity::Mean => pair.difference > critical.value,
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
fn the_error_rates_of_paper_003_are_printed_right() {
    // 15 systems: .9954 and .5123 at .05, .6519 and .1313 at .01.
    let scores = drawn(15, 10, 0.1, &[7]);
    for (alpha, whole, one) in [(0.05, 0.9954, 0.5123), (0.01, 0.6519, 0.1313)] {
        let settings = Settings {
            alpha: Alpha::new(alpha).expect("a level"),
            ..Settings::default()
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

#[test]
fn baselines_are_compared_with_all_and_nobody_else_is() {
    let scores = drawn(6, 12, 0.2, &[8]);
    let settings = Settings {
        baselines: vec!["s002".to_owned(), "s004".to_owned(), "s002".to_owned()],
        correction: Some(Adjustment::Bonferroni),
        ..Settings::default()
    };
    let found = run(&scores, "t", &settings);
    // Both with each of the four others, and with each other.
    assert_eq!(found.pairs.len(), 9);
    assert!(
        found.groups.is_none()
            && found.hasse.is_none()
            && found.systems.iter().all(|s| s.group.is_none())
    );
    assert_eq!(found.error_rates.comparisons_per_participant, 2);
    for pair in &found.pairs {
        assert!((pair.p_adjusted - (9.0 * pair.p).min(1.0)).abs() < 1e-15);
    }
}

/// The mean of the first minus that of the second, and all that has a sign, as they were found and
/// turned round.
fn signs(pair: &Pair, turned: bool) -> [f64; 7] {
    let [lower, upper, d] =
        [pair.lower, pair.upper, pair.d].map(|number| number.expect("bounded, and varying"));
    let rank = pair.mean_rank_difference;
    let (wins, losses) = (pair.wins as f64, pair.losses as f64);
    if turned {
        let difference = -pair.difference;
        [
            difference,
            -upper,
            -lower,
            -d,
            1.0 - pair.a12,
            losses,
            -rank,
        ]
    } else {
        [pair.difference, lower, upper, d, pair.a12, wins, rank]
    }
}

#[test]
fn a_pair_with_a_baseline_is_the_other_system_minus_the_baseline() {
    let scores = drawn(6, 12, 0.2, &[9]);
    for test in ["t", "bootstrap", "friedman-tukey", "wilcoxon"] {
        let all = run(&scores, test, &Settings::default());
        for baselines in [vec!["s002"], vec!["s004", "s001"]] {
            let settings = Settings {
                baselines: baselines.iter().map(ToString::to_string).collect(),
                ..Settings::default()
            };
            let found = run(&scores, test, &settings);
            assert_eq!(found.pairs.len(), 5 + 4 * (baselines.len() - 1));
            // Those of the baseline that was named first come first.
            assert!(found.pairs[..5].iter().all(|pair| *pair.b == *baselines[0]));
            for pair in &found.pairs {
                assert!(baselines.contains(&&*pair.b), "{} - {}", pair.a, pair.b);
                let known = |one: &&Pair| {
                    [(&one.a, &one.b), (&one.b, &one.a)].contains(&(&pair.a, &pair.b))
                };
                let known = all.pairs.iter().find(known).expect("all pairs");
                let turned = known.a == pair.b;
                for (one, other) in signs(known, turned).iter().zip(signs(pair, false)) {
                    assert!((one - other).abs() < 1e-12, "{test}: {pair:?}");
                }
            }
        }
    }
}

#[test]
fn rank_1_is_the_best_unless_it_is_done_like_mirex() {
    let values = [0.9, 0.5, 0.1, 0.8, 0.4, 0.2, 0.7, 0.6, 0.3].to_vec();
    let scores = Scores::new("AP", ["best", "b", "worst"], names("q", 3), values).expect("scores");
    let ranks = |settings: &Settings| {
        let found = run(&scores, "friedman-tukey", settings);
        assert_eq!(&*found.pairs[0].a, "best");
        let difference = found.pairs[0].mean_rank_difference;
        let systems = found.systems.iter();
        (
            systems.map(|system| system.mean_rank).collect::<Vec<_>>(),
            difference,
        )
    };
    assert_eq!(ranks(&Settings::default()), (vec![1.0, 2.0, 3.0], -1.0));
    let mirex = Procedure::Mirex.settings();
    assert_eq!(mirex.ranks, RankOrder::HighestIsBest);
    assert_eq!(ranks(&mirex), (vec![3.0, 2.0, 1.0], 1.0));
}

#[test]
fn systems_that_tie_on_every_query_do_not_differ() {
    let values = [0.1, 0.1, 0.1, 0.5, 0.5, 0.5, 0.3, 0.3, 0.3, 0.9, 0.9, 0.9].to_vec();
    let scores = Scores::new("AP", names("s", 3), names("q", 4), values).expect("scores");
    for (test, _) in all_of_systems().filter(|(test, _)| test.name != "equivalence") {
        let found = run(&scores, test.name, &quick(test.name));
        assert_eq!(found.significant, 0, "{}", test.name);
        assert!(
            found.pairs.iter().all(|pair| pair.p == 1.0),
            "{}",
            test.name
        );
    }
    let found = run(&scores, "equivalence", &quick("equivalence"));
    assert_eq!(found.significant, 3);
}

#[test]
fn what_is_equal_but_for_rounding_ties() {
    // 0.1 + 0.2 is not 0.3 in binary fractions.
    let values: Vec<f64> = (0..10)
        .flat_map(|i| [f64::from(i) + 0.3, f64::from(i) + (0.1 + 0.2)])
        .collect();
    let scores = Scores::new("AP", names("s", 2), names("q", 10), values).expect("scores");
    for (test, _) in all_of_systems().filter(|(test, _)| test.name != "equivalence") {
        let found = run(&scores, test.name, &quick(test.name));
        assert_eq!(found.pairs[0].p, 1.0, "{}", test.name);
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let refusal = |scores: &Scores, test: &str, settings: &Settings| {
        compare(scores, test, settings, &InTurn).expect_err("a refusal")
    };
    let of = |k: usize, n: usize, value: f64| {
        let mut values = vec![value; k * n];
        values[0] = 0.25;
        Scores::new("AP", names("s", k), names("q", n), values).expect("scores")
    };
    let settings = Settings::default();
    assert_eq!(
        refusal(&of(1, 5, 0.5), "t", &settings),
        CompareError::OneSystem {
            system: "s000".to_owned()
        }
    );
    assert_eq!(
        refusal(&of(2, 2, 0.5), "t", &settings),
        CompareError::FewQueries { queries: 2 }
    );
    assert_eq!(
        refusal(&of(2, 5, 0.25), "t", &settings),
        CompareError::Constant { value: 0.25 }
    );
    assert!(matches!(
        refusal(&of(2, 5, 1e200), "t", &settings),
        CompareError::TooLarge { .. }
    ));
    let fine = of(3, 5, 0.5);
    assert_eq!(
        refusal(&fine, "equivalence", &settings),
        CompareError::NoMargin
    );
    let with = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings
    };
    let corrected = with(|s| s.correction = Some(Adjustment::default()));
    for test in ["friedman-tukey", "randomised-tukey"] {
        assert_eq!(
            refusal(&fine, test, &corrected),
            CompareError::Corrected { test }
        );
    }
    let one_tailed = with(|s| s.tails = Tails::One);
    let without_tails =
        |(_, on_systems): &(&Test, &OnSystems)| !on_systems.options.contains(&TestOption::Tails);
    for (test, _) in all_of_systems().filter(without_tails) {
        let found = refusal(&fine, test.name, &one_tailed);
        assert_eq!(found, CompareError::NotOneTailed { test: test.name });
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
        refusal(&fine, "t", &wrong);
    }
}

#[test]
fn hopeless_sizes_are_told() {
    // Of 5 queries, no sign test can have a two-tailed p below 2/32.
    let found = run(&drawn(2, 5, 3.0, &[9]), "sign", &Settings::default());
    assert_eq!(found.hopeless, Some(2.0 / 32.0));
    let found = run(&drawn(2, 6, 3.0, &[9]), "sign", &Settings::default());
    assert_eq!(found.hopeless, None);
    // With three comparisons by Holm, six queries are too few again.
    let found = run(&drawn(3, 6, 3.0, &[9]), "wilcoxon", &Settings::default());
    assert_eq!(found.hopeless, Some(3.0 * 2.0 / 64.0));
    assert_eq!(found.significant, 0);
}

#[test]
fn many_comparisons_draw_as_many_samples_as_they_need() {
    let samples = |alpha: f64, correction: Adjustment| {
        let settings = Settings {
            alpha: Alpha::new(alpha).expect("a level"),
            correction: Some(correction),
            ..Settings::default()
        };
        run(&drawn(4, 21, 0.1, &[10]), "permutation", &settings).samples
    };
    assert_eq!(samples(0.05, Adjustment::default()), Some(100_000));
    // Six pairs, so that p must be below 0.0001/6 for anything to be significant.
    assert_eq!(samples(0.0001, Adjustment::default()), Some(120_000));
    assert_eq!(samples(0.0001, Adjustment::None), Some(100_000));
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
        let settings = Settings {
            samples: Some(199),
            ..Settings::default()
        };
        // Of 35 signs, the two-tailed test at 0.05 errs in 4.1%.
        holds_its_level(test, 800, |trial| {
            let scores = drawn(2, 35, 0.0, &[100 + number as u64, trial]);
            let settings = Settings {
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
            let settings = Settings {
                samples: Some(199),
                seed: trial,
                ..Settings::default()
            };
            run(&scores, test, &settings).significant > 0
        });
    }
}

#[test]
fn one_tailed_tests_err_as_often_in_either_direction() {
    let settings = Settings {
        tails: Tails::One,
        ..Settings::default()
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
    let settings = Settings {
        margin: Some(2.0),
        ..Settings::default()
    };
    holds_its_level("equivalence", 1500, |trial| {
        let scores = drawn(2, 30, 2.0, &[400, trial]);
        run(&scores, "equivalence", &settings).significant > 0
    });
}
