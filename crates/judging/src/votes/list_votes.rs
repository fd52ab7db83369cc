//! All votes on the pairs of one list.

use partita_core::{Item, Preference};

use crate::model::vote_spread;
use crate::votes::Votes;

/// The votes on every pair of a list, whichever item was shown first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListVotes {
    items: usize,
    /// The pair (a, b) with a < b is at b(b-1)/2 + a.
    votes: Vec<Votes>,
}

impl ListVotes {
    /// No votes yet on the pairs of this many items.
    pub fn new(items: usize) -> Self {
        Self {
            items,
            votes: vec![Votes::default(); items * items.saturating_sub(1) / 2],
        }
    }

    /// The number of items.
    pub fn items(&self) -> usize {
        self.items
    }

    /// The number of votes.
    pub fn len(&self) -> usize {
        self.votes.iter().map(|votes| votes.len() as usize).sum()
    }

    /// The [spread](crate::spread_of_votes) of the votes.
    pub fn vote_spread(&self) -> f64 {
        let (mut equal, mut all) = (0.0, 0.0);
        for votes in &self.votes {
            equal += f64::from(votes.equal);
            all += f64::from(votes.len());
        }
        vote_spread(equal, all)
    }

    /// Whether there are no votes.
    pub fn is_empty(&self) -> bool {
        self.votes.iter().all(Votes::is_empty)
    }

    /// Counts one more vote.
    pub fn add(&mut self, a: Item, b: Item, answer: Preference) {
        let (place, swapped) = self.index(a, b);
        self.votes[place].add(if swapped { answer.mirrored() } else { answer });
    }

    /// Puts these votes on a pair in the place of those that it has.
    pub(crate) fn set(&mut self, a: Item, b: Item, votes: Votes) {
        let (place, swapped) = self.index(a, b);
        self.votes[place] = if swapped { votes.mirrored() } else { votes };
    }

    /// The votes on a pair.
    pub fn get(&self, a: Item, b: Item) -> Votes {
        let (place, swapped) = self.index(a, b);
        let votes = self.votes[place];
        if swapped { votes.mirrored() } else { votes }
    }

    /// Every pair that has votes, the item with the lower number first.
    pub fn pairs(&self) -> impl Iterator<Item = (Item, Item, Votes)> {
        let all = (0..self.items).flat_map(|b| (0..b).map(move |a| (a, b)));
        let voted = all.zip(&self.votes).filter(|(_, votes)| !votes.is_empty());
        voted.filter_map(|((a, b), votes)| {
            Some((Item::from_index(a)?, Item::from_index(b)?, *votes))
        })
    }

    fn index(&self, a: Item, b: Item) -> (usize, bool) {
        let (low, high) = (a.index().min(b.index()), a.index().max(b.index()));
        assert!(low < high && high < self.items, "no pair of the list");
        (high * (high - 1) / 2 + low, a.index() > b.index())
    }
}
