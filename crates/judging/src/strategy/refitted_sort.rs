//! The paper's sort, its votes read by a model.

use partita_core::{GroupedList, Item};

use super::{PairRequest, SortStrategy, Strategy};
use crate::model::{DavidsonModel, GroupingRule};
use crate::votes::Votes;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::Relation;

/// Asks as the self-organising sort does, and makes the list by [Davidson's model](Davidson) of all
/// votes: how votes are collected does not change, only what is made of them.
#[derive(Clone, Debug, PartialEq)]
pub struct RefittedSortStrategy {
    /// What is asked.
    pub sorting: SortStrategy,
    /// How the list is cut into groups.
    pub grouping: GroupingRule,
}

impl Strategy for RefittedSortStrategy {
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<PairRequest> {
        self.sorting.requests(votes, out, seed)
    }

    fn list(&self, votes: &ListVotes, _seed: u64) -> GroupedList {
        self.grouping
            .list(&DavidsonModel::default().fit(votes), votes.vote_spread())
    }

    fn grouping(&self, _items: usize) -> Option<GroupingRule> {
        Some(self.grouping)
    }

    fn decided_relation(&self, votes: Votes) -> Option<Relation> {
        self.sorting.decided_relation(votes)
    }

    fn asks_in_rounds(&self) -> bool {
        self.sorting.asks_in_rounds()
    }

    fn orders_inside_groups(&self) -> bool {
        true
    }
}
