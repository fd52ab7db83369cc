//! Tests of `partita compare` on invalid input: exit code 2 and a message with the reason.

use crate::session::outcome_with;

const VALID_SCORES: &str =
    "query,a,b,c\n1,0.1,0.2,0.3\n2,0.3,0.2,0.5\n3,0.2,0.4,0.6\n4,0.5,0.5,0.9\n";

/// Asserts that `partita compare` refuses these scores and prints all of `words` on standard error.
fn assert_refused(scores: &str, options: &[&str], words: &[&str]) {
    let arguments = [&["compare", "-"], options].concat();
    let said = outcome_with(scores, &arguments);
    assert_eq!(said.code, 2, "{options:?}: {}{}", said.out, said.err);
    assert!(said.out.is_empty());
    for word in words {
        assert!(
            said.err.contains(word),
            "{options:?}: no {word:?} in {}",
            said.err
        );
    }
}

#[test]
fn scores_that_cannot_be_compared_are_refused() {
    assert_refused(
        "query,a\n1,0.1\n2,0.2\n3,0.3\n",
        &[],
        &["one system", "`a`"],
    );
    assert_refused(
        "query,a,b\n1,0.1,0.2\n2,0.2,0.1\n",
        &[],
        &["too few queries have scores (2)", "3"],
    );
    assert_refused(
        "query,a,b\n1,1,1\n2,1,1\n3,1,1\n",
        &[],
        &["every score", "is 1"],
    );
    assert_refused(
        "query,a,b\n1,0.1,NaN\n2,0.2,0.1\n3,1,1\n",
        &[],
        &["standard input:2", "NaN"],
    );
    assert_refused("query,a,b\n1,0.1,inf\n2,0.2,0.1\n3,1,1\n", &[], &["finite"]);
    assert_refused(
        "query,a,b\n1,0.1,1e200\n2,0.2,0.1\n3,1,1\n",
        &[],
        &["1e100", "1e200", "`b`", "`1`"],
    );
    assert_refused("query,a,a\n1,0.1,0.2\n", &[], &["`a` twice"]);
    assert_refused(
        "query,a,b\n1,0.1,0.2\n1,0.1,0.3\n",
        &[],
        &["`1`", "already"],
    );
    assert_refused("", &[], &["nothing in this file"]);
    assert_refused(
        "system,query,measure,value\na,1,AP,0.1\na,1,AP,0.2\n",
        &[],
        &["`a`", "already", "line 2"],
    );
}

#[test]
fn a_missing_score_is_refused_by_name_without_the_option_missing() {
    let holes = "query,a,b\n1,0.1,0.2\n2,0.3,\n3,0.2,0.4\n4,0.5,0.1\n5,0.5,0.3\n";
    assert_refused(holes, &[], &["`b`", "`2`", "--missing"]);
    for (how, queries) in [("drop-query", 4), ("zero", 5)] {
        let said = outcome_with(
            holes,
            &["compare", "-", "--missing", how, "--format", "json"],
        );
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.err.contains("warning"), "{}", said.err);
        let found: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        assert_eq!(found["comparisons"][0]["queries"], queries);
        assert_eq!(
            found["warnings"].as_array().map(Vec::len),
            Some(2),
            "{}",
            found["warnings"]
        );
    }
    assert_refused(holes, &["--missing", "guess"], &["guess"]);
}

#[test]
fn options_out_of_range_are_refused() {
    for alpha in ["0", "1", "-0.1", "nan", "2"] {
        assert_refused(VALID_SCORES, &[&format!("--alpha={alpha}")], &["--alpha"]);
    }
    assert_refused(VALID_SCORES, &["--alpha", "x"], &["x"]);
    assert_refused(
        VALID_SCORES,
        &["--test", "anova"],
        &["`anova`", "friedman-tukey", "permutation"],
    );
    assert_refused(VALID_SCORES, &["--baseline", "z"], &["`z`", "a, b, c"]);
    assert_refused(VALID_SCORES, &["--measure", "AP"], &["AP"]);
    assert_refused(VALID_SCORES, &["--test", "equivalence"], &["--margin"]);
    assert_refused(
        VALID_SCORES,
        &["--test", "equivalence", "--margin", "0"],
        &["margin"],
    );
    assert_refused(
        VALID_SCORES,
        &["--test", "equivalence", "--margin", "-1"],
        &["margin"],
    );
    assert_refused(
        VALID_SCORES,
        &["--test", "sign", "--threshold", "-1"],
        &["threshold"],
    );
    assert_refused(VALID_SCORES, &["--resamples", "0"], &["samples"]);
    assert_refused(VALID_SCORES, &["--tails", "1", "--alpha", "0.5"], &["0.5"]);
    assert_refused(VALID_SCORES, &["--tails", "3"], &["3"]);
    assert_refused(VALID_SCORES, &["--like", "trec"], &["mirex", "urbano-2011"]);
    assert_refused(VALID_SCORES, &["--like", "paper-003"], &["urbano-2011"]);
    assert_refused(
        VALID_SCORES,
        &["--test", "kendall"],
        &["that answers this question", "wilcoxon-normal"],
    );
}

#[test]
fn options_that_a_test_does_not_use_are_refused() {
    for test in ["friedman-tukey", "randomised-tukey", "randomized-tukey"] {
        assert_refused(
            VALID_SCORES,
            &["--test", test, "--correct", "holm"],
            &["--correct"],
        );
        assert_refused(
            VALID_SCORES,
            &["--test", test, "--tails", "1"],
            &["--tails"],
        );
    }
    assert_refused(
        VALID_SCORES,
        &["--like", "mirex", "--correct", "bh"],
        &["--correct"],
    );
    assert_refused(
        VALID_SCORES,
        &["--like", "urbano-2011", "--tails", "2"],
        &["--tails"],
    );
    assert_refused(
        VALID_SCORES,
        &["--test", "t", "--threshold", "0.1"],
        &["--threshold", "sign"],
    );
    assert_refused(
        VALID_SCORES,
        &["--test", "t", "--margin", "0.1"],
        &["--margin", "equivalence"],
    );
    assert_refused(
        VALID_SCORES,
        &["--test", "t", "--zeros", "pratt"],
        &["--zeros", "wilcoxon"],
    );
    assert_refused(
        VALID_SCORES,
        &["--test", "t", "--method", "exact"],
        &["--method", "wilcoxon"],
    );
    assert_refused(
        VALID_SCORES,
        &["--test", "t", "--resamples", "10"],
        &["--resamples", "bootstrap"],
    );
}

#[test]
fn figures_that_cannot_be_drawn_are_refused() {
    assert_refused(VALID_SCORES, &["--kind", "hasse"], &["--figure"]);
    let cd = ["--figure", "x.svg", "--kind", "cd", "--baseline", "a"];
    assert_refused(VALID_SCORES, &cd, &["`--kind forest`"]);
    let forest = ["--figure", "x.svg", "--kind", "forest"];
    assert_refused(VALID_SCORES, &forest, &["needs a baseline", "--baseline"]);
    let ranks = ["--figure", "x.svg", "--kind", "mean-ranks"];
    assert_refused(VALID_SCORES, &ranks, &["Friedman", "--like mirex"]);
    let names: Vec<String> = (0..26).map(|i| format!("s{i}")).collect();
    let row = |query: usize| {
        let scores = (0..26).map(|i| format!(",0.{}", 10 + (7 * i + query) % 80));
        format!("{query}{}\n", scores.collect::<String>())
    };
    let rows: String = (1..5).map(row).collect();
    let many = format!("query,{}\n{rows}", names.join(","));
    let hasse = [
        "--test",
        "permutation",
        "--figure",
        "x.svg",
        "--kind",
        "hasse",
    ];
    assert_refused(
        &many,
        &hasse,
        &["at most 25 systems", "26", "--kind matrix", "--baseline"],
    );
    assert_refused(
        VALID_SCORES,
        &["--figure", "x.gif"],
        &[".svg, .pdf or .png"],
    );
    let two = "system,query,measure,value\na,1,AP,0.1\nb,1,AP,0.2\na,2,AP,0.4\nb,2,AP,0.2\n\
               a,3,AP,0.1\nb,3,AP,0.2\na,1,RR,1\nb,1,RR,0.5\na,2,RR,1\nb,2,RR,1\na,3,RR,0.5\nb,3,RR,1\n";
    assert_refused(two, &["--figure", "x.svg"], &["one measure", "figures/"]);
    let equivalence = [
        "--test",
        "equivalence",
        "--margin",
        "0.1",
        "--figure",
        "x.svg",
    ];
    assert_refused(VALID_SCORES, &equivalence, &["equivalence"]);
}
