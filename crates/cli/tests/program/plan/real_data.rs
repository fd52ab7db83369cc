//! Tests of `partita plan` on real evaluations.

use std::path::Path;

use crate::data::data;
use crate::session::{Outcome, Program};

/// Runs `partita plan` in a folder with this standard input.
fn plan(folder: &Path, arguments: &str, input: &str) -> Outcome {
    let arguments = format!("plan {arguments}");
    Program::within(folder, &arguments).input(input).run()
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn coefficients_of_trec_8_ad_hoc_equal_an_independent_computation() {
    let folder = data("trec-scores");
    let said = plan(&folder, "adhoc8_ap.csv --format json", "");
    assert_eq!(said.code, 0, "{}", said.err);
    let found: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let measure = &found["measures"][0];
    assert_eq!(
        (&measure["systems"], &measure["queries"]),
        (&129.into(), &50.into())
    );
    // The expected values come from an independent program (NumPy: two-way analysis of variance
    // from sums of squares). Coefficients above 0.9 agree with Bodoff and Li (2007) and Urbano et
    // al. (2013) for ad hoc tracks with fifty topics.
    for (key, expected) in [("erho2", ERHO2), ("phi", PHI)] {
        let value = measure[key]["value"].as_f64().expect("a value");
        assert!((value - expected).abs() < 1e-9, "{key}: {value}");
    }
    let variance = measure["t_test"][0]["variance"]["value"].as_f64();
    assert!(
        (variance.expect("a variance") - VARIANCE).abs() < 1e-9,
        "{variance:?}"
    );
}

/// Expected coefficients Eρ² and Φ of the TREC-8 ad hoc track.
const ERHO2: f64 = 0.9709837042472115;
const PHI: f64 = 0.9191038954773552;
/// Expected mean, over all 8256 pairs of systems, of the variance of their score differences.
const VARIANCE: f64 = 0.02721630121485129;

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn scores_that_evaluate_prints_can_be_planned_with() {
    let folder = data("ams-fine");
    let evaluate = "evaluate --truth judgments.txt --truth-format gains runs.txt -m AG@5 -m ADR@5 \
                    --per-query --format csv";
    let scores = Program::within(&folder, evaluate).succeeds().out;
    let said = plan(
        &folder,
        "- --money 3000 --cost-per-query 20 --format json",
        &scores,
    );
    assert_eq!(said.code, 0, "{}", said.err);
    let found: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let measures = found["measures"].as_array().expect("measures");
    assert_eq!(measures.len(), 2);
    for measure in measures {
        assert_eq!(
            (&measure["systems"], &measure["queries"]),
            (&18.into(), &100.into())
        );
        let value = |key: &str| measure[key]["value"].as_f64().expect("a value");
        assert!(value("phi") <= value("erho2") && value("erho2") > 0.5);
        assert_eq!(measure["budget"][3]["queries"], 150);
    }
}
