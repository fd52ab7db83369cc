//! Facts that a reader of an evaluation should know.

use super::request::{MissingQueryPolicy, NoRelevantPolicy};

/// Fact about an evaluation that affects how its results should be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationNote {
    /// Some queries have no relevant items.
    QueriesWithoutRelevant {
        /// Names of these queries.
        queries: Vec<String>,
        /// Number of all queries.
        total: usize,
        /// Treatment of these queries.
        no_relevant: NoRelevantPolicy,
    },
    /// A query is named `all`, the name that CSV files use for the mean over queries.
    ReservedQueryName,
    /// There are too few queries to resample.
    TooFewQueriesToResample,
    /// Some queries are in no stratum.
    QueriesWithoutStratum {
        /// Names of these queries.
        queries: Vec<String>,
        /// Number of all queries.
        total: usize,
    },
    /// Some runs have results for less than half of the queries.
    LowQueryOverlap {
        /// Runs with the number of queries for which they have results.
        runs: Vec<(String, usize)>,
        /// Number of all queries.
        total: usize,
        /// Treatment of the missing queries.
        missing: MissingQueryPolicy,
    },
    /// Some runs have results for at least half of the queries, but not for all.
    MissingQueries {
        /// Runs with the queries for which they have no results.
        runs: Vec<(String, Vec<String>)>,
        /// Number of all queries.
        total: usize,
        /// Treatment of the missing queries.
        missing: MissingQueryPolicy,
    },
}

impl EvaluationNote {
    /// Creates the notes about missing queries, from the missing queries of each run and the number
    /// of all queries.
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

    /// Returns the runs that the note is about; empty if it is about the ground truth.
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
