//! How far lists, and systems that are scored by them, can be trusted: the bootstrap over assessors.

use partita_stats::bootstrap::Interval;
use schemars::JsonSchema;
use serde::Serialize;

use super::aggregation::Aggregation;
use super::alpha::Alpha;
use super::check::{CheckNote, CheckRequest, CheckedList};
use super::comparisons::Tails;
use super::list_shares::ListShares;
use super::list_trust::{ListBootstrap, ListTrust};
use super::panel::Panel;
use super::system_trust::Systems;
use crate::grouped_list::GroupedList;
use crate::names::{Item, Names};
use crate::ranking::Ranking;
use crate::run::SystemRankings;
use crate::work::{Stopped, Work};

/// How assessors are drawn again.
#[derive(Clone, Copy, Debug)]
pub struct TrustRequest<'a> {
    /// How often.
    pub replicates: usize,
    /// The seed.
    pub seed: u64,
    /// The confidence of intervals, between 0 and 1.
    pub confidence: f64,
    /// Whether assessors of one name are one person on all queries, drawn with all their rankings.
    pub shared_assessors: bool,
    /// Systems that are scored by the lists.
    pub systems: &'a [SystemRankings],
}

/// How far systems can be trusted, and how that was found out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Trust {
    /// How often the assessors were drawn.
    pub replicates: usize,
    /// The seed.
    pub seed: u64,
    /// The confidence of intervals.
    pub confidence: f64,
    /// Whether assessors of one name were one person on all queries.
    pub shared_assessors: bool,
    /// The function that built the lists.
    pub aggregate: Aggregation,
    /// The level of its tests.
    pub alpha: Alpha,
    /// The systems.
    pub systems: Vec<TrustedSystem>,
    /// Every pair of systems.
    pub pairs: Vec<TrustedSystems>,
}

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Estimated {
    /// The estimate.
    pub estimate: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl From<Interval> for Estimated {
    fn from(interval: Interval) -> Self {
        Self {
            estimate: interval.estimate,
            lower: interval.lower,
            upper: interval.upper,
        }
    }
}

/// How far a list can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrustedList {
    /// Its ADR-1.
    pub adr1: Option<Estimated>,
    /// Its ADR-2.
    pub adr2: Option<Estimated>,
    /// Where its items and their pairs would stand.
    #[serde(flatten)]
    pub places: ListPlaces,
}

/// Where the items of a list, and their pairs, stand in the lists of replicates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ListPlaces {
    /// The items in the order of the list.
    pub items: Vec<ItemPlaces>,
    /// Every pair, the earlier item first.
    pub pairs: Vec<PairPlaces>,
}

/// The groups in which an item may stand.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemPlaces {
    /// The item.
    pub item: String,
    /// Its group in the list, counted from 1.
    pub group: usize,
    /// The lower end of the interval; null for an item that no replicate has.
    pub lower: Option<usize>,
    /// The upper end.
    pub upper: Option<usize>,
}

/// How often one item is before another, in shares of the replicates.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairPlaces {
    /// The item that stands first.
    pub a: String,
    /// The item that stands later.
    pub b: String,
    /// a is in an earlier group.
    pub before: f64,
    /// Both are in the same group.
    pub same_group: f64,
    /// a is in a later group.
    pub after: f64,
}

impl ListPlaces {
    /// Where the items of a list stand in others.
    pub fn new(names: &Names, list: &GroupedList, shares: &ListShares, confidence: f64) -> Self {
        let name = |item: Item| names.name(item).to_owned();
        let items = list.numbered().map(|(group, item)| {
            let interval = shares.groups(item, confidence);
            ItemPlaces {
                item: name(item),
                group,
                lower: interval.map(|(lower, _)| lower),
                upper: interval.map(|(_, upper)| upper),
            }
        });
        let listed = list.items();
        let both = listed.iter().enumerate().flat_map(|(place, &a)| {
            let later = listed[place + 1..].iter();
            later.map(move |&b| (a, b))
        });
        let pairs = both.map(|(a, b)| {
            let shares = shares.pair(a, b);
            PairPlaces {
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

/// The score of a system.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrustedSystem {
    /// The system.
    pub system: String,
    /// Its mean ADR; null where no list has any item.
    pub adr: Option<f64>,
    /// The lower end of the interval.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
}

/// The difference of two systems.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrustedSystems {
    /// One system.
    pub a: String,
    /// The other.
    pub b: String,
    /// The difference of their mean ADR, that of a less that of b.
    pub difference: Option<Estimated>,
    /// The confidence that a scores higher.
    pub p_a_better: Option<f64>,
    /// The confidence that b does.
    pub p_b_better: Option<f64>,
}

/// Draws the assessors of these queries again: says of every checked list how far it can be trusted,
/// and of the systems how far their scores can.
pub(super) fn trust(
    request: &CheckRequest<'_>,
    asked: &TrustRequest<'_>,
    queries: &[usize],
    lists: &[GroupedList],
    checked: &mut [CheckedList],
    work: &dyn Work,
) -> Result<(Trust, Option<CheckNote>), Stopped> {
    let (recipe, measured) = (request.recipe, request.alpha);
    let rankings: Vec<_> = queries
        .iter()
        .map(|&query| request.queries[query])
        .collect();
    let panels: Vec<Panel<'_>> = if asked.shared_assessors {
        Panel::shared(&rankings.iter().map(|(_, r)| *r).collect::<Vec<_>>())
    } else {
        rankings
            .iter()
            .map(|(query, r)| Panel::new(query, r))
            .collect()
    };
    let parts = panels.len() + usize::from(!asked.systems.is_empty());
    work.begin("drawing assessors", asked.replicates * parts);
    let mut others = Vec::new();
    for (number, panel) in panels.iter().enumerate() {
        let (list, checked) = (&lists[number], &mut checked[number]);
        let bootstrap = || ListBootstrap::new(panel, recipe, measured);
        let drawn = work.map_with(asked.replicates, bootstrap, |bootstrap, replicate| {
            bootstrap.replicate(asked.seed, replicate as u64)
        })?;
        let trust = ListTrust::new(panel, &recipe, measured, &drawn);
        let interval = |tails| {
            trust
                .consistency(tails, asked.confidence)
                .map(Estimated::from)
        };
        let names = panel.rankings().items();
        checked.trust = Some(TrustedList {
            adr1: interval(Tails::One),
            adr2: interval(Tails::Two),
            places: ListPlaces::new(names, list, trust.shares(), asked.confidence),
        });
        let everyone: Vec<usize> = (0..panel.rankings().assessors().len()).collect();
        if !recipe.list(panel.rankings(), &everyone).same_groups(list) {
            others.push(checked.query.clone());
        }
    }
    let (systems, pairs) = trusted_systems(request, asked, queries, &panels, work)?;
    let trust = Trust {
        replicates: asked.replicates,
        seed: asked.seed,
        confidence: asked.confidence,
        shared_assessors: asked.shared_assessors,
        aggregate: recipe.aggregation,
        alpha: recipe.alpha,
        systems,
        pairs,
    };
    let made = format!("{} makes of the rankings", recipe.aggregation);
    let note = (!others.is_empty()).then_some(CheckNote::OtherLists(made, others));
    Ok((trust, note))
}

fn trusted_systems(
    request: &CheckRequest<'_>,
    asked: &TrustRequest<'_>,
    queries: &[usize],
    panels: &[Panel<'_>],
    work: &dyn Work,
) -> Result<(Vec<TrustedSystem>, Vec<TrustedSystems>), Stopped> {
    if asked.systems.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let of_queries = |system: &SystemRankings| -> Vec<Ranking> {
        let rankings = queries.iter().map(|&query| system.ranking(query));
        rankings
            .map(|ranking| ranking.cloned().unwrap_or_default())
            .collect()
    };
    let rankings: Vec<Vec<Ranking>> = asked.systems.iter().map(of_queries).collect();
    let systems = Systems::new(panels, request.recipe, &rankings);
    let make = || systems.clone();
    let drawn = work.map_with(asked.replicates, make, |systems, replicate| {
        systems.replicate(asked.seed, replicate as u64)
    })?;
    let trust = systems.trust(&drawn);
    let name = |system: usize| asked.systems[system].system.clone();
    let systems = 0..asked.systems.len();
    let pairs = systems.clone().flat_map(|a| {
        let later = a + 1..asked.systems.len();
        later.map(move |b| (a, b))
    });
    let pairs = pairs.map(|(a, b)| TrustedSystems {
        a: name(a),
        b: name(b),
        difference: trust
            .difference(a, b, asked.confidence)
            .map(Estimated::from),
        p_a_better: trust.better(a, b),
        p_b_better: trust.better(b, a),
    });
    let systems = systems.map(|number| {
        let interval = trust.interval(number, asked.confidence);
        TrustedSystem {
            system: name(number),
            adr: Some(trust.scores()[number]).filter(|score| !score.is_nan()),
            lower: interval.map(|interval| interval.lower),
            upper: interval.map(|interval| interval.upper),
        }
    });
    Ok((systems.collect(), pairs.collect()))
}
