//! Options of a comparison.

use partita_stats::adjustment::Adjustment;
use partita_stats::differences::Rounding;
use partita_stats::signed_rank::ZeroMethod;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::ComparisonError;
use crate::truth::{Alpha, Tails};

/// Returns the smallest adjusted p-value that a correction can give if none of the `comparisons`
/// p-values can be below `p`.
pub(crate) fn smallest_adjusted_p(correction: Adjustment, p: f64, comparisons: usize) -> f64 {
    let m = comparisons as f64;
    let factor = match correction {
        Adjustment::Bonferroni | Adjustment::Holm => m,
        Adjustment::BenjaminiYekutieli => (1..=comparisons).map(|i| 1.0 / i as f64).sum(),
        // These corrections leave the p-values unchanged if all are equal to the smallest.
        Adjustment::Hochberg | Adjustment::BenjaminiHochberg | Adjustment::None => 1.0,
    };
    (p * factor).min(1.0)
}

partita_named::named_enum! {
    /// Direction of the mean ranks of systems: rank 1 is the best or the worst system.
    pub enum MeanRankOrder: "order of ranks" = OneIsBest {
        /// A system that is always the best has rank 1
        OneIsBest = "one-is-best",
        /// A system that is always the worst has rank 1, as in the tables of MIREX
        HighestIsBest = "highest-is-best",
    }
}

impl MeanRankOrder {
    /// Converts a mean rank to a number that is higher for better systems.
    pub fn to_increasing(self, rank: f64) -> f64 {
        match self {
            Self::OneIsBest => -rank,
            Self::HighestIsBest => rank,
        }
    }
}

/// Options of a comparison. Tests ignore the options that they do not use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ComparisonOptions {
    /// Significance level: a difference is significant if its adjusted p-value is below it.
    pub alpha: Alpha,
    /// Two-tailed tests, or one-tailed tests in both directions, each at alpha.
    #[serde(
        serialize_with = "serialize_tails",
        deserialize_with = "deserialize_tails"
    )]
    #[schemars(with = "u8")]
    pub tails: Tails,
    /// Correction for multiple comparisons. Defaults to Holm's, or to none if the test already
    /// accounts for multiple comparisons.
    pub correction: Option<Adjustment>,
    /// Baselines: only pairs with one of these systems are compared; all pairs if empty.
    pub baselines: Vec<String>,
    /// Rounding of differences, and of scores that are ranked, before a test looks for ties. It
    /// makes values equal that differ only by floating-point error.
    pub rounding: Rounding,
    /// Treatment of zero differences in the Wilcoxon test.
    pub zeros: ZeroMethod,
    /// Largest absolute difference that counts as a tie in the sign test and in the numbers of
    /// wins, ties and losses of every pair.
    pub threshold: f64,
    /// Equivalence margin: smaller differences of means are considered irrelevant.
    pub margin: Option<f64>,
    /// Direction of the mean ranks of systems: rank 1 is the best or the worst system.
    pub ranks: MeanRankOrder,
    /// Number of resamples of permutation and bootstrap tests. Defaults to the test's usual number,
    /// or to more if corrected p-values could otherwise not reach alpha, up to a bound on the work.
    pub samples: Option<usize>,
    /// Seed of all random draws.
    pub seed: u64,
}

impl Default for ComparisonOptions {
    /// Returns two-tailed options at level 0.05.
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
    /// Checks that the tie threshold, the margin and the number of resamples are within their
    /// ranges, and that alpha is below 0.5 for one-tailed tests.
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
            Some(samples) if !(1..=MAX_SAMPLES).contains(&samples) => parameter(
                "the number of resamples",
                "between 1 and 1000000000",
                samples as f64,
            ),
            _ => Ok(()),
        }
    }

    /// Returns true if tests are one-tailed in both directions.
    pub(super) fn is_one_tailed(&self) -> bool {
        self.tails == Tails::One
    }

    /// Returns the level of each of the two one-tailed tests, or an error if it is too large for
    /// tests in both directions.
    pub(crate) fn one_sided_level(&self) -> Result<f64, ComparisonError> {
        match self.alpha.value() {
            alpha if alpha < 0.5 => Ok(alpha),
            alpha => Err(ComparisonError::AlphaTooLarge { alpha }),
        }
    }

    /// Returns the confidence level of the intervals that correspond to uncorrected tests:
    /// 1 - alpha, or 1 - 2 alpha for one-tailed tests in both directions.
    pub(crate) fn confidence(&self) -> f64 {
        match self.tails {
            Tails::Two => 1.0 - self.alpha.value(),
            Tails::One => 1.0 - 2.0 * self.alpha.value(),
        }
    }
}

/// Largest number of resamples of a test; their counts are stored in 32 bits.
pub(crate) const MAX_SAMPLES: usize = 1_000_000_000;

/// Serializes the number of tails as the integer 1 or 2.
fn serialize_tails<S: Serializer>(tails: &Tails, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(tails.count())
}

/// Reads the number of tails from the integer 1 or 2.
fn deserialize_tails<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Tails, D::Error> {
    let number = u8::deserialize(deserializer)?;
    number.to_string().parse().map_err(serde::de::Error::custom)
}
