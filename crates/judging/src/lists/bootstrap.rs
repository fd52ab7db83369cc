//! Bootstrap of a list from preferences: estimates how it would change with other assessors.

use std::collections::HashMap;

use partita_core::evidence::AssessorResampler;
use partita_core::truth::PlacementCounts;
use partita_core::{GroupedList, Item, Preference, QueryPreferences, Vote};
use partita_stats::random::{shuffle, stream, stream_id};

use super::build::{Provenance, ReconstructedList};
use super::grades::QueryGains;
use super::strategy_list::ResampledStrategyList;
use crate::sort::{RelationMatrix, SelfOrganisingSort};
use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::relation::{Relation, group_numbers};

/// Treatment of a pair that the sort of a replicate needs and no drawn assessor compared.
///
/// Both variants are biased. With `AsListed` a list changes only where answers change it, and looks
/// more stable than it is. With `Equal` groups merge, and their numbers become too low. Replicates
/// therefore alternate between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingPairRule {
    /// The pair gets the relation that its items have in the list built from all answers.
    AsListed,
    /// The items are treated as equal, as uncompared items are when a list is built from all
    /// answers.
    Equal,
}

impl MissingPairRule {
    /// Returns the relation assumed between items of these groups in the list of all answers.
    pub(super) fn relation(self, a: usize, b: usize) -> Relation {
        match self {
            Self::Equal => Relation::Equal,
            Self::AsListed => Relation::from_group_numbers(a, b),
        }
    }
}

/// Construction of a list other than by the sort that its record shows.
#[derive(Clone, Debug)]
pub(super) enum ListConstruction<'b> {
    /// The grades behind the votes make the list.
    Grades(&'b QueryGains),
    /// The strategy of a campaign makes the list.
    Strategy(ResampledStrategyList<'b>),
}

/// List built from the answers of resampled assessors, with the decisions on its pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct PreferenceReplicate {
    /// List that the sort produces from the decisions of the replicate.
    pub list: GroupedList,
    /// Relation of a to b in every compared pair, in the order of [`ReconstructedList::decisions`];
    /// `None` if no drawn assessor compared the pair.
    pub relations: Vec<Option<Relation>>,
    /// Number of pairs whose relation the sort needed.
    pub needed: usize,
    /// Number of needed pairs that no drawn assessor compared, so that their relation was assumed.
    pub unasked: usize,
}

/// Bootstrap of the list built from the answers to one query.
///
/// Every replicate decides each pair from the votes of the drawn assessors and runs the sort that
/// made the list on these decisions. The sort starts from the recorded order if it is known.
/// Otherwise its pivots are those of the record: the items that were compared with all others of
/// their segment.
///
/// Each thread needs its own instance, because it caches decisions. The cache changes no result.
#[derive(Clone, Debug)]
pub struct PreferenceBootstrap<'b> {
    built: &'b ReconstructedList,
    /// Construction of the list; `None` if the recorded sort makes it.
    construction: Option<ListConstruction<'b>>,
    rule: DecisionRule,
    width: usize,
    /// Answers: index of the pair in the decisions, assessor number, and preference between a and b
    /// of the pair.
    answers: Vec<(usize, usize, Preference)>,
    /// Position of each item in the alphabetical order of item names, by item number.
    by_name: Vec<usize>,
    /// Priority of each item among equally good pivots, by its position in the alphabetical order
    /// of names. The item with the lowest value becomes the pivot.
    pivot_priorities: Vec<usize>,
    /// Group number of each item in the list built from all answers.
    group: Vec<usize>,
    decided: HashMap<Votes, Relation>,
}

/// Maximum number of pivot orders that are tried to reproduce the list built from all answers.
const MAX_PIVOT_ORDERS: u64 = 64;

impl<'b> PreferenceBootstrap<'b> {
    /// Creates the bootstrap of a list that [`build_list`](super::build::build_list) made from this
    /// query by this rule.
    pub fn new(query: &QueryPreferences, built: &'b ReconstructedList, rule: DecisionRule) -> Self {
        Self::with_construction(query, built, rule, None)
    }

    /// Creates the bootstrap of a list that is made by this construction, or without one like
    /// [`PreferenceBootstrap::new`].
    pub(super) fn with_construction(
        query: &QueryPreferences,
        built: &'b ReconstructedList,
        rule: DecisionRule,
        construction: Option<ListConstruction<'b>>,
    ) -> Self {
        let width = query.items().len();
        let places: HashMap<(Item, Item), usize> = (built.decisions.iter().enumerate())
            .map(|(place, (pair, _))| ((pair.a, pair.b), place))
            .collect();
        let answer = |given: &Vote| {
            let as_shown = places.get(&(given.a, given.b));
            let turned = || {
                Some((
                    places.get(&(given.b, given.a))?,
                    given.preference.mirrored(),
                ))
            };
            let (&place, answer) = as_shown
                .map(|place| (place, given.preference))
                .or_else(turned)?;
            Some((place, given.assessor.index(), answer))
        };
        let mut by_name = vec![0; width];
        for (place, item) in query.items().sorted_items().into_iter().enumerate() {
            by_name[item.index()] = place;
        }
        let mut bootstrap = Self {
            by_name,
            built,
            construction,
            rule,
            width,
            answers: query.votes().iter().filter_map(answer).collect(),
            pivot_priorities: (0..width).collect(),
            group: group_numbers(&built.list, width),
            decided: HashMap::new(),
        };
        bootstrap.find_pivot_priorities();
        bootstrap
    }

    /// Searches for pivot priorities with which the sort reproduces the list built from all
    /// answers. If none of [`MAX_PIVOT_ORDERS`] does, the priorities stay alphabetical. A list that
    /// was sorted again from a known initial order needs no priorities.
    fn find_pivot_priorities(&mut self) {
        let is_resorted = matches!(self.built.provenance, Provenance::Resorted { .. });
        if is_resorted || self.construction.is_some() {
            return;
        }
        let first = self.pivot_priorities.clone();
        for order in 0..MAX_PIVOT_ORDERS {
            match order {
                0 => {}
                1 => self.pivot_priorities.reverse(),
                _ => shuffle(
                    &mut stream(order, &[stream_id::TIES]),
                    &mut self.pivot_priorities,
                ),
            }
            if self.reproduces_list() {
                return;
            }
        }
        self.pivot_priorities = first;
    }

    /// Returns true if the sort reproduces the list built from all answers. Returns false if the
    /// record is incomplete, or allows so many pivot orders that the right one was not found.
    pub fn reproduces_list(&self) -> bool {
        match &self.construction {
            None => {}
            Some(ListConstruction::Grades(_)) => return true,
            Some(ListConstruction::Strategy(made)) => {
                let decide = |votes| self.rule.decide(votes);
                let (list, ..) = made.resample(|_| 1, MissingPairRule::Equal, decide);
                return list.has_same_groups(&self.built.list);
            }
        }
        let all = self.built.decisions.iter().map(|(_, r)| Some(*r));
        let (list, ..) = self.run_sort(&all.collect::<Vec<_>>(), MissingPairRule::Equal);
        list.has_same_groups(&self.built.list)
    }

    /// Returns one replicate. It is a function of the seed, the replicate number and the answers.
    pub fn replicate(
        &mut self,
        people: &AssessorResampler,
        seed: u64,
        replicate: u64,
    ) -> PreferenceReplicate {
        let unasked = if replicate.is_multiple_of(2) {
            MissingPairRule::AsListed
        } else {
            MissingPairRule::Equal
        };
        let drawn = people.draw_nested(seed, replicate, None);
        self.replicate_with_counts(&people.multiplicities(&drawn), unasked)
    }

    /// Returns the replicate in which assessor i occurs `times[i]` times.
    pub fn replicate_with_counts(
        &mut self,
        times: &[u32],
        unasked: MissingPairRule,
    ) -> PreferenceReplicate {
        let mut votes = vec![Votes::default(); self.built.decisions.len()];
        for &(place, who, answer) in &self.answers {
            votes[place].add_times(answer, times[who]);
        }
        let (rule, known) = (self.rule, &mut self.decided);
        let mut decide = |votes| *known.entry(votes).or_insert_with(|| rule.decide(votes));
        let relations: Vec<Option<Relation>> = (votes.into_iter())
            .map(|votes| (!votes.is_empty()).then(|| decide(votes)))
            .collect();
        let (list, needed, unasked) = match &self.construction {
            Some(ListConstruction::Grades(gains)) => {
                (gains.list(|assessor| times[assessor.index()]), 0, 0)
            }
            Some(ListConstruction::Strategy(made)) => {
                made.resample(|assessor| times[assessor], unasked, decide)
            }
            None => self.run_sort(&relations, unasked),
        };
        PreferenceReplicate {
            list,
            relations,
            needed,
            unasked,
        }
    }

    /// Runs the sort on these relations of the compared pairs. Returns the list, the number of
    /// pairs it needed, and the number of needed pairs without a relation.
    fn run_sort(
        &self,
        relations: &[Option<Relation>],
        unasked: MissingPairRule,
    ) -> (GroupedList, usize, usize) {
        let mut known = RelationMatrix::new(self.width);
        for ((pair, _), relation) in self.built.decisions.iter().zip(relations) {
            if let Some(relation) = relation {
                known.set(pair.a, pair.b, *relation);
            }
        }
        let Provenance::Resorted { order, .. } = &self.built.provenance else {
            return self.run_recorded_sort(known, unasked);
        };
        complete_sort(SelfOrganisingSort::new(order), &known, |a, b| {
            self.assumed_relation(a, b, unasked)
        })
    }

    /// Runs the sort with the pivots of the record, because its initial order is unknown. Returns
    /// the same values as `run_sort`.
    fn run_recorded_sort(
        &self,
        mut known: RelationMatrix,
        unasked: MissingPairRule,
    ) -> (GroupedList, usize, usize) {
        let asked = known.clone();
        let mut needed = RelationMatrix::new(self.width);
        let (mut needs, mut missing) = (0, 0);
        let all: Vec<Item> = (0..self.width).filter_map(Item::from_index).collect();
        let mut open: Vec<Vec<Item>> = vec![all];
        let mut closed: Vec<Vec<Item>> = Vec::new();
        while let Some(segment) = open.pop() {
            let unknown = |item: Item| {
                let mut others = segment.clone();
                others.retain(|&other| other != item && asked.get(item, other).is_none());
                others.len()
            };
            let candidates = segment.iter().copied();
            let candidates = candidates.filter(|&item| !known.is_equal_to_all(item, &segment));
            let tie = |item: Item| self.pivot_priorities[self.by_name[item.index()]];
            let Some(pivot) = candidates.min_by_key(|&item| (unknown(item), tie(item))) else {
                closed.push(segment);
                continue;
            };
            for &other in segment.iter().filter(|&&other| other != pivot) {
                if needed.get(pivot, other).is_none() {
                    needed.set(pivot, other, Relation::Equal);
                    needs += 1;
                    if known.get(pivot, other).is_none() {
                        missing += 1;
                        known.set(pivot, other, self.assumed_relation(pivot, other, unasked));
                    }
                }
            }
            let parts = known.partition(&segment, pivot);
            // Reversed, because segments are taken from the end of the stack: earlier segments come
            // first.
            open.extend(parts.into_iter().rev().filter(|part| !part.is_empty()));
        }
        let list = GroupedList::new(closed).expect("the segments are a partition of the items");
        (list, needs, missing)
    }

    /// Returns the relation assumed for a pair that the sort needs and no drawn assessor compared.
    fn assumed_relation(&self, a: Item, b: Item, unasked: MissingPairRule) -> Relation {
        unasked.relation(self.group[a.index()], self.group[b.index()])
    }
}

/// Completes a sort with these relations of its pairs, and assumed ones for pairs without. Returns
/// the list, the number of pairs that the sort needed, and the number of those that were assumed.
pub(super) fn complete_sort(
    mut sort: SelfOrganisingSort,
    known: &RelationMatrix,
    assume: impl Fn(Item, Item) -> Relation,
) -> (GroupedList, usize, usize) {
    let (mut needed, mut missing) = (0, 0);
    while !sort.is_done() {
        for (pivot, other) in sort.questions() {
            needed += 1;
            let relation = known.get(pivot, other).unwrap_or_else(|| {
                missing += 1;
                assume(pivot, other)
            });
            sort.record(pivot, other, relation);
        }
        sort.advance();
    }
    (sort.list(), needed, missing)
}

/// Summary of the replicates of a list: how a new panel would decide its pairs and place its items.
///
/// Calibration in simulated campaigns like the published one (`make survey`: 79
/// assessors of unequal diligence, ten votes per pair; lists of 8, 14 and 20 items): 95% intervals
/// contained the group of an item in a new panel's list in 96%, 98% and 99% of cases, and its true
/// group in 98%. Orders predicted with probability 0.92 to 0.94 occurred in 90%, 95% and 97% of the
/// new panels' lists.
///
/// Decisions of single pairs are less well calibrated, because resampling a pair's ten votes treats
/// noise as difference: of decisions predicted with probability 0.70 only 52% to 59% occurred. Use
/// [`PredictiveModel`](crate::PredictiveModel) for these, as
/// [`check_preferences`](crate::check_preferences) does.
#[derive(Clone, Debug)]
pub struct PreferenceBootstrapResult {
    shares: PlacementCounts,
    relations: Vec<[f64; 3]>,
    unasked: Option<f64>,
}

impl PreferenceBootstrapResult {
    /// Summarises the replicates of a list with `items` items and `pairs` compared pairs.
    pub fn new(items: usize, pairs: usize, replicates: &[PreferenceReplicate]) -> Self {
        let mut counts = vec![[0_u32; 3]; pairs];
        for replicate in replicates {
            for (counts, relation) in counts.iter_mut().zip(&replicate.relations) {
                if let Some(relation) = relation {
                    counts[*relation as usize] += 1;
                }
            }
        }
        let relations = counts.iter().map(|counts| {
            let all = f64::from(counts.iter().sum::<u32>().max(1));
            counts.map(|count| f64::from(count) / all)
        });
        let sum =
            |of: fn(&PreferenceReplicate) -> usize| -> usize { replicates.iter().map(of).sum() };
        let needed = sum(|replicate| replicate.needed);
        Self {
            shares: PlacementCounts::from_lists(
                items,
                replicates.iter().map(|replicate| &replicate.list),
            ),
            relations: relations.collect(),
            unasked: (needed > 0)
                .then(|| sum(|replicate| replicate.unasked) as f64 / needed as f64),
        }
    }

    /// Returns how often the replicates put each item into each group, and each pair into each
    /// order.
    pub fn shares(&self) -> &PlacementCounts {
        &self.shares
    }

    /// Returns, for each pair in the order of [`ReconstructedList::decisions`], the shares of
    /// replicates that prefer a, find the items equal, and prefer b. Replicates in which no drawn
    /// assessor compared the pair are left out; all shares are 0 if none is left.
    pub fn relations(&self) -> &[[f64; 3]] {
        &self.relations
    }

    /// Returns the share of the pairs needed by the sorts whose relation was assumed, because no
    /// drawn assessor had compared them; `None` if no pair was needed.
    pub fn assumed_share(&self) -> Option<f64> {
        self.unasked
    }
}
