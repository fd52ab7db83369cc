//! The paper's sort, its votes read by a model.

use partita_core::{GroupedList, Item};

use super::{Request, Sorting, Strategy};
use crate::list_votes::ListVotes;
use crate::model::{Davidson, Grouping};
use crate::relation::Relation;
use crate::votes::Votes;

/// Asks as the self-organising sort does, and makes the list by [Davidson's model](Davidson) of all
/// votes: how votes are collected does not change, only what is made of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Refitted {
    /// What is asked.
    pub sorting: Sorting,
    /// How the list is cut into groups.
    pub grouping: Grouping,
}

impl Strategy for Refitted {
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<Request> {
        self.sorting.requests(votes, out, seed)
    }

    fn list(&self, votes: &ListVotes, _seed: u64) -> GroupedList {
        self.grouping
            .list(&Davidson::default().fit(votes), votes.spread())
    }

    fn grouping(&self, _items: usize) -> Option<Grouping> {
        Some(self.grouping)
    }

    fn relation(&self, votes: Votes) -> Option<Relation> {
        self.sorting.relation(votes)
    }

    fn in_rounds(&self) -> bool {
        self.sorting.in_rounds()
    }

    fn orders_inside_groups(&self) -> bool {
        true
    }
}
