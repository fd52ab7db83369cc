//! What a run's scores say of missing queries, undefined scores, ties and unjudged documents.

use crate::support::{assert_close, graded, measure, ranking};
use partita_core::evaluation::{MissingQueries, NoRelevant, Options, RunScores, evaluate};
use partita_core::{GroundTruth, Measure, Ranking, Run, Scale, ZeroGains};

/// Queries q0 with a and b relevant, q1 with c, and q2 with nothing relevant.
fn truth() -> GroundTruth {
    let query = |name: &str, judgments: &[(&str, f64)]| {
        (name.to_owned(), graded(judgments, ZeroGains::LeaveOut))
    };
    let queries = vec![
        query("q0", &[("a", 2.0), ("b", 1.0), ("n", 0.0)]),
        query("q1", &[("c", 1.0)]),
        query("q2", &[("n", 0.0)]),
    ];
    GroundTruth::new(Scale::Grades, queries).expect("distinct names")
}

/// A run that returns these documents for q0 and q2, and nothing for q1.
fn run(truth: &GroundTruth, first: &[&str], last: &[&str]) -> Run {
    let mut run = Run::new("mine", truth);
    run.set(0, ranking(truth.judged(0), first));
    run.set(2, ranking(truth.judged(2), last));
    run
}

fn scores(truth: &GroundTruth, run: &Run, options: Options) -> RunScores {
    let measures: Vec<Box<dyn Measure>> = ["ADR", "P@2"].map(measure).into();
    evaluate(truth, run, &measures, options)
}

#[test]
fn a_missing_query_scores_as_an_empty_result_or_is_left_out() {
    let truth = truth();
    let run = run(&truth, &["a", "b"], &[]);
    let empty = scores(&truth, &run, Options::default());
    assert_eq!(empty.missing, [1]);
    assert_eq!(
        empty.by_measure[1].scores,
        [Some(1.0), Some(0.0), Some(0.0)]
    );
    let missing = MissingQueries::Skip;
    let skipped = scores(
        &truth,
        &run,
        Options {
            missing,
            ..Options::default()
        },
    );
    assert_eq!(skipped.missing, [1]);
    assert_eq!(skipped.by_measure[1].scores, [Some(1.0), None, Some(0.0)]);
    assert_eq!(skipped.by_measure[1].mean(), Some(0.5));
    assert!(skipped.by_measure[1].undefined.is_empty());
}

#[test]
fn adr_of_a_query_without_relevant_documents_is_undefined_and_counted() {
    let truth = truth();
    let run = run(&truth, &["a", "b"], &["n"]);
    let adr = &scores(&truth, &run, Options::default()).by_measure[0];
    assert_eq!(adr.scores, [Some(1.0), Some(0.0), None]);
    assert_eq!(
        (adr.undefined.as_slice(), adr.mean()),
        ([2].as_slice(), Some(0.5))
    );
    let no_relevant = NoRelevant::Skip;
    let skipped = scores(
        &truth,
        &run,
        Options {
            no_relevant,
            ..Options::default()
        },
    );
    assert_eq!(skipped.by_measure[1].scores, [Some(1.0), Some(0.0), None]);
    assert!(
        skipped
            .by_measure
            .iter()
            .all(|scores| scores.undefined.is_empty())
    );
}

#[test]
fn a_condensed_list_is_scored_without_its_unjudged_documents_which_are_still_counted() {
    let truth = truth();
    let run = run(&truth, &["x", "a", "b"], &["y", "n"]);
    let plain = &scores(&truth, &run, Options::default()).by_measure[1];
    assert_eq!(plain.scores, [Some(0.5), Some(0.0), Some(0.0)]);
    let judged_only = true;
    let condensed = scores(
        &truth,
        &run,
        Options {
            judged_only,
            ..Options::default()
        },
    );
    let condensed = &condensed.by_measure[1];
    assert_eq!(condensed.scores, [Some(1.0), Some(0.0), Some(0.0)]);
    for scores in [plain, condensed] {
        // One of two documents, twice; q1 has none to count.
        assert_eq!(
            (scores.unjudged_documents, scores.unjudged_share),
            (2.0, 0.5)
        );
    }
}

#[test]
fn a_tied_run_has_its_extremes_beside_its_means() {
    let truth = truth();
    let mut run = run(&truth, &[], &["n"]);
    assert!(
        scores(&truth, &run, Options::default()).by_measure[0]
            .extremes
            .is_none()
    );
    let names = truth.judged(0).names();
    run.set(0, Ranking::of_groups(names, [vec!["x", "a"], vec!["b"]]));
    let adr = &scores(&truth, &run, Options::default()).by_measure[0];
    // x, a: (0 + 1/2) / 2. a, x: (1 + 1/2) / 2.
    assert_eq!(
        adr.extremes,
        Some(vec![Some((0.25, 0.75)), Some((0.0, 0.0)), None])
    );
    assert_eq!(adr.scores[0], Some(0.5));
    let (low, high) = adr.extreme_means().expect("a tied run");
    assert_close("the lower mean", low, 0.125);
    assert_close("the higher mean", high, 0.375);
}
