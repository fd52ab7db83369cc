//! Construction of ground truths from the rankings of many queries, with the reason for every
//! decision.

pub(crate) mod aggregation;
pub(crate) mod arrangement;
pub(crate) mod item_pair_tests;
pub(crate) mod rank_evidence;
pub(crate) mod rank_samples;
pub(crate) mod recipe;
pub(crate) mod test_cache;

use partita_stats::PValues;
use schemars::JsonSchema;
use serde::Serialize;

use super::check::assessor_concordance::{
    AssessorConcordance, ChanceAgreement, assessor_concordance,
};
use super::check::consistency::consistency;
use crate::data::assessor_rankings::AssessorRankings;
use crate::data::ground_truth::GroundTruth;
use crate::data::grouped_list::GroupedList;
use crate::data::ordered_map::OrderedMap;
use crate::significance::alpha::Alpha;
use crate::work::{Work, WorkError};
use aggregation::{AggregatedList, GroupingOutcome};
use item_pair_tests::{ItemPairTests, Tails};
use rank_evidence::RankEvidence;
use recipe::Recipe;

/// Options of [`build`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct BuildOptions {
    /// Settings that determine which list is built from rankings: aggregation function,
    /// significance level and treatment of ranks.
    #[serde(flatten)]
    pub recipe: Recipe,
    /// Significance level of the tests that measure the consistency of the lists.
    pub check_alpha: Alpha,
}

/// Lists built from rankings, one per query, with the reasons for the placement of items.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BuiltLists {
    /// Ground truth with the built list of each query.
    #[serde(rename = "lists")]
    pub truth: GroundTruth,
    /// Options with which the lists were built.
    pub settings: BuildOptions,
    /// Items of each query, in the order of their median and mean ranks, with the reason for their
    /// placement.
    pub choices: OrderedMap<Vec<ItemPlacement>>,
    /// Items of each query without any given or imputed rank; they are not in the list.
    pub left_out: OrderedMap<Vec<String>>,
    /// Consistency of the list of each query with the tests of its item pairs; null unless details
    /// were requested.
    pub consistency: OrderedMap<ListConsistency>,
    /// Agreement between the assessors of each query (Kendall's W).
    pub kendall_w: OrderedMap<AssessorConcordance>,
}

impl BuiltLists {
    /// Returns the note on lists whose assessors do not agree more than by chance, if there are any.
    pub fn chance_agreement(&self) -> Option<ChanceAgreement> {
        ChanceAgreement::find(self.kendall_w.iter())
    }
}

/// Placement of an item in a list, with its reason.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemPlacement {
    /// Name of the item.
    pub item: String,
    /// Group of the item in the list, counted from 1.
    pub group: usize,
    /// Median of the ranks of the item, including imputed ones.
    pub median: Option<f64>,
    /// Mean of the ranks of the item, including imputed ones.
    pub mean: Option<f64>,
    /// Number of ranks of the item, including imputed ones.
    pub ranks: usize,
    /// Decision of the aggregation function: the item joined the current group or opened a new one.
    pub outcome: GroupingOutcome,
    /// Earlier item that decided the outcome, if the outcome is `differs-from-one`.
    pub differs_from: Option<String>,
    /// Tests against earlier items; empty unless details were requested.
    pub tests: Vec<PlacementTest>,
}

/// Test that decided the placement of an item, against an earlier item of the list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlacementTest {
    /// Name of the earlier item.
    pub against: String,
    /// True if the test of the aggregation function separates the two items. A one-tailed test does
    /// so only if the earlier item is better.
    pub differs: bool,
    /// True if the two items cannot be tested because one has fewer than 2 ranks.
    pub untestable: bool,
    /// One-tailed p-value of the alternative that the earlier item has smaller ranks; null if the
    /// pair is untestable.
    pub p_less: Option<f64>,
    /// One-tailed p-value of the alternative that the earlier item has greater ranks; null if the
    /// pair is untestable.
    pub p_greater: Option<f64>,
    /// Two-tailed p-value of the alternative that the ranks of the two items differ; null if the
    /// pair is untestable.
    pub p_two_sided: Option<f64>,
    /// True if the p-values are those of the normal approximation.
    pub approximate: bool,
}

/// Consistency of a list with the tests of its item pairs (ADR-1 and ADR-2), or the mean
/// consistency of several lists; null for lists of fewer than 2 items, or if it was not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ListConsistency {
    /// ADR-1: consistency with one-tailed tests, from 0 to 1.
    pub adr1: Option<f64>,
    /// ADR-2: consistency with two-tailed tests, from 0 to 1.
    pub adr2: Option<f64>,
}

impl ListConsistency {
    /// Measures the consistency of a list with the tests of its pairs of items.
    pub(super) fn measure(list: &GroupedList, tests: &ItemPairTests) -> Self {
        let value = |tails| consistency(list, tests, tails).map(|found| found.value);
        Self {
            adr1: value(Tails::One),
            adr2: value(Tails::Two),
        }
    }
}

/// Builds the list of every query from its rankings. With `details`, also records every test that
/// decided a placement, with its p-values, and measures the consistency of every list.
///
/// ```
/// use partita_core::AssessorRankings;
/// use partita_core::truth::{BuildOptions, GroupingOutcome, build};
/// use partita_core::work::SequentialWork;
///
/// let rankings = AssessorRankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let built = build(&[("q", &rankings)], &BuildOptions::default(), true, &SequentialWork)?;
/// assert_eq!(built.truth.query_truth(0).list().group_count(), 2);
/// let b = &built.choices.get("q").unwrap()[1];
/// assert_eq!((b.outcome, b.tests[0].p_less), (GroupingOutcome::DiffersFromOne, Some(1.0 / 6.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build(
    queries: &[(&str, &AssessorRankings)],
    settings: &BuildOptions,
    details: bool,
    work: &dyn Work,
) -> Result<BuiltLists, WorkError> {
    let recipe = &settings.recipe;
    let built = work.map("building", queries.len(), |number| {
        let (_, rankings) = queries[number];
        let evidence = recipe.evidence(rankings);
        let built = evidence.aggregate(recipe.aggregation);
        let measured = details.then(|| {
            let evidence = evidence.at_level(settings.check_alpha);
            ListConsistency::measure(&built.list, evidence.pair_tests())
        });
        let placed = item_placements(rankings, &evidence, &built, recipe, details);
        (built, placed, measured.unwrap_or_default())
    })?;
    let with_queries = || queries.iter().zip(&built);
    let lists = with_queries()
        .map(|(&(query, rankings), (built, ..))| (query, rankings.items(), &built.list));
    Ok(BuiltLists {
        truth: GroundTruth::from_lists(lists),
        settings: *settings,
        left_out: with_queries()
            .map(|((query, rankings), (built, ..))| {
                let items = built.left_out.iter();
                let names = items.map(|&item| rankings.items().name(item).to_owned());
                (*query, names.collect())
            })
            .collect(),
        consistency: with_queries()
            .map(|((query, _), (_, _, measured))| (*query, *measured))
            .collect(),
        kendall_w: (queries.iter())
            .map(|(query, rankings)| (*query, assessor_concordance(rankings)))
            .collect(),
        choices: (queries.iter().zip(built))
            .map(|((query, _), (_, placed, _))| (*query, placed))
            .collect(),
    })
}

/// Returns every item of a built list with the reason for its placement. With `details`, includes
/// the tests that decided it.
fn item_placements(
    rankings: &AssessorRankings,
    evidence: &RankEvidence,
    built: &AggregatedList,
    recipe: &Recipe,
    details: bool,
) -> Vec<ItemPlacement> {
    let name = |item| rankings.items().name(item).to_owned();
    let samples = evidence.samples();
    let test = |item, (earlier, verdict)| {
        let found = evidence.p_values(earlier, item);
        let p = |select: fn(&PValues) -> f64| found.map(|found| select(&found.p));
        PlacementTest {
            against: name(earlier),
            differs: recipe.aggregation.separates(verdict),
            untestable: verdict.untestable,
            p_less: p(|p| p.less),
            p_greater: p(|p| p.greater),
            p_two_sided: p(|p| p.two_sided),
            approximate: found.is_some_and(|found| found.approximate),
        }
    };
    let decisions = built.decisions.iter().zip(built.list.items_with_groups());
    let placed = decisions.map(|(decision, (group, item))| ItemPlacement {
        item: name(item),
        group,
        median: samples.median(item),
        mean: samples.mean(item),
        ranks: samples.sample(item).len(),
        outcome: decision.outcome,
        differs_from: decision.differs_from.map(name),
        tests: (decision.tests.iter().filter(|_| details))
            .map(|&tested| test(item, tested))
            .collect(),
    });
    placed.collect()
}
