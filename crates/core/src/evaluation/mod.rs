//! Scoring of runs against a ground truth.
//!
//! An [`EvaluationRequest`] describes the job, an [`Evaluation`] is its result. The result owns its
//! data and contains all names, so that every front end can present it. [`evaluate`] takes runs
//! that are in memory. For many or large runs, an [`Evaluator`] scores one run at a time.
//!
//! ```
//! use partita_core::evaluation::{EvaluationRequest, evaluate};
//! use partita_core::work::SequentialWork;
//! use partita_core::{GroundTruth, Run};
//!
//! let truth = GroundTruth::from_groups([("q1", [vec!["1", "2"], vec!["3", "4", "5"]])])?;
//! let run = Run::from_lists("mine", [("q1", ["2", "3", "1", "5", "7", "8", "9", "4"])]);
//! let evaluation = evaluate(&EvaluationRequest::default(), &truth, &[run], &SequentialWork)?;
//! assert_eq!(evaluation.runs[0].mean.get("ADR"), Some(&Some(0.86)));
//! // The same scores, as comparisons and studies of reliability take them.
//! assert_eq!(evaluation.scores()?[0].row(0), [0.86]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluator;
mod note;
mod preset;
mod request;
mod result;
mod trec_eval_counts;
mod trec_eval_grades;

pub use evaluator::{Evaluator, evaluate};
pub use note::EvaluationNote;
pub use preset::{EvaluationPreset, EvaluationRules};
pub use request::{
    EvaluationError, EvaluationRequest, EvaluationSettings, InputSettings, MissingQueryPolicy,
    NoRelevantPolicy, QueryStrata,
};
pub use result::{
    Evaluation, EvaluationScoresError, MeanInterval, PerQueryScores, RunEvaluation, StratumMeans,
    StratumMembers,
};
pub use trec_eval_counts::{RECALL_LEVELS, TrecEvalCounts};
pub use trec_eval_grades::TruncatedGrades;

/// Computes the geometric mean of the scores that are present, as trec_eval does: scores below
/// 0.00001 count as 0.00001. Returns `None` if there are none.
pub fn geometric_mean(scores: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let logarithm = |score: Option<f64>| score.map(|score| score.max(0.00001).ln());
    mean(scores.into_iter().map(logarithm)).map(f64::exp)
}

/// Computes the mean of the numbers that are present. Returns `None` if there are none.
pub fn mean(numbers: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    // Sum in ascending order, so that the result does not depend on the order of the numbers.
    let mut numbers: Vec<f64> = numbers.into_iter().flatten().collect();
    numbers.sort_unstable_by(f64::total_cmp);
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
