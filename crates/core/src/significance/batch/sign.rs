//! The sign test.

use partita_stats::sign_test::from_counts;

use super::sample_batch::SampleBatch;
use super::verdict::SystemPairVerdict;
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters, differences};
use crate::ScoreMatrix;

/// How many pairs are counted side by side, in vector registers; all samples of a batch go over
/// what is counted of so few pairs while it is in the nearest cache.
const TILE: usize = 16;

/// Of each pair of a tile, one in the lower half if the difference is positive, in the upper half if
/// it is negative: one addition counts both.
type Signs = [u64; TILE];

struct SignTestBatch {
    setting: TestParameters,
    pairs: usize,
    queries: usize,
    /// By tile of pairs, and in it by query.
    signs: Vec<Signs>,
    /// By number of differences that are not zero, the largest number of the rarer sign that is
    /// significant; none if there is none.
    critical: Vec<Option<u64>>,
}

pub(crate) fn prepare(scores: &ScoreMatrix, setting: TestParameters) -> Box<dyn PairTest> {
    let differences = differences(scores);
    let queries = scores.queries().len();
    let mut signs: Vec<Signs> = vec![[0; TILE]; queries * differences.len().div_ceil(TILE)];
    for (pair, of_pair) in differences.iter().enumerate() {
        let tile = &mut signs[pair / TILE * queries..][..queries];
        for (signs, difference) in tile.iter_mut().zip(of_pair) {
            let negative = u64::from(*difference < 0.0) << 32;
            signs[pair % TILE] = u64::from(*difference > 0.0) | negative;
        }
    }
    // One difference more never lowers the critical number, so each count goes on from the last.
    let mut known: Option<usize> = None;
    let critical = |n: usize| {
        let significant =
            |rare: usize| 2 * rare <= n && setting.p(from_counts(n - rare, rare).p) < setting.alpha;
        while significant(known.map_or(0, |rare| rare + 1)) {
            known = Some(known.map_or(0, |rare| rare + 1));
        }
        known.map(|rare| rare as u64)
    };
    Box::new(SignTestBatch {
        setting,
        pairs: differences.len(),
        queries,
        signs,
        critical: (0..=queries).map(critical).collect(),
    })
}

impl SignTestBatch {
    /// The tiles, each with the number of its first pair.
    fn tiles(&self) -> impl Iterator<Item = (usize, &[Signs])> {
        (0..)
            .step_by(TILE)
            .zip(self.signs.chunks_exact(self.queries))
    }
}

/// How often each difference of a tile is positive and negative.
#[inline]
fn count(tile: &[Signs], queries: &[u32]) -> Signs {
    let mut counts = [0; TILE];
    for &query in queries {
        let row = &tile[query as usize];
        for pair in 0..TILE {
            counts[pair] += row[pair];
        }
    }
    counts
}

fn split(count: u64) -> (u64, u64) {
    (count & u64::from(u32::MAX), count >> 32)
}

fn lead(positive: u64, negative: u64) -> f64 {
    positive as f64 - negative as f64
}

impl PairTest for SignTestBatch {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        for (first, tile) in self.tiles() {
            for (lane, queries) in batch.samples().enumerate() {
                for (pair, count) in (first..self.pairs).zip(count(tile, queries)) {
                    let (positive, negative) = split(count);
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
        let counts = self.tiles().flat_map(|(_, tile)| count(tile, queries));
        let evidence = counts.take(self.pairs).map(|count| {
            let (positive, negative) = split(count);
            let (plus, minus) = (positive as usize, negative as usize);
            SystemPairPValue {
                p: self.setting.p(from_counts(plus, minus).p),
                lead: lead(positive, negative),
            }
        });
        evidence.collect()
    }
}
