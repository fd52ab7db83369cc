//! Share of judged documents.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a", "b"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["a", "x", "b", "y", "a"]);
//! // Of the first four documents, a and b are judged: 2/4.
//! let judged = measure::parse("Judged@4", 1.0)?;
//! assert_eq!(judged.score(&truth, &ranking), Some(0.5));
//! // The second copy of a counts as judged too: 3/5 in the whole result.
//! let judged = measure::parse("Judged", 1.0)?;
//! assert_eq!(judged.score(&truth, &ranking), Some(0.6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{CutoffRule, Measure, MeasureDefinition, effective_depth, for_each_position};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure Judged: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "Judged",
    aliases: &["JudgmentRate"],
    summary: "The share of the documents returned that somebody judged.",
    description: "Among the first k documents, or in the whole result; divided by the number of \
        documents there. A second copy of a document is as judged as the first. Undefined for an \
        empty result.",
    range: "0 to 1",
    higher_is_better: None,
    reference: "Sakai (2007), Alternatives to Bpref",
    cutoff: CutoffRule::Optional,
    parameters: &[],
    example: "Judged@10",
    build: |arguments| {
        let cutoff = arguments.cutoff();
        Ok(Box::new(JudgedShare { cutoff }))
    },
};

/// Measure Judged: share of judged documents up to the cut-off.
struct JudgedShare {
    cutoff: Option<usize>,
}

impl Measure for JudgedShare {
    fn score(&self, _: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let depth = effective_depth(self.cutoff, ranking);
        let mut unjudged = 0.0;
        let outside = |slot| f64::from([Slot::UNJUDGED, Slot::UNJUDGED_REPEAT].contains(&slot));
        for_each_position(ranking, depth, outside, |_, share| unjudged += share);
        (depth > 0).then(|| 1.0 - unjudged / depth as f64)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        "|judged documents returned| / |documents returned|".to_owned()
    }
}
