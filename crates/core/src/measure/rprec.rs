//! R-precision.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["a", "x", "c", "b"]);
//! // Three documents are relevant; two of them are among the first three: 2/3.
//! let r_precision = measure::parse("Rprec", 3.0)?;
//! assert_eq!(r_precision.score(&truth, &ranking), Some(2.0 / 3.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::relevance_condition;
use super::{CutoffRule, Measure, MeasureDefinition, REL, count_relevant};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure Rprec: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "Rprec",
    aliases: &["RPrecision", "r_precision"],
    summary: "R-precision: precision at the number of relevant documents.",
    description: "There precision and recall are the same. Where nothing is relevant the score is 0.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC: Experiment and \
        Evaluation in Information Retrieval, chapter 3",
    cutoff: CutoffRule::None,
    parameters: &[REL],
    example: "Rprec",
    build: |arguments| {
        Ok(Box::new(RPrecision {
            rel: arguments.relevance_threshold()?,
        }))
    },
};

/// Measure Rprec: precision at the number of relevant documents.
struct RPrecision {
    rel: f64,
}

impl Measure for RPrecision {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let all = truth.relevant_count(self.rel);
        let found = count_relevant(truth, ranking, all, self.rel);
        Some(found / all.max(1) as f64)
    }

    fn depth(&self, truth: &QueryTruth, ranking: &Ranking) -> usize {
        truth.relevant_count(self.rel).min(ranking.len())
    }

    fn formula(&self) -> String {
        let relevant = relevance_condition(self.rel);
        format!("|first R documents with {relevant}| / R, R = |documents with {relevant}|")
    }
}
