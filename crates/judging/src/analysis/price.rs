//! Price of an answer: reward of the assessor and fees of the crowdsourcing platform.

use std::fmt;
use std::str::FromStr;

use partita_named::NamedEnum;
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
///     currency: None,
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
    /// Amount or share that the platform takes per answer; none if omitted.
    #[serde(default)]
    pub fee: Fee,
    /// Lower bound of the platform's fee per answer, surcharge included.
    #[serde(default)]
    pub minimum: f64,
    /// Additional fee of the platform for pairs with many answers.
    #[serde(default)]
    pub surcharge: Option<Surcharge>,
    /// Currency of all amounts, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

/// Currency of a price: an ISO 4217 code of three capital letters, such as `EUR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

impl FromStr for Currency {
    type Err = PriceParseError;

    fn from_str(text: &str) -> Result<Self, PriceParseError> {
        let code = text.trim().to_ascii_uppercase();
        match <[u8; 3]>::try_from(code.as_bytes()) {
            Ok(letters) if letters.iter().all(u8::is_ascii_uppercase) => Ok(Self(letters)),
            _ => Err(PriceParseError::Currency(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Currency {
    type Error = PriceParseError;

    fn try_from(text: String) -> Result<Self, PriceParseError> {
        text.parse()
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.to_string()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|&letter| write!(f, "{}", char::from(letter)))
    }
}

impl JsonSchema for Currency {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Currency".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Currency: an ISO 4217 code of three letters, such as EUR.",
            "type": "string",
            "pattern": "^[A-Za-z]{3}$"
        })
    }
}

impl Default for Fee {
    /// Returns no fee.
    fn default() -> Self {
        Self::Fixed(0.0)
    }
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
    /// The text is not the code of a currency.
    #[error("expected a currency code of three letters such as EUR, not `{0}`")]
    Currency(String),
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
        currency: None,
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

partita_named::named_enum! {
    /// Published price of an answer.
    pub enum PricePreset: "price" {
        /// A reward of 0.02 and a fee of 0.005 (Urbano, Morato, Marrero and Martín 2010)
        Urbano2010 = "urbano-2010",
    }
}

impl PricePreset {
    /// Returns the price that was published.
    pub fn price(self) -> Price {
        match self {
            Self::Urbano2010 => Price::URBANO_2010,
        }
    }
}

/// Options that set the price of an answer, as the command line and JSON requests have them.
/// Without any, an answer has no price.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PriceOptions {
    /// Published price; it excludes the amounts below.
    pub like: Option<PricePreset>,
    /// Amount that the assessor gets per answer.
    pub reward: Option<f64>,
    /// Amount or share that the platform takes per answer.
    pub fee: Option<Fee>,
    /// Lower bound of the platform's fee per answer.
    pub minimum_fee: Option<f64>,
    /// Additional fee of the platform for pairs with many answers.
    pub surcharge: Option<Surcharge>,
    /// Currency of the amounts.
    pub currency: Option<Currency>,
}

/// Error of options that do not set a price together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PriceOptionsError {
    /// A published price and an amount of an own one are given.
    #[error("`{option}` cannot be given together with the price of {like}")]
    TwoPrices {
        /// Name of the option with the amount.
        option: &'static str,
        /// Name of the published price.
        like: &'static str,
    },
    /// An option belongs to a price, but none is given.
    #[error("`{option}` needs a price: a reward per answer, or a published price")]
    NoPrice {
        /// Name of the option.
        option: &'static str,
    },
    /// An amount is out of range.
    #[error(transparent)]
    OutOfRange(#[from] RangeError),
}

impl PriceOptions {
    /// Returns the price that the options set, or `None` if they set none.
    ///
    /// # Errors
    /// Returns [`PriceOptionsError`] if options contradict each other or an amount is invalid.
    pub fn price(self) -> Result<Option<Price>, PriceOptionsError> {
        let amounts = [
            ("reward", self.reward.is_some()),
            ("fee", self.fee.is_some()),
            ("minimum_fee", self.minimum_fee.is_some()),
            ("surcharge", self.surcharge.is_some()),
        ];
        let mut given = amounts.into_iter().filter(|(_, is_given)| *is_given);
        let price = match (self.like, self.reward, given.next()) {
            (Some(like), _, Some((option, _))) => {
                let like = like.name();
                return Err(PriceOptionsError::TwoPrices { option, like });
            }
            (Some(like), _, None) => like.price(),
            (None, Some(reward), _) => Price {
                reward,
                fee: self.fee.unwrap_or_default(),
                minimum: self.minimum_fee.unwrap_or(0.0),
                surcharge: self.surcharge,
                currency: None,
            },
            (None, None, Some((option, _))) => return Err(PriceOptionsError::NoPrice { option }),
            (None, None, None) if self.currency.is_some() => {
                return Err(PriceOptionsError::NoPrice { option: "currency" });
            }
            (None, None, None) => return Ok(None),
        };
        let price = Price {
            currency: self.currency,
            ..price
        };
        Ok(Some(price.validated()?))
    }
}

/// Rounds an amount to 1e-9, which removes binary rounding noise.
pub(crate) fn round_to_nano(amount: f64) -> f64 {
    (amount * 1e9).round() / 1e9
}
