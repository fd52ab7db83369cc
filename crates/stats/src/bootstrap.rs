//! Bootstrap confidence intervals.
//!
//! Resamples draw n units with replacement from a sample of n units. The distribution of a
//! statistic over the resamples approximates its sampling distribution (Efron 1979). A unit may be
//! anything: a number, a row of a score matrix, an index.
//!
//! * The **percentile** interval takes the outer quantiles of the resampled statistics.
//! * The **BCa** interval (bias-corrected and accelerated; Efron 1987; Efron and Tibshirani 1993,
//!   eq. 14.9-14.15) shifts those quantiles for median bias and for a standard error that changes
//!   with the value. The acceleration is that of the jackknife. Resampled statistics equal to the
//!   observed one count half below it.
//!
//! Quantiles are read at position (B + 1)q of the sorted statistics, with linear interpolation
//! (definition 6 of Hyndman and Fan 1996).
//!
//! ```
//! use partita_stats::bootstrap::{self, IntervalMethod};
//! use partita_stats::random::stream;
//!
//! let differences = [0.1, 0.3, -0.05, 0.2, 0.15, 0.0, 0.4, 0.25];
//! let interval = bootstrap::mean_confidence_interval(
//!     &differences,
//!     IntervalMethod::Bca,
//!     0.95,
//!     10_000,
//!     &mut stream(7, &[]),
//! )?;
//! assert!(interval.lower > 0.0 && interval.upper < 0.35);
//!
//! // Any statistic will do, here the median.
//! let median = |units: &[f64]| {
//!     let mut sorted = units.to_vec();
//!     sorted.sort_by(f64::total_cmp);
//!     (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0
//! };
//! let interval = bootstrap::confidence_interval(
//!     &differences,
//!     median,
//!     IntervalMethod::Percentile,
//!     0.9,
//!     2000,
//!     &mut stream(7, &[1]),
//! )?;
//! assert_eq!(interval.estimate, 0.175);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::distribution::normal;
use crate::error::StatsError;
use crate::numeric::moments;
use crate::random::{Rng, uniform_index};
use crate::validate;

partita_named::named_enum! {
    /// Method for computing the limits of a bootstrap confidence interval.
    pub enum IntervalMethod: "method of intervals" {
        /// Bias-corrected and accelerated quantiles
        Bca = "bca",
        /// The outer quantiles of the resampled statistics
        Percentile = "percentile",
    }
}

/// Estimate of a statistic with its confidence interval, which contains the estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Value of the statistic on the whole sample.
    pub estimate: f64,
    /// Lower confidence limit of the statistic.
    pub lower: f64,
    /// Upper confidence limit of the statistic.
    pub upper: f64,
    /// Nominal coverage probability of the interval, such as 0.95.
    pub confidence: f64,
}

impl Interval {
    /// Returns the limits, or `None` if the interval has no width: a statistic that does not vary
    /// over the resamples says nothing about its uncertainty.
    pub fn limits(&self) -> Option<(f64, f64)> {
        (self.lower < self.upper).then_some((self.lower, self.upper))
    }
}

/// Computes the confidence interval of any statistic of a sample of units.
///
/// `statistic` is called on `resamples` resamples, on the sample, and for [`IntervalMethod::Bca`]
/// on the n samples that lack one unit. It must not depend on the order of the units.
///
/// # Errors
/// Returns a [`StatsError`] for fewer than 2 units, no resamples, a confidence outside (0, 1), or a
/// statistic that is NaN.
pub fn confidence_interval<T: Clone>(
    sample: &[T],
    mut statistic: impl FnMut(&[T]) -> f64,
    method: IntervalMethod,
    confidence: f64,
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<Interval, StatsError> {
    validate::require_length("sample", 2, sample.len())?;
    validate::require_length("resamples", 1, resamples)?;
    validate::require_proportion("confidence", confidence)?;

    let estimate = refuse_undefined(statistic(sample), "the sample itself")?;
    let mut drawn = Vec::with_capacity(sample.len());
    let mut replicates = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        resample(sample, &mut drawn, rng);
        replicates.push(refuse_undefined(statistic(&drawn), "a resample")?);
    }
    replicates.sort_unstable_by(f64::total_cmp);

    let tail = 0.5 * (1.0 - confidence);
    let (low, high) = match method {
        IntervalMethod::Percentile => (tail, 1.0 - tail),
        IntervalMethod::Bca => {
            let bias = bias_correction(&replicates, estimate);
            let acceleration = acceleration(sample, &mut statistic)?;
            (
                bca_level(tail, bias, acceleration),
                bca_level(1.0 - tail, bias, acceleration),
            )
        }
    };
    // With few units, the shift of BCa can move both limits beyond the estimate.
    Ok(Interval {
        estimate,
        lower: sorted_quantile(&replicates, low).min(estimate),
        upper: sorted_quantile(&replicates, high).max(estimate),
        confidence,
    })
}

/// Computes the confidence interval of the mean of a sample of numbers.
///
/// # Errors
/// Returns the errors of [`confidence_interval`], and an error for values that are not finite.
pub fn mean_confidence_interval(
    sample: &[f64],
    method: IntervalMethod,
    confidence: f64,
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<Interval, StatsError> {
    validate::refuse_non_finite("sample", sample)?;
    confidence_interval(sample, moments::mean, method, confidence, resamples, rng)
}

/// Fills `drawn` with n units of the sample, drawn with replacement.
fn resample<T: Clone>(sample: &[T], drawn: &mut Vec<T>, rng: &mut impl Rng) {
    drawn.clear();
    drawn.extend((0..sample.len()).map(|_| sample[uniform_index(rng, sample.len())].clone()));
}

/// Returns the value of a statistic, or an error if it is NaN. `where_found` names the sample in
/// the message.
fn refuse_undefined(value: f64, where_found: &'static str) -> Result<f64, StatsError> {
    if value.is_nan() {
        Err(StatsError::UndefinedStatistic { where_found })
    } else {
        Ok(value)
    }
}

/// Returns z0, BCa's correction of median bias: the normal quantile of the share of replicates
/// below the estimate. A replicate equal to the estimate counts one half.
///
/// For a share of 0 or 1 the quantile would be infinite, so the share is kept at least half a
/// replicate away from both.
fn bias_correction(sorted: &[f64], estimate: f64) -> f64 {
    let below = sorted.partition_point(|&r| r < estimate);
    let up_to = sorted.partition_point(|&r| r <= estimate);
    let count = sorted.len() as f64;
    let share = 0.5 * (below as f64 + up_to as f64) / count;
    normal::quantile_unchecked(share.clamp(0.5 / count, 1.0 - 0.5 / count))
}

/// Returns BCa's acceleration Σd³/(6(Σd²)^1.5), where d are the mean of the jackknife replicates
/// minus each of them; 0 if the statistic does not vary.
fn acceleration<T: Clone>(
    sample: &[T],
    statistic: &mut impl FnMut(&[T]) -> f64,
) -> Result<f64, StatsError> {
    let mut values = Vec::with_capacity(sample.len());
    let mut rest = Vec::with_capacity(sample.len());
    for left_out in 0..sample.len() {
        rest.clear();
        rest.extend_from_slice(&sample[..left_out]);
        rest.extend_from_slice(&sample[left_out + 1..]);
        values.push(refuse_undefined(
            statistic(&rest),
            "a sample that lacks one unit",
        )?);
    }
    let mean = moments::mean(&values);
    let squares = moments::compensated_sum(values.iter().map(|v| (mean - v) * (mean - v)));
    let cubes = moments::compensated_sum(values.iter().map(|v| (mean - v).powi(3)));
    let scale = 6.0 * squares * squares.sqrt();
    Ok(if scale > 0.0 && cubes.is_finite() {
        cubes / scale
    } else {
        0.0
    })
}

/// Returns the level at which BCa reads the quantile of the replicates, in place of the nominal
/// `level`.
fn bca_level(level: f64, bias: f64, acceleration: f64) -> f64 {
    let shifted = bias + normal::quantile_unchecked(level);
    let stretch = 1.0 - acceleration * shifted;
    // Beyond this point the map is not monotonic, so the smallest or largest replicate is read.
    if stretch <= 0.0 {
        return if shifted > 0.0 { 1.0 } else { 0.0 };
    }
    normal::cdf(bias + shifted / stretch)
}

/// Returns the quantile at `level` of B sorted replicates, at position (B + 1)·level, limited to
/// the range of the replicates.
///
/// # Panics
/// Panics if there are no replicates.
pub fn sorted_quantile(sorted: &[f64], level: f64) -> f64 {
    let position = level * (sorted.len() as f64 + 1.0) - 1.0;
    let last = sorted.len() - 1;
    let below = (position.max(0.0) as usize).min(last);
    let above = (below + 1).min(last);
    let share = (position - below as f64).clamp(0.0, 1.0);
    let (low, high) = (sorted[below], sorted[above]);
    // Equal neighbours need no interpolation, which would be NaN for infinite ones.
    if low == high {
        low
    } else {
        low + share * (high - low)
    }
}
