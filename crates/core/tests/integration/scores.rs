//! Score matrices, also with separate scores for each assessor.

use partita_core::*;

#[test]
fn invalid_assessor_scores_are_rejected() {
    let new = |judges: &[&str], values: &[f64]| {
        let judges = judges.iter().copied();
        AssessorScores::new("AP", ["a"], ["q"], judges, values.to_vec())
    };
    let message = |judges: &[&str], values: &[f64]| new(judges, values).unwrap_err().to_string();
    assert_eq!(message(&[], &[]), "there is no judge");
    assert_eq!(
        message(&["x", "x"], &[0.0, 0.0]),
        "two judges are called `x`"
    );
    assert!(message(&["x", "y"], &[0.0]).contains("have 2 scores, not 1"));
    assert!(message(&["x", "y"], &[0.0, f64::NAN]).contains("NaN"));
}

#[test]
fn invalid_score_matrices_are_rejected() {
    let new = |systems: &[&str], queries: &[&str], values: &[f64]| {
        let (systems, queries) = (systems.iter().copied(), queries.iter().copied());
        ScoreMatrix::new("AP", systems, queries, values.to_vec())
    };
    let message = |result: Result<ScoreMatrix, ScoreMatrixError>| result.unwrap_err().to_string();
    assert_eq!(
        message(new(&[], &["q"], &[])),
        "there are 0 systems and 1 queries"
    );
    assert_eq!(
        message(new(&["a", "a"], &["q"], &[0.0, 0.0])),
        "two systems are called `a`"
    );
    assert_eq!(
        message(new(&["a"], &["q", "q"], &[0.0, 0.0])),
        "two queries are called `q`"
    );
    assert_eq!(
        message(new(&["a", "b"], &["q"], &[0.0])),
        "2 systems and 1 queries have 2 scores, not 1"
    );
    assert_eq!(
        message(new(&["a", "b"], &["q", "r"], &[0.0, 1.0, 2.0, f64::NAN])),
        "the score of `b` on `r` is NaN"
    );
}

#[test]
fn partly_scored_and_unscored_queries_are_reported_separately()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{MissingScorePolicy, ScoreMatrix};

    let values = vec![Some(0.5), None, Some(0.2), Some(0.3), None, None];
    let (systems, queries) = (["bm25", "dfr"], ["q1", "q2", "q3"]);
    let found = ScoreMatrix::from_partial(
        "AP",
        systems,
        queries,
        values,
        MissingScorePolicy::DropQuery,
    )?;
    assert_eq!(found.scores.queries(), ["q2"]);
    assert_eq!(
        (found.dropped_queries, found.unscored_queries),
        (vec![0], vec![2])
    );
    Ok(())
}
