//! Bootstrap of the scores of systems over the panels of assessors.

use partita_stats::bootstrap::Interval;

use super::panel::Panel;
use super::recentred_bootstrap::RecentredBootstrap;
use crate::data::grouped_list::GroupedList;
use crate::data::ranking::Ranking;
use crate::evaluation::mean;
use crate::truth::build::rank_samples::all_assessors;
use crate::truth::build::recipe::Recipe;
use crate::truth::build::test_cache::TestCache;
use crate::truth::list_scores::adr_scores;

/// Bootstrap of the scores of systems, which resamples the panel of assessors of every query.
///
/// For several threads, give each thread a clone: it caches test verdicts, which does not affect
/// the results.
#[derive(Clone, Debug)]
pub struct SystemBootstrap<'a> {
    panels: &'a [Panel<'a>],
    recipe: Recipe,
    /// Rankings that each system returned, one per panel (that is, per query).
    rankings: &'a [Vec<Ranking>],
    tests: TestCache,
}

/// Scores of all systems for one replicate of the panels, and for two nested replicates.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreReplicate {
    /// Mean ADR (average dynamic recall) of each system over the queries; NaN if it is undefined
    /// for every list.
    pub scores: Vec<f64>,
    /// Mean ADR of each system for two nested replicates (replicates of this replicate).
    pub nested: [Vec<f64>; 2],
}

impl<'a> SystemBootstrap<'a> {
    /// Creates the bootstrap of these systems on these queries. Every system has one ranking per
    /// panel, in the item numbers of the panel's rankings; the ranking is empty if the system
    /// returned nothing. Panics if a system has another number of rankings than there are panels.
    pub fn new(panels: &'a [Panel<'a>], recipe: Recipe, rankings: &'a [Vec<Ranking>]) -> Self {
        assert!(rankings.iter().all(|of_one| of_one.len() == panels.len()));
        Self {
            panels,
            recipe,
            rankings,
            tests: recipe.test_cache(),
        }
    }

    /// Computes the mean ADR (average dynamic recall) of each system over the queries, for the
    /// observed panels.
    pub fn scores(&self) -> Vec<f64> {
        mean_adr(self.panels, self.rankings, |panel| {
            let rankings = panel.rankings();
            self.recipe.list(rankings, &all_assessors(rankings))
        })
    }

    /// Computes the mean ADR of each system for one bootstrap replicate. The result depends only on
    /// the seed and the replicate number, so replicates can be computed in any order and on any
    /// number of threads.
    pub fn replicate(&mut self, seed: u64, replicate: u64) -> ScoreReplicate {
        let (recipe, tests) = (self.recipe, &mut self.tests);
        let mut scores = |draw: &dyn Fn(&Panel) -> Vec<usize>| {
            mean_adr(self.panels, self.rankings, |panel| {
                recipe.list_with_test(panel.rankings(), &draw(panel), |a, b| tests.verdict(a, b))
            })
        };
        ScoreReplicate {
            scores: scores(&|panel| panel.resampler().draw(seed, replicate)),
            nested: [0, 1].map(|number| {
                scores(&|panel| (panel.resampler()).draw_nested(seed, replicate, Some(number)))
            }),
        }
    }

    /// Summarizes the scores of the systems over the replicates.
    pub fn summarize(&self, replicates: &[ScoreReplicate]) -> SystemBootstrapResult {
        SystemBootstrapResult {
            scores: self.scores(),
            replicates: replicates.to_vec(),
            freedom: Panel::degrees_of_freedom(self.panels),
        }
    }
}

/// Computes the mean ADR (average dynamic recall) of each system against the lists of the panels;
/// NaN if it is undefined for every list.
fn mean_adr(
    panels: &[Panel],
    systems: &[Vec<Ranking>],
    mut list: impl FnMut(&Panel) -> GroupedList,
) -> Vec<f64> {
    let by_panel: Vec<Vec<Option<f64>>> = (panels.iter().enumerate())
        .map(|(query, panel)| {
            let rankings: Vec<&Ranking> = systems.iter().map(|all| &all[query]).collect();
            adr_scores(panel.rankings().items(), &list(panel), &rankings)
        })
        .collect();
    (0..systems.len())
        .map(|system| mean(by_panel.iter().map(|scores| scores[system])).unwrap_or(f64::NAN))
        .collect()
}

/// Scores of systems with the uncertainty that comes from the panels of assessors.
///
/// The queries are fixed: the result describes other panels of the same size on *these* queries. To
/// generalise to other queries as well, when every query has its own panel, resample the scores of
/// the queries instead ([`EvaluationRequest::intervals`](crate::evaluation::EvaluationRequest::intervals)): each
/// score already includes the variation of its panel.
///
/// See [`RecentredBootstrap`] for the estimand and the method.
#[derive(Clone, Debug)]
pub struct SystemBootstrapResult {
    scores: Vec<f64>,
    replicates: Vec<ScoreReplicate>,
    /// Degrees of freedom of the variance of scores over panels.
    freedom: usize,
}

impl SystemBootstrapResult {
    /// Returns the mean ADR (average dynamic recall) of each system for the observed panels; NaN if
    /// it is undefined for every list.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Returns the confidence interval of the mean ADR of a system; `None` if it is undefined.
    /// Panics if there is no such system.
    pub fn interval(&self, system: usize, confidence: f64) -> Option<Interval> {
        let score = self.recentred(|scores| scores[system])?;
        Some(score.interval(confidence, (0.0, 1.0)))
    }

    /// Returns the confidence interval of the difference of the mean ADR of two systems, a - b;
    /// `None` if it is undefined. Panics if there is no such system.
    pub fn difference(&self, a: usize, b: usize, confidence: f64) -> Option<Interval> {
        let difference = self.recentred(|scores| scores[a] - scores[b])?;
        Some(difference.interval(confidence, (-1.0, 1.0)))
    }

    /// Returns the confidence that system a scores higher than b with panels of this size, from 0
    /// to 1; `None` if the difference is undefined. If the 95% interval of the difference excludes
    /// 0, it is about 0.975 or more, or 0.025 or less. Panics if there is no such system.
    pub fn probability_better(&self, a: usize, b: usize) -> Option<f64> {
        let difference = self.recentred(|scores| scores[a] - scores[b])?;
        Some(difference.probability_positive())
    }

    /// Computes the recentred bootstrap distribution of `quantity`, a function of the scores of all
    /// systems.
    fn recentred(&self, quantity: impl Fn(&[f64]) -> f64) -> Option<RecentredBootstrap> {
        let first: Vec<f64> = (self.replicates.iter())
            .map(|replicate| quantity(&replicate.scores))
            .collect();
        let nested: Vec<[f64; 2]> = (self.replicates.iter())
            .map(|replicate| [0, 1].map(|number| quantity(&replicate.nested[number])))
            .collect();
        RecentredBootstrap::new(quantity(&self.scores), &first, &nested, self.freedom)
    }
}
