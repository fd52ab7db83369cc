//! Cache of Mann-Whitney test verdicts for small samples, keyed by the pattern of ties.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use partita_stats::distribution::normal;

use super::item_pair_tests::{ItemPairVerdict, NullDistribution};
use crate::significance::alpha::Alpha;

/// Mann-Whitney tests at one significance level, with a cache of the verdicts on small samples.
///
/// A verdict depends only on the sample sizes, the pattern of ties of the pooled ranks and the rank
/// sum of one sample. The bootstrap meets the same patterns many times, and then skips the exact
/// computation. The cache never changes a verdict.
#[derive(Clone, Debug)]
pub(crate) struct TestCache {
    alpha: Alpha,
    null: NullDistribution,
    verdicts: HashMap<u64, ItemPairVerdict, FixedState>,
    /// Standard normal quantiles at the significance level and at half of it.
    quantiles: [f64; 2],
}

/// Largest number of pooled ranks for which verdicts are cached. Patterns of larger samples hardly
/// ever recur.
const MAX_CACHED_RANKS: usize = 32;
/// Number of verdicts at which the cache is cleared, to bound its memory (to about 20 MB).
const MAX_CACHED_VERDICTS: usize = 1 << 19;

impl TestCache {
    pub(crate) fn new(alpha: Alpha, null: NullDistribution) -> Self {
        let quantile = |level| normal::quantile(level).expect("a level lies between 0 and 1");
        Self {
            alpha,
            null,
            verdicts: HashMap::default(),
            quantiles: [quantile(alpha.value()), quantile(alpha.value() / 2.0)],
        }
    }

    pub(crate) fn alpha(&self) -> Alpha {
        self.alpha
    }

    /// Returns the verdict of [`ItemPairVerdict::test`] on two rank samples, from the cache if
    /// possible.
    pub(crate) fn verdict(&mut self, a: &[f64], b: &[f64]) -> ItemPairVerdict {
        if a.len() < 2 || b.len() < 2 {
            return ItemPairVerdict::UNTESTABLE;
        }
        if self.null == NullDistribution::Normal {
            return PooledRanks::new(a, b).decide_by_normal(self.quantiles);
        }
        if a.len() + b.len() > MAX_CACHED_RANKS {
            return ItemPairVerdict::test(a, b, self.alpha, self.null);
        }
        let pooled = PooledRanks::new(a, b);
        if let Some(verdict) = pooled.decide_if_certain(self.alpha.value()) {
            return verdict;
        }
        let (key, swapped) = pooled.key();
        let (alpha, null) = (self.alpha, self.null);
        if self.verdicts.len() >= MAX_CACHED_VERDICTS {
            self.verdicts.clear();
        }
        let cached = *self.verdicts.entry(key).or_insert_with(|| {
            let verdict = ItemPairVerdict::test(a, b, alpha, null);
            if swapped { verdict.swapped() } else { verdict }
        });
        if swapped { cached.swapped() } else { cached }
    }
}

/// Sizes, ties and rank sum of two pooled rank samples, which determine the Mann-Whitney test.
#[derive(Clone, Copy, Debug)]
struct PooledRanks {
    /// Size of the first sample.
    m: u64,
    /// Size of the second sample.
    n: u64,
    /// Bit mask: bit i is set if the i-th pooled rank is the last of its value (first 64 ranks).
    pattern: u64,
    /// Twice the sum of the midranks of the first sample.
    double_sum: u64,
    /// Sum of t³ - t over the runs of t equal ranks (tie correction).
    ties: u64,
}

impl PooledRanks {
    fn new(a: &[f64], b: &[f64]) -> Self {
        let (mut i, mut j) = (0, 0);
        let (mut pattern, mut double_sum, mut ties) = (0u64, 0, 0);
        while i < a.len() || j < b.len() {
            let start = i + j;
            let (first_a, first_b) = (a.get(i), b.get(j));
            let value = match (first_a, first_b) {
                (Some(&x), Some(&y)) => x.min(y),
                (Some(&x), None) | (None, Some(&x)) => x,
                (None, None) => break,
            };
            let before = i;
            while a.get(i) == Some(&value) {
                i += 1;
            }
            while b.get(j) == Some(&value) {
                j += 1;
            }
            let (end, count) = (i + j, (i + j - start) as u64);
            double_sum += ((i - before) * (start + end + 1)) as u64;
            ties += count * count * count - count;
            pattern |= 1u64.checked_shl(end as u32 - 1).unwrap_or(0);
        }
        Self {
            m: a.len() as u64,
            n: b.len() as u64,
            pattern,
            double_sum,
            ties,
        }
    }

    /// Returns the deviation of the Mann-Whitney statistic U from its mean, and the variance of U
    /// given the ties.
    fn moments(&self) -> (f64, f64) {
        let (m, n) = (self.m as f64, self.n as f64);
        let size = m + n;
        let variance = m * n / 12.0 * (size + 1.0 - self.ties as f64 / (size * (size - 1.0)));
        (
            self.double_sum as f64 / 2.0 - m * (size + 1.0) / 2.0,
            variance,
        )
    }

    /// Decides the tests by the normal approximation with the corrections for ties and continuity.
    /// `quantiles` are the normal quantiles at the significance level and at half of it.
    fn decide_by_normal(&self, quantiles: [f64; 2]) -> ItemPairVerdict {
        let (deviation, variance) = self.moments();
        let [whole, half] = quantiles.map(|quantile| quantile * variance.sqrt());
        ItemPairVerdict {
            less: deviation + 0.5 < whole,
            greater: 0.5 - deviation < whole,
            two_sided: 0.5 - deviation.abs() < half,
            untestable: false,
        }
    }

    /// Decides the tests without an exact computation if Cantelli's inequality is conclusive: for
    /// any distribution, the probability that U deviates from its mean by d or more in one
    /// direction is at most var/(var + d²).
    fn decide_if_certain(&self, alpha: f64) -> Option<ItemPairVerdict> {
        let (deviation, variance) = self.moments();
        let bound = variance / (variance + deviation * deviation);
        // The factor 1 - 1e-9 allows for far more than the rounding error. An alpha above 0.5 is
        // excluded because then both one-tailed tests may reject.
        let is_certain = alpha <= 0.5 && bound < alpha / 2.0 * (1.0 - 1e-9);
        is_certain.then_some(ItemPairVerdict {
            less: deviation < 0.0,
            greater: deviation > 0.0,
            two_sided: true,
            untestable: false,
        })
    }

    /// Returns the cache key, which is the same for both orders of the two samples. The flag is
    /// true if the cached verdict is that on the second sample against the first.
    fn key(&self) -> (u64, bool) {
        let size = self.m + self.n;
        let other_sum = size * (size + 1) - self.double_sum;
        let swapped = (self.n, other_sum) < (self.m, self.double_sum);
        let (count, sum) = if swapped {
            (self.n, other_sum)
        } else {
            (self.m, self.double_sum)
        };
        // Bits 0 to 31: tie pattern, whose highest set bit gives the total size. Bits 32 to 36:
        // size of the smaller sample. Bits 40 to 50: twice the rank sum of this sample.
        (self.pattern | count << 32 | sum << 40, swapped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use partita_stats::random::{stream, uniform_index};

    #[test]
    fn cached_verdicts_equal_computed_verdicts() {
        for (alpha, null, most) in [
            (0.25, NullDistribution::Auto, 7),
            (0.05, NullDistribution::Auto, 7),
            (0.5, NullDistribution::Auto, 7),
            (0.6, NullDistribution::Auto, 7),
            (0.25, NullDistribution::Normal, 40),
            (0.6, NullDistribution::Normal, 7),
        ] {
            let alpha = Alpha::new(alpha).unwrap();
            let mut tests = TestCache::new(alpha, null);
            let random = &mut stream(11, &[]);
            for _ in 0..4000 {
                let (m, n) = (
                    1 + uniform_index(random, most),
                    1 + uniform_index(random, most),
                );
                let values = 2 + uniform_index(random, 6);
                let mut sample = |size| {
                    let ranks = (0..size).map(|_| uniform_index(random, values) as f64);
                    let mut ranks: Vec<f64> = ranks.collect();
                    ranks.sort_by(f64::total_cmp);
                    ranks
                };
                let (a, b) = (sample(m), sample(n));
                let expected = ItemPairVerdict::test(&a, &b, alpha, null);
                assert_eq!(tests.verdict(&a, &b), expected, "{a:?} {b:?}");
                assert_eq!(tests.verdict(&b, &a), expected.swapped(), "{b:?} {a:?}");
            }
        }
    }
}
