//! Cumulated gain.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! // Three groups stand for gains of 3, 2 and 1.
//! let truth = QueryTruth::from_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["b", "x", "a", "c"]);
//! // 2 + 0 + 3 to rank 3.
//! let cumulated_gain = measure::parse("CG@3", 3.0)?;
//! assert_eq!(cumulated_gain.score(&truth, &ranking), Some(5.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{CutoffRule, Measure, MeasureDefinition, effective_depth, for_each_position, gain};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure CG: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "CG",
    aliases: &["CumulatedGain"],
    summary: "Cumulated gain: the sum of the gains of the documents returned.",
    description: "The gains of the first k documents added up, or of all. Unjudged documents and \
        second copies add nothing.",
    range: "0 upwards",
    higher_is_better: Some(true),
    reference: "Järvelin & Kekäläinen (2002), Cumulated Gain-based Evaluation of IR Techniques",
    cutoff: CutoffRule::Optional,
    parameters: &[],
    example: "CG@5",
    build: |arguments| {
        let cutoff = arguments.cutoff();
        Ok(Box::new(CumulatedGain { cutoff }))
    },
};

/// Measure CG: sum of gains up to the cut-off.
struct CumulatedGain {
    cutoff: Option<usize>,
}

impl Measure for CumulatedGain {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let depth = self.depth(truth, ranking);
        let mut sum = 0.0;
        for_each_position(ranking, depth, |slot| gain(truth, slot), |_, g| sum += g);
        Some(sum)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        "sum_(i=1..k) g_i".to_owned()
    }
}
