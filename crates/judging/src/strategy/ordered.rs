//! The paper's sort, with its ties broken by its own votes.

use partita_core::{GroupedList, Item};

use super::{Request, Sorting, Strategy};
use crate::list_votes::ListVotes;
use crate::relation::Relation;
use crate::sort::Pivot;
use crate::votes::Votes;

/// Asks as the self-organising sort does and makes the same groups, and puts the items of a group in
/// the order of their net votes beside the others of the group: as many votes, and more of what they
/// say.
///
/// All pairs of a group have the same number of votes once it is settled, so net votes are a fair
/// count. Items with the same number stay as the sort left them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordered {
    /// What is asked.
    pub sorting: Sorting,
}

/// How many more votes an item has than the others of its group beside it.
fn net(votes: &ListVotes, item: Item, group: &[Item]) -> i64 {
    let others = group.iter().filter(|&&other| other != item);
    let net = others.map(|&other| {
        let Votes { a, b, .. } = votes.of(item, other);
        i64::from(a) - i64::from(b)
    });
    net.sum()
}

impl Strategy for Ordered {
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<Request> {
        self.sorting.requests(votes, out, seed)
    }

    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList {
        let sorted = self.sorting.list(votes, seed);
        let ordered = sorted.groups().map(|group| {
            let mut items = group.to_vec();
            items.sort_by_key(|&item| std::cmp::Reverse(net(votes, item, group)));
            items
        });
        GroupedList::new(ordered).expect("the groups of a list stay what they are")
    }

    fn relation(&self, votes: Votes) -> Option<Relation> {
        self.sorting.relation(votes)
    }

    fn orders_inside_groups(&self) -> bool {
        true
    }

    fn with_prior(&self, places: Vec<usize>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Self {
            sorting: self.sorting.clone().with_pivot(Pivot::Prior(places)),
        }))
    }
}
