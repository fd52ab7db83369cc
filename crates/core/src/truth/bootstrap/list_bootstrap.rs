//! Bootstrap of one list over the assessors of its panel, to estimate the uncertainty of the list.

use partita_stats::bootstrap::Interval;

use super::panel::Panel;
use super::placement_counts::PlacementCounts;
use super::recentred_bootstrap::RecentredBootstrap;
use crate::data::grouped_list::GroupedList;
use crate::evidence::ListResampling;
use crate::significance::alpha::Alpha;
use crate::truth::build::ListConsistency;
use crate::truth::build::aggregation::group_by_verdicts;
use crate::truth::build::arrangement::arrange;
use crate::truth::build::item_pair_tests::{ItemPairTests, Tails};
use crate::truth::build::rank_samples::RankSamples;
use crate::truth::build::recipe::Recipe;
use crate::truth::build::test_cache::TestCache;

/// List built from one bootstrap replicate of a panel of assessors, with its consistency.
#[derive(Clone, Debug, PartialEq)]
pub struct ListReplicate {
    /// List built from the resampled assessors.
    pub list: GroupedList,
    /// Consistency of the list with one-tailed tests (ADR-1) and with two-tailed tests (ADR-2); NaN
    /// if it has fewer than 2 items.
    pub consistency: [f64; 2],
    /// Consistency (ADR-1 and ADR-2) of the lists of two nested replicates (replicates of this
    /// replicate).
    pub nested: [[f64; 2]; 2],
}

/// Bootstrap of the list that is built from the rankings of a panel of assessors.
///
/// For several threads, create one per thread: it caches test verdicts, which does not affect the
/// results.
#[derive(Clone, Debug)]
pub struct ListBootstrap<'r> {
    panel: Panel<'r>,
    recipe: Recipe,
    /// Cache of the tests that decide the groups of a list.
    build_tests: TestCache,
    /// Cache of the tests that measure consistency; `None` if their significance level equals that
    /// of the recipe, so that `build_tests` serves both.
    check_tests: Option<TestCache>,
}

impl<'r> ListBootstrap<'r> {
    /// Creates the bootstrap of the list that `recipe` builds from the rankings of the panel.
    /// `check_alpha` is the significance level of the tests that measure the consistency of lists.
    pub fn new(panel: &Panel<'r>, recipe: Recipe, check_alpha: Alpha) -> Self {
        let cache = |alpha| TestCache::new(alpha, recipe.reading.null_distribution);
        Self {
            panel: panel.clone(),
            recipe,
            build_tests: cache(recipe.alpha),
            check_tests: (check_alpha != recipe.alpha).then(|| cache(check_alpha)),
        }
    }

    /// Computes one bootstrap replicate. The result depends only on the seed, the replicate number
    /// and the panel.
    pub fn replicate(&mut self, seed: u64, replicate: u64) -> ListReplicate {
        let drawn = self.panel.resampler().draw(seed, replicate);
        let (list, consistency) = self.build_list(&drawn);
        ListReplicate {
            list,
            consistency,
            nested: [0, 1].map(|number| {
                let people = self.panel.resampler();
                let drawn = people.draw_nested(seed, replicate, Some(number));
                self.build_list(&drawn).1
            }),
        }
    }

    /// Builds the list of the given assessors and measures its consistency by ADR-1 and ADR-2.
    fn build_list(&mut self, assessors: &[usize]) -> (GroupedList, [f64; 2]) {
        let rankings = self.panel.rankings();
        let samples =
            RankSamples::from_assessors(rankings, self.recipe.reading.unranked, assessors);
        let arranged = arrange(&samples, rankings.items());
        let tests = cached_tests(&mut self.build_tests, &samples);
        let list = group_by_verdicts(&arranged, self.recipe.aggregation, |a, b| {
            tests.verdict(a, b)
        });
        let consistency = match &mut self.check_tests {
            Some(cache) => measure_consistency(&list, &cached_tests(cache, &samples)),
            None => measure_consistency(&list, &tests),
        };
        (list, consistency)
    }
}

impl ListResampling for ListBootstrap<'_> {
    type Replicate = ListReplicate;

    fn list(replicate: &ListReplicate) -> &GroupedList {
        &replicate.list
    }

    fn replicate(&mut self, seed: u64, replicate: u64) -> ListReplicate {
        ListBootstrap::replicate(self, seed, replicate)
    }
}

/// Tests all pairs of rank samples, with verdicts from the cache where possible.
fn cached_tests(cache: &mut TestCache, samples: &RankSamples) -> ItemPairTests {
    ItemPairTests::from_fn(samples.item_count(), cache.alpha(), |a, b| {
        cache.verdict(samples.sample(a), samples.sample(b))
    })
}

/// Measures the consistency of a list with one-tailed tests (ADR-1) and with two-tailed tests
/// (ADR-2); NaN where undefined.
fn measure_consistency(list: &GroupedList, tests: &ItemPairTests) -> [f64; 2] {
    let found = ListConsistency::measure(list, tests);
    [found.adr1, found.adr2].map(|adr| adr.unwrap_or(f64::NAN))
}

/// Uncertainty of a list, summarized from the replicates of its panel.
///
/// For each pair of items, the shares of replicates in which the first item is in an earlier group,
/// the same group or a later group show how stable the list is. These shares are not corrected for
/// bias: replicates separate items slightly more often than real panels do (see
/// [`RecentredBootstrap`]).
#[derive(Clone, Debug)]
pub struct ListBootstrapResult {
    shares: PlacementCounts,
    /// Bootstrap distributions of the list's consistency with one-tailed tests (ADR-1) and with
    /// two-tailed tests (ADR-2).
    consistency: [Option<RecentredBootstrap>; 2],
}

impl ListBootstrapResult {
    /// Summarizes the replicates of the list that `recipe` builds from the panel. `check_alpha` is
    /// the significance level of the tests that measure the consistency of lists.
    pub fn new(
        panel: &Panel,
        recipe: &Recipe,
        check_alpha: Alpha,
        replicates: &[ListReplicate],
    ) -> Self {
        let evidence = recipe.evidence(panel.rankings());
        let list = evidence.list(recipe.aggregation);
        let observed = measure_consistency(&list, evidence.at_level(check_alpha).pair_tests());
        let freedom = Panel::degrees_of_freedom(std::slice::from_ref(panel));
        let recentred = |index: usize| {
            let first: Vec<f64> = replicates.iter().map(|r| r.consistency[index]).collect();
            let nested: Vec<[f64; 2]> = (replicates.iter())
                .map(|r| r.nested.map(|consistency| consistency[index]))
                .collect();
            RecentredBootstrap::new(observed[index], &first, &nested, freedom)
        };
        Self {
            shares: PlacementCounts::from_lists(
                panel.rankings().items().len(),
                replicates.iter().map(|replicate| &replicate.list),
            ),
            consistency: [recentred(0), recentred(1)],
        }
    }

    /// Returns the counts of the placements of the items in the lists of the replicates.
    pub fn shares(&self) -> &PlacementCounts {
        &self.shares
    }

    /// Returns the confidence interval of the list's consistency with one-tailed tests (ADR-1) or
    /// with two-tailed tests (ADR-2); `None` if it is undefined for the list or for all replicates.
    pub fn consistency(&self, tails: Tails, confidence: f64) -> Option<Interval> {
        let index = usize::from(tails == Tails::Two);
        let recentred = self.consistency[index].as_ref()?;
        Some(recentred.interval(confidence, (0.0, 1.0)))
    }
}
