//! Stopping rules, which decide when a pair needs no further votes; one file for each rule that
//! stops early.

mod curtailed;
mod predictive;

use super::decision_rule::DecisionRule;
use super::relation::Relation;
use crate::votes::Votes;

/// Condition under which a pair needs no further votes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StoppingRule {
    /// The target number of votes is reached, as in Urbano et al. (2010).
    #[default]
    AllVotes,
    /// No possible remaining votes can change the decision on the pair.
    Curtailed,
    /// One decision has at least this posterior probability of being the decision of the target
    /// number of votes.
    Predictive(f64),
}

impl StoppingRule {
    /// Returns the relation of a to b if the votes are enough by this stopping rule, otherwise
    /// `None`.
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

/// Returns all possible completions of `votes` to `wanted` votes: the additional votes, and the
/// sum.
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
