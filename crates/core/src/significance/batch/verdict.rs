//! Verdict of a test on two systems.

/// Verdict of a significance test on two systems: the system that is ahead, and whether the
/// difference is significant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SystemPairVerdict(i16);

impl SystemPairVerdict {
    /// Creates a verdict. The first system is ahead if `lead` is positive, the second if it is
    /// negative. If `lead` is 0, the verdict is not significant.
    pub fn new(lead: f64, significant: bool) -> Self {
        let sign = i16::from(lead > 0.0) - i16::from(lead < 0.0);
        Self(sign * (1 + i16::from(significant)))
    }

    /// Returns true if the two systems differ significantly.
    pub fn is_significant(self) -> bool {
        self.0.abs() == 2
    }

    /// Returns 1 if the first system is ahead, -1 if the second is, else 0.
    pub fn direction(self) -> i16 {
        self.0.signum()
    }

    /// Returns 1 if the first system is significantly better, -1 if the second is, else 0.
    pub fn sign(self) -> i16 {
        self.0 / 2
    }

    /// Returns the verdict as an integer: positive if the first system is ahead, negative if the
    /// second is; ±2 if the difference is significant, else ±1 or 0.
    pub(crate) fn code(self) -> i16 {
        self.0
    }

    /// Creates the verdict from the integer that [`code`](Self::code) returns.
    pub(crate) fn from_code(code: i16) -> Self {
        Self(code)
    }
}
