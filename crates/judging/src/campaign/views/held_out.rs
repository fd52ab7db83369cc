//! How well a list predicts votes that it was not made of.

use partita_core::GroupedList;
use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::engine::pair::PairKey;
use crate::votes::Votes;
use crate::votes::relation::{Relation, group_numbers};

/// How well lists predict votes on random pairs that were held out.
///
/// Pairs that are chosen by the answers so far flatter the list that is made of them; these were
/// drawn before the first answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct HeldOutAgreement {
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

impl HeldOutAgreement {
    /// How well a list of so many items predicts these votes.
    fn from_list(
        list: &GroupedList,
        items: usize,
        held: impl Iterator<Item = (PairKey, Votes)>,
    ) -> Self {
        let groups = group_numbers(list, items);
        let mut quality = Self::default();
        for ((a, b), votes) in held {
            let (same, opposite) =
                match Relation::from_group_numbers(groups[a.index()], groups[b.index()]) {
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
    pub(crate) fn plus(self, other: Self) -> Self {
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
    pub fn list_held_out_agreement(&self, list: usize) -> HeldOutAgreement {
        let (number, list) = (list, &self.lists[list]);
        if list.held_out_tallies().next().is_none() {
            return HeldOutAgreement::default();
        }
        HeldOutAgreement::from_list(
            self.current_list(number),
            list.members.len(),
            list.held_out_tallies(),
        )
    }

    /// How well all lists do.
    pub fn held_out_agreement(&self) -> HeldOutAgreement {
        let each = (0..self.lists.len()).map(|list| self.list_held_out_agreement(list));
        each.fold(HeldOutAgreement::default(), HeldOutAgreement::plus)
    }
}
