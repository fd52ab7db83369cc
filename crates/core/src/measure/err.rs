//! Expected reciprocal rank.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! // Gains 3, 2 and 1: such documents satisfy with probability 7/8, 3/8 and 1/8.
//! let truth = QueryTruth::from_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["b", "a"]);
//! // The reader stops at b with 3/8, or goes on with 5/8 and stops at a with 7/8:
//! // 3/8 + 1/2 * 5/8 * 7/8 = 48/128 + 35/128.
//! let err = measure::parse("ERR", 3.0)?;
//! assert_eq!(err.score(&truth, &ranking), Some(83.0 / 128.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{CutoffRule, MAX, Measure, MeasureDefinition, effective_depth, gain};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::Ranking;

/// Registry entry of the measure ERR: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "ERR",
    aliases: &["ExpectedReciprocalRank"],
    summary: "Expected reciprocal rank: where a reader stops who is satisfied by relevant documents.",
    description: "The reader stops at a document of grade g with probability (2^g - 1) / 2^max. \
        A document counts less the more satisfying those before it are. Without `max`, the highest \
        grade of the ground truth is taken and named: ERR(max=3)@20.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Chapelle, Metzler, Zhang & Grinspan (2009), Expected Reciprocal Rank for Graded \
        Relevance",
    cutoff: CutoffRule::Optional,
    parameters: &[MAX],
    example: "ERR(max=4)@20",
    build: |arguments| {
        Ok(Box::new(ExpectedReciprocalRank {
            cutoff: arguments.cutoff(),
            max: arguments.named_max_grade()?,
        }))
    },
};

/// Measure ERR; `max` is the highest grade of the scale.
struct ExpectedReciprocalRank {
    cutoff: Option<usize>,
    max: f64,
}

impl Measure for ExpectedReciprocalRank {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let depth = self.depth(truth, ranking);
        let (mut sum, mut continuing, mut position) = (0.0, 1.0, 0);
        for group in ranking.groups() {
            if position >= depth || continuing <= 0.0 {
                break;
            }
            let places = group.len().min(depth - position);
            let pass = group
                .iter()
                .map(|&slot| self.continuation(gain(truth, slot)));
            let means = mean_subset_products(pass, places);
            for j in 1..=places {
                sum += continuing * (means[j - 1] - means[j]) / (position + j) as f64;
            }
            continuing *= means[places];
            position += group.len();
        }
        Some(sum)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        let max = self.max;
        format!("sum_i (1/i) R_i prod_(j<i) (1 - R_j), R = (2^g - 1) / 2^{max}")
    }
}

impl ExpectedReciprocalRank {
    /// Returns the probability that the user model of ERR reads on after a document of this grade.
    fn continuation(&self, grade: f64) -> f64 {
        // Equals (2^grade - 1) / 2^max, but 2^grade cannot overflow for high grades.
        let satisfied = (grade.min(self.max) - self.max).exp2() - (-self.max).exp2();
        1.0 - satisfied.clamp(0.0, 1.0)
    }
}

/// Returns, for j = 0, ..., `most`, the product of j of the values, averaged over all subsets of
/// size j.
///
/// If the values are the continuation probabilities of tied documents, this is the probability that
/// the reader continues past the first j of them.
fn mean_subset_products(values: impl Iterator<Item = f64>, most: usize) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    if values.len() <= MAX_RECURRENCE_SIZE {
        return mean_products_by_recurrence(&values, most);
    }
    // Documents of the same grade have the same value. There are few grades, so equal values are
    // combined in one step.
    values.sort_by(f64::total_cmp);
    let mut joined = SubsetProductMeans {
        size: 0,
        means: vec![1.0],
    };
    for equal in values.chunk_by(|a, b| a == b) {
        joined = joined.union(
            &SubsetProductMeans::from_equal_values(equal[0], equal.len(), most),
            most,
        );
    }
    joined.means
}

/// Largest number of tied documents for which [`mean_products_by_recurrence`], which takes
/// quadratic time, is used. In larger groups, documents of equal grade are combined.
const MAX_RECURRENCE_SIZE: usize = 64;

/// Computes what [`mean_subset_products`] returns by a recurrence that adds one value at a time: a
/// random subset of size j contains the new value with probability j/count. Takes time quadratic in
/// the number of values.
fn mean_products_by_recurrence(values: &[f64], most: usize) -> Vec<f64> {
    let mut means = vec![0.0; most + 1];
    means[0] = 1.0;
    for (before, value) in values.iter().enumerate() {
        let count = before + 1;
        for j in (1..=most.min(count)).rev() {
            let with = j as f64 * value * means[j - 1];
            let without = (count - j) as f64 * means[j];
            means[j] = (with + without) / count as f64;
        }
    }
    means
}

/// Mean products of subsets of a set of values.
struct SubsetProductMeans {
    /// Number of values in the set.
    size: usize,
    /// Product of j values, averaged over all subsets of size j, for j = 0, 1, ... up to the
    /// largest size that is needed.
    means: Vec<f64>,
}

impl SubsetProductMeans {
    /// Returns the mean products of a set of `size` equal values, for subsets of up to `most`
    /// values.
    fn from_equal_values(value: f64, size: usize, most: usize) -> Self {
        let powers = std::iter::successors(Some(1.0), |power| Some(power * value));
        Self {
            size,
            means: powers.take(size.min(most) + 1).collect(),
        }
    }

    /// Returns the mean products of the union of two sets. The number i of values from `self` in a
    /// random subset of size j has a hypergeometric distribution P(i), and the mean product is Σ
    /// P(i) selfᵢ othersⱼ₋ᵢ. The values are probabilities, so no term exceeds P(i). The sum
    /// therefore starts at the mode and stops, after about √size terms, where P(i) falls below
    /// 10⁻¹⁸ of its maximum.
    fn union(&self, others: &Self, most: usize) -> Self {
        let size = self.size + others.size;
        let mean = |j: usize| {
            let (least, largest) = (j.saturating_sub(others.size), j.min(self.size));
            let mode = (j + 1) * (self.size + 1) / (size + 2);
            let mode = mode.clamp(least, largest);
            let product = |i: usize| self.means[i] * others.means[j - i];
            // Ratio of the hypergeometric probabilities P(i + 1) / P(i).
            let ratio = |i: usize| {
                let above = (self.size - i) as f64 * (j - i) as f64;
                above / ((i + 1) as f64 * (others.size + i + 1 - j) as f64)
            };
            let (mut all, mut sum) = (1.0, product(mode));
            let mut likely = 1.0;
            for i in mode..largest {
                likely *= ratio(i);
                if likely < 1e-18 {
                    break;
                }
                all += likely;
                sum += likely * product(i + 1);
            }
            likely = 1.0;
            for i in (least..mode).rev() {
                likely /= ratio(i);
                if likely < 1e-18 {
                    break;
                }
                all += likely;
                sum += likely * product(i);
            }
            sum / all
        };
        Self {
            size,
            means: (0..=size.min(most)).map(mean).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn mean_products_by_grade_equal_those_by_recurrence(
            grades in proptest::collection::vec(0..5u32, MAX_RECURRENCE_SIZE + 1..400),
            share in 0.0..1.0f64,
        ) {
            let values: Vec<f64> = (grades.iter())
                .map(|&grade| 1.0 - (f64::from(grade).exp2() - 1.0) / 16.0)
                .collect();
            let most = (share * values.len() as f64) as usize;
            let found = mean_subset_products(values.iter().copied(), most);
            let expected = mean_products_by_recurrence(&values, most);
            prop_assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1e-12 * expected.max(1e-3));
            }
        }
    }
}
