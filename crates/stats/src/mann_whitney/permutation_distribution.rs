//! Permutation distribution of the rank sum, given the ties.
//!
//! Under the null hypothesis every choice of m of the N pooled midranks is equally likely to be the
//! sample x. The shift algorithm (Streitberg and Röhmel 1986) counts the choices with a given sum:
//! it adds the midranks one at a time to a table of counts by (number chosen, sum).
//!
//! The work grows with the fourth power of the sample size. So the pooled sample is split into two
//! halves, each half has its own table, and the two are joined only for the requested sum. Up to
//! [`MAX_INTEGER_COUNTS`] values the counts of a half fit in 64 bits (often in 32) and their
//! products in 128, so all results are exact integers. Beyond, each value is weighted by the share
//! of x in the pool, which turns counts into probabilities that neither overflow nor underflow.

use super::midrank_scores::MidrankScores;
use crate::error::StatsError;
use crate::ranks::gcd;

/// Largest pooled sample that is counted in integers: C(131, 65) is below 2¹²⁸ and C(66, 33) below
/// 2⁶⁴.
pub(crate) const MAX_INTEGER_COUNTS: usize = 131;

/// Largest number of table cells of a distribution (half a gibibyte of 8-byte cells).
pub(crate) const CELL_LIMIT: u64 = 1 << 26;

/// Number type of a table cell: an integer count of choices, or a probability.
trait CountCell: Copy + Default {
    /// Number type of cumulative sums of cells.
    type Running: Copy + Default;
    /// Number type of the product of a cell of one half and a cumulative sum of the other.
    type Joint: Copy + Default + core::ops::AddAssign;
    /// One choice, or probability 1.
    const ONE: Self;
    /// Multiplies the cells by the probability 1 - `taken` that a score is not chosen. Integer
    /// counts stay unchanged.
    fn scale_row(row: &mut [Self], taken: f64);
    /// Adds to a row of j chosen scores the choices that include one more score, given the row
    /// `from` of j - 1 chosen scores. `taken` is the probability that a score is chosen.
    fn add_choices(row: &mut [Self], from: &[Self], taken: f64);
    /// Adds a cell to a cumulative sum.
    fn accumulate(total: Self::Running, cell: Self) -> Self::Running;
    /// Multiplies a cell of the lower half by a cumulative sum of the upper half.
    fn multiply_halves(low: Self, high: Self::Running) -> Self::Joint;
}

macro_rules! integer_cells {
    ($cell:ty) => {
        impl CountCell for $cell {
            type Running = u64;
            type Joint = u128;
            const ONE: Self = 1;
            fn scale_row(_: &mut [Self], _: f64) {}
            fn add_choices(row: &mut [Self], from: &[Self], _: f64) {
                // No count can overflow, see `ExactCounts::new`; wrapping addition only avoids the
                // check.
                for (to, count) in row.iter_mut().zip(from) {
                    *to = to.wrapping_add(*count);
                }
            }
            fn accumulate(total: u64, cell: Self) -> u64 {
                total.wrapping_add(u64::from(cell))
            }
            fn multiply_halves(low: Self, high: u64) -> u128 {
                u128::from(low) * u128::from(high)
            }
        }
    };
}
integer_cells!(u32);
integer_cells!(u64);

impl CountCell for f64 {
    type Running = f64;
    type Joint = f64;
    const ONE: Self = 1.0;
    fn scale_row(row: &mut [Self], taken: f64) {
        for cell in row {
            *cell *= 1.0 - taken;
        }
    }
    fn add_choices(row: &mut [Self], from: &[Self], taken: f64) {
        for (to, weight) in row.iter_mut().zip(from) {
            *to += taken * weight;
        }
    }
    fn accumulate(total: f64, cell: Self) -> f64 {
        total + cell
    }
    fn multiply_halves(low: Self, high: f64) -> f64 {
        low * high
    }
}

/// Layout of the table of one half of the scores. The table has a row for each number j of chosen
/// scores.
///
/// Row j counts the choices of j scores by their sum, starting at the smallest possible sum, that
/// of the j smallest scores.
#[derive(Clone, Debug)]
struct TableLayout {
    /// Cumulative sums of the scores: sum of the i smallest, i = 0, 1, ...
    totals: Vec<u64>,
    /// Index of the first cell of each row, followed by the end of the last row.
    starts: Vec<usize>,
}

impl TableLayout {
    fn new(values: &[u64], chosen: usize) -> Self {
        let mut totals = Vec::with_capacity(values.len() + 1);
        totals.push(0);
        totals.extend(values.iter().scan(0, |total, value| {
            *total += value;
            Some(*total)
        }));
        let mut layout = Self {
            totals,
            starts: vec![0],
        };
        let mut start = 0;
        for j in 0..=chosen.min(values.len()) {
            start += layout.width(values.len(), j);
            layout.starts.push(start);
        }
        layout
    }

    /// Returns the number of values that the sum of j of the i smallest scores can take.
    fn width(&self, i: usize, j: usize) -> usize {
        (self.totals[i] - self.totals[i - j] - self.totals[j]) as usize + 1
    }

    /// Returns the number of rows: one for each number of chosen scores, from 0.
    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of scores in this half.
    fn items(&self) -> usize {
        self.totals.len() - 1
    }

    fn row(&self, j: usize) -> core::ops::Range<usize> {
        self.starts[j]..self.starts[j + 1]
    }

    fn cells(&self) -> usize {
        *(self.starts.last()).expect("a layout has the starts of its rows and the end of the last")
    }
}

/// Fills the table of one half of the scores: counts (or probabilities) of the choices by number of
/// chosen scores and their sum. `taken` is the probability that a score is chosen.
fn fill_table<C: CountCell>(values: &[u64], layout: &TableLayout, taken: f64) -> Vec<C> {
    let mut cells = vec![C::default(); layout.cells()];
    cells[0] = C::ONE;
    for (i, &value) in values.iter().enumerate() {
        for j in (1..=(i + 1).min(layout.rows() - 1)).rev() {
            let (before, row) = cells.split_at_mut(layout.starts[j]);
            let from = &before[layout.starts[j - 1]..][..layout.width(i, j - 1)];
            let shift = (value - values[j - 1]) as usize;
            C::scale_row(&mut row[..layout.width(i + 1, j)], taken);
            C::add_choices(&mut row[shift..][..from.len()], from, taken);
        }
        C::scale_row(&mut cells[..1], taken);
    }
    cells
}

/// Distribution of the score sum of the smaller sample, as one table for each half of the scores.
#[derive(Clone, Debug)]
struct PermutationDistribution<C> {
    low: TableLayout,
    low_cells: Vec<C>,
    high: TableLayout,
    high_cells: Vec<C>,
    chosen: usize,
}

impl<C: CountCell> PermutationDistribution<C> {
    fn new(scores: &MidrankScores) -> Self {
        let taken = scores.sample_size as f64 / scores.values.len() as f64;
        let (lower, upper) = scores.halves();
        let low = TableLayout::new(lower, scores.sample_size);
        let high = TableLayout::new(upper, scores.sample_size);
        Self {
            low_cells: fill_table(lower, &low, taken),
            high_cells: fill_table(upper, &high, taken),
            low,
            high,
            chosen: scores.sample_size,
        }
    }

    /// Returns the count (or unnormalised probability) of the choices whose score sum is at most
    /// `sum`.
    fn at_most(&self, sum: u64) -> C::Joint {
        let mut measure = C::Joint::default();
        let mut running = Vec::new();
        for j in self.chosen.saturating_sub(self.high.items())..self.low.rows() {
            let rest = self.chosen - j;
            let least = self.low.totals[j] + self.high.totals[rest];
            let Some(excess) = sum.checked_sub(least) else {
                continue;
            };
            let left = &self.low_cells[self.low.row(j)];
            let mut all = C::Running::default();
            running.clear();
            running.extend(self.high_cells[self.high.row(rest)].iter().map(|&cell| {
                all = C::accumulate(all, cell);
                all
            }));
            let excess = excess.min((left.len() + running.len()) as u64) as usize;
            // Sums of the lower half before index `full_end` combine with every sum of the upper
            // half, those from `partial_end` on with none.
            let full_end = (excess + 1).saturating_sub(running.len()).min(left.len());
            let partial_end = (excess + 1).min(left.len());
            for &cell in &left[..full_end] {
                measure += C::multiply_halves(cell, all);
            }
            if full_end < partial_end {
                let partners = running[excess + 1 - partial_end..=excess - full_end]
                    .iter()
                    .rev();
                for (&cell, &partner) in left[full_end..partial_end].iter().zip(partners) {
                    measure += C::multiply_halves(cell, partner);
                }
            }
        }
        measure
    }
}

/// Permutation distribution in integer counts.
#[derive(Clone, Debug)]
pub(crate) struct ExactCounts {
    cells: CountWidth,
    total: u128,
}

/// Permutation distribution with cells of 32 bits if all counts fit, else of 64 bits.
#[derive(Clone, Debug)]
enum CountWidth {
    Narrow(PermutationDistribution<u32>),
    Wide(PermutationDistribution<u64>),
}

impl ExactCounts {
    /// Counts the choices of the smaller sample from at most [`MAX_INTEGER_COUNTS`] scores.
    ///
    /// 32 bits suffice for halves of up to 35 scores that are not all equal: exchanging two
    /// different scores changes the sum, so of the subsets with exactly one of the two at most half
    /// share a sum, and no count exceeds C(35, 17) - C(33, 16) < 2³². Up to 34 scores even C(34,
    /// 17) fits.
    pub(crate) fn new(scores: &MidrankScores) -> Self {
        let (lower, upper) = scores.halves();
        let narrow = [lower, upper]
            .iter()
            .all(|half| half.len() <= 34 || (half.len() == 35 && half.first() != half.last()));
        Self {
            cells: if narrow {
                CountWidth::Narrow(PermutationDistribution::new(scores))
            } else {
                CountWidth::Wide(PermutationDistribution::new(scores))
            },
            total: binomial(scores.values.len(), scores.sample_size),
        }
    }

    /// Returns the number of all choices of the smaller sample.
    pub(crate) fn total(&self) -> u128 {
        self.total
    }

    /// Returns the number of choices with a score sum of at most `sum`.
    pub(crate) fn at_most(&self, sum: u64) -> u128 {
        match &self.cells {
            CountWidth::Narrow(distribution) => distribution.at_most(sum),
            CountWidth::Wide(distribution) => distribution.at_most(sum),
        }
    }

    /// Returns the number of choices with a score sum of at least `sum`.
    pub(crate) fn at_least(&self, sum: u64) -> u128 {
        self.total - sum.checked_sub(1).map_or(0, |less| self.at_most(less))
    }
}

/// Permutation distribution in floating-point probabilities, for any number of scores.
#[derive(Clone, Debug)]
pub(crate) struct PermutationProbabilities {
    distribution: PermutationDistribution<f64>,
    total: f64,
}

impl PermutationProbabilities {
    pub(crate) fn new(scores: &MidrankScores) -> Result<Self, StatsError> {
        let (lower, upper) = scores.halves();
        let cells = [lower, upper]
            .iter()
            .map(|half| TableLayout::new(half, scores.sample_size).cells() as u64)
            .sum();
        if cells > CELL_LIMIT {
            return Err(StatsError::ExactTableTooLarge {
                what: "exact Mann-Whitney distribution",
                cells,
                limit: CELL_LIMIT,
            });
        }
        let distribution = PermutationDistribution::new(scores);
        let total = distribution.at_most(u64::MAX);
        Ok(Self {
            distribution,
            total,
        })
    }

    /// Returns the probability of a score sum of at most `sum`.
    pub(crate) fn at_most(&self, sum: u64) -> f64 {
        self.distribution.at_most(sum) / self.total
    }
}

/// Computes the binomial coefficient C(n, k) in integers, for n up to [`MAX_INTEGER_COUNTS`].
fn binomial(n: usize, k: usize) -> u128 {
    (1..=k as u128).fold(1u128, |c, i| match c.checked_mul(n as u128 - i + 1) {
        Some(product) => product / i,
        None => {
            // The product would overflow 128 bits although the quotient fits.
            let shared = u128::from(gcd(i as u64, (c % i) as u64));
            (c / shared) * ((n as u128 - i + 1) / (i / shared))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mann_whitney::pooled_sample::PooledSample;
    use proptest::prelude::*;

    /// Counts the choices of `chosen` values with a sum of at most `sum` by enumerating all
    /// subsets.
    fn count_by_enumeration(values: &[u64], chosen: usize, sum: u64) -> u128 {
        (0u32..1 << values.len())
            .filter(|set| set.count_ones() as usize == chosen)
            .filter(|set| {
                let total: u64 = (0..values.len())
                    .filter(|i| set >> i & 1 == 1)
                    .map(|i| values[i])
                    .sum();
                total <= sum
            })
            .count() as u128
    }

    fn scores(x: &[u8], y: &[u8]) -> MidrankScores {
        let floats = |v: &[u8]| v.iter().map(|&v| f64::from(v)).collect::<Vec<_>>();
        MidrankScores::new(&PooledSample::new(&floats(x), &floats(y)).unwrap())
    }

    #[test]
    fn binomial_coefficients_up_to_2_to_the_128_are_right() {
        assert_eq!(binomial(10, 5), 252);
        assert_eq!(binomial(131, 65), binomial(130, 64) + binomial(130, 65));
        assert!(binomial(131, 65) > 1 << 127);
        assert!(binomial(66, 33) < 1 << 64);
        assert!(binomial(35, 17) - binomial(33, 16) < 1 << 32);
    }

    #[test]
    fn counts_of_the_largest_integer_distribution_sum_to_all_choices() {
        let x: Vec<u8> = (0..65).collect();
        let y: Vec<u8> = (60..126).collect();
        for (x, y) in [(&x[..], &y[..]), (&[7; 65], &[7; 66]), (&[7; 65], &[8; 66])] {
            let counts = ExactCounts::new(&scores(x, y));
            assert_eq!(counts.at_most(u64::MAX), binomial(131, 65));
        }
    }

    #[test]
    fn cells_of_32_and_64_bits_agree_for_halves_of_35_scores() {
        for spread in [1, 2, 7, 70] {
            let x: Vec<u8> = (0..35).map(|i| i * 3 % spread).collect();
            let y: Vec<u8> = (0..35).map(|i| i * 5 % spread + spread / 2).collect();
            let scores = scores(&x, &y);
            let counts = ExactCounts::new(&scores);
            let wide = PermutationDistribution::<u64>::new(&scores);
            assert_eq!(counts.at_most(u64::MAX), binomial(70, 35));
            for sum in (0..5000).step_by(41) {
                assert_eq!(counts.at_most(sum), wide.at_most(sum));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn counts_match_enumeration_of_every_choice(
            x in proptest::collection::vec(0..5u8, 1..6),
            y in proptest::collection::vec(0..5u8, 1..6),
        ) {
            let scores = scores(&x, &y);
            let counts = ExactCounts::new(&scores);
            let probabilities = PermutationProbabilities::new(&scores).unwrap();
            let enumerated = |sum| count_by_enumeration(&scores.values, scores.sample_size, sum);
            prop_assert_eq!(counts.total(), enumerated(u64::MAX));
            for sum in 0..=scores.values.iter().sum::<u64>() {
                let count = counts.at_most(sum);
                prop_assert_eq!(count, enumerated(sum));
                let p = count as f64 / counts.total() as f64;
                prop_assert!((probabilities.at_most(sum) - p).abs() < 1e-14);
            }
        }

        #[test]
        fn the_mirrored_lower_tail_is_the_upper_tail(
            x in proptest::collection::vec(0..9u8, 1..12),
            y in proptest::collection::vec(0..9u8, 1..12),
        ) {
            let scores = scores(&x, &y);
            let mirrored = scores.mirrored();
            prop_assert_eq!(
                ExactCounts::new(&scores).at_least(scores.observed),
                ExactCounts::new(&mirrored).at_most(mirrored.observed)
            );
        }
    }
}
