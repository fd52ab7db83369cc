//! Decisions of Mann-Whitney tests without computing p-values, for millions of tests.

use core::cmp::Ordering;

use super::MAX_AUTO_EXACT;
use super::midrank_scores::MidrankScores;
use super::normal_p_values;
use super::permutation_distribution::ExactCounts;
use super::pooled_sample::PooledSample;
use crate::distribution::normal;
use crate::error::StatsError;
use crate::numeric::decimal_level::DecimalLevel;
use crate::p_value::Alternative;

/// Returns true if the Mann-Whitney test of x against y rejects at level alpha. This is the
/// decision p < alpha of [`MannWhitneyMethod::Auto`](super::MannWhitneyMethod::Auto), made exactly
/// and fast.
///
/// Up to [`MAX_AUTO_EXACT`] pooled values the decision is that of the exact conditional
/// distribution. It compares integers: p as a count of choices and alpha as the shortest decimal
/// that denotes it. The distribution is computed only if the decision is not certain. Two rules
/// make it certain:
///
/// * **Cantelli's inequality** (1910): for any distribution of U, the probability of a value z
///   standard deviations below its mean is at most 1/(1+z²). This is a theorem and needs no margin.
/// * **The normal approximation with a wide margin**, if both samples have at least 10 values, at
///   least 8 of the pooled values are distinct and no value dominates (Σ(t³-t)/(N³-N) up to 0.2). The
///   one-tailed p-value must be farther from the threshold than 0.005 + 0.4/min(m,n) + 3/(G√N) for G
///   distinct values, or than 0.002 + 2p if that is less; three times as far if the tie share exceeds
///   0.06. The second term bounds the error of the approximation itself, the third the effect of few
///   large steps of U. A search for the worst patterns of ties never found an error of half the
///   margin, and the tests repeat a part of it.
///
/// Beyond [`MAX_AUTO_EXACT`] values the decision is that of the normal approximation with both
/// corrections.
///
/// # Errors
/// Returns a [`StatsError`] for an empty sample, a NaN, or an alpha outside (0, 1).
///
/// ```
/// use partita_stats::{mann_whitney::rejects, Alternative};
///
/// // p is exactly 1/20, which is not below 0.05.
/// let (x, y) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
/// assert!(!rejects(&x, &y, 0.05, Alternative::Less)?);
/// assert!(rejects(&x, &y, 0.051, Alternative::Less)?);
/// # Ok::<(), partita_stats::StatsError>(())
/// ```
pub fn rejects(
    x: &[f64],
    y: &[f64],
    alpha: f64,
    alternative: Alternative,
) -> Result<bool, StatsError> {
    let level = DecimalLevel::new(alpha)?;
    let pooled = PooledSample::new(x, y)?;
    if pooled.size() > MAX_AUTO_EXACT {
        let p = normal_p_values(&pooled, true);
        return Ok(p.rejects(alpha, alternative));
    }
    let tail = DecisionTail::new(&pooled, alternative);
    Ok(tail
        .decide_if_certain(&pooled, level.value())
        .unwrap_or_else(|| tail.decide_exactly(&pooled, level)))
}

/// Decisions of the Mann-Whitney test of x against y under its three alternatives, at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejections {
    /// True if the test rejects in favour of "x tends to be smaller".
    pub less: bool,
    /// True if the test rejects in favour of "x tends to be larger".
    pub greater: bool,
    /// True if the two-sided test rejects; its p-value is twice the smaller one-tailed p-value.
    pub two_sided: bool,
}

/// Decides the three Mann-Whitney tests of x against y at level alpha. The decisions equal those of
/// [`rejects`], but share one pooled sample and at most one exact distribution.
///
/// # Errors
/// Returns the errors of [`rejects`].
///
/// ```
/// use partita_stats::mann_whitney::rejections;
///
/// // The one-tailed p is 1/20, the two-tailed one 1/10.
/// let (x, y) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
/// let found = rejections(&x, &y, 0.06)?;
/// assert!(found.less && !found.greater && !found.two_sided);
/// # Ok::<(), partita_stats::StatsError>(())
/// ```
pub fn rejections(x: &[f64], y: &[f64], alpha: f64) -> Result<Rejections, StatsError> {
    let level = DecimalLevel::new(alpha)?;
    let pooled = PooledSample::new(x, y)?;
    if pooled.size() > MAX_AUTO_EXACT {
        let p = normal_p_values(&pooled, true);
        return Ok(Rejections {
            less: p.rejects(alpha, Alternative::Less),
            greater: p.rejects(alpha, Alternative::Greater),
            two_sided: p.rejects(alpha, Alternative::TwoSided),
        });
    }
    let mut distribution = None;
    let mut counts = [None; 2];
    let mut rejects = |lower: bool, times| {
        let tail = DecisionTail { lower, times };
        tail.decide_if_certain(&pooled, level.value())
            .unwrap_or_else(|| {
                let distribution = distribution.get_or_insert_with(|| TailCounts::new(&pooled));
                let count = counts[usize::from(lower)]
                    .get_or_insert_with(|| distribution.tail_count(lower));
                level.compare(times.into(), *count, distribution.total()) == Ordering::Less
            })
    };
    // The two one-tailed p-values sum to at least 1, so for alpha up to 0.5 only one test can
    // reject. Usually it is the test in the direction in which U deviates from its mean, but not
    // always: given ties, the distribution need not be symmetric.
    let first = pooled.u() <= pooled.mean();
    let one = rejects(first, 1);
    let other = (!one || alpha > 0.5) && rejects(!first, 1);
    let two_sided = one && rejects(first, 2) || other && rejects(!first, 2);
    let (less, greater) = if first { (one, other) } else { (other, one) };
    Ok(Rejections {
        less,
        greater,
        two_sided,
    })
}

/// Exact distribution of U of x, to count the equally likely choices of x in either tail.
#[derive(Debug)]
struct TailCounts {
    scores: MidrankScores,
    counts: ExactCounts,
}

impl TailCounts {
    fn new(pooled: &PooledSample) -> Self {
        let scores = MidrankScores::new(pooled);
        let counts = ExactCounts::new(&scores);
        Self { scores, counts }
    }

    /// Counts the choices of x from the pooled sample whose U is at most (`lower`) or at least the
    /// observed one.
    fn tail_count(&self, lower: bool) -> u128 {
        if lower == self.scores.swapped {
            self.counts.at_least(self.scores.observed)
        } else {
            self.counts.at_most(self.scores.observed)
        }
    }

    /// Returns the number of all choices of x from the pooled sample.
    fn total(&self) -> u128 {
        self.counts.total()
    }
}

/// Tail of the distribution of U that decides a test: small U (`lower`) or large U.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DecisionTail {
    lower: bool,
    /// Factor of the tail probability in the p-value: 2 for a two-sided test, else 1.
    times: u8,
}

impl DecisionTail {
    fn new(pooled: &PooledSample, alternative: Alternative) -> Self {
        match alternative {
            Alternative::Less => Self {
                lower: true,
                times: 1,
            },
            Alternative::Greater => Self {
                lower: false,
                times: 1,
            },
            Alternative::TwoSided => Self {
                lower: pooled.u() <= pooled.mean(),
                times: 2,
            },
        }
    }

    /// Returns the test decision if Cantelli's inequality or the normal approximation make it
    /// certain, so that the exact distribution is not needed.
    fn decide_if_certain(self, pooled: &PooledSample, alpha: f64) -> Option<bool> {
        if pooled.all_equal() {
            return Some(false);
        }
        let threshold = alpha / f64::from(self.times);
        // Deviation of U from its mean, with the sign reversed for the upper tail: the p-value is
        // small if it is far below 0.
        let inward = pooled.u() - pooled.mean();
        let deviation = if self.lower { inward } else { -inward };
        let variance = pooled.variance();

        // Cantelli's bound. Its rounding error is a thousand times smaller than the slack of 1e-9
        // on `threshold`.
        let bound = variance / (variance + deviation * deviation);
        if deviation < 0.0 && bound < threshold * (1.0 - 1e-9) {
            return Some(true);
        }
        if deviation > 0.0 && 1.0 - bound > threshold * (1.0 + 1e-9) {
            return Some(false);
        }
        let p = normal::cdf((deviation + 0.5) / variance.sqrt());
        let margin = NormalErrorBound::new(pooled)?.for_p_value(p);
        if p + margin < threshold {
            Some(true)
        } else if p - margin > threshold {
            Some(false)
        } else {
            None
        }
    }

    /// Returns the test decision by the exact distribution.
    fn decide_exactly(self, pooled: &PooledSample, level: DecimalLevel) -> bool {
        let distribution = TailCounts::new(pooled);
        level.compare(
            self.times.into(),
            distribution.tail_count(self.lower),
            distribution.total(),
        ) == Ordering::Less
    }
}

/// Generous upper bound on the error of the one-tailed p-value of the normal approximation of U.
#[derive(Clone, Copy, Debug)]
struct NormalErrorBound {
    /// Bound on the error that holds for every p-value.
    uniform_bound: f64,
    /// Safety factor of the bound: 1, or 3 if a few tied values make up much of the sample.
    safety_factor: f64,
}

impl NormalErrorBound {
    /// Computes the bound. Returns `None` if the samples are too small or have too many ties for
    /// the normal approximation.
    fn new(pooled: &PooledSample) -> Option<Self> {
        let smaller = pooled.m().min(pooled.n());
        let distinct = pooled.ties().len();
        let tie_share = pooled.tie_share();
        if smaller < 10 || distinct < 8 || tie_share > 0.2 {
            return None;
        }
        let safety_factor = if tie_share > 0.06 { 3.0 } else { 1.0 };
        let roughness = 3.0 / (distinct as f64 * (pooled.size() as f64).sqrt());
        Some(Self {
            uniform_bound: safety_factor * (0.005 + 0.4 / smaller as f64 + roughness),
            safety_factor,
        })
    }

    /// Returns the error bound for an approximate p-value p. It is tighter for small p-values,
    /// whose absolute errors are small.
    fn for_p_value(self, p: f64) -> f64 {
        self.uniform_bound
            .min(self.safety_factor * (0.002 + 2.0 * p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mann_whitney::{MannWhitneyMethod, mann_whitney};
    use crate::random::{Rng, stream, uniform, uniform_index};
    use crate::ranks::tie_sizes;

    const ALTERNATIVES: [Alternative; 3] = [
        Alternative::Less,
        Alternative::Greater,
        Alternative::TwoSided,
    ];
    const LEVELS: [f64; 6] = [0.25, 0.125, 0.1, 0.05, 0.01, 0.5];

    /// Generates a sample of ranks with one of five patterns of ties.
    fn random_ranks(rng: &mut impl Rng, size: usize) -> Vec<f64> {
        let kind = uniform_index(rng, 5);
        let distinct = 2 + uniform_index(rng, size);
        let few = 2 + uniform_index(rng, 7);
        let (share, other) = (uniform(rng), uniform(rng));
        let clump = uniform_index(rng, distinct) as f64;
        (0..size)
            .map(|_| {
                let drawn = uniform(rng);
                match kind {
                    0 => uniform_index(rng, distinct) as f64,
                    1 => libm::floor(drawn * drawn * drawn * distinct as f64),
                    2 if drawn < share => clump,
                    2 => uniform_index(rng, distinct) as f64,
                    3 => uniform_index(rng, few) as f64,
                    _ if drawn < share => 0.0,
                    _ if drawn < share + (1.0 - share) * other => 90.0,
                    _ => 1.0 + uniform_index(rng, distinct) as f64,
                }
            })
            .collect()
    }

    /// Generates two samples with at most `most` values together. The second is shifted up by at
    /// most a third of the range.
    fn random_samples(rng: &mut impl Rng, most: usize) -> (Vec<f64>, Vec<f64>) {
        let size = 2 + uniform_index(rng, most - 1);
        let m = 1 + uniform_index(rng, size - 1);
        let all = random_ranks(rng, size);
        let top = all.iter().copied().fold(0.0, f64::max);
        let shift = libm::floor(uniform(rng) * top / 3.0);
        let (x, y) = all.split_at(m);
        (x.to_vec(), y.iter().map(|v| v + shift).collect())
    }

    #[test]
    fn decisions_match_the_exact_distribution() {
        let mut certain = 0;
        for trial in 0..2000 {
            let mut rng = stream(2010, &[trial]);
            let most = if trial % 20 == 0 { 90 } else { 40 };
            let (x, y) = random_samples(&mut rng, most);
            let alpha = LEVELS[uniform_index(&mut rng, LEVELS.len())];
            let alternative = ALTERNATIVES[uniform_index(&mut rng, 3)];
            let level = DecimalLevel::new(alpha).unwrap();
            let pooled = PooledSample::new(&x, &y).unwrap();
            let tail = DecisionTail::new(&pooled, alternative);
            let exact = tail.decide_exactly(&pooled, level);
            assert_eq!(
                rejects(&x, &y, alpha, alternative),
                Ok(exact),
                "{x:?} {y:?}"
            );
            certain += usize::from(tail.decide_if_certain(&pooled, alpha).is_some());
            // The p-value gives the same decision, unless it is within rounding error of the level.
            let p = mann_whitney(&x, &y, MannWhitneyMethod::Auto)
                .unwrap()
                .p
                .get(alternative);
            if (p - alpha).abs() > 1e-12 {
                assert_eq!(exact, p < alpha);
            }
        }
        assert!(certain > 700, "only {certain} of 2000 were certain");
    }

    #[test]
    fn joint_rejections_match_the_p_values() {
        for trial in 0..2000 {
            let mut rng = stream(2011, &[trial]);
            let most = if trial % 20 == 0 { 150 } else { 40 };
            let (x, y) = random_samples(&mut rng, most);
            for alpha in [0.25, 0.05, 0.6] {
                let p = mann_whitney(&x, &y, MannWhitneyMethod::Auto).unwrap().p;
                let found = rejections(&x, &y, alpha).unwrap();
                let found = [found.less, found.greater, found.two_sided];
                for (rejected, alternative) in found.into_iter().zip(ALTERNATIVES) {
                    let p = p.get(alternative);
                    // Rounding error may decide if the p-value equals the level.
                    if (p - alpha).abs() > 1e-12 {
                        assert_eq!(rejected, p < alpha, "{x:?} {y:?} {alternative:?}");
                    }
                }
            }
        }
    }

    #[test]
    #[ignore = "half a minute optimised: a hundred thousand pairs of 35 and 35"]
    fn decisions_on_many_samples_of_35_ranks_match_the_exact_distribution() {
        for trial in 0..100_000 {
            let mut rng = stream(35, &[trial]);
            let all = random_ranks(&mut rng, 70);
            let (x, y) = all.split_at(35);
            let alpha = LEVELS[uniform_index(&mut rng, LEVELS.len())];
            for alternative in ALTERNATIVES {
                let pooled = PooledSample::new(x, y).unwrap();
                let tail = DecisionTail::new(&pooled, alternative);
                let exact = tail.decide_exactly(&pooled, DecimalLevel::new(alpha).unwrap());
                assert_eq!(rejects(x, y, alpha, alternative), Ok(exact), "{x:?} {y:?}");
            }
        }
    }

    /// Returns the largest error of the normal approximation for a pooled sample with tie groups of
    /// these sizes, as a fraction of the margin of [`NormalErrorBound`]. About `sums` values of the
    /// rank sum of `m` values are checked. Returns `None` if the sample has no margin.
    fn largest_share_of_margin(sizes: &[usize], m: usize, sums: f64) -> Option<f64> {
        let all: Vec<f64> = sizes
            .iter()
            .enumerate()
            .flat_map(|(value, &size)| core::iter::repeat_n(value as f64, size))
            .collect();
        let pooled = PooledSample::new(&all[..m], &all[m..]).unwrap();
        let margin = NormalErrorBound::new(&pooled)?;
        let scores = MidrankScores::new(&pooled);
        let counts = ExactCounts::new(&scores);
        let size = all.len() as f64;
        let top = 2.0 * size - sizes[0] as f64 - sizes[sizes.len() - 1] as f64;
        let unit = 2.0 * scores.values[all.len() - 1] as f64 / top;
        let mean = scores.sample_size as f64 * scores.values.iter().sum::<u64>() as f64 / size;
        let deviation = pooled.variance().sqrt() * unit;
        let step = (8.0 * deviation / sums).ceil().max(1.0) as usize;
        let first = (mean - 4.0 * deviation).max(0.0) as u64;
        let last = (mean + 4.0 * deviation) as u64;
        (first..last)
            .step_by(step)
            .filter_map(|sum| {
                let count = counts.at_most(sum);
                // Only sums that occur can be observed.
                let occurs = sum == 0 || count > counts.at_most(sum - 1);
                let p = count as f64 / counts.total() as f64;
                let z = (sum as f64 - mean + 0.5 * unit) / deviation;
                let approximate = normal::cdf(z);
                occurs.then(|| (p - approximate).abs() / margin.for_p_value(approximate))
            })
            .reduce(f64::max)
    }

    #[test]
    fn normal_approximation_error_is_below_half_the_margin() {
        let mut trusted = 0;
        for trial in 0..150 {
            let mut rng = stream(7, &[trial]);
            let size = 20 + uniform_index(&mut rng, 40);
            let m = 10 + uniform_index(&mut rng, size - 19);
            let sizes = tie_sizes(&random_ranks(&mut rng, size)).unwrap();
            if let Some(share) = largest_share_of_margin(&sizes, m, 30.0) {
                assert!(share < 0.5, "{share} with {m} of {sizes:?}");
                trusted += 1;
            }
        }
        assert!(trusted > 40, "only {trusted} patterns have a margin");
        // Worst patterns that `search_finds_no_tie_pattern_with_an_error_of_half_the_margin` found.
        for (m, sizes) in [
            (17, vec![2, 8, 3, 7, 3, 8, 1, 1]),
            (39, vec![9, 10, 8, 11, 7, 12, 7, 11]),
            (18, vec![1, 1, 19, 2, 1, 1, 18, 5]),
            (35, vec![1, 1, 36, 1, 1, 1, 35, 2]),
        ] {
            let share = largest_share_of_margin(&sizes, m, 60.0).unwrap();
            assert!(share < 0.5, "{share} with {m} of {sizes:?}");
        }
    }

    #[test]
    #[ignore = "minutes: climbs towards the worst patterns; run after any change of the margin"]
    fn search_finds_no_tie_pattern_with_an_error_of_half_the_margin() {
        let mut worst = 0.0;
        for trial in 0..120 {
            let mut rng = stream(1234, &[trial]);
            let size = 20 + uniform_index(&mut rng, 100);
            let m = 10 + uniform_index(&mut rng, size - 19);
            let (mut sizes, mut best) = loop {
                let sizes = tie_sizes(&random_ranks(&mut rng, size)).unwrap();
                if let Some(share) = largest_share_of_margin(&sizes, m, 150.0) {
                    break (sizes, share);
                }
            };
            for _ in 0..400 {
                let mut next = sizes.clone();
                for _ in 0..=uniform_index(&mut rng, 3) {
                    let from = uniform_index(&mut rng, next.len());
                    let moved = 1 + uniform_index(&mut rng, next[from].min(4));
                    next[from] = next[from].saturating_sub(moved);
                    let to = uniform_index(&mut rng, next.len());
                    if uniform_index(&mut rng, 8) == 0 {
                        next.insert(to, moved);
                    } else {
                        next[to] += moved;
                    }
                }
                next.retain(|&size| size > 0);
                if next.iter().sum::<usize>() != size {
                    continue;
                }
                if let Some(share) =
                    largest_share_of_margin(&next, m, 150.0).filter(|share| *share > best)
                {
                    (sizes, best) = (next, share);
                }
            }
            if best > worst {
                worst = best;
                println!("{best:.3} of the margin: {m} of {sizes:?}");
            }
            assert!(best < 0.5);
        }
    }
}
