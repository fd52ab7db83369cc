//! Negative and fractional grades as trec_eval treats them, compared with its own values.

use crate::support::{Fields, assert_close, fixture, graded, number, strings};
use partita_core::evaluation::{
    Evaluation, EvaluationNote, EvaluationPreset, EvaluationRequest, TruncatedGrades, evaluate,
};
use partita_core::measure::canonical_name;
use partita_core::work::SequentialWork;
use partita_core::{GroundTruth, Run, TruthScale, ZeroGainPolicy};

/// Evaluates one run as trec_eval does, by these measures.
fn evaluate_as_trec_eval(measures: &[&str], truth: &GroundTruth, run: Run) -> Evaluation {
    let request = EvaluationRequest {
        like: Some(EvaluationPreset::TrecEval),
        measures: measures.iter().map(|&name| name.to_owned()).collect(),
        ..EvaluationRequest::default()
    };
    evaluate(&request, truth, &[run], &SequentialWork).expect("an evaluation")
}

#[test]
fn numbers_w1_negative_grades_give_the_scores_of_trec_eval_by_every_measure() {
    let mut file = Fields::new("the fixture", &fixture("trec_eval_negative_grades.json"));
    file.take("source");
    let theirs = strings(&file.take("measures"));
    let queries = file.take("queries");
    file.end();
    let (mut truths, mut results, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for query in queries.as_array().unwrap() {
        let mut fields = Fields::new("a query", query);
        let name = fields.take("query").as_str().unwrap().to_owned();
        let judgments = fields.take("judgments");
        let judgments: Vec<(&str, f64)> = (judgments.as_object().unwrap().iter())
            .map(|(document, grade)| (document.as_str(), number(grade)))
            .collect();
        truths.push((name.clone(), graded(&judgments, ZeroGainPolicy::LeaveOut)));
        results.push((name, strings(&fields.take("result"))));
        expected.push(fields.take("values"));
        fields.end();
    }
    let truth = GroundTruth::new(TruthScale::Grades, truths).expect("distinct names");
    let run = Run::from_lists("r", results.clone());
    let measures: Vec<&str> = (theirs.iter())
        .map(String::as_str)
        .filter(|name| !name.starts_with("num_"))
        .collect();
    let scored = evaluate_as_trec_eval(&measures, &truth, run.clone());
    let is_cut = |note: &EvaluationNote| matches!(note, EvaluationNote::TruncatedGrades(_));
    assert!(!scored.notes.iter().any(is_cut), "{:?}", scored.notes);
    let counted = evaluate_as_trec_eval(&[], &truth, run.clone());
    let counts = counted.runs[0].counts.as_ref().expect("by default");
    let plain = EvaluationRequest {
        measures: vec!["bpref".to_owned()],
        ..EvaluationRequest::default()
    };
    let plain = evaluate(&plain, &truth, &[run], &SequentialWork).expect("an evaluation");
    let mut different = 0;
    for (place, ((query, _), expected)) in results.iter().zip(&expected).enumerate() {
        let counts = counts[place].as_ref().expect("no query is left out");
        for (name, value) in theirs.iter().zip(expected.as_array().unwrap()) {
            let what = format!("{name} of {query}");
            match name.as_str() {
                "num_rel" => assert_close(&what, counts.relevant as f64, number(value)),
                "num_rel_ret" => {
                    assert_close(&what, counts.relevant_returned as f64, number(value));
                }
                _ => {
                    let ours = canonical_name(name).expect("a measure of trec_eval");
                    let got = scored.runs[0].per_query.get(query, &ours).expect("a score");
                    assert_close(&what, got, number(value));
                    if ours == "bpref" {
                        let judged = plain.runs[0].per_query.get(query, "bpref");
                        different += usize::from(judged != Some(got));
                    }
                }
            }
        }
    }
    // The fixture has enough negative grades to tell the two treatments apart.
    assert!(different >= 10, "{different}");
}

#[test]
fn numbers_w1_fractional_grades_are_cut_as_trec_eval_cuts_them() {
    // trec_eval reads 1.9 as 1, 0.9 and -0.9 as 0 and -1.5 as -1.
    let grades = [("a", 1.9), ("b", 0.9), ("c", -0.9), ("d", -1.5), ("e", 1.0)];
    let whole = [("a", 1.0), ("b", 0.0), ("c", 0.0), ("d", -1.0), ("e", 1.0)];
    let truth = |grades: &[(&str, f64)]| {
        let judged = graded(grades, ZeroGainPolicy::LeaveOut);
        GroundTruth::new(TruthScale::Grades, vec![("q".to_owned(), judged)]).expect("one query")
    };
    let run = Run::from_lists("r", [("q", ["b", "d", "a", "c", "e"])]);
    let measures = &["P@5", "bpref", "nDCG", "AP", "Judged@5"];
    let cut = evaluate_as_trec_eval(measures, &truth(&grades), run.clone());
    let expected = evaluate_as_trec_eval(measures, &truth(&whole), run.clone());
    assert_eq!(cut.runs[0].mean, expected.runs[0].mean);
    assert_eq!(cut.runs[0].mean.get("P@5"), Some(&Some(0.4)));
    assert_eq!(cut.runs[0].mean.get("bpref"), Some(&Some(0.25)));
    assert_eq!(cut.runs[0].mean.get("Judged@5"), Some(&Some(0.8)));
    let note = EvaluationNote::TruncatedGrades(TruncatedGrades {
        count: 4,
        query: "q".to_owned(),
        item: "a".to_owned(),
        grade: 1.9,
    });
    assert_eq!(cut.notes, [note]);
    let like = EvaluationRequest {
        like: Some(EvaluationPreset::TrecEval),
        ..EvaluationRequest::default()
    };
    // Figures draw the groups by which runs are scored: a and e now have the same grade.
    let judgments = like.judgments(&truth(&grades)).into_owned();
    assert_eq!(judgments.query_truth(0).list().group_count(), 1);
    assert_eq!(judgments.query_truth(0).gains().len(), 4);
    assert_eq!(expected.notes, []);
    let own = EvaluationRequest {
        measures: vec!["P@5".to_owned()],
        ..EvaluationRequest::default()
    };
    let own = evaluate(&own, &truth(&grades), &[run], &SequentialWork).expect("an evaluation");
    assert_eq!(
        (own.runs[0].mean.get("P@5"), own.notes),
        (Some(&Some(0.6)), Vec::new())
    );
}
