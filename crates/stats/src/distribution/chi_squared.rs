//! The chi-squared law.
//!
//! P(X > x) on ν degrees of freedom is the regularised upper incomplete gamma function Q(ν/2, x/2)
//! (Abramowitz and Stegun 26.4.19).
//!
//! ```
//! // With two degrees of freedom the tail is exp(-x/2).
//! let p = partita_stats::chi_squared::sf(3.0, 2.0)?;
//! assert!((p - (-1.5f64).exp()).abs() < 1e-15);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::{self, StatsError};
use crate::numeric::incomplete;

/// P(X > x) on `df` degrees of freedom.
///
/// # Errors
/// An x that is NaN, or degrees of freedom that are not positive and finite.
pub fn sf(x: f64, df: f64) -> Result<f64, StatsError> {
    check(x, df)?;
    Ok(incomplete::incomplete_gamma(0.5 * df, 0.5 * x).1)
}

/// P(X <= x) on `df` degrees of freedom.
///
/// # Errors
/// As [`sf`].
pub fn cdf(x: f64, df: f64) -> Result<f64, StatsError> {
    check(x, df)?;
    Ok(incomplete::incomplete_gamma(0.5 * df, 0.5 * x).0)
}

fn check(x: f64, df: f64) -> Result<(), StatsError> {
    error::refuse_nan("x", &[x])?;
    error::require_degrees_of_freedom(df, false)
}
