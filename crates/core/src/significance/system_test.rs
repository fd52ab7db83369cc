//! What a test is asked, and what it answers.

use std::cmp::Ordering;

use partita_stats::StatsError;
use partita_stats::differences::{Differences, Rounding, max_abs};

use partita_stats::adjustment::Adjustment;
use schemars::JsonSchema;
use serde::Serialize;

use crate::comparison::{ComparisonError, ComparisonOptions, smallest_adjusted_p};
use crate::data::score_matrix::ScoreMatrix;
use crate::truth::Tails;
use crate::work::Work;

/// What a test is asked.
pub(crate) struct TestInput<'a> {
    /// The scores: systems from the best mean down, queries by name.
    pub(crate) scores: &'a ScoreMatrix,
    /// The scores of each system.
    pub(crate) columns: &'a [Vec<f64>],
    /// The pairs to compare, the earlier system first.
    pub(crate) pairs: &'a [(usize, usize)],
    pub(crate) settings: &'a ComparisonOptions,
    /// The correction that follows.
    pub(crate) correction: Adjustment,
    pub(crate) work: &'a dyn Work,
}

/// What a test answers.
#[derive(Default)]
pub(crate) struct TestOutput {
    /// To each pair.
    pub(crate) pairs: Vec<PairTestOutput>,
    /// The test of whether any systems differ.
    pub(crate) omnibus: Option<OmnibusTest>,
    /// The largest difference that is not significant.
    pub(crate) critical_difference: Option<CriticalDifference>,
    /// The smallest p-value that so many queries and samples allow.
    pub(crate) smallest_p: f64,
    /// How many samples were drawn; none where every p-value is exact or from a law.
    pub(crate) samples: Option<usize>,
}

/// What a test answers to a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairTestOutput {
    pub(crate) p: f64,
    /// `Greater` if the test speaks for the first system.
    pub(crate) direction: Ordering,
    /// The interval of the difference of means, if the test has one of its own.
    pub(crate) interval: Option<(f64, f64)>,
}

/// A test of whether any of the systems differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OmnibusTest {
    /// The statistic, χ².
    #[serde(rename = "chi2")]
    pub chi_squared: f64,
    /// Its degrees of freedom.
    pub df: f64,
    /// Its p-value.
    pub p: f64,
}

/// The largest difference that is not significant: any larger one is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CriticalDifference {
    /// Of what.
    pub of: ComparedQuantity,
    /// The difference.
    pub value: f64,
}

partita_named::named_enum! {
    /// What systems are compared by.
    pub enum ComparedQuantity: "quantity" {
        /// Mean ranks
        MeanRank = "mean_rank",
        /// Mean scores
        Mean = "mean",
    }
}

impl PairTestOutput {
    /// From the p-values of a test of the differences, first system minus second.
    pub(crate) fn from_p_values(p: partita_stats::PValues, tails: Tails) -> Self {
        Self {
            p: tails.p(p),
            direction: p.less.total_cmp(&p.greater),
            interval: None,
        }
    }
}

impl TestInput<'_> {
    /// Answers every pair from its differences.
    pub(crate) fn test_pairs(
        &self,
        answer: impl Fn(&Differences) -> Result<PairTestOutput, StatsError> + Sync,
    ) -> Result<Vec<PairTestOutput>, ComparisonError> {
        // Pairs are quick: many make a piece.
        const AT_ONCE: usize = 32;
        let pieces = self.pairs.len().div_ceil(AT_ONCE);
        let answers = self.work.map("comparing", pieces, |piece| {
            let first = piece * AT_ONCE;
            let last = (first + AT_ONCE).min(self.pairs.len());
            let pairs = self.pairs[first..last].iter();
            let answers = pairs.map(|&pair| answer(&self.differences(pair)));
            answers.collect::<Result<Vec<_>, _>>()
        })?;
        let mut all = Vec::with_capacity(self.pairs.len());
        for piece in answers {
            all.extend(piece?);
        }
        Ok(all)
    }

    /// First system minus second.
    pub(crate) fn differences(&self, (a, b): (usize, usize)) -> Differences {
        Differences::from_pairs(&self.columns[a], &self.columns[b], self.settings.rounding)
            .expect("scores are finite, and too small for their differences to overflow")
    }

    /// By how much two systems may seem to differ by the error of binary fractions alone; 0 where
    /// that is to be taken for a difference.
    pub(crate) fn rounding_unit(&self, (a, b): (usize, usize)) -> f64 {
        let scale = max_abs(self.columns[a].iter().chain(&self.columns[b]));
        self.settings
            .rounding
            .quantum(scale)
            .map_or(0.0, |quantum| quantum.value())
    }

    /// Scores as a test that ranks them sees them.
    pub(crate) fn rounded_rows(&self) -> Vec<Vec<f64>> {
        let rows: Vec<&[f64]> = self.scores.rows().collect();
        self.settings.rounding.round_rows(&rows).0
    }

    /// Whether scores are rounded where ties are looked for.
    pub(crate) fn is_rounded(&self) -> bool {
        self.settings.rounding == Rounding::Relative
    }

    /// The number of queries.
    pub(crate) fn queries(&self) -> usize {
        self.scores.queries().len()
    }

    /// The smallest p-value of a test by signs: all of them the same.
    pub(crate) fn smallest_by_signs(&self) -> f64 {
        let one = 0.5f64.powi(self.queries().min(1000) as i32);
        match self.settings.tails {
            Tails::One => one,
            Tails::Two => 2.0 * one,
        }
    }

    /// How many samples to draw, if the settings do not say: `usual` ones, or twice as many as it
    /// takes for a corrected p-value to reach alpha, unless that is more than `most`.
    pub(crate) fn sample_count(&self, usual: usize, most: usize) -> usize {
        self.settings.samples.unwrap_or_else(|| {
            let factor = smallest_adjusted_p(self.correction, 1e-9, self.pairs.len()) / 1e-9;
            let needed = 2.0 * factor / self.settings.alpha.value();
            match needed.ceil() as usize {
                needed if needed > most.max(usual) => usual,
                needed => needed.max(usual),
            }
        })
    }
}
