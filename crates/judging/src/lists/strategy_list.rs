//! Lists that the strategy of a campaign makes of its votes, and their bootstrap.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use partita_core::{GroupedList, Item, Names, Preference, QueryPreferences};

use super::bootstrap::{MissingPairRule, complete_sort};
use crate::model::{
    AssessorVote, GroupingRule, ListAssessorVotes, WeightedVotes, one_group, vote_spread,
};
use crate::sort::RelationMatrix;
use crate::strategy::Strategy;
use crate::votes::Votes;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::{Relation, group_numbers};

/// Lists of a campaign as its strategy makes them of the votes that count, with these votes.
#[derive(Clone, Debug)]
pub struct StrategyLists {
    /// List of each query, by query name.
    pub(crate) lists: HashMap<String, StrategyList>,
    /// Names of the assessors, by their numbers in the votes.
    pub(crate) assessors: Vec<String>,
}

/// List of one query as a strategy makes it of votes. Items with the same content form one class,
/// which the list and the votes treat as one item.
#[derive(Clone)]
pub(crate) struct StrategyList {
    /// Name and class of each item.
    pub(crate) classes: Vec<(String, Item)>,
    /// List of the classes.
    pub(crate) list: GroupedList,
    /// Votes that the strategy sees.
    pub(crate) votes: ListAssessorVotes,
    /// Weights of the votes in the model that makes the list; `None` if a sort makes it.
    pub(crate) weights: Option<Vec<f64>>,
    /// Rule that groups the items of a list that a model makes.
    pub(crate) grouping: Option<GroupingRule>,
    /// Strategy that makes the list.
    pub(crate) strategy: Arc<dyn Strategy>,
    /// Seed of the strategy for this list.
    pub(crate) seed: u64,
}

impl fmt::Debug for StrategyList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StrategyList")
            .field("list", &self.list)
            .finish_non_exhaustive()
    }
}

impl StrategyLists {
    /// Returns the bootstrap of the list of this query, whose votes are of `assessors`.
    pub(super) fn resampled<'l>(
        &'l self,
        query: &QueryPreferences,
        assessors: &Names,
    ) -> ResampledStrategyList<'l> {
        let made = self.lists.get(query.name());
        let made = made.expect("the votes are about lists of the campaign");
        let mut members = vec![Vec::new(); made.votes.items];
        for (name, class) in &made.classes {
            members[class.index()].extend(query.items().get(name));
        }
        let number = |vote: &AssessorVote| {
            let assessor = assessors.get(&self.assessors[vote.person]);
            assessor
                .expect("a vote that counts is one of the answers")
                .index()
        };
        ResampledStrategyList {
            made,
            members,
            assessors: made.votes.votes.iter().map(number).collect(),
            weighted: WeightedVotes::new(&made.votes),
            groups: group_numbers(&made.list, made.votes.items),
        }
    }
}

/// Bootstrap of a list that a strategy makes of votes: the strategy makes it again of the votes of
/// resampled assessors. A model keeps the weights that the votes have in the fit to all of them.
#[derive(Clone, Debug)]
pub(super) struct ResampledStrategyList<'l> {
    made: &'l StrategyList,
    /// Compared items of each class, in the numbers of the answers.
    members: Vec<Vec<Item>>,
    /// Number of the assessor of each vote in the answers.
    assessors: Vec<usize>,
    weighted: WeightedVotes<'l>,
    /// Group number of each class in the list.
    groups: Vec<usize>,
}

impl ResampledStrategyList<'_> {
    /// Returns the list of the compared items that the strategy makes of all votes.
    pub(super) fn list(&self) -> GroupedList {
        self.expand(&self.made.list)
    }

    /// Returns the list in which assessor i occurs `times(i)` times, the number of pairs that its
    /// sort needed, and the number of those without votes. `decide` decides the votes on pairs that
    /// the strategy would ask again.
    pub(super) fn resample(
        &self,
        times: impl Fn(usize) -> u32,
        unasked: MissingPairRule,
        mut decide: impl FnMut(Votes) -> Relation,
    ) -> (GroupedList, usize, usize) {
        let (items, strategy) = (self.made.votes.items, &self.made.strategy);
        if let (Some(weights), Some(grouping)) = (&self.made.weights, self.made.grouping) {
            let repeated = weights.iter().zip(&self.assessors);
            let repeated: Vec<f64> = repeated
                .map(|(weight, &assessor)| weight * f64::from(times(assessor)))
                .collect();
            let fit = self.weighted.fit(&self.weighted.weights(&repeated));
            let (mut equal, mut all) = (0.0, 0.0);
            for (vote, &assessor) in self.made.votes.votes.iter().zip(&self.assessors) {
                let count = f64::from(times(assessor));
                all += count;
                equal += count * f64::from(u8::from(vote.answer == Preference::Equal));
            }
            let list = if equal < all {
                grouping.list_by_spread(&fit, vote_spread(equal, all))
            } else {
                one_group(&fit)
            };
            return (self.expand(&list), 0, 0);
        }
        let mut votes = ListVotes::new(items);
        for (vote, &assessor) in self.made.votes.votes.iter().zip(&self.assessors) {
            let mut of_pair = votes.get(vote.a, vote.b);
            of_pair.add_times(vote.answer, times(assessor));
            votes.set(vote.a, vote.b, of_pair);
        }
        let mut known = RelationMatrix::new(items);
        for (a, b, of_pair) in votes.pairs() {
            let decided = strategy.decided_relation(of_pair);
            known.set(a, b, decided.unwrap_or_else(|| decide(of_pair)));
        }
        let Some(sort) = strategy.initial_sort(items, self.made.seed) else {
            // A strategy that neither sorts nor fits a model makes its list of the votes alone.
            let list = strategy.list(&votes, self.made.seed);
            return (self.expand(&list), 0, 0);
        };
        let (list, needed, missing) = complete_sort(sort, &known, |a, b| {
            unasked.relation(self.groups[a.index()], self.groups[b.index()])
        });
        (self.expand(&list), needed, missing)
    }

    /// Replaces the classes of a list by their compared items.
    fn expand(&self, list: &GroupedList) -> GroupedList {
        let items = |group: &[Item]| -> Vec<Item> {
            let members = group.iter().flat_map(|class| &self.members[class.index()]);
            members.copied().collect()
        };
        let groups = list.groups().map(items).filter(|group| !group.is_empty());
        GroupedList::new(groups).expect("each item is in one class")
    }
}
