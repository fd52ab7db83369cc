//! How far a list from preferences can be trusted, given that other people would have made another.

use std::collections::HashMap;

use partita_core::truth::PlacementCounts;
use partita_core::{GroupedList, Item, Preference, Preferences, QueryPreferences, Vote};
use partita_stats::random::{shuffle, stream, stream_id, uniform_index};

use super::build::{Provenance, ReconstructedList};
use crate::sort::{RelationMatrix, SelfOrganisingSort};
use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::relation::{Relation, group_numbers};

/// The people who answered, ready to be drawn again: the bootstrap over assessors.
///
/// A person is drawn with all of their answers to all queries, because these hang together; so the
/// number of votes on a pair varies from draw to draw around the number it has. A draw is a function
/// of the seed, the number of the replicate and the names of the people, and not of the order of
/// their answers.
#[derive(Clone, Debug)]
pub struct AssessorResampler {
    /// The numbers of the people in the order of their names.
    by_name: Vec<usize>,
}

impl AssessorResampler {
    /// The people who gave these answers.
    pub fn new(preferences: &Preferences) -> Self {
        let people = preferences.assessors().sorted_items().into_iter();
        Self {
            by_name: people.map(Item::index).collect(),
        }
    }

    /// How often each person, by number, is in a replicate: as many are drawn as there are.
    pub fn draw(&self, seed: u64, replicate: u64) -> Vec<u32> {
        self.multiplicities(&self.resample(seed, replicate))
    }

    /// The same for a replicate of a replicate: drawn from those of [`PeopleDrawn::draw`] as those
    /// were from all.
    ///
    /// The first draw stands for not knowing who there is to be asked, the second for asking some of
    /// them: so this is what other people would say.
    pub fn draw_nested(&self, seed: u64, replicate: u64) -> Vec<u32> {
        let drawn = self.resample(seed, replicate);
        let mut random = stream(seed, &[stream_id::ASSESSORS_AGAIN, replicate]);
        let again: Vec<usize> = (drawn.iter())
            .map(|_| drawn[uniform_index(&mut random, drawn.len())])
            .collect();
        self.multiplicities(&again)
    }

    fn resample(&self, seed: u64, replicate: u64) -> Vec<usize> {
        let mut random = stream(seed, &[stream_id::ASSESSORS, replicate]);
        let people = &self.by_name;
        (people.iter())
            .map(|_| people[uniform_index(&mut random, people.len())])
            .collect()
    }

    fn multiplicities(&self, people: &[usize]) -> Vec<u32> {
        let mut times = vec![0; self.by_name.len()];
        people.iter().for_each(|&person| times[person] += 1);
        times
    }
}

/// What is made of a pair that the sort of a replicate needs and nobody drawn compared.
///
/// Neither is true. If it is as listed, a list changes only where answers change it, and looks firmer
/// than it is; if it is equal, groups melt together, and their numbers come out too low. So every
/// other replicate does the one and the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingPairRule {
    /// It is as in the list of all answers.
    AsListed,
    /// It is equal, as for a list of all answers.
    Equal,
}

/// The list of one replicate, and what it was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct PreferenceReplicate {
    /// The list.
    pub list: GroupedList,
    /// How a relates to b in every pair that was compared, in the order of the decisions; `None`
    /// where nobody drawn compared it.
    pub relations: Vec<Option<Relation>>,
    /// The pairs that the sort needed.
    pub needed: usize,
    /// Those of them that nobody drawn compared.
    pub unasked: usize,
}

/// The bootstrap of the list that the answers to one query make.
///
/// Every replicate decides each pair by the votes of the people drawn, and runs the sort that made
/// the list on these decisions: from the same order if that is known, or else with pivots as the
/// record has them, which are the items that were compared with all of their segment.
///
/// To use several threads, give each its own: it remembers decisions, which changes no result.
#[derive(Clone, Debug)]
pub struct PreferenceBootstrap<'b> {
    built: &'b ReconstructedList,
    rule: DecisionRule,
    width: usize,
    /// The answers: the place of the pair, who gave it, and what it says of a and b of the pair.
    answers: Vec<(usize, usize, Preference)>,
    /// The place of each item by name.
    by_name: Vec<usize>,
    /// Which of two equally good pivots comes first, by their places.
    ties: Vec<usize>,
    /// The group of each item in the list of all answers.
    group: Vec<usize>,
    decided: HashMap<Votes, Relation>,
}

/// How many orders of pivots are tried until one gives the list of all answers.
const ORDERS: u64 = 64;

impl<'b> PreferenceBootstrap<'b> {
    /// The bootstrap of a list that was [built](super::build()) from this query by this rule.
    pub fn new(query: &QueryPreferences, built: &'b ReconstructedList, rule: DecisionRule) -> Self {
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
            rule,
            width,
            answers: query.votes().iter().filter_map(answer).collect(),
            ties: (0..width).collect(),
            group: group_numbers(&built.list, width),
            decided: HashMap::new(),
        };
        bootstrap.break_ties();
        bootstrap
    }

    /// Finds an order of pivots that leads to the list of all answers, where the record leaves
    /// several open.
    fn break_ties(&mut self) {
        if matches!(self.built.provenance, Provenance::Resorted { .. }) {
            return;
        }
        let first = self.ties.clone();
        for order in 0..ORDERS {
            match order {
                0 => {}
                1 => self.ties.reverse(),
                _ => shuffle(&mut stream(order, &[stream_id::TIES]), &mut self.ties),
            }
            if self.reproduces_list() {
                return;
            }
        }
        self.ties = first;
    }

    /// Whether the sort leads to the list from all answers. It does not where the record breaks off,
    /// or can be read in very many ways.
    pub fn reproduces_list(&self) -> bool {
        let all = self.built.decisions.iter().map(|(_, r)| Some(*r));
        let (list, ..) = self.run_sort(&all.collect::<Vec<_>>(), MissingPairRule::Equal);
        list.has_same_groups(&self.built.list)
    }

    /// One replicate: what other people would make of it. It is a function of the seed, its number and
    /// the answers.
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
        self.replicate_of(&people.draw_nested(seed, replicate), unasked)
    }

    /// The replicate in which each person, by number, is so often.
    pub fn replicate_of(&mut self, times: &[u32], unasked: MissingPairRule) -> PreferenceReplicate {
        let mut votes = vec![Votes::default(); self.built.decisions.len()];
        for &(place, who, answer) in &self.answers {
            votes[place].add_times(answer, times[who]);
        }
        let (rule, known) = (self.rule, &mut self.decided);
        let mut decide = |votes| *known.entry(votes).or_insert_with(|| rule.decide(votes));
        let relations: Vec<Option<Relation>> = (votes.into_iter())
            .map(|votes| (!votes.is_empty()).then(|| decide(votes)))
            .collect();
        let (list, needed, unasked) = self.run_sort(&relations, unasked);
        PreferenceReplicate {
            list,
            relations,
            needed,
            unasked,
        }
    }

    /// The sort on these decisions, how many pairs it needed, and how many of them are not decided.
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
        let mut sort = SelfOrganisingSort::new(order);
        let (mut needed, mut missing) = (0, 0);
        while !sort.is_done() {
            for (pivot, other) in sort.questions() {
                needed += 1;
                let relation = known.get(pivot, other).unwrap_or_else(|| {
                    missing += 1;
                    self.assumed(pivot, other, unasked)
                });
                sort.record(pivot, other, relation);
            }
            sort.advance();
        }
        (sort.list(), needed, missing)
    }

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
            let tie = |item: Item| self.ties[self.by_name[item.index()]];
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
                        known.set(pivot, other, self.assumed(pivot, other, unasked));
                    }
                }
            }
            let parts = known.partition(&segment, pivot);
            // The last is looked at first, so the earlier segments come off the stack first.
            open.extend(parts.into_iter().rev().filter(|part| !part.is_empty()));
        }
        let list = GroupedList::new(closed)
            .expect("segments part the items: none is empty, none holds an item of another");
        (list, needs, missing)
    }

    /// How a relates to b if nobody drawn compared them.
    fn assumed(&self, a: Item, b: Item, unasked: MissingPairRule) -> Relation {
        match unasked {
            MissingPairRule::Equal => Relation::Equal,
            MissingPairRule::AsListed => {
                Relation::from_group_numbers(self.group[a.index()], self.group[b.index()])
            }
        }
    }
}

/// What replicates say of a list: how other people would decide its pairs and place its items.
///
/// In simulated campaigns like the published one (`tests/integration/trust.rs`: 79 people of unequal diligence,
/// ten votes a pair), lists of 8, 14 and 20 items, 95% intervals held the group of an item in the list
/// of other people in 96%, 98% and 99% of cases, and its true group in 98%. Where the list of other
/// people was said to have a pair one way with a chance of 0.92 to 0.94, it did in 90%, 95% and 97%.
///
/// The decisions of single pairs are another matter: a pair's own ten votes drawn again take luck for
/// difference, and of decisions said to fall one way with 0.70 only 52% to 59% did. Their odds are
/// better taken from [`Predictive`](crate::Predictive), as [`check_preferences`](crate::check_preferences)
/// does.
#[derive(Clone, Debug)]
pub struct PreferenceBootstrapResult {
    shares: PlacementCounts,
    relations: Vec<[f64; 3]>,
    unasked: Option<f64>,
}

impl PreferenceBootstrapResult {
    /// What these replicates say of a list of this many items, of which so many pairs were compared.
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

    /// Where the items stand in the lists of the replicates.
    pub fn shares(&self) -> &PlacementCounts {
        &self.shares
    }

    /// How often a of each pair was preferred, neither, and b, in the order of the decisions: shares of
    /// the replicates in which somebody drawn compared it.
    pub fn relations(&self) -> &[[f64; 3]] {
        &self.relations
    }

    /// The share of the pairs that the sorts needed and nobody drawn had compared: how much of the
    /// lists was assumed.
    pub fn assumed_share(&self) -> Option<f64> {
        self.unasked
    }
}
