//! Tests of small samples, made once for each pattern of ties.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::alpha::Alpha;
use super::comparisons::{Law, Verdict, p_values};

/// The tests at one level, which remember the verdicts on small samples.
///
/// A verdict depends on nothing but the pattern of ties of the pooled ranks and the rank sum of
/// one sample. The bootstrap meets the same ones again and again, and then need not count again.
/// What is remembered never changes a verdict.
#[derive(Clone, Debug)]
pub(super) struct RememberedTests {
    alpha: Alpha,
    law: Law,
    known: HashMap<u64, Verdict, FixedState>,
}

/// No more pooled ranks than this are worth remembering: patterns hardly ever come back.
const SMALL: usize = 32;
/// With so many verdicts all are forgotten, to bound the memory (to about 20 MB).
const MOST: usize = 1 << 19;

impl RememberedTests {
    pub(super) fn new(alpha: Alpha, law: Law) -> Self {
        Self {
            alpha,
            law,
            known: HashMap::default(),
        }
    }

    pub(super) fn alpha(&self) -> Alpha {
        self.alpha
    }

    /// The verdict of [`Verdict::of`].
    pub(super) fn verdict(&mut self, a: &[f64], b: &[f64]) -> Verdict {
        if a.len() < 2 || b.len() < 2 || a.len() + b.len() > SMALL {
            return Verdict::of(a, b, self.alpha, self.law);
        }
        let pooled = Pooled::new(a, b);
        if let Some(verdict) = pooled.without_doubt(self.alpha.value()) {
            return verdict;
        }
        let (key, swapped) = pooled.key();
        let (alpha, law) = (self.alpha, self.law);
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let known = *self.known.entry(key).or_insert_with(|| {
            // Both tails from one law. There are few enough choices that p-values as floats compare
            // with alpha as the fractions would: equal ones are equal, others far apart.
            let verdict = Verdict::by_p_values(p_values(a, b, law).0, alpha);
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
    /// A bit for each pooled rank that is the last of its value.
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
            pattern |= 1 << (end - 1);
        }
        Self {
            m: a.len() as u64,
            n: b.len() as u64,
            pattern,
            double_sum,
            ties,
        }
    }

    /// The verdict where Cantelli's inequality settles it: the chance of a U that far from its
    /// mean, on that side, is at most var/(var + d²), whatever its law.
    fn without_doubt(&self, alpha: f64) -> Option<Verdict> {
        let (m, n) = (self.m as f64, self.n as f64);
        let size = m + n;
        let variance = m * n / 12.0 * (size + 1.0 - self.ties as f64 / (size * (size - 1.0)));
        let deviation = self.double_sum as f64 / 2.0 - m * (size + 1.0) / 2.0;
        let bound = variance / (variance + deviation * deviation);
        // The slack is far larger than rounding. Beyond 0.5 both one-tailed tests may reject.
        let sure = alpha <= 0.5 && bound < alpha / 2.0 * (1.0 - 1e-9);
        sure.then_some(Verdict {
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
    use partita_stats::streams::{index_below, stream};

    #[test]
    fn what_is_remembered_is_what_would_be_found() {
        for alpha in [0.25, 0.05, 0.5, 0.6] {
            let alpha = Alpha::new(alpha).unwrap();
            let mut tests = RememberedTests::new(alpha, Law::Auto);
            let random = &mut stream(11, &[]);
            for _ in 0..4000 {
                let (m, n) = (1 + index_below(random, 7), 1 + index_below(random, 7));
                let values = 2 + index_below(random, 6);
                let mut sample = |size| {
                    let ranks = (0..size).map(|_| index_below(random, values) as f64);
                    let mut ranks: Vec<f64> = ranks.collect();
                    ranks.sort_by(f64::total_cmp);
                    ranks
                };
                let (a, b) = (sample(m), sample(n));
                let expected = Verdict::of(&a, &b, alpha, Law::Auto);
                assert_eq!(tests.verdict(&a, &b), expected, "{a:?} {b:?}");
                assert_eq!(tests.verdict(&b, &a), expected.swapped(), "{b:?} {a:?}");
            }
        }
    }
}
