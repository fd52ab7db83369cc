//! Error type of the crate, and argument checks.

/// Error: a test, an interval or a coefficient could not be computed.
///
/// Every message states what was expected and what was found, so that a caller can show it
/// unchanged.
///
/// ```
/// use partita_stats::{StatsError, ranks::midranks};
///
/// let error = midranks(&[1.0, f64::NAN]).unwrap_err();
/// assert_eq!(error, StatsError::NotANumber { what: "values", position: 1 });
/// assert_eq!(
///     error.to_string(),
///     "values: expected numbers, found NaN at position 1 (counting from 0)"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum StatsError {
    /// NaN, which cannot be ordered.
    #[error("{what}: expected numbers, found NaN at position {position} (counting from 0)")]
    NotANumber { what: &'static str, position: usize },
    /// Infinite value in a mean or variance.
    #[error(
        "{what}: expected finite numbers, found an infinite one at position {position} (counting from 0)"
    )]
    NotFinite { what: &'static str, position: usize },
    /// Fewer values than the procedure needs.
    #[error("{what}: expected at least {needed} value{}, found {found}", if *.needed == 1 { "" } else { "s" })]
    TooFew {
        what: &'static str,
        needed: usize,
        found: usize,
    },
    /// Two paired arguments of different length.
    #[error("{what}: expected both of the same length, found {left} and {right} values")]
    UnequalLengths {
        what: &'static str,
        left: usize,
        right: usize,
    },
    /// Parameter outside its range.
    #[error("{what}: expected {expected}, found {found}")]
    OutOfRange {
        what: &'static str,
        expected: &'static str,
        found: f64,
    },
    /// Ties in a procedure that is undefined with ties.
    #[error("{what}: expected all values distinct, found {value} at least twice; {remedy}")]
    UnexpectedTies {
        what: &'static str,
        value: f64,
        remedy: &'static str,
    },
    /// Exact distribution whose table would be too large.
    #[error(
        "{what}: expected an exact distribution of at most {limit} table cells, found a need of {cells}; use the normal approximation"
    )]
    ExactTableTooLarge {
        what: &'static str,
        cells: u64,
        limit: u64,
    },
    /// NaN from the caller's statistic.
    #[error("statistic: expected a number for every resample, found NaN for {where_found}")]
    UndefinedStatistic { where_found: &'static str },
}

/// Refuses NaN.
pub(crate) fn refuse_nan(what: &'static str, values: &[f64]) -> Result<(), StatsError> {
    match values.iter().position(|value| value.is_nan()) {
        Some(position) => Err(StatsError::NotANumber { what, position }),
        None => Ok(()),
    }
}

/// Refuses NaN and infinities.
pub(crate) fn refuse_non_finite(what: &'static str, values: &[f64]) -> Result<(), StatsError> {
    refuse_nan(what, values)?;
    match values.iter().position(|value| value.is_infinite()) {
        Some(position) => Err(StatsError::NotFinite { what, position }),
        None => Ok(()),
    }
}

/// Refuses samples shorter than `needed`.
pub(crate) fn require_length(
    what: &'static str,
    needed: usize,
    found: usize,
) -> Result<(), StatsError> {
    if found < needed {
        Err(StatsError::TooFew {
            what,
            needed,
            found,
        })
    } else {
        Ok(())
    }
}

/// Refuses pairs of unequal length.
pub(crate) fn require_same_length(
    what: &'static str,
    left: usize,
    right: usize,
) -> Result<(), StatsError> {
    if left == right {
        Ok(())
    } else {
        Err(StatsError::UnequalLengths { what, left, right })
    }
}

/// Refuses a level outside (0, 1).
pub(crate) fn require_proportion(what: &'static str, value: f64) -> Result<(), StatsError> {
    if value > 0.0 && value < 1.0 {
        Ok(())
    } else {
        Err(StatsError::OutOfRange {
            what,
            expected: "a proportion strictly between 0 and 1",
            found: value,
        })
    }
}

/// Refuses degrees of freedom that are not positive, and infinite ones unless they may be
/// infinite.
pub(crate) fn require_degrees_of_freedom(
    found: f64,
    may_be_infinite: bool,
) -> Result<(), StatsError> {
    if found > 0.0 && (may_be_infinite || found.is_finite()) {
        return Ok(());
    }
    Err(StatsError::OutOfRange {
        what: "degrees of freedom",
        expected: if may_be_infinite {
            "a positive number, or infinity"
        } else {
            "a positive finite number"
        },
        found,
    })
}
