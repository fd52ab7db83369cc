//! Student's and Welch's t-tests.
//!
//! * [`one_sample`]: t = mean/(s/√n) on n - 1 degrees of freedom (Student 1908).
//! * [`paired`]: the one-sample test of the differences x - y.
//! * [`student`]: two samples of equal variance, s² pooled, m + n - 2 degrees of freedom.
//! * [`welch`]: two samples of any variances, degrees of freedom by Welch (1938) and Satterthwaite
//!   (1946).
//!
//! `p.less` is the alternative that x (or the mean) is smaller. If no sample varies, t is 0 with p
//! = 1 for equal means, and infinite with a p-value of 0 on its side for different means.
//!
//! ```
//! use partita_stats::t_test;
//!
//! // The sleep data of Student (1908): extra hours under two drugs.
//! let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
//! let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
//! let test = t_test::paired(&first, &second)?;
//! assert!((test.t + 4.0621277).abs() < 1e-7);
//! assert!((test.p.two_sided - 0.0028329).abs() < 1e-7);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::differences::{Differences, Rounding};
use crate::distribution::student_t;
use crate::error::StatsError;
use crate::numeric::moments::mean_and_variance;
use crate::p_value::PValues;
use crate::validate;

/// Result of a t-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTest {
    /// Test statistic t: `mean_difference` divided by its standard error.
    pub t: f64,
    /// Degrees of freedom; not always an integer for Welch's test.
    pub df: f64,
    /// P-values; `greater` is the alternative that the mean is positive, or that of x above that of
    /// y.
    pub p: PValues,
    /// Tested quantity: mean of the sample, mean of the differences, or mean of x minus mean of y.
    pub mean_difference: f64,
    /// Standard error of `mean_difference`.
    pub standard_error: f64,
}

impl TTest {
    fn new(mean_difference: f64, standard_error: f64, df: f64) -> Self {
        let t = if mean_difference == 0.0 {
            0.0
        } else {
            mean_difference / standard_error
        };
        Self {
            t,
            df,
            p: student_t::p_values(t, df),
            mean_difference,
            standard_error,
        }
    }
}

/// Tests whether the mean of a sample is 0.
///
/// # Errors
/// Returns a [`StatsError`] for fewer than 2 values, or values that are not finite.
pub fn one_sample(sample: &[f64]) -> Result<TTest, StatsError> {
    let (mean, variance) = moments("sample", sample)?;
    let n = sample.len() as f64;
    Ok(TTest::new(mean, (variance / n).sqrt(), n - 1.0))
}

/// Tests whether the mean of the differences x - y is 0.
///
/// Differences that are equal up to binary rounding error have no variance
/// ([`Differences::for_mean_test`]).
///
/// # Errors
/// Returns a [`StatsError`] for samples of unequal length, fewer than 2 pairs, or values that are
/// not finite.
pub fn paired(x: &[f64], y: &[f64]) -> Result<TTest, StatsError> {
    let differences = Differences::from_pairs(x, y, Rounding::Relative)?;
    one_sample(&differences.for_mean_test())
}

/// Tests whether two independent samples have equal means, assuming equal variances (Student's
/// test).
///
/// # Errors
/// Returns a [`StatsError`] for fewer than 2 values in a sample, or values that are not finite.
pub fn student(x: &[f64], y: &[f64]) -> Result<TTest, StatsError> {
    let (mean_x, variance_x) = moments("x", x)?;
    let (mean_y, variance_y) = moments("y", y)?;
    let (m, n) = (x.len() as f64, y.len() as f64);
    let df = m + n - 2.0;
    let pooled = ((m - 1.0) * variance_x + (n - 1.0) * variance_y) / df;
    let error = (pooled * (1.0 / m + 1.0 / n)).sqrt();
    Ok(TTest::new(mean_x - mean_y, error, df))
}

/// Tests whether two independent samples have equal means, without assuming equal variances
/// (Welch's test).
///
/// # Errors
/// Returns the errors of [`student`].
pub fn welch(x: &[f64], y: &[f64]) -> Result<TTest, StatsError> {
    let (mean_x, variance_x) = moments("x", x)?;
    let (mean_y, variance_y) = moments("y", y)?;
    let (m, n) = (x.len() as f64, y.len() as f64);
    let (square_x, square_y) = (variance_x / m, variance_y / n);
    let square = square_x + square_y;
    let df = if square > 0.0 {
        // Fractions of the total, so that their squares do not underflow.
        let (share_x, share_y) = (square_x / square, square_y / square);
        1.0 / (share_x * share_x / (m - 1.0) + share_y * share_y / (n - 1.0))
    } else {
        m + n - 2.0
    };
    Ok(TTest::new(mean_x - mean_y, square.sqrt(), df))
}

/// Computes the mean and the unbiased variance of a sample of at least 2 finite values. `what`
/// names the sample in error messages.
pub(crate) fn moments(what: &'static str, sample: &[f64]) -> Result<(f64, f64), StatsError> {
    validate::refuse_non_finite(what, sample)?;
    validate::require_length(what, 2, sample.len())?;
    Ok(mean_and_variance(sample))
}
