//! How large a difference is, apart from whether it is significant.
//!
//! ```
//! use partita_stats::effect_size::{a12, cliffs_delta, cohens_d};
//!
//! let x = [1.0, 2.0, 3.0];
//! let y = [2.0, 3.0, 4.0];
//! assert_eq!(a12(&x, &y)?, 2.0 / 9.0);
//! assert!((cliffs_delta(&x, &y)? + 5.0 / 9.0).abs() < 1e-15);
//! assert_eq!(cohens_d(&x, &y)?, Some(-1.0));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::{self, StatsError};
use crate::mann_whitney::pooled_sample::PooledSample;
use crate::numeric::moments::mean_and_variance;

/// The probability that a value of x exceeds one of y, ties counted one half: U/(mn), between 0 and
/// 1 (Vargha and Delaney 2000).
///
/// # Errors
/// An empty sample or a NaN.
pub fn a12(x: &[f64], y: &[f64]) -> Result<f64, StatsError> {
    let pooled = PooledSample::new(x, y)?;
    Ok(0.5 * pooled.u() / pooled.mean())
}

/// P(x > y) - P(x < y) = 2·A12 - 1, between -1 and 1 (Cliff 1993).
pub fn cliffs_delta(x: &[f64], y: &[f64]) -> Result<f64, StatsError> {
    let pooled = PooledSample::new(x, y)?;
    Ok((pooled.u() - pooled.mean()) / pooled.mean())
}

/// The difference of means of two independent samples in pooled standard deviations (Cohen 1988,
/// chapter 2); None when neither sample varies.
///
/// # Errors
/// Fewer than 2 values in a sample, or values that are not finite.
pub fn cohens_d(x: &[f64], y: &[f64]) -> Result<Option<f64>, StatsError> {
    for (what, sample) in [("x", x), ("y", y)] {
        error::refuse_non_finite(what, sample)?;
        error::require_length(what, 2, sample.len())?;
    }
    let (mean_x, variance_x) = mean_and_variance(x);
    let (mean_y, variance_y) = mean_and_variance(y);
    let (m, n) = (x.len() as f64, y.len() as f64);
    let pooled = ((m - 1.0) * variance_x + (n - 1.0) * variance_y) / (m + n - 2.0);
    Ok((pooled > 0.0).then(|| (mean_x - mean_y) / pooled.sqrt()))
}

/// The mean of paired differences in their standard deviations (the d_z of Cohen 1988, chapter 2);
/// None when they do not vary.
///
/// # Errors
/// Fewer than 2 differences, or values that are not finite.
pub fn cohens_d_paired(differences: &[f64]) -> Result<Option<f64>, StatsError> {
    error::refuse_non_finite("differences", differences)?;
    error::require_length("differences", 2, differences.len())?;
    let (mean, variance) = mean_and_variance(differences);
    Ok((variance > 0.0).then(|| mean / variance.sqrt()))
}
