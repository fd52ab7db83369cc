//! What a study of reliability answers.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::TestSpec;
use super::outcome_shares::OutcomeShares;

/// How often other queries would lead to the same conclusions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReliabilityStudy {
    /// The seed of all that was drawn.
    pub seed: u64,
    /// How many query sets of each size were drawn.
    pub trials: u64,
    /// How many significant pairs a smaller query set may miss to be named as enough.
    pub miss: f64,
    /// The measures.
    pub measures: Vec<StudyMeasure>,
    /// What was found by each measure and test at each size.
    pub cells: Vec<SizeResult>,
    /// Table 1 of Urbano, Martín, Marrero and Morato (2011).
    pub table_1: Vec<PowerAndStability>,
    /// Which smaller query sets would have led to the same conclusions.
    pub smaller: Vec<SmallerQuerySet>,
    /// How many pairs differ significantly on all queries at every level.
    pub discriminative: Vec<DiscriminativePower>,
}

/// A measure of a study.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StudyMeasure {
    /// The measure.
    pub measure: String,
    /// The number of systems.
    pub systems: usize,
    /// The number of queries.
    pub queries: usize,
    /// The number of pairs of systems.
    pub pairs: usize,
    /// Whether queries were drawn by strata.
    pub stratified: bool,
    /// The queries of each stratum.
    pub strata: Option<BTreeMap<String, usize>>,
}

/// What was tested, and how.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TestConfiguration {
    /// The measure.
    pub measure: String,
    /// The test.
    pub test: String,
    /// Its level.
    pub alpha: f64,
    /// Two, or one where it was one-tailed both ways, each at the level.
    pub tails: u8,
    /// Its correction for the number of pairs.
    pub correction: Option<String>,
}

impl TestConfiguration {
    pub(crate) fn new(measure: &str, test: &TestSpec) -> Self {
        Self {
            measure: measure.to_owned(),
            test: test.name().to_owned(),
            alpha: test.alpha(),
            tails: test.tails().count(),
            correction: test.correction().map(str::to_owned),
        }
    }

    /// The test and its correction, whatever the level.
    pub fn procedure(&self) -> String {
        match &self.correction {
            Some(correction) => format!("{}, {correction}", self.test),
            None => self.test.clone(),
        }
    }
}

/// The test as it is asked for, without the measure.
impl fmt::Display for TestConfiguration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.test, self.alpha)?;
        match &self.correction {
            Some(correction) => write!(f, ":{correction}"),
            None => Ok(()),
        }
    }
}

/// What was found by a measure and a test at a size.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SizeResult {
    /// The measure and the test.
    #[serde(flatten)]
    #[serde(rename = "tested")]
    pub test: TestConfiguration,
    /// The number of queries.
    pub size: usize,
    /// What was found.
    #[serde(flatten)]
    pub shares: OutcomeShares,
    /// The query set drawn that misses the fewest pairs.
    pub best_queries: Vec<String>,
}

/// A row of Table 1 of Urbano, Martín, Marrero and Morato (2011).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PowerAndStability {
    /// The measure and the test.
    #[serde(flatten)]
    #[serde(rename = "tested")]
    pub test: TestConfiguration,
    /// At the largest size with second samples, which is about half of the queries.
    pub half: Option<HalfSizeResult>,
    /// With all queries.
    pub all: FullSizeResult,
    /// The fewest queries with which a p-value can be below the level; null where there are not so many.
    pub possible_from: Option<usize>,
}

/// Power and stability at the largest size with second samples.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct HalfSizeResult {
    /// The size.
    pub size: usize,
    /// The share of significant pairs.
    pub power: f64,
    /// The share of conflicts.
    pub conflicts: f64,
    /// The share of stable pairs.
    pub stable: f64,
}

/// Power and stability with all queries.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct FullSizeResult {
    /// The number of queries.
    pub size: usize,
    /// The share of significant pairs.
    pub power: f64,
    /// The power less the conflicts at the smaller size, where there is one.
    pub stable: Option<f64>,
}

/// Which smaller query set would have led to the same conclusions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SmallerQuerySet {
    /// The measure and the test.
    #[serde(flatten)]
    #[serde(rename = "tested")]
    pub test: TestConfiguration,
    /// The number of queries.
    pub queries: usize,
    /// How many pairs are significant on all of them.
    pub significant: usize,
    /// How many of them may be missed on average.
    pub may_miss: f64,
    /// The smallest size that misses no more.
    pub size: Option<usize>,
    /// How many it misses.
    pub missed: Option<f64>,
}

/// How many pairs differ significantly on all queries at every level.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiscriminativePower {
    /// The measure and the test.
    #[serde(flatten)]
    #[serde(rename = "tested")]
    pub test: TestConfiguration,
    /// The share of significant pairs at some levels.
    pub shares: Vec<PowerAtLevel>,
    /// The p-values of all pairs on all queries, ascending.
    pub p_values: Vec<f64>,
}

/// The share of significant pairs at a level.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct PowerAtLevel {
    /// The level.
    pub alpha: f64,
    /// The share.
    pub share: f64,
}

impl DiscriminativePower {
    /// The share of pairs with a p-value below alpha.
    pub fn share_at(&self, alpha: f64) -> f64 {
        let below = self.p_values.partition_point(|p| *p < alpha);
        below as f64 / self.p_values.len() as f64
    }
}
