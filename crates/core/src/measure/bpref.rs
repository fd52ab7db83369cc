//! Binary preference (bpref).
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, ZeroGainPolicy, measure};
//!
//! let grades = [("a", 1.0), ("b", 1.0), ("m", 0.0), ("n", 0.0)];
//! let truth = QueryTruth::from_grades(grades, ZeroGainPolicy::LeaveOut)?;
//! let ranking = Ranking::from_names(truth.names(), ["a", "x", "m", "b", "n"]);
//! // R = 2 and N = 2. Before a comes no judged non-relevant document, before b one of two:
//! // ((1 - 0/2) + (1 - 1/2)) / 2. x is unjudged, so it does not matter.
//! let bpref = measure::parse("bpref", 1.0)?;
//! assert_eq!(bpref.score(&truth, &ranking), Some(0.75));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::relevance_condition;
use super::{CutoffRule, Measure, MeasureDefinition, REL, count_relevant_in_group};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure bpref: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "bpref",
    aliases: &["BinaryPreference"],
    summary: "Binary preference: how often judged non-relevant documents come before relevant ones.",
    description: "Uses judged documents only, so that incomplete judgments do less harm. A \
        relevant document loses for each of the first R judged non-relevant ones before it; the \
        loss is relative to the smaller of R and N, the numbers of relevant and of judged \
        non-relevant documents, as in trec_eval. Every grade of 0 or less counts as judged and \
        non-relevant; with the procedure of trec_eval only a grade of 0 does. A ground truth of groups names no non-relevant documents, so that bpref is \
        recall there. Where nothing is relevant the score is 0.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Buckley & Voorhees (2004), Retrieval Evaluation with Incomplete Information, in \
        the form of trec_eval 8 and later",
    cutoff: CutoffRule::None,
    parameters: &[REL],
    example: "bpref",
    build: |arguments| {
        let rel = arguments.relevance_threshold()?;
        Ok(Box::new(BinaryPreference { rel }))
    },
};

/// Measure bpref; `rel` is the lowest gain that counts as relevant.
struct BinaryPreference {
    rel: f64,
}

impl Measure for BinaryPreference {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let relevant = truth.relevant_count(self.rel);
        if relevant == 0 {
            return Some(0.0);
        }
        let nonrelevant = truth.gains().len() - relevant;
        let worth = |before: usize| {
            if before == 0 {
                1.0
            } else {
                1.0 - before.min(relevant) as f64 / relevant.min(nonrelevant) as f64
            }
        };
        let (mut sum, mut before) = (0.0, 0);
        for group in ranking.groups() {
            let judged = group.iter().filter(|slot| slot.item().is_some()).count();
            let good = count_relevant_in_group(truth, group, self.rel);
            let bad = judged - good;
            if good > 0 {
                // Over all orders of the group, the number of its judged non-relevant documents
                // before a given relevant one is uniformly distributed on 0, ..., `bad`.
                let orders = bad + 1;
                let mean = (0..orders).map(|u| worth(before + u)).sum::<f64>() / orders as f64;
                sum += good as f64 * mean;
            }
            before += bad;
        }
        Some(sum / relevant as f64)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        ranking.len()
    }

    fn formula(&self) -> String {
        let relevant = relevance_condition(self.rel);
        format!(
            "(1/R) sum over returned documents with {relevant} of 1 - min(R, judged others before) / min(R, N)"
        )
    }
}
