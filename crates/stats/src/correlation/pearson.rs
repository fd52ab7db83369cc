//! Pearson's product-moment correlation.
//!
//! r = Σ(x-x̄)(y-ȳ)/√(Σ(x-x̄)²Σ(y-ȳ)²), from -1 to 1 (Pearson 1896). If x and y are independent and
//! one of them is normal, r√((n-2)/(1-r²)) is Student's t on n-2 degrees of freedom (Fisher 1915).
//! `p.less` is the alternative that the correlation is negative. With two pairs r is always ±1, so
//! p is 1.
//!
//! ```
//! use partita_stats::correlation::pearson::pearson;
//!
//! let correlation = pearson(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 5.0])?;
//! let r = correlation.map(|c| c.r);
//! assert!(r.is_some_and(|r| (r - 6.0 / 50f64.sqrt()).abs() < 1e-15));
//! // The correlation with a constant is undefined.
//! assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0])?, None);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::differences::max_abs;
use crate::distribution::student_t;
use crate::error::StatsError;
use crate::numeric::moments::{compensated_sum, is_constant, mean};
use crate::p_value::PValues;
use crate::validate;

/// Pearson's product-moment correlation with its p-values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PearsonCorrelation {
    /// Correlation coefficient r of x and y, from -1 to 1.
    pub r: f64,
    /// Test statistic r√((n-2)/(1-r²)), Student's t on n-2 degrees of freedom if there is no
    /// correlation.
    pub t: f64,
    /// P-values of the test of no correlation; `greater` is the alternative that it is positive.
    pub p: PValues,
}

/// Computes the correlation of paired values. Returns `None` if either sample is constant.
///
/// # Errors
/// Returns a [`StatsError`] for unequal lengths, fewer than 2 pairs, or values that are not finite.
pub fn pearson(x: &[f64], y: &[f64]) -> Result<Option<PearsonCorrelation>, StatsError> {
    validate::require_same_length("x and y", x.len(), y.len())?;
    validate::require_length("pairs", 2, x.len())?;
    validate::refuse_non_finite("x", x)?;
    validate::refuse_non_finite("y", y)?;
    if is_constant(x) || is_constant(y) {
        return Ok(None);
    }
    let (x, y) = (unit_deviations(x), unit_deviations(y));
    let r = compensated_sum(x.iter().zip(&y).map(|(x, y)| x * y)).clamp(-1.0, 1.0);
    let df = x.len() as f64 - 2.0;
    if df == 0.0 {
        return Ok(Some(PearsonCorrelation {
            r,
            t: r * f64::INFINITY,
            p: PValues::NO_EVIDENCE,
        }));
    }
    let t = r * (df / ((1.0 - r) * (1.0 + r))).sqrt();
    Ok(Some(PearsonCorrelation {
        r,
        t,
        p: student_t::p_values(t, df),
    }))
}

/// Returns the deviations from the mean as a unit vector. They are first divided by the largest, so
/// that no square overflows or underflows.
fn unit_deviations(values: &[f64]) -> Vec<f64> {
    let largest = max_abs(values);
    let scaled: Vec<f64> = values.iter().map(|v| v / largest).collect();
    let middle = mean(&scaled);
    let spread = scaled
        .iter()
        .fold(0.0f64, |most, v| most.max((v - middle).abs()));
    let deviations: Vec<f64> = scaled.iter().map(|v| (v - middle) / spread).collect();
    let length = compensated_sum(deviations.iter().map(|d| d * d)).sqrt();
    deviations.iter().map(|d| d / length).collect()
}
