//! All votes on the pairs of one list.

use partita_core::{Item, Preference};

use crate::model::vote_spread;
use crate::votes::Votes;

/// Votes on every pair of a list of items, independent of the displayed sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListVotes {
    items: usize,
    /// Votes by pair: the votes on (a, b) with a < b are at index b(b-1)/2 + a.
    votes: Vec<Votes>,
}

impl ListVotes {
    /// Creates the votes of a list of `items` items, with no votes yet.
    pub fn new(items: usize) -> Self {
        Self {
            items,
            votes: vec![Votes::default(); items * items.saturating_sub(1) / 2],
        }
    }

    /// Returns the number of items of the list.
    pub fn items(&self) -> usize {
        self.items
    }

    /// Returns the number of votes on all pairs.
    pub fn len(&self) -> usize {
        self.votes.iter().map(|votes| votes.len() as usize).sum()
    }

    /// Returns the root mean square of all votes as -1, 0 or 1
    /// ([`vote_spread`]).
    pub fn vote_spread(&self) -> f64 {
        let (mut equal, mut all) = (0.0, 0.0);
        for votes in &self.votes {
            equal += f64::from(votes.equal);
            all += f64::from(votes.len());
        }
        vote_spread(equal, all)
    }

    /// Returns true if there are no votes.
    pub fn is_empty(&self) -> bool {
        self.votes.iter().all(Votes::is_empty)
    }

    /// Returns true if at least one vote prefers an item to the other.
    pub fn has_preferences(&self) -> bool {
        self.votes.iter().any(|votes| votes.a > 0 || votes.b > 0)
    }

    /// Adds one vote on the pair (a, b).
    pub fn add(&mut self, a: Item, b: Item, answer: Preference) {
        let (place, swapped) = self.pair_index(a, b);
        self.votes[place].add(if swapped { answer.mirrored() } else { answer });
    }

    /// Replaces the votes on the pair (a, b).
    pub(crate) fn set(&mut self, a: Item, b: Item, votes: Votes) {
        let (place, swapped) = self.pair_index(a, b);
        self.votes[place] = if swapped { votes.mirrored() } else { votes };
    }

    /// Returns the votes on the pair (a, b), as votes for a, equal, and b.
    pub fn get(&self, a: Item, b: Item) -> Votes {
        let (place, swapped) = self.pair_index(a, b);
        let votes = self.votes[place];
        if swapped { votes.mirrored() } else { votes }
    }

    /// Returns every pair that has votes, the item with the lower number first.
    pub fn pairs(&self) -> impl Iterator<Item = (Item, Item, Votes)> {
        let all = (0..self.items).flat_map(|b| (0..b).map(move |a| (a, b)));
        let voted = all.zip(&self.votes).filter(|(_, votes)| !votes.is_empty());
        voted.filter_map(|((a, b), votes)| {
            Some((Item::from_index(a)?, Item::from_index(b)?, *votes))
        })
    }

    /// Returns the index of a pair in `votes`, and true if a has the higher item number.
    fn pair_index(&self, a: Item, b: Item) -> (usize, bool) {
        let (low, high) = (a.index().min(b.index()), a.index().max(b.index()));
        assert!(low < high && high < self.items, "no pair of the list");
        (high * (high - 1) / 2 + low, a.index() > b.index())
    }
}
