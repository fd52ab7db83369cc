//! Bootstrap of one list over the assessors of its panel.

use partita_stats::bootstrap::Interval;

use super::panel::Panel;
use super::placement_counts::PlacementCounts;
use super::recentred_bootstrap::RecentredBootstrap;
use crate::data::grouped_list::GroupedList;
use crate::significance::alpha::Alpha;
use crate::truth::build::aggregation::group_by_verdicts;
use crate::truth::build::arrangement::arrange;
use crate::truth::build::item_pair_tests::{ItemPairTests, Tails};
use crate::truth::build::rank_samples::RankSamples;
use crate::truth::build::recipe::Recipe;
use crate::truth::build::test_cache::TestCache;
use crate::truth::check::consistency::consistency;

/// List of one bootstrap replicate of a panel, with its consistency.
#[derive(Clone, Debug, PartialEq)]
pub struct ListReplicate {
    /// The list.
    pub list: GroupedList,
    /// ADR-1 and ADR-2 consistency of the list; NaN if it has fewer than 2 items.
    pub consistency: [f64; 2],
    /// Consistency of two nested replicates (replicates of this replicate).
    pub nested: [[f64; 2]; 2],
}

/// Bootstrap of the list that a panel produces.
///
/// For several threads, create one per thread: it caches test verdicts, which does not affect the
/// results.
#[derive(Clone, Debug)]
pub struct ListBootstrap<'r> {
    panel: Panel<'r>,
    recipe: Recipe,
    built: TestCache,
    /// Cache of the tests that measure consistency; `None` if their significance level equals that
    /// of the recipe, so that `built` serves both.
    measured: Option<TestCache>,
}

impl<'r> ListBootstrap<'r> {
    /// Creates the bootstrap of the list that `recipe` builds from the panel. `measured` is the
    /// significance level of the tests that measure consistency.
    pub fn new(panel: &Panel<'r>, recipe: Recipe, measured: Alpha) -> Self {
        let tests = |alpha| TestCache::new(alpha, recipe.reading.null_distribution);
        Self {
            panel: panel.clone(),
            recipe,
            built: tests(recipe.alpha),
            measured: (measured != recipe.alpha).then(|| tests(measured)),
        }
    }

    /// Computes one replicate. The result depends only on the seed, the replicate number and the
    /// panel.
    pub fn replicate(&mut self, seed: u64, replicate: u64) -> ListReplicate {
        let drawn = self.panel.draw(seed, replicate);
        let (list, consistency) = self.build_list(&drawn);
        let again = [0, 1].map(|number| {
            let drawn = self.panel.draw_nested(seed, replicate, number);
            self.build_list(&drawn).1
        });
        ListReplicate {
            list,
            consistency,
            nested: again,
        }
    }

    /// Builds the list of the given assessors and measures its consistency.
    fn build_list(&mut self, assessors: &[usize]) -> (GroupedList, [f64; 2]) {
        let rankings = self.panel.rankings();
        let samples =
            RankSamples::from_assessors(rankings, self.recipe.reading.unranked, assessors);
        let arranged = arrange(&samples, rankings.items());
        let tests = comparisons(&mut self.built, &samples);
        let list = group_by_verdicts(&arranged, self.recipe.aggregation, |a, b| {
            tests.verdict(a, b)
        });
        let consistency = match &mut self.measured {
            Some(measured) => both(&list, &comparisons(measured, &samples)),
            None => both(&list, &tests),
        };
        (list, consistency)
    }
}

fn comparisons(tests: &mut TestCache, samples: &RankSamples) -> ItemPairTests {
    ItemPairTests::from_fn(samples.len(), tests.alpha(), |a, b| {
        tests.verdict(samples.sample(a), samples.sample(b))
    })
}

/// Returns ADR-1 and ADR-2, NaN where undefined.
fn both(list: &GroupedList, tests: &ItemPairTests) -> [f64; 2] {
    [Tails::One, Tails::Two]
        .map(|tails| consistency(list, tests, tails).map_or(f64::NAN, |found| found.value))
}

/// Uncertainty of a list, summarized from the replicates of its panel.
///
/// The shares of replicates in which one item comes before another, with it or after it show how
/// stable each part of the list is. They are not recentred: replicates separate items slightly more
/// often than real panels do (see [`RecentredBootstrap`]).
#[derive(Clone, Debug)]
pub struct ListBootstrapResult {
    shares: PlacementCounts,
    /// Bootstrap distributions of the ADR-1 and ADR-2 consistency.
    consistency: [Option<RecentredBootstrap>; 2],
}

impl ListBootstrapResult {
    /// Summarizes the replicates of the list that `recipe` builds from the panel. `measured` is the
    /// significance level of the tests that measure consistency.
    pub fn new(
        panel: &Panel,
        recipe: &Recipe,
        measured: Alpha,
        replicates: &[ListReplicate],
    ) -> Self {
        let width = panel.rankings().items().len();
        let evidence = recipe.evidence(panel.rankings());
        let list = evidence.list(recipe.aggregation);
        let observed = both(&list, evidence.at_level(measured).pair_tests());
        let freedom = Panel::degrees_of_freedom(std::slice::from_ref(panel));
        let recentred = |which: usize| {
            let first: Vec<f64> = replicates.iter().map(|r| r.consistency[which]).collect();
            let second: Vec<[f64; 2]> = (replicates.iter())
                .map(|r| r.nested.map(|both| both[which]))
                .collect();
            RecentredBootstrap::new(observed[which], &first, &second, freedom)
        };
        Self {
            shares: PlacementCounts::from_lists(
                width,
                replicates.iter().map(|replicate| &replicate.list),
            ),
            consistency: [recentred(0), recentred(1)],
        }
    }

    /// Returns the placements of the items in the lists of the replicates.
    pub fn shares(&self) -> &PlacementCounts {
        &self.shares
    }

    /// Returns the confidence interval of the consistency: ADR-1 for one tail, ADR-2 for two.
    pub fn consistency(&self, tails: Tails, confidence: f64) -> Option<Interval> {
        let which = usize::from(tails == Tails::Two);
        let recentred = self.consistency[which].as_ref()?;
        Some(recentred.interval(confidence, (0.0, 1.0)))
    }
}
