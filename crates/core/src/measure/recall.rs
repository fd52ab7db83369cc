//! Recall.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a", "b"], ["c", "d"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["x", "a", "y", "c", "b"]);
//! // Of the four relevant documents, a and c are among the first four: 2/4.
//! let recall = measure::parse("Recall@4", 2.0)?;
//! assert_eq!(recall.score(&truth, &ranking), Some(0.5));
//! // In the whole result, b as well: 3/4.
//! let recall = measure::parse("Recall", 2.0)?;
//! assert_eq!(recall.score(&truth, &ranking), Some(0.75));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::relevance_condition;
use super::{CutoffRule, Measure, MeasureDefinition, REL};
use super::{count_relevant, effective_depth};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure Recall: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "Recall",
    aliases: &["R"],
    summary: "Recall: the share of the relevant documents that were returned.",
    description: "Among the first k documents, or in the whole result. Where nothing is relevant \
        the score is 0.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "van Rijsbergen (1979), Information Retrieval, chapter 7",
    cutoff: CutoffRule::Optional,
    parameters: &[REL],
    example: "Recall@100",
    build: |arguments| {
        Ok(Box::new(Recall {
            cutoff: arguments.cutoff(),
            rel: arguments.relevance_threshold()?,
        }))
    },
};

/// Measure Recall: share of the relevant documents that were returned; `rel` is the lowest relevant
/// gain.
struct Recall {
    cutoff: Option<usize>,
    rel: f64,
}

impl Measure for Recall {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let all = truth.relevant_count(self.rel);
        if all == 0 {
            return Some(0.0);
        }
        let depth = self.depth(truth, ranking);
        let found = count_relevant(truth, ranking, depth, self.rel);
        Some(found / all as f64)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        let relevant = relevance_condition(self.rel);
        format!("|returned documents with {relevant}| / |documents with {relevant}|")
    }
}
