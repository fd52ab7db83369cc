//! What a rule makes of so many votes.

use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;

/// How a rule decides every outcome of so many votes, so that the probability of each relation is a
/// sum over a table.
///
/// ```
/// use partita_judging::{DecisionTable, Rule};
///
/// // One vote, decided by the majority: the relation is the vote.
/// let table = DecisionTable::new(Rule::Majority, 1).expect("few votes");
/// assert_eq!(table.relations([0.5, 0.25, 0.25]), [0.5, 0.25, 0.25]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionTable {
    votes: usize,
    outcomes: Vec<VoteOutcome>,
}

/// So many votes for a, for neither and for b.
#[derive(Clone, Copy, Debug, PartialEq)]
struct VoteOutcome {
    counts: [usize; 3],
    /// In how many orders they can come.
    orders: f64,
    /// Which of the three relations the rule makes of them.
    relation: usize,
}

impl DecisionTable {
    /// The most votes for which there is a table, which grows with their square.
    pub const MAX_VOTES: u32 = 60;

    /// The table of a rule for so many votes; `None` for none, or more than
    /// [`DecisionTable::MOST_VOTES`].
    pub fn new(rule: DecisionRule, votes: u32) -> Option<Self> {
        if !(1..=Self::MAX_VOTES).contains(&votes) {
            return None;
        }
        let outcomes = (0..=votes).flat_map(|a| (0..=votes - a).map(move |b| (a, b)));
        let outcome = |(a, b)| {
            let equal = votes - a - b;
            VoteOutcome {
                counts: [a, equal, b].map(|count| count as usize),
                orders: choose(votes, a) * choose(equal + b, b),
                relation: rule.decide(Votes { a, equal, b }) as usize,
            }
        };
        Some(Self {
            votes: votes as usize,
            outcomes: outcomes.map(outcome).collect(),
        })
    }

    /// How likely the rule makes a preferred, neither, and b, if the votes have these probabilities.
    pub fn relations(&self, answers: [f64; 3]) -> [f64; 3] {
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
            relations[outcome.relation] += outcome.orders * likely;
        }
        relations
    }
}

/// The binomial coefficient.
fn choose(n: u32, k: u32) -> f64 {
    let k = k.min(n - k);
    let factors = (1..=k).map(|i| f64::from(n - k + i) / f64::from(i));
    factors.product()
}
