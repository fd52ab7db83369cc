//! Self-organising sort of Urbano et al. (2010), with the list built by a model of its votes.

use partita_core::{GroupedList, Item};

use super::{PairRequest, SortStrategy, Strategy};
use crate::model::{DavidsonModel, GroupingRule};
use crate::votes::Votes;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::Relation;

/// Strategy that asks like the self-organising sort and produces the list by [Davidson's
/// model](DavidsonModel) of all votes. Only the analysis of the votes changes, not their
/// collection.
#[derive(Clone, Debug, PartialEq)]
pub struct RefittedSortStrategy {
    /// Self-organising sort that chooses the pairs.
    pub sorting: SortStrategy,
    /// Rule that divides the list into groups of equal items.
    pub grouping: GroupingRule,
}

impl Strategy for RefittedSortStrategy {
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<PairRequest> {
        self.sorting.requests(votes, out, seed)
    }

    fn list(&self, votes: &ListVotes, _seed: u64) -> GroupedList {
        self.grouping
            .list(&DavidsonModel::default().fit(votes), votes)
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
