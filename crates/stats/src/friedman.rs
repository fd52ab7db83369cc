//! Friedman's test and Tukey's comparisons of rank means, as MIREX runs them.
//!
//! n blocks (queries) contain one value for each of k treatments (systems). Within each block the
//! values are ranked with midranks, the smallest first, so that a higher rank is a higher value. If
//! no system were better, every order within a block would be equally likely (Friedman 1937). With
//! R̄ⱼ the mean rank of system j and T = ΣΣ(t³-t) over the ties within blocks,
//!
//! ```text
//! σ² = k(k+1)/12 - T/(12 n (k-1))      χ² = n Σ(R̄ⱼ - (k+1)/2)²/σ²
//! ```
//!
//! on k-1 degrees of freedom. All pairs are then compared at once: with rank means treated as
//! independent with variance σ²/n, p is the tail of the studentized range of k means, with infinite
//! degrees of freedom, at |R̄ₐ - R̄ᵦ|/√(σ²/n) (Tukey 1953; without ties Nemenyi 1963). This is the
//! `friedman` and `multcompare` (`tukey-kramer`) of the MIREX evaluations: the comparisons do not
//! depend on the first test, and a pair differs significantly when its interval excludes 0, that is
//! when p < alpha. (MATLAB caps the critical value by that of Dunn and Šidák; by Šidák's
//! inequality, 1967, the cap is never reached.)
//!
//! If every block is one tie, σ² is 0 and every p-value is 1.
//!
//! ```
//! use partita_stats::friedman::friedman;
//!
//! // Six queries, four systems.
//! let scores = [
//!     [70.0, 61.0, 82.0, 74.0],
//!     [77.0, 75.0, 88.0, 76.0],
//!     [76.0, 67.0, 90.0, 80.0],
//!     [80.0, 63.0, 96.0, 76.0],
//!     [84.0, 66.0, 92.0, 84.0],
//!     [78.0, 68.0, 98.0, 86.0],
//! ];
//! let test = friedman(&scores)?;
//! assert!((test.chi_squared - 16.52542372881356).abs() < 1e-12);
//!
//! let comparisons = test.tukey(0.05)?;
//! let best_against_worst = comparisons.pairs.iter().find(|p| (p.a, p.b) == (1, 2));
//! assert!(best_against_worst.is_some_and(|p| p.diff == -3.0 && p.significant));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::distribution::chi_squared;
use crate::distribution::studentized_range::{NormalRange, QuadraturePrecision, quantile};
use crate::error::StatsError;
use crate::ranks::{midranks_unchecked, tie_sum_unchecked, tie_term};
use crate::validate;

/// Result of Friedman's test.
#[derive(Clone, Debug, PartialEq)]
pub struct FriedmanTest {
    /// Number of blocks (queries).
    pub n: usize,
    /// Mean rank of each treatment (system) over the blocks; 1 if it always has the smallest value.
    pub mean_ranks: Vec<f64>,
    /// Sum of t³-t over the groups of t tied values within blocks.
    pub tie_sum: f64,
    /// Variance σ² of the ranks within a block (divisor k - 1 for k treatments), corrected for
    /// ties.
    pub rank_variance: f64,
    /// Test statistic χ², corrected for ties.
    pub chi_squared: f64,
    /// Degrees of freedom of `chi_squared`: number of treatments minus 1.
    pub df: f64,
    /// P-value of the hypothesis that no treatment differs from the others.
    pub p: f64,
}

/// Tukey's comparisons of the mean ranks of all pairs of treatments.
#[derive(Clone, Debug, PartialEq)]
pub struct TukeyComparisons {
    /// Family-wise significance level of all comparisons together.
    pub alpha: f64,
    /// Critical value: the quantile 1 - alpha of the studentized range.
    pub critical_q: f64,
    /// Critical difference of mean ranks: larger differences are significant.
    pub critical_difference: f64,
    /// Comparisons of the pairs of treatments (0, 1), (0, 2), ... (k-2, k-1).
    pub pairs: Vec<TukeyPair>,
}

/// Comparison of two treatments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TukeyPair {
    /// First treatment: a column of the table, counted from 0.
    pub a: usize,
    /// Second treatment: a column of the table, counted from 0.
    pub b: usize,
    /// Mean rank of the first treatment minus that of the second.
    pub diff: f64,
    /// P-value, adjusted for the comparison of all pairs.
    pub p: f64,
    /// True if the two treatments differ significantly: p < alpha.
    pub significant: bool,
}

/// Runs Friedman's test on a table with one row per block.
///
/// # Errors
/// Returns a [`StatsError`] for no rows, rows of fewer than 2 values or of unequal lengths, or a
/// NaN. Missing cells are not imputed.
pub fn friedman<R: AsRef<[f64]>>(rows: &[R]) -> Result<FriedmanTest, StatsError> {
    validate::require_length("rows", 1, rows.len())?;
    let k = rows[0].as_ref().len();
    validate::require_length("values in a row", 2, k)?;
    let mut sums = vec![0.0; k];
    let mut tie_sum = 0.0;
    for row in rows {
        let row = row.as_ref();
        validate::require_same_length("rows of the table", k, row.len())?;
        validate::refuse_nan("row", row)?;
        let ranks = midranks_unchecked(row);
        for (sum, rank) in sums.iter_mut().zip(&ranks) {
            *sum += rank;
        }
        tie_sum += tie_sum_unchecked(ranks);
    }
    let (n, size) = (rows.len() as f64, k as f64);
    let rank_variance = rank_variance(rows.len(), k, tie_sum);
    let middle = 0.5 * n * (size + 1.0);
    let squares: f64 = sums.iter().map(|sum| (sum - middle) * (sum - middle)).sum();
    let statistic = if rank_variance == 0.0 {
        0.0
    } else {
        squares / (n * rank_variance)
    };
    let df = size - 1.0;
    Ok(FriedmanTest {
        n: rows.len(),
        mean_ranks: sums.iter().map(|sum| sum / n).collect(),
        tie_sum,
        rank_variance,
        chi_squared: statistic,
        df,
        p: chi_squared::sf(statistic, df)?,
    })
}

/// Computes the variance of the ranks within a block (divisor k - 1), for n blocks of k values with
/// tie term Σ(t³-t). Returns exactly 0 if every block is one tie.
pub fn rank_variance(n: usize, k: usize, tie_sum: f64) -> f64 {
    let (n, size) = (n as f64, k as f64);
    if tie_sum == n * tie_term(k) {
        0.0
    } else {
        size * (size + 1.0) / 12.0 - tie_sum / (12.0 * n * (size - 1.0))
    }
}

impl FriedmanTest {
    /// Returns √(σ²/n), the standard error of a mean rank, by which differences of mean ranks are
    /// divided.
    pub fn standard_error(&self) -> f64 {
        (self.rank_variance / self.n as f64).sqrt()
    }

    /// Compares all pairs of mean ranks at level alpha by Tukey's method.
    ///
    /// # Errors
    /// Returns a [`StatsError`] for an alpha outside (0, 1).
    pub fn tukey(&self, alpha: f64) -> Result<TukeyComparisons, StatsError> {
        validate::require_proportion("alpha", alpha)?;
        let k = self.mean_ranks.len();
        let error = self.standard_error();
        let q = |diff: f64| if diff == 0.0 { 0.0 } else { diff.abs() / error };
        let least = self
            .mean_ranks
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min);
        let most = self.mean_ranks.iter().copied().fold(0.0, f64::max);
        let distribution = NormalRange::new(k, q(most - least), QuadraturePrecision::Full);
        let mut pairs = Vec::with_capacity(k * (k - 1) / 2);
        for a in 0..k {
            for b in a + 1..k {
                let diff = self.mean_ranks[a] - self.mean_ranks[b];
                let p = distribution.sf(q(diff));
                pairs.push(TukeyPair {
                    a,
                    b,
                    diff,
                    p,
                    significant: p < alpha,
                });
            }
        }
        let critical_q = quantile(1.0 - alpha, k, f64::INFINITY)?;
        Ok(TukeyComparisons {
            alpha,
            critical_q,
            critical_difference: critical_q * error,
            pairs,
        })
    }
}
