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

crate::named! {
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
            Self::Relative => Quantum::of(scale),
            Self::None => None,
        }
    }

    /// These numbers, which stem from numbers of this size, rounded.
    pub fn rounded(self, numbers: &[f64], scale: f64) -> Vec<f64> {
        match self.quantum(scale) {
            Some(quantum) => numbers.iter().map(|&x| quantum.rounded(x)).collect(),
            None => numbers.to_vec(),
        }
    }

    /// The rows of a matrix whose columns are compared, rounded by the size of all of it; and how
    /// many numbers of a row became equal to another one of that row.
    pub fn rounded_rows<R: AsRef<[f64]>>(self, rows: &[R]) -> (Vec<Vec<f64>>, usize) {
        let scale = scale(rows.iter().flat_map(|row| row.as_ref()));
        let rounded: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| self.rounded(row.as_ref(), scale))
            .collect();
        let pairs = rows.iter().zip(&rounded);
        let ties = pairs.map(|(raw, rounded)| made_equal(raw.as_ref().to_vec(), rounded));
        let ties = ties.sum();
        (rounded, ties)
    }
}

/// The size of data: the largest absolute value.
pub fn scale<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
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
    fn of(scale: f64) -> Option<Self> {
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
    pub fn count(self, number: f64) -> f64 {
        if self.below_one {
            libm::rint(number * self.factor)
        } else {
            libm::rint(number / self.factor)
        }
    }

    /// The nearest multiple; numbers so large that doubles are coarser stay as they are.
    pub fn rounded(self, number: f64) -> f64 {
        let quanta = self.count(number);
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
pub fn quantum(scale: f64) -> f64 {
    Quantum::of(scale).map_or(0.0, Quantum::value)
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
    pub fn of(x: &[f64], y: &[f64], rounding: Rounding) -> Result<Self, StatsError> {
        error::same_length("paired samples x and y", x.len(), y.len())?;
        error::finite("x", x)?;
        error::finite("y", y)?;
        let exact: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        // Those of huge numbers may overflow.
        error::finite("differences x - y", &exact)?;
        Ok(Self {
            exact,
            quantum: rounding.quantum(scale(x.iter().chain(y))),
        })
    }

    /// Differences of which no more is known.
    ///
    /// # Errors
    /// Values that are not finite.
    pub fn given(differences: &[f64], rounding: Rounding) -> Result<Self, StatsError> {
        error::finite("differences", differences)?;
        Ok(Self {
            exact: differences.to_vec(),
            quantum: rounding.quantum(scale(differences)),
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
    pub fn ranked(&self) -> Vec<f64> {
        match self.quantum {
            Some(quantum) => self.exact.iter().map(|&d| quantum.rounded(d)).collect(),
            None => self.exact.clone(),
        }
    }

    /// The differences for a test of their mean: as they are, unless rounding makes them all the
    /// same.
    pub fn averaged(&self) -> Vec<f64> {
        let ranked = self.ranked();
        if ranked.windows(2).all(|pair| pair[0] == pair[1]) {
            ranked
        } else {
            self.exact.clone()
        }
    }

    /// How many of the absolute differences became equal to another one, or to zero, by rounding.
    pub fn ties_made(&self) -> usize {
        let sizes = |differences: &[f64]| -> Vec<f64> {
            let zero = std::iter::once(0.0);
            zero.chain(differences.iter().map(|d| d.abs())).collect()
        };
        made_equal(sizes(&self.exact), &sizes(&self.ranked()))
    }
}

/// By how many fewer values the second has than the first.
fn made_equal(raw: Vec<f64>, rounded: &[f64]) -> usize {
    if raw == rounded {
        return 0;
    }
    distinct(raw) - distinct(rounded.to_vec())
}

fn distinct(mut values: Vec<f64>) -> usize {
    values.sort_unstable_by(f64::total_cmp);
    // 0 and -0 are one value.
    values.dedup_by(|a, b| a == b);
    values.len()
}
