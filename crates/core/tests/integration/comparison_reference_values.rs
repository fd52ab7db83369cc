//! Comparisons against reference values of R and SciPy.

use partita_core::ScoreMatrix;
use partita_core::comparison::{ComparisonOptions, ComparisonPreset, compare};
use partita_core::truth::Tails;
use partita_core::work::SequentialWork;
use partita_named::NamedEnum;
use partita_stats::adjustment::{Adjustment, adjust};
use serde_json::Value;

use crate::support::{number, numbers};

fn cases(name: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../stats/tests/fixtures");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).expect("a fixture");
    let fixture: Value = serde_json::from_str(&text).expect("JSON");
    fixture["cases"].as_array().expect("cases").clone()
}

/// Compares systems s1, s2, ... with one row of scores per query. Returns the result as JSON.
fn compare_as_json(rows: &[Vec<f64>], test: &str, settings: &ComparisonOptions) -> Value {
    let systems = (1..=rows[0].len()).map(|system| format!("s{system}"));
    let queries = (0..rows.len()).map(|query| format!("q{query}"));
    let scores = ScoreMatrix::new("score", systems, queries, rows.concat()).expect("scores");
    let found = compare(&scores, test, settings, &SequentialWork).expect("a comparison");
    serde_json::to_value(found).expect("JSON")
}

/// Returns scores of two systems with these differences: the differences for s1, zeros for s2.
fn pair(differences: &[f64]) -> Vec<Vec<f64>> {
    differences.iter().map(|&d| vec![d, 0.0]).collect()
}

/// Returns the comparison of these two systems from the JSON result.
fn pair_of<'a>(found: &'a Value, a: &str, b: &str) -> &'a Value {
    let pairs = found["pairs"].as_array().expect("pairs");
    let is =
        |pair: &&Value| (pair["a"] == a && pair["b"] == b) || (pair["a"] == b && pair["b"] == a);
    pairs.iter().find(is).expect("the pair")
}

fn near(found: &Value, expected: f64, tolerance: f64) {
    let found = number(found);
    assert!(
        (found - expected).abs() < tolerance,
        "{found} is not {expected}"
    );
}

#[test]
fn friedman_and_tukey_agree_with_r() {
    for case in cases("friedman_tukey").iter().step_by(10) {
        let rows: Vec<Vec<f64>> = case["data"]
            .as_array()
            .expect("rows")
            .iter()
            .map(numbers)
            .collect();
        let mirex = ComparisonPreset::Mirex;
        let found = compare_as_json(&rows, mirex.test(), &mirex.options());
        near(&found["omnibus"]["chi2"], number(&case["chi2"]), 1e-9);
        near(&found["omnibus"]["p"], number(&case["p"]), 1e-10);
        let critical = number(&case["critical_difference"]);
        near(&found["critical_difference"]["value"], critical, 1e-9);
        for system in found["systems"].as_array().expect("systems") {
            let name = system["system"].as_str().expect("a name");
            let place: usize = name[1..].parse().expect("a number");
            near(
                &system["mean_rank"],
                number(&case["mean_ranks"][place - 1]),
                1e-9,
            );
        }
        let pairs = case["pairs"].as_array().expect("pairs");
        let mut significant = 0;
        for (place, expected) in pairs.iter().enumerate() {
            let name = |side: usize| format!("s{}", expected[side].as_u64().expect("a place") + 1);
            let own = pair_of(&found, &name(0), &name(1));
            near(&own["p"], number(&case["p_tukey"][place]), 1e-10);
            assert_eq!(own["p"], own["p_adjusted"]);
            assert_eq!(own["significant"], case["significant"][place]);
            significant += usize::from(own["significant"] == true);
            if own["significant"] == true {
                // The better system is the one with the higher mean rank.
                let better = if number(&case["diff"][place]) > 0.0 {
                    name(0)
                } else {
                    name(1)
                };
                assert_eq!(own["better"], better.as_str());
            } else {
                assert_eq!(own["better"], Value::Null);
            }
        }
        assert_eq!(found["significant"], significant);
    }
}

#[test]
fn wilcoxon_tests_agree_with_r_and_scipy() {
    let mut seen = 0;
    for case in cases("wilcoxon_signed_rank").iter().step_by(7) {
        let differences = numbers(&case["d"]);
        if differences.len() < 3 || differences.iter().all(|&d| d == 0.0) {
            continue;
        }
        for zeros in ["wilcox", "pratt", "zsplit"] {
            let expected = &case["p"][format!("asym_{zeros}_cc_two-sided")];
            let Some(expected) = expected.as_f64() else {
                continue;
            };
            let settings = ComparisonOptions {
                zeros: zeros.parse().expect("a treatment of zeros"),
                ..ComparisonOptions::default()
            };
            let found = compare_as_json(&pair(&differences), "wilcoxon-normal", &settings);
            near(&found["pairs"][0]["p"], expected, 1e-9);
            seen += 1;
        }
        if let Some(expected) = case["p"]["exact_two-sided"].as_f64() {
            let options = ComparisonOptions::default();
            let found = compare_as_json(&pair(&differences), "wilcoxon-exact", &options);
            near(&found["pairs"][0]["p"], expected, 1e-9);
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn paired_t_tests_are_those_of_r() {
    for case in cases("ttest").iter().step_by(5) {
        let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
        if x.len() != y.len() || x.len() < 3 {
            continue;
        }
        let rows: Vec<Vec<f64>> = x.iter().zip(&y).map(|(&x, &y)| vec![x, y]).collect();
        let two_tailed = compare_as_json(&rows, "t", &ComparisonOptions::default());
        let expected = number(&case["paired_two.sided"]);
        near(&two_tailed["pairs"][0]["p"], expected, 1e-10);
        let one_tailed = ComparisonOptions {
            tails: Tails::One,
            ..ComparisonOptions::default()
        };
        let found = compare_as_json(&rows, "t", &one_tailed);
        let (less, greater) = (
            number(&case["paired_less"]),
            number(&case["paired_greater"]),
        );
        near(&found["pairs"][0]["p"], less.min(greater), 1e-10);
    }
}

#[test]
fn permutation_tests_of_few_queries_are_exact() {
    for case in cases("randomization_paired").iter().step_by(5) {
        let differences = numbers(&case["d"]);
        if differences.len() < 3 || differences.iter().all(|&d| d == 0.0) {
            continue;
        }
        let options = ComparisonOptions::default();
        let found = compare_as_json(&pair(&differences), "permutation", &options);
        near(&found["pairs"][0]["p"], number(&case["p_two_sided"]), 1e-12);
        assert_eq!(found["samples"], Value::Null);
    }
}

#[test]
fn every_correction_is_applied_to_the_p_values() {
    let rows: Vec<Vec<f64>> = (0..12)
        .map(|i| {
            let i = f64::from(i);
            let (one, other) = ((i * 1.7).sin(), i.cos());
            vec![
                one,
                one + 0.4 + 0.05 * (i * 3.1).cos(),
                other,
                other + 0.1 * (i * 2.3).sin() + 0.2,
            ]
        })
        .collect();
    let compared = |correction| {
        let settings = ComparisonOptions {
            correction,
            ..ComparisonOptions::default()
        };
        compare_as_json(&rows, "t", &settings)
    };
    for &correction in Adjustment::VARIANTS {
        let found = compared(Some(correction));
        let pairs = found["pairs"].as_array().expect("pairs");
        let p: Vec<f64> = pairs.iter().map(|pair| number(&pair["p"])).collect();
        for (pair, expected) in pairs.iter().zip(adjust(&p, correction).expect("p-values")) {
            near(&pair["p_adjusted"], expected, 1e-12);
        }
    }
    assert_eq!(compared(None)["correction"], "holm");
}
