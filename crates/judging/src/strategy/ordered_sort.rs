//! Self-organising sort of Urbano et al. (2010), with the items of a group ordered by their votes.

use partita_core::{GroupedList, Item};

use super::{PairRequest, SortStrategy, Strategy};
use crate::sort::{PivotRule, SelfOrganisingSort};
use crate::votes::Votes;
use crate::votes::list_votes::ListVotes;
use crate::votes::relation::Relation;

/// Strategy that asks like the self-organising sort and produces the same groups, but orders the
/// items of a group by their net votes: votes for an item minus votes against it, as a share of all
/// votes on it. It needs no additional votes.
///
/// The items of a group were compared with the same pivots and with each other, so the shares are
/// comparable. Items with the same share keep the order of the sort.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedSortStrategy {
    /// Self-organising sort that chooses the pairs and makes the groups.
    pub sorting: SortStrategy,
}

/// Returns, for each item, the votes for it minus the votes against it, as a share of all votes on
/// it.
fn net_votes(votes: &ListVotes) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); votes.items()];
    for (a, b, of_pair) in votes.pairs() {
        let net = f64::from(of_pair.a) - f64::from(of_pair.b);
        for (item, net) in [(a, net), (b, -net)] {
            let (sum, count) = &mut sums[item.index()];
            *sum += net;
            *count += f64::from(of_pair.len());
        }
    }
    let share = |(sum, count): (f64, f64)| sum / f64::max(count, 1.0);
    sums.into_iter().map(share).collect()
}

impl Strategy for OrderedSortStrategy {
    fn requests(&self, votes: &ListVotes, out: &[(Item, Item)], seed: u64) -> Vec<PairRequest> {
        self.sorting.requests(votes, out, seed)
    }

    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList {
        let sorted = self.sorting.list(votes, seed);
        let net = net_votes(votes);
        let ordered = sorted.groups().map(|group| {
            let mut items = group.to_vec();
            items.sort_by(|x, y| net[y.index()].total_cmp(&net[x.index()]));
            items
        });
        GroupedList::new(ordered).expect("ordering items within groups keeps the list valid")
    }

    fn initial_sort(&self, items: usize, seed: u64) -> Option<SelfOrganisingSort> {
        self.sorting.initial_sort(items, seed)
    }

    fn decided_relation(&self, votes: Votes) -> Option<Relation> {
        self.sorting.decided_relation(votes)
    }

    fn orders_inside_groups(&self) -> bool {
        true
    }

    fn with_prior(&self, places: Vec<usize>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Self {
            sorting: self.sorting.clone().with_pivot(PivotRule::Prior(places)),
        }))
    }
}
