//! Tests of plain samples with JSON input and output, as in `partita stats`, compared with the
//! reference values of `partita-stats`.

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

/// Runs a test on one input in JSON.
fn run(test: &str, input: &str, options: ResamplingOptions) -> Result<String, SampleTestError> {
    let (_, test) = find_sample_test(test).expect("a known test");
    test.run_json(input.as_bytes(), options)
}

/// Runs a test on every input, and returns the results.
fn run_all(test: &str, inputs: &[Value]) -> Vec<Value> {
    assert!(!inputs.is_empty());
    let answer = |input: &Value| {
        let found = run(test, &input.to_string(), ResamplingOptions::default()).unwrap();
        serde_json::from_str(&found).expect("JSON")
    };
    inputs.iter().map(answer).collect()
}

/// Fails unless two JSON values are equal or, if both are numbers, differ by at most `tolerance`.
fn assert_close(found: &Value, expected: &Value, tolerance: f64, case: &Value) {
    let (Some(found), Some(expected)) = (found.as_f64(), expected.as_f64()) else {
        return assert_eq!(found, expected, "{case}");
    };
    assert!(
        (found - expected).abs() <= tolerance,
        "found {found:e}, expected {expected:e} in {case}"
    );
}

/// Compares the three p-values with those of a case. `name` returns the field of the case for an
/// alternative; alternatives without a field are skipped.
fn assert_p_values(answer: &Value, case: &Value, tolerance: f64, name: impl Fn(&str) -> String) {
    for (key, alternative) in [
        ("p_less", "less"),
        ("p_greater", "greater"),
        ("p_two_sided", "two-sided"),
    ] {
        let expected = &case[&name(alternative)];
        if !expected.is_null() {
            assert_close(&answer[key], expected, tolerance, case);
        }
    }
}

#[test]
fn mann_whitney_equals_the_reference_values_by_every_method() {
    let cases = cases("mannwhitney");
    for (method, key, tolerance) in [
        ("exact", "exactcond", 1e-14),
        ("normal", "asym_cc", 1e-13),
        ("normal-nocc", "asym_nocc", 1e-13),
    ] {
        let line = |case: &Value| json!({"x": case["x"], "y": case["y"], "method": method});
        let lines: Vec<Value> = cases.iter().map(line).collect();
        for (answer, case) in run_all("mann-whitney", &lines).iter().zip(&cases) {
            assert_eq!(answer["u"], case["U_x"]);
            assert_eq!(answer["method"], method);
            assert_p_values(answer, &case["p"], tolerance, |alternative| {
                format!("{key}_{alternative}")
            });
            if method == "exact" {
                let doubled = &case["p"]["exactcond_two-sided_doubling"];
                assert_close(&answer["p_two_sided"], doubled, 1e-14, case);
            }
        }
    }
}

#[test]
fn mann_whitney_is_exact_by_default_and_rejects_ties_by_the_untied_method() {
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
fn wilcoxon_equals_the_reference_values_for_every_treatment_of_zeros() {
    let cases = cases("wilcoxon_signed_rank");
    for zeros in ["wilcox", "pratt", "zsplit"] {
        for (method, key, tolerance) in [
            ("exact", format!("exactcond_{zeros}"), 1e-14),
            ("normal", format!("asym_{zeros}_cc"), 1e-13),
            ("normal-nocc", format!("asym_{zeros}_nocc"), 1e-13),
        ] {
            let line = |case: &Value| json!({"d": case["d"], "zeros": zeros, "method": method});
            let lines: Vec<Value> = cases.iter().map(line).collect();
            for (answer, case) in run_all("wilcoxon", &lines).iter().zip(&cases) {
                assert_eq!(answer["w_plus"], case[format!("Wplus_{zeros}")]);
                assert_eq!(answer["method"], method);
                assert_p_values(answer, &case["p"], tolerance, |alternative| {
                    format!("{key}_{alternative}")
                });
            }
        }
    }
}

#[test]
fn paired_tests_give_the_same_result_for_two_samples_and_their_differences() {
    // 0.9 - 0.8 and 0.3 - 0.2 differ in a double, but are equal after rounding.
    let (x, y) = ([0.9, 0.3, 0.5, 0.1, 0.7], [0.8, 0.2, 0.6, 0.1, 0.2]);
    let d: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    for test in ["wilcoxon", "sign", "permutation"] {
        let found = run_all(test, &[json!({"d": d}), json!({"x": x, "y": y})]);
        assert_eq!(found[0], found[1], "{test}");
        let tied = run_all(test, &[json!({"d": [0.1, 0.1, -0.1, 0, 0.5]})]);
        assert_eq!(found[0], tied[0], "{test}");
    }
}

#[test]
fn rounding_is_relative_counts_its_ties_and_can_be_turned_off() {
    let small = json!({"d": [1e-10, 2e-10, 3e-10, 4e-10, 5e-10, 6e-10]});
    let found = run_all("wilcoxon", &[small]);
    assert_eq!(
        (&found[0]["p_two_sided"], &found[0]["rounded_ties"]),
        (&json!(0.03125), &json!(0))
    );
    let noisy = |round: &str| json!({"x": [0.9, 0.3, 0.5, 0.3, 0.7], "y": [0.8, 0.2, 0.6, 0.1 + 0.2, 0.2], "round": round});
    for test in ["wilcoxon", "sign", "randomization"] {
        let found = run_all(test, &[noisy("relative"), noisy("none")]);
        assert_eq!(
            (&found[0]["rounded_ties"], &found[1]["rounded_ties"]),
            (&json!(1), &json!(0))
        );
    }
    let found = run_all("wilcoxon", &[noisy("relative"), noisy("none")]);
    assert_eq!(
        (&found[0]["w_plus"], &found[1]["w_plus"]),
        (&json!(8.0), &json!(11.0))
    );
    let found = run_all("sign", &[noisy("relative"), noisy("none")]);
    assert_eq!(
        (&found[0]["p_two_sided"], &found[1]["p_two_sided"]),
        (&json!(0.625), &json!(1.0))
    );
    let same = |round: &str| json!({"x": [0.9, 0.3, 0.1], "y": [0.8, 0.2, 0.0], "kind": "paired", "round": round});
    // Only rounding shows that these differences do not vary.
    let rounded = run(
        "t",
        &same("relative").to_string(),
        ResamplingOptions::default(),
    );
    assert!(matches!(rounded, Err(SampleTestError::NoVariance)));
    let found = run_all("t", &[same("none")]);
    assert!(found[0]["p_two_sided"].as_f64() < Some(1e-9));
    let rows =
        |round: &str| json!({"data": [[0.3, 0.1 + 0.2], [0.5, 0.7], [0.1, 0.4]], "round": round});
    let found = run_all("friedman-tukey", &[rows("relative"), rows("none")]);
    assert_eq!(
        (&found[0]["rounded_ties"], &found[1]["rounded_ties"]),
        (&json!(1), &json!(0))
    );
    assert_ne!(found[0]["chi2"], found[1]["chi2"]);
}

#[test]
fn the_sign_test_is_the_binomial_test_of_nonzero_signs() {
    let found = run_all("sign", &[json!({"d": [3, 1, 0, -2, 4]})]);
    assert_eq!(
        found[0],
        json!({"p_less": 0.9375, "p_greater": 0.3125, "p_two_sided": 0.625, "rounded_ties": 0})
    );
}

#[test]
fn permutation_enumerates_small_samples() {
    let cases = cases("randomization_paired");
    let lines: Vec<Value> = cases.iter().map(|case| json!({"d": case["d"]})).collect();
    for (answer, case) in run_all("permutation", &lines).iter().zip(&cases) {
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
fn t_tests_equal_the_values_of_r() {
    let cases = cases("ttest");
    for kind in ["paired", "welch", "student"] {
        let line = |case: &Value| json!({"x": case["x"], "y": case["y"], "kind": kind});
        let lines: Vec<Value> = cases.iter().map(line).collect();
        for (answer, case) in run_all("t", &lines).iter().zip(&cases) {
            assert_p_values(answer, case, 1e-13, |alternative| {
                format!("{kind}_{}", alternative.replace('-', "."))
            });
            if let Some(t) = case.get(format!("t_{kind}")) {
                assert_close(&answer["t"], t, 1e-10, case);
            }
            if let Some(df) = case.get(format!("df_{kind}")) {
                assert_close(&answer["df"], df, 1e-10, case);
            }
        }
    }
}

#[test]
fn friedman_tukey_equals_the_reference_values() {
    let cases = cases("friedman_tukey");
    let line = |case: &Value| json!({"data": case["data"], "alpha": 0.05});
    let lines: Vec<Value> = cases.iter().map(line).collect();
    for (answer, case) in run_all("friedman-tukey", &lines).iter().zip(&cases) {
        assert_close(&answer["chi2"], &case["chi2"], 1e-11, case);
        assert_close(&answer["df"], &case["df"], 0.0, case);
        assert_close(&answer["p"], &case["p"], 1e-12, case);
        let ranks = case["mean_ranks"].as_array().expect("ranks");
        for (index, expected) in ranks.iter().enumerate() {
            assert_close(&answer["mean_ranks"][index], expected, 1e-12, case);
        }
        let pairs = case["pairs"].as_array().expect("pairs");
        assert_eq!(answer["pairs"].as_array().map(Vec::len), Some(pairs.len()));
        for (index, place) in pairs.iter().enumerate() {
            let pair = &answer["pairs"][index];
            assert_eq!(json!([pair["i"], pair["j"]]), *place);
            assert_close(&pair["diff"], &case["diff"][index], 1e-12, case);
            assert_close(&pair["p"], &case["p_tukey"][index], 1e-12, case);
            assert_eq!(pair["significant"], case["significant"][index]);
        }
    }
}

#[test]
fn the_studentized_range_equals_the_reference_values() {
    let fixture = fixture("studentized_range");
    // The fixture writes infinitely many degrees of freedom as -1.
    let df = |case: &Value| case["df"].as_f64().filter(|df| *df > 0.0);
    for (part, tolerance) in [("inf", 1e-12), ("finite_df", 1e-10)] {
        let cases = fixture[part].as_array().expect("cases");
        let line = |case: &Value| json!({"k": case["k"], "df": df(case), "q": case["q"]});
        let lines: Vec<Value> = cases.iter().map(line).collect();
        for (answer, case) in run_all("studentized-range", &lines).iter().zip(cases) {
            assert_close(&answer["cdf"], &case["cdf"], tolerance, case);
            if let Some(sf) = case.get("sf") {
                assert_close(&answer["sf"], sf, tolerance, case);
            }
        }
    }
    let cases = fixture["quantile_inf"].as_array().expect("cases");
    let line = |case: &Value| json!({"k": case["k"], "df": null, "p": case["p"]});
    let lines: Vec<Value> = cases.iter().map(line).collect();
    for (answer, case) in run_all("studentized-range", &lines).iter().zip(cases) {
        assert_close(&answer["q"], &case["q"], 1e-10, case);
    }
}

#[test]
fn correlations_equal_the_reference_values_and_are_null_if_undefined() {
    let cases = cases("correlation");
    let lines: Vec<Value> = cases
        .iter()
        .map(|case| json!({"x": case["x"], "y": case["y"]}))
        .collect();
    for (answer, case) in run_all("kendall", &lines).iter().zip(&cases) {
        assert_close(&answer["tau_b"], &case["tau_b"], 1e-14, case);
        let exact = case.get("p_exact_two_sided").filter(|p| !p.is_null());
        let p = exact.unwrap_or(&case["p_asymptotic_two_sided"]);
        assert_close(&answer["p_two_sided"], p, 1e-13, case);
    }
    for (answer, case) in run_all("pearson", &lines).iter().zip(&cases) {
        assert_close(&answer["r"], &case["pearson_r"], 1e-13, case);
        assert_close(
            &answer["p_two_sided"],
            &case["pearson_p_two_sided"],
            1e-13,
            case,
        );
    }
    let line = |case: &Value| json!({"truth": case["x"], "estimate": case["y"]});
    let lines: Vec<Value> = cases.iter().map(line).collect();
    for (answer, case) in run_all("tau-ap", &lines).iter().zip(&cases) {
        for (key, expected) in [
            ("tau_ap", "tauAP"),
            ("tau_ap_a", "tauAP_a"),
            ("tau_ap_b", "tauAP_b"),
        ] {
            assert_close(&answer[key], &case[expected], 1e-13, case);
        }
    }
}

#[test]
fn adjusted_p_values_equal_those_of_r() {
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
        for (answer, case) in run_all("adjust", &lines).iter().zip(&cases) {
            let expected = case[key].as_array().expect("p-values");
            for (index, expected) in expected.iter().enumerate() {
                assert_close(&answer["p"][index], expected, 1e-14, case);
            }
        }
    }
}

#[test]
fn a_test_is_found_by_its_aliases() {
    let input = [json!({"d": [1, 2, -3]})];
    assert_eq!(
        run_all("randomization", &input),
        run_all("permutation", &input)
    );
    assert_eq!(run_all("signed-rank", &input), run_all("wilcoxon", &input));
}

#[test]
fn a_t_test_without_a_kind_is_paired_for_equal_lengths_and_reports_its_kind() {
    let both = [
        json!({"x": [1.0, 2.0, 4.0], "y": [2.0, 4.0, 5.0]}),
        json!({"x": [1.0, 2.0, 4.0], "y": [2.0, 4.0]}),
    ];
    for (found, kind) in run_all("t", &both).iter().zip(["paired", "welch"]) {
        assert_eq!(found["kind"], kind);
    }
    let mut explicit = both[1].clone();
    explicit["kind"] = json!("welch");
    let result = &run_all("t", &[explicit])[0];
    assert_eq!(result["p_two_sided"], run_all("t", &both)[1]["p_two_sided"]);
    assert!(result.get("kind").is_none());
}

#[test]
fn an_invalid_input_is_rejected_with_the_position_of_the_error() {
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

#[test]
fn numbers_w2_values_beyond_1e100_are_refused_with_their_place() {
    let error = |test: &str, input: &str| {
        run(test, input, ResamplingOptions::default())
            .expect_err(input)
            .to_string()
    };
    for (test, input, place, value) in [
        (
            "t",
            r#"{"x":[3,-2e101,1],"y":[0,0,0],"kind":"welch"}"#,
            "x[1]",
            "-2e101",
        ),
        ("permutation", r#"{"d":[0.1,0.2,1e300]}"#, "d[2]", "1e300"),
        (
            "friedman-tukey",
            r#"{"data":[[1,2],[3,1e308]]}"#,
            "data[1][1]",
            "1e308",
        ),
        (
            "pearson",
            r#"{"x":[1,2,3],"y":[4,5,7e180]}"#,
            "y[2]",
            "7e180",
        ),
    ] {
        let message = error(test, input);
        let expected = format!("{place}: expected a number from -1e100 to 1e100, found {value}");
        assert_eq!(message, expected);
    }
    assert!(
        run(
            "t",
            r#"{"x":[1e100,-1e100,5e99],"y":[0,0,0],"kind":"welch"}"#,
            ResamplingOptions::default()
        )
        .is_ok()
    );
}

#[test]
fn numbers_w3_the_t_test_refuses_values_that_do_not_vary() {
    for input in [
        r#"{"x":[0.4,0.6,0.8],"y":[0.2,0.4,0.6]}"#,
        r#"{"x":[2,2],"y":[1,1,1],"kind":"welch"}"#,
        r#"{"x":[1,1],"y":[1,1],"kind":"student"}"#,
    ] {
        let error = run("t", input, ResamplingOptions::default()).expect_err(input);
        assert!(matches!(error, SampleTestError::NoVariance), "{error}");
    }
}
