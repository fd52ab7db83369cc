//! Midranks of the pooled sample as small integers.

use super::pooled_sample::PooledSample;
use crate::ranks::gcd;

/// Integer scores of the pooled sample: midranks, doubled, shifted to start at 0 and divided by
/// their greatest common divisor. Also holds the score sum of the smaller sample.
#[derive(Clone, Debug)]
pub(crate) struct MidrankScores {
    /// Scores of all pooled values, ascending.
    pub(crate) values: Vec<u64>,
    /// Size of the smaller sample.
    pub(crate) sample_size: usize,
    /// Sum of the scores of the smaller sample.
    pub(crate) observed: u64,
    /// True if the smaller sample is y. A large score sum is then a small U of x.
    pub(crate) swapped: bool,
}

impl MidrankScores {
    pub(crate) fn new(pooled: &PooledSample) -> Self {
        let swapped = pooled.n() < pooled.m();
        let mut values = Vec::with_capacity(pooled.size());
        let (mut below, mut observed, mut divisor) = (0u64, 0u64, 0u64);
        let first = pooled.ties().first().map_or(0, |tie| tie.size());
        for tie in pooled.ties() {
            let size = tie.size();
            // Twice the midrank is 2·below + size + 1; that of the smallest value is first + 1.
            let score = 2 * below + u64::from(size) - u64::from(first);
            divisor = gcd(score, divisor);
            let count = if swapped { tie.in_y } else { tie.in_x };
            observed += u64::from(count) * score;
            values.extend(core::iter::repeat_n(score, size as usize));
            below += u64::from(size);
        }
        let divisor = divisor.max(1);
        for value in &mut values {
            *value /= divisor;
        }
        Self {
            values,
            sample_size: pooled.m().min(pooled.n()),
            observed: observed / divisor,
            swapped,
        }
    }

    /// Returns the lower and the upper half of the scores, in ascending order.
    pub(crate) fn halves(&self) -> (&[u64], &[u64]) {
        self.values.split_at(self.values.len() / 2)
    }

    /// Returns the scores in reverse (largest score minus each), so that the upper tail becomes the
    /// lower one.
    pub(crate) fn mirrored(&self) -> Self {
        let top = *(self.values.last()).expect("both samples have at least one value");
        Self {
            values: self.values.iter().rev().map(|v| top - v).collect(),
            sample_size: self.sample_size,
            observed: top * self.sample_size as u64 - self.observed,
            swapped: !self.swapped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untied_scores_are_the_ranks_from_zero() {
        let pooled = PooledSample::new(&[3.0, 1.0], &[2.0, 9.0, 4.0]).unwrap();
        let scores = MidrankScores::new(&pooled);
        assert_eq!(scores.values, [0, 1, 2, 3, 4]);
        assert_eq!((scores.sample_size, scores.observed), (2, 2));
        assert!(!scores.swapped);
    }

    #[test]
    fn two_distinct_values_are_scored_zero_and_one() {
        let pooled = PooledSample::new(&[0.0, 0.0, 1.0, 1.0], &[1.0, 0.0, 0.0]).unwrap();
        let scores = MidrankScores::new(&pooled);
        assert_eq!(scores.values, [0, 0, 0, 0, 1, 1, 1]);
        assert_eq!((scores.sample_size, scores.observed), (3, 1));
        assert!(scores.swapped);
    }
}
