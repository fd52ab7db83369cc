//! Batched Wilcoxon signed-rank test by its exact distribution, given ties. The automatic form uses
//! it up to the same number of nonzero differences as `compare`, and the normal approximation
//! beyond.
//!
//! Without ties the distribution depends only on the number of differences, so critical rank sums
//! are tabulated. With ties it depends on the sizes of all ties. But giving tied differences
//! distinct ranks, in any order, changes the rank sum by at most Δ = Σ⌊t²/4⌋/2, for all signs. So
//! P(W⁺ <= w) is at most the untied P(W⁺ <= w + Δ) and at least the untied P(W⁺ <= w - Δ), and the
//! table decides rank sums further than Δ from the critical one. Hoeffding's inequality (1963) for
//! sums of signed ranks decides other large deviations x from the mean: their probability is at
//! most exp(-x²/(2 Var)). The remaining samples need the exact distribution, which is slow.

use partita_stats::signed_rank::{MAX_AUTO_EXACT, SignedRankMethod};

use super::sample_batch::SampleBatch;
use super::signed_ranks::{RankSums, SignedRanks};
use super::verdict::SystemPairVerdict;
use super::wilcoxon_normal::{is_significant, squared_quantile};
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters};
use crate::ScoreMatrix;

/// Largest number of nonzero differences for which critical rank sums are tabulated.
const MAX_TABULATED: usize = 200;

/// Wilcoxon signed-rank test prepared for many samples of the queries.
struct WilcoxonBatch {
    ranks: SignedRanks,
    parameters: TestParameters,
    method: SignedRankMethod,
    /// Largest number of nonzero differences for which the exact distribution is used; infinite for
    /// the exact test.
    most_exact: f64,
    /// Squared critical value z² of the normal approximation, which is used for more than
    /// `most_exact` nonzero differences.
    normal: f64,
    /// Critical rank sums, indexed by the number of untied differences: the largest rank sum of one
    /// sign that is significantly small, if any.
    critical: Vec<Option<u64>>,
}

/// Prepares the Wilcoxon test with the exact distribution for up to 50 nonzero differences and the
/// normal approximation beyond.
pub(crate) fn prepare(scores: &ScoreMatrix, parameters: TestParameters) -> Box<dyn PairTest> {
    prepare_with_method(scores, parameters, SignedRankMethod::Auto)
}

/// Prepares the Wilcoxon test with the exact distribution for any number of differences.
pub(crate) fn prepare_exact(scores: &ScoreMatrix, parameters: TestParameters) -> Box<dyn PairTest> {
    prepare_with_method(scores, parameters, SignedRankMethod::ExactConditional)
}

/// Prepares the Wilcoxon test with the given choice of exact distribution or normal approximation.
fn prepare_with_method(
    scores: &ScoreMatrix,
    parameters: TestParameters,
    method: SignedRankMethod,
) -> Box<dyn PairTest> {
    let most = scores.queries().len().min(MAX_TABULATED);
    Box::new(WilcoxonBatch {
        ranks: SignedRanks::new(scores),
        parameters,
        method,
        most_exact: if method == SignedRankMethod::Auto {
            MAX_AUTO_EXACT as f64
        } else {
            f64::INFINITY
        },
        normal: squared_quantile(parameters),
        critical: critical_rank_sums(most, parameters.tail_level()),
    })
}

/// Tabulates the critical rank sum at the one-tailed level `alpha` for 0 to `most` untied
/// differences.
fn critical_rank_sums(most: usize, alpha: f64) -> Vec<Option<u64>> {
    // Probability of each rank sum: every rank is included with probability ½.
    let mut distribution = vec![1.0];
    let mut critical = vec![None];
    for rank in 1..=most {
        let mut next = vec![0.0; distribution.len() + rank];
        for (sum, p) in distribution.iter().enumerate() {
            next[sum] += 0.5 * p;
            next[sum + rank] += 0.5 * p;
        }
        distribution = next;
        let mut tail = 0.0;
        let small = distribution.iter().take_while(|p| {
            tail += **p;
            tail < alpha
        });
        critical.push((small.count() as u64).checked_sub(1));
    }
    critical
}

/// Decides by the critical value without ties whether the smaller rank sum is significant.
/// `doubled` is twice that rank sum, and `tie_bound` is twice the largest change Δ of the rank sum
/// by breaking ties. Returns `None` if the rank sum is within Δ of the critical value. Without ties
/// Δ is 0, and the result is never `None`.
fn decide_by_critical_value(critical: Option<u64>, doubled: f64, tie_bound: f64) -> Option<bool> {
    // Largest significantly small sum, doubled; the next integer sum is not significant.
    let last = critical.map(|critical| 2.0 * critical as f64);
    if last.is_some_and(|last| doubled + tie_bound < last + 2.0) {
        Some(true)
    } else if doubled - tie_bound >= last.map_or(0.0, |last| last + 2.0) {
        Some(false)
    } else {
        None
    }
}

impl WilcoxonBatch {
    /// Decides whether a pair differs significantly on a sample as the exact distribution would, by
    /// the table of critical rank sums or by Hoeffding's inequality. Returns `None` if neither is
    /// conclusive.
    fn decide_by_table(&self, sums: &RankSums, lane: usize) -> Option<bool> {
        let n = sums.nonzero[lane];
        let total = n * (n + 1.0);
        let plus = sums.doubled_plus[lane];
        let lead = 2.0 * plus - total;
        let critical = self.critical.get(n as usize).copied();
        let smaller = plus.min(total - plus);
        if let Some(significant) =
            critical.and_then(|c| decide_by_critical_value(c, smaller, sums.tie_bound[lane]))
        {
            return Some(significant);
        }
        // `lead` is four times the deviation of W⁺ from its mean, `variance` 48 times its variance.
        let variance = 2.0 * total * (2.0 * n + 1.0) - sums.ties[lane];
        let hoeffding = -2.0 * self.parameters.tail_level().ln();
        if 3.0 * lead * lead > (1.0 + 1e-9) * hoeffding * variance {
            return Some(true);
        }
        (lead == 0.0).then_some(false)
    }

    /// Decides by the normal approximation whether a pair differs significantly on a sample; `None`
    /// if the statistic is too close to the critical value to tell.
    fn decide_by_normal(&self, sums: &RankSums, lane: usize) -> Option<bool> {
        let (significant, close) = is_significant(sums, lane, self.normal);
        (!close).then_some(significant)
    }
}

impl PairTest for WilcoxonBatch {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        for (pair, sums) in self.ranks.sums(batch).enumerate() {
            for (lane, queries) in batch.samples().enumerate() {
                let n = sums.nonzero[lane];
                let lead = 2.0 * sums.doubled_plus[lane] - n * (n + 1.0);
                let decision = if n <= self.most_exact {
                    self.decide_by_table(&sums, lane)
                } else {
                    self.decide_by_normal(&sums, lane)
                };
                let significant = decision.unwrap_or_else(|| {
                    let (_, p) = self.ranks.reference_test(pair, queries, self.method);
                    self.parameters.p_value(p) < self.parameters.alpha
                });
                verdicts.set(pair, lane, SystemPairVerdict::new(lead, significant));
            }
        }
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let tests = self
            .ranks
            .all_reference_tests(batch.sample(lane), self.method);
        let evidence = tests.map(|(lead, p)| SystemPairPValue {
            p: self.parameters.p_value(p),
            lead,
        });
        evidence.collect()
    }
}

#[cfg(test)]
mod tests {
    use partita_stats::signed_rank::{ZeroMethod, signed_rank};

    use super::*;

    #[test]
    fn critical_rank_sums_agree_with_the_unbatched_test() {
        for alpha in [0.01, 0.05, 0.3] {
            for (n, found) in critical_rank_sums(20, alpha)
                .into_iter()
                .enumerate()
                .skip(1)
            {
                let significant = |smaller: u64| {
                    // Makes the largest ranks that fit negative, until their sum is `smaller`.
                    let mut left = smaller;
                    let mut d: Vec<f64> = (1..=n).map(|rank| rank as f64).collect();
                    for difference in d.iter_mut().rev() {
                        if *difference as u64 <= left {
                            left -= *difference as u64;
                            *difference = -*difference;
                        }
                    }
                    let test =
                        signed_rank(&d, ZeroMethod::Wilcox, SignedRankMethod::ExactConditional);
                    test.unwrap().p.greater < alpha
                };
                let half = (n * (n + 1) / 4) as u64;
                let expected = (0..=half).take_while(|&sum| significant(sum)).last();
                assert_eq!(found, expected, "{n} {alpha}");
            }
        }
    }
}
