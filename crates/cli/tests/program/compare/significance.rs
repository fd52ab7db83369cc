//! Tests that each option of `partita compare` reaches its significance test. The statistics
//! themselves are tested in `partita-core`.

use serde_json::json as object;

use crate::compare::support::{json, matrix, number, pair};
use crate::session::outcome_with;

/// Returns the scores of three systems on eight queries: s1 beats s2 by almost 1
/// on each, and s3 by almost 2.
fn scores_of_three_systems() -> String {
    let rows: Vec<Vec<f64>> = (0..8)
        .map(|i| {
            let i = f64::from(i);
            vec![3.0 + 0.1 * i, 2.0 + 0.11 * i, 1.0 + 0.12 * i]
        })
        .collect();
    matrix(&rows)
}

#[test]
fn the_json_of_a_comparison_has_the_documented_keys() {
    let found = json(&scores_of_three_systems(), &["--like", "mirex"]);
    assert_eq!(found["test"], "friedman-tukey");
    assert_eq!(found["alpha"], 0.05);
    assert_eq!(found["measure"], "score");
    let first = &found["systems"][0];
    assert_eq!(first["system"], "s1");
    assert_eq!(first["mean_rank"], 3.0);
    assert_eq!(first["group"], "a");
    let keys = [
        "a",
        "b",
        "difference",
        "lower",
        "upper",
        "d",
        "a12",
        "p",
        "p_adjusted",
        "significant",
        "better",
    ];
    for key in keys {
        assert!(
            !found["pairs"][0][key].is_null() || key == "better",
            "{key}"
        );
    }
    assert!(found["significant"].is_u64());
}

#[test]
fn the_default_is_a_permutation_test_with_holms_correction() {
    let found = json(&scores_of_three_systems(), &[]);
    assert_eq!(found["test"], "permutation");
    assert_eq!(found["correction"], "holm");
    assert_eq!(
        (&found["tails"], &found["alpha"]),
        (&object!(2), &object!(0.05))
    );
    let said = outcome_with(
        &scores_of_three_systems(),
        &["compare", "-", "--format", "table"],
    );
    for words in [
        "permutation",
        "Holm",
        "two-tailed",
        "Urbano et al. 2019",
        "0.1426",
    ] {
        // Three tests at level 0.05: the error rate of the experiment is 1 − 0.95³ = 0.1426.
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
}

#[test]
fn every_option_is_passed_to_its_test() {
    let found = |options: &str| {
        let options: Vec<&str> = options.split(' ').collect();
        json(&scores_of_three_systems(), &options)
    };
    assert_eq!(found("--tails 1")["tails"], 1);
    assert_eq!(found("--correct bonferroni")["correction"], "bonferroni");
    let pairs = |options: &str| found(options)["pairs"].as_array().map(Vec::len);
    assert_eq!(pairs("--baseline s3"), Some(2));
    assert_eq!(pairs("--baseline s3 --baseline s1"), Some(3));
    // s1 beats s2 by at most 1, so a threshold of 1 makes all queries ties.
    let ties = |options: &str| found(options)["pairs"][0]["ties"].clone();
    assert_eq!(
        (ties("--test sign"), ties("--test sign --threshold 1")),
        (object!(0), object!(8))
    );
    let equivalent = |options: &str| found(options)["pairs"][0]["equivalent"].clone();
    assert_eq!(equivalent("--test equivalence --margin 2"), true);
    assert_eq!(equivalent("--test equivalence --margin 0.5"), false);
}

#[test]
fn a_better_mean_rank_with_a_lower_mean_is_reported() {
    // s1 is a little better on 29 of 30 queries, and far worse on one.
    let rows: Vec<Vec<f64>> = (0..30)
        .map(|i| {
            if i == 0 {
                vec![0.0, 9.0]
            } else {
                vec![0.51, 0.5]
            }
        })
        .collect();
    let said = outcome_with(
        &matrix(&rows),
        &["compare", "-", "--like", "mirex", "--format", "json"],
    );
    assert!(
        said.err.contains("lower mean") && said.err.contains("s1 over s2"),
        "{}",
        said.err
    );
}

#[test]
fn json_names_the_systems_of_groups_triples_and_hasse_edges() {
    // s1 and s3 differ significantly; s2 is between them and does not differ from either.
    let rows: Vec<Vec<f64>> = (0..10)
        .map(|i| {
            let i = f64::from(i);
            vec![0.8 + 0.01 * i, 0.55 + 0.9 * (2.1 * i).sin(), 0.3 - 0.01 * i]
        })
        .collect();
    let found = json(&matrix(&rows), &["--test", "t"]);
    assert_eq!(found["groups"], object!([["s1", "s2"], ["s2", "s3"]]));
    assert_eq!(
        found["non_transitive"],
        object!([{"kind": "equals-differ", "systems": ["s1", "s2", "s3"]}])
    );
    assert_eq!(found["hasse"]["edges"], object!([["s1", "s3"]]));
    let said = outcome_with(
        &matrix(&rows),
        &["compare", "-", "--test", "t", "--format", "table"],
    );
    assert!(
        said.out.contains("s1 ~ s2 ~ s3, but s1 > s3"),
        "{}",
        said.out
    );
}

#[test]
fn a_cycle_of_pairwise_tests_is_reported() {
    // Non-transitive dice: each of the three systems beats the next on most queries, significantly
    // by the sign test.
    let faces = [[2.0, 4.0, 9.0], [1.0, 6.0, 8.0], [3.0, 5.0, 7.0]];
    let mut rows = Vec::new();
    for _ in 0..6 {
        for a in faces[0] {
            for b in faces[1] {
                for c in faces[2] {
                    rows.push(vec![a, b, c]);
                }
            }
        }
    }
    let scores = matrix(&rows);
    let said = outcome_with(
        &scores,
        &[
            "compare",
            "-",
            "--test",
            "sign",
            "--correct",
            "none",
            "--alpha",
            "0.2",
            "--format",
            "json",
        ],
    );
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("circle"), "{}", said.err);
}

#[test]
fn comparisons_that_cannot_be_significant_get_a_warning() {
    let said = outcome_with(&pair(&[1.0, 2.0, 3.0]), &["compare", "-"]);
    assert_eq!(said.code, 0);
    assert!(
        said.err.contains("nothing can be significant"),
        "{}",
        said.err
    );
    let said = outcome_with(
        &scores_of_three_systems(),
        &["compare", "-", "--test", "bootstrap", "--resamples", "10"],
    );
    assert!(said.err.contains("10 resamples"), "{}", said.err);
    assert!(
        said.err.contains("the smallest adjusted p-value is "),
        "{}",
        said.err
    );
    let said = outcome_with(
        &scores_of_three_systems(),
        &[
            "compare",
            "-",
            "--test",
            "sign",
            "--alpha",
            "0.001",
            "--correction",
            "none",
        ],
    );
    assert!(
        said.err.contains("the smallest p-value is 0."),
        "{}",
        said.err
    );
}

#[test]
fn the_seed_determines_resampled_p_values() {
    let differences: Vec<f64> = (0..25).map(|i| (f64::from(i) * 1.3).sin() + 0.3).collect();
    for test in ["permutation", "bootstrap", "randomised-tukey"] {
        let p = |seed: &str| {
            let options = ["--test", test, "--resamples", "500", "--seed", seed];
            number(&json(&pair(&differences), &options)["pairs"][0]["p"])
        };
        assert_eq!(p("1"), p("1"));
        assert_ne!(p("1"), p("2"), "{test}");
    }
}
