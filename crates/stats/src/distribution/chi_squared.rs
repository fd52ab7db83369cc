//! Chi-squared distribution.
//!
//! P(X > x) on ν degrees of freedom is the regularised upper incomplete gamma function Q(ν/2, x/2)
//! (Abramowitz and Stegun 26.4.19).
//!
//! ```
//! use partita_stats::distribution::chi_squared;
//!
//! // With two degrees of freedom the tail is exp(-x/2).
//! let p = chi_squared::sf(3.0, 2.0)?;
//! assert!((p - (-1.5f64).exp()).abs() < 1e-15);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::StatsError;
use crate::numeric::incomplete;
use crate::validate;

/// Computes P(X > x) on `df` degrees of freedom.
///
/// # Errors
/// Returns a [`StatsError`] if x is NaN or the degrees of freedom are not positive and finite.
pub fn sf(x: f64, df: f64) -> Result<f64, StatsError> {
    check_arguments(x, df)?;
    Ok(incomplete::incomplete_gamma(0.5 * df, 0.5 * x).1)
}

/// Computes P(X <= x) on `df` degrees of freedom.
///
/// # Errors
/// Returns the errors of [`sf`].
pub fn cdf(x: f64, df: f64) -> Result<f64, StatsError> {
    check_arguments(x, df)?;
    Ok(incomplete::incomplete_gamma(0.5 * df, 0.5 * x).0)
}

fn check_arguments(x: f64, df: f64) -> Result<(), StatsError> {
    validate::refuse_nan("x", &[x])?;
    validate::require_degrees_of_freedom(df, false)
}
