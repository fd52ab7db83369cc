//! How systems are compared.

use partita_stats::adjust::Adjustment;
use partita_stats::differences::Rounding;
use partita_stats::signed_rank::{Method, Zeros};

use super::CompareError;
use crate::truth::{Alpha, Tails};

/// How p-values are corrected for the number of comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// Not at all.
    None,
    /// By the procedure of `partita_stats::adjust`.
    Adjusted(Adjustment),
}

impl Correction {
    /// Every correction with its name.
    pub const ALL: [(&'static str, Self); 6] = [
        ("holm", Self::Adjusted(Adjustment::Holm)),
        ("bonferroni", Self::Adjusted(Adjustment::Bonferroni)),
        ("hochberg", Self::Adjusted(Adjustment::Hochberg)),
        ("bh", Self::Adjusted(Adjustment::BenjaminiHochberg)),
        ("by", Self::Adjusted(Adjustment::BenjaminiYekutieli)),
        ("none", Self::None),
    ];

    /// Its name.
    ///
    /// ```
    /// use partita_core::compare::Correction;
    ///
    /// assert_eq!(Correction::default().name(), "holm");
    /// ```
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, correction)| *correction == self);
        named.expect("every correction is listed").0
    }

    /// What the smallest p-value that a test can give becomes at best, for so many comparisons.
    pub(super) fn at_best(self, p: f64, comparisons: usize) -> f64 {
        let m = comparisons as f64;
        let factor = match self {
            Self::Adjusted(Adjustment::Bonferroni | Adjustment::Holm) => m,
            Self::Adjusted(Adjustment::BenjaminiYekutieli) => {
                (1..=comparisons).map(|i| 1.0 / i as f64).sum()
            }
            // Where all p-values are the smallest, these leave them as they are.
            _ => 1.0,
        };
        (p * factor).min(1.0)
    }
}

impl Default for Correction {
    fn default() -> Self {
        Self::Adjusted(Adjustment::Holm)
    }
}

/// How systems are compared. What a test does not use it passes over.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// A difference is significant if its adjusted p-value is below this.
    pub alpha: Alpha,
    /// Two-tailed tests, or one-tailed ones both ways, each at alpha.
    pub tails: Tails,
    /// The correction; if none is chosen, Holm's, or none where the test makes its own.
    pub correction: Option<Correction>,
    /// Only pairs with one of these systems are compared; all pairs if none is named.
    pub baselines: Vec<String>,
    /// How differences, and scores that are ranked, are rounded before a test looks for ties, so
    /// that what is equal but for the error of binary fractions is equal.
    pub rounding: Rounding,
    /// What the Wilcoxon test does with differences of zero.
    pub zeros: Zeros,
    /// The law of the Wilcoxon test.
    pub method: Method,
    /// Differences up to this size count as ties in the sign test.
    pub threshold: f64,
    /// Differences of means below this do not matter to the equivalence test.
    pub margin: Option<f64>,
    /// How many samples are drawn; if not given, as many as the number of comparisons needs.
    pub samples: Option<usize>,
    /// The seed of all that is drawn.
    pub seed: u64,
}

impl Default for Settings {
    /// Two-tailed at 0.05.
    fn default() -> Self {
        Self {
            alpha: Alpha::new(0.05).expect("0.05 lies between 0 and 1"),
            tails: Tails::Two,
            correction: None,
            baselines: Vec::new(),
            rounding: Rounding::Relative,
            zeros: Zeros::default(),
            method: Method::Auto,
            threshold: 0.0,
            margin: None,
            samples: None,
            seed: 1,
        }
    }
}

impl Settings {
    /// Refuses parameters that make no sense.
    pub(super) fn check(&self) -> Result<(), CompareError> {
        if self.is_one_tailed() {
            self.one_sided_level()?;
        }
        let parameter = |what, expected, found| {
            Err(CompareError::Parameter {
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
                "the number of samples",
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
    pub(super) fn one_sided_level(&self) -> Result<f64, CompareError> {
        match self.alpha.value() {
            alpha if alpha < 0.5 => Ok(alpha),
            alpha => Err(CompareError::LooseAlpha { alpha }),
        }
    }

    /// The confidence of the interval that excludes 0 where the uncorrected test rejects.
    pub(super) fn confidence(&self) -> f64 {
        match self.tails {
            Tails::Two => 1.0 - self.alpha.value(),
            Tails::One => 1.0 - 2.0 * self.alpha.value(),
        }
    }
}

/// Counts of samples are kept in 32 bits.
const MOST_SAMPLES: usize = 1_000_000_000;
