//! The answer of an evaluation.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::request::{EvaluationNote, EvaluationSettings};
use super::trec_eval_counts::TrecEvalCounts;
use crate::data::ordered_map::OrderedMap;
use crate::data::score_matrix::{ScoreMatrix, ScoreMatrixError};

/// The scores of runs on the queries of a ground truth.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Evaluation {
    /// The measures, as they were asked for.
    pub measures: Vec<String>,
    /// The formula of each measure as it is computed.
    pub formulas: OrderedMap<String>,
    /// How the evaluation was done.
    pub settings: EvaluationSettings,
    /// The strata of the queries, if there are any.
    pub strata: Vec<StratumMembers>,
    /// The runs.
    pub runs: Vec<RunEvaluation>,
    /// What there is to be said of all this.
    #[serde(skip)]
    #[serde(rename = "remarks")]
    pub notes: Vec<EvaluationNote>,
}

/// The scores of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunEvaluation {
    /// The run.
    pub run: String,
    /// The number of queries.
    pub queries: usize,
    /// The queries for which it returned nothing.
    pub missing: Vec<String>,
    /// For each measure the mean share of unjudged documents as deep as it looks, over the queries
    /// with any document there.
    pub unjudged: OrderedMap<f64>,
    /// For each measure the number of those documents in all queries.
    #[serde(serialize_with = "counts")]
    pub unjudged_documents: OrderedMap<f64>,
    /// For each measure the mean over the queries that have a score.
    pub mean: OrderedMap<Option<f64>>,
    /// The means of the lowest scores over all orders of tied documents, if the run ties any.
    pub min: Option<OrderedMap<Option<f64>>>,
    /// The means of the highest scores over all orders of tied documents, if the run ties any.
    pub max: Option<OrderedMap<Option<f64>>>,
    /// The intervals of the means, if they were asked for; none where fewer than two queries have a
    /// score.
    pub interval: Option<OrderedMap<Option<MeanInterval>>>,
    /// The queries for which a measure is undefined, for each measure that has any.
    pub undefined: OrderedMap<Vec<String>>,
    /// The means over strata of queries, if there are any.
    pub strata: Vec<StratumMeans>,
    /// The score of each query by each measure.
    pub per_query: PerQueryScores,
    /// The lowest scores over all orders of tied documents, if the run ties any.
    pub per_query_min: Option<PerQueryScores>,
    /// The highest scores over all orders of tied documents, if the run ties any.
    pub per_query_max: Option<PerQueryScores>,
    /// The dynamic recall at the positions 1, ..., n of each query that is scored, n being the length
    /// of its list, if it was asked for.
    pub dynamic_recall: Option<OrderedMap<Vec<f64>>>,
    /// How many documents the longest of its lists has.
    #[serde(skip)]
    pub depth: usize,
    /// What trec_eval counts, for each query that is scored, if it was asked for.
    #[serde(skip)]
    pub counts: Option<Vec<Option<TrecEvalCounts>>>,
}

/// A confidence interval of a mean over queries such as these.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanInterval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// The share of such intervals that should hold the true mean.
    pub confidence: f64,
}

/// A stratum of queries, such as a genre.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StratumMembers {
    /// The stratum; nothing for the queries that are in none.
    pub stratum: Option<String>,
    /// Its queries.
    pub queries: Vec<String>,
}

/// The means over a stratum of queries.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StratumMeans {
    /// The stratum; nothing for the queries that are in none.
    pub stratum: Option<String>,
    /// The number of its queries.
    pub queries: usize,
    /// For each measure the mean over those that have a score.
    pub mean: OrderedMap<Option<f64>>,
}

/// The scores of a run by query and measure: in JSON an object of objects, without what has no score.
#[derive(Clone, Debug, PartialEq)]
pub struct PerQueryScores {
    pub(super) queries: Arc<[String]>,
    pub(super) measures: Arc<[String]>,
    /// For each measure the score of each query.
    pub(super) columns: Vec<Vec<Option<f64>>>,
}

impl PerQueryScores {
    /// The score of a query by a measure.
    pub fn get(&self, query: &str, measure: &str) -> Option<f64> {
        let query = self.queries.iter().position(|name| name == query)?;
        let measure = self.measures.iter().position(|name| name == measure)?;
        self.columns[measure][query]
    }

    /// The queries.
    pub fn queries(&self) -> &[String] {
        &self.queries
    }

    /// The scores of all queries by the measure with this number. Panics if there is no such
    /// measure.
    pub fn column(&self, measure: usize) -> &[Option<f64>] {
        &self.columns[measure]
    }
}

/// The scores of one query by measure.
struct QueryRow<'a>(&'a PerQueryScores, usize);

impl QueryRow<'_> {
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

/// Counts, which are whole numbers unless they are means over the orders of ties.
fn counts<S: Serializer>(counts: &OrderedMap<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    let number = |count: &f64| match count.fract() {
        0.0 => serde_json::Number::from(*count as u64),
        _ => serde_json::Number::from_f64(*count).expect("a count is finite"),
    };
    serializer.collect_map(counts.iter().map(|(name, count)| (name, number(count))))
}

/// Why an evaluation is no matrix of scores.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum EvaluationScoresError {
    /// A run has no score for a query that another has one for.
    #[error("the run `{run}` has no score by {measure} for the query `{query}`, and others have")]
    MissingScore {
        run: String,
        measure: String,
        query: String,
    },
    /// The scores cannot be such.
    #[error("{measure}: {error}")]
    Scores {
        measure: String,
        error: ScoreMatrixError,
    },
}

impl Evaluation {
    /// The scores by each measure, as comparisons, plans and studies of reliability take them. Queries
    /// for which no run has a score are left out.
    ///
    /// # Errors
    /// [`NoScores`] where only some runs have a score for a query, or no query has one.
    pub fn scores(&self) -> Result<Vec<ScoreMatrix>, EvaluationScoresError> {
        let measures = self.measures.iter().enumerate();
        measures
            .map(|(number, name)| self.scores_by(number, name))
            .collect()
    }

    fn scores_by(
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
