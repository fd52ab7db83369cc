//! Kendall's rank correlation, tau-b.
//!
//! Of the n(n-1)/2 pairs of items, C are in the same order by x and by y and D in opposite orders.
//! With tx and ty the numbers of pairs tied in x and in y and n₀ the number of all pairs,
//!
//! ```text
//! τ_b = (C - D)/√((n₀ - tx)(n₀ - ty))
//! ```
//!
//! τ_b ranges from -1 to 1 (Kendall 1945); without ties it is Kendall's (1938) τ.
//!
//! Without ties and up to [`MAX_EXACT`] items the p-values are exact: D is the number of inversions
//! of a random permutation. Otherwise they come from a normal approximation of C - D with the
//! variance of Kendall (1970, chapter 4), ties included, without a continuity correction.
//!
//! ```
//! use partita_stats::correlation::kendall::kendall;
//!
//! // Urbano et al. (2010), table 4: two adjacent swaps among seven systems.
//! let official = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
//! let revised = [2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 7.0];
//! let tau = kendall(&official, &revised)?.map(|k| k.tau);
//! assert!(tau.is_some_and(|tau| (tau - 0.8095).abs() < 5e-5));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::distribution::normal;
use crate::error::StatsError;
use crate::p_value::PValues;
use crate::ranks::{argsort, compare_numbers, equal_runs};
use crate::validate;

/// Largest number of items for which p-values are exact, if no values are tied.
pub const MAX_EXACT: usize = 500;

/// Kendall's rank correlation τ_b with its p-values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KendallTau {
    /// Correlation coefficient τ_b of x and y, from -1 to 1.
    pub tau: f64,
    /// P-values of the test of no correlation: exact if available, else asymptotic. `greater` is
    /// the alternative that the correlation is positive.
    pub p: PValues,
    /// P-values of the exact distribution; `None` with ties or more than [`MAX_EXACT`] items.
    pub exact: Option<PValues>,
    /// P-values of the normal approximation.
    pub asymptotic: PValues,
}

/// Computes Kendall's τ_b of paired values. Returns `None` if either sample is constant.
///
/// # Errors
/// Returns a [`StatsError`] for unequal lengths, fewer than 2 pairs, or a NaN.
pub fn kendall(x: &[f64], y: &[f64]) -> Result<Option<KendallTau>, StatsError> {
    validate::require_same_length("x and y", x.len(), y.len())?;
    validate::require_length("pairs", 2, x.len())?;
    validate::refuse_nan("x", x)?;
    validate::refuse_nan("y", y)?;
    let pairs = PairCounts::new(x, y);
    let untied_x = pairs.all - pairs.tied_x.pairs;
    let untied_y = pairs.all - pairs.tied_y.pairs;
    if untied_x == 0.0 || untied_y == 0.0 {
        return Ok(None);
    }
    // Dividing by a product of square roots would not yield exactly 1 for equal orders. If both
    // factors are equal, no root is needed.
    let tau = if untied_x == untied_y {
        pairs.concordant_minus_discordant / untied_x
    } else {
        pairs.concordant_minus_discordant / (untied_x.sqrt() * untied_y.sqrt())
    };
    let asymptotic = pairs.asymptotic_p_values();
    let exact = pairs.exact_p_values();
    Ok(Some(KendallTau {
        tau: tau.clamp(-1.0, 1.0),
        p: exact.unwrap_or(asymptotic),
        exact,
        asymptotic,
    }))
}

/// Sums over the groups of tied values, of sizes t, that the variance of Kendall's C - D needs.
#[derive(Clone, Copy, Debug, Default)]
struct TieSums {
    /// Sum Σ t(t-1)/2: the number of tied pairs.
    pairs: f64,
    /// Sum Σ t(t-1)(t-2): six times the number of tied triples.
    triples: f64,
    /// Sum Σ t(t-1)(2t+5), by which ties reduce the variance of C - D.
    variance: f64,
}

impl TieSums {
    fn new(sizes: impl Iterator<Item = usize>) -> Self {
        sizes.fold(Self::default(), |sum, size| {
            let t = size as f64;
            Self {
                pairs: sum.pairs + 0.5 * t * (t - 1.0),
                triples: sum.triples + t * (t - 1.0) * (t - 2.0),
                variance: sum.variance + t * (t - 1.0) * (2.0 * t + 5.0),
            }
        })
    }
}

/// Counts of the concordant, discordant and tied pairs of two samples of n values.
struct PairCounts {
    n: usize,
    /// Number of all pairs, n(n-1)/2.
    all: f64,
    /// Number C of concordant pairs minus number D of discordant pairs.
    concordant_minus_discordant: f64,
    /// Number D of discordant pairs: inversions of y when the items are sorted by x.
    inversions: u64,
    tied_x: TieSums,
    tied_y: TieSums,
}

impl PairCounts {
    /// Counts concordant, discordant and tied pairs in O(n log n) by merge sort (Knight 1966).
    fn new(x: &[f64], y: &[f64]) -> Self {
        let n = x.len();
        let mut order_of_x = argsort(x);
        order_of_x
            .sort_by(|&i, &j| compare_numbers(&x[i], &x[j]).then(compare_numbers(&y[i], &y[j])));
        let tied_x = TieSums::new(equal_runs(&order_of_x, |&i, &j| x[i] == x[j]).map(|r| r.len()));
        let both = equal_runs(&order_of_x, |&i, &j| x[i] == x[j] && y[i] == y[j]);
        let tied_both = TieSums::new(both.map(|r| r.len()));
        let mut values: Vec<f64> = order_of_x.iter().map(|&i| y[i]).collect();
        let inversions = sort_counting_inversions(&mut values);
        let tied_y = TieSums::new(equal_runs(&values, |a, b| a == b).map(|r| r.len()));
        let all = 0.5 * n as f64 * (n as f64 - 1.0);
        // C + D is the number of pairs tied in neither sample.
        let untied = all - tied_x.pairs - tied_y.pairs + tied_both.pairs;
        Self {
            n,
            all,
            concordant_minus_discordant: untied - 2.0 * inversions as f64,
            inversions,
            tied_x,
            tied_y,
        }
    }

    /// Returns the p-values of the normal approximation of C - D.
    fn asymptotic_p_values(&self) -> PValues {
        let n = self.n as f64;
        let (x, y) = (&self.tied_x, &self.tied_y);
        let ordered = n * (n - 1.0);
        let mut variance = (ordered * (2.0 * n + 5.0) - x.variance - y.variance) / 18.0
            + 2.0 * x.pairs * y.pairs / ordered;
        if self.n > 2 {
            variance += x.triples * y.triples / (9.0 * ordered * (n - 2.0));
        }
        normal::p_values(self.concordant_minus_discordant, variance, false)
    }

    /// Returns the p-values of the exact distribution of D, or `None` if it is not available.
    fn exact_p_values(&self) -> Option<PValues> {
        let untied = self.tied_x.pairs == 0.0 && self.tied_y.pairs == 0.0;
        if !untied || self.n > MAX_EXACT {
            return None;
        }
        let most = (self.n * (self.n - 1) / 2) as u64;
        let (d, c) = (self.inversions, most - self.inversions);
        // Few inversions mean a positive correlation.
        Some(PValues::from_one_sided(
            inversion_cdf(self.n, c, most),
            inversion_cdf(self.n, d, most),
        ))
    }
}

/// Returns P(D <= d) for the number D of inversions of a random permutation of n items. `most` is
/// the largest possible D, n(n-1)/2.
///
/// The distribution is symmetric, so only its lower half is ever summed. There the running sums
/// grow, and their differences keep their relative accuracy.
fn inversion_cdf(n: usize, d: u64, most: u64) -> f64 {
    if d >= most {
        return 1.0;
    }
    if 2 * d >= most {
        return 1.0 - inversion_cdf(n, most - d - 1, most);
    }
    let mut distribution = vec![0.0; d as usize + 1];
    distribution[0] = 1.0;
    let mut next = distribution.clone();
    for i in 2..=n {
        // The i-th item forms 0 to i-1 inversions with the items before it, with equal
        // probabilities.
        let mut window = 0.0;
        for j in 0..distribution.len() {
            window += distribution[j];
            if j >= i {
                window -= distribution[j - i];
            }
            next[j] = window / i as f64;
        }
        core::mem::swap(&mut distribution, &mut next);
    }
    distribution.iter().rev().sum::<f64>().min(1.0)
}

/// Sorts the values by merge sort and returns the number of inversions: pairs in descending order.
fn sort_counting_inversions(values: &mut [f64]) -> u64 {
    let n = values.len();
    let mut merged = values.to_vec();
    let mut inversions = 0;
    let mut width = 1;
    while width < n {
        for start in (0..n).step_by(2 * width) {
            let middle = (start + width).min(n);
            let end = (start + 2 * width).min(n);
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                if right == end || (left < middle && values[left] <= values[right]) {
                    *place = values[left];
                    left += 1;
                } else {
                    *place = values[right];
                    right += 1;
                    inversions += (middle - left) as u64;
                }
            }
        }
        values.copy_from_slice(&merged);
        width *= 2;
    }
    inversions
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn inversion_cdf_of_four_items_matches_the_mahonian_numbers() {
        // Of 24 permutations, 1, 3, 5, 6, 5, 3 and 1 have 0 to 6 inversions. Cumulative sums:
        let sums = [1.0, 4.0, 9.0, 15.0, 20.0, 23.0, 24.0];
        for (d, sum) in (0..).zip(sums) {
            assert!((inversion_cdf(4, d, 6) - sum / 24.0).abs() < 1e-15);
        }
    }

    proptest! {
        #[test]
        fn concordant_minus_discordant_matches_a_count_of_all_pairs(
            pairs in proptest::collection::vec((0..7i32, 0..7i32), 2..25),
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            let mut balance = 0;
            for (i, a) in pairs.iter().enumerate() {
                for b in &pairs[i + 1..] {
                    balance += (a.0 - b.0).signum() * (a.1 - b.1).signum();
                }
            }
            prop_assert_eq!(PairCounts::new(&x, &y).concordant_minus_discordant, f64::from(balance));
        }
    }
}
