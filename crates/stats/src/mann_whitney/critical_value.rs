//! Critical values of U, as printed in tables.

use core::cmp::Ordering;

use super::midrank_scores::MidrankScores;
use super::permutation_distribution::{CELL_LIMIT, MAX_INTEGER_COUNTS, Probabilities};
use super::pooled_sample::PooledSample;
use crate::error::{self, StatsError};
use crate::numeric::decimal_level::DecimalLevel;

/// Returns the critical value of U for samples of sizes m and n without ties: the test rejects in
/// favour of "x tends to be smaller" if U is **below** it.
///
/// It is the smallest u with P(U <= u) >= alpha, so "U < critical" means exactly p < alpha; 0 means
/// that no outcome rejects. For a two-tailed test pass alpha/2 and compare min(U, mn - U).
///
/// # Errors
/// Returns a [`StatsError`] for a size of 0, an alpha outside (0, 1), or sizes beyond an exact
/// table.
///
/// ```
/// use partita_stats::mann_whitney::critical_value;
///
/// // The appendix of Urbano, Marrero, Martín and Lloréns (2010): U = 131 is
/// // below the one-tailed value and above the two-tailed one.
/// assert_eq!(critical_value(15, 21, 0.25)?, 136);
/// assert_eq!(critical_value(15, 21, 0.125)?, 121);
/// # Ok::<(), partita_stats::StatsError>(())
/// ```
pub fn critical_value(m: usize, n: usize, alpha: f64) -> Result<u64, StatsError> {
    error::require_length("m", 1, m)?;
    error::require_length("n", 1, n)?;
    let level = DecimalLevel::new(alpha)?;
    if m.saturating_add(n) <= MAX_INTEGER_COUNTS {
        Ok(critical_from_counts(m, n, level))
    } else {
        critical_from_probabilities(m, n, alpha)
    }
}

/// Counts the arrangements with each value of U by multiplying out the Gaussian binomial
/// coefficient Π(1 - q^(n+i))/(1 - q^i), i = 1..m (Mann and Whitney 1947; Andrews 1976, theorem
/// 3.1).
///
/// Intermediate products may overflow 128 bits, but wrapping arithmetic is that of a ring, so the
/// final counts, which fit, are correct.
fn frequencies(m: usize, n: usize) -> Vec<u128> {
    let mut counts = vec![0u128; m * n + 1];
    counts[0] = 1;
    for i in 1..=m.min(n) {
        let step = m.max(n) + i;
        for u in (step..counts.len()).rev() {
            counts[u] = counts[u].wrapping_sub(counts[u - step]);
        }
        for u in i..counts.len() {
            counts[u] = counts[u].wrapping_add(counts[u - i]);
        }
    }
    counts
}

fn critical_from_counts(m: usize, n: usize, level: DecimalLevel) -> u64 {
    let counts = frequencies(m, n);
    let total: u128 = counts.iter().sum();
    let mut below = 0;
    let reached = counts.iter().position(|count| {
        below += count;
        level.compare(1, below, total) != Ordering::Less
    });
    reached.expect("all counts together are a share of 1, which no level is above") as u64
}

/// Finds the critical value from probabilities, by bisection.
fn critical_from_probabilities(m: usize, n: usize, alpha: f64) -> Result<u64, StatsError> {
    // A table has at least one cell per value of U. This check comes first, because the samples
    // themselves may be too large to allocate.
    let cells = (m as u64).saturating_mul(n as u64);
    if cells > CELL_LIMIT {
        return Err(StatsError::ExactTableTooLarge {
            what: "exact Mann-Whitney distribution",
            cells,
            limit: CELL_LIMIT,
        });
    }
    let x: Vec<f64> = (0..m).map(|i| i as f64).collect();
    let y: Vec<f64> = (m..m + n).map(|i| i as f64).collect();
    let scores = MidrankScores::new(&PooledSample::new(&x, &y)?);
    let distribution = Probabilities::new(&scores)?;
    // Without ties the score of a rank r is r - 1, so the score sum of the smaller sample, of size
    // k, exceeds its U by k(k-1)/2.
    let smaller = m.min(n) as u64;
    let least = smaller * (smaller - 1) / 2;
    let (mut low, mut high) = (0u64, m as u64 * n as u64);
    while low < high {
        let middle = low + (high - low) / 2;
        if distribution.at_most(least + middle) >= alpha {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frequencies_of_two_and_two_are_those_of_the_six_arrangements() {
        assert_eq!(frequencies(2, 2), [1, 1, 2, 1, 1]);
    }

    #[test]
    fn the_largest_table_in_whole_numbers_has_the_right_total() {
        // C(131, 65) is the last binomial coefficient of this form below 2^128.
        let total: u128 = frequencies(65, 66).iter().sum();
        let expected = (1..=65u32).fold(1.0, |c, i| c * f64::from(66 + i) / f64::from(i));
        assert!((total as f64 / expected - 1.0).abs() < 1e-13);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn counted_and_weighted_values_agree(m in 1..15usize, n in 1..15usize, alpha in 0.001..0.9f64) {
            prop_assert_eq!(
                critical_from_counts(m, n, DecimalLevel::new(alpha).unwrap()),
                critical_from_probabilities(m, n, alpha).unwrap()
            );
        }
    }
}
