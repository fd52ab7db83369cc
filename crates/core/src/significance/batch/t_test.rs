//! Batched Student's paired t-test.
//!
//! The differences of a sample and their squares are summed for several pairs of systems (a tile)
//! in parallel. Differences are centred at the mean over all queries so that the squares do not
//! cancel. The sums of a tile stay in the L1 cache while all samples of a batch are processed.

use std::sync::OnceLock;

use partita_stats::distribution::student_t;
use partita_stats::t_test::one_sample;

use super::sample_batch::SampleBatch;
use super::verdict::SystemPairVerdict;
use super::{
    BatchVerdicts, PairTest, SystemPairPValue, TestParameters, differences, select_queries,
};
use crate::ScoreMatrix;

/// Relative distance of a test statistic from its critical value below which the pair is decided by
/// the p-value of the unbatched test, because rounding error could change the comparison.
const CRITICAL_VALUE_TOLERANCE: f64 = 1e-6;

/// Number of pairs of systems per tile, whose sums are computed in parallel and fit into vector
/// registers.
const TILE_PAIRS: usize = 8;

/// Centred score differences of the pairs of a tile on one query, and their squares; or the sums of
/// both over several queries.
#[derive(Clone, Copy, Default)]
struct TileMoments {
    centred: [f64; TILE_PAIRS],
    squares: [f64; TILE_PAIRS],
}

impl TileMoments {
    /// Sums the centred differences and squares of a tile over the queries of a sample. `tile` has
    /// one row per query.
    #[inline]
    fn sum(tile: &[Self], queries: &[u32]) -> Self {
        let mut sums = Self::default();
        for &query in queries {
            let row = &tile[query as usize];
            for pair in 0..TILE_PAIRS {
                sums.centred[pair] += row.centred[pair];
                sums.squares[pair] += row.squares[pair];
            }
        }
        sums
    }
}

/// Paired t-test prepared for many samples of the queries.
struct TTestBatch {
    parameters: TestParameters,
    differences: Vec<Vec<f64>>,
    /// Mean score difference of every pair of systems over all queries.
    centres: Vec<f64>,
    queries: usize,
    /// Centred differences and squares, ordered by tile of pairs, then by query.
    moments: Vec<TileMoments>,
    /// Squared critical value of the t statistic, indexed by sample size and computed on first use.
    critical: Vec<OnceLock<f64>>,
}

/// Prepares the paired t-test for samples of the queries of these scores.
pub(crate) fn prepare(scores: &ScoreMatrix, parameters: TestParameters) -> Box<dyn PairTest> {
    let differences = differences(scores);
    let queries = scores.queries().len();
    let mean = |d: &Vec<f64>| d.iter().sum::<f64>() / queries as f64;
    let centres: Vec<f64> = differences.iter().map(mean).collect();
    let mut moments = vec![TileMoments::default(); queries * centres.len().div_ceil(TILE_PAIRS)];
    for (pair, (of_pair, centre)) in differences.iter().zip(&centres).enumerate() {
        let tile = &mut moments[pair / TILE_PAIRS * queries..][..queries];
        for (moments, difference) in tile.iter_mut().zip(of_pair) {
            let centred = difference - centre;
            moments.centred[pair % TILE_PAIRS] = centred;
            moments.squares[pair % TILE_PAIRS] = centred * centred;
        }
    }
    Box::new(TTestBatch {
        parameters,
        differences,
        centres,
        queries,
        moments,
        critical: vec![OnceLock::new(); queries + 1],
    })
}

impl TTestBatch {
    /// Returns the squared critical value of the t statistic for samples of `size` queries.
    fn squared_critical_t(&self, size: usize) -> f64 {
        *self.critical[size].get_or_init(|| {
            let t = student_t::quantile(self.parameters.tail_level(), size as f64 - 1.0);
            // The t-test of one difference is undefined and never significant.
            t.map_or(f64::INFINITY, |t| t * t)
        })
    }

    /// Runs the unbatched t-test of a pair of systems on one sample of queries.
    fn reference_test(&self, pair: usize, queries: &[u32]) -> SystemPairPValue {
        match one_sample(&select_queries(&self.differences[pair], queries)) {
            Ok(test) if test.standard_error > 0.0 => SystemPairPValue {
                p: self.parameters.p_value(test.p),
                lead: test.mean_difference,
            },
            // The variance of a single difference is undefined, and differences without variance
            // are not tested.
            _ => SystemPairPValue {
                p: 1.0,
                lead: select_queries(&self.differences[pair], queries)
                    .iter()
                    .sum(),
            },
        }
    }
}

impl PairTest for TTestBatch {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        let n = batch.size() as f64;
        let critical = self.squared_critical_t(batch.size());
        let tiles = self.moments.chunks_exact(self.queries);
        for (number, (tile, centres)) in tiles.zip(self.centres.chunks(TILE_PAIRS)).enumerate() {
            for (lane, queries) in batch.samples().enumerate() {
                let sums = TileMoments::sum(tile, queries);
                for (place, centre) in centres.iter().enumerate() {
                    let pair = number * TILE_PAIRS + place;
                    let (sum, squares) = (sums.centred[place], sums.squares[place]);
                    let mean = centre + sum / n;
                    // (n-1) times the variance; t² = n(n-1) mean²/spread.
                    let spread = squares - sum * sum / n;
                    let (found, bound) = (n * (n - 1.0) * mean * mean, critical * spread);
                    let clear = spread > 1e-6 * squares
                        && mean.abs() > 1e-12
                        && (found - bound).abs() > CRITICAL_VALUE_TOLERANCE * bound;
                    let verdict = if clear && batch.size() > 1 {
                        SystemPairVerdict::new(mean, found > bound)
                    } else {
                        let evidence = self.reference_test(pair, queries);
                        SystemPairVerdict::new(evidence.lead, evidence.p < self.parameters.alpha)
                    };
                    verdicts.set(pair, lane, verdict);
                }
            }
        }
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let queries = batch.sample(lane);
        let pairs = 0..self.differences.len();
        pairs
            .map(|pair| self.reference_test(pair, queries))
            .collect()
    }
}
