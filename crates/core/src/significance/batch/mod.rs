//! Tests of systems on many samples of the queries.
//!
//! The tests are those of [`crate::significance`], with the same names and meaning. Most have a
//! fast form here, one file each, that decides whole batches of samples from statistics prepared
//! once. Its decisions equal those of the reference test: p < alpha, strictly. Statistics too close
//! to a critical value are decided by the reference test. A test without a fast form runs sample by
//! sample.
//!
//! Differences of scores, and scores that are ranked, are first rounded relative to their size, as
//! in `compare` ([`partita_stats::differences`]). The Wilcoxon and sign tests drop zeros. The
//! permutation test counts all choices of signs for up to 10 queries, and draws 999 beyond.

pub(super) mod corrected;
pub(crate) mod fixed_point_scores;
pub(crate) mod friedman_tukey;
pub(super) mod per_sample;
pub(crate) mod permutation;
#[cfg(test)]
mod reference_tests;
pub(crate) mod sample_batch;
pub(crate) mod sign;
mod signed_ranks;
pub(crate) mod t_test;
pub(crate) mod verdict;
pub(crate) mod wilcoxon;
pub(crate) mod wilcoxon_normal;

use partita_stats::PValues;
use partita_stats::differences::{Rounding, max_abs};

use super::tails::Tails;
use crate::ScoreMatrix;
use sample_batch::{LANES, SampleBatch};
use verdict::SystemPairVerdict;

/// Parameters of a significance test: level, tails, and the seed of its random numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestParameters {
    pub(crate) alpha: f64,
    pub(crate) tails: Tails,
    pub(crate) seed: u64,
}

impl TestParameters {
    /// Returns the level of one tail: alpha/2 for the two-tailed test, alpha for one-tailed tests.
    fn tail_level(self) -> f64 {
        self.alpha / f64::from(self.tails.count())
    }

    /// Selects the p-value that is compared with alpha: the two-tailed one, or the smaller of the
    /// two one-tailed ones.
    fn p_value(self, p: PValues) -> f64 {
        self.tails.p_value(p)
    }
}

/// P-value of the test of two systems, and which of them is ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemPairPValue {
    /// P-value that is compared with alpha.
    pub p: f64,
    /// Positive if the first system is ahead, negative if the second is.
    pub lead: f64,
}

/// Significance test of all pairs of systems, prepared for the scores of one measure. Pairs are in
/// the order (0, 1), (0, 2), ..., (1, 2), ...
pub(crate) trait PairTest: Send + Sync {
    /// Tests all pairs of systems on all samples of a batch and stores the results in `verdicts`.
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts);

    /// Returns the p-value of every pair of systems on the sample in a lane of the batch.
    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue>;
}

/// Verdicts on every pair of systems (rows) for every sample of a batch (columns), as integers of
/// [`SystemPairVerdict::code`].
#[derive(Clone, Debug)]
pub(crate) struct BatchVerdicts(Vec<[i16; LANES]>);

impl BatchVerdicts {
    /// Creates a table for `pairs` pairs of systems in which no system is ahead.
    pub(crate) fn new(pairs: usize) -> Self {
        Self(vec![[0; LANES]; pairs])
    }

    /// Returns the verdict on a pair of systems for the sample in a lane.
    #[cfg(test)]
    fn get(&self, pair: usize, lane: usize) -> SystemPairVerdict {
        SystemPairVerdict::from_code(self.0[pair][lane])
    }

    /// Stores the verdict on a pair of systems for the sample in a lane.
    fn set(&mut self, pair: usize, lane: usize, verdict: SystemPairVerdict) {
        self.0[pair][lane] = verdict.code();
    }

    /// Sets the verdicts on all pairs and samples of a batch by comparing the p-values of a test
    /// with alpha.
    fn set_by_p_values(&mut self, test: &dyn PairTest, batch: &SampleBatch, alpha: f64) {
        for lane in 0..batch.len() {
            for (pair, evidence) in test.p_values(batch, lane).into_iter().enumerate() {
                self.set(
                    pair,
                    lane,
                    SystemPairVerdict::new(evidence.lead, evidence.p < alpha),
                );
            }
        }
    }

    /// Returns the verdicts as integers of [`SystemPairVerdict::code`], one row per pair of
    /// systems.
    pub(crate) fn codes(&self) -> &[[i16; LANES]] {
        &self.0
    }
}

/// Iterates over all pairs (a, b) with a < b of `systems` systems, in the order (0, 1), (0, 2),
/// ..., (1, 2), ...
pub(crate) fn pairs(systems: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..systems).flat_map(move |a| (a + 1..systems).map(move |b| (a, b)))
}

/// Returns the score differences of every pair of systems on every query, rounded relative to the
/// size of the scores.
fn differences(scores: &ScoreMatrix) -> Vec<Vec<f64>> {
    let systems = scores.systems().len();
    let columns: Vec<Vec<f64>> = (0..systems).map(|system| scores.column(system)).collect();
    let of_pair = |(a, b): (usize, usize)| {
        let scale = max_abs(columns[a].iter().chain(&columns[b]));
        Rounding::Relative.round_all(&scores.differences(a, b), scale)
    };
    pairs(systems).map(of_pair).collect()
}

/// Returns the differences of a pair of systems on the given queries.
fn select_queries(differences: &[f64], queries: &[u32]) -> Vec<f64> {
    let of_query = |&query: &u32| differences[query as usize];
    queries.iter().map(of_query).collect()
}
