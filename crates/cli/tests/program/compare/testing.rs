//! The tests and their options, on examples small enough for hand arithmetic.

use serde_json::{Value, json as object};

use crate::compare::scores::{json, matrix, number, only, pair, pair_of};
use crate::session::outcome_with;

/// Eight queries: s1 beats s2 by 1 on all of them, and s3 by 2.
fn three() -> String {
    let rows: Vec<Vec<f64>> = (0..8)
        .map(|i| {
            let i = f64::from(i);
            vec![3.0 + 0.1 * i, 2.0 + 0.11 * i, 1.0 + 0.12 * i]
        })
        .collect();
    matrix(&rows)
}

#[test]
fn a_json_object_has_the_promised_keys() {
    let found = json(&three(), &["--like", "mirex"]);
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
    // The means differ by 1.0 - 0.01 · 3.5.
    assert!((number(&found["pairs"][0]["difference"]) - 0.965).abs() < 1e-12);
    assert!(found["significant"].is_u64());
}

#[test]
fn systems_come_by_mean_and_pairs_in_their_order() {
    let rows: Vec<Vec<f64>> = (0..5)
        .map(|i| vec![0.1, 0.5, 0.3 + 0.01 * f64::from(i)])
        .collect();
    let found = json(&matrix(&rows), &["--test", "t"]);
    let names: Vec<&str> = found["systems"]
        .as_array()
        .expect("systems")
        .iter()
        .map(|system| system["system"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["s2", "s3", "s1"]);
    let pairs: Vec<(&str, &str)> = found["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .map(|pair| {
            (
                pair["a"].as_str().expect("a"),
                pair["b"].as_str().expect("b"),
            )
        })
        .collect();
    assert_eq!(pairs, [("s2", "s3"), ("s2", "s1"), ("s3", "s1")]);
}

#[test]
fn the_default_is_a_permutation_test_with_holms_correction() {
    let found = json(&three(), &[]);
    assert_eq!(found["test"], "permutation");
    assert_eq!(found["correction"], "holm");
    assert_eq!(
        (&found["tails"], &found["alpha"]),
        (&object!(2), &object!(0.05))
    );
    // All eight signs the same: 2 of 256, three times.
    assert_eq!(found["pairs"][0]["p"], 2.0 / 256.0);
    assert_eq!(found["pairs"][0]["p_adjusted"], 6.0 / 256.0);
    assert_eq!(found["significant"], 3);
    let said = outcome_with(&three(), &["compare", "-", "--format", "table"]);
    for words in [
        "permutation",
        "Holm",
        "two-tailed",
        "Urbano et al. 2019",
        "0.1426",
    ] {
        // 1 - 0.95³ = 0.1426.
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
}

#[test]
fn a_one_tailed_p_is_half_of_a_two_tailed_one() {
    let differences = [0.5, 0.3, -0.1, 0.2, 0.4, 0.25, 0.35];
    for test in ["t", "permutation", "wilcoxon", "sign"] {
        let p = |tails: &str| {
            let found = json(&pair(&differences), &["--test", test, "--tails", tails]);
            number(&found["pairs"][0]["p"])
        };
        assert!((p("2") - 2.0 * p("1")).abs() < 1e-12, "{test}");
    }
}

#[test]
fn the_threshold_of_the_sign_test_counts_differences_as_ties() {
    // At most 0.01: two of seven, though 0.31 - 0.3 is not 0.01 in binary fractions.
    let rows = [
        [0.9, 0.1],
        [0.8, 0.2],
        [0.7, 0.3],
        [0.6, 0.2],
        [0.31, 0.3],
        [0.5, 0.505],
        [0.4, 0.3],
    ];
    let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
    let found = json(&matrix(&rows), &["--test", "sign", "--threshold", "0.01"]);
    let own = &found["pairs"][0];
    assert_eq!(
        (&own["wins"], &own["ties"], &own["losses"]),
        (&object!(5), &object!(2), &object!(0))
    );
    assert_eq!(own["p"], 2.0 / 32.0);
}

#[test]
fn baselines_limit_the_pairs_and_the_correction() {
    let found = json(&three(), &["--baseline", "s3", "--correct", "bonferroni"]);
    assert_eq!(found["pairs"].as_array().map(Vec::len), Some(2));
    assert_eq!(pair_of(&found, "s1", "s3")["p_adjusted"], 4.0 / 256.0);
    assert_eq!(found["systems"][0]["group"], Value::Null);
    assert_eq!(found["error_rates"]["comparisons"], 2);
    assert_eq!(found["error_rates"]["comparisons_per_participant"], 1);
    let all = json(&three(), &["--baseline", "s3", "--baseline", "s1"]);
    assert_eq!(all["pairs"].as_array().map(Vec::len), Some(3));
}

#[test]
fn equivalence_is_about_the_margin() {
    let near: Vec<f64> = (0..20).map(|i| 0.01 * f64::from(i % 3 - 1)).collect();
    for (margin, equivalent) in [("0.02", true), ("0.001", false)] {
        let found = json(&pair(&near), &["--test", "equivalence", "--margin", margin]);
        assert_eq!(found["pairs"][0]["equivalent"], equivalent);
        assert_eq!(found["pairs"][0]["better"], Value::Null);
        assert_eq!(found["confidence"], 0.9);
        // Systems share a letter if they are equivalent.
        assert_eq!(
            found["systems"][0]["group"] == found["systems"][1]["group"],
            equivalent
        );
    }
}

#[test]
fn ties_on_every_query_are_no_evidence() {
    let rows: Vec<Vec<f64>> = (0..6).map(|i| vec![f64::from(i); 3]).collect();
    for options in [
        ["--like", "mirex"],
        ["--test", "permutation"],
        ["--test", "t"],
    ] {
        let found = json(&matrix(&rows), &options);
        assert_eq!(found["significant"], 0);
        assert_eq!(found["pairs"][0]["p"], 1.0);
    }
}

#[test]
fn the_better_by_mean_rank_may_have_the_lower_mean_and_is_told_so() {
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
    let found = only(serde_json::from_str(&said.out).expect("JSON"));
    assert_eq!(found["pairs"][0]["a"], "s2");
    assert_eq!(found["pairs"][0]["better"], "s1");
    assert_eq!(found["pairs"][0]["against_the_means"], true);
    assert!(
        said.err.contains("lower mean") && said.err.contains("s1 over s2"),
        "{}",
        said.err
    );
    // Means are another question.
    assert_eq!(json(&matrix(&rows), &["--test", "t"])["significant"], 0);
}

#[test]
fn letters_ranks_triples_and_the_diagram_tell_of_one_order() {
    // s1 and s3 differ, s2 is between them and far from sure.
    let rows: Vec<Vec<f64>> = (0..10)
        .map(|i| {
            let i = f64::from(i);
            vec![0.8 + 0.01 * i, 0.55 + 0.9 * (2.1 * i).sin(), 0.3 - 0.01 * i]
        })
        .collect();
    let found = json(&matrix(&rows), &["--test", "t"]);
    let of = |key: &str| -> Vec<Value> {
        found["systems"]
            .as_array()
            .expect("systems")
            .iter()
            .map(|s| s[key].clone())
            .collect()
    };
    assert_eq!(of("group"), ["a", "ab", "b"]);
    assert_eq!(of("best_rank"), [1, 1, 2]);
    assert_eq!(of("worst_rank"), [2, 3, 3]);
    assert_eq!(found["groups"], object!([["s1", "s2"], ["s2", "s3"]]));
    assert_eq!(found["non_transitive_count"], 1);
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
fn a_circle_of_pairwise_tests_is_told_and_nothing_breaks() {
    // Of three dice, each beats the next on most throws; on nine, significantly by the sign test.
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
    let found = only(serde_json::from_str(&said.out).expect("JSON"));
    assert_eq!(found["hasse"]["circles"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["non_transitive"][0]["kind"], "cycle");
    assert!(said.err.contains("circle"), "{}", said.err);
}

#[test]
fn hopeless_comparisons_are_warned_of() {
    let said = outcome_with(&pair(&[1.0, 2.0, 3.0]), &["compare", "-"]);
    assert_eq!(said.code, 0);
    assert!(
        said.err.contains("nothing can be significant"),
        "{}",
        said.err
    );
    let said = outcome_with(
        &three(),
        &["compare", "-", "--test", "bootstrap", "--resamples", "10"],
    );
    assert!(said.err.contains("10 resamples"), "{}", said.err);
    assert!(
        said.err.contains("the smallest adjusted p-value is "),
        "{}",
        said.err
    );
    let said = outcome_with(
        &three(),
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
fn the_seed_decides_what_is_drawn() {
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
