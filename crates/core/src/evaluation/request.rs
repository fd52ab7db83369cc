//! Request of an evaluation: measures, queries, and treatment of missing or irrelevant data.

use std::collections::HashMap;

use partita_stats::bootstrap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::preset::{EvaluationPreset, EvaluationRules};
use crate::data::ground_truth::{TruthScale, UnknownQueryError};
use crate::data::run::{NoCommonQueryError, RunOrder, ScorePrecision, TieBreaking};
use crate::measure::MeasureError;
use crate::work::WorkError;

partita_named::named_enum! {
    /// Treatment of queries for which a run returned nothing.
    pub enum MissingQueryPolicy: "treatment of missing queries" = Empty {
        /// Queries without results are scored as an empty result
        Empty = "zero",
        /// Queries without results are left out of this run's means
        Skip = "skip" | "drop-query",
    }
}

partita_named::named_enum! {
    /// Treatment of queries without relevant items.
    pub enum NoRelevantPolicy: "treatment of queries without anything relevant" = Score {
        /// Each measure decides: most give 0, ADR is undefined
        Score = "score",
        /// Queries without relevant items are left out of all means
        Skip = "skip",
    }
}

/// Request to score runs against a ground truth: the options of `partita evaluate`. Its fields are
/// read from JSON by the names of the options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationRequest {
    /// Measures, as in `nDCG@5`. If empty, they are those of the procedure `like`; without one, ADR
    /// for a ground truth of groups without grades, and ADR, nDCG@10, AP and RR for one with grades.
    #[serde(rename = "measure")]
    pub measures: Vec<String>,
    /// Published procedure whose measures and rules apply, except for those given here.
    pub like: Option<EvaluationPreset>,
    /// Names of the queries to evaluate; all queries of the ground truth if empty.
    #[serde(rename = "query")]
    pub queries: Vec<String>,
    /// Treatment of queries for which a run returned nothing; `None` for that of the procedure.
    pub missing: Option<MissingQueryPolicy>,
    /// Treatment of queries without relevant items.
    pub no_relevant: NoRelevantPolicy,
    /// True to remove unjudged documents before scoring (condensed lists, Sakai 2007).
    pub judged_only: bool,
    /// Column that gives the order of the documents when runs are read; `None` for that of the
    /// procedure.
    pub order: Option<RunOrder>,
    /// Order of documents with equal scores when runs are read; `None` for that of the procedure.
    pub ties: Option<TieBreaking>,
    /// Precision in which scores of documents are compared when runs are read; `None` for that of
    /// the procedure.
    pub score_precision: Option<ScorePrecision>,
    /// Strata of queries. Means are computed for each stratum in addition to all queries.
    #[serde(skip)]
    pub strata: Option<QueryStrata>,
    /// True to compute confidence intervals of the mean scores, by resampling queries.
    pub intervals: bool,
    /// Nominal coverage probability of the intervals.
    pub confidence: f64,
    /// Number of bootstrap resamples of the queries for the intervals.
    pub resamples: usize,
    /// Bootstrap method that computes the limits of the intervals.
    pub interval_method: bootstrap::IntervalMethod,
    /// Seed of the random numbers for bootstrap intervals.
    pub seed: u64,
    /// Measure by whose mean the runs are sorted, best first (equal means by ADRinv, if it is among
    /// the measures); `None` keeps the order of the runs.
    pub sort: Option<String>,
    /// True to report dynamic recall at every position, not only its average (ADR).
    #[serde(skip)]
    pub dynamic_recall: bool,
    /// Settings with which the ground truth and the runs were read from files. The result repeats
    /// them.
    #[serde(skip)]
    pub input: Option<InputSettings>,
}

impl Default for EvaluationRequest {
    fn default() -> Self {
        Self {
            measures: Vec::new(),
            like: None,
            queries: Vec::new(),
            missing: None,
            no_relevant: NoRelevantPolicy::default(),
            judged_only: false,
            order: None,
            ties: None,
            score_precision: None,
            strata: None,
            intervals: false,
            confidence: 0.95,
            resamples: 10_000,
            interval_method: bootstrap::IntervalMethod::Bca,
            seed: 1,
            sort: None,
            dynamic_recall: false,
            input: None,
        }
    }
}

impl EvaluationRequest {
    /// Returns the rules of the procedure, or the default ones without a procedure, except for
    /// those that the request gives.
    pub fn rules(&self) -> EvaluationRules {
        let usual = self
            .like
            .map_or_else(Default::default, EvaluationPreset::rules);
        EvaluationRules {
            missing: self.missing.unwrap_or(usual.missing),
            order: self.order.unwrap_or(usual.order),
            ties: self.ties.unwrap_or(usual.ties),
            score_precision: self.score_precision.unwrap_or(usual.score_precision),
        }
    }

    /// Returns true to report what trec_eval prints with its default measures: the numbers of
    /// returned and relevant documents and the interpolated precision. They are undefined for
    /// averages over tied orders.
    pub(super) fn counts(&self) -> bool {
        self.like == Some(EvaluationPreset::TrecEval)
            && self.measures.is_empty()
            && self.rules().ties != TieBreaking::Average
    }

    /// Returns the names of the requested measures, or else those of the procedure; empty for the
    /// default measures.
    pub(super) fn measure_names(&self) -> Vec<String> {
        match self.like {
            Some(procedure) if self.measures.is_empty() => {
                let names = procedure.measures().iter();
                names.map(|&name| name.to_owned()).collect()
            }
            _ => self.measures.clone(),
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
            missing: request.rules().missing,
            no_relevant: request.no_relevant,
            judged_only: request.judged_only,
            seed: request.seed,
            confidence: request.intervals.then_some(request.confidence),
            resamples: request.intervals.then_some(request.resamples),
            interval_method: request.intervals.then_some(request.interval_method),
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
