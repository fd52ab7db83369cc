//! Argument checks. `what` names the checked argument in the error message.

use crate::error::StatsError;

/// Refuses samples that contain a NaN.
pub(crate) fn refuse_nan(what: &'static str, values: &[f64]) -> Result<(), StatsError> {
    match values.iter().position(|value| value.is_nan()) {
        Some(position) => Err(StatsError::NotANumber { what, position }),
        None => Ok(()),
    }
}

/// Refuses samples that contain a NaN or an infinite value.
pub(crate) fn refuse_non_finite(what: &'static str, values: &[f64]) -> Result<(), StatsError> {
    refuse_nan(what, values)?;
    match values.iter().position(|value| value.is_infinite()) {
        Some(position) => Err(StatsError::NotFinite { what, position }),
        None => Ok(()),
    }
}

/// Refuses samples with fewer than `needed` values.
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

/// Refuses paired samples of unequal length.
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

/// Refuses a level or probability outside (0, 1).
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

/// Refuses degrees of freedom that are not positive, and infinite ones unless `may_be_infinite`.
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
