//! Studentized range distribution, for Tukey's honestly significant differences.
//!
//! The statistic is the range of k independent normal means, divided by an independent estimate of
//! their standard deviation on ν degrees of freedom ("Student" 1927; Tukey 1953). Its upper
//! quantiles are critical values for all pairwise differences of k means together. With infinitely
//! many degrees of freedom it is the plain range, which is used for rank means (Nemenyi 1963).
//!
//! Compared with independent quadrature for 2 to 100 groups, the tails have an absolute error below
//! 1e-13 with infinite and 1e-11 with finite degrees of freedom. Refining every step changes no
//! tail down to 1e-12 by a relative 1e-10 or more, for up to a thousand groups.
//!
//! ```
//! use partita_stats::distribution::studentized_range::{quantile, sf};
//!
//! // The .95 quantile of Harter's table for 3 groups and 10 degrees: 3.877.
//! assert!((quantile(0.95, 3, 10.0)? - 3.877).abs() < 5e-4);
//! assert!((sf(3.877, 3, 10.0)? - 0.05).abs() < 5e-5);
//!
//! // Ten systems compared by rank means.
//! assert!((quantile(0.95, 10, f64::INFINITY)? - 4.474).abs() < 5e-4);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

mod finite_df;
mod infinite_df;

use crate::error::StatsError;
use crate::validate;
pub(crate) use infinite_df::{NormalRange, QuadraturePrecision};

/// Degrees of freedom from which the distribution for infinite degrees of freedom is accurate
/// enough.
const INFINITE_DF_THRESHOLD: f64 = 1e11;

/// Computes P(Q > q) for k groups and `df` degrees of freedom, which may be infinite.
///
/// The relative accuracy is high: tails of 1e-12 are correct in their first ten digits.
///
/// # Errors
/// Returns a [`StatsError`] if q is NaN, for fewer than 2 groups, or if the degrees of freedom are
/// not positive.
pub fn sf(q: f64, k: usize, df: f64) -> Result<f64, StatsError> {
    validate::refuse_nan("q", &[q])?;
    check_arguments(k, df)?;
    Ok(upper_tail(q, k, df))
}

/// Computes P(Q <= q) for k groups as 1 minus the tail, with high absolute accuracy.
///
/// # Errors
/// Returns the errors of [`sf`].
pub fn cdf(q: f64, k: usize, df: f64) -> Result<f64, StatsError> {
    Ok(1.0 - sf(q, k, df)?)
}

/// Computes the quantile: the q with P(Q <= q) = p for k groups.
///
/// # Errors
/// Returns a [`StatsError`] if p is not strictly between 0 and 1, for fewer than 2 groups, or if
/// the degrees of freedom are not positive.
pub fn quantile(p: f64, k: usize, df: f64) -> Result<f64, StatsError> {
    validate::require_proportion("p of the studentized range quantile", p)?;
    check_arguments(k, df)?;
    Ok(upper_quantile(1.0 - p, k, df))
}

fn check_arguments(k: usize, df: f64) -> Result<(), StatsError> {
    validate::require_length("groups", 2, k)?;
    validate::require_degrees_of_freedom(df, true)
}

/// Computes P(Q > q) for arguments that the caller has checked.
pub(crate) fn upper_tail(q: f64, k: usize, df: f64) -> f64 {
    if q <= 0.0 {
        1.0
    } else if q == f64::INFINITY {
        0.0
    } else if df >= INFINITE_DF_THRESHOLD {
        NormalRange::new(k, q, QuadraturePrecision::Full).sf(q)
    } else {
        finite_df::sf(q, k, df)
    }
}

/// Computes the q with P(Q > q) = `target`, for a target inside (0, 1).
///
/// The logarithm of the tail is smooth and decreasing. Doubling brackets its root, and the Illinois
/// form of false position (Dowell and Jarratt 1971), which never leaves the bracket, finds it.
pub(crate) fn upper_quantile(target: f64, k: usize, df: f64) -> f64 {
    let goal = libm::log(target);
    let excess = |q: f64| {
        let tail = upper_tail(q, k, df);
        if tail > 0.0 {
            libm::log(tail) - goal
        } else {
            -1e3 - goal.abs()
        }
    };
    let (mut low, mut above) = (0.0, -goal);
    let (mut high, mut below) = (2.0, excess(2.0));
    while below > 0.0 && high < 1e300 {
        (low, above) = (high, below);
        high *= 2.0;
        below = excess(high);
    }
    let (mut last, mut last_value) = (f64::NAN, 0.0);
    for _ in 0..200 {
        let secant = (low * below - high * above) / (below - above);
        let middle = if secant > low && secant < high {
            secant
        } else {
            0.5 * (low + high)
        };
        let value = excess(middle);
        // Near the root the secant steps vanish on one side of it, so the step size is checked too.
        if value == 0.0 || (middle - last).abs() <= 1e-13 * middle || high - low <= 1e-13 * high {
            return middle;
        }
        // Illinois rule: if the same end of the bracket is kept twice in a row, its function value
        // is halved.
        let repeated = value * last_value > 0.0;
        (last, last_value) = (middle, value);
        if value > 0.0 {
            (low, above) = (middle, value);
            below *= if repeated { 0.5 } else { 1.0 };
        } else {
            (high, below) = (middle, value);
            above *= if repeated { 0.5 } else { 1.0 };
        }
    }
    last
}
