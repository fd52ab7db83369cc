//! Which of two systems has the higher mean score on a sample.

use partita_stats::differences::{max_abs, quantum_for_scale};

use super::pairs;
use super::sample_batch::{LANES, SampleBatch};
use crate::ScoreMatrix;

/// Scores as whole numbers, so small that the sum over all queries is exact in a double: then sums
/// do not depend on the order of queries.
pub(crate) struct FixedPointScores {
    systems: usize,
    /// A row a query.
    values: Vec<f64>,
    /// What differences are rounded to, in these whole numbers.
    quantum: f64,
}

impl FixedPointScores {
    pub(crate) fn new(scores: &ScoreMatrix) -> Self {
        let largest = max_abs(scores.rows().flatten());
        // A power of two, so that only the last rounding is one.
        let most = largest * scores.queries().len() as f64;
        // The exponent of a double, from its bits: the same on every machine.
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

    /// What differences are rounded to, in these whole numbers.
    pub(crate) fn quantum(&self) -> f64 {
        self.quantum
    }

    /// The scores on a query.
    pub(crate) fn row(&self, query: u32) -> &[f64] {
        let query = query as usize;
        &self.values[query * self.systems..(query + 1) * self.systems]
    }

    /// Adds up the scores of every system on a sample.
    pub(crate) fn sum(&self, queries: &[u32], sums: &mut [f64]) {
        sums.fill(0.0);
        for &query in queries {
            for (sum, score) in sums.iter_mut().zip(self.row(query)) {
                *sum += score;
            }
        }
    }

    /// Fills in of every pair on every sample 1 if the mean score of the first system is higher, -1 if
    /// that of the second is, and 0 if they differ by less than differences are rounded to.
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
