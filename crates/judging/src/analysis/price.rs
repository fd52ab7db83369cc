//! What answers cost.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::range_error::{RangeError, require_size};

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

/// A text that says no amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PriceParseError {
    /// It is no number of at least 0.
    #[error("`{0}` is no number of at least 0")]
    Number(String),
    /// It is no surcharge.
    #[error("expected a share and a number of answers such as 20%@10, not `{0}`")]
    Surcharge(String),
}

fn amount(text: &str) -> Result<f64, PriceParseError> {
    let number: Option<f64> = text.trim().parse().ok();
    let valid = number.filter(|number| number.is_finite() && *number >= 0.0);
    valid.ok_or_else(|| PriceParseError::Number(text.to_owned()))
}

fn share(text: &str) -> Option<Result<f64, PriceParseError>> {
    let percent = text.trim().strip_suffix('%')?;
    Some(amount(percent).map(|percent| percent / 100.0))
}

/// An amount such as `0.005`, or a share such as `20%`.
impl FromStr for Fee {
    type Err = PriceParseError;

    fn from_str(text: &str) -> Result<Self, PriceParseError> {
        match share(text) {
            Some(share) => share.map(Self::Share),
            None => amount(text).map(Self::Fixed),
        }
    }
}

/// A share and a number of answers such as `20%@10`.
impl FromStr for Surcharge {
    type Err = PriceParseError;

    fn from_str(text: &str) -> Result<Self, PriceParseError> {
        let expected = || PriceParseError::Surcharge(text.to_owned());
        let (part, from) = text.split_once('@').ok_or_else(expected)?;
        Ok(Self {
            share: share(part).ok_or_else(expected)??,
            from: from.trim().parse().map_err(|_| expected())?,
        })
    }
}

impl Price {
    /// What the paper paid: 2 cents, and half a cent to the platform.
    pub const PAPER: Self = Self {
        reward: 0.02,
        fee: Fee::Fixed(0.005),
        minimum: 0.0,
        surcharge: None,
    };

    /// Refuses amounts that are none.
    ///
    /// # Errors
    /// A reward or a minimum below 0.
    pub fn validated(self) -> Result<Self, RangeError> {
        require_size("reward", self.reward)?;
        require_size("minimum_fee", self.minimum)?;
        Ok(self)
    }

    /// The cost of this many answers if so many were asked for each pair.
    pub fn cost(&self, answers: usize, answers_a_pair: usize) -> f64 {
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
    pub fn rounded_cost(&self, answers: usize, answers_a_pair: usize) -> f64 {
        round_to_nano(self.cost(answers, answers_a_pair))
    }
}

/// An amount without the noise of binary fractions.
pub(crate) fn round_to_nano(amount: f64) -> f64 {
    (amount * 1e9).round() / 1e9
}
