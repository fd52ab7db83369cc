//! Rank sums of Wilcoxon's test on many samples at once.
//!
//! The order of the absolute score differences of a pair of systems on a sample of queries is a
//! subsequence of their order on all queries, so the differences are sorted once. A pass over that
//! order counts the differences met so far in every sample; that count, itself included, is the
//! rank of a difference. Each difference takes a few vector instructions without a branch. If t
//! equal differences of a sample follow b smaller ones, each has the midrank b + (t + 1)/2.

use partita_stats::PValues;
use partita_stats::signed_rank::{SignedRankMethod, ZeroMethod, signed_rank};

use super::sample_batch::{LANES, SampleBatch};
use super::{differences, select_queries};
use crate::ScoreMatrix;

/// Score differences of all pairs of systems, by query and sorted by absolute value.
pub(super) struct SignedRanks {
    pairs: Vec<SortedDifferences>,
    differences: Vec<Vec<f64>>,
}

/// Nonzero score differences of a pair of systems, in ascending order of absolute value.
struct SortedDifferences {
    differences: Vec<SignedDifference>,
    runs: Vec<TieRun>,
    width: CounterWidth,
}

/// Nonzero score difference on a query; `positive` has all bits set if the difference is positive,
/// else none.
#[derive(Clone, Copy)]
struct SignedDifference {
    query: u32,
    positive: u64,
}

/// Run of consecutive differences whose absolute values are either all distinct or all equal.
struct TieRun {
    length: usize,
    tied: bool,
}

/// Width in bits of the integers in which the rank sums of a pair do not overflow.
#[derive(Clone, Copy)]
enum CounterWidth {
    Sixteen,
    ThirtyTwo,
    SixtyFour,
}

/// Wilcoxon rank statistics of a pair of systems, one value per sample of a batch.
pub(super) struct RankSums {
    /// Number of nonzero differences in each sample.
    pub(super) nonzero: [f64; LANES],
    /// Twice the rank sum W⁺ of the positive differences, which is an integer also with midranks.
    pub(super) doubled_plus: [f64; LANES],
    /// Tie correction Σ(t³-t) of the variance, over groups of t equal absolute differences.
    pub(super) ties: [f64; LANES],
    /// Sum Σ⌊t²/4⌋ over groups of t equal absolute differences: upper bound on the change of twice
    /// the rank sum if these had distinct ranks, in any order. If k of t tied differences are
    /// positive, distinct ranks change the sum of their ranks by at most k(t-k)/2.
    pub(super) tie_bound: [f64; LANES],
}

impl SignedRanks {
    pub(super) fn new(scores: &ScoreMatrix) -> Self {
        let differences = differences(scores);
        let pairs = differences
            .iter()
            .map(|d| SortedDifferences::new(d))
            .collect();
        Self { pairs, differences }
    }

    /// Computes the rank statistics of every pair of systems on all samples of a batch.
    pub(super) fn sums(&self, batch: &SampleBatch) -> impl Iterator<Item = RankSums> {
        // 16-bit masks suffice for most samples, so wider ones are made on demand.
        let mut wide: Option<Vec<[u32; LANES]>> = None;
        let mut widest: Option<Vec<[u64; LANES]>> = None;
        self.pairs.iter().map(move |pair| match pair.width {
            CounterWidth::Sixteen => pair.sums(batch.masks()),
            CounterWidth::ThirtyTwo => {
                let masks = wide.get_or_insert_with(|| widen_masks(batch.masks()));
                pair.sums(masks)
            }
            CounterWidth::SixtyFour => {
                let masks = widest.get_or_insert_with(|| widen_masks(batch.masks()));
                pair.sums(masks)
            }
        })
    }

    /// Runs the unbatched Wilcoxon test of a pair of systems on one sample of queries, by the
    /// normal approximation if the exact distribution is too large. Returns the rank sum of the
    /// positive differences minus that of the negative ones, and the p-values.
    pub(super) fn reference_test(
        &self,
        pair: usize,
        queries: &[u32],
        method: SignedRankMethod,
    ) -> (f64, PValues) {
        let sample = select_queries(&self.differences[pair], queries);
        match signed_rank(&sample, ZeroMethod::Wilcox, method) {
            Ok(test) => (test.w_plus - test.w_minus, test.p),
            // Differences are finite, so the only possible error is an exact distribution that is
            // too large.
            Err(_) => self.reference_test(pair, queries, SignedRankMethod::Normal),
        }
    }

    /// Runs the unbatched Wilcoxon test of all pairs of systems on one sample of queries.
    pub(super) fn all_reference_tests<'a>(
        &'a self,
        queries: &'a [u32],
        method: SignedRankMethod,
    ) -> impl Iterator<Item = (f64, PValues)> + 'a {
        (0..self.pairs.len()).map(move |pair| self.reference_test(pair, queries, method))
    }
}

impl SortedDifferences {
    fn new(differences: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..differences.len())
            .filter(|&query| differences[query] != 0.0)
            .collect();
        let size = |query: usize| differences[query].abs();
        order.sort_by(|&a, &b| size(a).total_cmp(&size(b)));
        let mut runs: Vec<TieRun> = Vec::new();
        let mut tie_sum = 0u128;
        for tie in order.chunk_by(|&a, &b| size(a) == size(b)) {
            let length = tie.len();
            tie_sum += (length as u128).pow(3) - length as u128;
            match runs.last_mut() {
                Some(last) if length == 1 && !last.tied => last.length += 1,
                _ => runs.push(TieRun {
                    length,
                    tied: length > 1,
                }),
            }
        }
        let n = order.len() as u128;
        // No counter exceeds the sum of all doubled ranks or the tie term.
        let largest = (n * (n + 1)).max(tie_sum);
        let width = match largest {
            _ if largest <= u128::from(u16::MAX) => CounterWidth::Sixteen,
            _ if largest <= u128::from(u32::MAX) => CounterWidth::ThirtyTwo,
            _ => CounterWidth::SixtyFour,
        };
        let steps = order.into_iter().map(|query| SignedDifference {
            query: query as u32,
            positive: if differences[query] > 0.0 {
                u64::MAX
            } else {
                0
            },
        });
        Self {
            differences: steps.collect(),
            runs,
            width,
        }
    }

    /// Computes the rank statistics of the pair on all samples. `masks` has a row per query, with
    /// all bits set in the lanes of the samples that contain it.
    fn sums<L: LaneInteger>(&self, masks: &[[L; LANES]]) -> RankSums {
        let mut met = [L::ZERO; LANES];
        let mut plus = [L::ZERO; LANES];
        let (mut ties, mut tie_bound) = ([L::ZERO; LANES], [L::ZERO; LANES]);
        let mut steps = self.differences.as_slice();
        for run in &self.runs {
            let (of_run, rest) = steps.split_at(run.length);
            steps = rest;
            if run.tied {
                add_tied(
                    of_run,
                    masks,
                    &mut met,
                    &mut plus,
                    [&mut ties, &mut tie_bound],
                );
            } else {
                add_untied(of_run, masks, &mut met, &mut plus);
            }
        }
        RankSums {
            nonzero: met.map(|doubled| 0.5 * doubled.to_f64()),
            doubled_plus: plus.map(L::to_f64),
            ties: ties.map(L::to_f64),
            tie_bound: tie_bound.map(L::to_f64),
        }
    }
}

/// Adds the ranks of differences with distinct absolute values. `met` is twice the number of
/// differences met so far in each sample, and `plus` twice the rank sum of the positive ones. The
/// rank of a difference is the number met so far, itself included.
#[inline]
fn add_untied<L: LaneInteger>(
    steps: &[SignedDifference],
    masks: &[[L; LANES]],
    met: &mut [L; LANES],
    plus: &mut [L; LANES],
) {
    // Local copies, so that the compiler keeps them in registers.
    let (mut now, mut sum) = (*met, *plus);
    for step in steps {
        let (mask, positive) = (&masks[step.query as usize], L::from_bits(step.positive));
        for lane in 0..LANES {
            now[lane] = now[lane].plus(mask[lane].and(L::TWO));
            sum[lane] = sum[lane].plus(now[lane].and(mask[lane].and(positive)));
        }
    }
    (*met, *plus) = (now, sum);
}

/// Adds the ranks of differences with equal absolute values, which share their midrank in each
/// sample. `met` and `plus` are as in [`add_untied`].
#[inline]
fn add_tied<L: LaneInteger>(
    steps: &[SignedDifference],
    masks: &[[L; LANES]],
    met: &mut [L; LANES],
    plus: &mut [L; LANES],
    [ties, tie_bound]: [&mut [L; LANES]; 2],
) {
    let (mut all, mut positives) = ([L::ZERO; LANES], [L::ZERO; LANES]);
    for step in steps {
        let (mask, positive) = (&masks[step.query as usize], L::from_bits(step.positive));
        for lane in 0..LANES {
            let one = mask[lane].and(L::ONE);
            all[lane] = all[lane].plus(one);
            positives[lane] = positives[lane].plus(one.and(positive));
        }
    }
    for lane in 0..LANES {
        let t = all[lane];
        let midrank = met[lane].plus(t).plus(L::ONE);
        plus[lane] = plus[lane].plus(positives[lane].times(midrank));
        met[lane] = met[lane].plus(t).plus(t);
        let squared = t.times(t);
        ties[lane] = ties[lane].plus(squared.times(t).minus(t));
        tie_bound[lane] = tie_bound[lane].plus(squared.quarter_floor());
    }
}

/// Converts 16-bit membership masks to wider integers.
fn widen_masks<L: LaneInteger>(masks: &[[u16; LANES]]) -> Vec<[L; LANES]> {
    let widen =
        |mask: &[u16; LANES]| mask.map(|bits| if bits == 0 { L::ZERO } else { L::ALL_BITS });
    masks.iter().map(widen).collect()
}

/// Unsigned integer type of the counters, one per sample, that vector instructions update in
/// parallel.
trait LaneInteger: Copy {
    const ZERO: Self;
    const ONE: Self;
    const TWO: Self;
    const ALL_BITS: Self;
    fn from_bits(bits: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn quarter_floor(self) -> Self;
    fn to_f64(self) -> f64;
}

macro_rules! impl_lane_integer {
    ($type:ty) => {
        // Plain operators: the chosen widths rule out overflow, and without overflow checks they
        // cost nothing.
        impl LaneInteger for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const TWO: Self = 2;
            const ALL_BITS: Self = <$type>::MAX;
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as $type
            }
            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline]
            fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn quarter_floor(self) -> Self {
                self >> 2
            }
            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    };
}

impl_lane_integer!(u16);
impl_lane_integer!(u32);
impl_lane_integer!(u64);
