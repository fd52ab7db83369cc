//! Normalised discounted cumulated gain.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! // Three groups stand for gains of 3, 2 and 1.
//! let truth = QueryTruth::from_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["a", "c"]);
//! // DCG is 3 + 1 / log2 3; that of the ideal result a, b is 3 + 2 / log2 3.
//! let ndcg = measure::parse("nDCG@2", 3.0)?;
//! let expected = (3.0 + 1.0 / 3f64.log2()) / (3.0 + 2.0 / 3f64.log2());
//! assert!((ndcg.score(&truth, &ranking).unwrap() - expected).abs() < 1e-15);
//! // With log2 2 in place of log2 3 they are 4 and 5.
//! let ndcg = measure::parse("nDCG(discount=log)@2", 3.0)?;
//! assert_eq!(ndcg.score(&truth, &ranking), Some(0.8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::dcg::{GainNormalisation, NDCG_PARAMETERS};
use super::{CutoffRule, Measure, MeasureDefinition, effective_depth};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure nDCG: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "nDCG",
    aliases: &["NormalisedDCG", "NormalizedDCG"],
    summary: "DCG divided by that of an ideal result.",
    description: "The ideal result holds all judged documents of the query, best first, cut at k. \
        Where nothing is relevant the score is 0. By default this is the form of trec_eval, \
        ir_measures, ranx and BEIR: the grade is the gain, divided by log2(i + 1). That of Järvelin \
        and Kekäläinen (2002) and Urbano et al. (2011), which leaves ranks below the base \
        undiscounted, is nDCG(discount=log).",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Järvelin & Kekäläinen (2002), Cumulated Gain-based Evaluation of IR Techniques; for \
        log2(i + 1) Burges et al. (2005), Learning to Rank using Gradient Descent; for discount=log \
        also Urbano, Martín, Marrero & Morato (2011), equation 3",
    cutoff: CutoffRule::Optional,
    parameters: NDCG_PARAMETERS,
    example: "nDCG@5",
    build: |arguments| {
        Ok(Box::new(NormalisedGain {
            cutoff: arguments.cutoff(),
            normalised: GainNormalisation::from_arguments(arguments)?,
        }))
    },
};

/// Measure nDCG: DCG divided by the DCG of the ideal result.
struct NormalisedGain {
    cutoff: Option<usize>,
    normalised: GainNormalisation,
}

impl Measure for NormalisedGain {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let mut dcg = 0.0;
        let depth = self.depth(truth, ranking);
        self.normalised
            .for_each_gain(truth, ranking, depth, |_, g| dcg += g);
        let last = self.normalised.ideal_length(truth, self.cutoff);
        let ideal: f64 = self.normalised.ideal_gains(truth, last).sum();
        Some(if ideal > 0.0 { dcg / ideal } else { 0.0 })
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        format!("DCG / ideal DCG, {}", self.normalised.formula())
    }
}
