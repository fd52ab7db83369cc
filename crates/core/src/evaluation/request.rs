//! Request of an evaluation, its policies and settings.

use std::collections::HashMap;

use partita_stats::bootstrap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::data::ground_truth::{TruthScale, UnknownQueryError};
use crate::data::run::{NoCommonQueryError, RunOrder, ScorePrecision, TieBreaking};
use crate::measure::MeasureError;
use crate::work::WorkError;

partita_named::named_enum! {
    /// Treatment of queries for which a run returned nothing.
    pub enum MissingQueryPolicy: "treatment of missing queries" {
        /// They are scored as an empty result
        Empty = "zero",
        /// They are left out of this run's means
        Skip = "skip" | "drop-query",
    }
}

partita_named::named_enum! {
    /// Treatment of queries without relevant items.
    pub enum NoRelevantPolicy: "treatment of queries without anything relevant" {
        /// Each measure decides: most give 0, ADR is undefined
        Score = "score",
        /// They are left out of all means
        Skip = "skip",
    }
}

/// Request of an evaluation.
#[derive(Clone, Debug)]
pub struct EvaluationRequest {
    /// Measures, as in `nDCG@5`. Defaults to ADR for a truth of groups, and to ADR, nDCG@10, AP and
    /// RR for a graded one.
    pub measures: Vec<String>,
    /// Names of the queries; all queries of the ground truth if empty.
    pub queries: Vec<String>,
    /// Treatment of queries for which a run returned nothing.
    pub missing: MissingQueryPolicy,
    /// Treatment of queries without relevant items.
    pub no_relevant: NoRelevantPolicy,
    /// Removes unjudged documents before scoring (condensed lists) if true.
    pub judged_only: bool,
    /// Strata of queries. Means are computed for each stratum in addition to all queries.
    pub strata: Option<QueryStrata>,
    /// Options of the confidence intervals of means; `None` for no intervals.
    pub intervals: Option<MeanIntervalOptions>,
    /// Seed of all random draws.
    pub seed: u64,
    /// Measure by which runs are sorted, best first; `None` keeps their order.
    pub sort: Option<String>,
    /// Computes dynamic recall at every position if true.
    pub dynamic_recall: bool,
    /// Counts documents as trec_eval does if true.
    pub counts: bool,
    /// Settings with which truth and runs were read. They are repeated in the result.
    pub input: Option<InputSettings>,
}

impl Default for EvaluationRequest {
    fn default() -> Self {
        Self {
            measures: Vec::new(),
            queries: Vec::new(),
            missing: MissingQueryPolicy::Empty,
            no_relevant: NoRelevantPolicy::Score,
            judged_only: false,
            strata: None,
            intervals: None,
            seed: 1,
            sort: None,
            dynamic_recall: false,
            counts: false,
            input: None,
        }
    }
}

/// Assignment of queries to strata, such as genres or levels of difficulty.
#[derive(Clone, Debug, Default)]
pub struct QueryStrata {
    /// Names of the strata, in the order of presentation.
    pub names: Vec<String>,
    /// Stratum of each query.
    pub stratum_of: HashMap<String, String>,
}

/// Options of the bootstrap confidence interval of a mean over queries.
#[derive(Clone, Copy, Debug)]
pub struct MeanIntervalOptions {
    /// Bootstrap method for the interval limits.
    pub method: bootstrap::IntervalMethod,
    /// Nominal coverage of the interval.
    pub confidence: f64,
    /// Number of resamples.
    pub resamples: usize,
}

impl Default for MeanIntervalOptions {
    fn default() -> Self {
        Self {
            method: bootstrap::IntervalMethod::Bca,
            confidence: 0.95,
            resamples: 10_000,
        }
    }
}

/// Settings with which a ground truth and runs were read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputSettings {
    /// File of the ground truth.
    pub truth: String,
    /// True if judged items with a grade of 0 or less form the last group of the list.
    pub keep_zero: bool,
    /// Source of the order of documents.
    pub order: RunOrder,
    /// Order of documents with equal scores.
    pub ties: TieBreaking,
    /// Precision in which scores were compared.
    pub score_precision: ScorePrecision,
}

/// Settings with which an evaluation was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvaluationSettings {
    /// Settings with which truth and runs were read, if they were read from files.
    #[serde(flatten)]
    #[serde(rename = "reading")]
    pub input: Option<InputSettings>,
    /// Scale on which the judgments were given.
    pub scale: TruthScale,
    /// Treatment of queries for which a run returned nothing.
    pub missing: MissingQueryPolicy,
    /// Treatment of queries without relevant items.
    pub no_relevant: NoRelevantPolicy,
    /// True if unjudged documents were removed before scoring.
    pub judged_only: bool,
    /// Seed of all random draws.
    pub seed: u64,
    /// Confidence of the intervals, if there are any.
    pub confidence: Option<f64>,
    /// Number of resamples for the intervals.
    pub resamples: Option<usize>,
    /// Bootstrap method for the interval limits.
    pub interval_method: Option<bootstrap::IntervalMethod>,
}

impl EvaluationSettings {
    pub(super) fn new(request: &EvaluationRequest, scale: TruthScale) -> Self {
        Self {
            input: request.input.clone(),
            scale,
            missing: request.missing,
            no_relevant: request.no_relevant,
            judged_only: request.judged_only,
            seed: request.seed,
            confidence: request.intervals.map(|intervals| intervals.confidence),
            resamples: request.intervals.map(|intervals| intervals.resamples),
            interval_method: request.intervals.map(|intervals| intervals.method),
        }
    }
}

/// Error of an evaluation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvaluationError {
    /// A measure is invalid.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A query is not in the ground truth.
    #[error(transparent)]
    Query(#[from] UnknownQueryError),
    /// A run has no query in common with the ground truth.
    #[error(transparent)]
    NoCommonQuery(#[from] NoCommonQueryError),
    /// The confidence is not between 0 and 1.
    #[error("a confidence must be between 0 and 1, not {0}")]
    Confidence(f64),
    /// The number of resamples is 0.
    #[error("queries must be resampled at least once")]
    NoResamples,
    /// The sort key is not among the measures.
    #[error("runs cannot be sorted by `{sort}`, which is not measured")]
    Sort {
        /// Requested sort key.
        sort: String,
        /// Measures of the request.
        measures: Vec<String>,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Work(#[from] WorkError),
}
