//! Share of unjudged documents.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a", "b"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["a", "x", "b", "y"]);
//! // Of the first three documents, x is unjudged: 1/3.
//! let unjudged = measure::parse("Unjudged@3", 1.0)?;
//! assert_eq!(unjudged.score(&truth, &ranking), Some(1.0 / 3.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{CutoffRule, Measure, MeasureDefinition, effective_depth, for_each_position};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure Unjudged: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "Unjudged",
    aliases: &[],
    summary: "The share of the documents returned that nobody judged.",
    description: "Among the first k documents, or in the whole result; divided by the number of \
        documents there. A document that is returned twice counts once. Undefined for an empty \
        result.",
    range: "0 to 1",
    higher_is_better: None,
    reference: "Sakai (2007), Alternatives to Bpref",
    cutoff: CutoffRule::Optional,
    parameters: &[],
    example: "Unjudged@10",
    build: |arguments| {
        let cutoff = arguments.cutoff();
        Ok(Box::new(UnjudgedShare { cutoff }))
    },
};

/// Measure Unjudged: share of unjudged documents up to the cut-off.
struct UnjudgedShare {
    cutoff: Option<usize>,
}

impl Measure for UnjudgedShare {
    fn score(&self, _: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let depth = effective_depth(self.cutoff, ranking);
        (depth > 0).then(|| count_unjudged(ranking, depth) / depth as f64)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        "|unjudged documents returned| / |documents returned|".to_owned()
    }
}

/// Counts the unjudged documents among the first `depth` documents of the ranking, each only once
/// if it is repeated. If documents are tied, returns the mean over all orders within the tied
/// groups.
pub(crate) fn count_unjudged(ranking: &Ranking, depth: usize) -> f64 {
    let mut unjudged = 0.0;
    let outside = |slot| f64::from(slot == Slot::UNJUDGED);
    for_each_position(ranking, depth, outside, |_, share| unjudged += share);
    unjudged
}
