//! Stopping rules of a pair, one file for each rule that saves votes.

mod curtailed;
mod predictive;

use super::decision_rule::DecisionRule;
use super::relation::Relation;
use crate::votes::Votes;

/// Condition under which a pair needs no further votes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StoppingRule {
    /// All votes are in, as in the paper.
    #[default]
    AllVotes,
    /// No remaining votes can change the outcome.
    Curtailed,
    /// One outcome has at least this probability of being the outcome of all votes.
    Predictive(f64),
}

impl StoppingRule {
    /// Returns the relation of a to b if the votes are enough, otherwise `None`.
    ///
    /// `wanted` is the number of votes on a pair without early stopping.
    ///
    /// ```
    /// use partita_judging::{DecisionRule, Relation, StoppingRule, Votes};
    ///
    /// let rule = DecisionRule::default();
    /// // Whatever the tenth vote is, a is ahead by two or more.
    /// let nine = Votes { a: 3, equal: 6, b: 0 };
    /// assert_eq!(StoppingRule::AllVotes.decide(nine, 10, rule), None);
    /// assert_eq!(StoppingRule::Curtailed.decide(nine, 10, rule), Some(Relation::Less));
    /// assert_eq!(StoppingRule::Predictive(0.9).decide(Votes { a: 5, equal: 1, b: 0 }, 10, rule), Some(Relation::Less));
    /// ```
    pub fn decide(self, votes: Votes, wanted: u32, rule: DecisionRule) -> Option<Relation> {
        self.decide_by(votes, wanted, |all| rule.decide(all))
    }

    /// Decides like [`decide`](Self::decide), but with a function that decides complete sets of
    /// votes, such as a cached rule.
    pub fn decide_by(
        self,
        votes: Votes,
        wanted: u32,
        mut rule: impl FnMut(Votes) -> Relation,
    ) -> Option<Relation> {
        if votes.len() >= wanted {
            return Some(rule(votes));
        }
        match self {
            Self::AllVotes => None,
            Self::Curtailed => curtailed::decide(votes, wanted, rule),
            Self::Predictive(confidence) => predictive::decide(votes, wanted, rule, confidence),
        }
    }
}

/// Returns all possible completions of the votes to the target number: the additional votes, and
/// all votes.
fn completions(votes: Votes, wanted: u32) -> impl Iterator<Item = (Votes, Votes)> {
    let open = wanted.saturating_sub(votes.len());
    (0..=open).flat_map(move |a| {
        (0..=open - a).map(move |equal| {
            let more = Votes {
                a,
                equal,
                b: open - a - equal,
            };
            (more, votes.plus(more))
        })
    })
}
