//! Warnings about an evaluation, such as queries without relevant items.

use super::request::{MissingQueryPolicy, NoRelevantPolicy};
use super::result::Evaluation;
use super::trec_eval_grades::TruncatedGrades;

/// Warning about an evaluation that affects how its results should be read.
#[derive(Clone, Debug, PartialEq)]
pub enum EvaluationNote {
    /// Some queries have no relevant items.
    QueriesWithoutRelevant {
        /// Names of the queries without relevant items.
        queries: Vec<String>,
        /// Number of all evaluated queries.
        total: usize,
        /// Treatment of queries without relevant items.
        no_relevant: NoRelevantPolicy,
    },
    /// A query is named `all`, the name that the output of trec_eval uses for means over queries.
    ReservedQueryName,
    /// Some grades are not whole numbers, and the procedure of trec_eval drops their decimals.
    TruncatedGrades(TruncatedGrades),
    /// Bootstrap intervals were requested, but there are fewer than two queries.
    TooFewQueriesToResample,
    /// Bootstrap intervals were requested, but there are so few queries that they contain the mean
    /// less often than they state.
    FewQueriesToResample {
        /// Smallest number of queries behind a mean.
        queries: usize,
    },
    /// Bootstrap intervals were requested, but some means have none, because resampling the queries
    /// does not change them.
    ConstantScores {
        /// Names of the run and of the measure of each mean without an interval.
        scores: Vec<(String, String)>,
    },
    /// Some queries are not assigned to any stratum, although strata were given.
    QueriesWithoutStratum {
        /// Names of the queries without a stratum.
        queries: Vec<String>,
        /// Number of all evaluated queries.
        total: usize,
    },
    /// Some runs have results for less than half of the queries.
    LowQueryOverlap {
        /// Names of the runs, each with the number of queries for which it has results.
        runs: Vec<(String, usize)>,
        /// Number of all evaluated queries.
        total: usize,
        /// Treatment of queries for which a run has no results.
        missing: MissingQueryPolicy,
    },
    /// Some runs have results for at least half of the queries, but not for all.
    MissingQueries {
        /// Names of the runs, each with the names of the queries for which it has no results.
        runs: Vec<(String, Vec<String>)>,
        /// Number of all evaluated queries.
        total: usize,
        /// Treatment of queries for which a run has no results.
        missing: MissingQueryPolicy,
    },
}

impl EvaluationNote {
    /// Returns the note on output in the format of trec_eval, in which a query named `all` looks like
    /// a mean, if the evaluation has such a query.
    pub fn for_trec_eval_output(evaluation: &Evaluation) -> Option<Self> {
        let queries = evaluation.runs.first()?.per_query.queries();
        let is_reserved = queries.iter().any(|query| query == "all");
        is_reserved.then_some(Self::ReservedQueryName)
    }

    /// Creates the warnings about missing queries. `runs` holds, for each run, the queries for
    /// which it has no results; `total` is the number of all queries.
    pub fn from_missing_queries(
        runs: impl IntoIterator<Item = (String, Vec<String>)>,
        total: usize,
        missing: MissingQueryPolicy,
    ) -> Vec<Self> {
        let runs = runs.into_iter().filter(|(_, lacking)| !lacking.is_empty());
        let has_few = |(_, lacking): &(String, Vec<String>)| 2 * (total - lacking.len()) < total;
        let (few, runs): (Vec<_>, Vec<_>) = runs.partition(has_few);
        let few: Vec<(String, usize)> = (few.into_iter())
            .map(|(run, lacking)| (run, total - lacking.len()))
            .collect();
        let mut notes = Vec::new();
        if !few.is_empty() {
            notes.push(Self::LowQueryOverlap {
                runs: few,
                total,
                missing,
            });
        }
        if !runs.is_empty() {
            notes.push(Self::MissingQueries {
                runs,
                total,
                missing,
            });
        }
        notes
    }

    /// Returns the names of the runs that the warning is about; empty if it is not about certain
    /// runs.
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
