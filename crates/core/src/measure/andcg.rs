//! Average normalised discounted cumulated gain.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! // Three groups stand for gains of 3, 2 and 1.
//! let truth = QueryTruth::from_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["c", "a"]);
//! // nDCG@1 = 1/3 and nDCG@2 = (1 + 3) / (3 + 2): their mean is 17/30.
//! let andcg = measure::parse("ANDCG@2", 3.0)?;
//! let score = andcg.score(&truth, &ranking).unwrap();
//! assert!((score - 17.0 / 30.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::dcg::{ANDCG_PARAMETERS, GainNormalisation};
use super::{CutoffRule, Measure, MeasureDefinition};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure ANDCG: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "ANDCG",
    aliases: &["AverageNDCG"],
    summary: "The mean of nDCG(discount=log) at 1, 2, ..., k.",
    description: "Tells more about the order of the documents than nDCG@k alone, which highly \
        relevant documents near the end of the list can still make large. A position whose ideal \
        gain is 0 counts 0. The discount is that of its source: log_b i from rank b on, which is not \
        that of plain nDCG.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Urbano, Martín, Marrero & Morato (2011), Audio Music Similarity and Retrieval: \
        Evaluation Power and Stability, equation 4",
    cutoff: CutoffRule::Required,
    parameters: ANDCG_PARAMETERS,
    example: "ANDCG@5",
    build: |arguments| {
        Ok(Box::new(AverageNormalisedGain {
            k: arguments.required_cutoff()?,
            normalised: GainNormalisation::from_arguments(arguments)?,
        }))
    },
};

/// Measure ANDCG: nDCG averaged over the cut-offs 1 to `k`.
struct AverageNormalisedGain {
    k: usize,
    normalised: GainNormalisation,
}

impl Measure for AverageNormalisedGain {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let mut gains = vec![0.0; self.k.min(ranking.len())];
        self.normalised
            .for_each_gain(truth, ranking, self.k, |i, g| gains[i - 1] = g);
        let (mut dcg, mut ideal, mut sum) = (0.0, 0.0, 0.0);
        // Positions past the end of the result have gain 0.
        let gains = gains.into_iter().chain(std::iter::repeat(0.0));
        for (ideal_gain, gain) in self.normalised.ideal_gains(truth, self.k).zip(gains) {
            dcg += gain;
            ideal += ideal_gain;
            if ideal > 0.0 {
                sum += dcg / ideal;
            }
        }
        Some(sum / self.k as f64)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        self.k.min(ranking.len())
    }

    fn formula(&self) -> String {
        let dcg = self.normalised.formula();
        format!("(1/k) sum_(i=1..k) nDCG@i, {dcg}")
    }
}
