//! How systems are compared.

use partita_stats::adjustment::Adjustment;
use partita_stats::differences::Rounding;
use partita_stats::signed_rank::ZeroMethod;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::ComparisonError;
use crate::truth::{Alpha, Tails};

/// What the smallest p-value that a test can give becomes at best, for so many comparisons.
pub(crate) fn smallest_adjusted_p(correction: Adjustment, p: f64, comparisons: usize) -> f64 {
    let m = comparisons as f64;
    let factor = match correction {
        Adjustment::Bonferroni | Adjustment::Holm => m,
        Adjustment::BenjaminiYekutieli => (1..=comparisons).map(|i| 1.0 / i as f64).sum(),
        // Where all p-values are the smallest, these leave them as they are.
        Adjustment::Hochberg | Adjustment::BenjaminiHochberg | Adjustment::None => 1.0,
    };
    (p * factor).min(1.0)
}

partita_named::named_enum! {
    /// Which end of mean ranks is the best.
    pub enum MeanRankOrder: "order of ranks" = OneIsBest {
        /// A system that is always the best has rank 1
        OneIsBest = "one-is-best",
        /// A system that is always the worst has rank 1, as in the tables of MIREX
        HighestIsBest = "highest-is-best",
    }
}

impl MeanRankOrder {
    /// A mean rank as a number that is higher for better systems.
    pub fn to_increasing(self, rank: f64) -> f64 {
        match self {
            Self::OneIsBest => -rank,
            Self::HighestIsBest => rank,
        }
    }
}

/// How systems are compared. What a test does not use it passes over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ComparisonOptions {
    /// A difference is significant if its adjusted p-value is below this.
    pub alpha: Alpha,
    /// Two-tailed tests, or one-tailed ones both ways, each at alpha.
    #[serde(serialize_with = "as_number", deserialize_with = "from_number")]
    #[schemars(with = "u8")]
    pub tails: Tails,
    /// The correction; if none is chosen, Holm's, or none where the test makes its own.
    pub correction: Option<Adjustment>,
    /// Only pairs with one of these systems are compared; all pairs if none is named.
    pub baselines: Vec<String>,
    /// How differences, and scores that are ranked, are rounded before a test looks for ties, so
    /// that what is equal but for the error of binary fractions is equal.
    pub rounding: Rounding,
    /// What the Wilcoxon test does with differences of zero.
    pub zeros: ZeroMethod,
    /// Differences up to this size count as ties in the sign test.
    pub threshold: f64,
    /// Differences of means below this do not matter to the equivalence test.
    pub margin: Option<f64>,
    /// Which end of mean ranks is the best.
    pub ranks: MeanRankOrder,
    /// How many samples are drawn; if not given, as many as the number of comparisons needs.
    pub samples: Option<usize>,
    /// The seed of all that is drawn.
    pub seed: u64,
}

impl Default for ComparisonOptions {
    /// Two-tailed at 0.05.
    fn default() -> Self {
        Self {
            alpha: Alpha::new(0.05).expect("0.05 lies between 0 and 1"),
            tails: Tails::Two,
            correction: None,
            baselines: Vec::new(),
            rounding: Rounding::Relative,
            zeros: ZeroMethod::default(),
            threshold: 0.0,
            margin: None,
            ranks: MeanRankOrder::default(),
            samples: None,
            seed: 1,
        }
    }
}

impl ComparisonOptions {
    /// Refuses parameters that make no sense.
    pub(super) fn check(&self) -> Result<(), ComparisonError> {
        if self.is_one_tailed() {
            self.one_sided_level()?;
        }
        let parameter = |what, expected, found| {
            Err(ComparisonError::Parameter {
                what,
                expected,
                found,
            })
        };
        if !(self.threshold >= 0.0 && self.threshold.is_finite()) {
            return parameter("the threshold", "a number from 0 on", self.threshold);
        }
        if let Some(margin) = self.margin
            && !(margin > 0.0 && margin.is_finite())
        {
            return parameter("the margin", "a number above 0", margin);
        }
        match self.samples {
            Some(samples) if !(1..=MOST_SAMPLES).contains(&samples) => parameter(
                "the number of resamples",
                "between 1 and 1000000000",
                samples as f64,
            ),
            _ => Ok(()),
        }
    }

    /// Whether tests are one-tailed both ways.
    pub(super) fn is_one_tailed(&self) -> bool {
        self.tails == Tails::One
    }

    /// The level of tests that are one-tailed both ways.
    pub(crate) fn one_sided_level(&self) -> Result<f64, ComparisonError> {
        match self.alpha.value() {
            alpha if alpha < 0.5 => Ok(alpha),
            alpha => Err(ComparisonError::AlphaTooLarge { alpha }),
        }
    }

    /// The confidence of the interval that excludes 0 where the uncorrected test rejects.
    pub(crate) fn confidence(&self) -> f64 {
        match self.tails {
            Tails::Two => 1.0 - self.alpha.value(),
            Tails::One => 1.0 - 2.0 * self.alpha.value(),
        }
    }
}

/// Counts of samples are kept in 32 bits.
const MOST_SAMPLES: usize = 1_000_000_000;

fn as_number<S: Serializer>(tails: &Tails, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(tails.count())
}

fn from_number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Tails, D::Error> {
    let number = u8::deserialize(deserializer)?;
    number.to_string().parse().map_err(serde::de::Error::custom)
}
