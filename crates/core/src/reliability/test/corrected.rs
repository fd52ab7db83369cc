//! Any test with its p-values corrected for the number of pairs.

use partita_stats::adjust::{Adjustment, adjust};

use super::{Evidence, PairTest, Verdicts};
use crate::reliability::batch::Batch;

/// A test whose p-values are adjusted over all pairs of a sample. It needs every p-value, so it is
/// much slower than the test itself.
pub(super) struct Corrected {
    pub(super) test: Box<dyn PairTest>,
    pub(super) correction: Adjustment,
    pub(super) alpha: f64,
}

impl PairTest for Corrected {
    fn decide(&self, batch: &Batch, verdicts: &mut Verdicts) {
        verdicts.set_by_evidence(self, batch, self.alpha);
    }

    fn evidence(&self, batch: &Batch, lane: usize) -> Vec<Evidence> {
        let mut evidence = self.test.evidence(batch, lane);
        let p: Vec<f64> = evidence.iter().map(|evidence| evidence.p).collect();
        let adjusted = adjust(&p, self.correction).expect("p-values lie between 0 and 1");
        for (evidence, p) in evidence.iter_mut().zip(adjusted) {
            evidence.p = p;
        }
        evidence
    }
}
