//! Success at k: whether any of the first k documents is relevant.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a"], ["b"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["x", "b", "a"]);
//! assert_eq!(measure::parse("Success@1", 2.0)?.score(&truth, &ranking), Some(0.0));
//! assert_eq!(measure::parse("Success@2", 2.0)?.score(&truth, &ranking), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::relevance_condition;
use super::{CutoffRule, Measure, MeasureDefinition, REL, count_relevant_in_group};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure Success: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "Success",
    aliases: &["Hit", "HitRate", "hit_rate"],
    summary: "Success: whether any of the first k documents is relevant.",
    description: "1 or 0 for a query; its mean is the share of queries with a relevant document among \
        the first k.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Soboroff (2004), On Evaluating Web Search With Very Few Relevant Documents",
    cutoff: CutoffRule::Required,
    parameters: &[REL],
    example: "Success@5",
    build: |arguments| {
        Ok(Box::new(Success {
            k: arguments.required_cutoff()?,
            rel: arguments.relevance_threshold()?,
        }))
    },
};

/// Measure Success: 1 if a document with a gain of at least `rel` is among the first `k`, else 0.
struct Success {
    k: usize,
    rel: f64,
}

impl Measure for Success {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let mut left = self.k;
        for group in ranking.groups() {
            let relevant = count_relevant_in_group(truth, group, self.rel);
            if relevant > 0 {
                // In a random order of the group, the probability that its first `left` documents
                // contain no relevant one is a product with one factor per document.
                let others = group.len() - relevant;
                let none = |drawn: usize| {
                    others.saturating_sub(drawn) as f64 / (group.len() - drawn) as f64
                };
                let failure: f64 = (0..left.min(group.len())).map(none).product();
                return Some(1.0 - failure);
            }
            left = left.saturating_sub(group.len());
            if left == 0 {
                break;
            }
        }
        Some(0.0)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        self.k.min(ranking.len())
    }

    fn formula(&self) -> String {
        let relevant = relevance_condition(self.rel);
        format!("1 if any of the first k documents has {relevant}, else 0")
    }
}
