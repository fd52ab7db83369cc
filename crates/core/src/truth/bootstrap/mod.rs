//! Bootstrap over assessors: uncertainty of lists, and of the scores of systems against these
//! lists.

pub(crate) mod list_bootstrap;
pub(crate) mod panel;
pub(crate) mod placement_counts;
pub(crate) mod recentred_bootstrap;
pub(crate) mod system_bootstrap;

use partita_stats::bootstrap::Interval;
use schemars::JsonSchema;
use serde::Serialize;

use super::build::aggregation::Aggregation;
use super::check::{RankingsEvidence, TruthCheckRequest};
use crate::data::grouped_list::GroupedList;
use crate::data::names::{Item, Names};
use crate::data::ranking::Ranking;
use crate::data::run::SystemRankings;
use crate::evidence::{BootstrapOptions, CheckedLists, bootstrap_lists};
use crate::significance::alpha::Alpha;
use crate::work::{Work, WorkError};
use panel::Panel;
use placement_counts::{PlacementCounts, mean_place};
use system_bootstrap::SystemBootstrap;

/// Options of the bootstrap over assessors.
#[derive(Clone, Copy, Debug)]
pub struct PanelBootstrapRequest<'a> {
    /// Number of bootstrap replicates.
    pub replicates: usize,
    /// Random seed of the bootstrap.
    pub seed: u64,
    /// Confidence level of the intervals, between 0 and 1.
    pub confidence: f64,
    /// True if assessors of the same name are the same person on all queries. The bootstrap then
    /// resamples persons, each with all their rankings.
    pub shared_assessors: bool,
    /// Systems to score against the lists.
    pub systems: &'a [SystemRankings],
}

/// Uncertainty of the scores of systems, estimated by resampling assessors, with the settings of
/// the bootstrap.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PanelBootstrap {
    /// Number of bootstrap replicates.
    pub replicates: usize,
    /// Random seed of the bootstrap.
    pub seed: u64,
    /// Confidence level of the intervals, between 0 and 1.
    pub confidence: f64,
    /// True if assessors of the same name were treated as one person on all queries.
    pub shared_assessors: bool,
    /// Aggregation function that built the lists.
    pub aggregate: Aggregation,
    /// Significance level of the tests of the aggregation function.
    pub alpha: Alpha,
    /// Mean ADR (average dynamic recall) of each system, with its confidence interval.
    pub systems: Vec<SystemUncertainty>,
    /// Difference between the mean ADR of every pair of systems, with its confidence interval.
    pub pairs: Vec<SystemPairUncertainty>,
}

/// Point estimate with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IntervalEstimate {
    /// Point estimate.
    pub estimate: f64,
    /// Lower end of the confidence interval; null if the replicates do not vary.
    pub lower: Option<f64>,
    /// Upper end of the confidence interval; null if the replicates do not vary.
    pub upper: Option<f64>,
}

/// Drops an interval without width, which would claim certainty.
impl From<Interval> for IntervalEstimate {
    fn from(interval: Interval) -> Self {
        let varies = interval.lower < interval.upper;
        Self {
            estimate: interval.estimate,
            lower: varies.then_some(interval.lower),
            upper: varies.then_some(interval.upper),
        }
    }
}

/// Uncertainty of a list, estimated by resampling assessors and building a list from each sample.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ListUncertainty {
    /// ADR-1 of the list that is built from all rankings: its consistency with one-tailed tests of
    /// its item pairs; null if undefined.
    pub adr1: Option<IntervalEstimate>,
    /// ADR-2 of the list that is built from all rankings: its consistency with two-tailed tests of
    /// its item pairs; null if undefined.
    pub adr2: Option<IntervalEstimate>,
    /// Placements of the items of the list, and of their pairs, in the lists of the replicates.
    #[serde(flatten)]
    pub places: ListPlacements,
}

/// Placements of the items of a list, and of their pairs, in the lists of the bootstrap replicates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ListPlacements {
    /// Group and place of each item with their intervals, in the order of the list.
    pub items: Vec<ItemIntervals>,
    /// Relative order of all pairs of items; the first item of a pair is the earlier one in the
    /// list.
    pub pairs: Vec<PairOrderShares>,
}

/// Group and place of an item in a list, each with its central interval over the lists of the
/// bootstrap replicates.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemIntervals {
    /// Name of the item.
    pub item: String,
    /// Group of the item in the list, counted from 1.
    pub group: usize,
    /// Lower end of the interval of group numbers; null for an item that is in no replicate.
    pub lower: Option<usize>,
    /// Upper end of the interval of group numbers; null for an item that is in no replicate.
    pub upper: Option<usize>,
    /// Place of the item in the list, from 1 to the number of items. Items of a group share the mean
    /// of their places.
    pub place: f64,
    /// Lower end of the interval of places, which holds `place`; null for an item that is in no
    /// replicate.
    pub place_lower: Option<f64>,
    /// Upper end of the interval of places, which holds `place`; null for an item that is in no
    /// replicate.
    pub place_upper: Option<f64>,
}

/// Relative order of a pair of items, as shares of the bootstrap replicates.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairOrderShares {
    /// Item that comes first in the list.
    pub a: String,
    /// Item that comes later in the list.
    pub b: String,
    /// Share of replicates in which a is in an earlier group than b.
    pub before: f64,
    /// Share of replicates in which a and b are in the same group.
    pub same_group: f64,
    /// Share of replicates in which a is in a later group than b.
    pub after: f64,
}

impl ListPlacements {
    /// Summarizes the placements of the items of `list` in the replicates' lists, from their
    /// counts.
    pub fn new(
        names: &Names,
        list: &GroupedList,
        shares: &PlacementCounts,
        confidence: f64,
    ) -> Self {
        let name = |item: Item| names.name(item).to_owned();
        let mut first = 1;
        let places = list.groups().flat_map(|group| {
            let place = mean_place(first, group.len());
            first += group.len();
            std::iter::repeat_n(place, group.len())
        });
        let items = list
            .items_with_groups()
            .zip(places)
            .map(|((group, item), place)| {
                let interval = shares.group_interval(item, confidence);
                let places = shares.place_interval(item, confidence);
                ItemIntervals {
                    item: name(item),
                    group,
                    lower: interval.map(|(lower, _)| lower),
                    upper: interval.map(|(_, upper)| upper),
                    place,
                    place_lower: places.map(|(lower, _)| lower.min(place)),
                    place_upper: places.map(|(_, upper)| upper.max(place)),
                }
            });
        let listed = list.items();
        let pairs = listed.iter().enumerate().flat_map(|(index, &a)| {
            let later = listed[index + 1..].iter();
            later.map(move |&b| (a, b))
        });
        let pairs = pairs.map(|(a, b)| {
            let shares = shares.order_shares(a, b);
            PairOrderShares {
                a: name(a),
                b: name(b),
                before: shares.before,
                same_group: shares.same_group,
                after: shares.after,
            }
        });
        Self {
            items: items.collect(),
            pairs: pairs.collect(),
        }
    }
}

/// Mean ADR (average dynamic recall) of a system over the queries, with its confidence interval.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SystemUncertainty {
    /// Name of the system.
    pub system: String,
    /// Mean ADR over the queries; null if it is undefined for every list.
    pub adr: Option<f64>,
    /// Lower end of the confidence interval of the mean ADR; null if it is undefined, or if the
    /// replicates do not vary.
    pub lower: Option<f64>,
    /// Upper end of the confidence interval of the mean ADR; null if it is undefined, or if the
    /// replicates do not vary.
    pub upper: Option<f64>,
}

/// Difference between the mean ADR (average dynamic recall) of two systems.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SystemPairUncertainty {
    /// Name of the first system.
    pub a: String,
    /// Name of the second system.
    pub b: String,
    /// Mean ADR of a minus mean ADR of b, with its confidence interval; null if it is undefined.
    pub difference: Option<IntervalEstimate>,
    /// Confidence that system a scores higher than system b, from 0 to 1; null if `difference` is
    /// null.
    pub p_a_better: Option<f64>,
    /// Confidence that system b scores higher than system a, from 0 to 1; null if `difference` is
    /// null.
    pub p_b_better: Option<f64>,
}

/// Runs the bootstrap over the assessors of the checked lists. Sets the uncertainty of each list, and
/// returns the uncertainty of the scores of the systems.
pub(crate) fn bootstrap_panel<'r>(
    evidence: &RankingsEvidence<'r>,
    options: &PanelBootstrapRequest<'_>,
    checked: &mut CheckedLists<RankingsEvidence<'r>>,
    work: &dyn Work,
) -> Result<PanelBootstrap, WorkError> {
    let request = evidence.request;
    let queries: Vec<usize> = checked.cases.iter().map(|case| case.query).collect();
    let panels: Vec<Panel<'_>> = if options.shared_assessors {
        let rankings = queries.iter().map(|&query| request.queries[query].1);
        Panel::shared(&rankings.collect::<Vec<_>>())
    } else {
        let ranked = queries.iter().map(|&query| request.queries[query]);
        ranked
            .map(|(query, rankings)| Panel::new(query, rankings))
            .collect()
    };
    let bootstrap = BootstrapOptions {
        replicates: options.replicates,
        seed: options.seed,
        confidence: options.confidence,
        other_passes: usize::from(!options.systems.is_empty()),
    };
    bootstrap_lists(evidence, checked, &bootstrap, &panels, work)?;
    let (systems, pairs) = bootstrap_systems(request, options, &queries, &panels, work)?;
    Ok(PanelBootstrap {
        replicates: options.replicates,
        seed: options.seed,
        confidence: options.confidence,
        shared_assessors: options.shared_assessors,
        aggregate: request.recipe.aggregation,
        alpha: request.recipe.alpha,
        systems,
        pairs,
    })
}

/// Runs the bootstrap of the scores of the systems, and of the differences of all pairs of systems.
fn bootstrap_systems(
    request: &TruthCheckRequest<'_>,
    options: &PanelBootstrapRequest<'_>,
    queries: &[usize],
    panels: &[Panel<'_>],
    work: &dyn Work,
) -> Result<(Vec<SystemUncertainty>, Vec<SystemPairUncertainty>), WorkError> {
    if options.systems.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let rankings_of = |system: &SystemRankings| -> Vec<Ranking> {
        let rankings = queries.iter().map(|&query| system.ranking(query));
        rankings
            .map(|ranking| ranking.cloned().unwrap_or_default())
            .collect()
    };
    let rankings: Vec<Vec<Ranking>> = options.systems.iter().map(rankings_of).collect();
    let systems = SystemBootstrap::new(panels, request.recipe, &rankings);
    let make = || systems.clone();
    let drawn = work.map_with_state(options.replicates, make, |systems, replicate| {
        systems.replicate(options.seed, replicate as u64)
    })?;
    let result = systems.summarize(&drawn);
    let name = |system: usize| options.systems[system].system.clone();
    let count = options.systems.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let pairs = pairs.map(|(a, b)| SystemPairUncertainty {
        a: name(a),
        b: name(b),
        difference: result
            .difference(a, b, options.confidence)
            .map(IntervalEstimate::from),
        p_a_better: result.probability_better(a, b),
        p_b_better: result.probability_better(b, a),
    });
    let systems = (0..count).map(|number| {
        let interval = result.interval(number, options.confidence);
        let interval = interval.map(IntervalEstimate::from);
        SystemUncertainty {
            system: name(number),
            adr: Some(result.scores()[number]).filter(|score| !score.is_nan()),
            lower: interval.and_then(|interval| interval.lower),
            upper: interval.and_then(|interval| interval.upper),
        }
    });
    Ok((systems.collect(), pairs.collect()))
}
