//! Tests of plain samples by JSON, the input and output of `partita stats`, against the reference values of
//! `partita-stats`.

use partita_core::significance::{ResamplingOptions, SampleTestError, find_sample_test};
use serde_json::{Value, json};

/// Reads a fixture of `partita-stats`.
fn fixture(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../stats/tests/fixtures");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).expect("a fixture");
    serde_json::from_str(&text).expect("JSON")
}

fn cases(name: &str) -> Vec<Value> {
    fixture(name)["cases"].as_array().expect("cases").clone()
}

/// Runs a test on the text of one input.
fn run(test: &str, input: &str, options: ResamplingOptions) -> Result<String, SampleTestError> {
    let (_, test) = find_sample_test(test).expect("a known test");
    test.run_json(input.as_bytes(), options)
}

/// Runs a test on every input, and returns the results.
fn answers(test: &str, inputs: &[Value]) -> Vec<Value> {
    assert!(!inputs.is_empty());
    let answer = |input: &Value| {
        let found = run(test, &input.to_string(), ResamplingOptions::default()).unwrap();
        serde_json::from_str(&found).expect("JSON")
    };
    inputs.iter().map(answer).collect()
}

fn close(found: &Value, expected: &Value, tolerance: f64, case: &Value) {
    let (Some(found), Some(expected)) = (found.as_f64(), expected.as_f64()) else {
        return assert_eq!(found, expected, "{case}");
    };
    assert!(
        (found - expected).abs() <= tolerance,
        "found {found:e}, expected {expected:e} in {case}"
    );
}

/// Compares the three p-values with those of a case under `name(alternative)`, where it has them.
fn close_p(answer: &Value, case: &Value, tolerance: f64, name: impl Fn(&str) -> String) {
    for (key, alternative) in [
        ("p_less", "less"),
        ("p_greater", "greater"),
        ("p_two_sided", "two-sided"),
    ] {
        let expected = &case[&name(alternative)];
        if !expected.is_null() {
            close(&answer[key], expected, tolerance, case);
        }
    }
}

#[test]
fn mann_whitney_gives_the_reference_values_by_every_method() {
    let cases = cases("mannwhitney");
    for (method, key, tolerance) in [
        ("exact", "exactcond", 1e-14),
        ("normal", "asym_cc", 1e-13),
        ("normal-nocc", "asym_nocc", 1e-13),
    ] {
        let line = |case: &Value| json!({"x": case["x"], "y": case["y"], "method": method});
        let lines: Vec<Value> = cases.iter().map(line).collect();
        for (answer, case) in answers("mann-whitney", &lines).iter().zip(&cases) {
            assert_eq!(answer["u"], case["U_x"]);
            assert_eq!(answer["method"], method);
            close_p(answer, &case["p"], tolerance, |alternative| {
                format!("{key}_{alternative}")
            });
            if method == "exact" {
                let doubled = &case["p"]["exactcond_two-sided_doubling"];
                close(&answer["p_two_sided"], doubled, 1e-14, case);
            }
        }
    }
}

#[test]
fn mann_whitney_is_exact_by_default_and_refuses_ties_where_none_were_expected() {
    let tied = r#"{"x":[1,2,2],"y":[2,4]}"#;
    let untied = r#"{"x":[1,2,3],"y":[4,5,6],"method":"exact-untied"}"#;
    let ask = |input: &str| run("mann-whitney", input, ResamplingOptions::default());
    assert!(ask(tied).unwrap().ends_with(r#""method":"exact"}"#));
    assert_eq!(
        ask(untied).unwrap(),
        r#"{"u":0.0,"p_less":0.05,"p_greater":1.0,"p_two_sided":0.1,"method":"exact-untied"}"#
    );
    let refused = ask(&tied.replace('}', r#","method":"exact-untied"}"#)).unwrap_err();
    let message = refused.to_string();
    assert!(
        message.contains("expected all values distinct"),
        "{message}"
    );
}

#[test]
fn wilcoxon_gives_the_reference_values_for_every_treatment_of_zeros() {
    let cases = cases("wilcoxon_signed_rank");
    for zeros in ["wilcox", "pratt", "zsplit"] {
        for (method, key, tolerance) in [
            ("exact", format!("exactcond_{zeros}"), 1e-14),
            ("normal", format!("asym_{zeros}_cc"), 1e-13),
            ("normal-nocc", format!("asym_{zeros}_nocc"), 1e-13),
        ] {
            let line = |case: &Value| json!({"d": case["d"], "zeros": zeros, "method": method});
            let lines: Vec<Value> = cases.iter().map(line).collect();
            for (answer, case) in answers("wilcoxon", &lines).iter().zip(&cases) {
                assert_eq!(answer["w_plus"], case[format!("Wplus_{zeros}")]);
                assert_eq!(answer["method"], method);
                close_p(answer, &case["p"], tolerance, |alternative| {
                    format!("{key}_{alternative}")
                });
            }
        }
    }
}

#[test]
fn paired_tests_answer_the_same_to_differences_and_to_their_samples() {
    // 0.9 - 0.8 and 0.3 - 0.2 are not the same double, but the same difference.
    let (x, y) = ([0.9, 0.3, 0.5, 0.1, 0.7], [0.8, 0.2, 0.6, 0.1, 0.2]);
    let d: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    for test in ["wilcoxon", "sign", "permutation"] {
        let found = answers(test, &[json!({"d": d}), json!({"x": x, "y": y})]);
        assert_eq!(found[0], found[1], "{test}");
        let tied = answers(test, &[json!({"d": [0.1, 0.1, -0.1, 0, 0.5]})]);
        assert_eq!(found[0], tied[0], "{test}");
    }
}

#[test]
fn rounding_is_relative_told_and_can_be_left_out() {
    let small = json!({"d": [1e-10, 2e-10, 3e-10, 4e-10, 5e-10, 6e-10]});
    let found = answers("wilcoxon", &[small]);
    assert_eq!(
        (&found[0]["p_two_sided"], &found[0]["rounded_ties"]),
        (&json!(0.03125), &json!(0))
    );
    let noisy = |round: &str| json!({"x": [0.9, 0.3, 0.5, 0.3, 0.7], "y": [0.8, 0.2, 0.6, 0.1 + 0.2, 0.2], "round": round});
    for test in ["wilcoxon", "sign", "randomization"] {
        let found = answers(test, &[noisy("relative"), noisy("none")]);
        assert_eq!(
            (&found[0]["rounded_ties"], &found[1]["rounded_ties"]),
            (&json!(1), &json!(0))
        );
    }
    let found = answers("wilcoxon", &[noisy("relative"), noisy("none")]);
    assert_eq!(
        (&found[0]["w_plus"], &found[1]["w_plus"]),
        (&json!(8.0), &json!(11.0))
    );
    let found = answers("sign", &[noisy("relative"), noisy("none")]);
    assert_eq!(
        (&found[0]["p_two_sided"], &found[1]["p_two_sided"]),
        (&json!(0.625), &json!(1.0))
    );
    let same = |round: &str| json!({"x": [0.9, 0.3, 0.1], "y": [0.8, 0.2, 0.0], "kind": "paired", "round": round});
    let found = answers("t", &[same("relative"), same("none")]);
    assert_eq!(found[0]["p_two_sided"], 0.0);
    assert_ne!(found[1]["p_two_sided"], 0.0);
    let rows =
        |round: &str| json!({"data": [[0.3, 0.1 + 0.2], [0.5, 0.7], [0.1, 0.4]], "round": round});
    let found = answers("friedman-tukey", &[rows("relative"), rows("none")]);
    assert_eq!(
        (&found[0]["rounded_ties"], &found[1]["rounded_ties"]),
        (&json!(1), &json!(0))
    );
    assert_ne!(found[0]["chi2"], found[1]["chi2"]);
}

#[test]
fn the_sign_test_is_the_binomial_of_the_signs_without_zeros() {
    let found = answers("sign", &[json!({"d": [3, 1, 0, -2, 4]})]);
    assert_eq!(
        found[0],
        json!({"p_less": 0.9375, "p_greater": 0.3125, "p_two_sided": 0.625, "rounded_ties": 0})
    );
}

#[test]
fn permutation_enumerates_small_samples() {
    let cases = cases("randomization_paired");
    let lines: Vec<Value> = cases.iter().map(|case| json!({"d": case["d"]})).collect();
    for (answer, case) in answers("permutation", &lines).iter().zip(&cases) {
        for key in ["p_less", "p_greater", "p_two_sided"] {
            assert_eq!(answer[key], case[key], "{case}");
        }
    }
}

#[test]
fn permutation_of_many_differences_depends_on_the_seed() {
    let d: Vec<f64> = (0..40).map(|i| f64::from(i % 7) - 2.0).collect();
    let ask = |seed: u64| {
        let options = ResamplingOptions {
            seed,
            resamples: 2_000,
        };
        run("permutation", &json!({ "d": d }).to_string(), options).unwrap()
    };
    assert_eq!(ask(1), ask(1));
    assert_ne!(ask(1), ask(2));
    assert!(ask(2).ends_with(r#""seed":2,"resamples":2000}"#));
}

#[test]
fn t_tests_give_the_values_of_r() {
    let cases = cases("ttest");
    for kind in ["paired", "welch", "student"] {
        let line = |case: &Value| json!({"x": case["x"], "y": case["y"], "kind": kind});
        let lines: Vec<Value> = cases.iter().map(line).collect();
        for (answer, case) in answers("t", &lines).iter().zip(&cases) {
            close_p(answer, case, 1e-13, |alternative| {
                format!("{kind}_{}", alternative.replace('-', "."))
            });
            if let Some(t) = case.get(format!("t_{kind}")) {
                close(&answer["t"], t, 1e-10, case);
            }
            if let Some(df) = case.get(format!("df_{kind}")) {
                close(&answer["df"], df, 1e-10, case);
            }
        }
    }
}

#[test]
fn friedman_tukey_gives_the_reference_values() {
    let cases = cases("friedman_tukey");
    let line = |case: &Value| json!({"data": case["data"], "alpha": 0.05});
    let lines: Vec<Value> = cases.iter().map(line).collect();
    for (answer, case) in answers("friedman-tukey", &lines).iter().zip(&cases) {
        close(&answer["chi2"], &case["chi2"], 1e-11, case);
        close(&answer["df"], &case["df"], 0.0, case);
        close(&answer["p"], &case["p"], 1e-12, case);
        let ranks = case["mean_ranks"].as_array().expect("ranks");
        for (index, expected) in ranks.iter().enumerate() {
            close(&answer["mean_ranks"][index], expected, 1e-12, case);
        }
        let pairs = case["pairs"].as_array().expect("pairs");
        assert_eq!(answer["pairs"].as_array().map(Vec::len), Some(pairs.len()));
        for (index, place) in pairs.iter().enumerate() {
            let pair = &answer["pairs"][index];
            assert_eq!(json!([pair["i"], pair["j"]]), *place);
            close(&pair["diff"], &case["diff"][index], 1e-12, case);
            close(&pair["p"], &case["p_tukey"][index], 1e-12, case);
            assert_eq!(pair["significant"], case["significant"][index]);
        }
    }
}

#[test]
fn the_studentized_range_gives_the_reference_values() {
    let fixture = fixture("studentized_range");
    // In the fixture -1 stands for infinitely many degrees of freedom.
    let df = |case: &Value| case["df"].as_f64().filter(|df| *df > 0.0);
    for (part, tolerance) in [("inf", 1e-12), ("finite_df", 1e-10)] {
        let cases = fixture[part].as_array().expect("cases");
        let line = |case: &Value| json!({"k": case["k"], "df": df(case), "q": case["q"]});
        let lines: Vec<Value> = cases.iter().map(line).collect();
        for (answer, case) in answers("studentized-range", &lines).iter().zip(cases) {
            close(&answer["cdf"], &case["cdf"], tolerance, case);
            if let Some(sf) = case.get("sf") {
                close(&answer["sf"], sf, tolerance, case);
            }
        }
    }
    let cases = fixture["quantile_inf"].as_array().expect("cases");
    let line = |case: &Value| json!({"k": case["k"], "df": null, "p": case["p"]});
    let lines: Vec<Value> = cases.iter().map(line).collect();
    for (answer, case) in answers("studentized-range", &lines).iter().zip(cases) {
        close(&answer["q"], &case["q"], 1e-10, case);
    }
}

#[test]
fn correlations_give_the_reference_values_and_null_where_they_are_not_defined() {
    let cases = cases("correlation");
    let lines: Vec<Value> = cases
        .iter()
        .map(|case| json!({"x": case["x"], "y": case["y"]}))
        .collect();
    for (answer, case) in answers("kendall", &lines).iter().zip(&cases) {
        close(&answer["tau_b"], &case["tau_b"], 1e-14, case);
        let exact = case.get("p_exact_two_sided").filter(|p| !p.is_null());
        let p = exact.unwrap_or(&case["p_asymptotic_two_sided"]);
        close(&answer["p_two_sided"], p, 1e-13, case);
    }
    for (answer, case) in answers("pearson", &lines).iter().zip(&cases) {
        close(&answer["r"], &case["pearson_r"], 1e-13, case);
        close(
            &answer["p_two_sided"],
            &case["pearson_p_two_sided"],
            1e-13,
            case,
        );
    }
    let line = |case: &Value| json!({"truth": case["x"], "estimate": case["y"]});
    let lines: Vec<Value> = cases.iter().map(line).collect();
    for (answer, case) in answers("tau-ap", &lines).iter().zip(&cases) {
        for (key, expected) in [
            ("tau_ap", "tauAP"),
            ("tau_ap_a", "tauAP_a"),
            ("tau_ap_b", "tauAP_b"),
        ] {
            close(&answer[key], &case[expected], 1e-13, case);
        }
    }
}

#[test]
fn adjusted_p_values_are_those_of_r() {
    let cases = cases("p_adjust");
    for (method, key) in [
        ("bonferroni", "bonferroni"),
        ("holm", "holm"),
        ("hochberg", "hochberg"),
        ("bh", "BH"),
        ("by", "BY"),
    ] {
        let line = |case: &Value| json!({"p": case["p"], "method": method});
        let lines: Vec<Value> = cases.iter().map(line).collect();
        for (answer, case) in answers("adjust", &lines).iter().zip(&cases) {
            let expected = case[key].as_array().expect("p-values");
            for (index, expected) in expected.iter().enumerate() {
                close(&answer["p"][index], expected, 1e-14, case);
            }
        }
    }
}

#[test]
fn a_test_is_found_by_its_other_names() {
    let input = [json!({"d": [1, 2, -3]})];
    assert_eq!(
        answers("randomization", &input),
        answers("permutation", &input)
    );
    assert_eq!(answers("signed-rank", &input), answers("wilcoxon", &input));
}

#[test]
fn a_t_test_without_a_kind_is_paired_if_it_can_be_and_says_which_it_is() {
    let both = [
        json!({"x": [1.0, 2.0, 4.0], "y": [2.0, 4.0, 5.0]}),
        json!({"x": [1.0, 2.0, 4.0], "y": [2.0, 4.0]}),
    ];
    for (found, kind) in answers("t", &both).iter().zip(["paired", "welch"]) {
        assert_eq!(found["kind"], kind);
    }
    let mut asked = both[1].clone();
    asked["kind"] = json!("welch");
    let said = &answers("t", &[asked])[0];
    assert_eq!(said["p_two_sided"], answers("t", &both)[1]["p_two_sided"]);
    assert!(said.get("kind").is_none());
}

#[test]
fn an_input_that_cannot_be_read_is_refused_with_its_place() {
    for (bad, why) in [
        ("nonsense", "expected a JSON object"),
        ("[1, 2]", "expected a JSON object, found a list"),
        (
            r#"{"x":[1,[2]],"y":[3]}"#,
            "x[1]: expected a number, found a list",
        ),
        (r#"{"x":[1,2]"#, "expected a JSON object"),
        (r#"{"x":[1,2]}"#, "the field `y` is missing"),
        (
            r#"{"x":[1,2],"y":null}"#,
            "y: expected a list, found null (column 19)",
        ),
        (r#"{"x":[1,2],"y":[]}"#, "at least 1 value, found 0"),
        (
            r#"{"x":[1,"a"],"y":[3]}"#,
            r#"x[1]: expected a number, found "a" (column 11)"#,
        ),
        (
            r#"{"x":[1,null],"y":[3]}"#,
            "x[1]: expected a number, found null",
        ),
        (r#"{"x":1,"y":[3]}"#, "x: expected a list, found 1"),
        (
            r#"{"x":[1],"y":[3],"methd":"exact"}"#,
            "unknown field `methd`",
        ),
        (
            r#"{"x":[1],"u":1,"v":2}"#,
            "unknown field `u`; there are: `x`, `y`, `method`",
        ),
        (
            r#"{"x":[1],"y":[3],"method":"best"}"#,
            "unknown method \"best\"; there are: auto, exact,",
        ),
        (r#"{"x":[1],"x":[2],"y":[3]}"#, "the field `x` stands twice"),
    ] {
        let refused = run("mann-whitney", bad, ResamplingOptions::default()).unwrap_err();
        let message = refused.to_string();
        assert!(message.contains(why), "{message}");
    }
}
