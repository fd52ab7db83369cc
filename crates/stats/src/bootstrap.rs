//! The bootstrap: confidence intervals and a test, by resampling.
//!
//! A sample of n units is resampled n at a time with replacement; the spread of a statistic over
//! the resamples stands for its sampling error (Efron 1979). A unit may be anything: a number, a
//! row of a score matrix, an index.
//!
//! * The **percentile** interval takes the outer quantiles of the resampled statistics.
//! * The **BCa** interval (bias-corrected and accelerated; Efron 1987; Efron and Tibshirani 1993,
//!   eq. 14.9-14.15) shifts those quantiles for median bias and for a standard error that changes
//!   with the value. The acceleration is that of the jackknife. Resampled statistics equal to the
//!   observed one count half below it.
//! * The **test** of a mean shifts the sample to mean zero and compares studentised means (Davison
//!   and Hinkley 1997, chapter 4): p = (1 + #{t* >= t})/(B + 1).
//!
//! Quantiles are read at position (B + 1)q of the sorted statistics, with linear interpolation
//! (definition 6 of Hyndman and Fan 1996).
//!
//! ```
//! use partita_stats::{bootstrap, streams::stream};
//!
//! let differences = [0.1, 0.3, -0.05, 0.2, 0.15, 0.0, 0.4, 0.25];
//! let interval = bootstrap::mean_interval(
//!     &differences,
//!     bootstrap::Method::Bca,
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
//! let interval = bootstrap::interval(
//!     &differences,
//!     median,
//!     bootstrap::Method::Percentile,
//!     0.9,
//!     2000,
//!     &mut stream(7, &[1]),
//! )?;
//! assert_eq!(interval.estimate, 0.175);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::distribution::normal;
use crate::error::{self, StatsError};
use crate::numeric::moments;
use crate::p_value::PValues;
use crate::random::{Rng, uniform_index};

partita_named::named_enum! {
    /// How the ends of a bootstrap interval are placed.
    pub enum IntervalMethod: "method of intervals" {
        /// Bias-corrected and accelerated quantiles
        Bca = "bca",
        /// The outer quantiles of the resampled statistics
        Percentile = "percentile",
    }
}

/// A statistic with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The statistic of the sample itself.
    pub estimate: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// The share of samples whose interval is meant to cover the truth.
    pub confidence: f64,
}

/// The result of the studentised bootstrap test of a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BootstrapMeanTest {
    /// The observed mean over its standard error.
    pub t: f64,
    /// The p-values of "the mean is less than, greater than, other than 0".
    pub p: PValues,
    /// The number of resamples B.
    pub resamples: usize,
}

/// The confidence interval of any statistic of a sample of units.
///
/// `statistic` is called on `resamples` resamples, on the sample, and for [`Method::Bca`] on the n
/// samples that lack one unit. It must not depend on the order of the units.
///
/// # Errors
/// Fewer than 2 units, no resamples, a confidence outside (0, 1), or a statistic that is NaN.
pub fn confidence_interval<T: Clone>(
    sample: &[T],
    mut statistic: impl FnMut(&[T]) -> f64,
    method: IntervalMethod,
    confidence: f64,
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<Interval, StatsError> {
    error::require_length("sample", 2, sample.len())?;
    error::require_length("resamples", 1, resamples)?;
    error::require_proportion("confidence", confidence)?;

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
    Ok(Interval {
        estimate,
        lower: sorted_quantile(&replicates, low),
        upper: sorted_quantile(&replicates, high),
        confidence,
    })
}

/// The confidence interval of the mean of a sample of numbers.
///
/// # Errors
/// As [`interval`]; also values that are not finite.
pub fn mean_confidence_interval(
    sample: &[f64],
    method: IntervalMethod,
    confidence: f64,
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<Interval, StatsError> {
    error::refuse_non_finite("sample", sample)?;
    confidence_interval(sample, moments::mean, method, confidence, resamples, rng)
}

/// Tests whether the mean of a sample (of paired differences, say) is zero.
///
/// The sample is shifted to mean zero, resampled B times, and each resample gives t* =
/// mean/standard error. p of "greater" is (1 + #{t* >= t})/(B + 1), of "less" likewise with <=, and
/// two-sided with absolute values. Values of t* within 1e-9 of t, relatively, count as ties,
/// against rejection. A resample without spread has t* = 0 or ±∞, by the sign of its mean.
///
/// A sample of zeros has t = 0 and p = 1; one that is constant at another value has infinite t and
/// the smallest p-value B allows.
///
/// # Errors
/// Fewer than 2 values, values that are not finite, or no resamples.
pub fn test_mean(
    sample: &[f64],
    resamples: usize,
    rng: &mut impl Rng,
) -> Result<BootstrapMeanTest, StatsError> {
    error::refuse_non_finite("sample", sample)?;
    error::require_length("sample", 2, sample.len())?;
    error::require_length("resamples", 1, resamples)?;

    let t = studentised_mean(sample);
    let mean = if moments::is_constant(sample) {
        sample[0]
    } else {
        moments::mean(sample)
    };
    let shifted: Vec<f64> = sample.iter().map(|x| x - mean).collect();
    let slack = if t.is_finite() {
        1e-9 * t.abs().max(1.0)
    } else {
        0.0
    };
    let (mut below, mut above, mut beyond) = (1usize, 1usize, 1usize);
    let mut drawn = Vec::with_capacity(sample.len());
    for _ in 0..resamples {
        resample(&shifted, &mut drawn, rng);
        let replicate = studentised_mean(&drawn);
        below += usize::from(replicate <= t + slack);
        above += usize::from(replicate >= t - slack);
        beyond += usize::from(replicate.abs() >= t.abs() - slack);
    }
    let share = |count: usize| count as f64 / (resamples as f64 + 1.0);
    Ok(BootstrapMeanTest {
        t,
        p: PValues {
            less: share(below),
            greater: share(above),
            two_sided: share(beyond),
        },
        resamples,
    })
}

/// The mean over its standard error; 0 for zeros, ±∞ for another constant.
fn studentised_mean(values: &[f64]) -> f64 {
    let (mean, variance) = moments::mean_and_variance(values);
    if mean == 0.0 {
        0.0
    } else {
        mean / (variance / values.len() as f64).sqrt()
    }
}

/// Fills `drawn` with as many units of the sample, drawn with replacement.
fn resample<T: Clone>(sample: &[T], drawn: &mut Vec<T>, rng: &mut impl Rng) {
    drawn.clear();
    drawn.extend((0..sample.len()).map(|_| sample[uniform_index(rng, sample.len())].clone()));
}

fn refuse_undefined(value: f64, where_found: &'static str) -> Result<f64, StatsError> {
    if value.is_nan() {
        Err(StatsError::UndefinedStatistic { where_found })
    } else {
        Ok(value)
    }
}

/// z0: the normal quantile of the share of replicates below the estimate.
///
/// A share of 0 or 1 would be infinite; it is taken half a replicate inside.
fn bias_correction(sorted: &[f64], estimate: f64) -> f64 {
    let below = sorted.partition_point(|&r| r < estimate);
    let up_to = sorted.partition_point(|&r| r <= estimate);
    let count = sorted.len() as f64;
    let share = 0.5 * (below as f64 + up_to as f64) / count;
    normal::quantile_unchecked(share.clamp(0.5 / count, 1.0 - 0.5 / count))
}

/// The acceleration of the jackknife, Σd³/(6(Σd²)^1.5); 0 when the statistic does not change.
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

/// The level of the replicates that BCa reads in place of `level`.
fn bca_level(level: f64, bias: f64, acceleration: f64) -> f64 {
    let shifted = bias + normal::quantile_unchecked(level);
    let stretch = 1.0 - acceleration * shifted;
    // Beyond this point the map turns back on itself: read the end.
    if stretch <= 0.0 {
        return if shifted > 0.0 { 1.0 } else { 0.0 };
    }
    normal::cdf(bias + shifted / stretch)
}

/// Returns the quantile q of B sorted replicates, at position (B + 1)q, held inside the replicates.
///
/// # Panics
/// When there are no replicates.
pub fn sorted_quantile(sorted: &[f64], level: f64) -> f64 {
    let position = level * (sorted.len() as f64 + 1.0) - 1.0;
    let last = sorted.len() - 1;
    let below = (position.max(0.0) as usize).min(last);
    let above = (below + 1).min(last);
    let share = (position - below as f64).clamp(0.0, 1.0);
    let (low, high) = (sorted[below], sorted[above]);
    // Equal ends stay exactly equal, infinite ones included.
    if low == high {
        low
    } else {
        low + share * (high - low)
    }
}
