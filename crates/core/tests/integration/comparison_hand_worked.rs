//! Comparisons on scores small enough for hand arithmetic.

use partita_core::ScoreMatrix;
use partita_core::comparison::{
    Comparison, ComparisonOptions, ComparisonPreset, DEFAULT_TEST, PairComparison,
};
use partita_core::truth::{Alpha, Intransitivity, Tails};
use partita_stats::adjustment::Adjustment;

use crate::comparison_support::run;

/// Creates the scores of systems s1, s2, ..., one row per query.
fn matrix<const N: usize>(rows: &[[f64; N]]) -> ScoreMatrix {
    let systems = (1..=N).map(|system| format!("s{system}"));
    let queries = (0..rows.len()).map(|query| format!("q{query:03}"));
    ScoreMatrix::new("score", systems, queries, rows.concat()).expect("scores")
}

/// Creates scores of two systems with these differences: the differences for s1, zeros for s2.
fn pair(differences: &[f64]) -> ScoreMatrix {
    let rows: Vec<[f64; 2]> = differences.iter().map(|&d| [d, 0.0]).collect();
    matrix(&rows)
}

/// Creates scores on eight queries: s1 exceeds s2 by about 1 on each, and s3 by about 2.
fn three_systems() -> ScoreMatrix {
    let rows: Vec<[f64; 3]> = (0..8)
        .map(|i| {
            let i = f64::from(i);
            [3.0 + 0.1 * i, 2.0 + 0.11 * i, 1.0 + 0.12 * i]
        })
        .collect();
    matrix(&rows)
}

fn compare_like_mirex(scores: &ScoreMatrix) -> Comparison {
    let mirex = ComparisonPreset::Mirex;
    run(scores, mirex.test(), &mirex.options())
}

fn names(pair: &PairComparison) -> (&str, &str) {
    (&pair.a, &pair.b)
}

#[test]
fn the_default_is_the_permutation_test_with_holms_correction() {
    let found = run(
        &three_systems(),
        DEFAULT_TEST,
        &ComparisonOptions::default(),
    );
    assert_eq!(
        (found.test.as_str(), found.correction),
        ("permutation", Adjustment::Holm)
    );
    assert_eq!((found.tails, found.alpha), (2, 0.05));
    // All eight differences have the same sign: p is 2/256, times three by Holm's correction.
    assert_eq!(found.pairs[0].p, Some(2.0 / 256.0));
    assert_eq!(found.pairs[0].p_adjusted, Some(6.0 / 256.0));
    assert_eq!(found.significant, 3);
    // Probability of a false claim in three independent tests: 1 - 0.95³.
    assert!((found.error_rates.experiment_wide - 0.142_625).abs() < 1e-12);
    // The means differ by 1.0 - 0.01 · 3.5.
    assert!((found.pairs[0].difference - 0.965).abs() < 1e-12);
}

#[test]
fn systems_are_sorted_by_mean_and_pairs_follow_their_order() {
    let rows: Vec<[f64; 3]> = (0..5)
        .map(|i| [0.1, 0.5, 0.3 + 0.01 * f64::from(i)])
        .collect();
    let found = run(&matrix(&rows), "t", &ComparisonOptions::default());
    let systems: Vec<&str> = found.systems.iter().map(|system| &*system.name).collect();
    assert_eq!(systems, ["s2", "s3", "s1"]);
    let pairs: Vec<(&str, &str)> = found.pairs.iter().map(names).collect();
    assert_eq!(pairs, [("s2", "s3"), ("s2", "s1"), ("s3", "s1")]);
}

#[test]
fn a_one_tailed_p_is_half_of_a_two_tailed_one() {
    let scores = pair(&[0.5, 0.3, -0.1, 0.2, 0.4, 0.25, 0.35]);
    for test in ["t", "permutation", "wilcoxon", "sign"] {
        let p = |tails| {
            let settings = ComparisonOptions {
                tails,
                ..ComparisonOptions::default()
            };
            run(&scores, test, &settings).pairs[0].p.expect("a p-value")
        };
        assert!(
            (p(Tails::Two) - 2.0 * p(Tails::One)).abs() < 1e-12,
            "{test}"
        );
    }
}

#[test]
fn differences_up_to_the_threshold_are_ties_in_the_sign_test() {
    // Two of the seven differences are at most 0.01, although 0.31 - 0.3 is not exactly 0.01 in a
    // double.
    let scores = matrix(&[
        [0.9, 0.1],
        [0.8, 0.2],
        [0.7, 0.3],
        [0.6, 0.2],
        [0.31, 0.3],
        [0.5, 0.505],
        [0.4, 0.3],
    ]);
    let settings = ComparisonOptions {
        threshold: 0.01,
        ..ComparisonOptions::default()
    };
    let found = run(&scores, "sign", &settings);
    let own = &found.pairs[0];
    assert_eq!((own.wins, own.ties, own.losses), (5, 2, 0));
    assert_eq!(own.p, Some(2.0 / 32.0));
}

#[test]
fn a_baseline_reduces_the_number_of_corrected_comparisons() {
    let settings = ComparisonOptions {
        baselines: vec!["s3".to_owned()],
        correction: Some(Adjustment::Bonferroni),
        ..ComparisonOptions::default()
    };
    let found = run(&three_systems(), DEFAULT_TEST, &settings);
    assert_eq!(found.pairs.len(), 2);
    // p is 2/256, times two by Bonferroni's correction.
    assert!(
        found
            .pairs
            .iter()
            .all(|pair| pair.p_adjusted == Some(4.0 / 256.0))
    );
    let rates = &found.error_rates;
    assert_eq!(
        (rates.comparisons, rates.comparisons_per_participant),
        (2, 1)
    );
}

#[test]
fn systems_that_are_equivalent_within_the_margin_share_a_letter() {
    let differences: Vec<f64> = (0..20).map(|i| 0.01 * f64::from(i % 3 - 1)).collect();
    for (margin, equivalent) in [(0.02, true), (0.001, false)] {
        let settings = ComparisonOptions {
            margin: Some(margin),
            ..ComparisonOptions::default()
        };
        let found = run(&pair(&differences), "equivalence", &settings);
        assert_eq!(found.pairs[0].equivalent, Some(equivalent));
        assert_eq!(
            (found.pairs[0].better.as_deref(), found.confidence),
            (None, 0.9)
        );
        let [one, other] = found.systems.as_slice() else {
            panic!("two systems");
        };
        assert_eq!(one.group == other.group, equivalent);
    }
}

#[test]
fn a_better_system_with_the_lower_mean_is_marked() {
    // s1 is a little better on 29 of 30 queries, and far worse on one.
    let mut rows = vec![[0.51, 0.5]; 30];
    rows[0] = [0.0, 9.0];
    let scores = matrix(&rows);
    let found = compare_like_mirex(&scores);
    assert_eq!(names(&found.pairs[0]), ("s2", "s1"));
    assert_eq!(found.pairs[0].better.as_deref(), Some("s1"));
    assert!(found.pairs[0].against_the_means);
    // The t-test compares means and finds no difference.
    assert_eq!(
        run(&scores, "t", &ComparisonOptions::default()).significant,
        0
    );
}

#[test]
fn letters_ranks_triples_and_hasse_diagram_are_consistent() {
    // s1 and s3 differ. s2 lies between them, but varies too much to differ from either.
    let rows: Vec<[f64; 3]> = (0..10)
        .map(|i| {
            let i = f64::from(i);
            [0.8 + 0.01 * i, 0.55 + 0.9 * (2.1 * i).sin(), 0.3 - 0.01 * i]
        })
        .collect();
    let found = run(&matrix(&rows), "t", &ComparisonOptions::default());
    let letters: Vec<Option<&str>> = (found.systems.iter())
        .map(|system| system.group.as_deref())
        .collect();
    assert_eq!(letters, [Some("a"), Some("ab"), Some("b")]);
    let ranks = found.systems.iter();
    let ranks = ranks.map(|system| (system.best_rank, system.worst_rank));
    assert!(ranks.eq([(1, 2), (1, 3), (2, 3)].map(|(best, worst)| (Some(best), Some(worst)))));
    let groups = found.groups.expect("groups");
    assert_eq!(
        groups,
        [["s1", "s2"].map(Into::into), ["s2", "s3"].map(Into::into)]
    );
    let [triple] = found.non_transitive.as_deref().expect("triples") else {
        panic!("one triple");
    };
    assert_eq!(triple.kind, Intransitivity::EqualsDiffer);
    assert_eq!(triple.systems, ["s1", "s2", "s3"].map(Into::into));
    assert_eq!(found.non_transitive_count, Some(1));
    let hasse = found.hasse.expect("a diagram");
    assert_eq!(hasse.edges, [["s1", "s3"].map(Into::into)]);
}

#[test]
fn intransitive_dice_form_a_cycle() {
    // Each die beats the next on five of nine throws; with many repetitions the sign test finds
    // these differences significant.
    let faces = [[2.0, 4.0, 9.0], [1.0, 6.0, 8.0], [3.0, 5.0, 7.0]];
    let mut rows = Vec::new();
    for _ in 0..6 {
        for a in faces[0] {
            for b in faces[1] {
                rows.extend(faces[2].map(|c| [a, b, c]));
            }
        }
    }
    let settings = ComparisonOptions {
        correction: Some(Adjustment::None),
        alpha: Alpha::new(0.2).expect("a level"),
        ..ComparisonOptions::default()
    };
    let found = run(&matrix(&rows), "sign", &settings);
    assert_eq!(found.hasse.expect("a diagram").cycles.len(), 1);
    assert_eq!(
        found.non_transitive.expect("triples")[0].kind,
        Intransitivity::Cycle
    );
}
