//! Error of a numeric argument that is out of range.

/// Error of a numeric argument that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} must be {expected}, not {found}")]
pub struct RangeError {
    /// Name of the request's field.
    pub what: &'static str,
    /// Description of valid values.
    pub expected: &'static str,
    /// Value found.
    pub found: f64,
}

/// Returns [`RangeError`] unless a condition holds.
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

/// Returns [`RangeError`] unless the number is between 0 and 1.
pub(crate) fn require_share(what: &'static str, found: f64) -> Result<(), RangeError> {
    require(what, found, "between 0 and 1", (0.0..=1.0).contains(&found))
}

/// Returns [`RangeError`] unless the number is a valid size.
pub(crate) fn require_size(what: &'static str, found: f64) -> Result<(), RangeError> {
    let is_size = found >= 0.0 && found.is_finite();
    require(what, found, "at least 0", is_size)
}
