//! Wilcoxon's signed-rank test by its exact law, given ties; or by that law as far as `compare` takes
//! it, and by the normal one for samples with more differences that are not zero.
//!
//! Without ties the law depends on the number of differences alone, so critical rank sums are
//! tabulated. With ties it depends on all of them. But if the tied were put into any order, whatever
//! the signs, the rank sum would change by no more than Δ = Σ⌊t²/4⌋/2. So P(W⁺ <= w) is at most the
//! untied P(W⁺ <= w + Δ) and at least P(W⁺ <= w - Δ), and rank sums further than Δ from the critical
//! one are settled by the table. Hoeffding's inequality (1963) settles other large deviations, since
//! P(W⁺ - E >= x) <= exp(-x²/(2 Var)) for a sum of signed ranks; what remains is counted out for each
//! sample, which takes its time.

use partita_stats::signed_rank::{MAX_AUTO_EXACT, SignedRankMethod};

use super::sample_batch::SampleBatch;
use super::signed_ranks::{SignedRanks, Sums};
use super::verdict::SystemPairVerdict;
use super::wilcoxon_normal::{is_significant, squared_quantile};
use super::{BatchVerdicts, PairTest, SystemPairPValue, TestParameters};
use crate::ScoreMatrix;

/// Critical values are tabulated for so many differences.
const TABULATED: usize = 200;

struct WilcoxonBatch {
    ranks: SignedRanks,
    setting: TestParameters,
    method: SignedRankMethod,
    /// The most differences of which the exact law is taken.
    most_exact: f64,
    /// The square of the normal quantile, for more of them.
    normal: f64,
    /// By number of untied differences, the largest rank sum of one sign that is significantly
    /// small; none if there is none.
    critical: Vec<Option<u64>>,
}

/// The exact law up to 50 differences that are not zero, the normal one beyond.
pub(crate) fn prepare(scores: &ScoreMatrix, setting: TestParameters) -> Box<dyn PairTest> {
    prepared(scores, setting, SignedRankMethod::Auto)
}

/// The exact law of any number of differences.
pub(crate) fn prepare_exact(scores: &ScoreMatrix, setting: TestParameters) -> Box<dyn PairTest> {
    prepared(scores, setting, SignedRankMethod::ExactConditional)
}

fn prepared(
    scores: &ScoreMatrix,
    setting: TestParameters,
    method: SignedRankMethod,
) -> Box<dyn PairTest> {
    let most = scores.queries().len().min(TABULATED);
    Box::new(WilcoxonBatch {
        ranks: SignedRanks::new(scores),
        setting,
        method,
        most_exact: if method == SignedRankMethod::Auto {
            MAX_AUTO_EXACT as f64
        } else {
            f64::INFINITY
        },
        normal: squared_quantile(setting),
        critical: critical(most, setting.tail_level()),
    })
}

/// The critical rank sums for 0 to `most` untied differences.
fn critical(most: usize, alpha: f64) -> Vec<Option<u64>> {
    // The probability of each rank sum; a rank more is there or not with probability ½.
    let mut law = vec![1.0];
    let mut critical = vec![None];
    for rank in 1..=most {
        let mut next = vec![0.0; law.len() + rank];
        for (sum, p) in law.iter().enumerate() {
            next[sum] += 0.5 * p;
            next[sum + rank] += 0.5 * p;
        }
        law = next;
        let mut tail = 0.0;
        let small = law.iter().take_while(|p| {
            tail += **p;
            tail < alpha
        });
        critical.push((small.count() as u64).checked_sub(1));
    }
    critical
}

/// Whether the smaller rank sum is significant, if the table can tell, by twice that sum and twice
/// Δ. Untied, Δ is 0 and the table always can.
fn settled(critical: Option<u64>, doubled: f64, reach: f64) -> Option<bool> {
    // The sums that are significantly small end here, and the next whole one is not.
    let last = critical.map(|critical| 2.0 * critical as f64);
    if last.is_some_and(|last| doubled + reach < last + 2.0) {
        Some(true)
    } else if doubled - reach >= last.map_or(0.0, |last| last + 2.0) {
        Some(false)
    } else {
        None
    }
}

impl WilcoxonBatch {
    /// Whether a rank sum is significant by the exact law, if that need not be counted out.
    fn decide_by_table(&self, sums: &Sums, lane: usize) -> Option<bool> {
        let n = sums.nonzero[lane];
        let total = n * (n + 1.0);
        let plus = sums.doubled_plus[lane];
        let lead = 2.0 * plus - total;
        let critical = self.critical.get(n as usize).copied();
        let smaller = plus.min(total - plus);
        if let Some(significant) = critical.and_then(|c| settled(c, smaller, sums.reach[lane])) {
            return Some(significant);
        }
        // Four times the deviation, and 48 times the variance.
        let variance = 2.0 * total * (2.0 * n + 1.0) - sums.ties[lane];
        let hoeffding = -2.0 * self.setting.tail_level().ln();
        if 3.0 * lead * lead > (1.0 + 1e-9) * hoeffding * variance {
            return Some(true);
        }
        (lead == 0.0).then_some(false)
    }

    /// The same by the normal law.
    fn decide_by_normal(&self, sums: &Sums, lane: usize) -> Option<bool> {
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
                let settled = if n <= self.most_exact {
                    self.decide_by_table(&sums, lane)
                } else {
                    self.decide_by_normal(&sums, lane)
                };
                let significant = settled.unwrap_or_else(|| {
                    let (_, p) = self.ranks.reference_test(pair, queries, self.method);
                    self.setting.p(p) < self.setting.alpha
                });
                verdicts.set(pair, lane, SystemPairVerdict::new(lead, significant));
            }
        }
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let tests = self.ranks.all_plain(batch.sample(lane), self.method);
        let evidence = tests.map(|(lead, p)| SystemPairPValue {
            p: self.setting.p(p),
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
    fn critical_rank_sums_are_those_of_the_plain_test() {
        for alpha in [0.01, 0.05, 0.3] {
            for (n, found) in critical(20, alpha).into_iter().enumerate().skip(1) {
                let significant = |smaller: u64| {
                    // The negative ranks are the greedy choice that adds up to `smaller`.
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
