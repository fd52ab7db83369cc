//! Sign test.
//!
//! Of n nonzero differences, k are positive. If both signs were equally likely, k would be binomial
//! with probability ½ (Arbuthnott 1710; Dixon and Mood 1946). Zeros are dropped. The two-sided
//! p-value doubles the smaller tail. Up to 120 differences the tails are integers divided by 2ⁿ,
//! rounded once.
//!
//! ```
//! use partita_stats::sign_test;
//!
//! // Two votes to none: 1/4, which is not below 0.25.
//! let test = sign_test::from_counts(2, 0);
//! assert_eq!((test.p.greater, test.p.two_sided), (0.25, 0.5));
//!
//! let test = sign_test::sign_test(&[0.3, 0.1, 0.0, -0.2, 0.4])?;
//! assert_eq!((test.positive, test.negative, test.zeros), (3, 1, 1));
//! assert_eq!(test.p.greater, 5.0 / 16.0);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::StatsError;
use crate::numeric::incomplete::{UnitIntervalPoint, incomplete_beta};
use crate::p_value::PValues;
use crate::validate;

/// Result of a sign test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignTest {
    /// Number of positive differences.
    pub positive: usize,
    /// Number of negative differences.
    pub negative: usize,
    /// Number of differences that are zero, which the test ignores.
    pub zeros: usize,
    /// P-values; `greater` is the alternative that differences tend to be positive.
    pub p: PValues,
}

/// Runs the sign test on a sample of differences. An empty sample has p = 1.
///
/// # Errors
/// Returns a [`StatsError`] for a NaN.
pub fn sign_test(differences: &[f64]) -> Result<SignTest, StatsError> {
    validate::refuse_nan("differences", differences)?;
    let positive = differences.iter().filter(|d| **d > 0.0).count();
    let negative = differences.iter().filter(|d| **d < 0.0).count();
    Ok(SignTest {
        zeros: differences.len() - positive - negative,
        ..from_counts(positive, negative)
    })
}

/// Runs the sign test on counts of positive and negative differences, such as votes for and
/// against.
pub fn from_counts(positive: usize, negative: usize) -> SignTest {
    SignTest {
        positive,
        negative,
        zeros: 0,
        p: PValues::from_one_sided(
            binomial_cdf(positive, positive + negative),
            binomial_cdf(negative, positive + negative),
        ),
    }
}

/// Computes P(K <= k) for K binomial with n trials and probability ½.
fn binomial_cdf(k: usize, n: usize) -> f64 {
    if k >= n {
        return 1.0;
    }
    if n > 120 {
        // P(K <= k) is the regularised incomplete beta function I(n - k, k + 1) at ½.
        return incomplete_beta(
            (n - k) as f64,
            k as f64 + 1.0,
            UnitIntervalPoint::from_odds(1.0),
        )
        .0;
    }
    let (mut choices, mut count) = (1u128, 1u128);
    for i in 1..=k as u128 {
        // The product cannot overflow: C(120, 60)·120 is below 2¹²⁸.
        choices = choices * (n as u128 - i + 1) / i;
        count += choices;
    }
    count as f64 / (1u128 << n) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_tails_match_the_incomplete_beta_function() {
        for (k, n) in [(60, 120), (48, 120), (95, 120), (0, 120)] {
            let smooth = incomplete_beta(
                (n - k) as f64,
                k as f64 + 1.0,
                UnitIntervalPoint::from_odds(1.0),
            )
            .0;
            assert!((binomial_cdf(k, n) / smooth - 1.0).abs() < 1e-13);
        }
        assert!((from_counts(250, 251).p.less - 0.5).abs() < 1e-13);
    }
}
