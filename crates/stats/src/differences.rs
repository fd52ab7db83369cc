//! Paired differences, as a test that looks for ties sees them.
//!
//! In binary arithmetic 0.3 - 0.2 - 0.1 is not 0, and 0.9 - 0.8 differs from 0.2 - 0.1. Tests that
//! look for ties and zeros among differences of scores would see neither. So differences are
//! rounded, by the rule [`Rounding`]:
//!
//! * [`Rounding::Relative`], the default, rounds to multiples of a [`quantum`], the 10⁻¹²th part of
//!   the power of ten that the data reach: 10⁻¹² for scores between 0.1 and 1, 10⁻²¹ for scores of
//!   the size 10⁻⁹. That is a hundred times the error of a mean of a thousand numbers, and keeps at
//!   least eleven digits, however small the data are.
//! * [`Rounding::None`] takes the differences as they are.
//!
//! The data whose size counts are the numbers that were subtracted, because the error of a
//! difference is that of its parts: [`Differences::of`] takes both samples. Where only differences
//! are known ([`Differences::given`]), the size is theirs; differences that are rounding error, all
//! of them, then look like data.
//!
//! Tests that look for ties and zeros, and win-loss counts, use [`Differences::ranked`]. Tests of a
//! mean need no ties, and use [`Differences::averaged`]: the differences as they are, unless they
//! are all the same but for rounding error, which must have no variance to be measured by.
//! [`Differences::ties_made`] tells how many differences the rounding made equal to another one, or
//! to zero: none where it changed nothing.
//!
//! ```
//! use partita_stats::differences::{Differences, Rounding};
//!
//! assert_ne!(0.9 - 0.8, 0.2 - 0.1);
//! let (x, y) = ([0.9, 0.2, 0.3], [0.8, 0.1, 0.1 + 0.2]);
//! let d = Differences::of(&x, &y, Rounding::Relative)?;
//! assert_eq!(d.ranked(), [0.1, 0.1, 0.0]);
//! assert_eq!(d.ties_made(), 2);
//! // Small data keep their order.
//! let small = [1e-10, 2e-10, 3e-10];
//! assert_eq!(Differences::given(&small, Rounding::Relative)?.ranked(), small);
//! // As they are.
//! let exact = Differences::of(&x, &y, Rounding::None)?;
//! assert_eq!((exact.ranked()[0], exact.ties_made()), (0.9 - 0.8, 0));
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::{self, StatsError};

/// Decimal digits that are kept below the power of ten that the data reach.
const DIGITS: i32 = 12;

partita_named::named_enum! {
    /// Whether and how differences are rounded before a test looks for ties.
    pub enum Rounding: "rounding" = Relative {
        /// To twelve digits of the largest number
        Relative = "relative",
        /// Not at all
        None = "none",
    }
}

impl Rounding {
    /// What numbers of this size are rounded to multiples of; none where they are not rounded.
    pub fn quantum(self, scale: f64) -> Option<Quantum> {
        match self {
            Self::Relative => Quantum::for_scale(scale),
            Self::None => None,
        }
    }

    /// These numbers, which stem from numbers of this size, rounded.
    pub fn round_all(self, numbers: &[f64], scale: f64) -> Vec<f64> {
        match self.quantum(scale) {
            Some(quantum) => numbers.iter().map(|&x| quantum.round(x)).collect(),
            None => numbers.to_vec(),
        }
    }

    /// The rows of a matrix whose columns are compared, rounded by the size of all of it; and how
    /// many numbers of a row became equal to another one of that row.
    pub fn round_rows<R: AsRef<[f64]>>(self, rows: &[R]) -> (Vec<Vec<f64>>, usize) {
        let scale = max_abs(rows.iter().flat_map(|row| row.as_ref()));
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

/// The size of data: the largest absolute value.
pub fn max_abs<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
    numbers.into_iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// A power of ten that numbers are rounded to multiples of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantum {
    /// The power of ten, or one over it where that is below 1: whole numbers, so that what is a
    /// short decimal stays one.
    factor: f64,
    below_one: bool,
}

impl Quantum {
    /// The quantum of data of this size; `None` where all are zero, or so small or large that
    /// doubles have no room for it.
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

    /// The quantum as a number.
    pub fn value(self) -> f64 {
        if self.below_one {
            1.0 / self.factor
        } else {
            self.factor
        }
    }

    /// The number as a whole number of quanta.
    pub fn in_quanta(self, number: f64) -> f64 {
        if self.below_one {
            libm::rint(number * self.factor)
        } else {
            libm::rint(number / self.factor)
        }
    }

    /// The nearest multiple; numbers so large that doubles are coarser stay as they are.
    pub fn round(self, number: f64) -> f64 {
        let quanta = self.in_quanta(number);
        // From 2⁵² on every double is a whole number already.
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

/// The quantum of data of this size, as a number; 0 where they are not rounded.
pub fn quantum_for_scale(scale: f64) -> f64 {
    Quantum::for_scale(scale).map_or(0.0, Quantum::value)
}

/// Paired differences, with the rule by which they are rounded.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    exact: Vec<f64>,
    quantum: Option<Quantum>,
}

impl Differences {
    /// The differences x - y.
    ///
    /// # Errors
    /// Samples of unequal length, or values that are not finite.
    pub fn from_pairs(x: &[f64], y: &[f64], rounding: Rounding) -> Result<Self, StatsError> {
        error::require_same_length("paired samples x and y", x.len(), y.len())?;
        error::refuse_non_finite("x", x)?;
        error::refuse_non_finite("y", y)?;
        let exact: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        // Those of huge numbers may overflow.
        error::refuse_non_finite("differences x - y", &exact)?;
        Ok(Self {
            exact,
            quantum: rounding.quantum(max_abs(x.iter().chain(y))),
        })
    }

    /// Differences of which no more is known.
    ///
    /// # Errors
    /// Values that are not finite.
    pub fn from_differences(differences: &[f64], rounding: Rounding) -> Result<Self, StatsError> {
        error::refuse_non_finite("differences", differences)?;
        Ok(Self {
            exact: differences.to_vec(),
            quantum: rounding.quantum(max_abs(differences)),
        })
    }

    /// The differences as they are.
    pub fn exact(&self) -> &[f64] {
        &self.exact
    }

    /// What they are rounded to multiples of, if they are.
    pub fn quantum(&self) -> Option<Quantum> {
        self.quantum
    }

    /// The differences for a test that looks for ties and zeros: rounded.
    pub fn rounded(&self) -> Vec<f64> {
        match self.quantum {
            Some(quantum) => self.exact.iter().map(|&d| quantum.round(d)).collect(),
            None => self.exact.clone(),
        }
    }

    /// The differences for a test of their mean: as they are, unless rounding makes them all the
    /// same.
    pub fn for_mean_test(&self) -> Vec<f64> {
        let ranked = self.rounded();
        if ranked.windows(2).all(|pair| pair[0] == pair[1]) {
            ranked
        } else {
            self.exact.clone()
        }
    }

    /// How many of the absolute differences became equal to another one, or to zero, by rounding.
    pub fn ties_from_rounding(&self) -> usize {
        let zero = std::iter::once(0.0);
        let sizes = zero.chain(self.exact.iter().map(|d| d.abs()));
        self.quantum
            .map_or(0, |quantum| count_ties_from_rounding(sizes, quantum))
    }
}

/// How many fewer values there are when they are rounded.
fn count_ties_from_rounding(values: impl IntoIterator<Item = f64>, quantum: Quantum) -> usize {
    // Whole numbers in the order of the values are sorted twice as fast. 0 and -0 are one value.
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
