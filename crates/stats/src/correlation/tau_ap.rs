//! AP correlation: a variant of Kendall's tau that weights the top of the ranking.
//!
//! For the item at rank i of the estimated ranking y, C(i) counts the items among the i-1 above it
//! that the true ranking x also places above it:
//!
//! ```text
//! τ_AP = 2/(n-1) · Σ_{i=2..n} C(i)/(i-1) - 1
//! ```
//!
//! τ_AP ranges from -1 to 1 (Yilmaz, Aslam and Robertson 2008). It is not symmetric. Larger values
//! are better, in x and in y; pass negated ranks for ranks.
//!
//! With ties it is undefined. Urbano and Marrero (2017) distinguish two cases, analogous to
//! Kendall's τ_a and τ_b:
//!
//! * [`tau_ap_a`], **accuracy**: x is the truth and has no ties; ties in y stand for an undecided
//!   order. The coefficient is the mean of τ_AP over all orders of the tied items.
//! * [`tau_ap_b`], **agreement**: neither is the truth and both may have ties. An item is compared
//!   only with the pᵢ items strictly above it in y. A pair that is tied in x is not confirmed. The t
//!   items of the first tie of y have none above them: τ(x, y) = 2/(n-t) Σ C(i)/pᵢ - 1. The
//!   coefficient is the mean of τ(x, y) and τ(y, x), so it is symmetric, also without ties. The
//!   authors' R package ircor uses the same definition.
//!
//! ```
//! use partita_stats::correlation::tau_ap::{tau_ap, tau_ap_a, tau_ap_b};
//!
//! // The example of the R package ircor, to its printed digits.
//! let x = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54];
//! let y = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84];
//! assert!((tau_ap(&x, &y)? - 0.3928571).abs() < 5e-8);
//!
//! let rounded = [0.5, 0.7, 0.3, 0.1, 0.1, 0.6, 0.9, 0.2, 0.4, 0.8];
//! assert!((tau_ap_a(&x, &rounded)? - 0.39903).abs() < 5e-6);
//! assert!(tau_ap_b(&x, &rounded)?.is_some_and(|tau| (tau - 0.3317019).abs() < 5e-8));
//!
//! let x = [0.7, 0.4, 0.3, 0.1, 0.6, 0.2, 0.9, 0.8, 0.1, 0.5];
//! assert!(tau_ap_b(&x, &rounded)?.is_some_and(|tau| (tau - 0.339418).abs() < 5e-7));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::StatsError;
use crate::ranks::{argsort, compare_numbers, equal_runs};
use crate::validate;

/// Computes τ_AP of true values x and estimated values y, both without ties.
///
/// # Errors
/// Returns a [`StatsError`] for unequal lengths, fewer than 2 items, a NaN, or ties.
pub fn tau_ap(x: &[f64], y: &[f64]) -> Result<f64, StatsError> {
    check_arguments(x, y)?;
    refuse_ties("x", x, "use tau_ap_b")?;
    refuse_ties("y", y, "use tau_ap_a")?;
    Ok(mean_over_tie_orders(x, y))
}

/// Computes τ_AP,a of true values x, without ties, and estimated values y, whose ties are
/// undecided.
///
/// # Errors
/// Returns a [`StatsError`] for unequal lengths, fewer than 2 items, a NaN, or ties in x.
pub fn tau_ap_a(x: &[f64], y: &[f64]) -> Result<f64, StatsError> {
    check_arguments(x, y)?;
    refuse_ties("x", x, "use tau_ap_b")?;
    Ok(mean_over_tie_orders(x, y))
}

/// Computes τ_AP,b of two rankings that may have ties. Returns `None` if either is constant.
///
/// # Errors
/// Returns a [`StatsError`] for unequal lengths, fewer than 2 items, or a NaN.
pub fn tau_ap_b(x: &[f64], y: &[f64]) -> Result<Option<f64>, StatsError> {
    check_arguments(x, y)?;
    let one = directed_tau_ap(x, y);
    let other = directed_tau_ap(y, x);
    Ok(one.zip(other).map(|(one, other)| 0.5 * (one + other)))
}

fn check_arguments(x: &[f64], y: &[f64]) -> Result<(), StatsError> {
    validate::require_same_length("x and y", x.len(), y.len())?;
    validate::require_length("items", 2, x.len())?;
    validate::refuse_nan("x", x)?;
    validate::refuse_nan("y", y)
}

fn refuse_ties(what: &'static str, values: &[f64], remedy: &'static str) -> Result<(), StatsError> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(compare_numbers);
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(StatsError::UnexpectedTies {
            what,
            value: pair[0],
            remedy,
        }),
        None => Ok(()),
    }
}

/// Groups the indices of items with equal y, in descending order of y.
fn descending_tie_groups(y: &[f64]) -> Vec<Vec<usize>> {
    let mut items = argsort(y);
    items.reverse();
    equal_runs(&items, |&i, &j| y[i] == y[j])
        .map(|run| items[run].to_vec())
        .collect()
}

/// Counts the items of `above` (those ranked above `item` by y) that have a larger x than `item`.
fn count_confirmed(x: &[f64], above: &[usize], item: usize) -> f64 {
    above.iter().filter(|&&other| x[other] > x[item]).count() as f64
}

/// Computes the mean of τ_AP over all orders of tied items. At each rank of a tie all of its items
/// are equally likely, and half of the tied items above are confirmed on average, since x has no
/// ties.
fn mean_over_tie_orders(x: &[f64], y: &[f64]) -> f64 {
    let mut above: Vec<usize> = Vec::with_capacity(y.len());
    let mut sum = 0.0;
    for tie in descending_tie_groups(y) {
        let mean: f64 = tie
            .iter()
            .map(|&i| count_confirmed(x, &above, i))
            .sum::<f64>()
            / tie.len() as f64;
        for place in 0..tie.len() {
            let higher = above.len() + place;
            if higher > 0 {
                sum += (mean + 0.5 * place as f64) / higher as f64;
            }
        }
        above.extend(tie);
    }
    2.0 / (y.len() as f64 - 1.0) * sum - 1.0
}

/// Computes the directed coefficient τ(x, y) of [`tau_ap_b`], over the pairs that are not tied in
/// y. Returns `None` if y is constant.
fn directed_tau_ap(x: &[f64], y: &[f64]) -> Option<f64> {
    let mut above: Vec<usize> = Vec::with_capacity(y.len());
    let (mut sum, mut items) = (0.0, 0usize);
    for tie in descending_tie_groups(y) {
        if !above.is_empty() {
            items += tie.len();
            for &item in &tie {
                sum += count_confirmed(x, &above, item) / above.len() as f64;
            }
        }
        above.extend(tie);
    }
    (items > 0).then(|| 2.0 / items as f64 * sum - 1.0)
}
