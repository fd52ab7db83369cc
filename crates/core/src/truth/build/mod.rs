//! Ground truths from the rankings of many queries, with the reason of every choice.

pub(crate) mod aggregate;
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

use super::check::consistency::consistency;
use crate::data::assessor_rankings::AssessorRankings;
use crate::data::ground_truth::GroundTruth;
use crate::data::ordered_map::OrderedMap;
use crate::significance::alpha::Alpha;
use crate::work::{Work, WorkError};
use aggregate::{AggregatedList, GroupingDecision, GroupingOutcome};
use item_pair_tests::Tails;
use rank_evidence::RankEvidence;
use recipe::Recipe;

/// By what lists are built, and measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct BuildOptions {
    /// How lists are built.
    #[serde(flatten)]
    pub recipe: Recipe,
    /// The level of the tests by which their consistency is measured.
    pub check_alpha: Alpha,
}

/// Lists built from rankings.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BuiltLists {
    /// By query its list.
    #[serde(rename = "lists")]
    pub truth: GroundTruth,
    /// How they were built.
    pub settings: BuildOptions,
    /// By query every item in the arranged order, and why it stands where it does.
    pub choices: OrderedMap<Vec<ItemPlacement>>,
    /// By query the items that nobody ranked, which have no place in the list.
    pub left_out: OrderedMap<Vec<String>>,
    /// By query the consistency of the list.
    pub consistency: OrderedMap<ListConsistency>,
}

/// Where an item went, and why.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemPlacement {
    /// The item.
    pub item: String,
    /// Its group, counted from 1.
    pub group: usize,
    /// The median of its ranks.
    pub median: Option<f64>,
    /// Their mean.
    pub mean: Option<f64>,
    /// How many ranks it was given.
    pub ranks: usize,
    /// What the aggregation function did with it.
    pub outcome: GroupingOutcome,
    /// The item that decided this, where it was one.
    pub differs_from: Option<String>,
    /// The tests against earlier items; none where they were not asked for.
    pub tests: Vec<PlacementTest>,
}

/// A test of an item against an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlacementTest {
    /// The earlier item.
    pub against: String,
    /// Whether they differ.
    pub differs: bool,
    /// Whether they cannot be tested, because one has fewer than 2 ranks.
    pub untestable: bool,
    /// The p-value of the earlier item's ranks being smaller.
    pub p_less: Option<f64>,
    /// The p-value of the earlier item's ranks being greater.
    pub p_greater: Option<f64>,
    /// The two-tailed p-value.
    pub p_two_sided: Option<f64>,
    /// Whether the p-values are those of the normal law.
    pub approximate: bool,
}

/// ADR-1 and ADR-2 of a list, or their means over lists; null of lists of fewer than 2 items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ListConsistency {
    /// By 1-tailed tests.
    pub adr1: Option<f64>,
    /// By 2-tailed tests.
    pub adr2: Option<f64>,
}

/// Builds the list of every query from its rankings. With `details` every test that decided where an
/// item went is recorded with its p-values, and the consistency of every list measured.
///
/// ```
/// use partita_core::Rankings;
/// use partita_core::truth::{BuildSettings, Outcome, build};
/// use partita_core::work::InTurn;
///
/// let rankings = Rankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let built = build(&[("q", &rankings)], &BuildSettings::default(), true, &InTurn)?;
/// assert_eq!(built.truth.judged(0).list().group_count(), 2);
/// let b = &built.choices.get("q").unwrap()[1];
/// assert_eq!((b.outcome, b.tests[0].p_less), (Outcome::DiffersFromOne, Some(1.0 / 6.0)));
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
        let value = |tails| {
            let tests = evidence.at_level(settings.check_alpha);
            consistency(&built.list, tests.pair_tests(), tails).map(|c| c.value)
        };
        let measured = details.then(|| ListConsistency {
            adr1: value(Tails::One),
            adr2: value(Tails::Two),
        });
        let placed = item_placements(rankings, &evidence, &built, recipe, details);
        (built, placed, measured.unwrap_or_default())
    })?;
    let of_queries = || queries.iter().zip(&built);
    let lists = of_queries()
        .map(|(&(query, rankings), (built, ..))| (query, rankings.items(), &built.list));
    Ok(BuiltLists {
        truth: GroundTruth::from_lists(lists),
        settings: *settings,
        left_out: of_queries()
            .map(|((query, rankings), (built, ..))| {
                let items = built.left_out.iter();
                let names = items.map(|&item| rankings.items().name(item).to_owned());
                (*query, names.collect())
            })
            .collect(),
        consistency: of_queries()
            .map(|((query, _), built)| (*query, built.2))
            .collect(),
        choices: (queries.iter().zip(built))
            .map(|((query, _), (_, placed, _))| (*query, placed))
            .collect(),
    })
}

/// Every item of a list with the reason of its place.
fn item_placements(
    rankings: &AssessorRankings,
    evidence: &RankEvidence,
    built: &AggregatedList,
    recipe: &Recipe,
    details: bool,
) -> Vec<ItemPlacement> {
    let name = |item| rankings.items().name(item).to_owned();
    let samples = evidence.samples();
    let test = |choice: &GroupingDecision, (earlier, verdict)| {
        let found = evidence.p_values(earlier, choice.item, recipe.reading.p_value_accuracy());
        let p = |part: fn(&PValues) -> f64| found.map(|found| part(&found.p));
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
    let choices = built.choices.iter().zip(built.list.items_with_groups());
    let placed = choices.map(|(choice, (group, item))| ItemPlacement {
        item: name(item),
        group,
        median: samples.median(item),
        mean: samples.mean(item),
        ranks: samples.sample(item).len(),
        outcome: choice.outcome,
        differs_from: choice.differs_from.map(name),
        tests: (choice.tests.iter().filter(|_| details))
            .map(|&tested| test(choice, tested))
            .collect(),
    });
    placed.collect()
}
