//! One-tailed and two-tailed tests.

use partita_stats::PValues;

partita_named::named_enum! {
    /// Number of tails of a test.
    pub enum Tails: "number of tails" {
        /// One-tailed: a difference in one direction
        One = "1",
        /// Two-tailed: a difference in either direction
        Two = "2",
    }
}

impl Tails {
    /// Returns the number of tails: 1 or 2.
    pub fn count(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// Returns the p-value to compare with the significance level: the smaller of the two
    /// one-tailed p-values, or the two-tailed one.
    pub(crate) fn p_value(self, p: PValues) -> f64 {
        match self {
            Self::One => p.less.min(p.greater),
            Self::Two => p.two_sided,
        }
    }
}
