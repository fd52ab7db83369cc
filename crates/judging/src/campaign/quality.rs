//! How well a list predicts votes that it was not made of.

use partita_core::GroupedList;
use schemars::JsonSchema;
use serde::Serialize;

use super::Campaign;
use super::pair::PairKey;
use crate::relation::{Relation, groups_of};
use crate::votes::Votes;

/// How well lists predict votes on random pairs that were held out.
///
/// Pairs that are chosen by the answers so far flatter the list that is made of them; these were
/// drawn before the first answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Quality {
    /// The pairs with votes.
    pub pairs: usize,
    /// The votes on them.
    pub votes: u64,
    /// The votes that say what the list says of the pair.
    pub same: u64,
    /// The votes that prefer an item which the list ranks below the other.
    pub opposite: u64,
    /// How far the votes agree with the list as two people would: 1 if they say the same, ½ if one
    /// of them prefers neither, 0 if they prefer different items (Urbano et al. 2010, section 5.3).
    pub agreement: Option<f64>,
}

impl Quality {
    /// How well a list of so many items predicts these votes.
    fn of(list: &GroupedList, items: usize, held: impl Iterator<Item = (PairKey, Votes)>) -> Self {
        let groups = groups_of(list, items);
        let mut quality = Self::default();
        for ((a, b), votes) in held {
            let (same, opposite) = match Relation::of_groups(groups[a.index()], groups[b.index()]) {
                Relation::Less => (votes.a, votes.b),
                Relation::Equal => (votes.equal, 0),
                Relation::Greater => (votes.b, votes.a),
            };
            quality.pairs += 1;
            quality.votes += u64::from(votes.len());
            quality.same += u64::from(same);
            quality.opposite += u64::from(opposite);
        }
        quality.with_agreement()
    }

    /// The two together.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            pairs: self.pairs + other.pairs,
            votes: self.votes + other.votes,
            same: self.same + other.same,
            opposite: self.opposite + other.opposite,
            agreement: None,
        }
        .with_agreement()
    }

    fn with_agreement(self) -> Self {
        // What is neither the same nor the opposite is half of each.
        let agreement = (self.votes + self.same - self.opposite) as f64 / (2 * self.votes) as f64;
        Self {
            agreement: (self.votes > 0).then_some(agreement),
            ..self
        }
    }
}

impl Campaign {
    /// How well a list predicts the votes on its held-out pairs.
    pub fn quality_of(&self, list: usize) -> Quality {
        let (number, list) = (list, &self.lists[list]);
        if list.held().next().is_none() {
            return Quality::default();
        }
        Quality::of(self.grouped(number), list.members.len(), list.held())
    }

    /// How well all lists do.
    pub fn quality(&self) -> Quality {
        let each = (0..self.lists.len()).map(|list| self.quality_of(list));
        each.fold(Quality::default(), Quality::and)
    }
}
