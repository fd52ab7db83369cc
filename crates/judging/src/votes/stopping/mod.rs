//! When a pair has votes enough: one file for each way that saves some.

mod curtailed;
mod predictive;

use super::decision_rule::DecisionRule;
use super::relation::Relation;
use crate::votes::Votes;

/// When to stop asking about a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StoppingRule {
    /// When all votes are in, as in the paper.
    #[default]
    AllVotes,
    /// When no completion of the votes can change the outcome.
    Curtailed,
    /// When the outcome is as likely as this to be that of all votes.
    Predictive(f64),
}

impl StoppingRule {
    /// How a relates to b if the votes are enough; nothing if more are needed.
    ///
    /// `wanted` is the number of votes on a pair if none is saved.
    ///
    /// ```
    /// use partita_judging::{Relation, Rule, Stop, Votes};
    ///
    /// let rule = Rule::default();
    /// // Whatever the tenth says, a is ahead by two or more.
    /// let nine = Votes { a: 3, equal: 6, b: 0 };
    /// assert_eq!(Stop::Full.decide(nine, 10, rule), None);
    /// assert_eq!(Stop::Curtailed.decide(nine, 10, rule), Some(Relation::Less));
    /// assert_eq!(Stop::Predictive(0.9).decide(Votes { a: 5, equal: 1, b: 0 }, 10, rule), Some(Relation::Less));
    /// ```
    pub fn decide(self, votes: Votes, wanted: u32, rule: DecisionRule) -> Option<Relation> {
        self.decide_by(votes, wanted, |all| rule.decide(all))
    }

    /// The same by a rule that may know the outcomes already.
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

/// Every way in which votes can be completed to the number wanted.
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
