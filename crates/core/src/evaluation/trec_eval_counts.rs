//! Counts that trec_eval reports besides its measures.

use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Recall levels at which trec_eval interpolates precision.
pub const RECALL_LEVELS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Document counts and interpolated precision that trec_eval reports for the ranking of one query.
/// Tied documents are read in the order in which the ranking holds them.
#[derive(Clone, Debug, PartialEq)]
pub struct TrecEvalCounts {
    /// Number of documents in the scored ranking of the query, including repeated ones; without
    /// unjudged ones if the request removes them.
    pub returned: usize,
    /// Number of relevant documents in the ground truth of the query.
    pub relevant: usize,
    /// Number of relevant documents that the run returned for the query.
    pub relevant_returned: usize,
    /// Interpolated precision at [`RECALL_LEVELS`]: the highest precision at any rank with this
    /// recall or more.
    pub interpolated_precision: [f64; 11],
}

impl TrecEvalCounts {
    /// Counts the documents of the ranking of one query and computes its interpolated precision.
    pub(super) fn from_ranking(judged: &QueryTruth, ranking: &Ranking) -> Self {
        let slots = ranking.slots();
        let gain = |slot: Slot| slot.item().map_or(0.0, |item| judged.gain(item));
        let ranks = (1..).zip(slots).filter(|(_, slot)| gain(**slot) > 0.0);
        let ranks: Vec<usize> = ranks.map(|(rank, _)| rank).collect();
        // Precision peaks at relevant documents: at the j-th one, at rank i, it is j / i.
        let mut highest: Vec<f64> = (1..)
            .zip(&ranks)
            .map(|(found, &rank)| f64::from(found) / rank as f64)
            .collect();
        for place in (1..highest.len()).rev() {
            highest[place - 1] = highest[place - 1].max(highest[place]);
        }
        let relevant = judged.ideal_gains().len();
        Self {
            returned: slots.len(),
            relevant,
            relevant_returned: ranks.len(),
            interpolated_precision: RECALL_LEVELS.map(|level| {
                // trec_eval rounds the number of documents that a recall level requires in this
                // way.
                let needed = (level * relevant as f64 + 0.9) as usize;
                let reached = highest.get(needed.saturating_sub(1));
                reached.copied().unwrap_or(0.0)
            }),
        }
    }
}
