//! Error of a numeric argument that is out of range.

/// Error of a numeric argument that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} must be {expected}, not {found}")]
pub struct RangeError {
    /// Name of the argument or option that is out of range.
    pub what: &'static str,
    /// Description of the valid values, such as "between 0 and 1".
    pub expected: &'static str,
    /// Value that was given.
    pub found: f64,
}

/// Checks a condition on the value `found` of the numeric argument named `what`.
///
/// # Errors
/// Returns [`RangeError`] if `holds` is false.
pub fn require(
    what: &'static str,
    found: f64,
    expected: &'static str,
    holds: bool,
) -> Result<(), RangeError> {
    if holds {
        return Ok(());
    }
    Err(RangeError {
        what,
        expected,
        found,
    })
}

/// Checks that the argument named `what` is between 0 and 1; returns [`RangeError`] otherwise.
pub(crate) fn require_share(what: &'static str, found: f64) -> Result<(), RangeError> {
    require(what, found, "between 0 and 1", (0.0..=1.0).contains(&found))
}

/// Checks that the argument named `what` is finite and at least 0; returns [`RangeError`]
/// otherwise.
pub(crate) fn require_nonnegative(what: &'static str, found: f64) -> Result<(), RangeError> {
    let is_size = found >= 0.0 && found.is_finite();
    require(what, found, "at least 0", is_size)
}
