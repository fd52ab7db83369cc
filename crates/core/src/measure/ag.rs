//! Average gain (AG) of the first k documents.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, ZeroGainPolicy, measure};
//!
//! // Two judgments of the FINE scale, which goes from 0 to 100.
//! let truth = QueryTruth::from_grades([("a", 80.0), ("b", 45.0)], ZeroGainPolicy::LeaveOut)?;
//! let ranking = Ranking::from_names(truth.names(), ["b", "x", "a"]);
//! // (45 + 0 + 80) / 5, although only three documents were returned.
//! let average_gain = measure::parse("AG@5", 100.0)?;
//! assert_eq!(average_gain.score(&truth, &ranking), Some(25.0));
//! // As a share of the highest grade: 25 / 100.
//! let scaled = measure::parse("AG(scale=max)@5", 100.0)?;
//! assert_eq!(scaled.score(&truth, &ranking), Some(0.25));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{CutoffRule, MAX, Measure, MeasureDefinition, MeasureParameter};
use super::{for_each_position, gain};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure AG: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "AG",
    aliases: &["AverageGain"],
    summary: "Average gain: the mean gain of the first k documents.",
    description: "The gains of the first k documents divided by k, even where fewer were \
        returned. The official measure of MIREX Audio Music Similarity, where it is called PSum \
        or FINE after the scale of the judgments.",
    range: "0 to the highest grade; 0 to 1 with scale=max",
    higher_is_better: Some(true),
    reference: "Urbano, Martín, Marrero & Morato (2011), Audio Music Similarity and Retrieval: \
        Evaluation Power and Stability, equation 1",
    cutoff: CutoffRule::Required,
    parameters: &[
        MeasureParameter {
            name: "scale",
            values: "none|max",
            default: "none",
            description: "leave the gains as they are, or divide them by the highest grade",
        },
        MAX,
    ],
    example: "AG@5",
    build: |arguments| {
        let scaled = arguments.choice("scale")? == "max";
        let max = arguments.max_grade()?;
        Ok(Box::new(AverageGain {
            k: arguments.required_cutoff()?,
            // If nothing is relevant, there is no highest grade and no gain to divide.
            max: (scaled && max > 0.0).then_some(max),
        }))
    },
};

/// Measure AG: mean gain of the first `k` documents.
struct AverageGain {
    k: usize,
    /// Highest grade of the scale, by which the mean gain is divided; `None` for unscaled gains.
    max: Option<f64>,
}

impl Measure for AverageGain {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let mut sum = 0.0;
        // Gains above the highest grade of the scale count as the highest grade.
        let most = self.max.unwrap_or(f64::INFINITY);
        let gain = |slot| gain(truth, slot).min(most);
        for_each_position(ranking, self.k, gain, |_, g| sum += g);
        Some(sum / (self.k as f64 * self.max.unwrap_or(1.0)))
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        self.k.min(ranking.len())
    }

    fn formula(&self) -> String {
        let scale = self.max.map_or(String::new(), |max| format!(" / {max}"));
        format!("(1/k) sum_(i=1..k) g_i{scale}")
    }
}
