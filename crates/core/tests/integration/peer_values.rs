//! Measures compared with ir_measures and the programs behind it; the fixture's `source` names the
//! program that computed each measure.

use crate::support::{Fields, fixture, graded, number, ranking, score, strings};
use partita_core::ZeroGainPolicy;

/// Tolerance: like Partita, most of these programs compute in double precision.
const TOLERANCE: f64 = 1e-12;

/// End of the grading scale of the fixture, even for queries without a grade that high.
const HIGHEST_GRADE: f64 = crate::support::HIGHEST_GRADE;

/// Converts a measure from the notation of ir_measures to that of Partita.
fn to_partita_notation(theirs: &str) -> String {
    // ERR depends on the end of the scale, which is 4 in gdeval.
    if let Some(cutoff) = theirs.strip_prefix("ERR") {
        return format!("ERR(max={HIGHEST_GRADE}){cutoff}");
    }
    // ir_measures sums overlaps down to the longer of result and ideal list. Partita sums to a
    // fixed depth by default, as the program of the measure's authors does.
    if let Some(p) = theirs
        .strip_prefix("Compat(")
        .and_then(|t| t.strip_suffix(')'))
    {
        return format!("Compat({p},depth=lists)");
    }
    match theirs {
        // gdeval uses exponential gains.
        "nDCG(dcg='exp-log2')@10" => "nDCG(gain=exp)@10".to_owned(),
        "nDCG@10" => theirs.to_owned(),
        "AP" | "AP@5" | "AP(rel=2)" | "RR" | "RR@3" | "P@5" | "P(rel=2)@5" | "R@5" => {
            theirs.to_owned()
        }
        "RBP(p=0.8)" | "RBP(p=0.5,rel=2)" | "bpref" | "Judged@5" => theirs.to_owned(),
        other => panic!("the fixture has values of {other}, which no test knows"),
    }
}

#[test]
fn every_measure_agrees_with_ir_measures_on_every_case() {
    let mut file = Fields::new("ir_measures.json", &fixture("ir_measures.json"));
    file.take("notes");
    let sources = file.take("source");
    let sources = sources.as_object().unwrap();
    let cases = file.take("cases");
    file.end();
    let cases = cases.as_array().unwrap();
    let mut values = 0;
    for (case, number_of_case) in cases.iter().zip(0..) {
        let mut fields = Fields::new(format!("case {number_of_case}"), case);
        let judgments = fields.take("judgments");
        let judgments: Vec<(&str, f64)> = judgments
            .as_object()
            .unwrap()
            .iter()
            .map(|(document, grade)| (document.as_str(), number(grade)))
            .collect();
        let result = strings(&fields.take("result"));
        let expected = fields.take("values");
        fields.end();

        let truth = graded(&judgments, ZeroGainPolicy::LeaveOut);
        // trec_eval treats a negative grade as unjudged, Partita as judged and not relevant. Only
        // bpref differs, because it is the only measure of trec_eval that counts documents judged
        // not relevant.
        let mut without_negative = judgments.clone();
        without_negative.retain(|&(_, grade)| grade >= 0.0);
        let without_negative = graded(&without_negative, ZeroGainPolicy::LeaveOut);

        let expected = expected.as_object().unwrap();
        assert!(expected.keys().eq(sources.keys()));
        for (theirs, value) in expected {
            let truth = if theirs == "bpref" {
                &without_negative
            } else {
                &truth
            };
            let text = to_partita_notation(theirs);
            let got = score(&text, truth, &ranking(truth, &result));
            // The share of judged documents in an empty result is 0 in ir_measures and undefined in
            // Partita.
            if theirs == "Judged@5" && result.is_empty() {
                assert_eq!((got, number(value)), (None, 0.0));
            } else {
                let got = got.unwrap();
                assert!(
                    (got - number(value)).abs() <= TOLERANCE,
                    "case {number_of_case}: {theirs} is {value}, {text} is {got}"
                );
            }
            values += 1;
        }
    }
    assert_eq!((cases.len(), values), (60, 60 * 18));
}

#[test]
fn a_negative_grade_counts_as_judged_in_bpref_unlike_in_trec_eval() {
    // A document of grade -1 precedes the relevant one. trec_eval ignores it and gives 1.
    let truth = graded(&[("good", 1.0), ("bad", -1.0)], ZeroGainPolicy::LeaveOut);
    let result = ranking(&truth, &["bad", "good"]);
    assert_eq!(score("bpref", &truth, &result), Some(0.0));
}
