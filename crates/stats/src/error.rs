//! Error type of the crate.

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
    /// NaN in the data or in an argument.
    #[error("{what}: expected numbers, found NaN at position {position} (counting from 0)")]
    NotANumber { what: &'static str, position: usize },
    /// Infinite value where finite numbers are needed, such as in data whose mean is tested.
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
    /// Parameter, such as a significance level, outside its valid range.
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
    /// NaN returned by the statistic function that the caller passed to a bootstrap.
    #[error("statistic: expected a number for every resample, found NaN for {where_found}")]
    UndefinedStatistic { where_found: &'static str },
}
