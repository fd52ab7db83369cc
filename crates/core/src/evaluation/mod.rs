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
mod procedure;
mod request;
mod result;

pub use evaluator::{Evaluator, evaluate};
pub use procedure::{Procedure, Rules};
pub use request::{
    EvaluationError, Groups, Intervals, MissingQueries, NoRelevant, Reading, Remark, Request,
    Settings,
};
pub use result::{
    Evaluation, GroupMeans, GroupMembers, MeanInterval, NoScores, PerQuery, RunEvaluation,
};

/// The mean of the numbers that are there; `None` where none is.
pub fn mean(numbers: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    // Added up by size, so that their order changes no digit.
    let mut numbers: Vec<f64> = numbers.into_iter().flatten().collect();
    numbers.sort_unstable_by(f64::total_cmp);
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
