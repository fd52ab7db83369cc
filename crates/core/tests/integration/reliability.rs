//! Power and stability: comparison with an independent implementation, with a published table, and
//! simulation.

use partita_core::comparison::ComparisonPreset;
use partita_core::reliability::{
    OutcomeShares, QuerySetSizes, ReliabilityRequest, ResamplingStudy, TestSpec, TrialCounts,
    stable_with_all, study,
};
use partita_core::work::SequentialWork;
use partita_core::{ScoreMatrix, Strata};
use partita_stats::differences::{Rounding, max_abs};
use partita_stats::friedman::friedman;
use partita_stats::random::{shuffle, standard_normal, stream, uniform_index};
use partita_stats::signed_rank::{SignedRankMethod, ZeroMethod, signed_rank};
use serde_json::Value;

/// Simulates scores, rounded to multiples of `step`, of systems of increasing quality on queries of
/// random difficulty.
fn simulated_scores(systems: usize, queries: usize, step: f64, seed: u64) -> ScoreMatrix {
    let mut random = stream(seed, &[]);
    let mut values = Vec::new();
    for _ in 0..queries {
        let query = 0.12 * standard_normal(&mut random);
        for system in 0..systems {
            let quality = 0.4 + 0.03 * system as f64;
            let score = quality + query + 0.11 * standard_normal(&mut random);
            values.push((score / step).round() * step);
        }
    }
    let queries = (0..queries).map(|query| format!("q{query}"));
    let systems = (0..systems).map(|system| format!("s{system}"));
    ScoreMatrix::new("AG@5", systems, queries, values).unwrap()
}

fn genres(strata: usize, queries: usize) -> Strata {
    Strata::new((0..queries).map(|query| format!("g{}", query % strata)))
}

/// Runs the trials of one size in batches and adds up the counts of each test.
fn run_trials(study: &ResamplingStudy, size: usize, trials: u64, tests: usize) -> Vec<TrialCounts> {
    let mut found = vec![TrialCounts::default(); tests];
    // Batches run in reverse order, because the order must not matter.
    for batch in study.batches(size, trials).into_iter().rev() {
        for (found, counts) in found.iter_mut().zip(study.run(size, batch)) {
            found.add(&counts);
        }
    }
    found
}

/// Returns the direction of a significant difference of a pair of systems (1, -1, or 0 if none),
/// and the sign of its mean difference, by the tests of `partita-stats`.
fn significant_and_mean_direction(
    test: &str,
    scores: &ScoreMatrix,
    queries: &[usize],
    a: usize,
    b: usize,
) -> (i32, i32) {
    let scale = max_abs(scores.rows().flat_map(|row| [&row[a], &row[b]]));
    let rounded = |d: &[f64]| Rounding::Relative.round_all(d, scale);
    let d: Vec<f64> = queries
        .iter()
        .map(|&query| scores.row(query)[a] - scores.row(query)[b])
        .collect();
    let d = rounded(&d);
    let mean = rounded(&[d.iter().sum::<f64>() / d.len() as f64])[0];
    let lead = i32::from(mean > 0.0) - i32::from(mean < 0.0);
    let sign = match test {
        "wilcoxon-normal" => {
            let p = signed_rank(&d, ZeroMethod::Wilcox, SignedRankMethod::Normal)
                .unwrap()
                .p;
            i32::from(p.greater < 0.01) - i32::from(p.less < 0.01)
        }
        _ => {
            let rows: Vec<&[f64]> = queries.iter().map(|&query| scores.row(query)).collect();
            let tukey = friedman(&rows).unwrap().tukey(0.05).unwrap();
            let pair = tukey.pairs.iter().find(|p| (p.a, p.b) == (a, b)).unwrap();
            match pair.significant {
                true if pair.diff > 0.0 => 1,
                true => -1,
                false => 0,
            }
        }
    };
    (sign, lead)
}

/// Counts the outcomes trial by trial and pair by pair, with the tests of `partita-stats`.
fn count_independently(
    test: &str,
    scores: &ScoreMatrix,
    study: &ResamplingStudy,
    size: usize,
    trials: u64,
) -> TrialCounts {
    let all: Vec<usize> = (0..scores.queries().len()).collect();
    let systems = scores.systems().len();
    let mut counts = TrialCounts {
        trials,
        ..TrialCounts::default()
    };
    for trial in 0..trials {
        let (first, second) = study.sample_queries(size, trial);
        let (mut significant, mut conflicts, mut missed, mut more) = (0, 0, 0, 0);
        for a in 0..systems {
            for b in a + 1..systems {
                let (whole, _) = significant_and_mean_direction(test, scores, &all, a, b);
                let (one, d1) = significant_and_mean_direction(test, scores, &first, a, b);
                significant += u64::from(one != 0);
                missed += u64::from(whole != 0 && one != whole);
                counts.reversed += u64::from(whole != 0 && one == -whole);
                more += u64::from(whole == 0 && one != 0);
                counts.against_mean += u64::from(one * d1 < 0);
                let Some(second) = &second else { continue };
                let (two, d2) = significant_and_mean_direction(test, scores, second, a, b);
                let swapped = d1 * d2 < 0;
                match (one != 0, two != 0) {
                    (true, false) if swapped => counts.swap += 1,
                    (true, false) => counts.lack_of_power += 1,
                    (false, true) if swapped => counts.mirror_swap += 1,
                    (false, true) => counts.mirror_lack_of_power += 1,
                    (true, true) if one == two => counts.stable += 1,
                    (true, true) => counts.significant_swap += 1,
                    (false, false) => {}
                }
                conflicts += u64::from(one != 0 && one != two);
            }
        }
        counts.significant += significant;
        counts.significant_squared += significant * significant;
        counts.conflicts_squared += conflicts * conflicts;
        counts.missed += missed;
        counts.missed_squared += missed * missed;
        counts.most_missed = counts.most_missed.max(missed);
        counts.nothing_missed += u64::from(missed == 0);
        counts.extra += more;
        let best = Some((missed, more, trial));
        counts.best = [counts.best, best].into_iter().flatten().min();
    }
    counts
}

#[test]
fn counts_equal_those_of_an_independent_implementation() {
    for step in [1e-6, 0.05] {
        let scores = simulated_scores(5, 24, step, 3);
        let strata = genres(4, 24);
        let names = ["friedman-tukey", "wilcoxon-normal"];
        let tests = TestSpec::from_preset(ComparisonPreset::Urbano2011);
        assert!(tests.iter().map(TestSpec::name).eq(names));
        let study = ResamplingStudy::new(&scores, &strata, &tests, 9).unwrap();
        for size in [1, 10, 12, 13, 24] {
            // 40 trials take more than one batch, and do not fill the last one.
            let trials = if size < 24 { 40 } else { 1 };
            let found = run_trials(&study, size, 40, 2);
            for (name, mut found) in names.iter().zip(found) {
                let expected = count_independently(name, &scores, &study, size, trials);
                // The independent implementation does not count swaps of the test's own statistic.
                found.own_swap = 0;
                assert_eq!(found, expected, "{name} {size}");
            }
        }
    }
}

#[test]
fn shares_add_up() {
    let scores = simulated_scores(8, 40, 0.01, 5);
    let tests = ["friedman-tukey", "wilcoxon", "t", "sign", "permutation"];
    let calls = tests.map(|test| test.parse::<TestSpec>().unwrap());
    let study = ResamplingStudy::new(&scores, &genres(4, 40), &calls, 1).unwrap();
    for &size in QuerySetSizes::up_to(40).as_slice() {
        for counts in run_trials(&study, size, 50, tests.len()) {
            let paired = study.has_second_sample(size);
            assert_eq!(paired, size <= 20);
            let shares = OutcomeShares::new(&counts, 28, paired);
            assert_eq!(shares.comparisons, 28 * if size < 40 { 50 } else { 1 });
            assert!((0.0..=1.0).contains(&shares.power));
            assert!(shares.missed.fewest as f64 <= shares.missed.mean);
            if size == 40 {
                assert_eq!((shares.missed.mean, shares.extra_pairs), (0.0, 0.0));
            }
            let Some(stability) = shares.stability else {
                continue;
            };
            assert!((stability.stable + stability.conflicts - shares.power).abs() < 1e-12);
            let classes = [
                stability.lack_of_power,
                stability.swap,
                stability.significant_swap,
            ];
            assert!((classes.iter().sum::<f64>() - stability.conflicts).abs() < 1e-12);
            let one_sided = stability.lack_of_power + stability.swap;
            let mirrored = stability.mirror.lack_of_power + stability.mirror.swap;
            assert!((one_sided + mirrored - stability.exclusive_or).abs() < 1e-12);
        }
    }
}

#[test]
fn all_tests_and_measures_use_the_same_samples() {
    let calls = |names: &[&str]| -> Vec<TestSpec> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    };
    let (scores, strata) = (simulated_scores(6, 30, 0.01, 1), genres(3, 30));
    let both = ResamplingStudy::new(&scores, &strata, &calls(&["wilcoxon", "t"]), 4).unwrap();
    let alone = ResamplingStudy::new(&scores, &strata, &calls(&["t"]), 4).unwrap();
    let other = ResamplingStudy::new(
        &simulated_scores(9, 30, 0.2, 2),
        &strata,
        &calls(&["sign"]),
        4,
    )
    .unwrap();
    assert_eq!(
        run_trials(&both, 10, 64, 2)[1],
        run_trials(&alone, 10, 64, 1)[0]
    );
    for trial in 0..5 {
        assert_eq!(
            both.sample_queries(10, trial),
            other.sample_queries(10, trial)
        );
    }
}

#[test]
fn power_stability_and_conflicts_of_the_published_table_add_up() {
    let text = include_str!("../fixtures/paper_tables.json");
    let tables: Value = serde_json::from_str(text).unwrap();
    let rows = tables["table1_paper003"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let number = |key: &str| row[key].as_f64().unwrap();
        // Stable pairs with half of the queries are the significant pairs without the conflicts.
        assert!(
            (number("p50") - number("c") - number("s50")).abs() < 1e-9,
            "{row}"
        );
        let stable = stable_with_all(number("p100"), number("c"));
        match row["ok"].as_bool().unwrap() {
            true => assert!((stable - number("s100")).abs() < 1e-9, "{row}"),
            // The paper prints 55.4, because it rounded the terms before subtracting: 62 of 105 is
            // 59.05%.
            false => assert!(
                (stable - row["arithmetic"].as_f64().unwrap()).abs() < 1e-9,
                "{row}"
            ),
        }
    }
}

#[test]
fn tests_keep_their_level_for_equal_systems() {
    // Measures the share of data sets in which two equal systems differ significantly.
    let tests = [
        "friedman-tukey",
        "wilcoxon",
        "wilcoxon-exact",
        "t",
        "sign",
        "permutation",
    ];
    let calls = tests.map(|test| test.parse::<TestSpec>().unwrap());
    let (sets, queries) = (600, 30);
    let mut rejected = [0u32; 6];
    for set in 0..sets {
        let mut random = stream(set, &[7]);
        let values = (0..2 * queries).map(|_| standard_normal(&mut random));
        let names = (0..queries).map(|query| query.to_string());
        let scores = ScoreMatrix::new("AP", ["a", "b"], names, values.collect()).unwrap();
        let study =
            ResamplingStudy::new(&scores, &Strata::one_stratum(queries), &calls, set).unwrap();
        for (test, rejected) in rejected.iter_mut().enumerate() {
            *rejected += study.significant_on_all(test) as u32;
        }
    }
    for (test, rejected) in tests.iter().zip(rejected) {
        let rate = f64::from(rejected) / sets as f64;
        // Discrete tests reject less often than their level allows. With two systems Friedman's
        // ranks are signs, and the distribution of Tukey's test is normal: both tests need 21 of 30
        // equal signs, with probability .0428.
        let level = if matches!(*test, "sign" | "friedman-tukey") {
            0.0428
        } else {
            0.05
        };
        let error = 4.0 * (level * (1.0 - level) / sets as f64).sqrt();
        assert!((rate - level).abs() < error, "{test}: {rate}");
    }
}

#[test]
fn unusable_scores_are_rejected() {
    let tests = ["t".parse::<TestSpec>().unwrap()];
    let refused = |scores: &ScoreMatrix, strata: &Strata| {
        let study = ResamplingStudy::new(scores, strata, &tests, 1);
        study
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let scores = |systems: usize, queries: usize, value: fn(usize) -> f64| {
        let names = (0..systems).map(|system| format!("s{system}"));
        let values = (0..systems * queries).map(value).collect();
        let queries = (0..queries).map(|query| format!("q{query}"));
        ScoreMatrix::new("AP", names, queries, values).unwrap()
    };
    let some = |cell: usize| cell as f64;
    assert!(refused(&scores(1, 9, some), &Strata::one_stratum(9)).contains("it takes two"));
    assert!(refused(&scores(2, 3, some), &Strata::one_stratum(3)).contains("at least 4"));
    assert!(refused(&scores(2, 9, |_| 0.5), &Strata::one_stratum(9)).contains("nothing to tell"));
    assert!(refused(&scores(2, 9, some), &Strata::one_stratum(8)).contains("those of 8"));
}

#[test]
fn means_that_differ_only_by_floating_point_error_do_not_swap() {
    // Half of the queries have the scores 0.1 and 0.3, half 0.2 and 0: the means differ only by
    // rounding error.
    let mut values = Vec::new();
    for query in 0..20 {
        let pair = [[0.1, 0.3], [0.2, 0.0]][query % 2];
        values.extend([
            pair[0],
            pair[1],
            uniform_index(&mut stream(1, &[]), 9) as f64,
        ]);
    }
    let queries = (0..20).map(|query| format!("q{query}"));
    let scores = ScoreMatrix::new("AP", ["a", "b", "c"], queries, values).unwrap();
    let strata = Strata::new((0..20).map(|query| format!("g{}", query % 2)));
    let test = ["sign:0.9".parse::<TestSpec>().unwrap()];
    let study = ResamplingStudy::new(&scores, &strata, &test, 1).unwrap();
    let found = &run_trials(&study, 10, 100, 1)[0];
    assert_eq!((found.swap, found.mirror_swap), (0, 0));
}

#[test]
fn the_order_of_queries_changes_no_result() {
    let (scores, strata) = (simulated_scores(6, 30, 0.01, 1), genres(3, 30));
    // The same scores with the queries in another order.
    let mut order: Vec<usize> = (0..30).collect();
    shuffle(&mut stream(5, &[]), &mut order);
    let values = order.iter().flat_map(|&query| scores.row(query)).copied();
    let queries = order.iter().map(|&query| scores.queries()[query].clone());
    let shuffled = ScoreMatrix::new(
        "AP",
        scores.systems().iter().cloned(),
        queries,
        values.collect(),
    )
    .unwrap();
    let stratum = |query: usize| {
        let mut strata_of = 0..strata.names().len();
        let found = strata_of.find(|&s| strata.queries(s).contains(&query));
        strata.names()[found.unwrap()].clone()
    };
    let shuffled_strata = Strata::new(order.iter().map(|&query| stratum(query)));
    let calls = ["friedman-tukey", "wilcoxon", "t", "sign", "permutation"]
        .map(|name| name.parse::<TestSpec>().unwrap());
    let one = ResamplingStudy::new(&scores, &strata, &calls, 4).unwrap();
    let other = ResamplingStudy::new(&shuffled, &shuffled_strata, &calls, 4).unwrap();
    for size in [5, 10, 15, 25, 30] {
        assert_eq!(
            run_trials(&one, size, 64, calls.len()),
            run_trials(&other, size, 64, calls.len())
        );
        let names = |study: &ResamplingStudy, scores: &ScoreMatrix| {
            let (sample, _) = study.sample_queries(size, 3);
            let mut names: Vec<String> = sample
                .iter()
                .map(|&query| scores.queries()[query].clone())
                .collect();
            names.sort();
            names
        };
        assert_eq!(names(&one, &scores), names(&other, &shuffled));
    }
    for test in 0..calls.len() {
        assert_eq!(one.full_set_p_values(test), other.full_set_p_values(test));
    }
}

#[test]
fn the_smallest_number_of_queries_for_significance_is_reported() {
    let scores = simulated_scores(4, 12, 0.3, 5);
    let names = [
        "wilcoxon:0.01",
        "sign:0.05",
        "permutation:0.05:bonferroni",
        "t:0.001",
        "sign:0.0001",
    ];
    let request = ReliabilityRequest {
        tests: names.map(str::to_owned).to_vec(),
        sizes: Some("4,8".parse().expect("sizes")),
        trials: 5,
        ..ReliabilityRequest::default()
    };
    let found = study(&request, &[scores.into()], &SequentialWork).expect("a study");
    let fewest: Vec<Option<usize>> = found.table_1.iter().map(|row| row.possible_from).collect();
    // The smallest two-tailed p of n signs, 2 / 2^n, is below 0.01 for n from 8 on, below 0.05 from
    // 6 on, and below 0.05/6 from 8 on.
    assert_eq!(fewest, [Some(8), Some(6), Some(8), Some(2), None]);
    for cell in &found.cells {
        let row = found.table_1.iter().find(|row| row.test == cell.test);
        let fewest = row.expect("a row of each test").possible_from;
        assert!(fewest.is_some_and(|fewest| cell.size >= fewest) || cell.shares.power == 0.0);
    }
}
