//! What a test is asked, and what it answers.

use std::cmp::Ordering;

use partita_stats::StatsError;
use partita_stats::differences::{Differences, Rounding, scale};

use super::{CompareError, Correction, Settings, Workers, workers};
use crate::scores::Scores;
use crate::truth::Tails;

/// What a test is asked.
pub(super) struct Question<'a> {
    /// The scores: systems from the best mean down, queries by name.
    pub(super) scores: &'a Scores,
    /// The scores of each system.
    pub(super) columns: &'a [Vec<f64>],
    /// The pairs to compare, the earlier system first.
    pub(super) pairs: &'a [(usize, usize)],
    pub(super) settings: &'a Settings,
    /// The correction that follows.
    pub(super) correction: Correction,
    pub(super) workers: &'a dyn Workers,
}

/// What a test answers.
#[derive(Default)]
pub(super) struct Answer {
    /// To each pair.
    pub(super) pairs: Vec<PairAnswer>,
    /// The test of whether any systems differ.
    pub(super) omnibus: Option<Omnibus>,
    /// The largest difference that is not significant.
    pub(super) critical_difference: Option<CriticalDifference>,
    /// The smallest p-value that so many queries and samples allow.
    pub(super) smallest_p: f64,
    /// How many samples were drawn; none where every p-value is exact or from a law.
    pub(super) samples: Option<usize>,
}

/// What a test answers to a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairAnswer {
    pub(super) p: f64,
    /// `Greater` if the test speaks for the first system.
    pub(super) direction: Ordering,
    /// The interval of the difference of means, if the test has one of its own.
    pub(super) interval: Option<(f64, f64)>,
}

/// A test of whether any of the systems differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Omnibus {
    /// The statistic, χ².
    pub chi_squared: f64,
    /// Its degrees of freedom.
    pub df: f64,
    /// Its p-value.
    pub p: f64,
}

/// The largest difference that is not significant: any larger one is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CriticalDifference {
    /// Of mean ranks.
    OfRanks(f64),
    /// Of mean scores.
    OfMeans(f64),
}

impl PairAnswer {
    /// From the p-values of a test of the differences, first system minus second.
    pub(super) fn of(p: partita_stats::PValues, tails: Tails) -> Self {
        Self {
            p: match tails {
                Tails::Two => p.two_sided,
                Tails::One => p.less.min(p.greater),
            },
            direction: p.less.total_cmp(&p.greater),
            interval: None,
        }
    }
}

impl Question<'_> {
    /// Answers every pair from its differences.
    pub(super) fn each_pair(
        &self,
        answer: impl Fn(&Differences) -> Result<PairAnswer, StatsError> + Sync,
    ) -> Result<Vec<PairAnswer>, CompareError> {
        // Pairs are quick: many make a piece.
        const AT_ONCE: usize = 32;
        let pieces = self.pairs.len().div_ceil(AT_ONCE);
        let answers = workers::map(self.workers, pieces, |piece| {
            let first = piece * AT_ONCE;
            let last = (first + AT_ONCE).min(self.pairs.len());
            let pairs = self.pairs[first..last].iter();
            let answers = pairs.map(|&pair| answer(&self.differences(pair)));
            answers.collect::<Result<Vec<_>, _>>()
        });
        let mut all = Vec::with_capacity(self.pairs.len());
        for piece in answers {
            all.extend(piece?);
        }
        Ok(all)
    }

    /// First system minus second.
    pub(super) fn differences(&self, (a, b): (usize, usize)) -> Differences {
        Differences::of(&self.columns[a], &self.columns[b], self.settings.rounding)
            .expect("scores are finite, and too small for their differences to overflow")
    }

    /// By how much two systems may seem to differ by the error of binary fractions alone; 0 where
    /// that is to be taken for a difference.
    pub(super) fn noise(&self, (a, b): (usize, usize)) -> f64 {
        let scale = scale(self.columns[a].iter().chain(&self.columns[b]));
        self.settings
            .rounding
            .quantum(scale)
            .map_or(0.0, |quantum| quantum.value())
    }

    /// Scores as a test that ranks them sees them.
    pub(super) fn rounded_rows(&self) -> Vec<Vec<f64>> {
        let rows: Vec<&[f64]> = self.scores.rows().collect();
        self.settings.rounding.rounded_rows(&rows).0
    }

    /// Whether scores are rounded where ties are looked for.
    pub(super) fn is_rounded(&self) -> bool {
        self.settings.rounding == Rounding::Relative
    }

    /// The number of queries.
    pub(super) fn queries(&self) -> usize {
        self.scores.queries().len()
    }

    /// The smallest p-value of a test by signs: all of them the same.
    pub(super) fn smallest_by_signs(&self) -> f64 {
        let one = 0.5f64.powi(self.queries().min(1000) as i32);
        match self.settings.tails {
            Tails::One => one,
            Tails::Two => 2.0 * one,
        }
    }

    /// How many samples to draw, if the settings do not say: `usual` ones, or twice as many as it
    /// takes for a corrected p-value to reach alpha, unless that is more than `most`.
    pub(super) fn samples(&self, usual: usize, most: usize) -> usize {
        self.settings.samples.unwrap_or_else(|| {
            let factor = self.correction.at_best(1e-9, self.pairs.len()) / 1e-9;
            let needed = 2.0 * factor / self.settings.alpha.value();
            match needed.ceil() as usize {
                needed if needed > most.max(usual) => usual,
                needed => needed.max(usual),
            }
        })
    }
}
