//! Table of a rule's decisions for every possible outcome of a number of votes.

use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;

/// Decision of a rule for every possible outcome of a fixed number of votes on a pair. The
/// probability of each decision is a sum over this table.
///
/// ```
/// use partita_judging::{DecisionRule, DecisionTable};
///
/// // One vote, decided by the majority: the relation is the vote.
/// let table = DecisionTable::new(DecisionRule::Majority, 1).expect("few votes");
/// assert_eq!(table.decision_probabilities([0.5, 0.25, 0.25]), [0.5, 0.25, 0.25]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionTable {
    votes: usize,
    outcomes: Vec<VoteOutcome>,
}

/// Possible outcome of a number of votes: counts for a, equal and b, with the decision of the rule.
#[derive(Clone, Copy, Debug, PartialEq)]
struct VoteOutcome {
    counts: [usize; 3],
    /// Multinomial coefficient: number of sequences of votes with these counts.
    sequences: f64,
    /// Relation that the rule decides, as its index in [`Relation::ALL`](crate::Relation::ALL).
    relation: usize,
}

impl DecisionTable {
    /// Maximum number of votes; the size of the table grows with the square of the number of votes.
    pub const MAX_VOTES: u32 = 60;

    /// Creates the table of a rule for outcomes of `votes` votes. Returns `None` for 0 votes or
    /// more than [`DecisionTable::MAX_VOTES`].
    pub fn new(rule: DecisionRule, votes: u32) -> Option<Self> {
        if !(1..=Self::MAX_VOTES).contains(&votes) {
            return None;
        }
        let outcomes = (0..=votes).flat_map(|a| (0..=votes - a).map(move |b| (a, b)));
        let outcome = |(a, b)| {
            let equal = votes - a - b;
            VoteOutcome {
                counts: [a, equal, b].map(|count| count as usize),
                sequences: binomial(votes, a) * binomial(equal + b, b),
                relation: rule.decide(Votes { a, equal, b }) as usize,
            }
        };
        Some(Self {
            votes: votes as usize,
            outcomes: outcomes.map(outcome).collect(),
        })
    }

    /// Returns the probabilities that the rule decides for a, equal, and b if each vote is
    /// independently for a, equal, or b with probabilities `answers`.
    pub fn decision_probabilities(&self, answers: [f64; 3]) -> [f64; 3] {
        let powers = answers.map(|share| {
            let mut powers = [1.0; Self::MAX_VOTES as usize + 1];
            for count in 1..=self.votes {
                powers[count] = powers[count - 1] * share;
            }
            powers
        });
        let mut relations = [0.0; 3];
        for outcome in &self.outcomes {
            let [a, equal, b] = outcome.counts;
            let likely = powers[0][a] * powers[1][equal] * powers[2][b];
            relations[outcome.relation] += outcome.sequences * likely;
        }
        relations
    }
}

/// Returns the binomial coefficient n over k.
fn binomial(n: u32, k: u32) -> f64 {
    let k = k.min(n - k);
    let factors = (1..=k).map(|i| f64::from(n - k + i) / f64::from(i));
    factors.product()
}
