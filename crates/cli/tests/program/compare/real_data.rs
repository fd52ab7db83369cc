//! Tests that reproduce published results on real data with `partita compare`.

use crate::compare::support::{json, number, pair_of, reply};
use crate::data::data;
use crate::session::{outcome_on, outcome_with, output_of};

/// Returns the path of the scores of the TREC-8 ad hoc track, and the scores of two of its runs,
/// columns 125 and 126, as a matrix.
fn trec_8() -> (String, String) {
    let file = data("trec-scores").join("adhoc8_ap.csv");
    let text = std::fs::read_to_string(&file).expect("scores");
    let two: Vec<String> = text
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            format!("{},{}\n", fields[124], fields[125])
        })
        .collect();
    (file.to_string_lossy().into_owned(), two.concat())
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn published_p_values_of_two_trec_8_runs_are_reproduced() {
    let (_, two) = trec_8();
    let p = |options: &[&str]| {
        let options = [options, &["--tails", "1"]].concat();
        number(&json(&two, &options)["pairs"][0]["p"])
    };
    let published = |found: f64, published: f64| {
        assert!(
            (found - published).abs() < 5e-8,
            "{found} is not {published}"
        );
    };
    published(p(&["--test", "t"]), 0.0006597);
    published(
        p(&["--test", "wilcoxon", "--method", "normal", "--unrounded"]),
        0.0017226,
    );
    published(p(&["--test", "sign", "--threshold", "0.01"]), 0.0047799);
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn the_comparison_of_all_trec_8_runs_is_equal_for_any_thread_count() {
    let (file, _) = trec_8();
    // Only 2000 samples, because tests are built without optimisation.
    let arguments = [
        "compare",
        &file,
        "--samples",
        "2000",
        "--correct",
        "bh",
        "--format",
        "json",
    ];
    let (one, two) = (outcome_on("1", &arguments), outcome_on("2", &arguments));
    assert_eq!((one.code, &one.out), (0, &two.out), "{}", one.err);
    let found: serde_json::Value = serde_json::from_str(&one.out).expect("JSON");
    assert_eq!(
        found["comparisons"][0]["pairs"].as_array().map(Vec::len),
        Some(129 * 128 / 2)
    );
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn compare_reads_the_csv_that_evaluate_writes() {
    let folder = data("ams-fine");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (truth, runs) = (path("judgments.txt"), path("runs.txt"));
    let printed = output_of(&[
        "evaluate",
        "--truth",
        &truth,
        "--truth-format",
        "gains",
        &runs,
        "-m",
        "AG@5",
        "-m",
        "nDCG@5",
        "--per-query",
        "--format",
        "csv",
    ]);
    let found = reply(&printed, &["--like", "mirex"]);
    let measures = found["comparisons"].as_array().expect("measures");
    assert_eq!(measures.len(), 2);
    assert_eq!(measures[0]["measure"], "AG@5");
    assert_eq!(measures[0]["systems"].as_array().map(Vec::len), Some(18));
    // Selecting one measure gives the same pairs.
    let alone = json(&printed, &["--like", "mirex", "--measure", "AG@5"]);
    assert_eq!(alone["pairs"], measures[0]["pairs"]);
    // Urbano et al. (2011): Wilcoxon tests without correction find more significant pairs than
    // Friedman's test with Tukey's HSD.
    let wilcoxon = json(&printed, &["--like", "urbano-2011", "--measure", "AG@5"]);
    assert_eq!(wilcoxon["tails"], 1);
    assert_eq!(wilcoxon["alpha"], 0.01);
    assert!(number(&wilcoxon["significant"]) > number(&alone["significant"]));
    let said = outcome_with(&printed, &["compare", "-", "--format", "table"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("nDCG@5") && said.out.contains("permutation"));
    let best = alone["systems"][0]["system"].as_str().expect("a name");
    let worst = alone["systems"][17]["system"].as_str().expect("a name");
    assert_eq!(pair_of(&alone, best, worst)["better"], best);
}
