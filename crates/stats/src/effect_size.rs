//! Effect sizes: the size of a difference, independent of its significance.
//!
//! ```
//! use partita_stats::effect_size::{a12, cohens_d_paired};
//!
//! assert_eq!(a12(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0])?, 2.0 / 9.0);
//! assert_eq!(cohens_d_paired(&[1.0, 2.0, 3.0])?, Some(2.0));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::StatsError;
use crate::mann_whitney::pooled_sample::PooledSample;
use crate::t_test::moments;

/// Computes A12, the probability that a value of x exceeds one of y, with ties counted one half:
/// U/(mn), between 0 and 1 (Vargha and Delaney 2000).
///
/// # Errors
/// Returns a [`StatsError`] for an empty sample or a NaN.
pub fn a12(x: &[f64], y: &[f64]) -> Result<f64, StatsError> {
    let pooled = PooledSample::new(x, y)?;
    Ok(0.5 * pooled.u() / pooled.mean())
}

/// Computes Cohen's d_z: the mean of paired differences in units of their standard deviation (Cohen
/// 1988, chapter 2). Returns `None` if all differences are equal.
///
/// # Errors
/// Returns a [`StatsError`] for fewer than 2 differences, or values that are not finite.
pub fn cohens_d_paired(differences: &[f64]) -> Result<Option<f64>, StatsError> {
    let (mean, variance) = moments("differences", differences)?;
    Ok((variance > 0.0).then(|| mean / variance.sqrt()))
}
