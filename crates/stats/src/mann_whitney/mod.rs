//! Mann-Whitney U test (Wilcoxon rank-sum test), exact with ties.
//!
//! The test decides whether the values of one sample tend to be smaller than those of another,
//! independent one. The statistic is
//!
//! ```text
//! U = #{(x, y) : x > y} + ½ #{(x, y) : x = y}
//! ```
//!
//! over all pairs (Mann and Whitney 1947), which is m·n + n(n+1)/2 - R_Y for the sum R_Y of the
//! midranks of y. A small U is evidence for "x tends to be smaller".
//!
//! # Distributions
//!
//! * [`MannWhitneyMethod::ExactConditional`]: given the pooled values with their ties, every choice
//!   of m of them is equally likely to be x. The p-values count the choices at least as extreme
//!   (Streitberg and Röhmel 1986). Correct for every sample size and pattern of ties.
//! * [`MannWhitneyMethod::ExactUntied`]: the same, with an error if there are ties; the values of
//!   printed tables.
//! * [`MannWhitneyMethod::Normal`]: mean mn/2 and variance mn/12·[(N+1) - Σ(t³-t)/(N(N-1))], with a
//!   continuity correction of ½ towards the mean (Lehmann 1975, chapter 1).
//! * [`MannWhitneyMethod::NormalUncorrected`]: the same without the continuity correction.
//! * [`MannWhitneyMethod::Auto`]: exact up to [`MAX_AUTO_EXACT`] pooled values, otherwise normal
//!   with both corrections. Ties do not change the choice.
//!
//! The two-sided p-value doubles the smaller one-tailed one. If all values are equal, every p-value
//! is 1.
//!
//! # Decisions
//!
//! A hypothesis is rejected when p < alpha, strictly. [`rejects`] compares counts with the level as
//! integers, so that p = 1/20 is never below 0.05. It is much faster than computing p-values if
//! most decisions are clear. [`rejections`] decides the three alternatives at once.
//!
//! ```
//! use partita_stats::mann_whitney::{mann_whitney, rejects, MannWhitneyMethod};
//! use partita_stats::Alternative;
//!
//! // Ranks that two groups of experts gave to two melodies.
//! let x = [1.0, 2.0, 2.0, 3.0, 1.0];
//! let y = [3.0, 5.0, 2.0, 4.0, 4.0, 6.0];
//! let test = mann_whitney(&x, &y, MannWhitneyMethod::Auto)?;
//! assert_eq!(test.u, 2.5);
//! // 7 of the 462 choices of 5 of the 11 midranks have a sum at most as large.
//! assert!((test.p.less - 7.0 / 462.0).abs() < 1e-15);
//! assert!(rejects(&x, &y, 0.05, Alternative::Less)?);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

mod decision;
mod midrank_scores;
mod permutation_distribution;
pub(crate) mod pooled_sample;

pub use decision::{Rejections, rejections, rejects};

use crate::distribution::normal;
use crate::error::StatsError;
use crate::p_value::PValues;
use midrank_scores::MidrankScores;
use permutation_distribution::{ExactCounts, MAX_INTEGER_COUNTS, PermutationProbabilities};
use pooled_sample::PooledSample;

/// Largest number of values in both samples together for which [`MannWhitneyMethod::Auto`] is
/// exact.
pub const MAX_AUTO_EXACT: usize = 120;

partita_named::named_enum! {
    /// Distribution that the p-values of the Mann-Whitney test come from.
    pub enum MannWhitneyMethod: "method" = Auto {
        /// Exact for samples of moderate size, normal with corrections beyond
        Auto = "auto",
        /// Permutation distribution given the ties
        ExactConditional = "exact",
        /// Permutation distribution; an error when there are ties
        ExactUntied = "exact-untied",
        /// Normal approximation: ties reduce the variance, and U is moved ½ towards its mean
        Normal = "normal",
        /// Normal approximation without the correction for continuity
        NormalUncorrected = "normal-nocc",
    }
}

/// Result of a Mann-Whitney U test of samples x and y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitneyTest {
    /// U of x: the number of pairs with x above y, with ties counted one half.
    pub u: f64,
    /// P-values of the three alternatives; `less` is the alternative that x tends to be smaller.
    pub p: PValues,
    /// Distribution used; never [`MannWhitneyMethod::Auto`].
    pub method: MannWhitneyMethod,
}

/// Runs the Mann-Whitney U test of x against y.
///
/// # Errors
/// Returns a [`StatsError`] for an empty sample, a NaN, ties under
/// [`MannWhitneyMethod::ExactUntied`], or an exact distribution whose table would be too large.
pub fn mann_whitney(
    x: &[f64],
    y: &[f64],
    method: MannWhitneyMethod,
) -> Result<MannWhitneyTest, StatsError> {
    let pooled = PooledSample::new(x, y)?;
    let method = match method {
        MannWhitneyMethod::Auto if pooled.size() <= MAX_AUTO_EXACT => {
            MannWhitneyMethod::ExactConditional
        }
        MannWhitneyMethod::Auto => MannWhitneyMethod::Normal,
        other => other,
    };
    let p = match method {
        MannWhitneyMethod::Normal | MannWhitneyMethod::NormalUncorrected => {
            normal_p_values(&pooled, method == MannWhitneyMethod::Normal)
        }
        _ => {
            if method == MannWhitneyMethod::ExactUntied && pooled.has_ties() {
                return Err(ties_error(x, y));
            }
            exact_p_values(&pooled)?
        }
    };
    Ok(MannWhitneyTest {
        u: pooled.u(),
        p,
        method,
    })
}

/// Returns the error for ties where they are not allowed. It names one of the tied values.
fn ties_error(x: &[f64], y: &[f64]) -> StatsError {
    let mut values = [x, y].concat();
    values.sort_unstable_by(crate::ranks::compare_numbers);
    let pair = values.windows(2).find(|pair| pair[0] == pair[1]);
    StatsError::UnexpectedTies {
        what: "x and y together",
        value: pair.map_or(f64::NAN, |pair| pair[0]),
        remedy: "use the exact conditional distribution",
    }
}

/// Computes the p-values of U by the normal approximation.
pub(crate) fn normal_p_values(pooled: &PooledSample, continuity: bool) -> PValues {
    if pooled.all_equal() {
        return PValues::NO_EVIDENCE;
    }
    let deviation = pooled.u() - pooled.mean();
    normal::p_values(deviation, pooled.variance(), continuity)
}

/// Computes the p-values of U by its permutation distribution.
fn exact_p_values(pooled: &PooledSample) -> Result<PValues, StatsError> {
    let scores = MidrankScores::new(pooled);
    let (lower, upper) = if pooled.size() <= MAX_INTEGER_COUNTS {
        tails_from_counts(&scores)
    } else {
        tails_from_probabilities(&scores)?
    };
    let p = PValues::from_one_sided(lower, upper);
    Ok(if scores.swapped { p.swapped() } else { p })
}

/// Computes P(sum <= observed) and P(sum >= observed) of the score sum of the smaller sample from
/// integer counts. Each is rounded only once.
fn tails_from_counts(scores: &MidrankScores) -> (f64, f64) {
    let counts = ExactCounts::new(scores);
    let share = |count: u128| count as f64 / counts.total() as f64;
    (
        share(counts.at_most(scores.observed)),
        share(counts.at_least(scores.observed)),
    )
}

/// Computes P(sum <= observed) and P(sum >= observed) of the score sum of the smaller sample in
/// floating point. The upper tail comes from the mirrored distribution, because 1 minus the lower
/// tail would lose small values.
fn tails_from_probabilities(scores: &MidrankScores) -> Result<(f64, f64), StatsError> {
    let mirrored = scores.mirrored();
    Ok((
        PermutationProbabilities::new(scores)?.at_most(scores.observed),
        PermutationProbabilities::new(&mirrored)?.at_most(mirrored.observed),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probability_and_integer_distributions_agree() {
        let x: Vec<f64> = (0..30).map(|i| f64::from(i % 11)).collect();
        let y: Vec<f64> = (0..25).map(|i| f64::from((i * i) % 13 + 1)).collect();
        let scores = MidrankScores::new(&PooledSample::new(&x, &y).unwrap());
        let counted = tails_from_counts(&scores);
        let weighted = tails_from_probabilities(&scores).unwrap();
        assert!((counted.0 / weighted.0 - 1.0).abs() < 1e-13);
        assert!((counted.1 / weighted.1 - 1.0).abs() < 1e-13);
    }
}
