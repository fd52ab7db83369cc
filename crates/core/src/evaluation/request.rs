//! Request of an evaluation: measures, queries, and treatment of missing or irrelevant data.

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
        /// Queries without results are scored as an empty result
        Empty = "zero",
        /// Queries without results are left out of this run's means
        Skip = "skip" | "drop-query",
    }
}

partita_named::named_enum! {
    /// Treatment of queries without relevant items.
    pub enum NoRelevantPolicy: "treatment of queries without anything relevant" {
        /// Each measure decides: most give 0, ADR is undefined
        Score = "score",
        /// Queries without relevant items are left out of all means
        Skip = "skip",
    }
}

/// Request to score runs against a ground truth: measures, queries and options.
#[derive(Clone, Debug)]
pub struct EvaluationRequest {
    /// Measures, as in `nDCG@5`. If empty, they are ADR for a ground truth of groups without
    /// grades, and ADR, nDCG@10, AP and RR for one with grades.
    pub measures: Vec<String>,
    /// Names of the queries to evaluate; all queries of the ground truth if empty.
    pub queries: Vec<String>,
    /// Treatment of queries for which a run returned nothing.
    pub missing: MissingQueryPolicy,
    /// Treatment of queries without relevant items.
    pub no_relevant: NoRelevantPolicy,
    /// True to remove unjudged documents before scoring (condensed lists, Sakai 2007).
    pub judged_only: bool,
    /// Strata of queries. Means are computed for each stratum in addition to all queries.
    pub strata: Option<QueryStrata>,
    /// Options of the confidence intervals of mean scores; `None` for no intervals.
    pub intervals: Option<MeanIntervalOptions>,
    /// Seed of the random numbers for bootstrap intervals.
    pub seed: u64,
    /// Measure by whose mean the runs are sorted, best first (equal means by ADRinv, if it is among
    /// the measures); `None` keeps the order of the runs.
    pub sort: Option<String>,
    /// True to report dynamic recall at every position, not only its average (ADR).
    pub dynamic_recall: bool,
    /// True to report the numbers of returned and relevant documents and the interpolated precision
    /// that trec_eval prints.
    pub counts: bool,
    /// Settings with which the ground truth and the runs were read from files. The result repeats
    /// them.
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
    /// Name of the stratum by query name.
    pub stratum_of: HashMap<String, String>,
}

/// Options of the bootstrap confidence interval of a mean over queries.
#[derive(Clone, Copy, Debug)]
pub struct MeanIntervalOptions {
    /// Bootstrap method that computes the limits of the confidence intervals.
    pub method: bootstrap::IntervalMethod,
    /// Nominal coverage probability of the interval, such as 0.95.
    pub confidence: f64,
    /// Number of bootstrap resamples of the queries.
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

/// Settings with which a ground truth and runs were read from files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputSettings {
    /// Name of the ground truth file.
    pub truth: String,
    /// True if judged items with a grade of 0 or less form the last group of a query's list;
    /// otherwise they are left out of the list.
    pub keep_zero: bool,
    /// Column of a run file that determines the order of its documents.
    pub order: RunOrder,
    /// Order of documents to which a run gives equal scores.
    pub ties: TieBreaking,
    /// Floating-point precision in which scores of documents were compared.
    pub score_precision: ScorePrecision,
}

/// Settings with which an evaluation was computed, repeated in its result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvaluationSettings {
    /// Settings with which the ground truth and the runs were read, if they were read from files.
    #[serde(flatten)]
    #[serde(rename = "reading")]
    pub input: Option<InputSettings>,
    /// Scale of the judgments in the ground truth: groups or grades.
    pub scale: TruthScale,
    /// Treatment of queries for which a run returned nothing.
    pub missing: MissingQueryPolicy,
    /// Treatment of queries without relevant items.
    pub no_relevant: NoRelevantPolicy,
    /// True if unjudged documents were removed before scoring.
    pub judged_only: bool,
    /// Seed of the random numbers for bootstrap intervals.
    pub seed: u64,
    /// Nominal coverage probability of the confidence intervals, if they were requested.
    pub confidence: Option<f64>,
    /// Number of bootstrap resamples for the confidence intervals, if they were requested.
    pub resamples: Option<usize>,
    /// Bootstrap method that computes the limits of the confidence intervals, if they were
    /// requested.
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

/// Error that prevents an evaluation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvaluationError {
    /// A requested measure has an unknown name, or an invalid parameter or cut-off.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A requested query is not in the ground truth.
    #[error(transparent)]
    Query(#[from] UnknownQueryError),
    /// A run has no query in common with the ground truth.
    #[error(transparent)]
    NoCommonQuery(#[from] NoCommonQueryError),
    /// The requested confidence of intervals is not between 0 and 1.
    #[error("a confidence must be between 0 and 1, not {0}")]
    Confidence(f64),
    /// The requested number of bootstrap resamples is 0.
    #[error("queries must be resampled at least once")]
    NoResamples,
    /// The measure to sort runs by is not among the measures of the request.
    #[error("runs cannot be sorted by `{sort}`, which is not measured")]
    Sort {
        /// Measure by which the request sorts the runs.
        sort: String,
        /// Measures of the request.
        measures: Vec<String>,
    },
    /// The evaluation was cancelled.
    #[error(transparent)]
    Work(#[from] WorkError),
}
