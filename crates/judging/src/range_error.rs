//! Numbers that are none of those that can be asked for.

/// A number that cannot be asked for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} must be {expected}, not {found}")]
pub struct RangeError {
    /// The field of the request, by its name.
    pub what: &'static str,
    /// What it can be.
    pub expected: &'static str,
    /// What it was.
    pub found: f64,
}

/// Refuses a number where something does not hold of it.
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

/// Refuses what is no share.
pub(crate) fn require_share(what: &'static str, found: f64) -> Result<(), RangeError> {
    require(what, found, "between 0 and 1", (0.0..=1.0).contains(&found))
}

/// Refuses what is no size.
pub(crate) fn require_size(what: &'static str, found: f64) -> Result<(), RangeError> {
    let is_size = found >= 0.0 && found.is_finite();
    require(what, found, "at least 0", is_size)
}
