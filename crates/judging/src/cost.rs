//! What answers cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a platform takes for itself of each answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fee {
    /// The same amount whatever the reward.
    Fixed(f64),
    /// A share of the reward.
    Share(f64),
}

/// What an answer costs.
///
/// ```
/// use partita_judging::{Fee, Price, Surcharge};
///
/// // The paper's 2 cents and half a cent: 107 pairs of 10 answers cost 26.75 dollars.
/// let paper = Price::PAPER;
/// assert!((paper.of(1070, 10) - 26.75).abs() < 1e-9);
/// // Mechanical Turk's last terms: 20% but at least a cent, and 20% more from 10 answers a pair on.
/// let last = Price {
///     reward: 0.02,
///     fee: Fee::Share(0.2),
///     minimum: 0.01,
///     surcharge: Some(Surcharge { share: 0.2, from: 10 }),
/// };
/// assert!((last.of(10, 10) - 0.30).abs() < 1e-9);
/// assert!((last.of(9, 9) - 0.27).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// What the assessor gets.
    pub reward: f64,
    /// What the platform gets.
    pub fee: Fee,
    /// What the platform gets at least.
    pub minimum: f64,
    /// What the platform gets on top for many answers to one pair.
    pub surcharge: Option<Surcharge>,
}

/// A share of the reward on top of the fee, for pairs with at least so many answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Surcharge {
    /// The share of the reward.
    pub share: f64,
    /// The number of answers to one pair from which it is taken.
    pub from: usize,
}

impl Price {
    /// What the paper paid: 2 cents, and half a cent to the platform.
    pub const PAPER: Self = Self {
        reward: 0.02,
        fee: Fee::Fixed(0.005),
        minimum: 0.0,
        surcharge: None,
    };

    /// The cost of this many answers if so many were asked for each pair.
    pub fn of(&self, answers: usize, answers_a_pair: usize) -> f64 {
        let fee = match self.fee {
            Fee::Fixed(amount) => amount,
            Fee::Share(share) => share * self.reward,
        };
        let extra = match self.surcharge {
            Some(Surcharge { share, from }) if answers_a_pair >= from => share * self.reward,
            _ => 0.0,
        };
        answers as f64 * (self.reward + (fee + extra).max(self.minimum))
    }

    /// The same without the noise of binary fractions, to be shown.
    pub fn total(&self, answers: usize, answers_a_pair: usize) -> f64 {
        (self.of(answers, answers_a_pair) * 1e9).round() / 1e9
    }
}
