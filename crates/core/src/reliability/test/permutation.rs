//! The permutation test of paired differences, 2-tailed.
//!
//! If two systems were alike, each difference might as well have had the other sign (Fisher 1935;
//! for retrieval Smucker, Allan and Carterette 2007). All ways to choose the signs are counted where
//! these are no more than [`PATTERNS`]; otherwise so many are drawn and p = (1 + #)/(1 + drawn). A
//! drawn pattern turns the signs of whole queries and is shared by all pairs of a sample: then the
//! sums of 15 systems serve 105 pairs. Every sample draws its own.
//!
//! Sums are compared before anything is rounded, and those closer than half of 10⁻⁹ are equal. On
//! scores with up to nine decimals the exact p-values are those of [`partita_stats::randomization`],
//! which rounds each difference; on others it may tell apart what is tied.

use partita_stats::differences::QUANTUM;
use partita_stats::streams::{Rng, stream};

use super::{Evidence, PairTest, Setting, Verdicts, pairs};
use crate::Scores;
use crate::reliability::batch::Batch;
use crate::reliability::means::FixedPoint;
use crate::reliability::verdict::Verdict;

/// The number of patterns that are drawn.
const PATTERNS: usize = 999;

/// What the random streams of the patterns are called.
const SIGNS: u64 = 0x7369_676e_7331;

struct Permutation {
    alpha: f64,
    seed: u64,
    systems: usize,
    scores: FixedPoint,
}

pub(crate) fn prepare(scores: &Scores, setting: Setting) -> Box<dyn PairTest> {
    Box::new(Permutation {
        alpha: setting.alpha,
        seed: setting.seed,
        systems: scores.systems().len(),
        scores: FixedPoint::new(scores),
    })
}

impl Permutation {
    /// For each sign pattern, the sum of every system's scores with these signs.
    fn signed_sums(&self, batch: &Batch, lane: usize) -> (Vec<f64>, bool) {
        let queries = batch.sample(lane);
        let exact = queries.len() <= 10;
        let words = queries.len().div_ceil(64);
        let patterns: Vec<u64> = match exact {
            // The first sign is left as it is: turning all signs changes no absolute sum.
            true => (0..1u64 << (queries.len() - 1))
                .map(|bits| bits << 1)
                .collect(),
            false => {
                let [trial, second] = batch.number(lane);
                let path = [SIGNS, batch.size() as u64, trial, second];
                let mut random = stream(self.seed, &path);
                (0..PATTERNS * words).map(|_| random.next_u64()).collect()
            }
        };
        let mut sums = vec![0.0; patterns.len() / words * self.systems];
        for (pattern, sums) in patterns
            .chunks_exact(words)
            .zip(sums.chunks_exact_mut(self.systems))
        {
            for (place, &query) in queries.iter().enumerate() {
                let turned = pattern[place / 64] >> (place % 64) & 1 == 1;
                let sign = if turned { -1.0 } else { 1.0 };
                for (sum, score) in sums.iter_mut().zip(self.scores.row(query)) {
                    *sum += sign * score;
                }
            }
        }
        (sums, exact)
    }
}

impl PairTest for Permutation {
    fn decide(&self, batch: &Batch, verdicts: &mut Verdicts) {
        for lane in 0..batch.len() {
            for (pair, evidence) in self.evidence(batch, lane).into_iter().enumerate() {
                let verdict = Verdict::new(evidence.lead, evidence.p < self.alpha);
                verdicts.set(pair, lane, verdict);
            }
        }
    }

    fn evidence(&self, batch: &Batch, lane: usize) -> Vec<Evidence> {
        let mut observed = vec![0.0; self.systems];
        self.scores.sum(batch.sample(lane), &mut observed);
        let (sums, exact) = self.signed_sums(batch, lane);
        let patterns = sums.len() / self.systems;
        // Sums that differ by less than half a quantum are equal.
        let close = 0.5 * QUANTUM * self.scores.per_unit();
        let mut counts = vec![0u32; self.systems * (self.systems - 1) / 2];
        let bounds: Vec<f64> = pairs(self.systems)
            .map(|(a, b)| (observed[a] - observed[b]).abs() - close)
            .collect();
        for sums in sums.chunks_exact(self.systems) {
            let mut rest = (counts.as_mut_slice(), bounds.as_slice());
            for a in 0..self.systems - 1 {
                let (others, ours) = (&sums[a + 1..], sums[a]);
                let (counts, after) = rest.0.split_at_mut(others.len());
                let (bounds, bounds_after) = rest.1.split_at(others.len());
                for ((count, bound), other) in counts.iter_mut().zip(bounds).zip(others) {
                    *count += u32::from((ours - other).abs() >= *bound);
                }
                rest = (after, bounds_after);
            }
        }
        let p = |count: u32| match exact {
            true => f64::from(count) / patterns as f64,
            false => (1.0 + f64::from(count)) / (1.0 + patterns as f64),
        };
        let evidence = pairs(self.systems).zip(counts).map(|((a, b), count)| {
            let difference = observed[a] - observed[b];
            let lead = if difference.abs() < close {
                0.0
            } else {
                difference
            };
            Evidence { p: p(count), lead }
        });
        evidence.collect()
    }
}
