//! Counts that trec_eval reports besides its measures, compared with its own output.

use std::collections::BTreeMap;

use crate::support::{assert_close, fixture, graded, number};
use partita_core::evaluation::{
    EvaluationPreset, EvaluationRequest, MissingQueryPolicy, evaluate, geometric_mean,
};
use partita_core::work::SequentialWork;
use partita_core::{GroundTruth, Run, TieBreaking, TruthScale, ZeroGainPolicy};

/// Reads lines of fields separated by spaces. Returns, for each query, the documents with the
/// number in this column.
fn read_rows(text: &str, column: usize) -> BTreeMap<&str, Vec<(&str, f64)>> {
    let mut by_query: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let number = fields[column].parse().expect("a number");
        by_query
            .entry(fields[0])
            .or_default()
            .push((fields[2], number));
    }
    by_query
}

#[test]
fn interpolated_precision_equals_that_of_trec_eval_at_every_recall_level() {
    let fixture = fixture("trec_eval_official.json");
    let text = |name: &str| fixture[name].as_str().expect("a text");
    let queries = read_rows(text("qrels"), 3);
    let queries = (queries.iter()).map(|(query, grades)| {
        (
            (*query).to_owned(),
            graded(grades, ZeroGainPolicy::LeaveOut),
        )
    });
    let truth = GroundTruth::new(TruthScale::Grades, queries.collect()).expect("distinct names");
    let run =
        Run::from_scores("mine", read_rows(text("run"), 4), TieBreaking::Docno).expect("a run");
    let request = EvaluationRequest {
        like: Some(EvaluationPreset::TrecEval),
        missing: Some(MissingQueryPolicy::Empty),
        ..EvaluationRequest::default()
    };
    let evaluation = evaluate(&request, &truth, &[run], &SequentialWork).expect("an evaluation");
    let counts = evaluation.runs[0]
        .counts
        .as_ref()
        .expect("it was asked for");
    let expected = fixture["interpolated_precision"].as_object().unwrap();
    assert_eq!(expected.len(), 5);
    for (name, counts) in truth.query_names().zip(counts) {
        let counts = counts.as_ref().expect("no query is left out");
        let levels = counts.interpolated_precision;
        match expected.get(name) {
            Some(expected) => {
                for (ours, theirs) in levels.iter().zip(expected.as_array().unwrap()) {
                    assert_close(name, *ours, number(theirs));
                }
            }
            // The run returns nothing for this query.
            None => assert_eq!((counts.returned, levels), (0, [0.0; 11])),
        }
    }
}

#[test]
fn geometric_mean_raises_scores_to_at_least_0_00001() {
    let mean = geometric_mean([Some(0.0), None, Some(0.1)]).expect("two scores");
    assert_close("the root of 0.00001 times 0.1", mean, 1e-3);
    assert_eq!(geometric_mean([None]), None);
}
