//! Student's t distribution.
//!
//! P(T > t) on ν degrees of freedom is half the regularised incomplete beta function I(ν/2, ½) at
//! ν/(ν + t²) for t >= 0 (Student 1908; Abramowitz and Stegun 26.7.1). The degrees of freedom may
//! be any positive number, as Welch's test needs; infinitely many yield the normal distribution.
//!
//! ```
//! use partita_stats::distribution::student_t;
//!
//! // One degree of freedom is the Cauchy distribution: P(T > 1) = 1/4.
//! assert!((student_t::sf(1.0, 1.0)? - 0.25).abs() < 1e-15);
//! assert!((student_t::two_sided(2.2281388519862747, 10.0)? - 0.05).abs() < 1e-15);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use super::normal;
use crate::error::StatsError;
use crate::numeric::bisection::bisect;
use crate::numeric::incomplete::{UnitIntervalPoint, incomplete_beta};
use crate::p_value::PValues;

/// Computes P(T > t) on `df` degrees of freedom, accurate in the far tail.
///
/// # Errors
/// Returns a [`StatsError`] if t is NaN or the degrees of freedom are not positive.
pub fn sf(t: f64, df: f64) -> Result<f64, StatsError> {
    check_arguments(t, df)?;
    Ok(tails(t, df).1)
}

/// Computes P(T <= t) on `df` degrees of freedom.
///
/// # Errors
/// Returns the errors of [`sf`].
pub fn cdf(t: f64, df: f64) -> Result<f64, StatsError> {
    check_arguments(t, df)?;
    Ok(tails(t, df).0)
}

/// Computes P(|T| >= |t|) on `df` degrees of freedom.
///
/// # Errors
/// Returns the errors of [`sf`].
pub fn two_sided(t: f64, df: f64) -> Result<f64, StatsError> {
    check_arguments(t, df)?;
    Ok(p_values(t, df).two_sided)
}

/// Computes the t with P(T <= t) = p on `df` degrees of freedom.
///
/// # Errors
/// Returns a [`StatsError`] if p is not strictly between 0 and 1 or the degrees of freedom are not
/// positive.
pub fn quantile(p: f64, df: f64) -> Result<f64, StatsError> {
    crate::validate::require_proportion("p of the quantile of Student's t", p)?;
    check_arguments(0.0, df)?;
    let tail = p.min(1.0 - p);
    let upper = upper_quantile(tail, df);
    Ok(if p < 0.5 { -upper } else { upper })
}

/// Computes the t >= 0 with P(T > t) = `tail`, which is at most one half.
fn upper_quantile(tail: f64, df: f64) -> f64 {
    if tail == 0.5 {
        return 0.0;
    }
    let is_below = |t: f64| tails(t, df).1 > tail;
    let (mut low, mut high) = (0.0, 1.0);
    while is_below(high) && high < f64::MAX / 2.0 {
        low = high;
        high *= 2.0;
    }
    bisect(low, high, is_below)
}

/// Returns the p-values of an observed t statistic on `df` degrees of freedom.
pub(crate) fn p_values(t: f64, df: f64) -> PValues {
    let (less, greater) = tails(t, df);
    PValues::from_one_sided(less, greater)
}

fn check_arguments(t: f64, df: f64) -> Result<(), StatsError> {
    crate::validate::refuse_nan("t", &[t])?;
    crate::validate::require_degrees_of_freedom(df, true)
}

/// Returns the lower tail P(T <= t) and the upper tail P(T > t).
fn tails(t: f64, df: f64) -> (f64, f64) {
    let outer = if df == f64::INFINITY {
        normal::sf(t.abs())
    } else if t.is_infinite() {
        0.0
    } else {
        // The odds t²/ν belong to the complement of ν/(ν + t²).
        0.5 * incomplete_beta(0.5, 0.5 * df, UnitIntervalPoint::from_odds(t * t / df)).1
    };
    if t < 0.0 {
        (outer, 1.0 - outer)
    } else {
        (1.0 - outer, outer)
    }
}
