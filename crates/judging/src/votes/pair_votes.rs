//! Votes on every pair of a query.

use std::collections::HashMap;

use partita_core::{Item, Names, QueryPreferences};

use crate::votes::Votes;

/// Votes on one pair. Item a is the one shown first most often; if both were shown first equally
/// often, the one whose name sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairVotes {
    /// Item that was shown first more often; if neither was, the one whose name sorts first.
    pub a: Item,
    /// The other item of the pair.
    pub b: Item,
    /// Votes of all assessors on the pair.
    pub votes: Votes,
    /// Batch in which the pair was first asked, counted from 0.
    pub batch: usize,
}

impl PairVotes {
    /// Returns the votes with the item whose name sorts first as a. The result does not depend on
    /// the displayed sides or on the order of answers.
    pub fn votes_by_name(&self, names: &Names) -> Votes {
        if names.name(self.a) < names.name(self.b) {
            self.votes
        } else {
            self.votes.mirrored()
        }
    }
}

/// Returns the pairs of a query with their votes, in the order of item names.
pub fn pair_votes(query: &QueryPreferences) -> Vec<PairVotes> {
    let mut pairs: Vec<PairVotes> = Vec::new();
    // Excess of the number of times that a was shown first over b.
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
