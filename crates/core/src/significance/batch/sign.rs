//! Batched sign test.

use partita_stats::sign_test::from_counts;

use super::sample_batch::SampleBatch;
use super::verdict::SystemPairVerdict;
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters, differences};
use crate::ScoreMatrix;

/// Number of pairs of systems per tile. The pairs of a tile are counted in parallel in vector
/// registers, and the counts stay in the L1 cache while all samples of a batch are processed.
const TILE_PAIRS: usize = 16;

/// Signs of the score differences of the pairs of a tile on one query: 1 in the lower 32 bits if
/// the difference is positive, 1 in the upper 32 bits if it is negative, so that one addition
/// counts both.
type TileSigns = [u64; TILE_PAIRS];

/// Sign test prepared for many samples of the queries.
struct SignTestBatch {
    parameters: TestParameters,
    pairs: usize,
    queries: usize,
    /// Signs of all score differences, ordered by tile of pairs, then by query.
    signs: Vec<TileSigns>,
    /// Critical values, indexed by the number of nonzero differences: the largest count of the
    /// rarer sign that is significant, if any.
    critical: Vec<Option<u64>>,
}

/// Prepares the sign test for samples of the queries of these scores.
pub(crate) fn prepare(scores: &ScoreMatrix, parameters: TestParameters) -> Box<dyn PairTest> {
    let differences = differences(scores);
    let queries = scores.queries().len();
    let mut signs: Vec<TileSigns> =
        vec![[0; TILE_PAIRS]; queries * differences.len().div_ceil(TILE_PAIRS)];
    for (pair, of_pair) in differences.iter().enumerate() {
        let tile = &mut signs[pair / TILE_PAIRS * queries..][..queries];
        for (signs, difference) in tile.iter_mut().zip(of_pair) {
            let negative = u64::from(*difference < 0.0) << 32;
            signs[pair % TILE_PAIRS] = u64::from(*difference > 0.0) | negative;
        }
    }
    // The critical value never decreases with the number of differences, so each search continues
    // from the last.
    let mut known: Option<usize> = None;
    let critical = |n: usize| {
        let significant = |rare: usize| {
            2 * rare <= n && parameters.p_value(from_counts(n - rare, rare).p) < parameters.alpha
        };
        while significant(known.map_or(0, |rare| rare + 1)) {
            known = Some(known.map_or(0, |rare| rare + 1));
        }
        known.map(|rare| rare as u64)
    };
    Box::new(SignTestBatch {
        parameters,
        pairs: differences.len(),
        queries,
        signs,
        critical: (0..=queries).map(critical).collect(),
    })
}

impl SignTestBatch {
    /// Iterates over the tiles of pairs; yields the index of the first pair and the signs on every
    /// query.
    fn tiles(&self) -> impl Iterator<Item = (usize, &[TileSigns])> {
        (0..)
            .step_by(TILE_PAIRS)
            .zip(self.signs.chunks_exact(self.queries))
    }
}

/// Counts the positive and negative differences of each pair of a tile on the given queries.
#[inline]
fn count_signs(tile: &[TileSigns], queries: &[u32]) -> TileSigns {
    let mut counts = [0; TILE_PAIRS];
    for &query in queries {
        let row = &tile[query as usize];
        for pair in 0..TILE_PAIRS {
            counts[pair] += row[pair];
        }
    }
    counts
}

/// Returns the numbers of positive and negative differences that a counter holds in its lower and
/// upper 32 bits.
fn split_count(count: u64) -> (u64, u64) {
    (count & u64::from(u32::MAX), count >> 32)
}

/// Returns the number of positive minus the number of negative differences.
fn lead(positive: u64, negative: u64) -> f64 {
    positive as f64 - negative as f64
}

impl PairTest for SignTestBatch {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        for (first, tile) in self.tiles() {
            for (lane, queries) in batch.samples().enumerate() {
                for (pair, count) in (first..self.pairs).zip(count_signs(tile, queries)) {
                    let (positive, negative) = split_count(count);
                    let critical = self.critical[(positive + negative) as usize];
                    let rare = positive.min(negative);
                    let significant = critical.is_some_and(|critical| rare <= critical);
                    let verdict = SystemPairVerdict::new(lead(positive, negative), significant);
                    verdicts.set(pair, lane, verdict);
                }
            }
        }
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let queries = batch.sample(lane);
        let counts = self
            .tiles()
            .flat_map(|(_, tile)| count_signs(tile, queries));
        let evidence = counts.take(self.pairs).map(|count| {
            let (positive, negative) = split_count(count);
            let (plus, minus) = (positive as usize, negative as usize);
            SystemPairPValue {
                p: self.parameters.p_value(from_counts(plus, minus).p),
                lead: lead(positive, negative),
            }
        });
        evidence.collect()
    }
}
