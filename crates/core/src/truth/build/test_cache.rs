//! Tests of small samples, made once for each pattern of ties.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use partita_stats::distribution::normal;

use super::item_pair_tests::{ItemPairVerdict, NullDistribution};
use crate::significance::alpha::Alpha;

/// The tests at one level, which remember the verdicts on small samples.
///
/// A verdict depends on nothing but the pattern of ties of the pooled ranks and the rank sum of
/// one sample. The bootstrap meets the same ones again and again, and then need not count again.
/// What is remembered never changes a verdict.
#[derive(Clone, Debug)]
pub(crate) struct TestCache {
    alpha: Alpha,
    law: NullDistribution,
    known: HashMap<u64, ItemPairVerdict, FixedState>,
    /// The normal quantiles at the level and at half of it.
    quantiles: [f64; 2],
}

/// No more pooled ranks than this are worth remembering: patterns hardly ever come back.
const SMALL: usize = 32;
/// With so many verdicts all are forgotten, to bound the memory (to about 20 MB).
const MOST: usize = 1 << 19;

impl TestCache {
    pub(crate) fn new(alpha: Alpha, law: NullDistribution) -> Self {
        let quantile = |level| normal::quantile(level).expect("a level lies between 0 and 1");
        Self {
            alpha,
            law,
            known: HashMap::default(),
            quantiles: [quantile(alpha.value()), quantile(alpha.value() / 2.0)],
        }
    }

    pub(crate) fn alpha(&self) -> Alpha {
        self.alpha
    }

    /// The verdict of [`Verdict::of`].
    pub(crate) fn verdict(&mut self, a: &[f64], b: &[f64]) -> ItemPairVerdict {
        if a.len() < 2 || b.len() < 2 {
            return ItemPairVerdict::UNTESTABLE;
        }
        if self.law == NullDistribution::Normal {
            return Pooled::new(a, b).decide_by_normal(self.quantiles);
        }
        if a.len() + b.len() > SMALL {
            return ItemPairVerdict::test(a, b, self.alpha, self.law);
        }
        let pooled = Pooled::new(a, b);
        if let Some(verdict) = pooled.decide_if_certain(self.alpha.value()) {
            return verdict;
        }
        let (key, swapped) = pooled.key();
        let (alpha, law) = (self.alpha, self.law);
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let known = *self.known.entry(key).or_insert_with(|| {
            let verdict = ItemPairVerdict::test(a, b, alpha, law);
            if swapped { verdict.swapped() } else { verdict }
        });
        if swapped { known.swapped() } else { known }
    }
}

/// Two samples in ascending order, pooled.
#[derive(Clone, Copy, Debug)]
struct Pooled {
    m: u64,
    n: u64,
    /// A bit for each of the first 64 pooled ranks that is the last of its value.
    pattern: u64,
    /// Twice the sum of the midranks of the first sample.
    double_sum: u64,
    /// The sum of t³ - t over the runs of t equal ranks.
    ties: u64,
}

impl Pooled {
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

    /// How far U is from its mean, and its variance given the ties.
    fn moments(&self) -> (f64, f64) {
        let (m, n) = (self.m as f64, self.n as f64);
        let size = m + n;
        let variance = m * n / 12.0 * (size + 1.0 - self.ties as f64 / (size * (size - 1.0)));
        (
            self.double_sum as f64 / 2.0 - m * (size + 1.0) / 2.0,
            variance,
        )
    }

    /// The verdict of the normal law with the corrections for ties and continuity, by its
    /// quantiles at the level and at half of it.
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

    /// The verdict where Cantelli's inequality settles it: the chance of a U that far from its
    /// mean, on that side, is at most var/(var + d²), whatever its law.
    fn decide_if_certain(&self, alpha: f64) -> Option<ItemPairVerdict> {
        let (deviation, variance) = self.moments();
        let bound = variance / (variance + deviation * deviation);
        // The slack is far larger than rounding. Beyond 0.5 both one-tailed tests may reject.
        let sure = alpha <= 0.5 && bound < alpha / 2.0 * (1.0 - 1e-9);
        sure.then_some(ItemPairVerdict {
            less: deviation < 0.0,
            greater: deviation > 0.0,
            two_sided: true,
            untestable: false,
        })
    }

    /// What the verdict depends on, in a form shared by both orders of the samples, and whether
    /// that is the verdict on the second against the first.
    fn key(&self) -> (u64, bool) {
        let size = self.m + self.n;
        let other_sum = size * (size + 1) - self.double_sum;
        let swapped = (self.n, other_sum) < (self.m, self.double_sum);
        let (count, sum) = if swapped {
            (self.n, other_sum)
        } else {
            (self.m, self.double_sum)
        };
        // Up to 32 bits of pattern, whose highest tells the size; 5 of count; 11 of sum.
        (self.pattern | count << 32 | sum << 40, swapped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use partita_stats::random::{stream, uniform_index};

    #[test]
    fn what_is_remembered_is_what_would_be_found() {
        for (alpha, law, most) in [
            (0.25, NullDistribution::Auto, 7),
            (0.05, NullDistribution::Auto, 7),
            (0.5, NullDistribution::Auto, 7),
            (0.6, NullDistribution::Auto, 7),
            (0.25, NullDistribution::Normal, 40),
            (0.6, NullDistribution::Normal, 7),
        ] {
            let alpha = Alpha::new(alpha).unwrap();
            let mut tests = TestCache::new(alpha, law);
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
                let expected = ItemPairVerdict::test(&a, &b, alpha, law);
                assert_eq!(tests.verdict(&a, &b), expected, "{a:?} {b:?}");
                assert_eq!(tests.verdict(&b, &a), expected.swapped(), "{b:?} {a:?}");
            }
        }
    }
}
