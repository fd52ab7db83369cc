//! Results of a reliability study.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::TestSpec;
use super::outcome_shares::OutcomeShares;

/// Result of a reliability study: how often other query sets lead to the same conclusions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReliabilityStudy {
    /// Seed of the random streams.
    pub seed: u64,
    /// Number of random query sets per size; the set of all queries is used once.
    pub trials: u64,
    /// Tolerance for smaller query sets: a size is sufficient if its sets, and those of all larger
    /// sizes, miss, on average, at most this many of the pairs that are significant on all queries.
    pub miss: f64,
    /// Measures of the study, with the numbers of their systems and queries.
    pub measures: Vec<StudyMeasure>,
    /// Results by measure, test and query set size.
    pub cells: Vec<SizeResult>,
    /// Power and stability of each measure and test with about half and with all of the queries, as
    /// in Table 1 of Urbano, Martín, Marrero and Morato (2011).
    pub table_1: Vec<PowerAndStability>,
    /// Smallest sufficient query set size for each measure and test.
    pub smaller: Vec<SmallerQuerySet>,
    /// Discriminative power of each measure and test: share of pairs of systems that are
    /// significant on all queries, by significance level.
    pub discriminative: Vec<DiscriminativePower>,
}

/// Measure of a reliability study, with the numbers of its systems and queries.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StudyMeasure {
    /// Name of the measure.
    pub measure: String,
    /// Number of systems.
    pub systems: usize,
    /// Number of queries.
    pub queries: usize,
    /// Number of pairs of systems.
    pub pairs: usize,
    /// True if queries were sampled by strata, such as genres.
    pub stratified: bool,
    /// Number of queries in each stratum, by name; null without strata.
    pub strata: Option<BTreeMap<String, usize>>,
}

/// Name of a measure, and a significance test with its options.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TestConfiguration {
    /// Name of the measure.
    pub measure: String,
    /// Name of the significance test.
    pub test: String,
    /// Significance level.
    pub alpha: f64,
    /// Number of tails: 2, or 1 for two one-tailed tests, each at level `alpha`.
    pub tails: u8,
    /// Correction for multiple comparisons, if any.
    pub correction: Option<String>,
}

impl TestConfiguration {
    pub(super) fn new(measure: &str, test: &TestSpec) -> Self {
        Self {
            measure: measure.to_owned(),
            test: test.name().to_owned(),
            alpha: test.alpha(),
            tails: test.tails().count(),
            correction: test.correction().map(str::to_owned),
        }
    }

    /// Returns the names of the test and its correction, without the significance level.
    pub fn procedure(&self) -> String {
        match &self.correction {
            Some(correction) => format!("{}, {correction}", self.test),
            None => self.test.clone(),
        }
    }
}

/// Formats the test as it is written on the command line, such as `t:0.05:holm`.
impl fmt::Display for TestConfiguration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.test, self.alpha)?;
        match &self.correction {
            Some(correction) => write!(f, ":{correction}"),
            None => Ok(()),
        }
    }
}

/// Result of a measure and a test at one query set size.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SizeResult {
    /// Measure and test.
    #[serde(flatten)]
    #[serde(rename = "tested")]
    pub test: TestConfiguration,
    /// Number of queries per set.
    pub size: usize,
    /// Outcomes of the test on the drawn query sets, as shares of all comparisons.
    #[serde(flatten)]
    pub shares: OutcomeShares,
    /// Names of the queries in the drawn set that misses the fewest pairs that are significant on
    /// all queries.
    pub best_queries: Vec<String>,
}

/// Power and stability with half and with all of the queries: a row of Table 1 of Urbano, Martín,
/// Marrero and Morato (2011).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PowerAndStability {
    /// Measure and test.
    #[serde(flatten)]
    #[serde(rename = "tested")]
    pub test: TestConfiguration,
    /// Result at the largest studied size that leaves enough queries for second samples, by default
    /// about half of the queries; null if no studied size does.
    pub half: Option<HalfSizeResult>,
    /// Result with all queries in one sample.
    pub all: FullSizeResult,
    /// Smallest number of queries with which a corrected p-value can be below alpha; null if all
    /// queries are too few.
    pub possible_from: Option<usize>,
}

/// Power and stability at the largest studied size that leaves enough queries for second samples.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct HalfSizeResult {
    /// Number of queries per sample.
    pub size: usize,
    /// Power: share of comparisons that are significant in the first sample.
    pub power: f64,
    /// Share of comparisons that are conflicts: significant in the first sample and not confirmed
    /// by the second.
    pub conflicts: f64,
    /// Share of comparisons that are stable: significant in both samples, in the same direction.
    pub stable: f64,
}

/// Power and stability with all queries in one sample.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct FullSizeResult {
    /// Number of all queries.
    pub size: usize,
    /// Power: share of pairs that are significant on all queries.
    pub power: f64,
    /// Share of stable pairs: power minus the share of conflicts at the largest studied size with
    /// second samples; null if there is no such size.
    pub stable: Option<f64>,
}

/// Smallest sufficient query set size: sets of this size miss no more significant pairs than
/// allowed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SmallerQuerySet {
    /// Measure and test.
    #[serde(flatten)]
    #[serde(rename = "tested")]
    pub test: TestConfiguration,
    /// Number of all queries.
    pub queries: usize,
    /// Number of pairs of systems that are significant on all queries.
    pub significant: usize,
    /// Largest accepted mean number of missed pairs: pairs that are significant on all queries, but
    /// with a smaller query set not at all or in the opposite direction.
    pub may_miss: f64,
    /// Smallest size that misses at most `may_miss` pairs on average, as do all larger sizes; null
    /// if there is none.
    pub size: Option<usize>,
    /// Mean number of pairs that query sets of this `size` miss; null if `size` is null.
    pub missed: Option<f64>,
}

/// Discriminative power: share of pairs of systems that are significant on all queries, by
/// significance level.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiscriminativePower {
    /// Measure and test.
    #[serde(flatten)]
    #[serde(rename = "tested")]
    pub test: TestConfiguration,
    /// Share of pairs of systems that are significant on all queries, at selected significance
    /// levels.
    pub shares: Vec<PowerAtLevel>,
    /// P-values of all pairs of systems on all queries, ascending.
    pub p_values: Vec<f64>,
}

/// Share of pairs of systems that are significant at one significance level.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct PowerAtLevel {
    /// Significance level.
    pub alpha: f64,
    /// Share of pairs of systems with a p-value below `alpha`.
    pub share: f64,
}

/// Significance levels at which the discriminative power is reported.
const LEVELS: [f64; 7] = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

impl DiscriminativePower {
    /// Creates the discriminative power of a test from the p-values of all pairs, in any order.
    pub(super) fn new(test: TestConfiguration, mut p_values: Vec<f64>) -> Self {
        p_values.sort_by(f64::total_cmp);
        let mut power = Self {
            test,
            shares: Vec::new(),
            p_values,
        };
        power.shares = (LEVELS.iter())
            .map(|&alpha| PowerAtLevel {
                alpha,
                share: power.share_at(alpha),
            })
            .collect();
        power
    }

    /// Returns the share of pairs with a p-value below alpha.
    pub fn share_at(&self, alpha: f64) -> f64 {
        let below = self.p_values.partition_point(|p| *p < alpha);
        below as f64 / self.p_values.len() as f64
    }
}
