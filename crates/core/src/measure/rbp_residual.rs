//! Residual of rank-biased precision: the weight of unjudged and unseen documents.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a", "b"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["a", "x", "b"]);
//! // x at rank 2 is unjudged, 1/2 * 1/2, and all ranks after the third weigh (1/2)^3.
//! let residual = measure::parse("RBPresidual(p=0.5)", 1.0)?;
//! assert_eq!(residual.score(&truth, &ranking), Some(0.375));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::rbp::{DEFAULT_PERSISTENCE, PERSISTENCE, persistence, rank_biased_sum};
use super::{CutoffRule, Measure, MeasureDefinition, effective_depth};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure RBPresidual: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "RBPresidual",
    aliases: &["RBPres"],
    summary: "What RBP could still gain if everything unjudged and unseen were relevant.",
    description: "The weight of the unjudged documents and of all ranks after the last one, or \
        after k. RBP with complete judgments lies between RBP and RBP + RBPresidual.",
    range: "0 to 1",
    higher_is_better: Some(false),
    reference: "Moffat & Zobel (2008), Rank-biased Precision for Measurement of Retrieval \
        Effectiveness, section 4",
    cutoff: CutoffRule::Optional,
    parameters: &[PERSISTENCE],
    example: "RBPresidual(p=0.8)",
    build: |arguments| {
        Ok(Box::new(RbpResidual {
            cutoff: arguments.cutoff(),
            p: persistence(arguments)?.unwrap_or(DEFAULT_PERSISTENCE),
        }))
    },
};

/// Measure RBPresidual: weight of unjudged and unseen documents in RBP with persistence `p`.
struct RbpResidual {
    cutoff: Option<usize>,
    p: f64,
}

impl Measure for RbpResidual {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let depth = self.depth(truth, ranking);
        let unjudged = |slot| f64::from(slot == Slot::UNJUDGED);
        let unseen = self.p.powf(depth as f64);
        Some(rank_biased_sum(ranking, depth, self.p, unjudged) + unseen)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        let p = self.p;
        format!("(1 - p) sum of p^(i-1) over unjudged ranks i, plus p^(last rank), p = {p}")
    }
}
