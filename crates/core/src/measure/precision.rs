//! Precision.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["x", "a", "y", "c", "z"]);
//! // Two of the first four are relevant, a and c: 2/4.
//! let precision = measure::parse("P@4", 3.0)?;
//! assert_eq!(precision.score(&truth, &ranking), Some(0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::relevance_condition;
use super::{CutoffRule, Measure, MeasureDefinition, REL, count_relevant};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure P: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "P",
    aliases: &["Precision", "Prec"],
    summary: "Precision: the share of the first k documents that are relevant.",
    description: "Divided by k even where fewer documents were returned.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "van Rijsbergen (1979), Information Retrieval, chapter 7",
    cutoff: CutoffRule::Required,
    parameters: &[REL],
    example: "P@10",
    build: |arguments| {
        Ok(Box::new(Precision {
            k: arguments.required_cutoff()?,
            rel: arguments.relevance_threshold()?,
        }))
    },
};

/// Measure P: share of relevant documents among the first `k`; `rel` is the lowest relevant gain.
struct Precision {
    k: usize,
    rel: f64,
}

impl Measure for Precision {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let found = count_relevant(truth, ranking, self.k, self.rel);
        Some(found / self.k as f64)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        self.k.min(ranking.len())
    }

    fn formula(&self) -> String {
        let relevant = relevance_condition(self.rel);
        format!("|first k documents with {relevant}| / k")
    }
}
