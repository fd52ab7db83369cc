//! Wilcoxon's signed-rank test in either direction by its exact law, given ties.
//!
//! Without ties the law depends on the number of differences alone, so critical rank sums are
//! tabulated. With ties it depends on all of them. But if the tied were put into any order, whatever
//! the signs, the rank sum would change by no more than Δ = Σ⌊t²/4⌋/2. So P(W⁺ <= w) is at most the
//! untied P(W⁺ <= w + Δ) and at least P(W⁺ <= w - Δ), and rank sums further than Δ from the critical
//! one are settled by the table. Hoeffding's inequality (1963) settles other large deviations, since
//! P(W⁺ - E >= x) <= exp(-x²/(2 Var)) for a sum of signed ranks; what remains is counted out for each
//! sample, which takes its time.

use partita_stats::PValues;
use partita_stats::signed_rank::Method;

use super::signed_ranks::SignedRanks;
use super::{Definition, Evidence, PairTest, Setting, Verdicts};
use crate::Scores;
use crate::reliability::batch::Batch;
use crate::reliability::verdict::Verdict;

pub(super) const DEFINITION: Definition = Definition {
    name: "wilcoxon-exact",
    summary: "Wilcoxon signed-rank, 1-tailed in both directions, exact given ties",
    alpha: 0.01,
    both_ways: true,
    simultaneous: false,
    prepare,
};

/// Critical values are tabulated for so many differences.
const TABULATED: usize = 200;

struct WilcoxonExact {
    ranks: SignedRanks,
    alpha: f64,
    /// By number of untied differences, the largest rank sum of one sign that is significantly
    /// small; none if there is none.
    critical: Vec<Option<u64>>,
}

fn prepare(scores: &Scores, setting: Setting) -> Box<dyn PairTest> {
    let most = scores.queries().len().min(TABULATED);
    Box::new(WilcoxonExact {
        ranks: SignedRanks::new(scores),
        alpha: setting.alpha,
        critical: critical(most, setting.alpha),
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

impl WilcoxonExact {
    fn plain(&self, pair: usize, queries: &[u32]) -> (f64, PValues) {
        self.ranks.plain(pair, queries, Method::ExactConditional)
    }
}

impl PairTest for WilcoxonExact {
    fn decide(&self, batch: &Batch, verdicts: &mut Verdicts) {
        let hoeffding = -2.0 * self.alpha.ln();
        for (pair, sums) in self.ranks.sums(batch).enumerate() {
            for (lane, queries) in batch.samples().enumerate() {
                let n = sums.nonzero[lane];
                let total = n * (n + 1.0);
                let plus = sums.doubled_plus[lane];
                let lead = 2.0 * plus - total;
                let critical = self.critical.get(n as usize).copied();
                let smaller = plus.min(total - plus);
                let settled =
                    critical.and_then(|critical| settled(critical, smaller, sums.reach[lane]));
                // Four times the deviation, and 48 times the variance.
                let variance = 2.0 * total * (2.0 * n + 1.0) - sums.ties[lane];
                let far = 3.0 * lead * lead > (1.0 + 1e-9) * hoeffding * variance;
                let significant = match settled {
                    Some(significant) => significant,
                    None if far => true,
                    None if lead == 0.0 => false,
                    None => {
                        let p = self.plain(pair, queries).1;
                        p.less.min(p.greater) < self.alpha
                    }
                };
                verdicts.set(pair, lane, Verdict::new(lead, significant));
            }
        }
    }

    fn evidence(&self, batch: &Batch, lane: usize) -> Vec<Evidence> {
        let tests = (self.ranks).all_plain(batch.sample(lane), Method::ExactConditional);
        let evidence = tests.map(|(lead, p)| Evidence {
            p: p.less.min(p.greater),
            lead,
        });
        evidence.collect()
    }
}

#[cfg(test)]
mod tests {
    use partita_stats::signed_rank::{Zeros, signed_rank};

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
                    let test = signed_rank(&d, Zeros::Wilcox, Method::ExactConditional);
                    test.unwrap().p.greater < alpha
                };
                let half = (n * (n + 1) / 4) as u64;
                let expected = (0..=half).take_while(|&sum| significant(sum)).last();
                assert_eq!(found, expected, "{n} {alpha}");
            }
        }
    }
}
