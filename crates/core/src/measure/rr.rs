//! Reciprocal rank.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a", "b"]])?;
//! let reciprocal_rank = measure::parse("RR", 1.0)?;
//! // The first relevant document is a at rank 4: 1/4.
//! let ranking = Ranking::from_names(truth.names(), ["x", "y", "z", "a", "b"]);
//! assert_eq!(reciprocal_rank.score(&truth, &ranking), Some(0.25));
//! // Tied with x, a comes first in one of two orders: (1/1 + 1/2) / 2.
//! let tied = Ranking::from_name_groups(truth.names(), [["x", "a"]]);
//! assert_eq!(reciprocal_rank.score(&truth, &tied), Some(0.75));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::relevance_condition;
use super::{
    CutoffRule, Measure, MeasureDefinition, REL, count_relevant_in_group, effective_depth,
};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure RR: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "RR",
    aliases: &["MRR", "ReciprocalRank"],
    summary: "Reciprocal rank of the first relevant document.",
    description: "0 where no relevant document was returned, or none among the first k.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Voorhees (1999), The TREC-8 Question Answering Track Report",
    cutoff: CutoffRule::Optional,
    parameters: &[REL],
    example: "RR@10",
    build: |arguments| {
        Ok(Box::new(ReciprocalRank {
            cutoff: arguments.cutoff(),
            rel: arguments.relevance_threshold()?,
        }))
    },
};

/// Measure RR: reciprocal rank of the first document whose gain is at least `rel`.
struct ReciprocalRank {
    cutoff: Option<usize>,
    rel: f64,
}

impl Measure for ReciprocalRank {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let depth = self.depth(truth, ranking);
        let mut position = 0;
        for group in ranking.groups() {
            if position >= depth {
                break;
            }
            let relevant = count_relevant_in_group(truth, group, self.rel);
            if relevant > 0 {
                return Some(mean_reciprocal_rank(position, group.len(), relevant, depth));
            }
            position += group.len();
        }
        Some(0.0)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        let relevant = relevance_condition(self.rel);
        format!("1 / rank of the first document with {relevant}")
    }
}

/// Returns the reciprocal rank of the first relevant document of a tied group, averaged over all
/// orders of the group. The group has `size` documents, of which `relevant` are relevant, and
/// follows `before` other documents. A rank beyond `depth` counts as 0.
fn mean_reciprocal_rank(before: usize, size: usize, relevant: usize, depth: usize) -> f64 {
    let mut mean = 0.0;
    let mut none_yet = 1.0;
    for j in 0..size.min(depth - before) {
        let chance = (relevant as f64 / (size - j) as f64).min(1.0);
        mean += none_yet * chance / (before + j + 1) as f64;
        none_yet *= 1.0 - chance;
    }
    mean
}
