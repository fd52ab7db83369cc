//! Result of an evaluation: scores of runs by query and measure, means and intervals.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::note::EvaluationNote;
use super::request::EvaluationSettings;
use super::trec_eval_counts::TrecEvalCounts;
use crate::data::ordered_map::OrderedMap;
use crate::data::score_matrix::{ScoreMatrix, ScoreMatrixError};

/// Scores of runs on the queries of a ground truth.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Evaluation {
    /// Measures in canonical notation, in the order of the request. ERR names the highest
    /// grade that it takes from the ground truth: `ERR(max=3)@20`.
    pub measures: Vec<String>,
    /// Formula of each measure, with its name and parameters: `AP(rel=2) = ...`.
    pub formulas: OrderedMap<String>,
    /// Settings with which the evaluation was computed.
    pub settings: EvaluationSettings,
    /// Strata with the names of their queries; empty if none were given.
    pub strata: Vec<StratumMembers>,
    /// Results of the runs, best first if a sort measure was requested.
    pub runs: Vec<RunEvaluation>,
    /// Warnings about the data, such as queries without relevant items.
    #[serde(skip)]
    #[serde(rename = "remarks")]
    pub notes: Vec<EvaluationNote>,
}

/// Scores of one run on all queries, by query and averaged.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunEvaluation {
    /// Name of the run.
    pub run: String,
    /// Number of queries of the evaluation, including those left out of the means of this run.
    pub queries: usize,
    /// Names of the queries for which the run returned nothing.
    pub missing: Vec<String>,
    /// For each measure, share of unjudged documents among the ranks that it reads, averaged over
    /// the scored queries with at least one document there; 0 if there are none.
    pub unjudged: OrderedMap<f64>,
    /// For each measure, number of unjudged documents among the ranks that it reads, summed over
    /// the scored queries.
    #[serde(serialize_with = "serialize_counts")]
    pub unjudged_documents: OrderedMap<f64>,
    /// For each measure, mean score over the queries that have a score; null if none has.
    pub mean: OrderedMap<Option<f64>>,
    /// For each measure, mean over queries of the lowest score that any order of the tied documents
    /// gives; absent if the run ties no documents.
    pub min: Option<OrderedMap<Option<f64>>>,
    /// For each measure, mean over queries of the highest score that any order of the tied
    /// documents gives; absent if the run ties no documents.
    pub max: Option<OrderedMap<Option<f64>>>,
    /// For each measure, confidence interval of the mean score, if requested; null if fewer than
    /// two queries have a score, or if all scores are equal.
    pub interval: Option<OrderedMap<Option<MeanInterval>>>,
    /// Names of the queries for which a measure is undefined, for each measure with such queries.
    pub undefined: OrderedMap<Vec<String>>,
    /// Mean scores over the queries of each stratum; empty if no strata were given.
    pub strata: Vec<StratumMeans>,
    /// Score of the run on each query by each measure.
    pub per_query: PerQueryScores,
    /// Lowest score on each query that any order of the tied documents gives; absent if the run
    /// ties no documents.
    pub per_query_min: Option<PerQueryScores>,
    /// Highest score on each query that any order of the tied documents gives; absent if the run
    /// ties no documents.
    pub per_query_max: Option<PerQueryScores>,
    /// Dynamic recall at positions 1, ..., n of each scored query, if requested; n is the length of
    /// the query's list.
    pub dynamic_recall: Option<OrderedMap<Vec<f64>>>,
    /// Number of documents in the run's longest ranking of an evaluated query, including unjudged
    /// ones.
    #[serde(skip)]
    pub depth: usize,
    /// Document counts that trec_eval reports, for each query of the evaluation (`None` if it was
    /// not scored), if requested.
    #[serde(skip)]
    pub counts: Option<Vec<Option<TrecEvalCounts>>>,
}

/// Confidence interval of the mean score over the population that the queries were sampled from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanInterval {
    /// Lower confidence limit of the mean score.
    pub lower: f64,
    /// Upper confidence limit of the mean score.
    pub upper: f64,
    /// Nominal coverage probability of the interval, such as 0.95.
    pub confidence: f64,
}

/// Stratum (class of queries, such as a genre) with the names of its queries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StratumMembers {
    /// Name of the stratum; null for the queries that belong to no stratum.
    pub stratum: Option<String>,
    /// Names of the queries of the stratum.
    pub queries: Vec<String>,
}

/// Mean scores of a run over the queries of one stratum.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StratumMeans {
    /// Name of the stratum; null for the queries that belong to no stratum.
    pub stratum: Option<String>,
    /// Number of queries in the stratum.
    pub queries: usize,
    /// For each measure, mean score over the queries of the stratum that have a score; null if none
    /// has.
    pub mean: OrderedMap<Option<f64>>,
}

/// Scores of a run by query and measure. In JSON an object of objects, without missing scores.
#[derive(Clone, Debug, PartialEq)]
pub struct PerQueryScores {
    pub(super) queries: Arc<[String]>,
    pub(super) measures: Arc<[String]>,
    /// One column per measure, in each the score of every query.
    pub(super) columns: Vec<Vec<Option<f64>>>,
}

impl PerQueryScores {
    /// Returns the score of the run on a query by a measure, both given by name; `None` if there is
    /// no such query, measure or score.
    pub fn get(&self, query: &str, measure: &str) -> Option<f64> {
        let query = self.queries.iter().position(|name| name == query)?;
        let measure = self.measures.iter().position(|name| name == measure)?;
        self.columns[measure][query]
    }

    /// Returns the names of the queries.
    pub fn queries(&self) -> &[String] {
        &self.queries
    }

    /// Returns the scores of all queries by the measure with this index. Panics if there is no such
    /// measure.
    pub fn column(&self, measure: usize) -> &[Option<f64>] {
        &self.columns[measure]
    }
}

/// Scores of the query with the index `.1`, serialized as a map from measure name to score.
struct QueryRow<'a>(&'a PerQueryScores, usize);

impl QueryRow<'_> {
    /// Iterates over the measures that have a score for the query, with the score.
    fn scores(&self) -> impl Iterator<Item = (&String, f64)> {
        let Self(all, query) = *self;
        let scores = all.measures.iter().zip(&all.columns);
        scores.filter_map(move |(measure, column)| Some((measure, column[query]?)))
    }
}

impl Serialize for QueryRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.scores())
    }
}

impl Serialize for PerQueryScores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (number, query) in self.queries.iter().enumerate() {
            let row = QueryRow(self, number);
            if row.scores().next().is_some() {
                map.serialize_entry(query, &row)?;
            }
        }
        map.end()
    }
}

impl JsonSchema for PerQueryScores {
    fn schema_name() -> Cow<'static, str> {
        "PerQuery".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let scores = generator.subschema_for::<OrderedMap<f64>>();
        json_schema!({"type": "object", "additionalProperties": scores})
    }
}

/// Serializes each count as an integer if it is whole. Counts that are means over the orders of
/// tied documents may be fractional.
fn serialize_counts<S: Serializer>(
    counts: &OrderedMap<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let number = |count: &f64| match count.fract() {
        0.0 => serde_json::Number::from(*count as u64),
        _ => serde_json::Number::from_f64(*count).expect("a count is finite"),
    };
    serializer.collect_map(counts.iter().map(|(name, count)| (name, number(count))))
}

/// Error of an evaluation whose scores do not form a complete matrix of queries and runs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum EvaluationScoresError {
    /// A run has no score for a query for which another run has one.
    #[error("the run `{run}` has no score by {measure} for the query `{query}`, and others have")]
    MissingScore {
        run: String,
        measure: String,
        query: String,
    },
    /// The scores do not form a [`ScoreMatrix`].
    #[error("{measure}: {error}")]
    Scores {
        measure: String,
        error: ScoreMatrixError,
    },
}

impl Evaluation {
    /// Returns the score matrix of each measure, for comparisons, plans and reliability studies.
    /// Queries for which no run has a score are left out.
    ///
    /// # Errors
    /// Returns [`EvaluationScoresError`] if only some runs have a score for a query, if no query
    /// has one, or if two runs have the same name.
    pub fn scores(&self) -> Result<Vec<ScoreMatrix>, EvaluationScoresError> {
        let measures = self.measures.iter().enumerate();
        measures
            .map(|(number, name)| self.score_matrix(number, name))
            .collect()
    }

    /// Returns the score matrix of the measure with this number and name.
    fn score_matrix(
        &self,
        number: usize,
        measure: &str,
    ) -> Result<ScoreMatrix, EvaluationScoresError> {
        let columns: Vec<&[Option<f64>]> = (self.runs.iter())
            .map(|run| run.per_query.column(number))
            .collect();
        let all: &[String] = self.runs.first().map_or(&[], |run| run.per_query.queries());
        let (mut queries, mut values) = (Vec::new(), Vec::new());
        for (query, name) in all.iter().enumerate() {
            if columns.iter().all(|column| column[query].is_none()) {
                continue;
            }
            queries.push(name.as_str());
            for (run, column) in self.runs.iter().zip(&columns) {
                values.push(
                    column[query].ok_or_else(|| EvaluationScoresError::MissingScore {
                        run: run.run.clone(),
                        measure: measure.to_owned(),
                        query: name.clone(),
                    })?,
                );
            }
        }
        let runs = self.runs.iter().map(|run| run.run.as_str());
        ScoreMatrix::new(measure, runs, queries, values).map_err(|error| {
            EvaluationScoresError::Scores {
                measure: measure.to_owned(),
                error,
            }
        })
    }
}
