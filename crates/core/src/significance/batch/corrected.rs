//! Significance test of all pairs of systems with p-values adjusted for multiple comparisons.

use partita_stats::adjustment::{Adjustment, adjust};

use super::sample_batch::SampleBatch;
use super::{BatchVerdicts, PairTest, SystemPairPValue};

/// Significance test whose p-values are adjusted for the number of pairs of systems. It needs the
/// p-value of every pair on every sample, so it is much slower than the test without adjustment.
pub(in crate::significance) struct CorrectedTest {
    pub(in crate::significance) test: Box<dyn PairTest>,
    pub(in crate::significance) correction: Adjustment,
    pub(in crate::significance) alpha: f64,
}

impl PairTest for CorrectedTest {
    fn decide(&self, batch: &SampleBatch, verdicts: &mut BatchVerdicts) {
        verdicts.set_by_p_values(self, batch, self.alpha);
    }

    fn p_values(&self, batch: &SampleBatch, lane: usize) -> Vec<SystemPairPValue> {
        let mut evidence = self.test.p_values(batch, lane);
        let p: Vec<f64> = evidence.iter().map(|evidence| evidence.p).collect();
        let adjusted = adjust(&p, self.correction).expect("p-values lie between 0 and 1");
        for (evidence, p) in evidence.iter_mut().zip(adjusted) {
            evidence.p = p;
        }
        evidence
    }
}
