//! The votes of every pair of a query.

use std::collections::HashMap;

use partita_core::{Item, Names, QueryPreferences};

use crate::votes::Votes;

/// The votes on one pair, a being the item that was shown first most often; if both were so as
/// often, the one whose name comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairVotes {
    /// One item.
    pub a: Item,
    /// The other.
    pub b: Item,
    /// What people say of the two.
    pub votes: Votes,
    /// The batch in which it was first asked, counted from 0.
    pub batch: usize,
}

impl PairVotes {
    /// The votes with the item whose name comes first for a: which sides were shown, and in which
    /// order, changes nothing about them.
    pub fn votes_by_name(&self, names: &Names) -> Votes {
        if names.name(self.a) < names.name(self.b) {
            self.votes
        } else {
            self.votes.mirrored()
        }
    }
}

/// The pairs of a query in the order of their names, with their votes.
pub fn pair_votes(query: &QueryPreferences) -> Vec<PairVotes> {
    let mut pairs: Vec<PairVotes> = Vec::new();
    // By how much more often a of each pair was shown first than b.
    let mut leads: Vec<i64> = Vec::new();
    let mut places: HashMap<(Item, Item), usize> = HashMap::new();
    for given in query.votes() {
        let key = (given.a.min(given.b), given.a.max(given.b));
        let place = *places.entry(key).or_insert_with(|| {
            pairs.push(PairVotes {
                a: given.a,
                b: given.b,
                votes: Votes::default(),
                batch: given.batch,
            });
            leads.push(0);
            pairs.len() - 1
        });
        let pair = &mut pairs[place];
        if pair.a == given.a {
            leads[place] += 1;
            pair.votes.add(given.preference);
        } else {
            leads[place] -= 1;
            pair.votes.add(given.preference.mirrored());
        }
        pair.batch = pair.batch.min(given.batch);
    }
    let name = |item| query.items().name(item);
    for (pair, lead) in pairs.iter_mut().zip(leads) {
        if lead < 0 || lead == 0 && name(pair.b) < name(pair.a) {
            std::mem::swap(&mut pair.a, &mut pair.b);
            pair.votes = pair.votes.mirrored();
        }
    }
    pairs.sort_by_key(|pair| (name(pair.a), name(pair.b)));
    pairs
}
