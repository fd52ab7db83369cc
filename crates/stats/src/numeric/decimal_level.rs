//! Significance level as the shortest decimal fraction that denotes the given double.
//!
//! The double nearest to 0.05 is slightly above 1/20. A test whose exact p-value is 1/20 must not
//! reject at 0.05, so the comparison uses integers: the level is the shortest decimal that denotes
//! the double, 5/100, and the p-value is a count divided by a total.

use core::cmp::Ordering;

use crate::error::StatsError;
use crate::validate;

/// Significance level as a decimal fraction, strictly between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DecimalLevel {
    value: f64,
    /// Numerator and denominator (a power of ten) of the level; `None` if the decimal has too many
    /// places for 128 bits.
    decimal: Option<(u128, u128)>,
}

impl DecimalLevel {
    pub(crate) fn new(alpha: f64) -> Result<Self, StatsError> {
        validate::require_proportion("alpha", alpha)?;
        Ok(Self {
            value: alpha,
            decimal: shortest_decimal(alpha),
        })
    }

    /// Returns the level as a double.
    pub(crate) fn value(self) -> f64 {
        self.value
    }

    /// Compares the p-value times·count/total with the level: exactly, unless the level has more
    /// than 36 decimal places.
    pub(crate) fn compare(self, times: u128, count: u128, total: u128) -> Ordering {
        match self.decimal {
            Some((numerator, denominator)) => {
                let p = wide_product(times.saturating_mul(denominator), count);
                p.cmp(&wide_product(numerator, total))
            }
            None => {
                let p = times as f64 * (count as f64 / total as f64);
                p.partial_cmp(&self.value)
                    .expect("neither a ratio of counts nor a level is NaN")
            }
        }
    }
}

/// Returns numerator and denominator of the shortest decimal that denotes a double in (0, 1), such
/// as 5 and 100 for 0.05; `None` beyond 36 decimal places.
fn shortest_decimal(alpha: f64) -> Option<(u128, u128)> {
    let written = alpha.to_string();
    let digits = written.strip_prefix("0.")?;
    let places = u32::try_from(digits.len()).ok().filter(|&n| n <= 36)?;
    Some((digits.parse().ok()?, 10u128.pow(places)))
}

/// Computes the product a·b in 256 bits, as (high, low), by schoolbook multiplication of 64-bit
/// halves.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    /// Mask of the lower 64 bits.
    const LOW_HALF: u128 = u64::MAX as u128;
    let (a1, a0) = (a >> 64, a & LOW_HALF);
    let (b1, b0) = (b >> 64, b & LOW_HALF);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let other = a0 * b1 + (middle & LOW_HALF);
    (
        a1 * b1 + (middle >> 64) + (other >> 64),
        (other << 64) | (low & LOW_HALF),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_twentieth_equals_the_level_written_0_05() {
        let level = DecimalLevel::new(0.05).unwrap();
        assert_eq!(level.compare(1, 1, 20), Ordering::Equal);
        assert_eq!(level.compare(2, 1, 40), Ordering::Equal);
        assert_eq!(
            level.compare(1, 10u128.pow(30), 20 * 10u128.pow(30) + 1),
            Ordering::Less
        );
        assert_eq!(
            level.compare(1, 10u128.pow(30), 20 * 10u128.pow(30) - 1),
            Ordering::Greater
        );
    }

    #[test]
    fn levels_with_too_many_decimals_are_compared_as_doubles() {
        let level = DecimalLevel::new(1e-200).unwrap();
        assert_eq!(level.compare(1, 1, 1 << 120), Ordering::Greater);
        assert_eq!(level.compare(1, 0, 1), Ordering::Less);
    }

    #[test]
    fn a_level_outside_zero_to_one_is_refused() {
        for alpha in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(DecimalLevel::new(alpha).is_err());
        }
    }

    #[test]
    fn wide_product_of_the_largest_numbers_is_right() {
        assert_eq!(wide_product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
    }

    proptest! {
        #[test]
        fn wide_products_of_64_bit_numbers_match_native_ones(a: u64, b: u64) {
            let expected = u128::from(a) * u128::from(b);
            prop_assert_eq!(wide_product(a.into(), b.into()), (0, expected));
            prop_assert_eq!(wide_product(u128::from(a) << 64, b.into()), (expected >> 64, expected << 64));
        }
    }
}
