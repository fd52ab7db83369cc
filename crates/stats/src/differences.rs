//! Paired differences, rounded so that equal ones are equal.
//!
//! In binary arithmetic 0.3 - 0.2 - 0.1 is not 0, and 0.9 - 0.8 differs from
//! 0.2 - 0.1. Tests that look for ties and zeros among differences of scores
//! would see neither. Differences are therefore rounded to the nearest
//! multiple of [`QUANTUM`], far below any difference of interest and far above
//! rounding error.
//!
//! ```
//! use partita_stats::differences::paired_differences;
//!
//! assert_ne!(0.9 - 0.8, 0.2 - 0.1);
//! let d = paired_differences(&[0.9, 0.2, 0.3], &[0.8, 0.1, 0.1 + 0.2])?;
//! assert_eq!(d, [0.1, 0.1, 0.0]);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::{self, StatsError};

/// What differences are rounded to a multiple of.
pub const QUANTUM: f64 = 1e-9;

/// Quanta to the unit, a whole number.
pub(crate) const PER_UNIT: f64 = 1e9;

/// The value rounded to the nearest multiple of [`QUANTUM`]; values so large
/// that doubles are coarser than that stay as they are.
///
/// ```
/// use partita_stats::differences::quantised;
///
/// assert_eq!(quantised(0.1 + 0.2), 0.3);
/// assert_eq!(quantised(1e300), 1e300);
/// ```
#[must_use]
pub fn quantised(value: f64) -> f64 {
    let quanta = value * PER_UNIT;
    // From 2⁵² on every double is a whole number already.
    if quanta.abs() < 4_503_599_627_370_496.0 {
        libm::rint(quanta) / PER_UNIT
    } else {
        value
    }
}

/// The differences x - y, rounded to multiples of [`QUANTUM`].
///
/// # Errors
///
/// Samples of unequal length, or values that are not finite.
pub fn paired_differences(x: &[f64], y: &[f64]) -> Result<Vec<f64>, StatsError> {
    error::same_length("paired samples x and y", x.len(), y.len())?;
    error::finite("x", x)?;
    error::finite("y", y)?;
    Ok(x.iter().zip(y).map(|(x, y)| quantised(x - y)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn unequal_lengths_and_nan_are_refused() {
        assert!(paired_differences(&[1.0], &[]).is_err());
        assert!(paired_differences(&[f64::NAN], &[1.0]).is_err());
        assert!(paired_differences(&[1.0], &[f64::INFINITY]).is_err());
    }

    proptest! {
        #[test]
        fn differences_of_equal_decimals_are_equal(a in 0..10_000i32, b in 0..10_000i32, shift in 0..1000i32) {
            let decimal = |n: i32| f64::from(n) / 10_000.0;
            let d = paired_differences(
                &[decimal(a), decimal(a + shift)],
                &[decimal(b), decimal(b + shift)],
            ).unwrap();
            prop_assert_eq!(d[0], d[1]);
        }

        #[test]
        fn rounding_moves_a_value_by_at_most_half_a_quantum(value in -1e6..1e6f64) {
            prop_assert!((quantised(value) - value).abs() <= 0.5 * QUANTUM + value.abs() * 3e-16);
        }
    }
}
