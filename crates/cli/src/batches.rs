//! Amounts of money: what the commands on costs share.

/// An amount without the noise of binary fractions.
pub(crate) fn exact(amount: f64) -> f64 {
    (amount * 1e9).round() / 1e9
}
