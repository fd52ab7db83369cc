//! The rank sums of Wilcoxon's test on many samples at once.
//!
//! The order of a pair's absolute differences on a sample is a subsequence of their order on all
//! queries, so they are sorted once. Walking along that order, the rank of a difference is the
//! number of those met so far, counted in every sample at the same time: a step is a handful of
//! vector instructions without a branch. Where t equal differences of a sample follow on b others,
//! each has the midrank b + (t + 1)/2.

use partita_stats::PValues;
use partita_stats::signed_rank::{SignedRankMethod, ZeroMethod, signed_rank};

use super::sample_batch::{LANES, SampleBatch};
use super::{differences, select_queries};
use crate::ScoreMatrix;

/// The differences of all pairs, in order of size.
pub(super) struct SignedRanks {
    pairs: Vec<Pair>,
    differences: Vec<Vec<f64>>,
}

/// The differences of a pair that are not zero.
struct Pair {
    steps: Vec<Step>,
    runs: Vec<TieRun>,
    width: CounterWidth,
}

/// A difference: its query, and all bits set if it is positive.
#[derive(Clone, Copy)]
struct Step {
    query: u32,
    positive: u64,
}

/// Steps that follow on each other: either each of another size, or all of the same.
struct TieRun {
    steps: usize,
    tied: bool,
}

/// The bits that the sums need.
#[derive(Clone, Copy)]
enum CounterWidth {
    Sixteen,
    ThirtyTwo,
    SixtyFour,
}

/// The sums of a pair on every sample.
pub(super) struct Sums {
    /// The number of differences that are not zero.
    pub(super) nonzero: [f64; LANES],
    /// Twice the rank sum of the positive ones.
    pub(super) doubled_plus: [f64; LANES],
    /// Σ(t³-t) over ties.
    pub(super) ties: [f64; LANES],
    /// Σ⌊t²/4⌋ over ties: how far twice the rank sum can be from that of any order of the tied.
    /// Of t tied differences k positive ones have k midranks; ranks of their own would add up to
    /// k(t-k)/2 more or less at most.
    pub(super) reach: [f64; LANES],
}

impl SignedRanks {
    pub(super) fn new(scores: &ScoreMatrix) -> Self {
        let differences = differences(scores);
        let pairs = differences.iter().map(|d| Pair::new(d)).collect();
        Self { pairs, differences }
    }

    /// The sums of every pair.
    pub(super) fn sums(&self, batch: &SampleBatch) -> impl Iterator<Item = Sums> {
        // Most samples need no more than the masks as they are.
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

    /// The plain test of a pair on a sample.
    pub(super) fn reference_test(
        &self,
        pair: usize,
        queries: &[u32],
        method: SignedRankMethod,
    ) -> (f64, PValues) {
        let sample = select_queries(&self.differences[pair], queries);
        match signed_rank(&sample, ZeroMethod::Wilcox, method) {
            Ok(test) => (test.w_plus - test.w_minus, test.p),
            // Differences are finite, so only an exact law beyond all bounds is refused.
            Err(_) => self.reference_test(pair, queries, SignedRankMethod::Normal),
        }
    }

    /// The plain test of all pairs on a sample.
    pub(super) fn all_plain<'a>(
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
        // Nothing is ever larger than all ranks doubled, or the sum over ties.
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

    fn sums<L: LaneInteger>(&self, masks: &[[L; LANES]]) -> Sums {
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
        Sums {
            nonzero: met.map(|doubled| 0.5 * doubled.real()),
            doubled_plus: plus.map(L::real),
            ties: ties.map(L::real),
            reach: reach.map(L::real),
        }
    }
}

/// Each step has a rank of its own: twice as much as have been met, itself included.
#[inline]
fn untied<L: LaneInteger>(
    steps: &[Step],
    masks: &[[L; LANES]],
    met: &mut [L; LANES],
    plus: &mut [L; LANES],
) {
    // Copies, so that they can stay in registers.
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

/// All steps share the midrank of those that are in the sample.
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

/// A whole number that many of fit into a vector register.
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
        // Plain operators: the widths are chosen so that nothing overflows, and where nobody
        // checks, that costs nothing.
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
