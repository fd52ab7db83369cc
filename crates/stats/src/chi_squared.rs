//! The chi-squared law.
//!
//! P(X > x) on ν degrees of freedom is the regularised upper incomplete gamma
//! function Q(ν/2, x/2) (Abramowitz and Stegun 26.4.19).
//!
//! ```
//! // With two degrees of freedom the tail is exp(-x/2).
//! let p = partita_stats::chi_squared::sf(3.0, 2.0)?;
//! assert!((p - (-1.5f64).exp()).abs() < 1e-15);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::{self, StatsError};
use crate::incomplete;

/// P(X > x) on `df` degrees of freedom.
///
/// # Errors
///
/// An x that is NaN, or degrees of freedom that are not positive and finite.
pub fn sf(x: f64, df: f64) -> Result<f64, StatsError> {
    check(x, df)?;
    Ok(incomplete::gamma(0.5 * df, 0.5 * x).1)
}

/// P(X <= x) on `df` degrees of freedom.
///
/// # Errors
///
/// As [`sf`].
///
/// ```
/// let half = partita_stats::chi_squared::cdf(2.0 * 2f64.ln(), 2.0)?;
/// assert!((half - 0.5).abs() < 1e-15);
/// # Ok::<(), partita_stats::StatsError>(())
/// ```
pub fn cdf(x: f64, df: f64) -> Result<f64, StatsError> {
    check(x, df)?;
    Ok(incomplete::gamma(0.5 * df, 0.5 * x).0)
}

fn check(x: f64, df: f64) -> Result<(), StatsError> {
    error::numbers("x", &[x])?;
    if df > 0.0 && df.is_finite() {
        Ok(())
    } else {
        Err(StatsError::OutOfRange {
            what: "degrees of freedom",
            expected: "a positive finite number",
            found: df,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn printed_critical_values_have_their_level() {
        // Table of Fisher and Yates, to its printed accuracy.
        for (x, df, p) in [
            (3.841, 1.0, 0.05),
            (16.812, 6.0, 0.01),
            (67.505, 50.0, 0.05),
        ] {
            assert!((sf(x, df).unwrap() - p).abs() < 3e-5);
        }
    }

    #[test]
    fn wrong_arguments_are_refused() {
        assert!(sf(f64::NAN, 1.0).is_err());
        assert!(sf(1.0, 0.0).is_err());
        assert!(sf(1.0, f64::INFINITY).is_err());
    }

    proptest! {
        #[test]
        fn the_square_of_a_normal_deviate_has_one_degree_of_freedom(z in 0.01..8.0f64) {
            let expected = crate::normal::two_sided(z);
            prop_assert!((sf(z * z, 1.0).unwrap() / expected - 1.0).abs() < 2e-14);
        }

        #[test]
        fn both_tails_sum_to_one(x in 0.0..300.0f64, df in 0.1..200.0f64) {
            prop_assert!((sf(x, df).unwrap() + cdf(x, df).unwrap() - 1.0).abs() < 1e-15);
        }
    }
}
