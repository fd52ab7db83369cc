//! Fisher's F distribution: the ratio of two mean squares.
//!
//! P(F <= x) on d₁ and d₂ degrees of freedom is the regularised incomplete beta function I(d₁/2,
//! d₂/2) at the odds d₁x/d₂ (Abramowitz and Stegun 26.6.2). With infinite d₂, d₁F is chi-squared.
//!
//! ```
//! use partita_stats::distribution::f;
//!
//! // The printed .95 quantile on 4 and 18 degrees of freedom is 2.93.
//! assert!((f::quantile(0.95, 4.0, 18.0)? - 2.9277).abs() < 5e-5);
//! // With 2 and 2 degrees of freedom the tail is 1/(1 + x).
//! assert!((f::sf(3.0, 2.0, 2.0)? - 0.25).abs() < 1e-15);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::StatsError;
use crate::numeric::bisection::bisect;
use crate::numeric::incomplete::{UnitIntervalPoint, incomplete_beta, incomplete_gamma};
use crate::validate;

/// Computes P(F > x) on `df1` and `df2` degrees of freedom; `df2` may be infinite.
///
/// # Errors
/// Returns a [`StatsError`] if x is NaN, the degrees of freedom are not positive, or `df1` is
/// infinite.
pub fn sf(x: f64, df1: f64, df2: f64) -> Result<f64, StatsError> {
    check_arguments(x, df1, df2)?;
    Ok(tails(x, df1, df2).1)
}

/// Computes P(F <= x) on `df1` and `df2` degrees of freedom; `df2` may be infinite.
///
/// # Errors
/// Returns the errors of [`sf`].
pub fn cdf(x: f64, df1: f64, df2: f64) -> Result<f64, StatsError> {
    check_arguments(x, df1, df2)?;
    Ok(tails(x, df1, df2).0)
}

/// Computes the x with P(F <= x) = p.
///
/// # Errors
/// Returns a [`StatsError`] if p is not strictly between 0 and 1, the degrees of freedom are not
/// positive, or `df1` is infinite.
pub fn quantile(p: f64, df1: f64, df2: f64) -> Result<f64, StatsError> {
    validate::require_proportion("p of the quantile of F", p)?;
    check_arguments(1.0, df1, df2)?;
    // Decides by the tail that is not near 1, which is more accurate.
    let is_below = |x: f64| {
        let (below, above) = tails(x, df1, df2);
        if p < 0.5 { below < p } else { above > 1.0 - p }
    };
    let (mut low, mut high) = (1.0, 1.0);
    while is_below(high) && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    while !is_below(low) && low > f64::MIN_POSITIVE {
        low *= 0.5;
    }
    Ok(bisect(low, high, is_below))
}

fn check_arguments(x: f64, df1: f64, df2: f64) -> Result<(), StatsError> {
    validate::refuse_nan("x", &[x])?;
    validate::require_degrees_of_freedom(df1, false)?;
    validate::require_degrees_of_freedom(df2, true)
}

/// Returns the lower tail P(F <= x) and the upper tail P(F > x).
fn tails(x: f64, df1: f64, df2: f64) -> (f64, f64) {
    if x <= 0.0 {
        (0.0, 1.0)
    } else if x == f64::INFINITY {
        (1.0, 0.0)
    } else if df2 == f64::INFINITY {
        incomplete_gamma(0.5 * df1, 0.5 * df1 * x)
    } else {
        incomplete_beta(
            0.5 * df1,
            0.5 * df2,
            UnitIntervalPoint::from_odds(x * (df1 / df2)),
        )
    }
}
