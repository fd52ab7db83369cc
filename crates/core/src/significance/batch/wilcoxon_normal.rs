//! Batched Wilcoxon signed-rank test by the normal approximation. Two one-tailed tests are W1 of
//! Urbano, Martín, Marrero and Morato (2011).
//!
//! Ties reduce the variance and W⁺ is moved ½ towards its mean, as in R. Zero differences are
//! dropped. With n differences left, T = Σ(t³-t) and z the quantile 1 - alpha of one tail, W⁺ is
//! significantly large when 3(4W⁺ - n(n+1) - 2)² > z²(2n(n+1)(2n+1) - T). This needs no square root
//! and no tail probability.

use partita_stats::distribution::normal;
use partita_stats::signed_rank::SignedRankMethod;

use super::sample_batch::{LANES, SampleBatch};
use super::signed_ranks::{RankSums, SignedRanks};
use super::verdict::SystemPairVerdict;
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters};
use crate::ScoreMatrix;

/// Relative distance of a test statistic from its critical value below which the pair is decided by
/// the p-value of the unbatched test, because rounding error could change the comparison.
const CRITICAL_VALUE_TOLERANCE: f64 = 1e-9;

/// Returns the squared critical value z² of the standard normal distribution at the level of one
/// tail.
pub(super) fn squared_quantile(parameters: TestParameters) -> f64 {
    let z = normal::quantile(parameters.tail_level()).expect("a level lies between 0 and 1");
    z * z
}

/// Returns whether the rank sum of a sample is significant at the squared critical value
/// `critical`, and whether it is too close to that value to tell.
#[inline]
pub(super) fn is_significant(sums: &RankSums, lane: usize, critical: f64) -> (bool, bool) {
    let n = sums.nonzero[lane];
    let twice = n * (n + 1.0);
    let lead = 2.0 * sums.doubled_plus[lane] - twice;
    let beyond = (lead.abs() - 2.0).max(0.0);
    let squared = 3.0 * beyond * beyond;
    let variance = 2.0 * twice * (2.0 * n + 1.0) - sums.ties[lane];
    let bound = critical * variance;
    let close = (squared - bound).abs() <= CRITICAL_VALUE_TOLERANCE * bound;
    (squared > bound, close && n > 0.0)
}

/// Wilcoxon signed-rank test by the normal approximation, prepared for many samples of the queries.
struct WilcoxonNormal {
    ranks: SignedRanks,
    parameters: TestParameters,
    critical: f64,
}

/// Prepares the Wilcoxon test by the normal approximation for samples of the queries of these
/// scores.
pub(crate) fn prepare(scores: &ScoreMatrix, parameters: TestParameters) -> Box<dyn PairTest> {
    Box::new(WilcoxonNormal {
        ranks: SignedRanks::new(scores),
        parameters,
        critical: squared_quantile(parameters),
    })
}

impl PairTest for WilcoxonNormal {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        let sums = self.ranks.sums(batch);
        for (pair, (sums, verdicts)) in sums.zip(&mut verdicts.0).enumerate() {
            if self.decide_pair(&sums, verdicts) {
                continue;
            }
            for (lane, queries) in batch.samples().enumerate() {
                let (lead, p) = self
                    .ranks
                    .reference_test(pair, queries, SignedRankMethod::Normal);
                let significant = self.parameters.p_value(p) < self.parameters.alpha;
                verdicts[lane] = SystemPairVerdict::new(lead, significant).code();
            }
        }
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let tests = self
            .ranks
            .all_reference_tests(batch.sample(lane), SignedRankMethod::Normal);
        let evidence = tests.map(|(lead, p)| SystemPairPValue {
            p: self.parameters.p_value(p),
            lead,
        });
        evidence.collect()
    }
}

impl WilcoxonNormal {
    /// Decides a pair of systems on all samples of a batch. Returns false if the statistic of a
    /// sample is too close to the critical value to tell.
    #[inline]
    fn decide_pair(&self, sums: &RankSums, verdicts: &mut [i16; LANES]) -> bool {
        let mut close = 0u32;
        for (lane, verdict) in verdicts.iter_mut().enumerate() {
            let (significant, too_close) = is_significant(sums, lane, self.critical);
            close += u32::from(too_close);
            let n = sums.nonzero[lane];
            let lead = 2.0 * sums.doubled_plus[lane] - n * (n + 1.0);
            let ahead = i16::from(lead > 0.0) - i16::from(lead < 0.0);
            *verdict = ahead * (1 + i16::from(significant));
        }
        close == 0
    }
}
