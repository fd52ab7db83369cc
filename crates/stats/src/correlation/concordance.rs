//! Kendall's coefficient of concordance of several rankings.
//!
//! m assessors rank n items. With Rᵢ the sum of the midranks of item i and T = Σ(t³-t) over the
//! ties of all assessors,
//!
//! ```text
//! W = 12 Σ(Rᵢ - m(n+1)/2)² / (m²(n³-n) - mT)
//! ```
//!
//! W ranges from 0 for no agreement to 1 for identical rankings (Kendall and Babington Smith 1939;
//! ties: Kendall 1970, chapter 6). m(n-1)W is the statistic of Friedman's test, chi-squared on n-1
//! degrees of freedom.
//!
//! ```
//! use partita_stats::correlation::concordance::concordance;
//!
//! let assessors = [[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [1.0, 2.0, 3.0]];
//! let agreement = concordance(&assessors)?;
//! assert!(agreement.is_some_and(|c| (c.w - 7.0 / 9.0).abs() < 1e-15));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use schemars::JsonSchema;
use serde::Serialize;

use crate::error::StatsError;
use crate::friedman::friedman;

/// Kendall's coefficient of concordance of several rankings, with its test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Concordance {
    /// Coefficient of concordance W: 0 for no agreement, 1 for identical rankings.
    pub w: f64,
    /// Test statistic m(n-1)W of m rankings of n items, chi-squared if the rankings are random.
    #[serde(rename = "chi2")]
    pub chi_squared: f64,
    /// Degrees of freedom of `chi_squared`: number of items minus 1.
    pub df: f64,
    /// P-value: probability of at least this agreement between random rankings.
    pub p: f64,
}

/// Computes Kendall's W of a table with one row per assessor and one column per item. Returns
/// `None` if every assessor ties all items.
///
/// # Errors
/// Returns a [`StatsError`] for no rows, rows of fewer than 2 values or of unequal lengths, or a
/// NaN.
pub fn concordance<R: AsRef<[f64]>>(assessors: &[R]) -> Result<Option<Concordance>, StatsError> {
    let test = friedman(assessors)?;
    if test.rank_variance == 0.0 {
        return Ok(None);
    }
    Ok(Some(Concordance {
        w: (test.chi_squared / (test.n as f64 * test.df)).min(1.0),
        chi_squared: test.chi_squared,
        df: test.df,
        p: test.p,
    }))
}
