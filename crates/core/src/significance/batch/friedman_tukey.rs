//! Friedman's ranks and Tukey's HSD over all pairs, as MIREX runs them.
//!
//! The ranks within a query do not depend on the other queries, so they are computed once, doubled
//! to be integers. A sample then needs only their sums. A pair differs if its rank sums differ by
//! more than the critical difference of [`partita_stats::friedman`].

use partita_stats::differences::Rounding;
use partita_stats::distribution::studentized_range;
use partita_stats::friedman::{FriedmanTest, rank_variance};
use partita_stats::ranks::{midranks, tie_sum};

use super::sample_batch::{LANES, SampleBatch};
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters, pairs};
use crate::ScoreMatrix;

/// Tolerance, relative to the critical difference of doubled rank sums. If the critical difference
/// is this close to an integer, the p-value of that integer decides, because rounding error could
/// change the comparison.
const CRITICAL_VALUE_TOLERANCE: f64 = 1e-9;

/// Friedman test with Tukey's comparisons, prepared for many samples of the queries.
struct FriedmanTukey {
    alpha: f64,
    systems: usize,
    /// Twice the rank of each system (midranks become integers), one row per query.
    ranks: Vec<u32>,
    /// Tie correction Σ(t³-t) of each query, over groups of t systems with equal scores.
    ties: Vec<u64>,
    /// Critical value: quantile 1 - alpha of the studentized range distribution.
    critical: f64,
}

/// Prepares the Friedman test with Tukey's comparisons for samples of the queries of these scores.
pub(crate) fn prepare(scores: &ScoreMatrix, parameters: TestParameters) -> Box<dyn PairTest> {
    let systems = scores.systems().len();
    let rows: Vec<&[f64]> = scores.rows().collect();
    let (rows, _) = Rounding::Relative.round_rows(&rows);
    let doubled = |row: &Vec<f64>| -> Vec<u32> {
        let ranks = midranks(row).expect("scores are finite");
        ranks.into_iter().map(|rank| (2.0 * rank) as u32).collect()
    };
    let critical = studentized_range::quantile(1.0 - parameters.alpha, systems, f64::INFINITY);
    Box::new(FriedmanTukey {
        alpha: parameters.alpha,
        systems,
        ranks: rows.iter().flat_map(doubled).collect(),
        ties: (rows.iter())
            .map(|row| tie_sum(row).expect("scores are finite") as u64)
            .collect(),
        critical: critical.expect("alpha is a level, and there are two systems at least"),
    })
}

impl FriedmanTukey {
    /// Sums the doubled ranks of each system over a sample of queries into `sums`. Returns the sum
    /// of the tie corrections of these queries.
    fn sum(&self, queries: &[u32], sums: &mut [u32]) -> u64 {
        sums.fill(0);
        let mut ties = 0;
        for &query in queries {
            let query = query as usize;
            let row = &self.ranks[query * self.systems..(query + 1) * self.systems];
            for (sum, rank) in sums.iter_mut().zip(row) {
                *sum += rank;
            }
            ties += self.ties[query];
        }
        ties
    }

    /// Creates the Friedman test of a sample from its rank sums, equal to what `partita-stats`
    /// computes from the scores, but without the omnibus test (χ² and p are NaN).
    fn friedman(&self, queries: &[u32], sums: &[u32], ties: u64) -> FriedmanTest {
        let (n, tie_sum) = (queries.len(), ties as f64);
        let mean_rank = |&sum: &u32| 0.5 * f64::from(sum) / n as f64;
        FriedmanTest {
            n,
            mean_ranks: sums.iter().map(mean_rank).collect(),
            tie_sum,
            rank_variance: rank_variance(n, self.systems, tie_sum),
            // The comparisons of pairs do not use the omnibus test.
            chi_squared: f64::NAN,
            df: self.systems as f64 - 1.0,
            p: f64::NAN,
        }
    }

    /// Returns the largest difference of doubled rank sums of two systems that is not significant;
    /// `i32::MAX` if all ranks are tied.
    fn critical_difference(&self, queries: &[u32], sums: &[u32], ties: u64) -> i32 {
        let test = self.friedman(queries, sums, ties);
        if test.rank_variance == 0.0 {
            return i32::MAX;
        }
        let doubled = 2.0 * queries.len() as f64;
        let difference = doubled * self.critical * test.standard_error();
        let nearest = difference.round();
        if (difference - nearest).abs() > CRITICAL_VALUE_TOLERANCE * difference {
            return difference as i32;
        }
        let p = studentized_range::sf(
            nearest / doubled / test.standard_error(),
            self.systems,
            f64::INFINITY,
        );
        let significant = p.is_ok_and(|p| p < self.alpha);
        nearest as i32 - i32::from(significant)
    }
}

impl PairTest for FriedmanTukey {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        let mut sums = vec![0; self.systems];
        let mut by_system = vec![[0i32; LANES]; self.systems];
        let mut critical = [i32::MAX; LANES];
        for (lane, queries) in batch.samples().enumerate() {
            let ties = self.sum(queries, &mut sums);
            critical[lane] = self.critical_difference(queries, &sums, ties);
            for (sums, &sum) in by_system.iter_mut().zip(&sums) {
                sums[lane] = sum as i32;
            }
        }
        for ((a, b), verdicts) in pairs(self.systems).zip(&mut verdicts.0) {
            let (a, b) = (&by_system[a], &by_system[b]);
            for lane in 0..LANES {
                let difference = a[lane] - b[lane];
                let ahead = i32::from(difference > 0) - i32::from(difference < 0);
                let significant = i32::from(difference > critical[lane])
                    - i32::from(difference < -critical[lane]);
                verdicts[lane] = (ahead + significant) as i16;
            }
        }
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let queries = batch.sample(lane);
        let mut sums = vec![0; self.systems];
        let ties = self.sum(queries, &mut sums);
        let tukey = self.friedman(queries, &sums, ties).tukey(self.alpha);
        let tukey = tukey.expect("alpha is a level, and there are two systems at least");
        let evidence = tukey.pairs.iter().map(|pair| SystemPairPValue {
            p: pair.p,
            lead: pair.diff,
        });
        evidence.collect()
    }
}
