//! Evaluations: missing queries, undefined scores, ties, strata of queries and unjudged documents.

use crate::support::{assert_close, graded};
use partita_core::evaluation::{
    Evaluation, EvaluationError, EvaluationNote, EvaluationRequest, EvaluationScoresError,
    MissingQueryPolicy, NoRelevantPolicy, QueryStrata, RunEvaluation, evaluate,
};
use partita_core::work::SequentialWork;
use partita_core::{GroundTruth, QueryTruth, Run, TruthScale, ZeroGainPolicy};
use partita_stats::bootstrap::IntervalMethod;
use partita_stats::random::{shuffle, stream};

/// Creates a ground truth of three queries: a and b are relevant for q0, c for q1, nothing for q2.
fn truth() -> GroundTruth {
    let query = |name: &str, judgments: &[(&str, f64)]| {
        (name.to_owned(), graded(judgments, ZeroGainPolicy::LeaveOut))
    };
    let queries = vec![
        query("q0", &[("a", 2.0), ("b", 1.0), ("n", 0.0)]),
        query("q1", &[("c", 1.0)]),
        query("q2", &[("n", 0.0)]),
    ];
    GroundTruth::new(TruthScale::Grades, queries).expect("distinct names")
}

/// Creates a ground truth from the groups of documents of each query.
fn lists(queries: &[(&str, &[&[&str]])]) -> GroundTruth {
    let queries = queries.iter().map(|(name, groups)| {
        let judged = QueryTruth::from_groups(groups.iter().copied()).expect("a list");
        ((*name).to_owned(), judged)
    });
    GroundTruth::new(TruthScale::Groups, queries.collect()).expect("distinct names")
}

/// Creates a run that returns the documents `first` for q0, `last` for q2, and nothing for q1.
fn run(truth: &GroundTruth, first: &[&str], last: &[&str]) -> Run {
    Run::from_lists(
        "mine",
        [(truth.query_name(0), first), (truth.query_name(2), last)],
    )
}

/// Creates a run that returns these documents, one list per query of the ground truth.
fn run_returning(name: &str, truth: &GroundTruth, documents: &[&[&str]]) -> Run {
    Run::from_lists(name, truth.query_names().zip(documents.iter().copied()))
}

fn adr_and_precision_request() -> EvaluationRequest {
    request_for_measures(&["ADR", "P@2"])
}

fn request_for_measures(measures: &[&str]) -> EvaluationRequest {
    EvaluationRequest {
        measures: measures.iter().map(|&name| name.to_owned()).collect(),
        ..EvaluationRequest::default()
    }
}

/// Evaluates several runs.
fn evaluate_runs(request: &EvaluationRequest, truth: &GroundTruth, runs: &[Run]) -> Evaluation {
    evaluate(request, truth, runs, &SequentialWork).expect("a request that can be answered")
}

#[test]
fn formulas_start_with_the_canonical_name_of_the_measure() {
    let truth = truth();
    let request = request_for_measures(&["ndcg(b=2)@5", "ap(rel=2)", "DR@2", "P@2"]);
    let evaluation = evaluate_runs(&request, &truth, &[run(&truth, &["a"], &[])]);
    let begins: Vec<&str> = (evaluation.formulas.iter())
        .map(|(_, formula)| formula.split(" = ").next().expect("a name"))
        .collect();
    assert_eq!(begins, ["nDCG(discount=log)@5", "AP(rel=2)", "DR@2", "P@2"]);
}

/// Evaluates one run.
fn evaluate_run(request: &EvaluationRequest, truth: &GroundTruth, run: &Run) -> RunEvaluation {
    evaluate_runs(request, truth, std::slice::from_ref(run))
        .runs
        .remove(0)
}

/// Returns the mean score of a run by a measure.
fn mean(run: &RunEvaluation, measure: &str) -> f64 {
    run.mean.get(measure).copied().flatten().expect("a mean")
}

#[test]
fn a_missing_query_scores_as_an_empty_result_or_is_left_out() {
    let truth = truth();
    let run = run(&truth, &["a", "b"], &[]);
    let empty = evaluate_run(&adr_and_precision_request(), &truth, &run);
    assert_eq!(empty.missing, ["q1"]);
    assert_eq!(empty.per_query.column(1), [Some(1.0), Some(0.0), Some(0.0)]);
    let request = EvaluationRequest {
        missing: Some(MissingQueryPolicy::Skip),
        ..adr_and_precision_request()
    };
    let skipped = evaluate_run(&request, &truth, &run);
    assert_eq!(skipped.missing, ["q1"]);
    assert_eq!(skipped.per_query.column(1), [Some(1.0), None, Some(0.0)]);
    assert_eq!(mean(&skipped, "P@2"), 0.5);
    assert!(skipped.undefined.get("P@2").is_none());
}

#[test]
fn adr_of_a_query_without_relevant_documents_is_undefined_and_counted() {
    let truth = truth();
    let run = run(&truth, &["a", "b"], &["n"]);
    let scores = evaluate_run(&adr_and_precision_request(), &truth, &run);
    assert_eq!(scores.per_query.column(0), [Some(1.0), Some(0.0), None]);
    assert_eq!(scores.undefined.get("ADR"), Some(&vec!["q2".to_owned()]));
    assert_eq!(mean(&scores, "ADR"), 0.5);
    let request = EvaluationRequest {
        no_relevant: NoRelevantPolicy::Skip,
        ..adr_and_precision_request()
    };
    let skipped = evaluate_run(&request, &truth, &run);
    assert_eq!(skipped.per_query.column(1), [Some(1.0), Some(0.0), None]);
    assert_eq!(skipped.undefined.iter().count(), 0);
}

#[test]
fn condensed_lists_omit_unjudged_documents_from_scores_but_not_from_counts() {
    let truth = truth();
    let run = run(&truth, &["x", "a", "b"], &["y", "n"]);
    let plain = EvaluationRequest {
        dynamic_recall: true,
        ..adr_and_precision_request()
    };
    let condensed = EvaluationRequest {
        judged_only: true,
        ..plain.clone()
    };
    let (plain, condensed) = (
        evaluate_run(&plain, &truth, &run),
        evaluate_run(&condensed, &truth, &run),
    );
    assert_eq!(plain.per_query.column(1), [Some(0.5), Some(0.0), Some(0.0)]);
    assert_eq!(
        condensed.per_query.column(1),
        [Some(1.0), Some(0.0), Some(0.0)]
    );
    for run in [&plain, &condensed] {
        // One of two documents is unjudged on q0 and on q2; the run returns nothing for q1.
        assert_eq!(run.unjudged_documents.get("P@2"), Some(&2.0));
        assert_eq!(run.unjudged.get("P@2"), Some(&0.5));
    }
    // Dynamic recall uses the same documents as the scores.
    for (run, expected) in [(&plain, [0.0, 0.5]), (&condensed, [1.0, 1.0])] {
        let curves = run.dynamic_recall.as_ref().expect("asked for");
        assert_eq!(curves.get("q0"), Some(&expected.to_vec()));
        assert_eq!(curves.get("q1"), Some(&vec![0.0]));
        assert_eq!(curves.get("q2"), None);
    }
}

#[test]
fn a_tied_run_has_lowest_and_highest_scores() {
    let truth = truth();
    let mut run = run(&truth, &[], &["n"]);
    let untied = evaluate_run(&adr_and_precision_request(), &truth, &run);
    assert!(untied.min.is_none() && untied.per_query_max.is_none());
    run.set_groups(0, [vec!["x", "a"], vec!["b"]]);
    let tied = evaluate_run(&adr_and_precision_request(), &truth, &run);
    // ADR of q0 is (0 + 1/2) / 2 for the order x, a and (1 + 1/2) / 2 for a, x.
    let (low, high) = (tied.per_query_min.unwrap(), tied.per_query_max.unwrap());
    assert_eq!(low.column(0), [Some(0.25), Some(0.0), None]);
    assert_eq!(high.column(0), [Some(0.75), Some(0.0), None]);
    assert_eq!(tied.per_query.get("q0", "ADR"), Some(0.5));
    let ends = [(tied.min, 0.125), (tied.max, 0.375)];
    for (means, expected) in ends {
        let mean = means.unwrap().get("ADR").copied().flatten();
        assert_close("an extreme mean", mean.expect("a tied run"), expected);
    }
}

#[test]
fn default_measures_depend_on_the_scale_and_repeated_measures_count_once() {
    let graded = truth();
    let grouped = lists(&[("q", &[&["a"]])]);
    let measures = |request: &EvaluationRequest, truth: &GroundTruth| {
        evaluate_runs(request, truth, &[]).measures
    };
    let usual = EvaluationRequest::default();
    assert_eq!(measures(&usual, &graded), ["ADR", "nDCG@10", "AP", "RR"]);
    assert_eq!(measures(&usual, &grouped), ["ADR"]);
    assert_eq!(
        measures(&request_for_measures(&["AP", "RR", "AP"]), &grouped),
        ["AP", "RR"]
    );
}

#[test]
fn only_requested_queries_are_scored_in_the_order_of_the_ground_truth() {
    let truth = truth();
    let run = run(&truth, &["b", "a"], &["n"]);
    let request = EvaluationRequest {
        queries: vec!["q2".to_owned(), "q0".to_owned()],
        ..request_for_measures(&["RR(rel=2)"])
    };
    let scores = evaluate_run(&request, &truth, &run);
    assert_eq!(scores.per_query.queries(), ["q0", "q2"]);
    assert_eq!((scores.queries, mean(&scores, "RR(rel=2)")), (2, 0.25));
    assert!(scores.missing.is_empty());
    let unknown = EvaluationRequest {
        queries: vec!["q9".to_owned()],
        ..EvaluationRequest::default()
    };
    let error = evaluate(&unknown, &truth, &[], &SequentialWork).unwrap_err();
    let EvaluationError::Query(unknown) = error else {
        panic!("{error}");
    };
    assert_eq!(unknown.some, ["q0", "q1", "q2"]);
}

#[test]
fn stratum_means_are_means_over_the_queries_of_the_stratum() {
    let truth = lists(&[
        ("q1", &[&["a"]]),
        ("q2", &[&["a"]]),
        ("q3", &[&["a"]]),
        ("q4", &[&["a"]]),
    ]);
    let run = run_returning(
        "r",
        &truth,
        &[&["a"], &["x", "a"], &["x", "y", "a"], &["a"]],
    );
    let of_query = [
        ("q1", "slow"),
        ("q2", "slow"),
        ("q3", "fast"),
        ("other", "fast"),
    ];
    let request = EvaluationRequest {
        strata: Some(QueryStrata {
            names: ["slow", "fast", "empty"].map(str::to_owned).to_vec(),
            stratum_of: of_query.map(|(q, g)| (q.to_owned(), g.to_owned())).into(),
        }),
        ..request_for_measures(&["RR"])
    };
    let evaluation = evaluate_runs(&request, &truth, &[run]);
    let means: Vec<(Option<&str>, usize, f64)> = (evaluation.runs[0].strata.iter())
        .map(|group| {
            let mean = group.mean.get("RR").copied().flatten();
            (
                group.stratum.as_deref(),
                group.queries,
                mean.expect("a mean"),
            )
        })
        .collect();
    assert_eq!(
        means,
        [
            (Some("slow"), 2, 0.75),
            (Some("fast"), 1, 1.0 / 3.0),
            (None, 1, 1.0)
        ]
    );
    assert_eq!(evaluation.strata[0].queries, ["q1", "q2"]);
    let queries = vec!["q4".to_owned()];
    assert_eq!(
        evaluation.notes,
        [EvaluationNote::QueriesWithoutStratum { queries, total: 4 }]
    );
}

#[test]
fn runs_are_sorted_best_first_and_ties_in_adr_by_adr_inv() {
    let truth = lists(&[("q", &[&["1"], &["2"], &["3"], &["4"]])]);
    let runs = [
        run_returning("bad", &truth, &[&["4", "3", "5", "6"]]),
        run_returning("better", &truth, &[&["3", "4", "5", "6"]]),
        run_returning("best", &truth, &[&["1"]]),
    ];
    let order = |sort: Option<&str>| -> Vec<String> {
        let request = EvaluationRequest {
            sort: sort.map(str::to_owned),
            ..request_for_measures(&["ADR", "ADRinv"])
        };
        let runs = evaluate_runs(&request, &truth, &runs).runs.into_iter();
        runs.map(|run| run.run).collect()
    };
    assert_eq!(order(None), ["bad", "better", "best"]);
    assert_eq!(order(Some("adr")), ["best", "better", "bad"]);
    // Lower values of ADRinv are better.
    assert_eq!(order(Some("ADRinv")).last().unwrap(), "bad");
    let request = EvaluationRequest {
        sort: Some("AP".to_owned()),
        ..request_for_measures(&["ADR"])
    };
    assert!(matches!(
        evaluate(&request, &truth, &[], &SequentialWork),
        Err(EvaluationError::Sort { .. })
    ));
}

#[test]
fn percentile_intervals_of_two_queries_span_their_scores() {
    let truth = lists(&[("q1", &[&["a"]]), ("q2", &[&["a"]])]);
    let run = run_returning("r", &truth, &[&["a"], &["x", "a"]]);
    let percentile = EvaluationRequest {
        intervals: true,
        interval_method: IntervalMethod::Percentile,
        ..request_for_measures(&["RR"])
    };
    let interval = evaluate_run(&percentile, &truth, &run)
        .interval
        .expect("asked for");
    let interval = interval.get("RR").copied().flatten().expect("two queries");
    // A quarter of the resamples contains only the lower score, and a quarter only the higher one.
    assert_eq!((interval.lower, interval.upper), (0.5, 1.0));
    let one = EvaluationRequest {
        queries: vec!["q1".to_owned()],
        ..percentile.clone()
    };
    let evaluation = evaluate_runs(&one, &truth, &[run]);
    assert_eq!(evaluation.notes, [EvaluationNote::TooFewQueriesToResample]);
    let interval = evaluation.runs[0].interval.as_ref().expect("asked for");
    assert_eq!(interval.get("RR"), Some(&None));
    for (confidence, resamples) in [(0.0, 1), (1.0, 1), (f64::NAN, 1), (0.5, 0)] {
        let wrong = EvaluationRequest {
            confidence,
            resamples,
            ..percentile.clone()
        };
        assert!(evaluate(&wrong, &truth, &[], &SequentialWork).is_err());
    }
}

#[test]
fn numbers_c4_equal_scores_have_no_interval_and_few_queries_are_noted() {
    let intervals = |queries: usize, measures: &[&str], found: &dyn Fn(usize) -> bool| {
        let names: Vec<String> = (0..queries).map(|number| format!("q{number:02}")).collect();
        let list: &[&[&str]] = &[&["a"]];
        let truth: Vec<(&str, _)> = names.iter().map(|name| (name.as_str(), list)).collect();
        let truth = lists(&truth);
        let results: Vec<&[&str]> = (0..queries)
            .map(|number| -> &[&str] {
                if found(number) {
                    &["a", "x"]
                } else {
                    &["x", "a"]
                }
            })
            .collect();
        let request = EvaluationRequest {
            intervals: true,
            resamples: 500,
            ..request_for_measures(measures)
        };
        let run = run_returning("r", &truth, &results);
        let mut evaluation = evaluate_runs(&request, &truth, &[run]);
        (evaluation.runs.remove(0), evaluation.notes)
    };
    // Success@2 is 1 for all queries, P@1 is not.
    let (run, notes) = intervals(24, &["P@1", "Success@2"], &|number| number % 3 == 0);
    let found = run.interval.expect("asked for");
    let precision = found
        .get("P@1")
        .copied()
        .flatten()
        .expect("the scores differ");
    assert!(precision.lower < 1.0 / 3.0 && 1.0 / 3.0 < precision.upper);
    assert_eq!(found.get("Success@2"), Some(&None));
    let constant = EvaluationNote::ConstantScores {
        scores: vec![("r".to_owned(), "Success@2".to_owned())],
    };
    let few = EvaluationNote::FewQueriesToResample { queries: 24 };
    assert_eq!(notes, [few, constant.clone()]);
    // From 25 queries on, only equal scores are noted.
    let (_, notes) = intervals(25, &["P@1", "Success@2"], &|number| number % 3 == 0);
    assert_eq!(notes, [constant]);
    let (_, notes) = intervals(25, &["P@1"], &|number| number % 3 == 0);
    assert_eq!(notes, []);
    // Every interval holds its mean, also where nearly all scores are equal.
    let (run, _) = intervals(30, &["P@1"], &|number| number > 0);
    let (mean, found) = (
        run.mean.get("P@1").copied().flatten(),
        run.interval.expect("asked for"),
    );
    let (mean, found) = (mean.expect("a mean"), found.get("P@1").copied().flatten());
    let found = found.expect("the scores differ");
    assert!(found.lower <= mean && mean <= found.upper && found.lower < found.upper);
}

#[test]
fn numbers_c6_err_names_the_highest_grade_that_it_takes_from_the_ground_truth() {
    let grades = [("a", 3.0), ("b", 1.0), ("n", 0.0)];
    let judged = graded(&grades, ZeroGainPolicy::LeaveOut);
    let truth = GroundTruth::new(TruthScale::Grades, vec![("q".to_owned(), judged)]);
    let truth = truth.expect("one query");
    let run = run_returning("r", &truth, &[&["b", "a"]]);
    let request = EvaluationRequest {
        sort: Some("ERR@10".to_owned()),
        ..request_for_measures(&[
            "err@10",
            "ERR(max=4)@10",
            "ERR(max=3)@10",
            "nDCG@10",
            "AG(scale=max)@2",
        ])
    };
    let evaluation = evaluate_runs(&request, &truth, &[run]);
    let names = [
        "ERR(max=3)@10",
        "ERR(max=4)@10",
        "nDCG@10",
        "AG(scale=max)@2",
    ];
    assert_eq!(evaluation.measures, names);
    let run = &evaluation.runs[0];
    // 1/8 + 1/2 * 7/8 * 7/8, and with the end of the scale at 4: 1/16 + 1/2 * 15/16 * 7/16.
    assert_eq!(run.mean.get("ERR(max=3)@10"), Some(&Some(0.5078125)));
    assert_eq!(run.mean.get("ERR(max=4)@10"), Some(&Some(0.267578125)));
    assert_eq!(run.mean.get("AG(scale=max)@2"), Some(&Some(2.0 / 3.0)));
    let json = serde_json::to_value(&evaluation).expect("a result");
    assert_eq!(
        json["runs"][0]["per_query"]["q"]["ERR(max=3)@10"],
        0.5078125
    );
    assert!(
        json["formulas"]["ERR(max=3)@10"]
            .as_str()
            .is_some_and(|text| text.ends_with("2^3"))
    );
}

#[test]
fn notes_report_queries_without_relevant_items_or_results() {
    let truth = truth();
    let run = run(&truth, &["a"], &["n"]);
    let notes = evaluate_runs(&EvaluationRequest::default(), &truth, &[run]).notes;
    let nothing = EvaluationNote::QueriesWithoutRelevant {
        queries: vec!["q2".to_owned()],
        total: 3,
        no_relevant: NoRelevantPolicy::Score,
    };
    let missing = EvaluationNote::MissingQueries {
        runs: vec![("mine".to_owned(), vec!["q1".to_owned()])],
        total: 3,
        missing: MissingQueryPolicy::Empty,
    };
    assert_eq!(notes, [nothing, missing]);
}

#[test]
fn a_query_with_the_name_of_means_is_noted_for_the_output_of_trec_eval_only() {
    let noted = |query: &str| {
        let truth = lists(&[(query, &[&["a"]])]);
        let run = run_returning("r", &truth, &[&["a"]]);
        let evaluation = evaluate_runs(&EvaluationRequest::default(), &truth, &[run]);
        assert_eq!(evaluation.notes, []);
        EvaluationNote::for_trec_eval_output(&evaluation)
    };
    assert_eq!(noted("all"), Some(EvaluationNote::ReservedQueryName));
    assert_eq!(noted("All"), None);
}

#[test]
fn special_names_of_systems_and_queries_change_no_scores() {
    let names = ["all", "all:x", "#1", "q"];
    let list: &[&[&str]] = &[&["a"]];
    let truth = lists(&names.map(|name| (name, list)));
    let good = run_returning("#good", &truth, &[&["a"], &["a"], &["x", "a"], &["a"]]);
    let bad = run_returning(
        "all",
        &truth,
        &[&["x", "a"], &["x", "a"], &["x", "y", "a"], &["y", "a"]],
    );
    let evaluation = evaluate_runs(&request_for_measures(&["RR", "ADR"]), &truth, &[good, bad]);
    let scores = evaluation.scores().expect("no holes");
    assert_eq!(scores[0].systems(), ["#good", "all"]);
    assert_eq!(scores[0].queries(), names);
    assert_eq!(scores[0].row(2), [0.5, 1.0 / 3.0]);
    assert_eq!(scores[1].measure(), "ADR");
}

#[test]
fn a_query_that_only_some_runs_have_a_score_for_is_an_error() {
    let truth = truth();
    let whole = run_returning("whole", &truth, &[&["a"], &["c"], &["n"]]);
    let request = EvaluationRequest {
        missing: Some(MissingQueryPolicy::Skip),
        ..request_for_measures(&["ADR"])
    };
    let evaluation = evaluate_runs(&request, &truth, &[whole.clone(), run(&truth, &["a"], &[])]);
    let hole = EvaluationScoresError::MissingScore {
        run: "mine".to_owned(),
        measure: "ADR".to_owned(),
        query: "q1".to_owned(),
    };
    assert_eq!(evaluation.scores(), Err(hole));
    // A query without a score for any run is left out.
    let scores = evaluate_runs(&request, &truth, &[whole])
        .scores()
        .expect("no holes");
    assert_eq!(scores[0].queries(), ["q0", "q1"]);
}

#[test]
fn condensed_lists_omit_every_copy_of_an_unjudged_document() {
    let truth = lists(&[("q", &[&["a"]])]);
    let run = run_returning("r", &truth, &[&["x", "x", "a", "a"]]);
    let request = EvaluationRequest {
        judged_only: true,
        ..request_for_measures(&["RR", "P@2"])
    };
    let found = evaluate_run(&request, &truth, &run);
    // The second copy of a, which is judged, stays in the list at rank 2.
    assert_eq!((mean(&found, "RR"), mean(&found, "P@2")), (1.0, 0.5));
}

#[test]
fn the_order_of_queries_changes_neither_means_nor_intervals() {
    let names: Vec<String> = (0..30).map(|query| format!("q{query}")).collect();
    let found = |order: &[usize]| {
        let list: &[&[&str]] = &[&["a", "b"]];
        let queries: Vec<(&str, &[&[&str]])> = order
            .iter()
            .map(|&query| (names[query].as_str(), list))
            .collect();
        let truth = lists(&queries);
        let run = order.iter().map(|&query| {
            let unjudged = (0..query % 7).map(|x| format!("x{x}"));
            (&names[query], unjudged.chain(["a".to_owned()]))
        });
        let run = Run::from_lists("mine", run);
        let request = EvaluationRequest {
            intervals: true,
            resamples: 200,
            ..request_for_measures(&["RR", "ADR"])
        };
        let found = evaluate_run(&request, &truth, &run);
        (found.mean, found.interval)
    };
    let given: Vec<usize> = (0..30).collect();
    let mut order = given.clone();
    shuffle(&mut stream(4, &[]), &mut order);
    assert_eq!(found(&given), found(&order));
}

#[test]
fn a_run_without_common_queries_is_rejected_with_the_queries_of_both_sides() {
    let truth = GroundTruth::from_groups([("q1", [vec!["a"]])]).unwrap();
    let other = Run::from_lists("mine", [("1", ["a"])]);
    let error = evaluate(
        &EvaluationRequest::default(),
        &truth,
        &[other],
        &SequentialWork,
    )
    .unwrap_err();
    let EvaluationError::NoCommonQuery(error) = error else {
        panic!("{error}")
    };
    assert_eq!(
        (error.run_queries, error.truth_queries),
        (vec!["1".to_owned()], vec!["q1".to_owned()])
    );
    // A run without any results is accepted as an empty one.
    let nothing = Run::new("mine");
    assert!(
        evaluate(
            &EvaluationRequest::default(),
            &truth,
            &[nothing],
            &SequentialWork
        )
        .is_ok()
    );
}

#[test]
fn a_run_with_less_than_half_of_the_queries_gets_a_note() {
    let queries = ["q1", "q2", "q3"].map(|query| (query, [vec!["a"]]));
    let truth = GroundTruth::from_groups(queries).unwrap();
    let run = |name: &str, queries: &[&str]| {
        Run::from_lists(name, queries.iter().map(|&query| (query, ["a"])))
    };
    let runs = [run("one", &["q1", "x"]), run("two", &["q1", "q2"])];
    let notes = evaluate(
        &EvaluationRequest::default(),
        &truth,
        &runs,
        &SequentialWork,
    )
    .unwrap()
    .notes;
    let few = EvaluationNote::LowQueryOverlap {
        runs: vec![("one".to_owned(), 1)],
        total: 3,
        missing: MissingQueryPolicy::Empty,
    };
    assert_eq!(notes[0], few);
    // Each run is in only one of the two notes.
    assert_eq!(notes[1].runs(), ["two"]);
}
