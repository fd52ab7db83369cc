//! Rank-biased precision.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups(&[["a", "b"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["a", "x", "y", "b"]);
//! // Relevant at ranks 1 and 4: 1/2 * (1 + (1/2)^3) = 9/16.
//! let rbp = measure::parse("RBP(p=0.5)", 1.0)?;
//! assert_eq!(rbp.score(&truth, &ranking), Some(0.5625));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::relevance_condition;
use super::{
    CutoffRule, Measure, MeasureArguments, MeasureDefinition, MeasureError, MeasureParameter, REL,
};
use super::{effective_depth, for_each_position, is_relevant};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure RBP: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "RBP",
    aliases: &["RankBiasedPrecision"],
    summary: "Rank-biased precision: what a reader sees who goes on to the next document with probability p.",
    description: "A lower bound: what unjudged documents and the ranks after the last one could \
        add at most is RBPresidual.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Moffat & Zobel (2008), Rank-biased Precision for Measurement of Retrieval \
        Effectiveness",
    cutoff: CutoffRule::Optional,
    parameters: &[PERSISTENCE, REL],
    example: "RBP(p=0.8)",
    build: |arguments| {
        Ok(Box::new(RankBiasedPrecision {
            cutoff: arguments.cutoff(),
            p: persistence(arguments)?.unwrap_or(DEFAULT_PERSISTENCE),
            rel: arguments.relevance_threshold()?,
        }))
    },
};

/// Parameter `p` of RBP and RBPresidual: the probability that the user reads the next document.
pub(super) const PERSISTENCE: MeasureParameter = MeasureParameter {
    name: "p",
    values: "a number between 0 and 1",
    default: "0.8",
    description: "the probability that the reader goes on to the next document",
};

/// Returns the parameter `p` of RBP and of other rank-biased measures, if it is given.
pub(super) fn persistence(arguments: &MeasureArguments) -> Result<Option<f64>, MeasureError> {
    arguments.number("p", |p| p > 0.0 && p < 1.0)
}

/// Default of the parameter `p` (persistence) of RBP and RBPresidual.
pub(super) const DEFAULT_PERSISTENCE: f64 = 0.8;

/// Returns the sum over the first `depth` positions of (1 - p) p^(i-1) times the value at position
/// i.
pub(super) fn rank_biased_sum(
    ranking: &Ranking,
    depth: usize,
    p: f64,
    value: impl Fn(Slot) -> f64,
) -> f64 {
    let (mut sum, mut weight) = (0.0, 1.0 - p);
    for_each_position(ranking, depth, value, |_, value| {
        sum += weight * value;
        weight *= p;
    });
    sum
}

/// Measure RBP with persistence `p`; `rel` is the lowest gain that counts as relevant.
struct RankBiasedPrecision {
    cutoff: Option<usize>,
    p: f64,
    rel: f64,
}

impl Measure for RankBiasedPrecision {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let depth = self.depth(truth, ranking);
        let relevant = |slot| f64::from(is_relevant(truth, slot, self.rel));
        Some(rank_biased_sum(ranking, depth, self.p, relevant))
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        let (relevant, p) = (relevance_condition(self.rel), self.p);
        format!("(1 - p) sum of p^(i-1) over ranks i with {relevant}, p = {p}")
    }
}
