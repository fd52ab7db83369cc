//! Agreement of lists with held-out votes, which the strategy does not see.

use partita_core::GroupedList;
use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::engine::pair::PairKey;
use crate::votes::Votes;
use crate::votes::relation::{Relation, group_numbers};

/// Agreement of lists with votes on held-out pairs.
///
/// A list agrees too well with the votes from which it was built. Held-out pairs are drawn at
/// random before the first answer, so that the agreement with their votes is an unbiased estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct HeldOutAgreement {
    /// Number of held-out pairs that have held-out votes.
    pub pairs: usize,
    /// Number of held-out votes.
    pub votes: u64,
    /// Number of held-out votes that agree with the list: they prefer the item that the list ranks
    /// higher, or neither of two items in the same group.
    pub same: u64,
    /// Number of held-out votes for the item that the list ranks lower.
    pub opposite: u64,
    /// Mean agreement of a held-out vote with the list: 1 if both prefer the same item or both
    /// neither, ½ if exactly one of them prefers neither, 0 if they prefer different items (Urbano
    /// et al. 2010, section 5.3); null without held-out votes.
    pub agreement: Option<f64>,
}

impl HeldOutAgreement {
    /// Counts how many held-out votes agree with the list. `held` are the held-out pairs with their
    /// votes, `items` is the number of items of the list.
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

    /// Returns the agreement of two lists together: adds their numbers of pairs and votes.
    #[must_use]
    pub(crate) fn combined_with(self, other: Self) -> Self {
        Self {
            pairs: self.pairs + other.pairs,
            votes: self.votes + other.votes,
            same: self.same + other.same,
            opposite: self.opposite + other.opposite,
            agreement: None,
        }
        .with_agreement()
    }

    /// Computes `agreement` from the numbers of votes; `None` without votes.
    fn with_agreement(self) -> Self {
        // A vote that neither agrees with the list nor contradicts it counts half.
        let agreement = (self.votes + self.same - self.opposite) as f64 / (2 * self.votes) as f64;
        Self {
            agreement: (self.votes > 0).then_some(agreement),
            ..self
        }
    }
}

impl Campaign {
    /// Returns the agreement of one list with its held-out votes.
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

    /// Returns the agreement of all lists with their held-out votes.
    pub fn held_out_agreement(&self) -> HeldOutAgreement {
        let each = (0..self.lists.len()).map(|list| self.list_held_out_agreement(list));
        each.fold(HeldOutAgreement::default(), HeldOutAgreement::combined_with)
    }
}
