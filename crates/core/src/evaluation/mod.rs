//! Scoring runs against a ground truth.
//!
//! A [`Request`] says what is asked, an [`Evaluation`] is the answer: named, owned, the same whoever
//! shows it. [`evaluate`] takes runs that are at hand; where they are many and large, an [`Evaluator`]
//! scores them one after the other, and none needs to be kept.
//!
//! ```
//! use partita_core::evaluation::{Request, evaluate};
//! use partita_core::work::InTurn;
//! use partita_core::{GroundTruth, Run};
//!
//! let truth = GroundTruth::of_groups([("q1", [vec!["1", "2"], vec!["3", "4", "5"]])])?;
//! let run = Run::of("mine", [("q1", ["2", "3", "1", "5", "7", "8", "9", "4"])]);
//! let evaluation = evaluate(&Request::default(), &truth, &[run], &InTurn)?;
//! assert_eq!(evaluation.runs[0].mean.get("ADR"), Some(&Some(0.86)));
//! // The same scores, as comparisons and studies of reliability take them.
//! assert_eq!(evaluation.scores()?[0].row(0), [0.86]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluator;
mod preset;
mod request;
mod result;
mod trec_eval_counts;

pub use evaluator::{Evaluator, evaluate};
pub use preset::{EvaluationPreset, EvaluationRules};
pub use request::{
    EvaluationError, EvaluationNote, EvaluationRequest, EvaluationSettings, InputSettings,
    MeanIntervalOptions, MissingQueryPolicy, NoRelevantPolicy, QueryStrata,
};
pub use result::{
    Evaluation, EvaluationScoresError, MeanInterval, PerQueryScores, RunEvaluation, StratumMeans,
    StratumMembers,
};
pub use trec_eval_counts::{RECALL_LEVELS, TrecEvalCounts};

/// The geometric mean of the scores that are there, as trec_eval takes it: 0.00001 stands for all that are
/// lower. `None` where none is there.
pub fn geometric_mean(scores: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let logarithm = |score: Option<f64>| score.map(|score| score.max(0.00001).ln());
    mean(scores.into_iter().map(logarithm)).map(f64::exp)
}

/// The mean of the numbers that are there; `None` where none is.
pub fn mean(numbers: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    // Added up by size, so that their order changes no digit.
    let mut numbers: Vec<f64> = numbers.into_iter().flatten().collect();
    numbers.sort_unstable_by(f64::total_cmp);
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
