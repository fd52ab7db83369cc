//! Average precision.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a", "b", "c", "d"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["a", "x", "y", "b"]);
//! // Precision is 1/1 at a and 2/4 at b; c and d count 0: (1 + 1/2 + 0 + 0) / 4.
//! let average_precision = measure::parse("AP", 1.0)?;
//! assert_eq!(average_precision.score(&truth, &ranking), Some(0.375));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::relevance_condition;
use super::{
    CutoffRule, Measure, MeasureDefinition, REL, count_relevant_in_group, effective_depth,
};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure AP: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "AP",
    aliases: &["MAP", "AveragePrecision"],
    summary: "Average precision: precision at each relevant document, averaged over all of them.",
    description: "Relevant documents that were not returned, or only after k, count 0; the sum is \
        always divided by the number of relevant documents. Where nothing is relevant the score \
        is 0. For tied documents the mean over their orders follows McSherry and Najork (2008).",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Buckley & Voorhees (2000), Evaluating Evaluation Measure Stability; for ties \
        McSherry & Najork (2008), Computing Information Retrieval Performance Measures \
        Efficiently in the Presence of Tied Scores",
    cutoff: CutoffRule::Optional,
    parameters: &[REL],
    example: "AP(rel=2)@100",
    build: |arguments| {
        Ok(Box::new(AveragePrecision {
            cutoff: arguments.cutoff(),
            rel: arguments.relevance_threshold()?,
        }))
    },
};

/// Measure AP; `rel` is the lowest gain that counts as relevant.
struct AveragePrecision {
    cutoff: Option<usize>,
    rel: f64,
}

impl Measure for AveragePrecision {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let all = truth.relevant_count(self.rel);
        if all == 0 {
            return Some(0.0);
        }
        let depth = self.depth(truth, ranking);
        let mut sum = 0.0;
        let (mut position, mut found) = (0usize, 0usize);
        for group in ranking.groups() {
            if position >= depth {
                break;
            }
            let relevant = count_relevant_in_group(truth, group, self.rel);
            if relevant > 0 {
                // If r of the m tied documents are relevant, position j of the group holds a
                // relevant document with probability r/m. The expected number of other relevant
                // documents of the group before it is then (j-1)(r-1)/(m-1).
                let chance = relevant as f64 / group.len() as f64;
                let others = if group.len() > 1 {
                    (relevant - 1) as f64 / (group.len() - 1) as f64
                } else {
                    0.0
                };
                for j in 0..group.len().min(depth - position) {
                    let seen = found as f64 + 1.0 + j as f64 * others;
                    sum += chance * seen / (position + j + 1) as f64;
                }
            }
            found += relevant;
            position += group.len();
        }
        Some(sum / all as f64)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        let relevant = relevance_condition(self.rel);
        format!("(1/R) sum of P@i over ranks i with {relevant}, R = |documents with {relevant}|")
    }
}
