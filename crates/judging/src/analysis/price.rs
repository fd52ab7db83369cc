//! Price of an answer: reward of the assessor and fees of the crowdsourcing platform.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::range_error::{RangeError, require_nonnegative};

/// Fee that the crowdsourcing platform takes per answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fee {
    /// Fixed amount per answer, independent of the reward.
    Fixed(f64),
    /// Share of the assessor's reward, from 0.
    Share(f64),
}

/// Price of one answer: the reward of the assessor plus the fee of the crowdsourcing platform.
///
/// ```
/// use partita_judging::{Fee, Price, Surcharge};
///
/// // As in Urbano et al. (2010), 107 pairs of 10 answers cost 26.75 dollars.
/// let paper = Price::URBANO_2010;
/// assert!((paper.cost(1070, 10) - 26.75).abs() < 1e-9);
/// // Later terms of Mechanical Turk: 20% but at least a cent, and 20% more for pairs with at least
/// // 10 answers.
/// let last = Price {
///     reward: 0.02,
///     fee: Fee::Share(0.2),
///     minimum: 0.01,
///     surcharge: Some(Surcharge { share: 0.2, from: 10 }),
/// };
/// assert!((last.cost(10, 10) - 0.30).abs() < 1e-9);
/// assert!((last.cost(9, 9) - 0.27).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Amount that the assessor gets per answer.
    pub reward: f64,
    /// Amount or share that the platform takes per answer.
    pub fee: Fee,
    /// Lower bound of the platform's fee per answer, surcharge included.
    pub minimum: f64,
    /// Additional fee of the platform for pairs with many answers.
    pub surcharge: Option<Surcharge>,
}

/// Surcharge of the platform: a share of the reward, added to the fee of each answer to a pair that
/// gets at least `from` answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Surcharge {
    /// Share of the reward that is added to the fee.
    pub share: f64,
    /// Number of answers to one pair from which the surcharge applies.
    pub from: usize,
}

/// Error of a text that cannot be parsed as an amount, fee or surcharge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PriceParseError {
    /// The text is not a finite number of at least 0.
    #[error("`{0}` is no number of at least 0")]
    Number(String),
    /// The text is not a surcharge such as `20%@10`.
    #[error("expected a share and a number of answers such as 20%@10, not `{0}`")]
    Surcharge(String),
}

/// Parses an amount of money of at least 0.
fn parse_amount(text: &str) -> Result<f64, PriceParseError> {
    let number: Option<f64> = text.trim().parse().ok();
    let valid = number.filter(|number| number.is_finite() && *number >= 0.0);
    valid.ok_or_else(|| PriceParseError::Number(text.to_owned()))
}

/// Parses a percentage as a share; `None` if the text does not end in `%`.
fn parse_percentage(text: &str) -> Option<Result<f64, PriceParseError>> {
    let percent = text.trim().strip_suffix('%')?;
    Some(parse_amount(percent).map(|percent| percent / 100.0))
}

/// Parses an amount such as `0.005`, or a share such as `20%`.
impl FromStr for Fee {
    type Err = PriceParseError;

    fn from_str(text: &str) -> Result<Self, PriceParseError> {
        match parse_percentage(text) {
            Some(share) => share.map(Self::Share),
            None => parse_amount(text).map(Self::Fixed),
        }
    }
}

/// Parses a share and a number of answers such as `20%@10`.
impl FromStr for Surcharge {
    type Err = PriceParseError;

    fn from_str(text: &str) -> Result<Self, PriceParseError> {
        let expected = || PriceParseError::Surcharge(text.to_owned());
        let (part, from) = text.split_once('@').ok_or_else(expected)?;
        Ok(Self {
            share: parse_percentage(part).ok_or_else(expected)??,
            from: from.trim().parse().map_err(|_| expected())?,
        })
    }
}

impl Price {
    /// Price that Urbano et al. (2010) paid: a reward of 2 cents and a fee of half a cent.
    pub const URBANO_2010: Self = Self {
        reward: 0.02,
        fee: Fee::Fixed(0.005),
        minimum: 0.0,
        surcharge: None,
    };

    /// Returns the price if its reward and its minimum are valid.
    ///
    /// # Errors
    /// Returns [`RangeError`] if the reward or the minimum is below 0 or not finite.
    pub fn validated(self) -> Result<Self, RangeError> {
        require_nonnegative("reward", self.reward)?;
        require_nonnegative("minimum_fee", self.minimum)?;
        Ok(self)
    }

    /// Returns the cost of `answers` answers in total if each pair gets `answers_a_pair` of them,
    /// on which the surcharge depends.
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

    /// Returns the [`cost`](Self::cost) without binary rounding noise, for display.
    pub fn rounded_cost(&self, answers: usize, answers_a_pair: usize) -> f64 {
        round_to_nano(self.cost(answers, answers_a_pair))
    }
}

/// Rounds an amount to 1e-9, which removes binary rounding noise.
pub(crate) fn round_to_nano(amount: f64) -> f64 {
    (amount * 1e9).round() / 1e9
}
