//! Input and output of significance tests that compare systems.

use std::cmp::Ordering;

use partita_stats::StatsError;
use partita_stats::differences::{Differences, Rounding, max_abs};

use partita_stats::adjustment::Adjustment;
use schemars::JsonSchema;
use serde::Serialize;

use crate::comparison::{ComparisonError, ComparisonOptions, MAX_SAMPLES, smallest_adjusted_p};
use crate::data::score_matrix::ScoreMatrix;
use crate::significance::tails::Tails;
use crate::work::Work;

/// Input of a significance test that compares systems.
pub(crate) struct TestInput<'a> {
    /// Scores to compare. `compare` passes systems in descending order of mean and queries in order
    /// of name.
    pub(crate) scores: &'a ScoreMatrix,
    /// Scores of each system on all queries: the columns of `scores`.
    pub(crate) columns: &'a [Vec<f64>],
    /// Pairs of system indices to compare, the lower index first.
    pub(crate) pairs: &'a [(usize, usize)],
    pub(crate) settings: &'a ComparisonOptions,
    /// Correction for multiple comparisons that the caller applies to the p-values. It determines
    /// how many samples are needed.
    pub(crate) correction: Adjustment,
    pub(crate) work: &'a dyn Work,
}

/// Output of a significance test that compares systems.
#[derive(Default)]
pub(crate) struct TestOutput {
    /// Test result of each pair, in the order of [`TestInput::pairs`].
    pub(crate) pairs: Vec<PairTestOutput>,
    /// Test of whether any systems differ at all, for significance tests that include one
    /// (Friedman).
    pub(crate) omnibus: Option<OmnibusTest>,
    /// Largest difference that is not significant, for tests in which it is the same for all pairs.
    pub(crate) critical_difference: Option<CriticalDifference>,
    /// Smallest p-value that is possible with this number of queries and of random samples.
    pub(crate) smallest_p: f64,
    /// Number of random samples drawn; `None` if p-values are exact or from a distribution.
    pub(crate) samples: Option<SampleCount>,
    /// True if the test gives intervals that hold for all pairs together.
    pub(crate) simultaneous_intervals: bool,
}

/// Number of random samples that a test draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SampleCount {
    pub(crate) drawn: usize,
    /// Number with which the smallest adjusted p-value is half of alpha, if the bound on the work
    /// of a test is reached below it.
    pub(crate) wanted: Option<usize>,
}

impl SampleCount {
    /// Returns the smallest p-value that these samples can give.
    pub(crate) fn smallest_p(self) -> f64 {
        1.0 / (self.drawn as f64 + 1.0)
    }
}

/// Test result of one pair of systems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairTestOutput {
    /// P-value; `None` if the test is undefined for the differences of the pair because they do
    /// not vary.
    pub(crate) p: Option<f64>,
    /// Direction of the difference: `Greater` if the first system is better by the test statistic;
    /// always `Equal` for the equivalence test.
    pub(crate) direction: Ordering,
    /// Confidence interval of the difference of mean scores (first system minus second), if the
    /// test provides one.
    pub(crate) interval: Option<(f64, f64)>,
}

/// Omnibus test of the hypothesis that no systems differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OmnibusTest {
    /// Test statistic, which is approximately χ²-distributed if no systems differ.
    #[serde(rename = "chi2")]
    pub chi_squared: f64,
    /// Degrees of freedom of the χ² distribution.
    pub df: f64,
    /// P-value of the omnibus test.
    pub p: f64,
}

/// Largest difference between two systems that is not significant; every larger one is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CriticalDifference {
    /// Quantity whose difference is meant: mean ranks or mean scores.
    pub of: ComparedQuantity,
    /// Largest difference of that quantity that is not significant.
    pub value: f64,
}

partita_named::named_enum! {
    /// Quantity that systems are compared by.
    pub enum ComparedQuantity: "quantity" {
        /// Mean ranks
        MeanRank = "mean_rank",
        /// Mean scores
        Mean = "mean",
    }
}

impl PairTestOutput {
    /// Creates the result of a pair from the p-values of a test of its differences, first system
    /// minus second.
    pub(crate) fn from_p_values(p: partita_stats::PValues, tails: Tails) -> Self {
        Self {
            p: Some(tails.p_value(p)),
            direction: p.less.total_cmp(&p.greater),
            interval: None,
        }
    }

    /// Creates the result of a pair whose differences do not vary, by a test that estimates their
    /// variance. Such a test can tell nothing: its statistic would be 0/0 or infinite.
    pub(crate) fn untested() -> Self {
        Self {
            p: None,
            direction: Ordering::Equal,
            interval: None,
        }
    }
}

impl TestInput<'_> {
    /// Applies a test of paired differences to every pair of systems, in parallel.
    pub(crate) fn test_pairs(
        &self,
        test: impl Fn(&Differences) -> Result<PairTestOutput, StatsError> + Sync,
    ) -> Result<Vec<PairTestOutput>, ComparisonError> {
        // Number of pairs per piece of work. A single pair is too fast to be worth distributing.
        const PAIRS_PER_PIECE: usize = 32;
        let pieces = self.pairs.len().div_ceil(PAIRS_PER_PIECE);
        let outputs = self.work.map("comparing", pieces, |piece| {
            let first = piece * PAIRS_PER_PIECE;
            let last = (first + PAIRS_PER_PIECE).min(self.pairs.len());
            let pairs = self.pairs[first..last].iter();
            let outputs = pairs.map(|&pair| test(&self.differences(pair)));
            outputs.collect::<Result<Vec<_>, _>>()
        })?;
        let mut all = Vec::with_capacity(self.pairs.len());
        for piece in outputs {
            all.extend(piece?);
        }
        Ok(all)
    }

    /// Returns the score differences of a pair of systems on all queries, first system minus
    /// second.
    pub(crate) fn differences(&self, (a, b): (usize, usize)) -> Differences {
        Differences::from_pairs(&self.columns[a], &self.columns[b], self.settings.rounding)
            .expect("scores are finite, and too small for their differences to overflow")
    }

    /// Returns the rounding unit for the score differences of a pair of systems; smaller
    /// differences count as rounding error. Returns 0 if the options turn rounding off.
    pub(crate) fn rounding_unit(&self, (a, b): (usize, usize)) -> f64 {
        let scale = max_abs(self.columns[a].iter().chain(&self.columns[b]));
        self.settings
            .rounding
            .quantum(scale)
            .map_or(0.0, partita_stats::differences::Quantum::value)
    }

    /// Returns the scores, one row per query, rounded so that scores that differ only by rounding
    /// error are tied.
    pub(crate) fn rounded_rows(&self) -> Vec<Vec<f64>> {
        let rows: Vec<&[f64]> = self.scores.rows().collect();
        self.settings.rounding.round_rows(&rows).0
    }

    /// Returns true if score differences are rounded before ties are detected.
    pub(crate) fn is_rounded(&self) -> bool {
        self.settings.rounding == Rounding::Relative
    }

    /// Returns the number of queries.
    pub(crate) fn queries(&self) -> usize {
        self.scores.queries().len()
    }

    /// Returns the smallest possible p-value of a test that depends on the signs of differences:
    /// the p-value if all differences have the same sign.
    pub(crate) fn smallest_p_of_signs(&self) -> f64 {
        let one = 0.5f64.powi(self.queries().min(1000) as i32);
        match self.settings.tails {
            Tails::One => one,
            Tails::Two => 2.0 * one,
        }
    }

    /// Returns the number of random samples to draw. If the options do not set it, it is twice the
    /// number with which a p-value corrected for multiple comparisons can reach alpha, and at least
    /// `usual`. `most` bounds the work: beyond `usual`, no more samples than that are drawn.
    pub(crate) fn sample_count(&self, usual: usize, most: usize) -> SampleCount {
        if let Some(drawn) = self.settings.samples {
            return SampleCount {
                drawn,
                wanted: None,
            };
        }
        // A p-value so small that no correction raises it to 1.
        let tiny = f64::MIN_POSITIVE.sqrt();
        let factor = smallest_adjusted_p(self.correction, tiny, self.pairs.len()) / tiny;
        let wanted = (2.0 * factor / self.settings.alpha.value()).ceil() as usize;
        let most = most.clamp(usual, MAX_SAMPLES);
        SampleCount {
            drawn: wanted.clamp(usual, most),
            wanted: (wanted > most).then_some(wanted),
        }
    }
}

#[cfg(test)]
mod tests {
    //! Unit tests: no comparison of hundreds of systems is needed to count its resamples.

    use super::*;
    use crate::work::SequentialWork;

    #[test]
    fn resamples_suffice_for_258_systems_and_are_bounded_beyond() {
        let scores = ScoreMatrix::new("AP", ["a", "b"], ["1"], vec![0.1, 0.2]).expect("scores");
        let settings = ComparisonOptions::default();
        let count = |systems: usize| {
            let pairs = vec![(0, 1); systems * (systems - 1) / 2];
            let input = TestInput {
                scores: &scores,
                columns: &[],
                pairs: &pairs,
                settings: &settings,
                correction: Adjustment::Holm,
                work: &SequentialWork,
            };
            let count = input.sample_count(100_000, 50_000_000_000 / pairs.len());
            let smallest = smallest_adjusted_p(Adjustment::Holm, count.smallest_p(), pairs.len());
            (count, smallest)
        };
        let (few, smallest) = count(10);
        assert_eq!((few.drawn, few.wanted), (100_000, None));
        assert!(smallest < 0.05);
        // 258 systems have 33,153 pairs. The smallest p-value must be below 0.05 after the correction.
        let (many, smallest) = count(258);
        assert_eq!((many.drawn, many.wanted), (1_326_120, None));
        assert!(smallest <= 0.025);
        let (bounded, smallest) = count(600);
        assert_eq!((bounded.drawn, bounded.wanted), (278_241, Some(7_188_000)));
        assert!(smallest > 0.05);
    }
}
