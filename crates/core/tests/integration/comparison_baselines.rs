//! Comparisons with baselines.

use partita_core::comparison::{ComparisonOptions, PairComparison};
use partita_stats::adjustment::Adjustment;

use crate::comparison_support::{draw_scores, run};

#[test]
fn only_pairs_with_a_baseline_are_compared() {
    let scores = draw_scores(6, 12, 0.2, &[8]);
    let settings = ComparisonOptions {
        baselines: vec!["s002".to_owned(), "s004".to_owned(), "s002".to_owned()],
        correction: Some(Adjustment::Bonferroni),
        ..ComparisonOptions::default()
    };
    let found = run(&scores, "t", &settings);
    // Each of the two baselines is compared with the four other systems, and with the other
    // baseline.
    assert_eq!(found.pairs.len(), 9);
    assert!(
        found.groups.is_none()
            && found.hasse.is_none()
            && found.systems.iter().all(|s| s.group.is_none())
    );
    assert_eq!(found.error_rates.comparisons_per_participant, 2);
    for pair in &found.pairs {
        let (p, adjusted) = (
            pair.p.expect("a p-value"),
            pair.p_adjusted.expect("a p-value"),
        );
        assert!((adjusted - (9.0 * p).min(1.0)).abs() < 1e-15);
    }
}

/// Returns the numbers of a pair that depend on the order of its systems, with the systems swapped if
/// requested.
fn directed_numbers(pair: &PairComparison, swapped: bool) -> [f64; 7] {
    let [lower, upper, d] =
        [pair.lower, pair.upper, pair.d].map(|number| number.expect("bounded, and varying"));
    let rank = pair.mean_rank_difference;
    let (wins, losses) = (pair.wins as f64, pair.losses as f64);
    if swapped {
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
    let scores = draw_scores(6, 12, 0.2, &[9]);
    for test in ["t", "bootstrap", "friedman-tukey", "wilcoxon"] {
        let all = run(&scores, test, &ComparisonOptions::default());
        for baselines in [vec!["s002"], vec!["s004", "s001"]] {
            let settings = ComparisonOptions {
                baselines: baselines.iter().map(ToString::to_string).collect(),
                ..ComparisonOptions::default()
            };
            let found = run(&scores, test, &settings);
            assert_eq!(found.pairs.len(), 5 + 4 * (baselines.len() - 1));
            // The pairs of the baseline that was named first come first.
            assert!(found.pairs[..5].iter().all(|pair| *pair.b == *baselines[0]));
            for pair in &found.pairs {
                assert!(baselines.contains(&&*pair.b), "{} - {}", pair.a, pair.b);
                let known = |one: &&PairComparison| {
                    [(&one.a, &one.b), (&one.b, &one.a)].contains(&(&pair.a, &pair.b))
                };
                let known = all.pairs.iter().find(known).expect("all pairs");
                let swapped = known.a == pair.b;
                for (one, other) in directed_numbers(known, swapped)
                    .iter()
                    .zip(directed_numbers(pair, false))
                {
                    assert!((one - other).abs() < 1e-12, "{test}: {pair:?}");
                }
            }
        }
    }
}
