//! Rank sums of Wilcoxon's test on many samples at once.
//!
//! The order of a pair's absolute differences on a sample is a subsequence of their order on all
//! queries, so they are sorted once. A pass over that order counts the differences met so far in
//! every sample; that count is the rank of the next difference. A step is a few vector instructions
//! without a branch. If t equal differences of a sample follow b smaller ones, each has the midrank
//! b + (t + 1)/2.

use partita_stats::PValues;
use partita_stats::signed_rank::{SignedRankMethod, ZeroMethod, signed_rank};

use super::sample_batch::{LANES, SampleBatch};
use super::{differences, select_queries};
use crate::ScoreMatrix;

/// Differences of all pairs, sorted by absolute value.
pub(super) struct SignedRanks {
    pairs: Vec<Pair>,
    differences: Vec<Vec<f64>>,
}

/// Nonzero differences of a pair.
struct Pair {
    steps: Vec<Step>,
    runs: Vec<TieRun>,
    width: CounterWidth,
}

/// Nonzero difference: its query, and a mask with all bits set if it is positive.
#[derive(Clone, Copy)]
struct Step {
    query: u32,
    positive: u64,
}

/// Consecutive steps whose absolute values are either all distinct or all equal.
struct TieRun {
    steps: usize,
    tied: bool,
}

/// Integer width that the counters of a pair need.
#[derive(Clone, Copy)]
enum CounterWidth {
    Sixteen,
    ThirtyTwo,
    SixtyFour,
}

/// Rank statistics of a pair on every sample.
pub(super) struct RankSums {
    /// Number of nonzero differences.
    pub(super) nonzero: [f64; LANES],
    /// Twice the rank sum of the positive differences.
    pub(super) doubled_plus: [f64; LANES],
    /// Tie term Σ(t³-t).
    pub(super) ties: [f64; LANES],
    /// Sum Σ⌊t²/4⌋ over ties: upper bound on the change of twice the rank sum if tied differences
    /// had distinct ranks, in any order. If k of t tied differences are positive, distinct ranks
    /// change the sum of their ranks by at most k(t-k)/2.
    pub(super) reach: [f64; LANES],
}

impl SignedRanks {
    pub(super) fn new(scores: &ScoreMatrix) -> Self {
        let differences = differences(scores);
        let pairs = differences.iter().map(|d| Pair::new(d)).collect();
        Self { pairs, differences }
    }

    /// Computes the rank statistics of every pair.
    pub(super) fn sums(&self, batch: &SampleBatch) -> impl Iterator<Item = RankSums> {
        // 16-bit masks suffice for most samples, so wider ones are made on demand.
        let mut wide: Option<Vec<[u32; LANES]>> = None;
        let mut widest: Option<Vec<[u64; LANES]>> = None;
        self.pairs.iter().map(move |pair| match pair.width {
            CounterWidth::Sixteen => pair.sums(batch.masks()),
            CounterWidth::ThirtyTwo => {
                let masks = wide.get_or_insert_with(|| widened(batch.masks()));
                pair.sums(masks)
            }
            CounterWidth::SixtyFour => {
                let masks = widest.get_or_insert_with(|| widened(batch.masks()));
                pair.sums(masks)
            }
        })
    }

    /// Runs the reference test of a pair on a sample.
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

    /// Runs the reference test of all pairs on a sample.
    pub(super) fn all_reference_tests<'a>(
        &'a self,
        queries: &'a [u32],
        method: SignedRankMethod,
    ) -> impl Iterator<Item = (f64, PValues)> + 'a {
        (0..self.pairs.len()).map(move |pair| self.reference_test(pair, queries, method))
    }
}

impl Pair {
    fn new(differences: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..differences.len())
            .filter(|&query| differences[query] != 0.0)
            .collect();
        let size = |query: usize| differences[query].abs();
        order.sort_by(|&a, &b| size(a).total_cmp(&size(b)));
        let mut runs: Vec<TieRun> = Vec::new();
        let mut tie_sum = 0u128;
        for tie in order.chunk_by(|&a, &b| size(a) == size(b)) {
            let steps = tie.len();
            tie_sum += (steps as u128).pow(3) - steps as u128;
            match runs.last_mut() {
                Some(last) if steps == 1 && !last.tied => last.steps += 1,
                _ => runs.push(TieRun {
                    steps,
                    tied: steps > 1,
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
        let steps = order.into_iter().map(|query| Step {
            query: query as u32,
            positive: if differences[query] > 0.0 {
                u64::MAX
            } else {
                0
            },
        });
        Self {
            steps: steps.collect(),
            runs,
            width,
        }
    }

    fn sums<L: LaneInteger>(&self, masks: &[[L; LANES]]) -> RankSums {
        let mut met = [L::ZERO; LANES];
        let mut plus = [L::ZERO; LANES];
        let (mut ties, mut reach) = ([L::ZERO; LANES], [L::ZERO; LANES]);
        let mut steps = self.steps.as_slice();
        for run in &self.runs {
            let (of_run, rest) = steps.split_at(run.steps);
            steps = rest;
            if run.tied {
                tied(of_run, masks, &mut met, &mut plus, [&mut ties, &mut reach]);
            } else {
                untied(of_run, masks, &mut met, &mut plus);
            }
        }
        RankSums {
            nonzero: met.map(|doubled| 0.5 * doubled.real()),
            doubled_plus: plus.map(L::real),
            ties: ties.map(L::real),
            reach: reach.map(L::real),
        }
    }
}

/// Adds steps of distinct absolute values. The doubled rank of a step is twice the number of steps
/// of the sample met so far, itself included.
#[inline]
fn untied<L: LaneInteger>(
    steps: &[Step],
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

/// Adds steps of equal absolute values. Those in the sample share their midrank.
#[inline]
fn tied<L: LaneInteger>(
    steps: &[Step],
    masks: &[[L; LANES]],
    met: &mut [L; LANES],
    plus: &mut [L; LANES],
    [ties, reach]: [&mut [L; LANES]; 2],
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
        reach[lane] = reach[lane].plus(squared.quarter());
    }
}

fn widened<L: LaneInteger>(masks: &[[u16; LANES]]) -> Vec<[L; LANES]> {
    let widen = |mask: &[u16; LANES]| mask.map(|bits| if bits == 0 { L::ZERO } else { L::ALL });
    masks.iter().map(widen).collect()
}

/// Integer type of vector lanes.
trait LaneInteger: Copy {
    const ZERO: Self;
    const ONE: Self;
    const TWO: Self;
    const ALL: Self;
    fn from_bits(bits: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn quarter(self) -> Self;
    fn real(self) -> f64;
}

macro_rules! lane {
    ($type:ty) => {
        // Plain operators: the chosen widths rule out overflow, and without overflow checks they
        // cost nothing.
        impl LaneInteger for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const TWO: Self = 2;
            const ALL: Self = <$type>::MAX;
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
            fn quarter(self) -> Self {
                self >> 2
            }
            #[inline]
            fn real(self) -> f64 {
                self as f64
            }
        }
    };
}

lane!(u16);
lane!(u32);
lane!(u64);
