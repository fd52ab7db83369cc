//! Expected reciprocal rank.
//!
//! ```
//! use partita_core::{Judged, Ranking, measure};
//!
//! // Gains 3, 2 and 1: such documents satisfy with probability 7/8, 3/8 and 1/8.
//! let truth = Judged::of_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::of(truth.names(), ["b", "a"]);
//! // The reader stops at b with 3/8, or goes on with 5/8 and stops at a with 7/8:
//! // 3/8 + 1/2 * 5/8 * 7/8 = 48/128 + 35/128.
//! let err = measure::parse("ERR", 3.0)?;
//! assert_eq!(err.score(&truth, &ranking), Some(83.0 / 128.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::call::at;
use super::{Arguments, Cutoff, Definition, MAX, Measure, MeasureError, depth_of, gain};
use crate::judged::Judged;
use crate::ranking::Ranking;

pub(super) static DEFINITION: Definition = Definition {
    name: "ERR",
    aliases: &["ExpectedReciprocalRank"],
    summary: "Expected reciprocal rank: where a reader stops who is satisfied by relevant documents.",
    description: "The reader stops at a document of grade g with probability (2^g - 1) / 2^max. \
        A document counts less the more satisfying those before it are.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Chapelle, Metzler, Zhang & Grinspan (2009), Expected Reciprocal Rank for Graded \
        Relevance",
    cutoff: Cutoff::Optional,
    parameters: &[MAX],
    example: "ERR(max=4)@20",
    build: |arguments: &Arguments| -> Result<Box<dyn Measure>, MeasureError> {
        Ok(Box::new(ExpectedReciprocalRank {
            cutoff: arguments.cutoff(),
            max: arguments.max()?,
        }))
    },
};

struct ExpectedReciprocalRank {
    cutoff: Option<usize>,
    max: f64,
}

impl Measure for ExpectedReciprocalRank {
    fn score(&self, truth: &Judged, ranking: &Ranking) -> Option<f64> {
        let depth = self.depth(truth, ranking);
        let (mut sum, mut going_on, mut position) = (0.0, 1.0, 0);
        for group in ranking.groups() {
            if position >= depth || going_on <= 0.0 {
                break;
            }
            let places = group.len().min(depth - position);
            let pass = group.iter().map(|&slot| self.pass(gain(truth, slot)));
            let means = symmetric_means(pass, places);
            for j in 1..=places {
                sum += going_on * (means[j - 1] - means[j]) / (position + j) as f64;
            }
            going_on *= means[places];
            position += group.len();
        }
        Some(sum)
    }

    fn depth(&self, _: &Judged, ranking: &Ranking) -> usize {
        depth_of(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        let name = at("ERR", self.cutoff);
        let max = self.max;
        format!("{name} = sum_i (1/i) R_i prod_(j<i) (1 - R_j), R = (2^g - 1) / 2^{max}")
    }
}

impl ExpectedReciprocalRank {
    /// The probability that the reader goes on after a document of this grade.
    fn pass(&self, grade: f64) -> f64 {
        // Written so that 2^grade cannot overflow on a scale that reaches 1,000 and more.
        let satisfied = (grade.min(self.max) - self.max).exp2() - (-self.max).exp2();
        1.0 - satisfied.clamp(0.0, 1.0)
    }
}

/// For j = 0, ..., `most`: the mean, over all ways to take j of the values, of their product.
///
/// With tied documents, the reader has passed the first j of them with this probability. The
/// recurrence averages over whether the newest value is among the j.
fn symmetric_means(values: impl Iterator<Item = f64>, most: usize) -> Vec<f64> {
    let mut means = vec![0.0; most + 1];
    means[0] = 1.0;
    for (before, value) in values.enumerate() {
        let count = before + 1;
        for j in (1..=most.min(count)).rev() {
            let with = j as f64 * value * means[j - 1];
            let without = (count - j) as f64 * means[j];
            means[j] = (with + without) / count as f64;
        }
    }
    means
}
