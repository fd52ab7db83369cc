//! Paired differences with rounding, for tests that depend on ties.
//!
//! In binary arithmetic 0.3 - 0.2 - 0.1 is not 0, and 0.9 - 0.8 differs from 0.2 - 0.1. Tests that
//! depend on ties and zeros among differences of scores would miss both. So differences are rounded
//! by a [`Rounding`] rule:
//!
//! * [`Rounding::Relative`], the default, rounds to multiples of a [`Quantum`], 10⁻¹² times the
//!   power of ten that the data reach: 10⁻¹² for scores between 0.1 and 1, 10⁻²¹ for scores of the
//!   size 10⁻⁹. That is a hundred times the error of a mean of a thousand numbers, and keeps at least
//!   eleven digits for data of any size.
//! * [`Rounding::None`] does not round.
//!
//! The size that counts is that of the subtracted numbers, because they determine the error of a
//! difference: [`Differences::from_pairs`] takes both samples. If only differences are known
//! ([`Differences::from_differences`]), their own size counts; differences that consist only of
//! rounding error then look like data.
//!
//! Tests that depend on ties and zeros, and win-loss counts, use [`Differences::rounded`]. Tests of
//! a mean do not depend on ties and use [`Differences::for_mean_test`]: the unrounded differences,
//! unless they are all equal up to rounding error, which must not count as variance.
//! [`Differences::ties_from_rounding`] counts the differences that rounding made equal to another
//! one or to zero.
//!
//! ```
//! use partita_stats::differences::{Differences, Rounding};
//!
//! assert_ne!(0.9 - 0.8, 0.2 - 0.1);
//! let (x, y) = ([0.9, 0.2, 0.3], [0.8, 0.1, 0.1 + 0.2]);
//! let d = Differences::from_pairs(&x, &y, Rounding::Relative)?;
//! assert_eq!(d.rounded(), [0.1, 0.1, 0.0]);
//! assert_eq!(d.ties_from_rounding(), 2);
//! // Small data keep their order.
//! let small = [1e-10, 2e-10, 3e-10];
//! assert_eq!(Differences::from_differences(&small, Rounding::Relative)?.rounded(), small);
//! // Without rounding.
//! let exact = Differences::from_pairs(&x, &y, Rounding::None)?;
//! assert_eq!((exact.rounded()[0], exact.ties_from_rounding()), (0.9 - 0.8, 0));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::StatsError;
use crate::numeric::moments::is_constant;
use crate::validate;

/// Number of decimal digits kept below the power of ten that the data reach.
const DIGITS: i32 = 12;

partita_named::named_enum! {
    /// Rule that makes differences equal up to binary rounding error, before a test looks for ties.
    pub enum Rounding: "rounding" = Relative {
        /// Differences are rounded to twelve digits of the largest number
        Relative = "relative",
        /// Differences are not rounded
        None = "none",
    }
}

impl Rounding {
    /// Returns the rounding unit for data whose largest absolute value is `scale`; `None` without
    /// rounding, or if `scale` is infinite or at most 1e-290.
    pub fn quantum(self, scale: f64) -> Option<Quantum> {
        match self {
            Self::Relative => Quantum::for_scale(scale),
            Self::None => None,
        }
    }

    /// Rounds numbers that were computed from data whose largest absolute value is `scale`, such as
    /// their differences.
    pub fn round_all(self, numbers: &[f64], scale: f64) -> Vec<f64> {
        match self.quantum(scale) {
            Some(quantum) => numbers.iter().map(|&x| quantum.round(x)).collect(),
            None => numbers.to_vec(),
        }
    }

    /// Rounds the rows of a matrix with one rounding unit, that of its largest absolute value. Also
    /// returns the number of distinct values that rounding made equal to a smaller one of their
    /// row.
    pub fn round_rows<R: AsRef<[f64]>>(self, rows: &[R]) -> (Vec<Vec<f64>>, usize) {
        let scale = max_abs(rows.iter().flat_map(std::convert::AsRef::as_ref));
        let rounded = rows.iter().map(|row| self.round_all(row.as_ref(), scale));
        let ties = |quantum| {
            let rows = rows
                .iter()
                .map(|row| count_ties_from_rounding(row.as_ref().iter().copied(), quantum));
            rows.sum()
        };
        (rounded.collect(), self.quantum(scale).map_or(0, ties))
    }
}

/// Returns the largest absolute value, from which the rounding unit is derived.
pub fn max_abs<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
    numbers.into_iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Rounding unit: numbers are rounded to multiples of this power of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantum {
    /// Rounding unit if it is at least 1, else its reciprocal (`below_one`). It is an integer, so
    /// that short decimals such as 0.1 stay short when rounded.
    factor: f64,
    below_one: bool,
}

impl Quantum {
    /// Returns the rounding unit for data whose largest absolute value is `scale`; `None` if
    /// `scale` is infinite or at most 1e-290, including 0.
    fn for_scale(scale: f64) -> Option<Self> {
        if !(scale > 1e-290 && scale.is_finite()) {
            return None;
        }
        let exponent = libm::ceil(libm::log10(scale)) as i32 - DIGITS;
        Some(Self {
            factor: 10f64.powi(exponent.abs()),
            below_one: exponent < 0,
        })
    }

    /// Returns the rounding unit as a number, such as 1e-12.
    pub fn value(self) -> f64 {
        if self.below_one {
            1.0 / self.factor
        } else {
            self.factor
        }
    }

    /// Expresses a number as a multiple of the rounding unit, rounded to an integer.
    pub fn in_quanta(self, number: f64) -> f64 {
        if self.below_one {
            libm::rint(number * self.factor)
        } else {
            libm::rint(number / self.factor)
        }
    }

    /// Rounds a number to the nearest multiple of the unit. Numbers so large that the spacing of
    /// doubles exceeds the unit stay unchanged.
    pub fn round(self, number: f64) -> f64 {
        let quanta = self.in_quanta(number);
        // From 2⁵² on every double is an integer, so rounding has no effect.
        if quanta.abs() >= 4_503_599_627_370_496.0 {
            return number;
        }
        if self.below_one {
            quanta / self.factor
        } else {
            quanta * self.factor
        }
    }
}

/// Returns the rounding unit for data whose largest absolute value is `scale`; 0 if such data are
/// not rounded.
pub fn quantum_for_scale(scale: f64) -> f64 {
    Quantum::for_scale(scale).map_or(0.0, Quantum::value)
}

/// Paired differences, and the rule by which they are rounded before ties are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    exact: Vec<f64>,
    quantum: Option<Quantum>,
}

impl Differences {
    /// Computes the differences x - y.
    ///
    /// # Errors
    /// Returns a [`StatsError`] for samples of unequal length, or values that are not finite.
    pub fn from_pairs(x: &[f64], y: &[f64], rounding: Rounding) -> Result<Self, StatsError> {
        validate::require_same_length("paired samples x and y", x.len(), y.len())?;
        validate::refuse_non_finite("x", x)?;
        validate::refuse_non_finite("y", y)?;
        let exact: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        // Differences of huge numbers may overflow.
        validate::refuse_non_finite("differences x - y", &exact)?;
        Ok(Self {
            exact,
            quantum: rounding.quantum(max_abs(x.iter().chain(y))),
        })
    }

    /// Creates paired differences from the differences alone, if the two samples are unknown. The
    /// rounding unit follows from the largest difference.
    ///
    /// # Errors
    /// Returns a [`StatsError`] for values that are not finite.
    pub fn from_differences(differences: &[f64], rounding: Rounding) -> Result<Self, StatsError> {
        validate::refuse_non_finite("differences", differences)?;
        Ok(Self {
            exact: differences.to_vec(),
            quantum: rounding.quantum(max_abs(differences)),
        })
    }

    /// Returns the unrounded differences.
    pub fn exact(&self) -> &[f64] {
        &self.exact
    }

    /// Returns the rounding unit, if the differences are rounded.
    pub fn quantum(&self) -> Option<Quantum> {
        self.quantum
    }

    /// Returns the rounded differences, for tests that depend on ties and zeros.
    pub fn rounded(&self) -> Vec<f64> {
        match self.quantum {
            Some(quantum) => self.exact.iter().map(|&d| quantum.round(d)).collect(),
            None => self.exact.clone(),
        }
    }

    /// Returns the differences for a test of their mean: unrounded, unless rounding makes them all
    /// equal.
    pub fn for_mean_test(&self) -> Vec<f64> {
        let rounded = self.rounded();
        if is_constant(&rounded) {
            rounded
        } else {
            self.exact.clone()
        }
    }

    /// Counts the absolute differences that rounding made equal to another one or to zero.
    pub fn ties_from_rounding(&self) -> usize {
        let zero = std::iter::once(0.0);
        let sizes = zero.chain(self.exact.iter().map(|d| d.abs()));
        self.quantum
            .map_or(0, |quantum| count_ties_from_rounding(sizes, quantum))
    }
}

/// Returns the number of distinct values that become equal to a smaller one by rounding.
fn count_ties_from_rounding(values: impl IntoIterator<Item = f64>, quantum: Quantum) -> usize {
    // Integer keys in the order of the values sort twice as fast. 0 and -0 have the same key.
    let ordered = |value: f64| {
        let bits = (value + 0.0).to_bits() as i64;
        bits ^ ((bits >> 63) as u64 >> 1) as i64
    };
    let value = |bits: i64| f64::from_bits((bits ^ ((bits >> 63) as u64 >> 1) as i64) as u64);
    let mut sorted: Vec<i64> = values.into_iter().map(ordered).collect();
    sorted.sort_unstable();
    sorted.dedup();
    // Rounding keeps the order, so values that become equal are neighbours.
    let mut rounded: Vec<f64> = sorted
        .into_iter()
        .map(|bits| quantum.round(value(bits)))
        .collect();
    let values = rounded.len();
    rounded.dedup();
    values - rounded.len()
}
