//! Midranks and ties.
//!
//! Equal values share the mean of the ranks that they occupy: the midrank (Kendall 1945). Ranks
//! count from 1 at the smallest value. Equality is exact (0.0 equals -0.0); round computed values
//! first.
//!
//! ```
//! use partita_stats::ranks::{midranks, tie_sum};
//!
//! let values = [3.0, 1.0, 3.0, 3.0, 2.0, 1.0];
//! assert_eq!(midranks(&values)?, [5.0, 1.5, 5.0, 5.0, 3.0, 1.5]);
//! // One pair and one triple: (2³-2) + (3³-3).
//! assert_eq!(tie_sum(&values)?, 30.0);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use core::cmp::Ordering;
use core::ops::Range;

use crate::error::StatsError;
use crate::validate;

/// Compares two numbers known not to be NaN; -0.0 equals 0.0.
pub(crate) fn compare_numbers(a: &f64, b: &f64) -> Ordering {
    a.partial_cmp(b)
        .expect("every sample was checked to hold no NaN")
}

/// Returns the indices of the values in ascending order of value; stable for equal values.
pub(crate) fn argsort(values: &[f64]) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..values.len()).collect();
    indices.sort_by(|&i, &j| compare_numbers(&values[i], &values[j]));
    indices
}

/// Returns the maximal runs of neighbours that are equal by `same`, as ranges of positions.
pub(crate) fn equal_runs<T>(
    items: &[T],
    same: impl Fn(&T, &T) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    core::iter::from_fn(move || {
        let first = items.get(start)?;
        let length = items[start..]
            .iter()
            .take_while(|item| same(first, item))
            .count()
            .max(1);
        let run = start..start + length;
        start += length;
        Some(run)
    })
}

/// Returns t³ - t, the tie term of t equal values.
pub(crate) fn tie_term(t: usize) -> f64 {
    let t = t as f64;
    t * t * t - t
}

/// Returns the midrank of every value, in the order of the input.
///
/// # Errors
/// Returns a [`StatsError`] for a NaN.
pub fn midranks(values: &[f64]) -> Result<Vec<f64>, StatsError> {
    validate::refuse_nan("values", values)?;
    Ok(midranks_unchecked(values))
}

/// Returns the midranks of values known to hold no NaN.
pub(crate) fn midranks_unchecked(values: &[f64]) -> Vec<f64> {
    let indices = argsort(values);
    let mut ranks = vec![0.0; values.len()];
    for run in equal_runs(&indices, |&i, &j| values[i] == values[j]) {
        let rank = 0.5 * (run.start + 1 + run.end) as f64;
        for &index in &indices[run] {
            ranks[index] = rank;
        }
    }
    ranks
}

/// Returns the sizes of the groups of equal values, in ascending order of value, including groups
/// of one.
///
/// # Errors
/// Returns a [`StatsError`] for a NaN.
pub fn tie_sizes(values: &[f64]) -> Result<Vec<usize>, StatsError> {
    validate::refuse_nan("values", values)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(compare_numbers);
    Ok(equal_runs(&sorted, |a, b| a == b)
        .map(|run| run.len())
        .collect())
}

/// Returns Σ(t³ - t) over the groups of t equal values, by which ties reduce the variance of rank
/// statistics; 0 without ties.
///
/// # Errors
/// Returns a [`StatsError`] for a NaN.
pub fn tie_sum(values: &[f64]) -> Result<f64, StatsError> {
    validate::refuse_nan("values", values)?;
    Ok(tie_sum_unchecked(values.to_vec()))
}

/// Returns Σ(t³ - t) over the groups of t equal values, for values known to hold no NaN.
pub(crate) fn tie_sum_unchecked(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(compare_numbers);
    equal_runs(&values, |a, b| a == b)
        .map(|run| tie_term(run.len()))
        .sum()
}

/// Returns the greatest common divisor; that of 0 and b is b.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
