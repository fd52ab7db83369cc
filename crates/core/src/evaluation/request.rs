//! What is asked of an evaluation, and what there is to be said of it.

use std::collections::HashMap;

use partita_stats::bootstrap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::data::ground_truth::{TruthScale, UnknownQueryError};
use crate::data::run::{NoCommonQueryError, RunOrder, ScorePrecision, TieBreaking};
use crate::measure::MeasureError;
use crate::work::WorkError;

partita_named::named_enum! {
    /// What becomes of queries for which a run returned nothing.
    pub enum MissingQueryPolicy: "treatment of missing queries" {
        /// They are scored as an empty result
        Empty = "zero",
        /// They are left out of this run's means
        Skip = "skip" | "drop-query",
    }
}

partita_named::named_enum! {
    /// What becomes of queries for which nothing is relevant.
    pub enum NoRelevantPolicy: "treatment of queries without anything relevant" {
        /// Each measure decides: most give 0, ADR is undefined
        Score = "score",
        /// They are left out of all means
        Skip = "skip",
    }
}

/// What is asked of an evaluation.
#[derive(Clone, Debug)]
pub struct EvaluationRequest {
    /// The measures, as in `nDCG@5`. If none is named: ADR for a truth of groups, and ADR, nDCG@10, AP
    /// and RR for a graded one.
    pub measures: Vec<String>,
    /// The queries; all of the ground truth if none is named.
    pub queries: Vec<String>,
    /// What becomes of queries for which a run returned nothing.
    pub missing: MissingQueryPolicy,
    /// What becomes of queries for which nothing is relevant.
    pub no_relevant: NoRelevantPolicy,
    /// Whether documents that nobody judged are removed first (condensed lists).
    pub judged_only: bool,
    /// The strata of queries whose means are wanted too.
    pub strata: Option<QueryStrata>,
    /// How the intervals of means are found, if they are wanted.
    pub intervals: Option<MeanIntervalOptions>,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// The measure by which runs are sorted, best first; they stay as they come if there is none.
    pub sort: Option<String>,
    /// Whether the dynamic recall at every position is wanted.
    pub dynamic_recall: bool,
    /// Whether documents are counted as trec_eval counts them.
    pub counts: bool,
    /// How truth and runs were read, which is told with the result.
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

/// Strata of queries (genres, difficulties).
#[derive(Clone, Debug, Default)]
pub struct QueryStrata {
    /// The strata, in the order in which they are shown.
    pub names: Vec<String>,
    /// The stratum of each query.
    pub stratum_of: HashMap<String, String>,
}

/// How the interval of a mean is found: by resampling queries.
#[derive(Clone, Copy, Debug)]
pub struct MeanIntervalOptions {
    /// How the ends of the interval are placed.
    pub method: bootstrap::IntervalMethod,
    /// The share of such intervals that should hold the true mean.
    pub confidence: f64,
    /// The number of resamples.
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

/// How a ground truth and runs were read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputSettings {
    /// The file of the ground truth.
    pub truth: String,
    /// Whether judged items with a grade of 0 or less are the last group of the list.
    pub keep_zero: bool,
    /// What the order of documents was taken from.
    pub order: RunOrder,
    /// How documents with the same score were ordered.
    pub ties: TieBreaking,
    /// The precision in which scores were compared.
    pub score_precision: ScorePrecision,
}

/// How an evaluation was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvaluationSettings {
    /// How truth and runs were read, if they were read from files.
    #[serde(flatten)]
    #[serde(rename = "reading")]
    pub input: Option<InputSettings>,
    /// How the judgments were expressed.
    pub scale: TruthScale,
    /// What became of queries for which a run returned nothing.
    pub missing: MissingQueryPolicy,
    /// What became of queries for which nothing is relevant.
    pub no_relevant: NoRelevantPolicy,
    /// Whether documents that nobody judged were removed first.
    pub judged_only: bool,
    /// The seed of everything that was drawn.
    pub seed: u64,
    /// The confidence of the intervals, if there are any.
    pub confidence: Option<f64>,
    /// How many times queries were resampled for them.
    pub resamples: Option<usize>,
    /// How their ends were placed.
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

/// Why there is no evaluation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvaluationError {
    /// A measure cannot be made.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A query is not there.
    #[error(transparent)]
    Query(#[from] UnknownQueryError),
    /// A run has no query of the ground truth.
    #[error(transparent)]
    NoCommonQuery(#[from] NoCommonQueryError),
    /// A confidence is no share.
    #[error("a confidence must be between 0 and 1, not {0}")]
    Confidence(f64),
    /// Nothing is resampled.
    #[error("queries must be resampled at least once")]
    NoResamples,
    /// Runs cannot be sorted by something that is not measured.
    #[error("runs cannot be sorted by `{sort}`, which is not measured")]
    Sort {
        /// What they were to be sorted by.
        sort: String,
        /// What is measured.
        measures: Vec<String>,
    },
    /// The work was not finished.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// What there is to be said of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationNote {
    /// Nothing is relevant for some queries.
    QueriesWithoutRelevant {
        /// These queries.
        queries: Vec<String>,
        /// Of so many.
        total: usize,
        /// What became of them.
        no_relevant: NoRelevantPolicy,
    },
    /// A query is called `all`, as the mean is where it stands among queries.
    ReservedQueryName,
    /// There are too few queries to resample.
    TooFewQueriesToResample,
    /// Some queries are in no stratum.
    QueriesWithoutStratum {
        /// These queries.
        queries: Vec<String>,
        /// Of so many.
        total: usize,
    },
    /// Some runs have less than half of the queries.
    LowQueryOverlap {
        /// These runs, with how many of the queries each of them has.
        runs: Vec<(String, usize)>,
        /// Of so many.
        total: usize,
        /// What became of the others.
        missing: MissingQueryPolicy,
    },
    /// Some runs have at least half of the queries, and no result for the others.
    MissingQueries {
        /// These runs, with the queries that each of them lacks.
        runs: Vec<(String, Vec<String>)>,
        /// Of so many.
        total: usize,
        /// What became of them.
        missing: MissingQueryPolicy,
    },
}

impl EvaluationNote {
    /// What there is to be said of runs and the queries that each of them lacks, of so many.
    pub fn from_missing_queries(
        runs: impl IntoIterator<Item = (String, Vec<String>)>,
        of: usize,
        missing: MissingQueryPolicy,
    ) -> Vec<Self> {
        let runs = runs.into_iter().filter(|(_, lacking)| !lacking.is_empty());
        let has_few = |(_, lacking): &(String, Vec<String>)| 2 * (of - lacking.len()) < of;
        let (few, runs): (Vec<_>, Vec<_>) = runs.partition(has_few);
        let few: Vec<(String, usize)> = (few.into_iter())
            .map(|(run, lacking)| (run, of - lacking.len()))
            .collect();
        let mut remarks = Vec::new();
        if !few.is_empty() {
            remarks.push(Self::LowQueryOverlap {
                runs: few,
                total: of,
                missing,
            });
        }
        if !runs.is_empty() {
            remarks.push(Self::MissingQueries {
                runs,
                total: of,
                missing,
            });
        }
        remarks
    }

    /// The runs that it is about; none where it is about the ground truth.
    pub fn runs(&self) -> Vec<&str> {
        match self {
            Self::LowQueryOverlap { runs, .. } => {
                runs.iter().map(|(run, _)| run.as_str()).collect()
            }
            Self::MissingQueries { runs, .. } => runs.iter().map(|(run, _)| run.as_str()).collect(),
            _ => Vec::new(),
        }
    }
}
