//! Pooled sample: the distinct values of two samples with their multiplicities.

use crate::error::StatsError;
use crate::ranks::{compare_numbers, equal_runs, tie_term};
use crate::validate;

/// Tie group: the number of occurrences of one distinct value in x and in y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TieGroup {
    pub(crate) in_x: u32,
    pub(crate) in_y: u32,
}

impl TieGroup {
    /// Returns the number of occurrences in both samples.
    pub(crate) fn size(self) -> u32 {
        self.in_x + self.in_y
    }
}

/// Distinct values of both samples, ascending, with their multiplicities.
#[derive(Clone, Debug)]
pub(crate) struct PooledSample {
    ties: Vec<TieGroup>,
    m: usize,
    n: usize,
    twice_u: u64,
    tie_sum: f64,
}

/// Limit of the counting sort: if all values are multiples of ½ from 0 to below half of this
/// number, they are counted, else sorted.
const COUNTING_SORT_LIMIT: usize = 256;

impl PooledSample {
    pub(crate) fn new(x: &[f64], y: &[f64]) -> Result<Self, StatsError> {
        validate::refuse_nan("x", x)?;
        validate::refuse_nan("y", y)?;
        validate::require_length("x", 1, x.len())?;
        validate::require_length("y", 1, y.len())?;
        let ties = group_by_counting(x, y).unwrap_or_else(|| group_by_sorting(x, y));
        Ok(Self::from_ties(ties, x.len(), y.len()))
    }

    fn from_ties(ties: Vec<TieGroup>, m: usize, n: usize) -> Self {
        let (mut twice_u, mut y_below, mut tie_sum) = (0u64, 0u64, 0.0);
        for tie in &ties {
            let in_y = u64::from(tie.in_y);
            twice_u += u64::from(tie.in_x) * (2 * y_below + in_y);
            y_below += in_y;
            tie_sum += tie_term(tie.size() as usize);
        }
        Self {
            ties,
            m,
            n,
            twice_u,
            tie_sum,
        }
    }

    /// Returns the size of x.
    pub(crate) fn m(&self) -> usize {
        self.m
    }

    /// Returns the size of y.
    pub(crate) fn n(&self) -> usize {
        self.n
    }

    /// Returns the number N of values in both samples.
    pub(crate) fn size(&self) -> usize {
        self.m + self.n
    }

    pub(crate) fn ties(&self) -> &[TieGroup] {
        &self.ties
    }

    /// Returns the U of x: the number of pairs with x above y, with ties counted one half.
    pub(crate) fn u(&self) -> f64 {
        0.5 * self.twice_u as f64
    }

    pub(crate) fn has_ties(&self) -> bool {
        self.ties.len() < self.size()
    }

    pub(crate) fn all_equal(&self) -> bool {
        self.ties.len() == 1
    }

    /// Returns the mean of U under the null hypothesis, mn/2.
    pub(crate) fn mean(&self) -> f64 {
        0.5 * self.m as f64 * self.n as f64
    }

    /// Returns the variance of U under the null hypothesis, which ties reduce.
    pub(crate) fn variance(&self) -> f64 {
        let product = self.m as f64 * self.n as f64;
        let size = self.size() as f64;
        product / 12.0 * (size + 1.0 - self.tie_sum / (size * (size - 1.0)))
    }

    /// Returns Σ(t³ - t)/(N³ - N) over the groups of t tied values: 0 without ties, 1 if all values
    /// are equal.
    pub(crate) fn tie_share(&self) -> f64 {
        self.tie_sum / tie_term(self.size())
    }
}

/// Groups equal values by counting, if all are small multiples of one half, such as ranks and
/// midranks. Returns `None` if any is not.
fn group_by_counting(x: &[f64], y: &[f64]) -> Option<Vec<TieGroup>> {
    let mut table = [TieGroup::default(); COUNTING_SORT_LIMIT];
    let cell = |value: f64| {
        let twice = 2.0 * value;
        let index = twice as usize;
        (index as f64 == twice && index < COUNTING_SORT_LIMIT).then_some(index)
    };
    for &value in x {
        table[cell(value)?].in_x += 1;
    }
    for &value in y {
        table[cell(value)?].in_y += 1;
    }
    Some(table.into_iter().filter(|tie| tie.size() > 0).collect())
}

/// Groups equal values by sorting, for values of any size.
fn group_by_sorting(x: &[f64], y: &[f64]) -> Vec<TieGroup> {
    let mut tagged: Vec<(f64, bool)> = x.iter().map(|&value| (value, true)).collect();
    tagged.extend(y.iter().map(|&value| (value, false)));
    tagged.sort_unstable_by(|a, b| compare_numbers(&a.0, &b.0));
    equal_runs(&tagged, |a, b| a.0 == b.0)
        .map(|run| {
            let in_x = tagged[run.clone()].iter().filter(|(_, x)| *x).count() as u32;
            TieGroup {
                in_x,
                in_y: run.len() as u32 - in_x,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_other_than_small_multiples_of_one_half_are_not_counted() {
        assert!(group_by_counting(&[-1.0], &[1.0]).is_none());
        assert!(group_by_counting(&[0.25], &[1.0]).is_none());
        assert!(group_by_counting(&[1e300], &[1.0]).is_none());
        assert!(group_by_counting(&[-0.0, 0.0, 127.5], &[1.0]).is_some());
    }

    proptest! {
        #[test]
        fn counting_and_sorting_agree_and_u_matches_its_definition(
            x in proptest::collection::vec(0..12u8, 1..20),
            y in proptest::collection::vec(0..12u8, 1..20),
        ) {
            let x: Vec<f64> = x.into_iter().map(|v| f64::from(v) / 2.0).collect();
            let y: Vec<f64> = y.into_iter().map(|v| f64::from(v) / 2.0).collect();
            prop_assert_eq!(group_by_counting(&x, &y).unwrap(), group_by_sorting(&x, &y));
            let pairs: f64 = x.iter().flat_map(|a| y.iter().map(move |b| {
                if a > b { 1.0 } else if a == b { 0.5 } else { 0.0 }
            })).sum();
            prop_assert_eq!(PooledSample::new(&x, &y).unwrap().u(), pairs);
        }
    }
}
