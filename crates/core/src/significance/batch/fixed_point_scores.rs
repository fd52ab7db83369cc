//! Scores as integers, whose sums are exact, and the comparison of mean scores on samples of the
//! queries.

use partita_stats::differences::{max_abs, quantum_for_scale};

use super::pairs;
use super::sample_batch::{LANES, SampleBatch};
use crate::ScoreMatrix;

/// Scores scaled and rounded to integers that are small enough for the sum over all queries to be
/// exact in a double. Sums then do not depend on the order of queries.
pub(crate) struct FixedPointScores {
    systems: usize,
    /// Scores as whole numbers, one row per query and one column per system.
    values: Vec<f64>,
    /// Rounding unit of score differences, multiplied by the same factor as the scores.
    quantum: f64,
}

impl FixedPointScores {
    pub(crate) fn new(scores: &ScoreMatrix) -> Self {
        let largest = max_abs(scores.rows().flatten());
        // Scaling by a power of two is exact, so only the final rounding to integers loses
        // precision.
        let most = largest * scores.queries().len() as f64;
        // Exponent of the double, read from its bits, so that it is the same on every machine.
        let above = ((most.to_bits() >> 52) & 0x7ff) as i32 - 1022;
        let exponent = (52 - above).clamp(-1000, 1000);
        let per_unit = 2f64.powi(exponent);
        let values = scores
            .rows()
            .flatten()
            .map(|score| (score * per_unit).round());
        Self {
            systems: scores.systems().len(),
            values: values.collect(),
            quantum: quantum_for_scale(largest) * per_unit,
        }
    }

    /// Returns the rounding unit of score differences, multiplied by the same factor as the scores.
    pub(crate) fn quantum(&self) -> f64 {
        self.quantum
    }

    /// Returns the scores of all systems on a query.
    pub(crate) fn row(&self, query: u32) -> &[f64] {
        let query = query as usize;
        &self.values[query * self.systems..(query + 1) * self.systems]
    }

    /// Sums the scores of every system over the given queries into `sums`.
    pub(crate) fn sum(&self, queries: &[u32], sums: &mut [f64]) {
        sums.fill(0.0);
        for &query in queries {
            for (sum, score) in sums.iter_mut().zip(self.row(query)) {
                *sum += score;
            }
        }
    }

    /// Compares the mean scores of every pair of systems on every sample. Sets `leads` to 1 if the
    /// first system is higher, -1 if the second is, 0 if they differ by at most half the rounding
    /// unit.
    pub(crate) fn compare_means(&self, batch: &SampleBatch, leads: &mut [[i16; LANES]]) {
        let mut sums = vec![0.0; self.systems];
        let mut by_system = vec![[0.0; LANES]; self.systems];
        for (lane, queries) in batch.samples().enumerate() {
            self.sum(queries, &mut sums);
            for (sums, &sum) in by_system.iter_mut().zip(&sums) {
                sums[lane] = sum;
            }
        }
        let close = 0.5 * self.quantum * batch.size() as f64;
        for ((a, b), leads) in pairs(self.systems).zip(leads) {
            let (a, b) = (&by_system[a], &by_system[b]);
            for lane in 0..LANES {
                let difference = a[lane] - b[lane];
                leads[lane] = i16::from(difference > close) - i16::from(difference < -close);
            }
        }
    }
}
